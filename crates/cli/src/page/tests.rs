//! Tests of whole pages.

use super::*;
use roxmltree::{Document, Node};
use serde_json::Value;
use soffio::annotate::{Analysis, Judgement, Mark, MissedResult, PlayableGame, WhiteScore};
use soffio::notation::pdn::{GameRecord, PdnMove, read_games};
use soffio::notation::{FenRecord, WrittenGame};
use soffio::rules::{Color, Variant};
use std::collections::BTreeMap;

/// A game by chance, with the FEN of each of its positions.
struct Sample {
    record: GameRecord,
    game: PlayableGame,
    analysis: Analysis,
    fens: Vec<FenRecord>,
}

impl Sample {
    /// A game of `variant` in which every move is called a blunder if there was another one.
    fn new(variant: Variant, random: &mut fastrand::Rng) -> Self {
        let mut game = WrittenGame::new(variant);
        let mut record =
            GameRecord { tags: vec![("White".to_owned(), variant.name().to_owned())], ..GameRecord::default() };
        let mut analysis = Analysis { scores: vec![WhiteScore::Centimen(0)], moves: Vec::new() };
        let mut fens = vec![game.fen()];
        while record.moves.len() < 24 {
            let (moves, side) = (game.legal_moves(), game.side());
            let Some(text) = random.choice(&moves) else { break };
            let other = moves.iter().find(|other| *other != text);
            let mark = other.map(|_| Mark::Blunder);
            let better = other.into_iter().cloned().collect();
            analysis.moves.push(Judgement { side, loss: 0, mark, given_away: None, better });
            analysis.scores.push(WhiteScore::Centimen(random.i32(-700..700)));
            record.moves.push(PdnMove::played(text));
            game.play(&[text.parse().unwrap()]).unwrap();
            fens.push(game.fen());
        }
        let playable = PlayableGame::new(&record, Some(variant)).unwrap();
        Self { record, game: playable, analysis, fens }
    }

    fn judged(&self) -> JudgedGame<'_> {
        JudgedGame { number: 1, record: &self.record, game: &self.game, is_guess: false, analysis: &self.analysis }
    }
}

/// The text of a page with `games`, without what the parser does not know.
fn page<'a>(games: impl Iterator<Item = JudgedGame<'a>>) -> String {
    let mut page = Page::default();
    games.for_each(|game| page.add(game).unwrap());
    page.text("a <page>").strip_prefix("<!DOCTYPE html>\n").unwrap().to_owned()
}

fn of_class<'a>(node: Node<'a, 'a>, class: &str) -> Vec<Node<'a, 'a>> {
    node.descendants().filter(|node| node.attribute("class") == Some(class)).collect()
}

fn json(node: Node<'_, '_>) -> Value {
    let script = node.descendants().find(|node| node.attribute("type") == Some("application/json")).unwrap();
    serde_json::from_str(script.text().unwrap()).unwrap()
}

/// The pieces of a FEN by the names of their squares, as letters.
fn pieces_of_fen(fen: &FenRecord) -> BTreeMap<String, char> {
    let mut pieces = BTreeMap::new();
    for part in fen.to_string().trim_end_matches('.').split(':').skip(1) {
        let Some(letter) = part.chars().next().filter(|letter| "WB".contains(*letter)) else { continue };
        for name in part[1..].split(',').filter(|name| !name.is_empty()) {
            match name.strip_prefix('K') {
                Some(name) => pieces.insert(name.to_owned(), letter),
                None => pieces.insert(name.to_owned(), letter.to_ascii_lowercase()),
            };
        }
    }
    pieces
}

#[test]
fn a_page_has_every_position_of_games_of_every_variant() {
    let mut random = fastrand::Rng::with_seed(11);
    let samples: Vec<_> = Variant::ALL.iter().map(|&variant| Sample::new(variant, &mut random)).collect();
    let text = page(samples.iter().map(Sample::judged));
    let document = Document::parse(&text).unwrap();
    let root = document.root_element();
    let boards = root.descendants().find(|node| node.attribute("id") == Some("boards")).unwrap();
    let boards: Value = serde_json::from_str(boards.text().unwrap()).unwrap();
    let sections = of_class(root, "game");
    assert_eq!(sections.len(), samples.len());
    for (section, sample) in sections.into_iter().zip(&samples) {
        let variant = sample.game.variant();
        let data = json(section);
        let board = &boards[data["board"].as_u64().unwrap() as usize];
        let names: Vec<_> = board["names"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
        let positions = data["positions"].as_array().unwrap();
        assert_eq!(positions.len(), sample.fens.len(), "{variant}");
        for (position, fen) in positions.iter().zip(&sample.fens) {
            let position = position.as_str().unwrap();
            assert_eq!(position.len(), 1 + usize::from(variant.spec().shape.squares()), "{variant}");
            let pieces = names.iter().zip(position.chars().skip(1)).filter(|(_, letter)| *letter != 'e');
            let pieces: BTreeMap<_, _> = pieces.map(|(name, letter)| ((*name).to_owned(), letter)).collect();
            assert_eq!(pieces, pieces_of_fen(fen), "{variant} {fen}");
            assert_eq!(position.get(..1), fen.to_string().get(..1), "{variant} {fen}");
        }
        // A link to the position after each move, and a board for each bad one.
        let list = of_class(section, "moves")[0];
        let index = section.attribute("id").unwrap();
        let links = list.children().filter(|row| row.attribute("class").is_none()).flat_map(|row| row.children());
        let links: Vec<_> = links.filter_map(|node| node.attribute("href")).collect();
        let expected: Vec<_> = (1..=sample.record.moves.len()).map(|ply| format!("#{index}-ply-{ply}")).collect();
        assert_eq!(links, expected, "{variant}");
        let bad: Vec<_> = data["bad"].as_array().unwrap().iter().map(|at| at.as_u64().unwrap() as usize).collect();
        let marked = sample.analysis.moves.iter().enumerate().filter(|(_, judgement)| judgement.mark.is_some());
        // The first position of every variant has a choice of moves.
        assert!(!bad.is_empty() && bad == marked.map(|(index, _)| index).collect::<Vec<_>>(), "{variant}");
        let cards = of_class(section, "cards")[0];
        let pictures: Vec<_> = of_class(cards, "board");
        assert_eq!(pictures.len(), bad.len(), "{variant}");
        for (picture, at) in pictures.into_iter().zip(bad) {
            let drawn = of_class(picture, "pieces")[0].children().count();
            assert_eq!(drawn, pieces_of_fen(&sample.fens[at]).len(), "{variant}");
            let arrows = of_class(picture, "arrow bad").len() + of_class(picture, "arrow better").len();
            assert_eq!(arrows, 2, "{variant}");
            assert_eq!(data["better"][at.to_string()]["positions"].as_array().unwrap().len(), 2, "{variant}");
        }
    }
}

#[test]
fn what_stands_in_the_file_is_shown_as_text() {
    let hostile = "</script><script>alert(1)</script>]]><!--&lt;'";
    let text = format!(
        "[White \"{hostile}\"]\n[Event \"{hostile}\"]\n[GameType \"21\"]\n\n{{first {hostile}}} 1. 11-15 $1 {{then {hostile}}} 23-18 \
         (1... 22-18 {{or {hostile}}}) 0-1\n"
    );
    let record = read_games(&text).unwrap().remove(0);
    let game = PlayableGame::new(&record, None).unwrap();
    let judgement = Judgement {
        side: Color::Black,
        loss: 200,
        mark: Some(Mark::Blunder),
        given_away: Some(MissedResult::Draw),
        better: vec!["9-14".to_owned(), "22-18".to_owned()],
    };
    let fine = Judgement { side: Color::White, mark: None, given_away: None, loss: 0, better: Vec::new() };
    let scores = vec![WhiteScore::Centimen(0), WhiteScore::Centimen(200), WhiteScore::Wins(Color::White, 3)];
    let analysis = Analysis { scores, moves: vec![judgement, fine] };
    let text =
        page([JudgedGame { number: 7, record: &record, game: &game, is_guess: true, analysis: &analysis }].into_iter());
    let document = Document::parse(&text).unwrap();
    let number = |name: &str| document.descendants().filter(|node| node.tag_name().name() == name).count();
    assert_eq!((number("script"), text.matches("</script>").count(), number("nav")), (3, 3, 0));
    let section = of_class(document.root_element(), "game")[0];
    let said: String = section.descendants().filter(Node::is_text).filter_map(|node| node.text()).collect();
    for part in [
        &format!("Game 7: {hostile} \u{2013} Black"),
        "English: White won",
        &format!("{hostile} \u{b7} the variant is a guess"),
        &format!("first {hostile}"),
        &format!("then {hostile}"),
        &format!("or {hostile}"),
        "11-15!??",
        "Blunder by Black, from +0.00 to +2.00, gives the draw away.",
        "W in 3",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
}

#[test]
fn a_game_with_an_illegal_move_ends_there_and_marks_are_drawn() {
    let text =
        "[GameType \"21\"]\n\n1. 11-15 {[%clk 0:59:00] [%cal G15-19,R99-1] [%csl Y18]} 23-18 {[%x 1]} 2. 1-2 3-4 *\n";
    let record = read_games(text).unwrap().remove(0);
    let game = PlayableGame::new(&record, None).unwrap();
    let fine = |side| Judgement { side, mark: None, given_away: None, loss: 0, better: Vec::new() };
    let analysis =
        Analysis { scores: vec![WhiteScore::Centimen(0); 3], moves: vec![fine(Color::Black), fine(Color::White)] };
    let judged = JudgedGame { number: 1, record: &record, game: &game, is_guess: false, analysis: &analysis };
    let text = page([judged].into_iter());
    let document = Document::parse(&text).unwrap();
    let section = of_class(document.root_element(), "game")[0];
    let said: String = section.descendants().filter(Node::is_text).filter_map(|node| node.text()).collect();
    assert!(said.contains("2. move 1-2 2 is occupied. The game is judged up to here."), "{said}");
    assert!(said.contains("[clock 0:59:00] [green 15\u{2013}19, red 99\u{2013}1] [yellow 18]"), "{said}");
    assert!(!said.contains('%'), "{said}");
    let data = json(section);
    assert_eq!(data["positions"].as_array().unwrap().len(), 3);
    let marks = serde_json::json!({"1": [["green", {"text": "", "route": [14, 18]}], ["yellow", {"text": "", "route": [], "taken": [17]}]]});
    assert_eq!(data["marks"], marks);
}

#[test]
fn the_script_is_one_that_a_page_can_hold() {
    assert!(!SCRIPT.contains("]]>") && !SCRIPT.to_lowercase().contains("</script"));
    assert!(!STYLE.contains('<') && !STYLE.contains('&'));
    // The one address is the name of the language of pictures.
    assert_eq!([SCRIPT, STYLE, SHAPES].map(|text| text.matches("http").count()), [1, 0, 0]);
    // The side of a square is known to both.
    assert!(
        SCRIPT.contains("const SIDE = 20;")
            && Board::new(Variant::Turkish.spec()).ground("b", false).contains("h20v20h-20z")
    );
}

#[test]
fn a_game_without_moves_is_a_board() {
    let record = read_games("[GameType \"20\"]\n[FEN \"W:WK31:B1\"]\n\n*\n").unwrap().remove(0);
    let game = PlayableGame::new(&record, None).unwrap();
    let analysis = Analysis::default();
    let text = page(
        [JudgedGame { number: 1, record: &record, game: &game, is_guess: false, analysis: &analysis }].into_iter(),
    );
    let document = Document::parse(&text).unwrap();
    let pieces = of_class(document.root_element(), "pieces");
    assert_eq!((pieces.len(), pieces[0].children().count()), (1, 2));
    assert!(Document::parse(&page(std::iter::empty())).is_ok());
}
