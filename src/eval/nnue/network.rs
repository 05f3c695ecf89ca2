//! The quantised network with three layers: its inputs, its weights, and the accumulators for incremental evaluation.

use super::GameKind;
use crate::board::{Bits, Corner, MAX_SQUARES, Shape, Square};
use crate::checksummed_file::ChecksumError;
use wide::{i16x16, i32x8};

/// Number of units in the first layer.
pub const FIRST_UNITS: usize = 256;

/// Number of units in a vector.
const LANES: usize = 16;

/// Number of vectors in the first layer.
const VECTORS: usize = FIRST_UNITS / LANES;

type Vector = i16x16;

/// Number of units in the second layer.
pub const SECOND_UNITS: usize = 8;

/// Number of output buckets. The buckets are for positions with up to a quarter, up to half, up to three quarters, and
/// more than three quarters of the initial number of pieces. Each bucket has its own layers after the first layer.
pub const OUTPUT_BUCKETS: usize = 4;

/// Scale of the first layer. Its weights and accumulators are multiples of 1/QA. Its activations are clipped to the
/// range from 0 to 1.
pub const QA: i32 = 508;

/// Number of bits by which accumulators are shifted right before the second layer. The shift turns an activation of 1
/// into 127.
const ACCUMULATOR_SHIFT: u32 = 2;

/// Integer that represents a first-layer activation of 1 in the input of the second layer.
const CLIPPED_ONE: i32 = QA >> ACCUMULATOR_SHIFT;

/// Scale of the second layer. Its weights are multiples of 1/QB.
pub const QB: i32 = 512;

/// Integer that represents a second-layer activation of 1. The activations of this layer are also clipped to the range
/// from 0 to 1.
pub const SECOND_SCALE: i32 = CLIPPED_ONE * QB;

/// Scale of the output layer. Its weights are multiples of 1/OUTPUT_SCALE cp.
pub const OUTPUT_SCALE: i32 = 256;

/// Maximum value of an accumulator, and also of the sum of the absolute weights that can contribute to it.
pub const ACCUMULATOR_LIMIT: i16 = i16::MAX;

/// Maximum absolute value of a second-layer bias. This limit keeps all sums within 32 bits.
pub const SECOND_BIAS_LIMIT: i32 = 1 << 30;

const _: () = assert!(CLIPPED_ONE << ACCUMULATOR_SHIFT == QA && CLIPPED_ONE <= i16::MAX as i32);
const _: () =
    assert!(FIRST_UNITS as i64 * CLIPPED_ONE as i64 * -(i16::MIN as i64) + SECOND_BIAS_LIMIT as i64 <= i32::MAX as i64);

/// A mapping from pieces to network inputs. The inputs are ordered by the kind of piece, and then by the square from
/// the point of view of the side to move.
///
/// Swapping the colours and rotating the board does not change the inputs. A mirrored board layout has the same inputs
/// as the original layout.
#[derive(Clone, Debug)]
pub struct Inputs {
    /// Index of each square from White's and from Black's point of view.
    places: [[u8; MAX_SQUARES]; 2],
    squares: usize,
}

impl Inputs {
    /// Number of inputs per square: man and king of the side to move, man and king of the opponent.
    pub const KINDS: usize = 4;

    /// Creates the mapping for a board with this `shape`.
    pub fn new(shape: Shape) -> Self {
        // The squares are in bit order, which runs from right to left on a mirrored board.
        let mut squares: Vec<Square> = shape.all_squares().collect();
        squares.sort();
        let mut inputs = Self { places: [[0; MAX_SQUARES]; 2], squares: squares.len() };
        for (place, square) in squares.iter().enumerate() {
            inputs.places[0][square.index()] = place as u8;
            inputs.places[1][square.index()] = (squares.len() - 1 - place) as u8;
        }
        inputs
    }

    /// Returns the mapping for the horizontally mirrored board, or `None` if the board is not symmetric.
    pub fn mirrored(&self, shape: Shape) -> Option<Self> {
        if shape.corner != Corner::Both {
            return None;
        }
        let mut images = self.clone();
        for square in shape.all_squares() {
            let image = shape.square_at(shape.row(square), shape.width - 1 - shape.column(square))?;
            for (places, images) in self.places.iter().zip(&mut images.places) {
                images[square.index()] = places[image.index()];
            }
        }
        Some(images)
    }

    /// Returns the number of inputs.
    pub fn count(&self) -> usize {
        Self::KINDS * self.squares
    }

    #[inline(always)]
    pub(super) fn pieces<B: Bits>(white: B, black: B, kings: B, white_to_move: bool) -> [B; Self::KINDS] {
        let (own, other) = if white_to_move { (white, black) } else { (black, white) };
        [own & !kings, own & kings, other & !kings, other & kings]
    }

    #[inline(always)]
    pub(super) fn index(&self, kind: usize, square: Square, white_to_move: bool) -> usize {
        kind * self.squares + usize::from(self.places[usize::from(!white_to_move)][square.index()])
    }

    /// Calls `visit` with the input index of every piece, grouped by the kind of piece. Every index is below
    /// [`Inputs::count`].
    #[inline(always)]
    pub fn for_each<B: Bits>(&self, white: B, black: B, kings: B, white_to_move: bool, mut visit: impl FnMut(usize)) {
        for (kind, set) in Self::pieces(white, black, kings, white_to_move).into_iter().enumerate() {
            set.squares().for_each(|square| visit(self.index(kind, square, white_to_move)));
        }
    }
}

/// The weights of a network. The first layer and its bias are in units of 1/[`QA`]. Each bucket contains the second
/// layer in units of 1/[`QB`], its bias in units of 1/[`SECOND_SCALE`], and the output weights in units of
/// 1/[`OUTPUT_SCALE`] cp.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// First-layer weights, with one row of units for each input.
    pub first: Vec<[i16; FIRST_UNITS]>,
    /// Bias of each first-layer unit.
    pub first_bias: [i16; FIRST_UNITS],
    /// The layers after the first layer, ordered by the number of pieces.
    pub buckets: [OutputBucket; OUTPUT_BUCKETS],
}

/// The weights of the layers after the first layer, in one output bucket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputBucket {
    /// Second-layer weights, with one row of first-layer units for each second-layer unit.
    pub second: [[i16; FIRST_UNITS]; SECOND_UNITS],
    /// Bias of each second-layer unit.
    pub second_bias: [i32; SECOND_UNITS],
    /// Output weight of each second-layer unit.
    pub last: [i32; SECOND_UNITS],
    /// Bias of the output.
    pub last_bias: i32,
}

impl OutputBucket {
    const ZERO: Self = Self {
        second: [[0; FIRST_UNITS]; SECOND_UNITS],
        second_bias: [0; SECOND_UNITS],
        last: [0; SECOND_UNITS],
        last_bias: 0,
    };

    /// Returns the 4-byte weights in file order.
    fn long(&self) -> impl Iterator<Item = &i32> {
        self.second_bias.iter().chain(&self.last).chain([&self.last_bias])
    }

    fn long_mut(&mut self) -> impl Iterator<Item = &mut i32> {
        self.second_bias.iter_mut().chain(&mut self.last).chain([&mut self.last_bias])
    }
}

/// Number of bytes of all 2-byte weights of a network with this number of inputs.
fn short_bytes(inputs: usize) -> usize {
    2 * FIRST_UNITS * (inputs + 1 + OUTPUT_BUCKETS * SECOND_UNITS)
}

impl Weights {
    /// Creates weights with which every position is evaluated as 0.
    pub fn zero(inputs: usize) -> Self {
        Self {
            first: vec![[0; FIRST_UNITS]; inputs],
            first_bias: [0; FIRST_UNITS],
            buckets: [OutputBucket::ZERO; OUTPUT_BUCKETS],
        }
    }

    /// Number of bytes of all 4-byte weights.
    pub(super) const LONG_BYTES: usize = 4 * OUTPUT_BUCKETS * (SECOND_UNITS + SECOND_UNITS + 1);

    /// Number of bytes of all weights of a network with this number of inputs.
    pub(super) fn bytes(inputs: usize) -> usize {
        short_bytes(inputs) + Self::LONG_BYTES
    }

    fn rows_mut(&mut self) -> impl Iterator<Item = &mut [i16; FIRST_UNITS]> {
        let of_buckets = self.buckets.iter_mut().flat_map(|bucket| &mut bucket.second);
        self.first.iter_mut().chain([&mut self.first_bias]).chain(of_buckets)
    }

    #[cfg(test)]
    pub(super) fn random(inputs: usize, random: &mut fastrand::Rng) -> Self {
        let mut weights = Self::zero(inputs);
        weights.first.iter_mut().flatten().for_each(|weight| *weight = random.i16(-200..200));
        weights.first_bias.fill_with(|| random.i16(-300..300));
        for bucket in &mut weights.buckets {
            bucket.second.iter_mut().flatten().for_each(|weight| *weight = random.i16(-300..300));
            bucket.second_bias.fill_with(|| random.i32(-30_000..30_000));
            bucket.last.fill_with(|| 8 * random.i32(-30_000..30_000));
            bucket.last_bias = random.i32(-10_000..10_000);
        }
        weights
    }

    /// Returns a hash of the weights.
    pub fn salt(&self) -> u64 {
        let bytes = self.to_bytes();
        let mut reversed = crc32fast::Hasher::new();
        bytes.rchunks(1 << 10).for_each(|part| reversed.update(part));
        u64::from(crc32fast::hash(&bytes)) << 32 | u64::from(reversed.finalize())
    }

    /// Serialises the weights in little-endian order. All 2-byte weights come first, followed by the 4-byte weights of
    /// each bucket.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let of_buckets = self.buckets.iter().flat_map(|bucket| &bucket.second);
        let rows = self.first.iter().chain([&self.first_bias]).chain(of_buckets);
        let short = rows.flatten();
        let long = self.buckets.iter().flat_map(OutputBucket::long);
        short.flat_map(|weight| weight.to_le_bytes()).chain(long.flat_map(|weight| weight.to_le_bytes())).collect()
    }

    /// Parses weights, or returns `None` if the length does not match.
    pub(super) fn from_bytes(inputs: usize, bytes: &[u8]) -> Option<Self> {
        let (short, long) = bytes.split_at_checked(short_bytes(inputs))?;
        if long.len() != Self::LONG_BYTES {
            return None;
        }
        let mut short = short.as_chunks().0.iter().map(|bytes| i16::from_le_bytes(*bytes));
        let mut long = long.as_chunks().0.iter().map(|bytes| i32::from_le_bytes(*bytes));
        let mut weights = Self::zero(inputs);
        weights.rows_mut().flatten().zip(&mut short).for_each(|(weight, read)| *weight = read);
        let of_long = weights.buckets.iter_mut().flat_map(OutputBucket::long_mut);
        of_long.zip(&mut long).for_each(|(weight, read)| *weight = read);
        Some(weights)
    }
}

/// The error returned if weights cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    /// The file is not a weights file, or it is damaged.
    #[error(transparent)]
    File(#[from] ChecksumError),
    /// The content is inconsistent.
    #[error("the file is inconsistent: {0}")]
    Content(&'static str),
    /// The weights are for the variant with this name, not for the requested variant.
    #[error("the weights are for a different variant: {0:?}")]
    Variant(String),
    /// The weights were trained under a different version of the variant's rules.
    #[error("the weights were trained under a different version of this variant's rules")]
    Rules,
    /// The inputs do not match the board.
    #[error("the weights do not match the board")]
    Board,
    /// A sum of the network could overflow.
    #[error("the weights are so large that a sum could overflow")]
    Sums,
}

/// The network of a variant.
///
/// The first layer has [`FIRST_UNITS`] units, and the second layer has [`SECOND_UNITS`] units. Both layers have clipped
/// linear activations, and the output is linear. The number of pieces on the board selects the layers after the first
/// layer. Clipped activations, integer layers and incremental accumulators follow NNUE (Yu Nasu, 2018) as used in
/// Stockfish. Output buckets follow later versions of Stockfish.
#[derive(Clone, Debug)]
pub(super) struct Network {
    inputs: Inputs,
    layers: Layers,
    outputs: [Output; OUTPUT_BUCKETS],
    buckets: [u8; MAX_SQUARES + 1],
}

#[derive(Clone, Copy, Debug)]
struct Output {
    second_bias: [i32; SECOND_UNITS],
    last: [i32; SECOND_UNITS],
    last_bias: i32,
}

/// The first two layers, computed with vectors.
#[derive(Clone, Debug)]
struct Layers {
    /// One row of units for each input.
    first: Vec<[Vector; VECTORS]>,
    first_bias: [Vector; VECTORS],
    /// One row of first-layer units for each second-layer unit.
    second: [[[Vector; VECTORS]; SECOND_UNITS]; OUTPUT_BUCKETS],
}

impl Layers {
    fn new(weights: &Weights) -> Self {
        Self {
            first: weights.first.iter().map(row).collect(),
            first_bias: row(&weights.first_bias),
            second: weights.buckets.each_ref().map(|bucket| bucket.second.each_ref().map(row)),
        }
    }

    #[inline(always)]
    fn second_sums(&self, bucket: usize, first: &[Vector; VECTORS]) -> impl Iterator<Item = i32> {
        let (zero, one) = (i16x16::splat(0), i16x16::splat(CLIPPED_ONE as i16));
        let mut units = *first;
        for (unit, bias) in units.iter_mut().zip(&self.first_bias) {
            let shifted: i16x16 = (*unit + *bias) >> ACCUMULATOR_SHIFT;
            *unit = shifted.max(zero).min(one);
        }
        self.second[bucket].iter().map(move |weights| {
            let products = units.iter().zip(weights).map(|(unit, weights)| unit.dot(*weights));
            products.fold(i32x8::splat(0), |sum, products| sum + products).reduce_add()
        })
    }
}

fn row(numbers: &[i16; FIRST_UNITS]) -> [Vector; VECTORS] {
    let (numbers, _) = numbers.as_chunks::<LANES>();
    std::array::from_fn(|vector| i16x16::new(numbers[vector]))
}

impl Network {
    pub(super) fn new(kind: GameKind, weights: &Weights) -> Result<Self, WeightsError> {
        let inputs = Inputs::new(kind.shape);
        if weights.first.len() != inputs.count() {
            return Err(WeightsError::Board);
        }
        let is_small = |bias: &i32| bias.unsigned_abs() <= SECOND_BIAS_LIMIT.unsigned_abs();
        let most = u32::from(ACCUMULATOR_LIMIT.unsigned_abs());
        if (0..FIRST_UNITS).any(|unit| max_accumulator(weights, unit) > most)
            || !weights.buckets.iter().flat_map(|bucket| &bucket.second_bias).all(is_small)
        {
            return Err(WeightsError::Sums);
        }
        let outputs = weights.buckets.each_ref().map(|bucket| {
            let OutputBucket { second_bias, last, last_bias, .. } = *bucket;
            Output { second_bias, last, last_bias }
        });
        let buckets = std::array::from_fn(|pieces| kind.bucket(pieces) as u8);
        Ok(Self { inputs, layers: Layers::new(weights), outputs, buckets })
    }

    #[inline]
    pub(super) fn value<B: Bits>(
        &self,
        accumulators: &mut Accumulators<B>,
        (white, black, kings): (B, B, B),
        white_to_move: bool,
    ) -> i32 {
        let pieces = Inputs::pieces(white, black, kings, white_to_move);
        let input = |kind, square| self.inputs.index(kind, square, white_to_move);
        let Accumulators([of_white, of_black]) = accumulators;
        let own = if white_to_move { of_white } else { of_black };
        let first = own.update(pieces, &self.layers.first, input);
        let bucket = usize::from(self.buckets[(white | black).count() as usize]);
        let output = &self.outputs[bucket];
        let mut value = i64::from(output.last_bias) * i64::from(SECOND_SCALE);
        for ((sum, bias), last) in self.layers.second_sums(bucket, &first).zip(&output.second_bias).zip(&output.last) {
            value += i64::from((bias + sum).clamp(0, SECOND_SCALE)) * i64::from(*last);
        }
        (value / (i64::from(SECOND_SCALE) * i64::from(OUTPUT_SCALE))) as i32
    }
}

/// Returns the largest absolute value that the sum of a first-layer unit can reach, whatever pieces are on the board.
pub fn max_accumulator(weights: &Weights, unit: usize) -> u32 {
    let squares = weights.first.len() / Inputs::KINDS;
    let of_square = |square: usize| {
        (0..Inputs::KINDS).map(|kind| weights.first[kind * squares + square][unit].unsigned_abs()).max().unwrap_or(0)
    };
    let sum: u32 = (0..squares).map(|square| u32::from(of_square(square))).sum();
    sum + u32::from(weights.first_bias[unit].unsigned_abs())
}

/// The first-layer accumulators of a search, one per perspective. They must be used with only one evaluation.
///
/// The accumulators are updated incrementally. Consecutive evaluations are of positions only a few moves apart, so few
/// pieces have to be added or removed.
#[derive(Clone, Debug, Default)]
pub struct Accumulators<B: Bits>([Accumulator<B>; 2]);

/// The first-layer sums without the biases.
#[derive(Clone, Debug)]
struct Accumulator<B: Bits> {
    sums: [Vector; VECTORS],
    pieces: [B; Inputs::KINDS],
}

impl<B: Bits> Default for Accumulator<B> {
    fn default() -> Self {
        Self { sums: [Vector::default(); VECTORS], pieces: [B::EMPTY; Inputs::KINDS] }
    }
}

impl<B: Bits> Accumulator<B> {
    #[inline(always)]
    fn update(
        &mut self,
        pieces: [B; Inputs::KINDS],
        rows: &[[Vector; VECTORS]],
        input: impl Fn(usize, Square) -> usize,
    ) -> [Vector; VECTORS] {
        let number_of = |pieces: [B; Inputs::KINDS]| pieces.into_iter().map(Bits::count).sum::<u32>();
        let changed = std::array::from_fn(|kind| self.pieces[kind] ^ pieces[kind]);
        if number_of(changed) > number_of(pieces) {
            *self = Self::default();
        }
        let mut sums = self.sums;
        for (kind, (old, new)) in self.pieces.into_iter().zip(pieces).enumerate() {
            for square in (old & !new).squares() {
                let row = &rows[input(kind, square)];
                sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum -= *weight);
            }
            for square in (new & !old).squares() {
                let row = &rows[input(kind, square)];
                sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += *weight);
            }
        }
        (self.sums, self.pieces) = (sums, pieces);
        sums
    }
}
