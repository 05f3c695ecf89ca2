//! Helpers for all plots.

use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use std::error::Error;
use std::ops::Range;

/// A part of a picture.
pub(super) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Two axes in a part of a picture.
pub(super) type Chart<'a, 'b> = ChartContext<'b, SVGBackend<'a>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// The label and range of an axis.
pub(super) type Axis<'a> = (&'a str, Range<f64>);

/// What is left of an empty picture below its title.
pub(super) fn titled<'a>(picture: SVGBackend<'a>, title: &str) -> Result<Area<'a>, Box<dyn Error>> {
    let area = picture.into_drawing_area();
    area.fill(&WHITE)?;
    Ok(area.titled(title, ("sans-serif", 20))?)
}

/// Draws the axes into `area`.
pub(super) fn chart<'a, 'b>(
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
