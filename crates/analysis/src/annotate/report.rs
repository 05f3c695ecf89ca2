//! Writes an analysis into a game record, and summarises the play of both sides.

use super::own_text::{OTHER_SCORE, has_score, last_mark, line_score, other_mark};
use super::{Analysis, MoveMark, MoveScores};
use derive_more::Display;
use soffio::notation::pdn::{GameRecord, PdnMove, Variation};
use soffio::score::WhiteScore;

const ANNOTATOR: &str = concat!("Soffio ", env!("CARGO_PKG_VERSION"));

/// Adds the score from White's point of view after every move, starting with the move at index `first`. Bad moves also
/// get a mark and the better line as a variation. Existing comments are kept. If a move already has the mark, the
/// comment states this.
pub fn annotate(record: &mut GameRecord, first: usize, analysis: &Analysis) {
    let moves = record.moves.iter_mut().skip(first);
    for (mv, MoveScores { annotation, before, after }) in moves.zip(analysis.annotated_moves()) {
        let (is_in_words, is_scored) = (after.winner().is_some(), mv.comment.as_deref().is_some_and(has_score));
        let end = match annotation.remark() {
            Some(remark) if is_in_words => format!(", {remark}"),
            Some(remark) => format!(" {remark}"),
            None if is_in_words && is_scored => format!(" {OTHER_SCORE}"),
            None => String::new(),
        };
        mv.add_comment(&(comment(after) + &end));
        let glyph = annotation.mark.map(MoveMark::glyph);
        // Another annotator may have marked the move in the same way, or written a line that looks like a line of this
        // program.
        let is_like_own = |line: &Variation| line_score(line) == Some(comment(before).as_str());
        let others = match glyph {
            Some(glyph) => Some(glyph).filter(|glyph| mv.glyphs.contains(glyph)),
            None if mv.variations.iter().any(is_like_own) => last_mark(mv).and_then(|at| mv.glyphs.get(at).copied()),
            None => None,
        };
        if let Some(others) = others.map(other_mark)
            && !mv.comment.as_ref().is_some_and(|comment| comment.contains(&others))
        {
            mv.add_comment(&others);
        }
        let Some(glyph) = glyph else { continue };
        if !mv.glyphs.contains(&glyph) {
            mv.glyphs.push(glyph);
        }
        mv.variations.push(line(annotation.shown_line(), before));
    }
    let annotator = match record.tag("Annotator") {
        Some(other) if other.split("; ").any(|name| name == ANNOTATOR) => other.to_owned(),
        Some(other) if !matches!(other, "" | "?" | "-" | ANNOTATOR) => format!("{other}; {ANNOTATOR}"),
        _ => ANNOTATOR.to_owned(),
    };
    record.set_tag("Annotator", annotator);
}

fn comment(score: WhiteScore) -> String {
    match score {
        WhiteScore::Cp(_) => format!("[%eval {}]", score.eval_text()),
        _ => score.to_string(),
    }
}

fn line(texts: &[String], score: WhiteScore) -> Variation {
    let mut moves: Vec<_> = texts.iter().map(PdnMove::played).collect();
    if let Some(first) = moves.first_mut() {
        first.add_comment(&comment(score));
    }
    Variation { moves, ..Variation::default() }
}

#[derive(Clone, Copy, Debug, Default, Display, PartialEq, Eq)]
#[display("White {white}; Black {black}")]
pub struct Summary {
    pub white: SideSummary,
    pub black: SideSummary,
}

#[derive(Clone, Copy, Debug, Default, Display, PartialEq, Eq)]
#[display("blunders {blunders}, mistakes {mistakes}, dubious {dubious}, mean loss {:.2}", self.mean_loss())]
pub struct SideSummary {
    pub moves: u32,
    pub blunders: u32,
    pub mistakes: u32,
    pub dubious: u32,
    /// Total loss in cp.
    pub loss: u32,
}

impl From<&Analysis> for Summary {
    fn from(analysis: &Analysis) -> Self {
        let mut summary = Self::default();
        for annotation in &analysis.moves {
            let side = annotation.side.pick([&mut summary.white, &mut summary.black]);
            side.moves += 1;
            side.loss += annotation.loss;
            match annotation.mark {
                None => {}
                Some(MoveMark::Dubious) => side.dubious += 1,
                Some(MoveMark::Mistake) => side.mistakes += 1,
                Some(MoveMark::Blunder) => side.blunders += 1,
            }
        }
        summary
    }
}

impl SideSummary {
    pub fn mean_loss(&self) -> f64 {
        f64::from(self.loss) / f64::from(self.moves.max(1)) / 100.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::annotate::{MoveAnnotation, clear};
    use soffio::notation::pdn::read_games;
    use soffio::rules::Color;
    use soffio::score::WhiteScore;

    #[test]
    fn annotations_are_added_and_nothing_is_lost() {
        let mut record = read_games("[Annotator \"me\"]\n\n1. c3-d4 $1 {good} (1. a3-b4) d6-c5 *").remove(0);
        let annotation = |side, loss, mark: Option<MoveMark>, better: &[&str]| {
            let better = better.iter().map(|&text| text.to_owned()).collect();
            let why = mark.map(|_| format!("it costs 0.{loss} men"));
            MoveAnnotation { side, loss, mark, given_away: None, better, better_score: None, why }
        };
        let analysis = Analysis {
            scores: vec![WhiteScore::Cp(5), WhiteScore::Cp(-55), WhiteScore::White(4)],
            moves: vec![
                annotation(Color::White, 60, Some(MoveMark::Mistake), &["c3-b4", "b6:d4"]),
                annotation(Color::Black, 0, None, &["a7-b6"]),
            ],
        };
        annotate(&mut record, 0, &analysis);
        assert_eq!(
            record.to_string(),
            "[Annotator \"me; Soffio 0.1.0\"]\n\n1. c3-d4 $1 $2 {good [%eval -0.55] it costs 0.60 men} (1. a3-b4) (1. c3-b4\n{[%eval 0.05]} b6xd4) 1... d6-c5 {White wins in 4} *\n\n"
        );
        let annotated = record.clone();
        clear(&mut record);
        annotate(&mut record, 0, &analysis);
        assert_eq!(record, annotated, "annotating again replaces");
        let mut own = read_games("[Annotator \"me\"]\n1. c3-d4 {good [%eval 1.00]} *").remove(0);
        let before = own.clone();
        clear(&mut own);
        assert_eq!(own, before, "the work of others stays");
        let text = "1. c3-d4 d6-c5 {[%eval 1.00]} *";
        let mut scored = read_games(text).remove(0);
        annotate(&mut scored, 0, &analysis);
        assert_eq!(scored.moves[1].comment.as_deref(), Some("[%eval 1.00] White wins in 4 [%scored]"));
        clear(&mut scored);
        assert_eq!(scored.moves, read_games(text)[0].moves, "a score by somebody else stays");
        let mut marked = read_games("1. c3-d4 $6 d6-c5 *").remove(0);
        annotate(&mut marked, 0, &analysis);
        assert_eq!(marked.moves[0].glyphs, [6, 2]);
        clear(&mut marked);
        assert_eq!(marked.moves[0].glyphs, [6], "a mark by somebody else stays");
        let mut equal = read_games("1. c3-d4 $2 d6-c5 *").remove(0);
        annotate(&mut equal, 0, &analysis);
        assert_eq!(equal.moves[0].comment.as_deref(), Some("[%eval -0.55] it costs 0.60 men [%marked $2]"));
        clear(&mut equal);
        assert_eq!((&equal.moves[0].glyphs[..], &equal.moves[0].comment), (&[2][..], &None), "so does an equal mark");
        let mut several = read_games("1. c3-d4 $2 $6 d6-c5 *").remove(0);
        annotate(&mut several, 0, &analysis);
        clear(&mut several);
        assert_eq!(several.moves[0].glyphs, [2, 6]);
        let text = "1. c3-d4 d6-c5 $2 (1... a7-b6 {[%eval -0.55]}) *";
        let mut alike = read_games(text).remove(0);
        annotate(&mut alike, 0, &analysis);
        clear(&mut alike);
        assert_eq!(alike.moves[1], read_games(text)[0].moves[1], "a line that looks like a line of this program stays");
    }

    #[test]
    fn each_side_has_a_summary() {
        let annotation = |side, loss, mark| MoveAnnotation {
            side,
            loss,
            mark,
            given_away: None,
            better: Vec::new(),
            better_score: None,
            why: None,
        };
        let moves = vec![
            annotation(Color::White, 120, Some(MoveMark::Blunder)),
            annotation(Color::Black, 30, Some(MoveMark::Dubious)),
            annotation(Color::White, 0, None),
        ];
        let summary = Summary::from(&Analysis { scores: Vec::new(), moves });
        assert_eq!(
            summary.to_string(),
            "White blunders 1, mistakes 0, dubious 0, mean loss 0.60; Black blunders 0, mistakes 0, dubious 1, mean loss 0.30"
        );
        assert!(Summary::default().to_string().ends_with("mean loss 0.00"));
    }
}
