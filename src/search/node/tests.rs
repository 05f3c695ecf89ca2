//! Tests for the individual steps of the node search.

use super::*;
use crate::notation::FenRecord;
use crate::position::{History, Piece, Setup};
use crate::search::Limits;
use crate::search::parallel::testing::{english, with_search};

fn good() -> Score {
    Score::DRAW + 70
}

#[test]
fn futility_pruning_returns_bounds_within_its_margins() {
    with_search(&Limits::default(), |search, position| {
        let score = search.evaluate(position);
        let mut cut = |depth, alpha| search.futility_pruning(position, depth, (alpha, alpha + 1));
        for (depth, alpha, expected) in [
            (1, 100, Some(100)),
            (2, 210, Some(200)),
            (3, 400, None),
            (1, 99, None),
            (1, -70, None),
            (1, -71, Some(-70)),
            (4, -300, Some(-175)),
            (5, -900, None),
        ] {
            assert_eq!(cut(depth, score + alpha), expected.map(|bound| score + bound), "depth {depth}, {alpha}");
        }
    });
}

#[test]
fn futility_pruning_searches_offers_that_may_gain_enough() {
    let fen: FenRecord = "W:W8,9,12,25:B5,7,15,24".parse().unwrap();
    let game = History::from_setup(english(), &fen.to_setup(english().spec()).unwrap()).unwrap();
    let shot = game.position();
    with_search(&Limits::default(), |search, start| {
        let mut best_offer = |position, gain| {
            search.parameters.futility_gain = gain;
            let bound = search.evaluate(position) + 100;
            let alpha = bound + 50;
            let score = search.search_offers(position, bound, 1, (alpha, alpha + 1), 0);
            (score == bound, score > alpha)
        };
        assert_eq!(best_offer(shot, 51), (false, true), "8-3 5x14 3x28");
        assert_eq!(best_offer(shot, 50), (true, false), "the expected gain is too small");
        assert_eq!(best_offer(start, 1000), (true, false), "there is no offer");
    });
}

#[test]
fn probcut_returns_its_search_score_minus_the_margin() {
    with_search(&Limits::default(), |search, position| {
        // This score is far above the evaluation, so no verification search reaches it.
        let shallow = Score::DRAW + 300;
        search.store(position, (shallow, Bound::Lower), 0, 4, 0);
        let most = shallow - search.parameters.probcut_margin as i16;
        assert_eq!(search.probcut(position, 10, most, 0), Some(most));
        assert_eq!(search.probcut(position, 10, most + 1, 0), None);
        assert_eq!(search.probcut(position, search.parameters.probcut_depth - 1, most, 0), None);
        search.stack[0].in_probcut = true;
        assert_eq!(search.probcut(position, 10, most, 0), None);
    });
}

#[test]
fn singular_moves_are_extended_and_others_cut_or_reduced() {
    with_search(&Limits::default(), |search, position| {
        search.depth = 12;
        let code = position.legal_moves()[0].code();
        let mut compare = |score, beta| {
            let entry = Entry { code, score, depth: 8, bound: Bound::Lower };
            search.singular_extension(position, &entry, 8, beta, 0)
        };
        let score = Score::at_root(-300, 0);
        let goal = score - 13;
        assert_eq!(compare(300, None), ControlFlow::Continue(1));
        assert_eq!(compare(-300, Some(goal)), ControlFlow::Break(goal));
        assert_eq!(compare(-300, Some(goal + 1)), ControlFlow::Continue(-1));
        assert_eq!(compare(-300, Some(score)), ControlFlow::Continue(-1));
        assert_eq!(compare(-300, Some(score + 1)), ControlFlow::Continue(0));
        assert_eq!(compare(-300, None), ControlFlow::Continue(0));
    });
}

#[test]
fn without_a_table_move_a_position_is_searched_less_deeply() {
    for (win_in, expected) in [(None, [7, 8, 3, 3]), (Some(5), [8, 8, 4, 3])] {
        with_search(&Limits { win_in, ..Limits::default() }, |search, _| {
            let depth = |depth, hash_move_code| search.internal_iterative_reduction(depth, hash_move_code);
            assert_eq!([depth(8, 0), depth(8, 1), depth(4, 0), depth(3, 0)], expected);
        });
    }
}

#[test]
fn an_offer_is_reduced_less() {
    with_search(&Limits::default(), |search, position| {
        let plain = search.parameters.reduction(8, 10);
        let mut seen = [false; 2];
        for first in position.legal_moves().iter() {
            let position = position.play(*first);
            for mv in position.legal_moves().iter().filter(|mv| !mv.is_capture()) {
                let child = position.play(*mv);
                let is_offer = child.can_capture(child.side());
                seen[usize::from(is_offer)] = true;
                let reduction = |index, value| search.late_move_reduction((*mv, &child), 8, index, value);
                assert_eq!(reduction(10, 0), plain - i32::from(is_offer), "{mv:?}");
                assert_eq!(reduction(search.parameters.lmr_min_moves as usize - 1, 0), 0);
                assert_eq!(
                    reduction(search.parameters.lmr_min_moves as usize, 1 << 15),
                    0,
                    "this never extends the search"
                );
            }
        }
        assert_eq!(seen, [true; 2]);
    });
}

#[test]
fn a_move_with_a_known_lower_bound_causes_a_cutoff() {
    let good = good();
    with_search(&Limits::default(), |search, position| {
        let mv = position.legal_moves()[3];
        search.store(&position.play(mv), (-good, Bound::Upper), 0, 7, 1);
        let cut = |search: &mut Search<'_, _>, depth, beta| {
            search.enhanced_transposition_cutoff(position, false, depth, beta, 0)
        };
        assert_eq!(cut(search, 9, good), None, "the entry is too shallow");
        assert_eq!(cut(search, 8, good + 1), None);
        assert_eq!(cut(search, search.parameters.etc_depth - 1, good), None);
        assert_eq!(search.team.tools.table.probe(search.table_key(position)), None);
        assert_eq!(cut(search, 8, good - 1), Some(good));
        let entry = Entry { code: mv.code(), score: good.at_position(0), depth: 8, bound: Bound::Lower };
        assert_eq!(search.team.tools.table.probe(search.table_key(position)), Some(entry));
    });
}

#[test]
fn a_move_with_an_upper_bound_causes_no_cutoff() {
    let good = good();
    with_search(&Limits::default(), |search, position| {
        for mv in position.legal_moves().iter() {
            search.store(&position.play(*mv), (-good, Bound::Lower), 0, 7, 1);
        }
        assert_eq!(search.enhanced_transposition_cutoff(position, false, 8, good, 0), None);
    });
}

#[test]
fn a_move_that_repeats_a_position_scores_as_a_draw() {
    let good = good();
    let mut setup = Setup::start(english().spec());
    let corners = [setup.pieces.first_key_value(), setup.pieces.last_key_value()];
    setup.pieces = corners.into_iter().flatten().map(|(&at, &piece)| (at, Piece { king: true, ..piece })).collect();
    let mut game = History::from_setup(english(), &setup).unwrap();
    let there = [0, 1].map(|_| {
        let mv = game.position().legal_moves()[0];
        game.play(mv);
        mv
    });
    let back = there.map(|mv| Move { from: mv.to, to: mv.from, ..mv });
    for mv in [back[0], back[1], there[0], there[1], back[0]] {
        game.play(mv);
    }
    with_search(&Limits::default(), |search, _| {
        let mut search = Search::new(search.team, 0, &game);
        search.store(&game.position().play(back[1]), (-good, Bound::Upper), 0, 7, 1);
        let mut cut = |beta| search.enhanced_transposition_cutoff(game.position(), false, 8, beta, 0);
        assert_eq!((cut(good), cut(Score::DRAW)), (None, Some(Score::DRAW)));
    });
}
