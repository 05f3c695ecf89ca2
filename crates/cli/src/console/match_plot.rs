//! A picture of a match: Elo with its error, and the test with its bounds, against the games played.

use super::match_report::Standing;
use super::plot::{Area, chart, titled};
use crate::arena::statistics::Sprt;
use plotters::prelude::*;
use std::error::Error;

/// Size of the picture in pixels.
const SIZE: (u32, u32) = (900, 700);

/// Elo differences beyond this are not drawn: after only a few games they say nothing.
const MOST_ELO: f64 = 400.0;

/// The picture of `history`, the standings after each game, as SVG.
///
/// # Errors
/// When it cannot be drawn.
pub(super) fn picture(title: &str, history: &[Standing], sprt: Option<&Sprt>) -> Result<String, String> {
    let mut text = String::new();
    // The SVG text is complete only after the picture is dropped.
    draw(SVGBackend::with_string(&mut text, SIZE), title, history, sprt).map_err(|error| error.to_string())?;
    Ok(text)
}

fn draw(picture: SVGBackend<'_>, title: &str, history: &[Standing], sprt: Option<&Sprt>) -> Result<(), Box<dyn Error>> {
    let area = titled(picture, title)?;
    let last = history.last().map_or(1, |standing| standing.games).max(1) as f64;
    match sprt {
        None => draw_elo(&area, history, last)?,
        Some(sprt) => {
            let (upper, lower) = area.split_vertically(SIZE.1 * 3 / 5);
            draw_elo(&upper, history, last)?;
            draw_test(&lower, history, last, sprt)?;
        }
    }
    area.present()?;
    Ok(())
}

fn draw_elo(area: &Area<'_>, history: &[Standing], last: f64) -> Result<(), Box<dyn Error>> {
    let known = history.iter().filter_map(|standing| Some((standing.games as f64, standing.elo?)));
    let cut = |elo: f64| elo.clamp(-MOST_ELO, MOST_ELO);
    let band = |sign: f64| {
        known
            .clone()
            .filter(|(_, elo)| elo.error.is_finite())
            .map(move |(games, elo)| (games, cut(elo.difference + sign * elo.error)))
    };
    let range =
        band(1.0).chain(band(-1.0)).fold((-10f64, 10f64), |(least, most), (_, elo)| (least.min(elo), most.max(elo)));
    let mut chart = chart(area, ("games", 0.0..last), ("Elo", range.0..range.1))?;
    let outline: Vec<_> = band(1.0).chain(band(-1.0).collect::<Vec<_>>().into_iter().rev()).collect();
    chart.draw_series([Polygon::new(outline, BLUE.mix(0.2))])?;
    let line = known.clone().map(|(games, elo)| (games, cut(elo.difference)));
    chart.draw_series(LineSeries::new(line, BLUE.stroke_width(2)))?;
    chart.draw_series(LineSeries::new([(0.0, 0.0), (last, 0.0)], BLACK))?;
    Ok(())
}

fn draw_test(area: &Area<'_>, history: &[Standing], last: f64, sprt: &Sprt) -> Result<(), Box<dyn Error>> {
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
