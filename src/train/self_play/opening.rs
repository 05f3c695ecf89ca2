//! How games begin: some random moves that a short search calls even, or with unbalanced material.

use crate::board::Square;
use crate::position::{History, Piece, Setup};
use crate::rules::{Color, RuleSet, Word};
use fastrand::Rng;

/// The fewest and the most random plies.
const PLIES: std::ops::RangeInclusive<u32> = 6..=12;

/// One game of so many begins with unbalanced material, so that the value of pieces is learned.
const UNBALANCED: u8 = 10;

/// One of so many others may be less even.
const LESS_EVEN: u8 = 5;

/// How far from 0 the score of an opening may be, in 1/100 man.
const MARGIN: u32 = 70;

/// The same where it may be less even.
const LESS_EVEN_MARGIN: u32 = 140;

/// The same with unbalanced material.
const UNBALANCED_MARGIN: u32 = 500;

/// Openings that are tried before one is taken as it is.
const TRIES: u32 = 100;

/// Begins a game: after random moves that `judge` calls even enough, from its value in 1/100 man, which is none once the game is
/// decided.
pub(super) fn begin<W: Word>(
    start: &History<W>,
    random: &mut Rng,
    mut judge: impl FnMut(&History<W>) -> Option<i32>,
) -> History<W> {
    let is_unbalanced = random.u8(..UNBALANCED) == 0;
    let margin = match (is_unbalanced, random.u8(..LESS_EVEN)) {
        (true, _) => UNBALANCED_MARGIN,
        (false, 0) => LESS_EVEN_MARGIN,
        (false, _) => MARGIN,
    };
    let mut game = start.clone();
    for _ in 0..TRIES {
        game = if is_unbalanced { unbalanced(start, random) } else { start.clone() };
        let plies = random.u32(PLIES);
        if play_random(&mut game, plies, random) && judge(&game).is_some_and(|value| value.unsigned_abs() <= margin) {
            break;
        }
    }
    game
}

/// Plays random moves; returns whether the game goes on after them.
fn play_random<W: Word>(game: &mut History<W>, plies: u32, random: &mut Rng) -> bool {
    for _ in 0..plies {
        let moves = game.position().legal_moves();
        let Some(&mv) = random.choice(moves.iter()) else { return false };
        game.play(mv);
    }
    game.position().has_move()
}

/// The start with one man less on one side, or with a king for some men.
fn unbalanced<W: Word>(start: &History<W>, random: &mut Rng) -> History<W> {
    let mut setup = start.setup();
    let side = if random.bool() { Color::White } else { Color::Black };
    if random.bool() {
        remove_man(&mut setup, side, random);
    } else {
        if let Some(square) = free_square(start.spec(), &setup, random) {
            setup.pieces.insert(square, Piece { color: side, king: true });
        }
        for _ in 0..random.u8(1..=3) {
            remove_man(&mut setup, side, random);
        }
    }
    History::from_setup(start.position().rules(), &setup).unwrap_or_else(|_| start.clone())
}

/// An empty square.
fn free_square(spec: &RuleSet, setup: &Setup, random: &mut Rng) -> Option<Square> {
    random.choice(spec.shape.all_squares().filter(|square| !setup.pieces.contains_key(square)).collect::<Vec<_>>())
}

/// Takes a man off the board.
fn remove_man(setup: &mut Setup, side: Color, random: &mut Rng) {
    let man = Piece { color: side, king: false };
    let men: Vec<Square> = setup.pieces.iter().filter(|&(_, &piece)| piece == man).map(|(&square, _)| square).collect();
    if let Some(square) = random.choice(men) {
        setup.pieces.remove(&square);
    }
}
