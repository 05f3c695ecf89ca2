//! A picture of what a move costs by depth.

use super::seeds_command::milliseconds;
use crate::seeds::{PublishedTimes, TimeRow};
use plotters::coord::Shift;
use plotters::prelude::*;
use std::error::Error;

/// Size of the picture in pixels.
const SIZE: (u32, u32) = (900, 900);

/// What a move of one player costs at each depth.
pub(super) struct Curve {
    name: String,
    /// Depth and milliseconds.
    times: Vec<(f64, f64)>,
    /// Depth and nodes.
    nodes: Vec<(f64, f64)>,
    /// Depth and milliseconds of the report.
    published: Vec<(f64, f64)>,
}

impl Curve {
    pub(super) fn new(name: String, rows: &[TimeRow], published: PublishedTimes) -> Self {
        let depth = |row: &TimeRow| f64::from(row.contender.depth.unwrap_or(0));
        Self {
            name,
            times: rows.iter().map(|row| (depth(row), milliseconds(row.time))).collect(),
            nodes: rows.iter().map(|row| (depth(row), row.nodes)).collect(),
            published: published.iter().map(|&(depth, ms)| (f64::from(depth), ms)).collect(),
        }
    }
}

/// The picture of the curves as SVG: times above, nodes below.
///
/// # Errors
/// When it cannot be drawn.
pub(super) fn picture(curves: &[Curve]) -> Result<String, String> {
    let mut text = String::new();
    // The SVG text is complete only after the picture is dropped.
    draw(SVGBackend::with_string(&mut text, SIZE), curves).map_err(|error| error.to_string())?;
    Ok(text)
}

fn draw(picture: SVGBackend<'_>, curves: &[Curve]) -> Result<(), Box<dyn Error>> {
    let area = picture.into_drawing_area();
    area.fill(&WHITE)?;
    let (upper, lower) = area.split_vertically(SIZE.1 * 3 / 5);
    let measured = |curve: &Curve| (curve.name.clone(), curve.times.clone());
    let reported = |curve: &Curve| (format!("{}, published", curve.name), curve.published.clone());
    let times: Vec<_> = curves.iter().map(measured).chain(curves.iter().map(reported)).collect();
    let nodes: Vec<_> = curves.iter().map(|curve| (curve.name.clone(), curve.nodes.clone())).collect();
    draw_lines(&upper, "milliseconds for a move", &times)?;
    draw_lines(&lower, "nodes for a move", &nodes)?;
    area.present()?;
    Ok(())
}

/// Lines by name on a logarithmic scale.
fn draw_lines(
    area: &DrawingArea<SVGBackend<'_>, Shift>,
    title: &str,
    lines: &[(String, Vec<(f64, f64)>)],
) -> Result<(), Box<dyn Error>> {
    let points = || lines.iter().flat_map(|(_, points)| points);
    let (first, last) = points().fold((f64::MAX, 0f64), |(first, last), point| (first.min(point.0), last.max(point.0)));
    let (least, most) = points().fold((f64::MAX, 0f64), |(least, most), point| (least.min(point.1), most.max(point.1)));
    let mut chart = ChartBuilder::on(area)
        .margin(10)
        .x_label_area_size(35)
        .y_label_area_size(80)
        .build_cartesian_2d(first..last, (least / 2.0..most * 2.0).log_scale())?;
    chart.configure_mesh().x_desc("depth in plies").y_desc(title).light_line_style(WHITE).draw()?;
    for (index, (name, points)) in lines.iter().enumerate().filter(|(_, (_, points))| !points.is_empty()) {
        let color = Palette99::pick(index).stroke_width(2);
        let line = LineSeries::new(points.iter().copied(), color).point_size(3);
        let legend = move |(x, y)| PathElement::new([(x, y), (x + 20, y)], color);
        chart.draw_series(line)?.label(name).legend(legend);
    }
    chart.configure_series_labels().background_style(WHITE).border_style(BLACK).draw()?;
    Ok(())
}
