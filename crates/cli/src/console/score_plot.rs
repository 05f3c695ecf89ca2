//! The score curve of a game.

use super::plot::{chart, titled};
use crate::page::is_xml_character;
use plotters::prelude::*;
use soffio::annotate::{Analysis, Mark};
use std::error::Error;

/// Size of the picture in pixels.
const SIZE: (u32, u32) = (900, 350);

/// Scores are drawn up to so many men; a win counts as much.
const MOST_MEN: f64 = 5.0;

/// The picture, as SVG, of the scores of a game for White, move by move, with dots where a side made a bad move.
///
/// # Errors
/// When it cannot be drawn.
pub(super) fn score_curve(title: &str, analysis: &Analysis) -> Result<String, String> {
    let mut text = String::new();
    // The SVG text is complete only after the picture is dropped.
    draw(SVGBackend::with_string(&mut text, SIZE), title, analysis).map_err(|error| error.to_string())?;
    Ok(text)
}

fn draw(picture: SVGBackend<'_>, title: &str, analysis: &Analysis) -> Result<(), Box<dyn Error>> {
    let area = titled(picture, &title.replace(|c| !is_xml_character(c), "?"))?;
    let last = (analysis.moves.len().max(1)) as f64 / 2.0;
    let mut chart = chart(&area, ("moves", 0.0..last), ("White's score in men", -MOST_MEN..MOST_MEN))?;
    let points: Vec<_> =
        analysis.scores.iter().enumerate().map(|(ply, score)| (ply as f64 / 2.0, score.men(MOST_MEN))).collect();
    chart
        .draw_series(AreaSeries::new(points.iter().copied(), 0.0, BLUE.mix(0.2)).border_style(BLUE.stroke_width(2)))?;
    chart.draw_series(LineSeries::new([(0.0, 0.0), (last, 0.0)], BLACK))?;
    let dots = points.iter().skip(1).zip(&analysis.moves).filter_map(|(&point, judgement)| {
        let color = match judgement.mark? {
            Mark::Blunder => RED.filled(),
            Mark::Mistake => RGBColor(255, 140, 0).filled(),
            Mark::Doubtful => return None,
        };
        Some(Circle::new(point, 4, color))
    });
    chart.draw_series(dots)?;
    area.present()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use soffio::annotate::{Judgement, WhiteScore};
    use soffio::rules::Color;

    fn analysis(scores: &[i32], mark: Option<Mark>) -> Analysis {
        let judgement = |_: &i32| Judgement { side: Color::White, loss: 0, mark, given_away: None, better: Vec::new() };
        Analysis {
            scores: scores.iter().map(|&score| WhiteScore::Centimen(score)).collect(),
            moves: scores.iter().skip(1).map(judgement).collect(),
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

        #[test]
        fn every_curve_is_xml(title in any::<String>(), scores in proptest::collection::vec(any::<i32>(), 0..20)) {
            let text = score_curve(&title, &analysis(&scores, Some(Mark::Blunder))).unwrap();
            prop_assert!(roxmltree::Document::parse(&text).is_ok(), "{}", text);
        }
    }

    #[test]
    fn bad_moves_have_dots() {
        let dots = |mark| {
            let text = score_curve("a <b> & c", &analysis(&[0, 100, -700], mark)).unwrap();
            roxmltree::Document::parse(&text).unwrap().descendants().filter(|node| node.has_tag_name("circle")).count()
        };
        assert_eq!([None, Some(Mark::Doubtful), Some(Mark::Mistake), Some(Mark::Blunder)].map(dots), [0, 0, 2, 2]);
    }
}
