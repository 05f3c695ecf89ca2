//! Writes win/loss/draw files.

use super::bits::BitWriter;
use super::header::{WldHeader, WldTable};
use super::huffman::{Encoder, code_lengths};
use super::order::SetOrder;
use super::pairs::{Parser, VALUES};
use super::reader::path_of;
use super::values::{
    ARBITRARY, MaterialResults, SliceResults, Values, best_order, in_new_order, replace_arbitrary, sample,
};
use super::{BLOCK, BLOCKS_PER_GROUP};
use crate::rules::{Identity, Variant, Word};
use crate::stop::Stop;
use crate::tables::board::downcast_either;
use crate::tables::file::{FileError, PackedBlocks, UNFINISHED, in_order, write_parts};
use std::num::NonZeroUsize;
use std::path::Path;

/// Number of blocks from which the pairs of symbols are chosen.
const SAMPLE: usize = 1024;

/// Number of groups that a thread packs at once.
const GROUPS: u64 = 16;

/// Writes the results of `slice` to its file in `folder`. They are packed by `threads` threads. The complete file
/// replaces an older file atomically.
pub fn write<W: Word>(
    folder: &Path,
    variant: Variant,
    slice: &SliceResults<W>,
    threads: NonZeroUsize,
    stop: &Stop,
) -> Result<(), FileError> {
    type Write<W> = fn(&Path, Variant, &SliceResults<W>, NonZeroUsize, &Stop) -> Result<(), FileError>;
    static NARROW: Write<u64> = write_of_width;
    static WIDE: Write<u128> = write_of_width;
    downcast_either::<Write<W>>(&NARROW, &WIDE)(folder, variant, slice, threads, stop)
}

fn write_of_width<W: Word>(
    folder: &Path,
    variant: Variant,
    slice: &SliceResults<W>,
    threads: NonZeroUsize,
    stop: &Stop,
) -> Result<(), FileError> {
    let mut header = WldHeader { identity: Identity::for_variant(variant), slice: slice.slice, tables: Vec::new() };
    let mut packed = Vec::new();
    for table in &slice.tables {
        let (properties, groups) = pack(table, threads, stop)?;
        header.tables.push(properties);
        packed.extend(groups);
    }
    let path = path_of(folder, variant, slice.slice);
    write_parts(&path, &format!("wld.{UNFINISHED}"), &header.to_bytes(), &packed)
}

enum Group {
    /// All positions have this value.
    Same(u8),
    /// The symbols of each block.
    Blocks(Vec<Vec<u16>>),
}

fn pack<W: Word>(
    table: &MaterialResults<W>,
    threads: NonZeroUsize,
    stop: &Stop,
) -> Result<(WldTable, Vec<PackedBlocks>), FileError> {
    let values = &table.values;
    let order = best_order(values, table.index.sets).ok_or(FileError::Header)?;
    let parser = Parser::train(sample(values, &order, SAMPLE));
    let part = (BLOCK * BLOCKS_PER_GROUP) as u64 * GROUPS;
    let starts = (0..order.size()).step_by(part as usize);
    let parsed = in_order(starts, threads, stop, |start| {
        let end = (start + part).min(order.size());
        let groups = (start..end).step_by(BLOCK * BLOCKS_PER_GROUP);
        groups.map(|start| parse(values, &order, &parser, start)).collect::<Vec<_>>()
    })?;
    let mut counts = vec![0; VALUES + parser.pairs().len()];
    for group in parsed.iter().flatten() {
        let Group::Blocks(blocks) = group else { continue };
        for &symbol in blocks.iter().flatten() {
            if let Some(count) = counts.get_mut(usize::from(symbol)) {
                *count += 1;
            }
        }
    }
    let lengths = code_lengths(&counts);
    let encoder = Encoder::new(&lengths);
    let packed = in_order(parsed.iter(), threads, stop, |groups| {
        let mut packed = PackedBlocks::default();
        groups.iter().for_each(|group| packed.add(&encode(group, &encoder)));
        packed
    })?;
    let (sets, counts, pairs) = (table.index.sets, table.counts, parser.pairs().clone());
    Ok((WldTable { sets, counts, order, pairs, lengths }, packed))
}

fn parse(values: &Values, order: &SetOrder, parser: &Parser, start: u64) -> Group {
    let mut group = in_new_order(values, order, start, BLOCK * BLOCKS_PER_GROUP);
    let mut known = group.iter().copied().filter(|&value| value != ARBITRARY.into());
    let first = known.next().unwrap_or(0);
    if known.all(|value| value == first) {
        return Group::Same(first as u8);
    }
    replace_arbitrary(&mut group);
    let parse = |block: &[u16]| {
        let mut symbols = block.to_vec();
        parser.parse(&mut symbols);
        symbols.shrink_to_fit();
        symbols
    };
    Group::Blocks(group.chunks(BLOCK).map(parse).collect())
}

fn encode(group: &Group, encoder: &Encoder) -> Vec<u8> {
    let blocks = match group {
        Group::Same(value) => return vec![*value],
        Group::Blocks(blocks) => blocks,
    };
    let (mut packed, mut bits) = (Vec::new(), BitWriter::default());
    for block in blocks {
        let start = bits.len();
        block.iter().for_each(|&symbol| encoder.write(symbol, &mut bits));
        let mut length = bits.len() - start;
        while length > 0x7f {
            packed.push(length as u8 | 0x80);
            length >>= 7;
        }
        packed.push(length as u8);
    }
    packed.extend(bits.into_bytes());
    packed
}
