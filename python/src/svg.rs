use soffio::board::Square;
use soffio::position::{Piece, Setup};
use soffio::rules::{Color, RuleSet};
use std::fmt::Write;

/// Side length of a square in SVG units.
const SIDE: u32 = 40;

pub fn draw(spec: &RuleSet, setup: &Setup, marked: &[Square], size: u32, flipped: bool) -> String {
    let (width, height) = (u32::from(spec.shape.width), u32::from(spec.shape.height));
    let place = |row: u8, column: u8| {
        let (row, column) = (u32::from(row), u32::from(column));
        if flipped { (width - 1 - column, height - 1 - row) } else { (column, row) }
    };
    let (right, bottom) = (width * SIDE, height * SIDE);
    let shown = u64::from(size) * u64::from(height) / u64::from(width);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {right} {bottom}\" width=\"{size}\" height=\"{shown}\">\
         <rect width=\"{right}\" height=\"{bottom}\" fill=\"#f0e0c0\"/>"
    );
    for square in spec.shape.all_squares() {
        let (row, column) = (spec.shape.row(square), spec.shape.column(square));
        let (x, y) = place(row, column);
        let is_light = spec.shape.is_full() && (row + column) % 2 == 0;
        let fill = if marked.contains(&square) {
            "#a9a23e"
        } else if is_light {
            "#d8b88c"
        } else {
            "#b07d4f"
        };
        let (left, top) = (x * SIDE, y * SIDE);
        let name = spec.square_name(square);
        let _ = write!(
            text,
            "<rect x=\"{left}\" y=\"{top}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"{fill}\"/>\
             <text x=\"{}\" y=\"{}\" font-size=\"9\" font-family=\"sans-serif\" fill=\"#3a2a1a\">{name}</text>",
            left + 2,
            top + 10
        );
        if let Some(&piece) = setup.pieces.get(&square) {
            text += &drawn(piece, left + SIDE / 2, top + SIDE / 2);
        }
    }
    text + "</svg>"
}

fn drawn(piece: Piece, x: u32, y: u32) -> String {
    let (fill, line) = match piece.color {
        Color::White => ("#fffaf0", "#40301f"),
        Color::Black => ("#2b2320", "#d8c8b0"),
    };
    let mut text = format!(
        "<circle cx=\"{x}\" cy=\"{y}\" r=\"16\" fill=\"{fill}\" stroke=\"{line}\" stroke-width=\"1.5\"/>\
         <circle cx=\"{x}\" cy=\"{y}\" r=\"11\" fill=\"none\" stroke=\"{line}\" stroke-width=\"1\"/>"
    );
    if piece.king {
        let points = [(-8, 6), (-8, -5), (-4, 0), (0, -7), (4, 0), (8, -5), (8, 6)];
        let points = points.map(|(right, down)| format!("{},{}", i64::from(x) + right, i64::from(y) + down));
        let _ = write!(text, "<polygon points=\"{}\" fill=\"#c9a227\" stroke=\"{line}\"/>", points.join(" "));
    }
    text
}
