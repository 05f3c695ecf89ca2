//! Tests that announced wins have the length that an exhaustive search finds.

use crate::common;

use crate::process::Engine;
use common::{position, setup, with_rules};
use soffio::position::Position;
use soffio::rules::{Objective, Variant, Word};

/// Returns whether the side to move can win with at most `moves` of its own moves against any defence.
fn wins_within<W: Word>(position: &Position<W>, moves: u16) -> bool {
    // If a side without a legal move wins, the game ends only after the reply to the last move.
    let wants_moves = position.spec().objective != Objective::Losing;
    let own = position.legal_moves();
    if own.is_empty() {
        return !wants_moves;
    }
    moves > 0
        && own.iter().any(|&mv| {
            let after = position.play(mv);
            let replies = after.legal_moves();
            (wants_moves || !replies.is_empty())
                && replies.iter().all(|&reply| wins_within(&after.play(reply), moves - 1))
        })
}

/// Returns the length of the shortest win in moves, or `None` if it is longer than `max_moves`.
fn shortest_win(variant: Variant, fen: &str, max_moves: u16) -> Option<u16> {
    let setup = setup(variant, fen);
    with_rules!(variant, rules => {
        let position = position(rules, &setup);
        (1..=max_moves).find(|&moves| wins_within(&position, moves))
    })
}

#[test]
fn announced_wins_are_the_shortest() {
    use Variant::{
        Breakthrough, CasualOptional, English, EnglishOptional, International, Italian, Losing, LosingEnglish,
    };
    for (variant, fen, moves) in [
        (English, "W:WK22:B18", 1),
        // The man must move to the square in front of the king.
        (English, "W:WK24:B12", 2),
        (Italian, "W:WK23:B12", 3),
        (Italian, "W:WK14,K15:BK1", 2),
        (International, "B:W40:BK1,10", 1),
        (International, "W:WK50:B6", 2),
        (International, "W:WK3,K47:B16", 2),
        // The man on 33 can be captured, but White wins before Black can capture it.
        (Breakthrough, "W:W7,33:B22,28", 1),
        (Breakthrough, "W:W12:B39", 2),
        (Breakthrough, "W:W17:B34", 3),
        (Losing, "W:W33:B22", 1),
        (LosingEnglish, "W:W26:B17", 1),
        // White declines two captures in order to block both men.
        (EnglishOptional, "W:W15,16,17,18,20,26:B11,13", 1),
        (CasualOptional, "W:W15,16,17,18,20,26:B11,13", 1),
    ] {
        assert_eq!(shortest_win(variant, fen, 4), Some(moves), "{variant} {fen}");
        let mut engine = Engine::playing(variant, &[]);
        let lines = engine.request(&format!("position fen {fen}\ngo depth 10"), "bestmove ");
        let last = &lines[lines.len() - 2];
        assert!(last.contains(&format!(" score win {moves} ")), "{variant} {fen}: {last}");
    }
}
