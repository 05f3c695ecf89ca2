//! The report on a problem: its verdict, the moves that were found, and the text of the report.

use super::{ProblemClaim, SolutionGoal, won_in};
use derive_more::Display;
use serde::Serialize;
use serde_with::skip_serializing_none;
use soffio::notation::WrittenGame;
use soffio_analysis::puzzle::{MoveFacts, PuzzleOutcome};

/// The proved result of a move or of a problem.
#[derive(Clone, Copy, Debug, Default, Display, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ProvedResult {
    #[display("win")]
    Win,
    /// A gain of at least the value of a man.
    #[display("gain")]
    Gain,
    #[display("draw")]
    Draw,
    #[display("loss")]
    Loss,
    /// Nothing is proved.
    #[default]
    #[display("open")]
    Open,
}

/// The verdict on a problem. The variants are in alphabetical order, which is their order in summaries.
#[derive(Clone, Copy, Debug, Default, Display, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ProblemVerdict {
    /// Several first moves reach the result.
    #[display("cooked")]
    Cooked,
    /// None of the other verdicts applies.
    #[default]
    #[display("open")]
    Open,
    /// No other solution was found, but it is not proved that none exists.
    #[display("sole")]
    Sole,
    /// One first move reaches the result, and no other move does so in a comparable number of moves. If the result is a
    /// loss, every move is proved to lose. If the author claims a result, a gain of material is never sound.
    #[display("sound")]
    Sound,
    /// The claim is refuted.
    #[display("unsolvable")]
    Unsolvable,
}

#[skip_serializing_none]
#[derive(Clone, Debug, Serialize)]
pub struct ProblemMove {
    #[serde(rename = "move")]
    pub(super) text: String,
    pub(super) result: ProvedResult,
    proof: Option<String>,
    win_in: Option<u16>,
    line: Vec<String>,
}

/// A turn of the solution at which other moves are equally good.
#[derive(Clone, Debug, Serialize)]
pub struct Dual {
    /// Moves before this turn.
    pub(super) after: Vec<String>,
    #[serde(rename = "move")]
    pub(super) text: String,
    pub(super) others: Vec<String>,
}

#[skip_serializing_none]
#[derive(Clone, Debug, Default, Serialize)]
pub struct ProblemReport {
    pub(super) id: String,
    pub(super) variant: &'static str,
    pub(super) fen: String,
    pub(super) claim: Option<ProblemClaim>,
    /// Number of moves within which the author demands a win, or `None` if the author sets no limit.
    pub(super) claimed_win_in: Option<u16>,
    /// Proved result for the side to move.
    pub(super) result: ProvedResult,
    pub verdict: ProblemVerdict,
    pub(super) moves: Vec<ProblemMove>,
    /// Number of moves in the shortest win found, or `None` if no win was found.
    pub(super) win_in: Option<u16>,
    /// The same number as `win_in` if it is proved that no shorter win exists, and `None` otherwise.
    pub(super) shortest: Option<u16>,
    /// Maximum number of moves in a win that counts as a solution, or `None` if the length does not matter.
    pub(super) max_moves: Option<u16>,
    /// Other first moves that reach the same result, each with its line.
    pub(super) cooks: Vec<ProblemMove>,
    pub(super) duals: Vec<Dual>,
    /// Gaps and errors in the author's solution, as sentences.
    pub(super) misses: Vec<String>,
    /// Faults of the problem as a composition, as sentences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) composition: Vec<String>,
}

impl ProblemMove {
    pub(super) fn new(game: &WrittenGame, fact: &MoveFacts) -> Self {
        let (result, proof) = match (fact.result, fact.gain) {
            (Some((PuzzleOutcome::Win(_), proof)), _) => (ProvedResult::Win, Some(proof.to_string())),
            (Some((PuzzleOutcome::Draw, proof)), _) => (ProvedResult::Draw, Some(proof.to_string())),
            (Some((PuzzleOutcome::Loss, proof)), _) => (ProvedResult::Loss, Some(proof.to_string())),
            (None, Some(gain)) if gain.is_forced => {
                (ProvedResult::Gain, Some(format!("material, {} plies", gain.plies)))
            }
            (None, _) => (ProvedResult::Open, None),
        };
        Self { text: game.text(fact.mv), result, proof, win_in: won_in(fact), line: game.line_text(&fact.line) }
    }
}

impl ProblemReport {
    /// Notes that no move reaches the goal `wanted`. If `is_proved` is false, such a move may exist but was not found.
    pub(super) fn add_missing_goal(&mut self, wanted: SolutionGoal, is_proved: bool) {
        let (verdict, found) = if is_proved {
            (ProblemVerdict::Unsolvable, "is impossible")
        } else {
            (ProblemVerdict::Open, "was not found")
        };
        self.verdict = verdict;
        self.misses.push(format!("a win in {} {found}", wanted.max_moves.unwrap_or_default()));
    }

    pub fn text(&self) -> String {
        let Self { id, fen, result, verdict, misses, composition, .. } = self;
        let mut text = format!("{id}: {verdict}, {fen}\n");
        if let Some(moves) = self.claimed_win_in {
            text += &format!("  the goal is a win in {moves}\n");
        }
        let proved = self.moves.iter().filter(|mv| mv.result == *result && *result != ProvedResult::Open);
        for mv in proved {
            let proof = mv.proof.as_deref().unwrap_or_default();
            let within = mv.win_in.map(|moves| format!(" in {moves}")).unwrap_or_default();
            // A line may end before the game does, because the search or its tables contain no more moves.
            let is_cut = mv.win_in.is_some_and(|moves| mv.line.len() + 1 < 2 * usize::from(moves));
            let rest = if is_cut { " ..." } else { "" };
            text += &format!("  {result}{within} ({proof}): {}{rest}\n", mv.line.join(" "));
        }
        let is_long = |max_moves: &u16| self.moves.iter().filter_map(|mv| mv.win_in).any(|moves| moves > *max_moves);
        if let Some(max_moves) = self.max_moves.filter(is_long) {
            text += &format!("  a win in more than {max_moves} is not a solution\n");
        }
        if let Some(moves) = self.shortest {
            text += &format!("  no win is shorter than {moves}\n");
        }
        for dual in &self.duals {
            text += &format!("  after {}: {} or {}\n", dual.after.join(" "), dual.text, dual.others.join(" or "));
        }
        misses.iter().chain(composition).for_each(|sentence| text += &format!("  {sentence}\n"));
        text
    }
}
