//! The numbers of men and kings in a position.

use crate::position::Pieces;
use crate::rules::{Color, Objective, RuleSet, Word};
use derive_more::Display;
use std::cmp::Ordering;
use std::str::FromStr;

/// The numbers of men and kings of one side.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[display("{men}m{kings}k")]
pub struct SideMaterial {
    /// Number of men.
    pub men: u8,
    /// Number of kings.
    pub kings: u8,
}

impl SideMaterial {
    /// Creates the pair of numbers. Returns `None` if their sum is 0 or exceeds [`Material::MAX_PIECES_PER_SIDE`].
    pub(super) fn new(men: u8, kings: u8) -> Option<Self> {
        let pieces = men.checked_add(kings)?;
        (1..=Material::MAX_PIECES_PER_SIDE).contains(&pieces).then_some(Self { men, kings })
    }

    /// Returns the total number of men and kings.
    pub const fn pieces(self) -> u8 {
        self.men + self.kings
    }

    fn crowned(self) -> Option<Self> {
        self.men.checked_sub(1).map(|men| Self { men, kings: self.kings + 1 })
    }

    fn all_with_pieces(pieces: u8) -> impl Iterator<Item = Self> {
        (0..=pieces).map(move |men| Self { men, kings: pieces - men })
    }
}

/// The numbers of men and kings of the side to move and of its opponent, printed as in `1m1k-0m2k`.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[display("{own}-{other}")]
pub struct Material {
    /// The pieces of the side to move.
    pub own: SideMaterial,
    /// The pieces of the opponent.
    pub other: SideMaterial,
}

impl Material {
    /// Maximum number of pieces per side in a table.
    pub const MAX_PIECES_PER_SIDE: u8 = 7;

    /// Exclusive upper bound of [`Material::number`].
    pub(super) const NUMBERS: usize = 1 << 12;

    /// Returns the material of a position with White to move.
    #[inline]
    pub fn from_pieces<W: Word>(pieces: &Pieces<W>) -> Self {
        let side_material =
            |color| SideMaterial { men: pieces.men(color).count() as u8, kings: pieces.kings(color).count() as u8 };
        Self { own: side_material(Color::White), other: side_material(Color::Black) }
    }

    /// Returns the total number of pieces of both sides.
    pub const fn pieces(self) -> u8 {
        self.own.pieces() + self.other.pieces()
    }

    /// Returns the total number of men of both sides.
    pub const fn men(self) -> u8 {
        self.own.men + self.other.men
    }

    /// Returns the same pieces with the other side to move.
    pub const fn flipped(self) -> Self {
        Self { own: self.other, other: self.own }
    }

    /// Returns a number that is unique for each material, or `None` if one of its counts exceeds
    /// [`Material::MAX_PIECES_PER_SIDE`].
    #[inline]
    pub(super) fn number(self) -> Option<usize> {
        let counts = [self.own.men, self.own.kings, self.other.men, self.other.kings];
        let fits = counts.iter().all(|&count| count <= Self::MAX_PIECES_PER_SIDE);
        fits.then(|| counts.iter().fold(0, |number, &count| number << 3 | usize::from(count)))
    }
}

impl FromStr for Material {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let side_material = |text: &str| {
            let (men, kings) = text.strip_suffix('k')?.split_once('m')?;
            SideMaterial::new(men.parse().ok()?, kings.parse().ok()?)
        };
        let read = || {
            let (own, other) = text.split_once('-')?;
            Some(Self { own: side_material(own)?, other: side_material(other)? })
        };
        let most = Self::MAX_PIECES_PER_SIDE;
        read().ok_or_else(|| {
            format!(
                "invalid material {text:?}: expected the men and kings of each side, such as 1m1k-0m2k, with 1 to \
                 {most} pieces per side"
            )
        })
    }
}

/// A material and its flipped counterpart. They are solved together and share a file. The slice is named after the
/// greater of the two materials.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slice(Material);

impl Slice {
    /// Returns the slice that contains `material`.
    pub fn containing(material: Material) -> Self {
        let size = |material: Material| (material.own.pieces(), material.own.kings);
        Self(if size(material) >= size(material.flipped()) { material } else { material.flipped() })
    }

    /// Returns all slices with at most `pieces` pieces that can be solved under the rules `spec`. Each slice comes
    /// after the slices on which it depends.
    pub fn all(spec: &RuleSet, pieces: u8) -> Vec<Self> {
        Self::of_materials(spec, pieces).into_iter().filter(|slice| slice.is_solvable(spec)).collect()
    }

    /// Returns all slices with at most `pieces` pieces that cannot be solved, and therefore are not in [`Slice::all`].
    pub fn unsolvable(spec: &RuleSet, pieces: u8) -> Vec<Self> {
        Self::of_materials(spec, pieces).into_iter().filter(|slice| !slice.is_solvable(spec)).collect()
    }

    fn of_materials(spec: &RuleSet, pieces: u8) -> Vec<Self> {
        let most = spec.men().min(Material::MAX_PIECES_PER_SIDE);
        let mut slices = Vec::new();
        for total in 2..=pieces {
            for own in (1..total).filter(|&own| own <= most && total - own <= most && own >= total - own) {
                for own in SideMaterial::all_with_pieces(own) {
                    slices.extend(
                        SideMaterial::all_with_pieces(total - own.pieces())
                            .map(|other| Self::containing(Material { own, other })),
                    );
                }
            }
        }
        slices.sort_by_key(|slice| (slice.0.pieces(), slice.0.men(), slice.0));
        slices.dedup();
        slices
    }

    /// Returns whether, under the rules `spec`, the values of the slice depend only on the pieces.
    ///
    /// Two rules prevent this: a limit on king moves while the side has men, and a win by the first king.
    pub fn is_solvable(self, spec: &RuleSet) -> bool {
        let sides = [self.0.own, self.0.other];
        let has_unlimited_kings = |side_material: &SideMaterial| {
            side_material.men == 0 || (side_material.men == 1 && side_material.kings == 0)
        };
        match spec.objective {
            Objective::FirstKing => sides.iter().all(|side_material| side_material.kings == 0),
            Objective::Normal | Objective::Losing => spec.king_moves.is_none() || sides.iter().all(has_unlimited_kings),
        }
    }

    /// Returns the material that names the slice.
    pub const fn material(self) -> Material {
        self.0
    }

    /// Returns the materials of the slice. There are two materials, or one if the counterpart is the same material.
    pub fn materials(self) -> impl Iterator<Item = Material> {
        let flipped = self.0.flipped();
        [Some(self.0), (flipped != self.0).then_some(flipped)].into_iter().flatten()
    }

    /// Returns the slices with the same number of pieces that can be reached by a promotion.
    pub fn promotions(self) -> impl Iterator<Item = Self> {
        let Material { own, other } = self.0;
        let own_crowned = own.crowned().map(|own| Self::containing(Material { own, other }));
        let other_crowned = other.crowned().map(|other| Self::containing(Material { own, other }));
        own_crowned.into_iter().chain(other_crowned)
    }

    /// Returns the slices that can be reached by captures and promotions before the next quiet move, in the order of
    /// [`Slice::all`]. These slices must be solved before this slice.
    pub fn leads_to(self, spec: &RuleSet) -> Vec<Self> {
        let promotions: Vec<_> = self.promotions().collect();
        let mut slices = Self::all(spec, self.0.pieces());
        slices.retain(|slice| match slice.0.pieces().cmp(&self.0.pieces()) {
            Ordering::Less => slice.is_within(self.0),
            _ => promotions.contains(slice),
        });
        slices
    }

    /// Returns this slice and all solvable slices that can be reached from it, in the order of [`Slice::all`].
    pub fn with_dependencies(self, spec: &RuleSet) -> Vec<Self> {
        Self::all(spec, self.0.pieces()).into_iter().filter(|slice| slice.is_within(self.0)).collect()
    }

    pub(super) fn is_within(self, root: Material) -> bool {
        let comes_from = |side_material: SideMaterial, earlier: SideMaterial| {
            side_material.men <= earlier.men && side_material.pieces() <= earlier.pieces()
        };
        self.materials().any(|material| comes_from(material.own, root.own) && comes_from(material.other, root.other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;

    fn slice(text: &str) -> Slice {
        Slice::containing(text.parse().unwrap())
    }

    #[test]
    fn a_slice_comes_after_its_dependencies() {
        let slices = Slice::all(Variant::English.spec(), 5);
        // The terms are the numbers of slices with 2, 3, 4 (3 against 1 and 2 against 2) and 5 pieces (4 against 1 and
        // 3 against 2).
        assert_eq!(slices.len(), 3 + 6 + (8 + 6) + (10 + 12));
        for (index, slice) in slices.iter().enumerate() {
            let before = &slices[..index];
            assert!(slice.promotions().all(|promoted| before.contains(&promoted)), "{slice}");
            assert!(slice.leads_to(Variant::English.spec()).iter().all(|needed| before.contains(needed)), "{slice}");
            assert!(before.iter().all(|earlier| earlier.material().pieces() <= slice.material().pieces()));
        }
    }

    #[test]
    fn slices_that_depend_on_more_than_the_pieces_are_excluded() {
        let names = |variant: Variant| -> Vec<String> {
            Slice::all(variant.spec(), 3).into_iter().map(|slice| slice.to_string()).collect()
        };
        assert_eq!(names(Variant::Breakthrough), ["1m0k-1m0k", "2m0k-1m0k"]);
        let frisian = ["0m1k-0m1k", "0m1k-1m0k", "1m0k-1m0k", "0m2k-0m1k", "0m2k-1m0k"];
        assert_eq!(names(Variant::Frisian), frisian);
    }

    #[test]
    fn a_slice_depends_on_its_promotions_and_captures() {
        let names = |text: &str| -> Vec<String> {
            slice(text).leads_to(Variant::English.spec()).iter().map(Slice::to_string).collect()
        };
        assert_eq!(names("0m1k-0m1k"), [""; 0]);
        assert_eq!(names("1m0k-1m0k"), ["0m1k-1m0k"]);
        assert_eq!(names("0m2k-1m0k"), ["0m1k-0m1k", "0m1k-1m0k", "0m2k-0m1k"]);
    }

    #[test]
    fn the_slices_built_for_a_slice_are_complete() {
        for &variant in Variant::ALL {
            let spec = variant.spec();
            for slice in Slice::all(spec, 4) {
                let all = slice.with_dependencies(spec);
                assert_eq!(all.last(), Some(&slice), "{variant} {slice}");
                for (number, needed) in all.iter().enumerate() {
                    let before = &all[..number];
                    assert!(
                        needed.leads_to(spec).iter().all(|next| before.contains(next)),
                        "{variant} {slice} {needed}"
                    );
                }
            }
        }
    }

    #[test]
    fn names_are_read_and_printed() {
        for text in ["1m1k-0m2k", "0m2k-1m1k"] {
            assert_eq!(text.parse::<Material>().unwrap().to_string(), text);
        }
        assert_eq!(slice("0m1k-1m1k").to_string(), "1m1k-0m1k");
        assert_eq!(slice("1m1k-0m1k"), slice("0m1k-1m1k"));
        for text in ["", "1m1k", "0m0k-1m0k", "1m1k-8m0k", "1k1m-0m1k", "255m255k-1m0k", "é-m"] {
            assert!(text.parse::<Material>().unwrap_err().to_string().contains("invalid material"), "{text}");
        }
    }
}
