//! The loss while weights are learned.

use super::plot::{chart, titled};
use plotters::prelude::*;
use soffio::train::Epoch;
use std::error::Error;

/// Size of the picture in pixels.
const SIZE: (u32, u32) = (900, 450);

/// The picture, as SVG, of the loss on the games learned from (grey) and on those held out (blue), with a dot on the best.
///
/// # Errors
/// When it cannot be drawn.
pub(super) fn loss_curves(title: &str, epochs: &[Epoch]) -> Result<String, String> {
    let mut text = String::new();
    // The SVG text is complete only after the picture is dropped.
    draw(SVGBackend::with_string(&mut text, SIZE), title, epochs).map_err(|error| error.to_string())?;
    Ok(text)
}

fn draw(picture: SVGBackend<'_>, title: &str, epochs: &[Epoch]) -> Result<(), Box<dyn Error>> {
    let area = titled(picture, title)?;
    let losses = || epochs.iter().flat_map(|epoch| [epoch.fit, epoch.held_out]);
    let (least, most) = (losses().fold(f64::INFINITY, f64::min), losses().fold(f64::NEG_INFINITY, f64::max));
    let range = if least < most { least..most } else { 0.0..1.0 };
    let last = epochs.last().map_or(1.0, |epoch| f64::from(epoch.epoch.max(1)));
    let mut chart = chart(&area, ("epochs", 0.0..last), ("loss in nats a position", range))?;
    let curve = |of: fn(&Epoch) -> f64| epochs.iter().map(move |epoch| (f64::from(epoch.epoch), of(epoch)));
    chart.draw_series(LineSeries::new(curve(|epoch| epoch.fit), RGBColor(150, 150, 150).stroke_width(2)))?;
    chart.draw_series(LineSeries::new(curve(|epoch| epoch.held_out), BLUE.stroke_width(2)))?;
    let best = epochs.iter().min_by(|one, other| one.held_out.total_cmp(&other.held_out));
    chart.draw_series(best.map(|best| Circle::new((f64::from(best.epoch), best.held_out), 4, BLUE.filled())))?;
    area.present()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

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
