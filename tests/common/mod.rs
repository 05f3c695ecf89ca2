//! Helpers for the rule tests: positions parsed from text, moves with printed square numbers, and the test data.
#![allow(dead_code, reason = "each test file uses a different part of it")]

pub mod data;
pub mod driver;
pub mod endings;
pub mod random;
pub mod records;

use soffio::board::{Number, Shape, Square};
use soffio::position::{CaptureOrder, EndingAges, GameRules, Piece, Position, Setup, paths, perft};
use soffio::rules::{Color, Objective, RuleSet, Variant, Word};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::Duration;

/// Evaluates an expression with the rules of a variant, for any board width.
macro_rules! with_rules {
    ($variant:expr, $rules:ident => $body:expr) => {
        soffio::with_width!(soffio::position::any_rules($variant), $rules => $body)
    };
}
#[allow(unused_imports, reason = "not every test program needs it")]
pub(crate) use with_rules;

/// Returns the factor by which time limits must be extended for this build, compared with optimised code.
pub fn slowness() -> u32 {
    if cfg!(debug_assertions) { 10 } else { 1 }
}

/// Returns the CPU time that this thread has used. Unlike the elapsed time, it does not depend on the load of the
/// machine. Returns zero if the system does not report it.
pub fn thread_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/thread-self/stat").unwrap_or_default();
    // The fields follow the name of the program, which is in parentheses. The 12th field is the user time in ticks of
    // 10 ms.
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
    let ticks = fields.split_whitespace().nth(11).and_then(|ticks| ticks.parse().ok()).unwrap_or(0);
    Duration::from_millis(10 * ticks)
}

/// Returns the variant whose square numbers are used by the test data for `name`, or `None` if the data do not apply to
/// `variant`. The result is either `variant` or a variant with the same moves, possibly on a mirrored board where the
/// same square has the same bit.
pub fn data_variant(name: &str, variant: Variant) -> Option<Variant> {
    let named = Variant::named(name).or_else(|| Variant::called(name))?;
    let (theirs, own) = (named.spec(), variant.spec());
    // A game can end while the side to move still has a legal move, but only under the rule that the first king wins.
    let same_end = (theirs.objective == Objective::FirstKing) == (own.objective == Objective::FirstKing);
    let is_same_lattice = theirs.shape.is_full() == own.shape.is_full();
    let corner = if is_same_lattice { own.shape.corner } else { theirs.shape.corner };
    let shape = Shape { corner, ..theirs.shape };
    let other_ways = RuleSet { shape, objective: own.objective, draws: own.draws, notation: own.notation, ..*theirs };
    // The data specify which side is to move.
    let moves_alike = RuleSet { starts: own.starts, ..other_ways } == *own;
    (same_end && moves_alike).then_some(named)
}

/// Returns the variants listed in `SOFFIO_VARIANTS=NAME,NAME`, or all variants if it is not set. Several processes can
/// thus share a long campaign.
pub fn selected_variants() -> Vec<Variant> {
    let Ok(names) = std::env::var("SOFFIO_VARIANTS") else { return Variant::ALL.to_vec() };
    let called = |name| Variant::called(name).unwrap_or_else(|| panic!("no variant is called {name}"));
    names.split(',').map(called).collect()
}

pub fn square(variant: Variant, number: u8) -> Square {
    let square = Number::new(number).and_then(|number| variant.spec().shape.numbered(number));
    square.unwrap_or_else(|| panic!("{variant} has no square {number}"))
}

/// Parses a position such as `W:WK3,10:B5-7`. This parser is independent of the library, so that the two check each
/// other.
pub fn setup(variant: Variant, fen: &str) -> Setup {
    let color = |text: &str| match text {
        "W" => Color::White,
        "B" => Color::Black,
        _ => panic!("{text} is not a side in {fen}"),
    };
    let mut fields = fen.split(':');
    let side = color(fields.next().unwrap_or_default());
    let mut pieces = BTreeMap::new();
    for field in fields {
        let (owner, list) = field.split_at(1);
        for entry in list.split(',').filter(|entry| !entry.is_empty()) {
            let numbers = entry.trim_start_matches('K');
            let (first, last) = numbers.split_once('-').unwrap_or((numbers, numbers));
            let number = |text: &str| text.parse().unwrap_or_else(|_| panic!("{entry} in {fen}"));
            let piece = Piece { color: color(owner), king: entry.starts_with('K') };
            for number in number(first)..=number(last) {
                assert!(pieces.insert(square(variant, number), piece).is_none(), "{number} twice in {fen}");
            }
        }
    }
    Setup { side, pieces, quiet_plies: 0, move_number: 1, king_runs: [None; 2], ages: EndingAges::default() }
}

/// Returns the position for `setup` in the fast representation. `setup` must be legal.
pub fn position<W: Word>(rules: &'static GameRules<W>, setup: &Setup) -> Position<W> {
    Position::from_setup(rules, setup).unwrap_or_else(|error| panic!("{error} in {setup:?}"))
}

/// A move in printed square numbers. Lists of moves are sorted and then compared, so that a duplicate move is detected.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Listed {
    pub from: u8,
    pub to: u8,
    pub captured: BTreeSet<u8>,
}

impl fmt::Display for Listed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.captured.is_empty() {
            return write!(f, "{}-{}", self.from, self.to);
        }
        let captured: Vec<_> = self.captured.iter().map(u8::to_string).collect();
        write!(f, "{}x{} takes {}", self.from, self.to, captured.join(" "))
    }
}

impl fmt::Debug for Listed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

fn listed(variant: Variant, from: Square, to: Square, captured: impl Iterator<Item = Square>) -> Listed {
    let number = |square| variant.spec().shape.number(square).get();
    Listed { from: number(from), to: number(to), captured: captured.map(number).collect() }
}

/// Returns the moves that the fast generator finds, sorted.
pub fn fast_moves<W: Word>(position: &Position<W>) -> Vec<Listed> {
    let (moves, variant) = (position.legal_moves(), position.rules().variant());
    let mut list: Vec<_> = moves.iter().map(|mv| listed(variant, mv.from, mv.to, mv.captured.squares())).collect();
    list.sort();
    list
}

/// Returns the moves that the reference generator finds, sorted.
pub fn reference_moves(variant: Variant, setup: &Setup) -> Vec<Listed> {
    let moves = paths::legal_moves(variant.spec(), setup);
    let mut list: Vec<_> =
        moves.iter().map(|mv| listed(variant, mv.from, mv.to(), mv.captured.iter().copied())).collect();
    list.sort();
    list
}

/// Returns the moves that the fast generator finds, and the number of legal moves if each capture path counts
/// separately.
pub fn fast(variant: Variant, setup: &Setup) -> (Vec<Listed>, u64) {
    with_rules!(variant, rules => {
        let position = position(rules, setup);
        (fast_moves(&position), counted_paths(&position))
    })
}

/// Returns the number of legal moves if each capture path counts separately.
pub fn counted_paths<W: Word>(position: &Position<W>) -> u64 {
    perft(position, 1, CaptureOrder::Counted, &|| false).expect("the stop flag is not set")
}
