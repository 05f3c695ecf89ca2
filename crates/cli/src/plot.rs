//! Draws SVG plots of the scores in a game, the training loss, and the Elo difference in a match.

use anyhow::{Result, anyhow};
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use soffio_analysis::annotate::{Analysis, MoveMark};
use soffio_match::statistics::{Elo, Sprt};
use soffio_training::Epoch;
use std::error::Error;
use std::ops::Range;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

type Chart<'a, 'b> = ChartContext<'b, SVGBackend<'a>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

type Axis<'a> = (&'a str, Range<f64>);

type DrawResult = Result<(), Box<dyn Error>>;

/// Renders an SVG image of `size` pixels. `draw` draws on the area below the title.
fn picture(size: (u32, u32), title: &str, draw: impl FnOnce(&Area<'_>) -> DrawResult) -> Result<String> {
    let mut text = String::new();
    // The text is complete only after the backend is dropped.
    let on = |picture: SVGBackend<'_>| -> DrawResult {
        let area = picture.into_drawing_area();
        area.fill(&WHITE)?;
        let area = if title.is_empty() { area } else { area.titled(title, ("sans-serif", 20))? };
        draw(&area)?;
        Ok(area.present()?)
    };
    on(SVGBackend::with_string(&mut text, size)).map_err(|error| anyhow!("{error}"))?;
    Ok(text)
}

fn chart<'a, 'b>(
    area: &'b Area<'a>,
    (x_name, x_range): Axis<'_>,
    (y_name, y_range): Axis<'_>,
) -> Result<Chart<'a, 'b>, Box<dyn Error>> {
    let mut chart = ChartBuilder::on(area)
        .margin(10)
        .x_label_area_size(35)
        .y_label_area_size(60)
        .build_cartesian_2d(x_range, y_range)?;
    chart.configure_mesh().x_desc(x_name).y_desc(y_name).max_light_lines(0).draw()?;
    Ok(chart)
}

/// Scores are clamped to this value, in units of 100 cp. Wins are drawn at the same height.
const MAX_MEN: f64 = 5.0;

/// Draws the scores of a game from White's point of view, with dots on mistakes and blunders.
pub fn score_curve(title: &str, analysis: &Analysis) -> Result<String> {
    let is_no_xml = |c: char| c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}');
    picture((900, 350), &title.replace(is_no_xml, "?"), |area| {
        let last = (analysis.moves.len().max(1)) as f64 / 2.0;
        let mut chart = chart(area, ("moves", 0.0..last), ("White's score (1 is 100 cp)", -MAX_MEN..MAX_MEN))?;
        let points: Vec<_> =
            analysis.scores.iter().enumerate().map(|(ply, score)| (ply as f64 / 2.0, score.men(MAX_MEN))).collect();
        chart.draw_series(
            AreaSeries::new(points.iter().copied(), 0.0, BLUE.mix(0.2)).border_style(BLUE.stroke_width(2)),
        )?;
        chart.draw_series(LineSeries::new([(0.0, 0.0), (last, 0.0)], BLACK))?;
        let dots = points.iter().skip(1).zip(&analysis.moves).filter_map(|(&point, annotation)| {
            let color = match annotation.mark? {
                MoveMark::Blunder => RED.filled(),
                MoveMark::Mistake => RGBColor(255, 140, 0).filled(),
                MoveMark::Dubious => return None,
            };
            Some(Circle::new(point, 4, color))
        });
        chart.draw_series(dots)?;
        Ok(())
    })
}

/// Draws the loss on training games (grey) and held-out games (blue), with a dot on the best epoch.
pub fn loss_curves(title: &str, epochs: &[Epoch]) -> Result<String> {
    picture((900, 450), title, |area| {
        let losses = || epochs.iter().flat_map(|epoch| [epoch.fit, epoch.held_out]);
        let (least, most) = (losses().fold(f64::INFINITY, f64::min), losses().fold(f64::NEG_INFINITY, f64::max));
        let range = if least < most { least..most } else { 0.0..1.0 };
        let last = epochs.last().map_or(1.0, |epoch| f64::from(epoch.epoch.max(1)));
        let mut chart = chart(area, ("epochs", 0.0..last), ("loss in nats per position", range))?;
        let curve = |of: fn(&Epoch) -> f64| epochs.iter().map(move |epoch| (f64::from(epoch.epoch), of(epoch)));
        chart.draw_series(LineSeries::new(curve(|epoch| epoch.fit), RGBColor(150, 150, 150).stroke_width(2)))?;
        chart.draw_series(LineSeries::new(curve(|epoch| epoch.held_out), BLUE.stroke_width(2)))?;
        let best = epochs.iter().min_by(|one, other| one.held_out.total_cmp(&other.held_out));
        chart.draw_series(best.map(|best| Circle::new((f64::from(best.epoch), best.held_out), 4, BLUE.filled())))?;
        Ok(())
    })
}

/// The standing of the first engine after `games` games.
#[derive(Clone, Copy, Debug)]
pub struct Standing {
    pub games: u64,
    pub elo: Option<Elo>,
    /// Log-likelihood ratio of the SPRT, or `None` if there is no test.
    pub ratio: Option<f64>,
}

/// Elo differences are clamped to this value, because larger differences after a few games are meaningless.
const MAX_ELO: f64 = 400.0;

/// Draws the Elo difference with its error bars and, if there is an SPRT, its ratio and bounds. `history` contains the
/// standing after each game.
pub fn match_picture(title: &str, history: &[Standing], sprt: Option<&Sprt>) -> Result<String> {
    const HEIGHT: u32 = 700;
    let last = history.last().map_or(1, |standing| standing.games).max(1) as f64;
    picture((900, HEIGHT), title, |area| match sprt {
        None => draw_elo(area, history, last),
        Some(sprt) => {
            let (upper, lower) = area.split_vertically(HEIGHT * 3 / 5);
            draw_elo(&upper, history, last)?;
            draw_test(&lower, history, last, sprt)
        }
    })
}

fn draw_elo(area: &Area<'_>, history: &[Standing], last: f64) -> DrawResult {
    let known = history.iter().filter_map(|standing| Some((standing.games as f64, standing.elo?)));
    let cut = |elo: f64| elo.clamp(-MAX_ELO, MAX_ELO);
    let upper = || known.clone().map(|(games, elo)| (games, cut(elo.interval.1)));
    let lower = known.clone().map(|(games, elo)| (games, cut(elo.interval.0)));
    let range = upper().chain(lower.clone());
    let range = range.fold((-10f64, 10f64), |(least, most), (_, elo)| (least.min(elo), most.max(elo)));
    let mut chart = chart(area, ("games", 0.0..last), ("Elo", range.0..range.1))?;
    let outline: Vec<_> = upper().chain(lower.collect::<Vec<_>>().into_iter().rev()).collect();
    chart.draw_series([Polygon::new(outline, BLUE.mix(0.2))])?;
    let line = known.clone().map(|(games, elo)| (games, cut(elo.difference)));
    chart.draw_series(LineSeries::new(line, BLUE.stroke_width(2)))?;
    chart.draw_series(LineSeries::new([(0.0, 0.0), (last, 0.0)], BLACK))?;
    Ok(())
}

fn draw_test(area: &Area<'_>, history: &[Standing], last: f64, sprt: &Sprt) -> DrawResult {
    let (lower, upper) = sprt.bounds();
    let ratios = history.iter().filter_map(|standing| Some((standing.games as f64, standing.ratio?)));
    let range = ratios.clone().fold((lower, upper), |(least, most), (_, ratio)| (least.min(ratio), most.max(ratio)));
    let name = format!("LLR, elo0 {} elo1 {}", sprt.elo0, sprt.elo1);
    let range = range.0 - 0.2..range.1 + 0.2;
    let mut chart = chart(area, ("games", 0.0..last), (&name, range))?;
    for (bound, color) in [(lower, RED), (upper, GREEN)] {
        chart.draw_series(LineSeries::new([(0.0, bound), (last, bound)], color.stroke_width(2)))?;
    }
    chart.draw_series(LineSeries::new(ratios, BLUE.stroke_width(2)))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use soffio::rules::Color;
    use soffio::score::WhiteScore;
    use soffio_analysis::annotate::MoveAnnotation;

    fn analysis(scores: &[i32], mark: Option<MoveMark>) -> Analysis {
        let (side, better) = (Color::White, Vec::new());
        let annotation =
            MoveAnnotation { side, loss: 0, mark, given_away: None, better, better_score: None, why: None };
        let moves = vec![annotation; scores.len().saturating_sub(1)];
        Analysis { scores: scores.iter().map(|&score| WhiteScore::Cp(score)).collect(), moves }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

        #[test]
        fn every_curve_is_xml(title in any::<String>(), scores in proptest::collection::vec(any::<i32>(), 0..20)) {
            let text = score_curve(&title, &analysis(&scores, Some(MoveMark::Blunder))).unwrap();
            prop_assert!(roxmltree::Document::parse(&text).is_ok(), "{}", text);
        }
    }

    #[test]
    fn bad_moves_have_dots() {
        let dots = |mark| {
            let text = score_curve("a <b> & c", &analysis(&[0, 100, -700], mark)).unwrap();
            roxmltree::Document::parse(&text).unwrap().descendants().filter(|node| node.has_tag_name("circle")).count()
        };
        let marks = [None, Some(MoveMark::Dubious), Some(MoveMark::Mistake), Some(MoveMark::Blunder)];
        assert_eq!(marks.map(dots), [0, 0, 2, 2]);
    }

    #[test]
    fn both_losses_are_drawn_with_a_dot_on_the_best() {
        let epoch = |epoch, held_out| Epoch { epoch, fit: held_out - 0.01, held_out };
        for epochs in [vec![], vec![epoch(0, 0.6)], vec![epoch(0, 0.6), epoch(1, 0.5), epoch(2, 0.55)]] {
            let text = loss_curves("a variant", &epochs).unwrap();
            let picture = roxmltree::Document::parse(&text).unwrap();
            let lines = |color| {
                let is_curve = |node: &roxmltree::Node<'_, '_>| {
                    node.has_tag_name("polyline") && node.attribute("stroke") == Some(color)
                };
                picture.descendants().filter(is_curve).count()
            };
            let dots = picture.descendants().filter(|node| node.has_tag_name("circle")).count();
            assert_eq!([lines("#969696"), lines("#0000FF"), dots], [usize::from(!epochs.is_empty()); 3], "{text}");
        }
    }
}
