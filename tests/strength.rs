//! The evaluation at work: a modest search with it against one move of looking ahead with material only.

use crate::common;

use fastrand::Rng;
use soffio::board::Bits;
use soffio::eval::{Evaluate, HandMade};
use soffio::position::{Game, Position, Status};
use soffio::rules::{Color, Objective, Rules, Variant, Visitor};
use soffio::search::{Limits, Signal, Silent, Table, search};
use std::time::Instant;

/// Men and kings, and nothing else.
struct Material;

impl<R: Rules> Evaluate<R> for Material {
    fn evaluate(&self, position: &Position<R>) -> i32 {
        let pieces = position.pieces();
        let king = if R::SPEC.flying_kings { 300 } else { 150 };
        let worth = |color| 100 * pieces.men(color).count() as i32 + king * pieces.kings(color).count() as i32;
        let lead = worth(position.side()) - worth(position.side().opponent());
        if R::SPEC.objective == Objective::Losing { -lead } else { lead }
    }

    fn terms(&self, _: &Position<R>) -> Vec<(&'static str, i32)> {
        Vec::new()
    }
}

/// The depth to which the evaluation is searched: some milliseconds. With five men on each side many games are drawn
/// unless one looks further.
const fn depth(variant: Variant) -> u8 {
    if matches!(variant, Variant::Frysk) { 10 } else { 8 }
}

/// Games won, drawn and lost by the evaluation.
#[derive(Clone, Copy, Debug, Default)]
struct Score {
    won: u64,
    drawn: u64,
    lost: u64,
}

/// Plays so many games against material, every opening twice with changed sides.
struct Match(u64);

impl Visitor for Match {
    type Output = Score;

    fn visit<R: Rules>(self) -> Score {
        let mut score = Score::default();
        for index in 0..self.0 {
            let mut rng = Rng::with_seed(index / 2);
            let mut game = Game::<R>::new();
            for _ in 0..rng.usize(2..=4) {
                let moves = game.position().legal_moves();
                game.play(*rng.choice(moves.iter()).expect("a game does not end so early"));
            }
            let ours = if index % 2 == 0 { Color::White } else { Color::Black };
            match winner(game, ours) {
                Some(winner) if winner == ours => score.won += 1,
                Some(_) => score.lost += 1,
                None => score.drawn += 1,
            }
        }
        score
    }
}

/// Plays `game` to its end and returns who has won.
fn winner<R: Rules>(mut game: Game<R>, ours: Color) -> Option<Color> {
    let evaluation = HandMade::<R>::new();
    let tables = [(); 2].map(|()| Table::new(4).expect("there is memory for a small table"));
    loop {
        match game.status() {
            Status::Won { winner, .. } => return Some(winner),
            Status::Drawn(_) => return None,
            Status::Playing { .. } => {}
        }
        let (signal, now) = (Signal::default(), Instant::now());
        let limits = |depth| Limits { depth: Some(depth), ..Limits::default() };
        let nobody = &mut Silent;
        let outcome = if game.position().side() == ours {
            search(&game, &limits(depth(R::VARIANT)), (&tables[0], &evaluation), &signal, now, nobody)
        } else {
            search(&game, &limits(1), (&tables[1], &Material), &signal, now, nobody)
        };
        game.play(outcome.best.expect("the game goes on, so there is a move"));
    }
}

#[test]
#[ignore = "takes a quarter of an hour: 200 games of every variant"]
fn every_evaluation_beats_material_alone() {
    for &variant in common::variants_asked_for() {
        let score = variant.with(Match(200));
        println!("{variant}: {} won, {} drawn, {} lost", score.won, score.drawn, score.lost);
        assert!(score.won >= 190, "{variant}: {score:?}");
    }
}
