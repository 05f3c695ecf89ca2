//! Checks folders with table files of either kind.

use super::distances::{self, SliceFile, SliceHeader};
use super::file::{FileError, check_identity};
use super::wld::{self, WldFile, WldHeader};
use crate::rules::Variant;
use std::io;
use std::path::Path;

/// Why a folder with endgame tables cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// The folder cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The folder contains no table files.
    #[error("the folder has no endgame tables")]
    Empty,
    /// The folder contains no table files for the variant.
    #[error("the folder has no endgame tables for {0}")]
    OtherVariants(Variant),
    /// No table file is usable. The value is the first error that was found.
    #[error("no endgame table file is usable; the first error is: {0}")]
    Unusable(FileError),
}

/// Checks that `folder` contains at least one usable table file, for `variant` if it is given.
pub fn check_folder(folder: &Path, variant: Option<Variant>) -> Result<(), FolderError> {
    let mut first_fault = None;
    let mut has_others = false;
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_none_or(|end| end != distances::EXTENSION && end != wld::EXTENSION) {
            continue;
        }
        match variant_of(&path) {
            Ok(found) if variant.is_none_or(|variant| variant == found) => return Ok(()),
            Ok(_) => has_others = true,
            Err(fault) => first_fault = first_fault.or(Some(fault)),
        }
    }
    Err(match (first_fault, variant.filter(|_| has_others)) {
        (_, Some(variant)) => FolderError::OtherVariants(variant),
        (Some(fault), None) => FolderError::Unusable(fault),
        (None, None) => FolderError::Empty,
    })
}

/// Returns the variant of a file, with or without distances.
fn variant_of(path: &Path) -> Result<Variant, FileError> {
    let has_distances = path.extension().is_some_and(|end| end == distances::EXTENSION);
    let (identity, slice) = if has_distances {
        let SliceHeader { identity, slice, .. } = SliceFile::open(path)?.into_header();
        (identity, slice)
    } else {
        let WldHeader { identity, slice, .. } = WldFile::open(path)?.into_header();
        (identity, slice)
    };
    let other = || FileError::OtherVariant(identity.variant.clone());
    let variant = Variant::called(&identity.variant).ok_or_else(other)?;
    check_identity(&identity, variant)?;
    // Table files are looked up by name, so a file with a wrong name would never be found.
    let expected = |folder| {
        if has_distances { distances::path_of(folder, variant, slice) } else { wld::path_of(folder, variant, slice) }
    };
    let is_found = path.parent().is_some_and(|folder| expected(folder) == path);
    if is_found { Ok(variant) } else { Err(FileError::OtherSlice(slice.to_string())) }
}
