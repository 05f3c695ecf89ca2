//! A network of three layers, in quantised integers: its inputs, the pieces as the side to move sees the board, its weights,
//! and the sums of the first layer, which follow the positions that are evaluated.

use super::layers::{Lane, Layers};
use super::{GameKind, WeightsError};
use crate::board::{Bits, Corner, MAX_SQUARES, Shape, Square};

/// Units of the first layer.
pub const FIRST_UNITS: usize = 256;

/// Units of the first layer of a narrow network, which takes nine tenths of the time of a search.
pub(super) const NARROW_UNITS: usize = 128;

/// Units of the first layer that are added up together.
pub(super) const LANE_UNITS: usize = 16;

/// Lanes of the first layer of a wide and of a narrow network.
const WIDE: usize = FIRST_UNITS / LANE_UNITS;
const NARROW: usize = NARROW_UNITS / LANE_UNITS;

/// Units of the second layer.
pub const SECOND_UNITS: usize = 8;

/// Output buckets: positions with up to a quarter of the pieces of the start have a second layer and a value of their own, those with up to
/// half of them, and so on.
pub const OUTPUT_BUCKETS: usize = 4;

/// Quantisation of the first layer: its weights and accumulators are in units of 1/QA, and clipped to 0 to 1.
pub const QA: i32 = 508;

/// The bits by which an accumulator is shortened before the second layer, so that 1 is 127.
pub(super) const ACCUMULATOR_SHIFT: u32 = 2;

/// The 1 of a unit of the first layer as the second one sees it.
pub(super) const CLIPPED_ONE: i32 = QA >> ACCUMULATOR_SHIFT;

/// Quantisation of the second layer: its weights are in units of 1/QB.
pub const QB: i32 = 512;

/// The 1 of a unit of the second layer, whose sum is clipped to 0 to 1, too.
pub const SECOND_SCALE: i32 = CLIPPED_ONE * QB;

/// Units of the value in 1/100 man, before it is divided by [`SECOND_SCALE`].
pub const OUTPUT_SCALE: i32 = 256;

/// The largest value of an accumulator, and of the sizes of all that may be added up to one.
pub const ACCUMULATOR_LIMIT: i16 = i16::MAX;

/// The largest bias of the second layer: with it no sum leaves 32 bits.
pub const SECOND_BIAS_LIMIT: i32 = 1 << 30;

const _: () = assert!(CLIPPED_ONE << ACCUMULATOR_SHIFT == QA && CLIPPED_ONE <= i16::MAX as i32);
const _: () =
    assert!(FIRST_UNITS as i64 * CLIPPED_ONE as i64 * -(i16::MIN as i64) + SECOND_BIAS_LIMIT as i64 <= i32::MAX as i64);

/// Which input a piece has: the kind of piece first, then its square, counted from the side of the player to move.
///
/// So a position and the same one with the colours exchanged and the board turned have the same inputs. On a mirrored board they are
/// those of the other board.
#[derive(Clone, Debug)]
pub struct Inputs {
    /// The place of each square as White and as Black sees the board.
    places: [[u8; MAX_SQUARES]; 2],
    /// Squares of the board.
    squares: usize,
}

impl Inputs {
    /// Inputs of each square: a man and a king of the side to move, and those of the other side.
    pub const KINDS: usize = 4;

    /// The inputs of a board.
    pub fn new(shape: Shape) -> Self {
        // In the order of the bits, which on a mirrored board run from right to left: so it has the places of the other board.
        let mut squares: Vec<Square> = shape.all_squares().collect();
        squares.sort();
        let mut inputs = Self { places: [[0; MAX_SQUARES]; 2], squares: squares.len() };
        for (place, square) in squares.iter().enumerate() {
            inputs.places[0][square.index()] = place as u8;
            inputs.places[1][square.index()] = (squares.len() - 1 - place) as u8;
        }
        inputs
    }

    /// Those of the mirror image, from left to right, on a board whose mirror image is the same board.
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

    /// How many there are.
    pub fn count(&self) -> usize {
        Self::KINDS * self.squares
    }

    /// The pieces by kind: men of the side to move, its kings, then men and kings of the other side.
    #[inline(always)]
    pub(super) fn pieces<B: Bits>(white: B, black: B, kings: B, white_to_move: bool) -> [B; Self::KINDS] {
        let (own, other) = if white_to_move { (white, black) } else { (black, white) };
        [own & !kings, own & kings, other & !kings, other & kings]
    }

    /// The input of a piece of `kind` on `square`, a number below [`Inputs::count`].
    #[inline(always)]
    pub(super) fn of(&self, kind: usize, square: Square, white_to_move: bool) -> usize {
        kind * self.squares + usize::from(self.places[usize::from(!white_to_move)][square.index()])
    }

    /// Calls `visit` with the input of every piece, a number below [`Inputs::count`], in the order of the kinds.
    #[inline(always)]
    pub fn for_each<B: Bits>(&self, white: B, black: B, kings: B, white_to_move: bool, mut visit: impl FnMut(usize)) {
        for (kind, set) in Self::pieces(white, black, kings, white_to_move).into_iter().enumerate() {
            set.squares().for_each(|square| visit(self.of(kind, square, white_to_move)));
        }
    }
}

/// The weights of a network, layer by layer: those of the first layer with its bias in units of 1/[`QA`], in each bucket those of the second
/// one in 1/[`QB`] with its bias in 1/[`SECOND_SCALE`], and the values in 1/[`OUTPUT_SCALE`] of 1/100 man.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// Units of the first layer that are used, the first ones: all of them or, in a narrow network, half. The weights of the others are 0.
    pub units: usize,
    /// Of the first layer: for each input those of all units.
    pub first: Vec<[i16; FIRST_UNITS]>,
    /// The bias of each unit of the first layer.
    pub first_bias: [i16; FIRST_UNITS],
    /// The layers after it, from few pieces to many.
    pub buckets: [OutputBucket; OUTPUT_BUCKETS],
}

/// The weights of the layers after the first one in an output bucket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputBucket {
    /// Of the second layer: for each unit those of all units of the first.
    pub second: [[i16; FIRST_UNITS]; SECOND_UNITS],
    /// The bias of each unit of the second layer.
    pub second_bias: [i32; SECOND_UNITS],
    /// The weight of each unit of the second layer.
    pub last: [i32; SECOND_UNITS],
    /// The bias of the value.
    pub last_bias: i32,
}

impl OutputBucket {
    /// Weights by which every position is worth 0.
    const ZERO: Self = Self {
        second: [[0; FIRST_UNITS]; SECOND_UNITS],
        second_bias: [0; SECOND_UNITS],
        last: [0; SECOND_UNITS],
        last_bias: 0,
    };

    /// The weights of 4 bytes, in the order of the fields.
    fn long(&self) -> impl Iterator<Item = &i32> {
        self.second_bias.iter().chain(&self.last).chain([&self.last_bias])
    }

    fn long_mut(&mut self) -> impl Iterator<Item = &mut i32> {
        self.second_bias.iter_mut().chain(&mut self.last).chain([&mut self.last_bias])
    }
}

/// The size of a network: earlier ones have half of the units, or one bucket for all positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Size {
    units: usize,
    buckets: usize,
}

impl Size {
    /// The sizes that a network can have.
    pub(super) const ALL: [Self; 4] = [
        Self { units: NARROW_UNITS, buckets: 1 },
        Self { units: FIRST_UNITS, buckets: 1 },
        Self { units: NARROW_UNITS, buckets: OUTPUT_BUCKETS },
        Self { units: FIRST_UNITS, buckets: OUTPUT_BUCKETS },
    ];

    /// The bytes of the weights that have 2.
    fn short_bytes(self, inputs: usize) -> usize {
        2 * self.units * (inputs + 1 + self.buckets * SECOND_UNITS)
    }

    /// The bytes of the weights that have 4.
    pub(super) fn long_bytes(self) -> usize {
        4 * self.buckets * (SECOND_UNITS + SECOND_UNITS + 1)
    }

    /// The bytes of all weights of a network with so many inputs.
    pub(super) fn bytes(self, inputs: usize) -> usize {
        self.short_bytes(inputs) + self.long_bytes()
    }
}

impl Weights {
    /// Weights of a network with so many inputs by which every position is worth 0.
    pub fn zero(inputs: usize) -> Self {
        Self {
            units: FIRST_UNITS,
            first: vec![[0; FIRST_UNITS]; inputs],
            first_bias: [0; FIRST_UNITS],
            buckets: [OutputBucket::ZERO; OUTPUT_BUCKETS],
        }
    }

    /// The size of their network.
    pub(super) fn size(&self) -> Size {
        Size { units: self.units, buckets: OUTPUT_BUCKETS }
    }

    /// The weights of 2 bytes: of each input, the biases, and of each unit of the second layer from bucket to bucket, those of all units of the
    /// first layer.
    fn rows_mut(&mut self) -> impl Iterator<Item = &mut [i16; FIRST_UNITS]> {
        let of_buckets = self.buckets.iter_mut().flat_map(|bucket| &mut bucket.second);
        self.first.iter_mut().chain([&mut self.first_bias]).chain(of_buckets)
    }

    /// These weights without the second half of the units.
    #[cfg(test)]
    pub(super) fn narrow(mut self) -> Self {
        self.units = NARROW_UNITS;
        self.rows_mut().for_each(|units| units[NARROW_UNITS..].fill(0));
        self
    }

    /// Weights by which positions have all kinds of values.
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

    /// A number that tells these weights from others.
    pub fn salt(&self) -> u64 {
        let bytes = self.to_bytes();
        let mut reversed = crc32fast::Hasher::new();
        bytes.rchunks(1 << 10).for_each(|part| reversed.update(part));
        u64::from(crc32fast::hash(&bytes)) << 32 | u64::from(reversed.finalize())
    }

    /// The bytes of all weights of the units that are used, little-endian: first those of 2 bytes, then those of 4, bucket by bucket.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let of_buckets = self.buckets.iter().flat_map(|bucket| &bucket.second);
        let rows = self.first.iter().chain([&self.first_bias]).chain(of_buckets);
        let short = rows.flat_map(|row| row.iter().take(self.units));
        let long = self.buckets.iter().flat_map(OutputBucket::long);
        short.flat_map(|weight| weight.to_le_bytes()).chain(long.flat_map(|weight| weight.to_le_bytes())).collect()
    }

    /// The weights of [`Weights::to_bytes`] for a network of this size with so many inputs, if there are as many bytes. A single bucket is
    /// that of all positions.
    pub(super) fn from_bytes(inputs: usize, size: Size, bytes: &[u8]) -> Option<Self> {
        let (short, long) = bytes.split_at_checked(size.short_bytes(inputs))?;
        if long.len() != size.long_bytes() {
            return None;
        }
        let mut short = short.as_chunks().0.iter().map(|bytes| i16::from_le_bytes(*bytes));
        let mut long = long.as_chunks().0.iter().map(|bytes| i32::from_le_bytes(*bytes));
        let mut weights = Self::zero(inputs);
        weights.units = size.units;
        let rows = weights.rows_mut().take(inputs + 1 + size.buckets * SECOND_UNITS);
        let of_short = rows.flat_map(|row| row.iter_mut().take(size.units));
        of_short.zip(&mut short).for_each(|(weight, read)| *weight = read);
        let (read, others) = weights.buckets.split_at_mut(size.buckets);
        let of_long = read.iter_mut().flat_map(OutputBucket::long_mut);
        of_long.zip(&mut long).for_each(|(weight, read)| *weight = read);
        others.iter_mut().zip(read.iter().cycle()).for_each(|(other, read)| other.clone_from(read));
        Some(weights)
    }
}

/// The network of a game.
///
/// The first layer has [`FIRST_UNITS`] units, or half of them, each the sum of a bias and the weights of the inputs that there are, cut to 0 to 1; the
/// second one [`SECOND_UNITS`] units, each such a sum over the first layer, cut as well; the value is a sum over these. Which second layer and
/// sum these are hangs on the number of pieces. (Clipped linear units, layers in integers and an accumulator that follows the moves as in
/// Stockfish's network, Yu Nasu 2018; output buckets as in its later versions.)
#[derive(Clone, Debug)]
pub(super) struct Network {
    inputs: Inputs,
    layers: Width,
    outputs: [Output; OUTPUT_BUCKETS],
    /// The bucket of each number of pieces.
    buckets: [u8; MAX_SQUARES + 1],
}

/// The layers after the second one in an output bucket.
#[derive(Clone, Copy, Debug)]
struct Output {
    second_bias: [i32; SECOND_UNITS],
    last: [i32; SECOND_UNITS],
    last_bias: i32,
}

/// The first two layers by their width.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "a game has one of them, behind an Arc")]
enum Width {
    Narrow(Layers<NARROW>),
    Wide(Layers<WIDE>),
}

impl Network {
    /// The network of the game `kind` with these weights.
    ///
    /// # Errors
    /// When they are not made for the board, or a sum could overflow.
    pub(super) fn new(kind: GameKind, weights: &Weights) -> Result<Self, WeightsError> {
        let inputs = Inputs::new(kind.shape);
        if weights.first.len() != inputs.count() {
            return Err(WeightsError::Board);
        }
        let is_small = |bias: &i32| bias.unsigned_abs() <= SECOND_BIAS_LIMIT.unsigned_abs();
        let most = u32::from(ACCUMULATOR_LIMIT.unsigned_abs());
        if (0..FIRST_UNITS).any(|unit| greatest_accumulator(weights, unit) > most)
            || !weights.buckets.iter().flat_map(|bucket| &bucket.second_bias).all(is_small)
        {
            return Err(WeightsError::Sums);
        }
        let layers = match weights.units {
            NARROW_UNITS => Width::Narrow(Layers::new(weights)),
            FIRST_UNITS => Width::Wide(Layers::new(weights)),
            _ => return Err(WeightsError::Content("its first layer has neither 128 nor 256 units")),
        };
        let outputs = weights.buckets.each_ref().map(|bucket| {
            let OutputBucket { second_bias, last, last_bias, .. } = *bucket;
            Output { second_bias, last, last_bias }
        });
        let buckets = std::array::from_fn(|pieces| kind.bucket(pieces) as u8);
        Ok(Self { inputs, layers, outputs, buckets })
    }

    /// The value in 1/100 man for the side to move.
    #[inline]
    pub(super) fn value<B: Bits>(
        &self,
        accumulators: &mut Accumulators<B>,
        sets: (B, B, B),
        white_to_move: bool,
    ) -> i32 {
        match &self.layers {
            Width::Narrow(layers) => self.value_by(layers, accumulators, sets, white_to_move),
            Width::Wide(layers) => self.value_by(layers, accumulators, sets, white_to_move),
        }
    }

    #[inline(always)]
    fn value_by<B: Bits, const LANES: usize>(
        &self,
        layers: &Layers<LANES>,
        accumulators: &mut Accumulators<B>,
        (white, black, kings): (B, B, B),
        white_to_move: bool,
    ) -> i32 {
        let pieces = Inputs::pieces(white, black, kings, white_to_move);
        let input = |kind, square| self.inputs.of(kind, square, white_to_move);
        let first = accumulators.of_side(white_to_move).update(pieces, &layers.first, input);
        let bucket = usize::from(self.buckets[(white | black).count() as usize]);
        let output = &self.outputs[bucket];
        let mut value = i64::from(output.last_bias) * i64::from(SECOND_SCALE);
        for ((sum, bias), last) in layers.second_sums(bucket, &first).zip(&output.second_bias).zip(&output.last) {
            value += i64::from((bias + sum).clamp(0, SECOND_SCALE)) * i64::from(*last);
        }
        (value / (i64::from(SECOND_SCALE) * i64::from(OUTPUT_SCALE))) as i32
    }
}

/// The greatest size that the sum of a unit of the first layer can have, whatever stands on the squares.
pub fn greatest_accumulator(weights: &Weights, unit: usize) -> u32 {
    let squares = weights.first.len() / Inputs::KINDS;
    let of_square = |square: usize| {
        (0..Inputs::KINDS).map(|kind| weights.first[kind * squares + square][unit].unsigned_abs()).max().unwrap_or(0)
    };
    let sum: u32 = (0..squares).map(|square| u32::from(of_square(square))).sum();
    sum + u32::from(weights.first_bias[unit].unsigned_abs())
}

/// The accumulators of a search by one evaluation: for either side to move the sums of the first layer for the position that was
/// evaluated last.
///
/// In a search the next such position is a few moves away, so that few pieces are to be added and taken off.
#[derive(Clone, Debug, Default)]
pub struct Accumulators<B: Bits> {
    white: Accumulator<B>,
    black: Accumulator<B>,
}

impl<B: Bits> Accumulators<B> {
    /// The accumulator of the positions with White or with Black to move.
    #[inline(always)]
    pub(super) fn of_side(&mut self, white_to_move: bool) -> &mut Accumulator<B> {
        if white_to_move { &mut self.white } else { &mut self.black }
    }
}

/// The sums of the first layer, without the biases, for the pieces of a position. A narrow network uses the first half.
#[derive(Clone, Debug)]
pub(super) struct Accumulator<B: Bits> {
    sums: [Lane; WIDE],
    /// The squares of each kind of piece, in the order of the inputs.
    pieces: [B; Inputs::KINDS],
}

impl<B: Bits> Default for Accumulator<B> {
    fn default() -> Self {
        Self { sums: [Lane::default(); WIDE], pieces: [B::EMPTY; Inputs::KINDS] }
    }
}

impl<B: Bits> Accumulator<B> {
    /// Returns the sums for `pieces`, seen by the side that this accumulator belongs to.
    #[inline(always)]
    pub(super) fn update<const LANES: usize>(
        &mut self,
        pieces: [B; Inputs::KINDS],
        rows: &[[Lane; LANES]],
        input: impl Fn(usize, Square) -> usize,
    ) -> [Lane; LANES] {
        let number_of = |pieces: [B; Inputs::KINDS]| pieces.into_iter().map(Bits::count).sum::<u32>();
        let changed = std::array::from_fn(|kind| self.pieces[kind] ^ pieces[kind]);
        if number_of(changed) > number_of(pieces) {
            *self = Self::default();
        }
        const { assert!(LANES <= WIDE) };
        let mut sums: [Lane; LANES] = std::array::from_fn(|lane| self.sums[lane]);
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
        self.sums[..LANES].copy_from_slice(&sums);
        self.pieces = pieces;
        sums
    }
}
