//! Sentences that say why a move is bad, from what is proved of it, and what the better line does.

use super::{Analysis, JudgedMove, MissedResult, PlayableGame, WhiteScore};
use crate::engine::{MAN, Status, Value, gain_of, has_gained, lead, wdl};
use crate::game::{Game, Move};
use crate::notation::{MoveRecord, WrittenGame};
use crate::rules::{Color, Objective};

/// The plies and the positions of the search for what is lost by force.
const LIMITS: (u8, u64) = (8, 10_000);

/// Most plies of a line that are shown.
const SHOWN: usize = 9;

/// A bad move of a game.
#[derive(Clone, Copy, Debug)]
pub struct BadMove<'a> {
    /// The game before it.
    pub before: &'a WrittenGame,
    /// The move.
    pub played: Move,
    /// The line that would have been better.
    pub better: &'a [Move],
    /// The best answers to the move.
    pub reply: &'a [Move],
    /// The scores before and after it.
    pub scores: (WhiteScore, WhiteScore),
    /// The result that it gives away, if that is certain.
    pub given_away: Option<MissedResult>,
}

impl BadMove<'_> {
    /// The sentence: why the move is bad, and what the better line does. A result that is given away comes first, then what is lost by force,
    /// else the chances.
    pub fn sentence(&self) -> String {
        let reason = match (self.given_away, self.lost()) {
            (Some(given), Some(lost)) => format!("{given}: {lost}"),
            (Some(given), None) => given.to_string(),
            (None, Some(lost)) => lost,
            (None, None) => self.chances(),
        };
        let plan = self.better.first().and_then(|&first| Some((self.before.text(first), self.plan()?)));
        plan.map_or(reason.clone(), |(first, plan)| format!("{reason}; {first} {plan}"))
    }

    /// The men that the other side gains by force, and not after the better move, with the line.
    fn lost(&self) -> Option<String> {
        let after = played(self.before, &[self.played])?;
        let other = after.side();
        if self.before.spec().objective != Objective::Normal || !matches!(after.status(), Status::Playing { .. }) {
            return None;
        }
        let start = lead(self.before.game(), other);
        let instead = played(self.before, self.better.get(..1)?)?;
        let gains = |game: &Game, wanted| gain_of(game, None, wanted, LIMITS).is_forced;
        let wanted = start + MAN;
        // Pieces that are lost with the better move too are not lost by this one.
        if !gains(after.game(), wanted) || gains(instead.game(), wanted) {
            return None;
        }
        let line = self.gaining_line(&after, wanted)?;
        let end = played(&after, &line)?;
        let men = ((lead(end.game(), other) - start) / MAN).max(1).unsigned_abs();
        let texts = after.line_text(&line).join(" ");
        let is_shot = line_captures(&line).1 > 0;
        Some(if is_shot {
            format!("allows the shot {texts}")
        } else {
            format!("loses {} by force: {texts}", in_men(men))
        })
    }

    /// As much of the best answers as makes the gain; else the first move of a proof.
    fn gaining_line(&self, after: &WrittenGame, wanted: i32) -> Option<Vec<Move>> {
        let other = after.side();
        let mut game = after.clone();
        for (index, &mv) in self.reply.iter().enumerate().take(SHOWN) {
            if !game.play_found(mv) {
                break;
            }
            if has_gained(game.game(), other, wanted) {
                return Some(self.reply.get(..=index).unwrap_or_default().to_vec());
            }
        }
        let mut moves = after.game().legal_moves().into_iter();
        moves.find(|&mv| gain_of(after.game(), Some(mv), wanted, LIMITS).is_forced).map(|mv| vec![mv])
    }

    /// How the chances of the side that moved change.
    fn chances(&self) -> String {
        let side = self.before.side();
        let chances = |score| wdl(self.before.game(), value(score, side));
        let (before, behind) = (chances(self.scores.0), chances(self.scores.1));
        let percent = |permille: u16| permille.div_ceil(10);
        let (fall, rise) = (before.win.saturating_sub(behind.win), behind.loss.saturating_sub(before.loss));
        if fall.max(rise) < 10 {
            let cost = (self.scores.0.men(9.0) - self.scores.1.men(9.0)).abs();
            format!("it costs {cost:.2} men")
        } else if fall >= rise {
            format!("the chance to win falls from {} to {} %", percent(before.win), percent(behind.win))
        } else {
            format!("the chance to lose rises from {} to {} %", percent(before.loss), percent(behind.loss))
        }
    }

    /// The gain of the better line.
    fn plan(&self) -> Option<String> {
        let side = self.before.side();
        let line = self.better.get(..SHOWN).unwrap_or(self.better);
        let end = played(self.before, line)?;
        if let WhiteScore::Wins(winner, moves) = self.scores.0 {
            return (winner == side).then(|| format!("wins in {moves}"));
        }
        let (taken, given) = line_captures(line);
        let kings = |game: &WrittenGame| {
            let pieces = game.game().setup().pieces;
            pieces.values().filter(|piece| piece.king && piece.color == side).count()
        };
        Some(if kings(&end) > kings(self.before) {
            "makes a king".to_owned()
        } else if taken > given {
            format!("gains {}", in_men(taken - given))
        } else if taken == given && taken > 0 {
            format!("exchanges {}", in_men(taken))
        } else if given > taken {
            format!("gives {} for play", in_men(given - taken))
        } else {
            let (from, to) = walk(line)?;
            let name = |square| self.before.spec().square_name(square);
            format!("brings the piece on {} to {}", name(from), name(to))
        })
    }
}

fn in_men(count: u32) -> String {
    if count == 1 { "a man".to_owned() } else { format!("{count} men") }
}

/// The value of a White's `score` for `side`.
fn value(score: WhiteScore, side: Color) -> Value {
    match score {
        WhiteScore::Centimen(score) => {
            let own = if side == Color::White { score } else { -score };
            Value::Centimen(own.clamp(i16::MIN.into(), i16::MAX.into()) as i16)
        }
        WhiteScore::Wins(winner, moves) if winner == side => Value::Win(moves),
        WhiteScore::Wins(_, moves) => Value::Loss(moves),
    }
}

/// The game after `line`, if it can be played.
fn played(game: &WrittenGame, line: &[Move]) -> Option<WrittenGame> {
    let mut game = game.clone();
    line.iter().all(|&mv| game.play_found(mv)).then_some(game)
}

/// The pieces that the side with the first move takes in `line`, and those that the other side does.
fn line_captures(line: &[Move]) -> (u32, u32) {
    let count = |first: usize| line.iter().skip(first).step_by(2).map(|mv| mv.captured.count_ones()).sum();
    (count(0), count(1))
}

/// The way of the piece that moves first in `line`, as far as it goes.
fn walk(line: &[Move]) -> Option<(crate::board::Square, crate::board::Square)> {
    let first = line.first()?;
    let to = line.iter().step_by(2).skip(1).fold(first.to, |at, mv| if mv.from == at { mv.to } else { at });
    Some((first.from, to))
}

/// The moves of `texts` from `game` on, as far as they can be played.
pub fn moves_of(game: &WrittenGame, texts: &[String]) -> Vec<Move> {
    let mut game = game.clone();
    let play = |text: &String| {
        let record: MoveRecord = text.parse().ok()?;
        let moves = game.meant(&[record]).ok()?;
        let mv = *moves.first()?;
        game.play_found(mv).then_some(mv)
    };
    texts.iter().map_while(play).collect()
}

/// Says of each bad move of `game` in `analysis` why it is bad.
pub fn explain(game: &PlayableGame, analysis: &mut Analysis) {
    let mut before = game.played().clone();
    let moves: Vec<Move> = game.moves().iter().map(crate::notation::fast_move).collect();
    for index in (0..moves.len()).rev() {
        let after = before.clone();
        if before.undo(1).is_err() {
            return;
        }
        let bad = analysis.judged_moves().nth(index).filter(|mv| mv.judgement.mark.is_some());
        let Some(JudgedMove { judgement, before: score, behind }) = bad else { continue };
        let better = moves_of(&before, &judgement.better);
        let rest = moves.get(index + 1..).unwrap_or_default();
        let line = analysis.moves.get(index + 1).map(|next| moves_of(&after, &next.better)).unwrap_or_default();
        let reply = if line.is_empty() { rest } else { &line };
        let Some(&played) = moves.get(index) else { continue };
        let (scores, given_away) = ((score, behind), judgement.given_away);
        let bad = BadMove { before: &before, played, better: &better, reply, scores, given_away };
        let sentence = bad.sentence();
        if let Some(judgement) = analysis.moves.get_mut(index) {
            judgement.why = Some(sentence);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::FenRecord;
    use crate::rules::Variant;

    /// The sentence on the first of `moves` in a position, when the line `better` would have been better, with these scores.
    fn sentence(variant: Variant, fen: &str, moves: &str, better: &str, scores: (WhiteScore, WhiteScore)) -> String {
        let fen: FenRecord = fen.parse().unwrap();
        let before = WrittenGame::at(variant, Some(&fen)).unwrap();
        let texts = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let (moves, better) = (moves_of(&before, &texts(moves)), moves_of(&before, &texts(better)));
        let (&played, reply) = moves.split_first().unwrap();
        BadMove { before: &before, played, better: &better, reply, scores, given_away: None }.sentence()
    }

    #[test]
    fn what_is_lost_by_force_is_said_with_its_line() {
        let (even, lost) = (WhiteScore::Centimen(0), WhiteScore::Centimen(300));
        let fen = "B:W27,28,33,37,38,39,40,41,42,45,47,48:B1,2,3,4,8,9,11,12,16,18,19,20";
        let said = sentence(Variant::International, fen, "12-17 28-22 17x28 33x15", "8-13 28-23", (even, lost));
        assert_eq!(said, "allows the shot 28-22 17x28 33x22x13x24x15; 8-13 brings the piece on 8 to 13");
        let said = sentence(Variant::English, "W:W27,32,31:B12,4,1", "27-24 12-16 24-20 16-19", "27-23", (even, even));
        assert_eq!(said, "it costs 0.00 men; 27-23 brings the piece on 27 to 23");
        let said = sentence(Variant::English, "W:W26,32,31:B14,4,1", "26-22 14-18 22x15", "26-23", (even, even));
        assert!(said.starts_with("it costs 0.00 men"), "{said}");
        let said = sentence(
            Variant::English,
            "W:W26,32:B14,10,1",
            "26-22 14-17 22x13",
            "26-23",
            (WhiteScore::Wins(Color::White, 9), even),
        );
        assert!(said.ends_with("26-23 wins in 9"), "{said}");
        let said =
            sentence(Variant::English, "W:W22,32:B15,3", "22-18 15x22", "32-28", (even, WhiteScore::Centimen(-200)));
        assert_eq!(said, "loses a man by force: 15x22; 32-28 brings the piece on 32 to 28");
    }
}
