//! Explains each bad move in a sentence: what is proved about the move, and what the better line achieves.

use super::annotation::{DECIDED, MAX_LINE_PLIES};
use super::material::{Comparison, Exchange, MaterialGain, ProvedGain, takes_kings};
use super::{Analysis, MissedResult, MoveScores, PlayableGame};
use soffio::board::{Bits, Square};
use soffio::engine::{Status, wdl};
use soffio::game::Move;
use soffio::notation::{MoveRecord, WrittenGame};
use soffio::score::WhiteScore;

#[derive(Clone, Copy, Debug)]
pub struct BadMove<'a> {
    pub before: &'a WrittenGame,
    pub played: Move,
    pub better: &'a [Move],
    pub reply: &'a [Move],
    pub scores: (WhiteScore, WhiteScore),
    /// The win or draw that the move gave away. `None` if it gave away nothing, or if the result before or after the
    /// move is not proved.
    pub given_away: Option<MissedResult>,
}

impl BadMove<'_> {
    /// Returns the sentence. It first names the result that the move gives away and the material that it loses by
    /// force. If neither is proved, it names the loss of winning chances instead. It ends with the plan of the better
    /// line.
    pub fn sentence(&self) -> String {
        let reason = match (self.given_away, self.lost()) {
            (Some(given), Some(lost)) => Some(format!("{given}: {lost}")),
            (Some(given), None) => Some(given.to_string()),
            (None, Some(lost)) => Some(lost),
            (None, None) => self.chances(),
        };
        [reason, self.plan()].into_iter().flatten().collect::<Vec<_>>().join("; ")
    }

    /// Describes the material that the opponent gains by force after the played move, but would not gain after the
    /// better move. The description includes the line that gains the material. Returns `None` if nothing is lost by
    /// force.
    fn lost(&self) -> Option<String> {
        let after = played(self.before, &[self.played])?;
        let instead = played(self.before, self.better.get(..1)?)?;
        if !matches!(after.status(), Status::Playing { .. }) {
            return None;
        }
        let comparison = Comparison {
            before: self.before.game(),
            root: (after.game(), None),
            line: self.reply,
            other: (instead.game(), None),
            after_other: instead.game(),
            other_line: self.better.get(1..).unwrap_or_default(),
        };
        let MaterialGain { gain, line } = comparison.gain()?;
        let texts = after.line_text(&line).join(" ");
        let is_shot = line.iter().skip(1).step_by(2).any(|mv| mv.is_capture());
        Some(match gain {
            ProvedGain::King => format!("lets {} make a king: {texts}", after.side().pick(["White", "Black"])),
            ProvedGain::Pieces(count) => {
                let men = in_men(count.unsigned_abs(), takes_kings(after.game(), &line));
                if is_shot {
                    format!("allows the shot {texts}, which gains {men}")
                } else {
                    format!("loses {men}: {texts}")
                }
            }
        })
    }

    /// Describes the loss of winning chances. Returns `None` if the chances hardly change and the better line wins,
    /// which says more than a difference of scores.
    fn chances(&self) -> Option<String> {
        let side = self.before.side();
        let chances = |score: WhiteScore| wdl(self.before.game(), score.value(side));
        let (before, after) = (chances(self.scores.0), chances(self.scores.1));
        // Only a proved result is certain.
        let percent = |permille: u16, score: WhiteScore| match score.winner() {
            Some(_) => permille / 10,
            None => ((permille + 5) / 10).clamp(1, 99),
        };
        let from = |permille| percent(permille, self.scores.0);
        let to = |permille| percent(permille, self.scores.1);
        let (fall, rise) = (before.win.saturating_sub(after.win), after.loss.saturating_sub(before.loss));
        let (change, old, new) = if fall >= rise {
            ("winning falls", from(before.win), to(after.win))
        } else {
            ("losing rises", from(before.loss), to(after.loss))
        };
        if fall.max(rise) >= 10 && old != new {
            return Some(format!("the chance of {change} from {old} to {new} %"));
        }
        if self.scores.0.winner().is_some_and(|(winner, _)| winner == side) {
            return None;
        }
        // The same limit as in the loss of the move, which determines its mark.
        let men = |score: WhiteScore| score.men(f64::from(DECIDED) / 100.0);
        Some(format!("the score falls by {:.2}", (men(self.scores.0) - men(self.scores.1)).abs()))
    }

    /// Describes the better line, or returns `None` if there is no better line or the better line loses. Every claim
    /// about material is proved, or visible in the moves that the description contains.
    fn plan(&self) -> Option<String> {
        let (before, side) = (self.before.game(), self.before.side());
        let &first = self.better.first()?;
        let text = self.before.text(first);
        if let Some((winner, moves)) = self.scores.0.winner() {
            return (winner == side).then(|| format!("{text} wins in {moves}"));
        }
        let line = self.better.get(..MAX_LINE_PLIES).unwrap_or(self.better);
        let texts = |line: &[Move]| self.before.line_text(line).join(" ");
        let men = |count, line: &[Move]| in_men(count, takes_kings(before, line));
        let after = played(self.before, &[self.played])?;
        let root = (before, Some(first));
        let other = (before, Some(self.played));
        let comparison = Comparison { before, root, line, other, after_other: after.game(), other_line: self.reply };
        if let Some(MaterialGain { gain, line }) = comparison.gain() {
            let text = match gain {
                ProvedGain::Pieces(count) => format!("gains {}", men(count.unsigned_abs(), &line)),
                ProvedGain::King => "makes a king".to_owned(),
            };
            return Some(format!("{} {text}", texts(&line)));
        }
        if let Some(Exchange { taken, given, line }) = Exchange::at_start_of(before, line, after.game()) {
            match given.checked_sub(taken) {
                Some(0) => return Some(format!("{} exchanges {}", texts(&line), men(taken, &line))),
                Some(net) => return Some(format!("{} sacrifices {}", texts(&line), men(net, &line))),
                None => {}
            }
        }
        Some(match walk(line) {
            Some((from, to)) => {
                let name = |square| self.before.spec().square_name(square);
                format!("{text} brings the piece on {} to {}", name(from), name(to))
            }
            None => format!("{text} is better"),
        })
    }
}

fn in_men(count: u32, has_kings: bool) -> String {
    let (one, several) = if has_kings { ("piece", "pieces") } else { ("man", "men") };
    if count == 1 { format!("a {one}") } else { format!("{count} {several}") }
}

fn played(game: &WrittenGame, line: &[Move]) -> Option<WrittenGame> {
    let mut game = game.clone();
    line.iter().all(|&mv| game.play_found(mv)).then_some(game)
}

/// Returns the origin and the destination of the first piece that moves in `line`, or `None` if this piece moves only
/// once or is captured.
fn walk(line: &[Move]) -> Option<(Square, Square)> {
    let first = line.first()?;
    let mut at = first.to;
    for (mv, is_own) in line.iter().zip([true, false].into_iter().cycle()).skip(1) {
        if is_own && mv.from == at {
            at = mv.to;
        } else if mv.captured.contains(at) {
            return None;
        }
    }
    (at != first.to && at != first.from).then_some((first.from, at))
}

pub fn moves_of(game: &WrittenGame, texts: &[String]) -> Vec<Move> {
    let mut game = game.clone();
    let play = |text: &String| {
        let record: MoveRecord = text.parse().ok()?;
        let moves = game.resolve(&[record]).ok()?;
        let mv = *moves.first()?;
        game.play_found(mv).then_some(mv)
    };
    texts.iter().map_while(play).collect()
}

/// How a faster win than the one after the played move is known.
#[derive(Clone, Copy, Debug)]
enum Faster {
    /// The better line wins faster.
    Known,
    /// An earlier position proves a win in this number of moves.
    Proved(u16),
}

/// Returns how a faster win is known if the winner's move makes the win take longer, and `None` otherwise. `shown` is
/// the score that was printed for the position before the move.
fn slower_win(mv: &MoveScores<'_>, shown: WhiteScore) -> Option<Faster> {
    let wins_in = |score: WhiteScore| score.winner().filter(|(winner, _)| *winner == mv.annotation.side);
    let (_, after) = wins_in(mv.after)?;
    let faster = |score| wins_in(score).map(|(_, moves)| moves).filter(|&moves| moves < after);
    let known = faster(mv.before).filter(|_| !mv.annotation.better.is_empty());
    known.map(|_| Faster::Known).or_else(|| faster(shown).map(Faster::Proved))
}

pub fn explain(game: &PlayableGame, analysis: &mut Analysis) {
    let mut before = game.played().clone();
    let moves: Vec<Move> = game.moves().iter().map(soffio::notation::bitboard_move).collect();
    for index in (0..moves.len()).rev() {
        let after = before.clone();
        if before.undo(1).is_err() {
            return;
        }
        let Some(mv) = analysis.annotated_moves().nth(index) else { continue };
        let slower = analysis.scores.get(index).and_then(|&shown| slower_win(&mv, shown));
        if mv.annotation.mark.is_none() && slower.is_none() {
            continue;
        }
        let MoveScores { annotation, before: score_before, after: score_after } = mv;
        let better = moves_of(&before, &annotation.better);
        let rest = moves.get(index + 1..).unwrap_or_default();
        let line = analysis.moves.get(index + 1).map(|next| moves_of(&after, &next.better)).unwrap_or_default();
        let reply = if line.is_empty() { rest } else { &line };
        let Some(&played) = moves.get(index) else { continue };
        let (scores, given_away) = ((score_before, score_after), annotation.given_away);
        let bad = BadMove { before: &before, played, better: &better, reply, scores, given_away };
        let sentence = match slower.filter(|_| annotation.mark.is_none()) {
            None => Some(bad.sentence()),
            Some(Faster::Known) => bad.plan(),
            Some(Faster::Proved(moves)) => Some(format!("there was a win in {moves}")),
        };
        if let Some(annotation) = analysis.moves.get_mut(index) {
            annotation.why = sentence;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use soffio::notation::FenRecord;
    use soffio::rules::Variant;

    fn sentence(variant: Variant, fen: &str, moves: &str, better: &str, scores: (WhiteScore, WhiteScore)) -> String {
        let fen: FenRecord = fen.parse().unwrap();
        let before = WrittenGame::from_start(variant, Some(&fen)).unwrap();
        let texts = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let (moves, better) = (moves_of(&before, &texts(moves)), moves_of(&before, &texts(better)));
        let (&played, reply) = moves.split_first().unwrap();
        BadMove { before: &before, played, better: &better, reply, scores, given_away: None }.sentence()
    }

    #[test]
    fn a_forced_loss_is_explained_with_its_line() {
        let (even, lost) = (WhiteScore::Cp(0), WhiteScore::Cp(300));
        let fen = "B:W27,28,33,37,38,39,40,41,42,45,47,48:B1,2,3,4,8,9,11,12,16,18,19,20";
        let explanation = sentence(Variant::International, fen, "12-17 28-22 17x28 33x15", "8-13 28-23", (even, lost));
        assert_eq!(explanation, "allows the shot 28-22 17x28 33x22x13x24x15, which gains 3 men; 8-13 is better");
        let explanation =
            sentence(Variant::English, "W:W27,32,31:B12,4,1", "27-24 12-16 24-20 16-19", "27-23", (even, even));
        assert_eq!(explanation, "the score falls by 0.00; 27-23 is better");
        let explanation = sentence(Variant::English, "W:W26,32,31:B14,4,1", "26-22 14-18 22x15", "26-23", (even, even));
        assert!(explanation.starts_with("the score falls by 0.00"), "{explanation}");
        let explanation =
            sentence(Variant::English, "W:W26,32:B14,10,1", "26-22 14-17 22x13", "26-23", (WhiteScore::White(9), even));
        assert!(explanation.ends_with("26-23 wins in 9"), "{explanation}");
        let explanation =
            sentence(Variant::English, "W:W22,32:B15,3", "22-18 15x22", "32-28", (even, WhiteScore::Cp(-200)));
        assert_eq!(explanation, "loses a man: 15x22; 32-28 is better");
    }

    #[test]
    fn scores_of_decided_games_are_capped() {
        let scores = (WhiteScore::Cp(271), WhiteScore::White(4));
        let explanation = sentence(Variant::English, "B:W22,26,K32:B10,1", "10-15 26-23", "1-5", scores);
        assert_eq!(explanation, "the score falls by 0.29; 1-5 is better");
    }

    #[test]
    fn only_proved_results_are_certain() {
        let of_scores = |scores| sentence(Variant::English, "W:W22,26,32:B14,10,1", "26-23 1-5", "32-28 1-5", scores);
        let fall = |before| of_scores((before, WhiteScore::Cp(0)));
        assert!(fall(WhiteScore::Cp(9_000)).contains("winning falls from 99 to "), "{}", fall(WhiteScore::Cp(9_000)));
        assert!(fall(WhiteScore::White(9)).contains("winning falls from 100 to "), "{}", fall(WhiteScore::White(9)));
        for after in (0..2_000).step_by(5) {
            let sentence = of_scores((WhiteScore::Cp(9_000), WhiteScore::Cp(after)));
            assert!(!sentence.contains("from 99 to 99 %"), "{after}: {sentence}");
        }
    }

    #[test]
    fn numbers_of_pieces_that_are_not_forced_are_not_claimed() {
        let even = (WhiteScore::Cp(0), WhiteScore::Cp(0));
        for (variant, fen, moves, better, claim) in [
            // The expected line wins five men, but Black need not play it.
            (
                Variant::Czech,
                "B:Wg5,h4,a3,c3,e3,d2,h2:Bf8,a7,e7,d6,f6,a5,f4",
                "f6-e5 e3-d4 f4-g3 d4xf6xd8 a5-b4 c3xa5 d6-e5 h2xf4xd6",
                "d6-c5 c3-d4 a7-b6 g5-h6",
                "5 men",
            ),
            (
                Variant::Czech,
                "W:Wd6,f6,c3,e3,h2,c1:Bd8,f8,b6,e5,h4",
                "d6-c7 b6-c5 c3-b4 c5xa3 f6-e7 d8xf6",
                "e3-f4 e5xg3 h2xf4 b6-c5 f4-g5 h4-g3",
                "2 men",
            ),
            // 39-34 instead of 44-40 loses only one man.
            (
                Variant::International,
                "W:W22,26,27,28,32,38,39,44:B9,11,13,17,18,19,23,30",
                "38-33 30-35 44-40 35x44 39x50 23-29 33x24 19x30 50-45 30-34 28-23 17x28x19",
                "44-40 23-29 38-33 29x38 32x43 9-14 43-38",
                "2 men",
            ),
            // White promotes but wins no piece by force.
            (
                Variant::Russian,
                "B:Wf4,h4,a3,c3,c1,e1:Bb8,b6,d6,f6,h6,a5",
                "f6-e5 e1-f2 e5:b4 a3:e7 h6-g5 h4:f6 a5-b4 e7-d8 b4-c3 d8:d2",
                "b6-c5 c1-d2 b8-c7 e1-f2 f6-e5 f2-e3",
                "2 pieces",
            ),
            // The man is lost again: 31-27 22x31 26x28 17x26 leaves five men each.
            (
                Variant::International,
                "B:W15,26,29,31,32,34,36,38,39:B4,11,12,17,18,22,23,25,27",
                "11-16 32x21 16x27 29-24",
                "25-30 34x25 23x43 32x21 43x32 31-27 22x31 26x28 17x26 25-20",
                "gains",
            ),
            // The king that captures the piece is caught after 11 plies.
            (
                Variant::Czech,
                "W:Wf4,h4,a3,e3,b2,h2,e1:Bd8,f8,g7,d6,h6,c5,e5",
                "a3-b4 e5xg3 h2xf4 c5xa3xc1 e3-d4 c1xg5 h4xf6xh8",
                "b2-c3",
                "gains",
            ),
            (
                Variant::Italian,
                "B:W18,22,23,24,26,29:B5,9,11,12,15,17",
                "12-16 29-25 5-10 23-19 10-13 19x12",
                "5-10 23-19 12-16 19x12 10-14 26-21 17x26 22-19 14x23",
                "loses",
            ),
        ] {
            let explanation = sentence(variant, fen, moves, better, even);
            assert!(!explanation.contains(claim), "{explanation}");
        }
    }

    #[test]
    fn proved_numbers_of_pieces_are_claimed() {
        let even = (WhiteScore::Cp(0), WhiteScore::Cp(0));
        for (fen, moves, better, expected) in [
            (
                "W:Wa5,d4,h4,f2,h2,a1,c1,e1,g1:Bb8,d8,f8,a7,c7,e7,f6,h6,e5",
                "d4-c5 c7-d6 a1-b2 d6xb4",
                "c1-b2 e5xc3 b2xd4",
                "loses a man: c7-d6 a1-b2 d6xb4; c1-b2 e5xc3 b2xd4 exchanges a man",
            ),
            // The expected line wins five men, and one of them is proved.
            (
                "B:Wg5,h4,a3,c3,e3,d2,h2:Bf8,a7,e7,d6,f6,a5,f4",
                "f6-e5 e3-d4 f4-g3 d4xf6xd8 a5-b4 c3xa5 d6-e5 h2xf4xd6",
                "d6-c5 c3-d4 a7-b6 g5-h6",
                "allows the shot e3-d4 e7-f6 g5xe7 d6-c5 d4xb6 a7xc5 e7-d8, which gains a man; d6-c5 is better",
            ),
        ] {
            assert_eq!(sentence(Variant::Czech, fen, moves, better, even), expected);
        }
    }

    /// White makes a king with 5-1 after either move.
    #[test]
    fn a_king_that_the_better_move_allows_as_well_is_not_claimed() {
        let scores = (WhiteScore::Cp(-141), WhiteScore::Cp(0));
        let (fen, better) = ("B:W5,K6,32:B3,13,18,28", "18-22 6-10 22-26 10-14 26-30 5-1");
        let explanation = sentence(Variant::English, fen, "3-7 5-1", better, scores);
        assert!(!explanation.contains("White make a king"), "{explanation}");
        // After 18-23, the expected line does not contain 5-1, but White could play it.
        let explanation = sentence(Variant::English, fen, "3-7 5-1", "18-23 6-10", scores);
        assert!(!explanation.contains("White make a king"), "{explanation}");
    }
}
