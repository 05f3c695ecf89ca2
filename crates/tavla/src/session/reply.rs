//! Formats the replies of a session.

use crate::game::{Beginning, Color, TavlaGame, TavlaState, TavlaStatus};
use crate::learned::{BearOffAccess, Estimate};
use crate::notation::{drawing, gnubg_id, xgid};
use crate::plain::PlainEvaluation;
use crate::player::{PlayValue, TavlaReport, TavlaSettings};
use crate::rules::LegalPlay;
use soffio::wire::native::{NativeReply, per_second};
use strum::IntoEnumIterator;

pub(super) const HELP: &str = "\
position startpos|xgid <ID>|gnubgid <ID> [moves 31:8/5,6/5 ...]
                                            set up a position
dice 3 1, roll                              set the dice, or roll them
move 8/5,6/5, move 31:8/5,6/5, move pass    play; the bar is 25, off is 0
undo [n], redo [n]                          undo or redo n turns (default 1)
go [dice 3 1] [depth N] [movetime MS] [nodes N] [rollout N]
   [wtime MS] [btime MS] [winc MS] [binc MS] [movestogo N] [infinite]
                                            find the best play
stop, wait                                  stop the search, or wait until it ends
d, legal, eval, status                      board, legal plays, evaluations, state of the game
perft N                                     count sequences of rolls and plays
setoption name <option> [value <v>]         Player full|expectiminimax|random, Eval, Mars, Hit And Run, ...
uci, isready, ucinewgame, help, quit";

pub(super) fn text(message: impl Into<String>) -> String {
    NativeReply::Text(message.into()).to_string()
}

pub(super) fn beginning(Beginning { white, black }: Beginning, side: Color) -> String {
    text(format!("white rolls {white}, black {black}: {side} begins"))
}

pub(super) fn legal(game: &TavlaGame) -> String {
    NativeReply::Legal(game.legal().iter().map(|legal| legal.play.ordered().to_string()).collect()).to_string()
}

pub(super) fn best_move(found: Option<&LegalPlay>) -> String {
    NativeReply::BestMove { best: found.map(|legal| legal.play.ordered().to_string()), ponder: None }.to_string()
}

pub(super) fn status(game: &TavlaGame) -> String {
    match game.status() {
        TavlaStatus::Playing => {
            let dice =
                game.state().dice.map_or("to roll".to_owned(), |roll| format!("dice {} {}", roll.high(), roll.low()));
            format!("status playing {} {dice}", game.state().side)
        }
        TavlaStatus::Won { winner, is_mars, points } => {
            let reason = if is_mars { "all borne off, mars" } else { "all borne off" };
            format!("status {winner} wins {points} {reason}")
        }
    }
}

pub(super) fn board(game: &TavlaGame) -> String {
    let state = game.state();
    let (white, black) = state.sides();
    format!(
        "{}side {}\npips white {} black {}\n{}\nxgid {}\ngnubgid {}",
        drawing(state),
        state.side,
        white.pips(),
        black.pips(),
        status(game),
        xgid(state),
        gnubg_id(state)
    )
}

fn chances(estimate: &Estimate) -> String {
    let Estimate { win, win_mars, lose_mars } = estimate;
    format!("win {win:.4} mars {win_mars:.4} losemars {lose_mars:.4}")
}

pub(super) fn eval(settings: &TavlaSettings, state: &TavlaState) -> Vec<String> {
    let term = |evaluation: PlainEvaluation| {
        let value = f64::from(evaluation.value(&state.board)) / f64::from(evaluation.unit());
        format!("term {evaluation} {value}")
    };
    let mut lines: Vec<String> = PlainEvaluation::iter().map(term).collect();
    let estimate = settings.weights().estimate(&state.board, BearOffAccess::WAIT);
    let Estimate { win, win_mars, lose_mars } = estimate;
    for (name, chance) in [("win", win), ("mars", win_mars), ("losemars", lose_mars)] {
        lines.push(format!("term {name} {chance:.4}"));
    }
    lines.push(format!("eval equity {:+.4}", estimate.equity(settings.rules.mars)));
    lines
}

pub fn info(legal: &[LegalPlay], report: &TavlaReport) -> Vec<String> {
    let milliseconds = report.time.as_millis();
    let nps = per_second(report.nodes, report.time);
    report
        .findings
        .iter()
        .zip(1..)
        .filter_map(|(finding, number)| {
            let play = legal.get(finding.place)?.play.ordered();
            let worth = match &finding.worth {
                PlayValue::Equity { estimate, equity, rollout } => {
                    let games =
                        rollout.map_or(String::new(), |(games, error)| format!(" rollout {games} error {error:.4}"));
                    format!("equity {equity:+.4} {}{games}", chances(estimate))
                }
                PlayValue::Value(value) => format!("value {value:+.4}"),
            };
            Some(format!(
                "info depth {} multipv {number} {worth} nodes {} nps {nps} time {milliseconds} pv {play}",
                finding.depth, report.nodes
            ))
        })
        .collect()
}
