//! Tests of the limit on king moves, article 17 in the Official Rules of Frisian draughts of 2011.

use super::{moves_of, play, squares, start};
use crate::common::data::{KingRuleCase, king_rule_cases};
use crate::common::{reference_moves, setup, square};
use soffio::game::Game;
use soffio::position::{KingRun, Setup, paths};
use soffio::rules::Variant;

/// Parses the counts in a suffix such as `+348+335`. The digit after each sign is the count; for `+0`, the result is
/// `None`.
fn runs(suffix: &str) -> [Option<KingRun>; 2] {
    let mut counts = suffix.trim_start_matches(':').split('+').skip(1).map(|part| {
        let (moves, number) = part.split_at(1);
        let moves = moves.parse().expect("a digit");
        (moves > 0).then(|| KingRun { square: square(Variant::Frisian, number.parse().expect("a number")), moves })
    });
    [counts.next().flatten(), counts.next().flatten()]
}

/// Returns the position after the moves of `case`, calculated with the reference generator.
fn reference_after(case: &KingRuleCase) -> Setup {
    let spec = Variant::Frisian.spec();
    let mut setup = setup(Variant::Frisian, &case.start_fen);
    for text in &case.moves {
        let number = |square| spec.shape.number(square).get();
        let sequences = paths::legal_moves(spec, &setup);
        let sequence =
            sequences.iter().find(|sequence| (number(sequence.from), number(sequence.to())) == squares(text));
        setup = paths::after(spec, &setup, sequence.unwrap_or_else(|| panic!("{text} is not legal in {setup:?}")));
    }
    setup
}

#[test]
fn art_17_three_moves_in_a_row_with_the_same_king() {
    let cases = king_rule_cases();
    assert_eq!(cases.len(), 12);
    for case in cases {
        let mut game = start(Variant::Frisian, &case.start_fen);
        for text in &case.moves {
            let (from, to) = squares(text);
            play(&mut game, from, to);
        }
        let name = format!("{} {:?}", case.start_fen, case.moves);
        let reached = game.setup();
        assert_eq!(reached.pieces, setup(Variant::Frisian, &case.fen_after).pieces, "{name}");
        assert_eq!(reference_after(&case), reached, "{name}");
        assert_eq!(reached.king_runs, runs(&case.lidraughts_suffix), "{name}");

        let mut expected: Vec<_> = case.legal.iter().map(|text| squares(text)).collect();
        expected.sort();
        // A position that is set up with the counts has the same legal moves as one that is reached by play.
        let set_up = Game::from_setup(Variant::Frisian, &reached).expect("the position is possible");
        for game in [&game, &set_up] {
            let moves: Vec<_> = moves_of(game).iter().map(|mv| (mv.from, mv.to)).collect();
            assert_eq!(moves, expected, "fast generator, {name}");
        }
        let moves = reference_moves(Variant::Frisian, &reached);
        assert_eq!(moves.iter().map(|mv| (mv.from, mv.to)).collect::<Vec<_>>(), expected, "{name}");
        if let Some(banned) = case.banned_king {
            assert!(expected.iter().all(|&(from, _)| from != banned), "{name}");
        }
    }
}
