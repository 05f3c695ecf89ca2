//! Turns an analysis into comments, glyphs and variations.

use super::{Analysis, JudgedMove, WhiteScore};
use crate::notation::pdn::{GameRecord, PdnMove, Variation};

/// The annotator named in the record.
const ANNOTATOR: &str = concat!("Soffio ", env!("CARGO_PKG_VERSION"));

/// Adds `analysis` to the `record` it was made from: after every move White's score; after bad moves also their glyph, and
/// the better line as a variation with its score. Existing comments stay.
pub fn annotate(record: &mut GameRecord, analysis: &Analysis) {
    for (mv, JudgedMove { judgement, before, behind }) in record.moves.iter_mut().zip(analysis.judged_moves()) {
        match judgement.given_away {
            Some(given) => mv.say(&format!("{behind}, {given}")),
            None => mv.say(&behind.to_string()),
        }
        let Some(mark) = judgement.mark else { continue };
        if !mv.glyphs.contains(&mark.glyph()) {
            mv.glyphs.push(mark.glyph());
        }
        mv.variations.push(line(judgement.shown_line(), before));
    }
    let annotator = match record.tag("Annotator") {
        Some(other) if !matches!(other, "" | "?" | "-" | ANNOTATOR) => format!("{other}; {ANNOTATOR}"),
        _ => ANNOTATOR.to_owned(),
    };
    record.set_tag("Annotator", annotator);
}

/// The variation of the moves `texts`, which leads to `score`.
fn line(texts: &[String], score: WhiteScore) -> Variation {
    let mut moves: Vec<_> = texts.iter().map(PdnMove::played).collect();
    if let Some(first) = moves.first_mut() {
        first.say(&score.to_string());
    }
    Variation { comment: None, moves }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::annotate::{Judgement, Mark};
    use crate::notation::pdn::read_games;
    use crate::rules::Color;

    #[test]
    fn everything_is_added_and_nothing_is_lost() {
        let mut record = read_games("[Annotator \"me\"]\n\n1. c3-d4 $1 {good} (1. a3-b4) d6-c5 *").unwrap().remove(0);
        let judgement = |side, loss, mark, better: &[&str]| {
            let better = better.iter().map(|&text| text.to_owned()).collect();
            Judgement { side, loss, mark, given_away: None, better }
        };
        let analysis = Analysis {
            scores: vec![WhiteScore::Centimen(5), WhiteScore::Centimen(-55), WhiteScore::Wins(Color::White, 4)],
            moves: vec![
                judgement(Color::White, 60, Some(Mark::Mistake), &["c3-b4", "b6:d4"]),
                judgement(Color::Black, 0, None, &["a7-b6"]),
            ],
        };
        annotate(&mut record, &analysis);
        assert_eq!(
            record.to_string(),
            "[Annotator \"me; Soffio 0.1.0\"]\n\n1. c3-d4 $1 $2 {good -0.55} (1. a3-b4) (1. c3-b4 {+0.05} b6xd4) 1... d6-c5\n\
             {White wins in 4} *\n\n"
        );
    }
}
