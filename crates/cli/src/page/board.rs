//! Boards as pictures (SVG).

use super::line::PageMove;
use super::text::Escaped;
use serde::Serialize;
use soffio::board::Corner;
use soffio::rules::{Letters, RuleSet};

/// The side of a square in the units of a picture; the script of the page has the same number.
const SIDE: u16 = 20;

/// A board with the names of its squares, White at the bottom.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Board {
    columns: u8,
    rows: u8,
    /// Column and row, counted from the top left, of every playable square, in the order of a position in text.
    squares: Vec<(u8, u8)>,
    /// Their names.
    names: Vec<String>,
    /// The letters and digits of the columns and of the rows, where squares are not written as numbers.
    #[serde(skip)]
    edges: Option<[Vec<String>; 2]>,
    /// Whether every square is played on.
    #[serde(skip)]
    is_full: bool,
}

/// The meaning of an arrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ArrowKind {
    /// A bad move was played.
    Bad,
    /// The engine would have played this.
    Better,
}

impl ArrowKind {
    /// The class of its elements.
    fn class(self) -> &'static str {
        match self {
            Self::Bad => "bad",
            Self::Better => "better",
        }
    }
}

/// The letters and digits of the columns and rows of a board.
fn edges(spec: &RuleSet) -> [Vec<String>; 2] {
    let letter = |file: u8| char::from(b'a' + file).to_string();
    let digit = |rank: u8| (rank + 1).to_string();
    let place = |column, row| spec.file_and_rank(column, row);
    let (columns, rows) = (0..spec.shape.width, 0..spec.shape.height);
    match spec.notation.letters {
        Letters::Upright => [
            columns.map(|column| letter(place(column, 0).0)).collect(),
            rows.map(|row| digit(place(0, row).1)).collect(),
        ],
        Letters::Turned => [
            columns.map(|column| digit(place(column, 0).1)).collect(),
            rows.map(|row| letter(place(0, row).0)).collect(),
        ],
    }
}

impl Board {
    /// The board of `spec`, with the names of its notation.
    pub(super) fn new(spec: &RuleSet) -> Self {
        let shape = spec.shape;
        let mut squares: Vec<_> = shape.all_squares().collect();
        squares.sort_by_key(|&square| spec.number(square));
        Self {
            columns: shape.width,
            rows: shape.height,
            squares: squares.iter().map(|&square| (shape.column(square), shape.row(square))).collect(),
            names: squares.iter().map(|&square| spec.square_name(square).to_string()).collect(),
            edges: spec.notation.algebraic.then(|| edges(spec)),
            is_full: shape.corner == Corner::Both,
        }
    }

    /// Width and height of its picture.
    fn size(&self) -> (u16, u16) {
        (SIDE * u16::from(self.columns), SIDE * u16::from(self.rows))
    }

    /// The empty board with the names of its squares, as an element of this `id`; `turned` with Black at the bottom.
    pub(super) fn ground(&self, id: &str, turned: bool) -> String {
        let (width, height) = self.size();
        let seen = |(column, row): (u8, u8)| {
            let (column, row) = if turned { (self.columns - 1 - column, self.rows - 1 - row) } else { (column, row) };
            (SIDE * u16::from(column), SIDE * u16::from(row))
        };
        let square = |&place: &(u8, u8)| {
            let (x, y) = seen(place);
            format!("M{x} {y}h{SIDE}v{SIDE}h-{SIDE}z")
        };
        let squares: String = self.squares.iter().map(square).collect();
        let class = if self.is_full { "squares full" } else { "squares" };
        let names = self.edges.as_ref().map_or_else(|| self.numbers(seen), |edges| self.edge_names(edges, seen));
        format!(
            "<g id=\"{id}\"><rect class=\"ground\" width=\"{width}\" height=\"{height}\"/>\
             <path class=\"{class}\" d=\"{squares}\"/>{names}</g>\n"
        )
    }

    /// The number of each square in its corner.
    fn numbers(&self, seen: impl Fn((u8, u8)) -> (u16, u16)) -> String {
        let number = |(&place, name): (&(u8, u8), &String)| {
            let (x, y) = seen(place);
            format!("<text x=\"{x}\" y=\"{y}\" dx=\"0.6\" dy=\"4\">{}</text>", Escaped(name))
        };
        self.squares.iter().zip(&self.names).map(number).collect()
    }

    /// The names of the columns along the bottom edge and of the rows along the left one.
    fn edge_names(&self, [columns, rows]: &[Vec<String>; 2], seen: impl Fn((u8, u8)) -> (u16, u16)) -> String {
        let (_, height) = self.size();
        let columns = (0..).zip(columns).map(|(column, name)| {
            let (x, _) = seen((column, 0));
            format!("<text class=\"file\" x=\"{}\" y=\"{}\">{name}</text>", x + SIDE - 1, height - 1)
        });
        let rows = (0..).zip(rows).map(|(row, name)| {
            let (_, y) = seen((0, row));
            format!("<text x=\"1\" y=\"{}\">{name}</text>", y + 4)
        });
        columns.chain(rows).collect()
    }

    /// The picture of `position`, whose label for those who do not see it is `label`, on the empty board that has the id
    /// `ground`.
    pub(super) fn picture(
        &self,
        ground: &str,
        position: &str,
        label: &str,
        arrows: &[(ArrowKind, &PageMove)],
    ) -> String {
        let (width, height) = self.size();
        // The first letter is the side to move.
        let pieces = self.squares.iter().zip(position.chars().skip(1)).filter(|(_, letter)| *letter != 'e');
        let piece = |((column, row), letter): (&(u8, u8), char)| {
            let (x, y) = (SIDE * u16::from(*column), SIDE * u16::from(*row));
            format!("<use href=\"#piece-{letter}\" x=\"{x}\" y=\"{y}\"/>")
        };
        let pieces: String = pieces.map(piece).collect();
        let arrows: String = arrows.iter().map(|&(kind, mv)| self.arrow(kind.class(), mv)).collect();
        format!(
            "<svg class=\"board\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\">\
             <use class=\"place\" href=\"#{ground}\"/><g class=\"trail\"></g><g class=\"pieces\">{pieces}</g>\
             <g class=\"arrows\">{arrows}</g></svg>",
            Escaped(label)
        )
    }

    /// The way of a move, with rings around the pieces that it takes.
    fn arrow(&self, class: &str, mv: &PageMove) -> String {
        let center = |&index: &u8| {
            let &(column, row) = self.squares.get(usize::from(index))?;
            Some((SIDE * u16::from(column) + SIDE / 2, SIDE * u16::from(row) + SIDE / 2))
        };
        let points: Vec<_> = mv.route.iter().filter_map(center).map(|(x, y)| format!("{x} {y}")).collect();
        let ring = |(x, y)| format!("<circle class=\"taken {class}\" cx=\"{x}\" cy=\"{y}\" r=\"9\"/>");
        let rings: String = mv.taken.iter().filter_map(center).map(ring).collect();
        format!("{rings}<path class=\"arrow {class}\" d=\"M{}\"/>", points.join("L"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use roxmltree::Document;
    use soffio::notation::WrittenGame;
    use soffio::rules::Variant;

    /// The texts of a board, with the place of each, in halves of a square from the top left.
    fn texts(variant: Variant, turned: bool) -> Vec<(String, u16, u16)> {
        let ground = Board::new(variant.spec()).ground("b", turned);
        let document = Document::parse(&ground).unwrap();
        let half =
            |node: &roxmltree::Node<'_, '_>, name| node.attribute(name).unwrap().parse::<u16>().unwrap() * 2 / SIDE;
        let texts = document.descendants().filter(|node| node.has_tag_name("text"));
        texts.map(|node| (node.text().unwrap().to_owned(), half(&node, "x"), half(&node, "y"))).collect()
    }

    #[test]
    fn the_names_of_squares_are_where_the_books_print_them() {
        let place = |variant, turned, name: &str| {
            let found: Vec<_> = texts(variant, turned).into_iter().filter(|(text, ..)| text == name).collect();
            assert_eq!(found.len(), 1, "{variant} {name}");
            (found[0].1, found[0].2)
        };
        assert_eq!(place(Variant::English, false, "1"), (2, 0));
        assert_eq!(place(Variant::English, true, "1"), (12, 14));
        assert_eq!(place(Variant::Italian, false, "32"), (14, 14));
        assert_eq!(place(Variant::Spanish, false, "1"), (14, 14));
        assert_eq!(place(Variant::International, false, "46"), (0, 18));
        assert_eq!(place(Variant::Canadian, false, "72"), (20, 22));
        // Letters below, digits at the left.
        assert_eq!(place(Variant::Russian, false, "a"), (1, 15));
        assert_eq!(place(Variant::Russian, true, "a"), (15, 15));
        assert_eq!(place(Variant::Spantsiretti, false, "j"), (19, 15));
        assert_eq!(place(Variant::Turkish, false, "8"), (0, 0));
        assert_eq!(place(Variant::Turkish, true, "8"), (0, 14));
    }

    #[test]
    fn every_board_is_drawn_with_the_pieces_where_they_stand() {
        for &variant in Variant::ALL {
            let game = WrittenGame::new(variant);
            let (spec, board) = (variant.spec(), Board::new(variant.spec()));
            let squares = usize::from(spec.shape.squares());
            assert_eq!((board.squares.len(), board.names.len()), (squares, squares));
            let ground = board.ground("b", false);
            assert_eq!(ground.matches('M').count(), squares, "{variant}");
            assert!(Document::parse(&ground).is_ok());
            let picture = board.picture("b", &game.hub_position(), "start", &[]);
            let document = Document::parse(&picture).unwrap();
            let setup = game.game().setup();
            let pieces: Vec<_> = document.descendants().filter(|node| node.attribute("x").is_some()).collect();
            assert_eq!(pieces.len(), setup.pieces.len(), "{variant}");
            for piece in pieces {
                let number = |name| piece.attribute(name).unwrap().parse::<u16>().unwrap();
                let (column, row) = ((number("x") / SIDE) as u8, (number("y") / SIDE) as u8);
                let square = spec.shape.square_at(row, column).unwrap();
                let letter = setup.pieces[&square].letter();
                assert_eq!(piece.attribute("href"), Some(format!("#piece-{letter}").as_str()), "{variant}");
            }
        }
    }

    #[test]
    fn an_arrow_follows_the_way_of_a_capture() {
        let board = Board::new(Variant::English.spec());
        // 1 to 10 to 19, over 6 and 15.
        let mv = PageMove { text: "1x10x19".to_owned(), route: vec![0, 9, 18], taken: vec![5, 14] };
        let arrow = board.arrow("bad", &mv);
        assert!(arrow.ends_with("<path class=\"arrow bad\" d=\"M30 10L70 50L110 90\"/>"), "{arrow}");
        assert!(arrow.starts_with("<circle class=\"taken bad\" cx=\"50\" cy=\"30\" r=\"9\"/>"), "{arrow}");
        assert_eq!(arrow.matches("<circle").count(), 2);
    }
}
