//! Tests of the sentences that `annotate` writes. The tests replay the line of every claim, play out the captures that
//! are pending at its end, and count the pieces independently.
#![cfg(test)]

use soffio::engine::{Engine, Limits, Setting, Status, Value};
use soffio::game::{Game, Move};
use soffio::notation::WrittenGame;
use soffio::notation::pdn::{GameRecord, Guesses, PdnMove, PdnReader, decode};
use soffio::position::{Piece, Setup};
use soffio::rules::{Color, Variant};
use soffio::stop::Stop;
use soffio_analysis::annotate::{AnalysisTask, Analyst, HashClearing, PlayableGame, annotate, explain};
use std::collections::BTreeMap;

/// Maximum number of moves in the exhaustive search for a win, and the node limit of that search.
const PROOF: (u16, u64) = (12, 300_000);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Claim {
    Gains(i32),
    Loses(i32),
    Shot(i32),
    King,
    Exchanges(i32),
    Sacrifices(i32),
    WinsIn(u16),
    Brings(String, String),
    /// A claim about scores or about a proven win or draw. The test does not check it against the line.
    Score,
}

/// A claim and its line. A claim without a line refers to the variation.
type Statement = (Claim, Vec<String>);

/// Parses the number of pieces from words such as `a man` and `2 men`.
fn count(words: &[&str]) -> i32 {
    let [number, "man" | "men" | "piece" | "pieces"] = words else { panic!("no pieces: {words:?}") };
    if *number == "a" { 1 } else { number.parse().unwrap_or_else(|_| panic!("no number: {words:?}")) }
}

/// Splits `words` into the moves at the start and the remaining words.
fn line_of<'a, 'b>(words: &'a [&'b str]) -> (Vec<String>, &'a [&'b str]) {
    let is_move = |word: &&&str| word.contains(['-', 'x', ':']) && word.contains(|c: char| c.is_ascii_digit());
    let moves: Vec<_> = words.iter().take_while(is_move).map(|&word| word.to_owned()).collect();
    let rest = &words[moves.len()..];
    (moves, rest)
}

/// Parses the reason why the played move is bad.
fn reason(text: &str) -> Statement {
    let text = text.replace("gives the win away: ", "").replace("gives the draw away: ", "").replace(',', "");
    let words: Vec<_> = text.split_whitespace().collect();
    let about = |claim, words: &[&str]| {
        let (line, rest) = line_of(words);
        assert!(!line.is_empty() && rest.is_empty(), "{text}");
        (claim, line)
    };
    match words[..] {
        ["loses", number, men, ref line @ ..] => about(Claim::Loses(count(&[number, men.trim_end_matches(':')])), line),
        ["allows", "the", "shot", ref line @ .., "which", "gains", number, men] => {
            about(Claim::Shot(count(&[number, men])), line)
        }
        ["lets", "White" | "Black", "make", "a", "king:", ref line @ ..] => about(Claim::King, line),
        ["gives", "the", "win" | "draw", "away"] | ["the", "score", "falls", "by", _] => (Claim::Score, Vec::new()),
        ["the", "chance", "of", "winning", "falls", "from", from, "to", to, "%"]
        | ["the", "chance", "of", "losing", "rises", "from", to, "to", from, "%"] => {
            let [from, to] = [from, to].map(|text| text.parse::<u8>().expect("a percentage"));
            assert!(from > to && from <= 100, "{text}");
            (Claim::Score, Vec::new())
        }
        _ => panic!("unrecognised: {text}"),
    }
}

/// Parses the sentence about the better line.
fn plan(text: &str) -> Statement {
    let words: Vec<_> = text.split_whitespace().collect();
    let (line, rest) = line_of(&words);
    assert!(!line.is_empty(), "{text}");
    let claim = match *rest {
        ["gains", ref men @ ..] => Claim::Gains(count(men)),
        ["makes", "a", "king"] => Claim::King,
        ["exchanges", ref men @ ..] => Claim::Exchanges(count(men)),
        ["sacrifices", ref men @ ..] => Claim::Sacrifices(count(men)),
        ["wins", "in", moves] => Claim::WinsIn(moves.parse().expect("a number")),
        ["brings", "the", "piece", "on", from, "to", to] => Claim::Brings(from.to_owned(), to.to_owned()),
        ["is", "better"] => Claim::Score,
        _ => panic!("unrecognised: {text}"),
    };
    (claim, line)
}

fn pieces(game: &Game, of: Color) -> i32 {
    game.setup().pieces.values().map(|piece| if piece.color == of { 1 } else { -1 }).sum()
}

fn kings(game: &Game, of: Color) -> usize {
    game.setup().pieces.values().filter(|&&piece| piece == Piece { color: of, king: true }).count()
}

/// Returns the position after each legal capture in `game`, and whether capturing is optional.
fn captures(game: &Game) -> (Vec<Game>, bool) {
    let legal = game.legal_moves();
    let after = |mv: &Move| {
        let mut after = game.clone();
        assert!(after.play(*mv));
        after
    };
    let captures: Vec<_> = legal.iter().filter(|mv| mv.is_capture()).map(after).collect();
    let is_free = captures.len() < legal.len() || captures.is_empty();
    (captures, is_free)
}

/// Returns the material lead of `of` in pieces after both sides have played out all captures optimally.
fn settled(game: &Game, of: Color) -> i32 {
    let (captures, is_free) = captures(game);
    let outcomes = captures.iter().map(|after| settled(after, of)).chain(is_free.then(|| pieces(game, of)));
    let best = if game.side() == of { outcomes.max() } else { outcomes.min() };
    best.expect("there is a capture, or capturing is optional")
}

/// Returns the minimum number of kings that `of` keeps after all pending captures.
fn settled_kings(game: &Game, of: Color) -> usize {
    let (captures, is_free) = captures(game);
    let outcomes = captures.iter().map(|after| settled_kings(after, of)).chain(is_free.then(|| kings(game, of)));
    outcomes.min().expect("there is a capture, or capturing is optional")
}

/// Returns whether a move of the side to move makes a king.
fn can_make_king(game: &Game) -> bool {
    game.legal_moves().into_iter().any(|mv| {
        let mut after = game.clone();
        assert!(after.play(mv));
        kings(&after, game.side()) > kings(game, game.side())
    })
}

/// Returns true if neither side can capture.
fn is_quiet(game: &Game) -> bool {
    let setup = game.setup();
    let flipped = Setup { side: setup.side.opponent(), king_runs: [None; 2], ..setup };
    let other = Game::from_setup(game.variant(), &flipped).expect("the pieces are the same");
    [game, &other].iter().all(|game| captures(game).0.is_empty())
}

/// Returns the game after each of the moves in `texts`.
fn replayed(start: &WrittenGame, texts: &[String]) -> Vec<WrittenGame> {
    let mut game = start.clone();
    let mut play = |text: &String| {
        game.play(&[PdnMove::new(text).record().expect("it is a move")]).expect("it is legal");
        game.clone()
    };
    texts.iter().map(&mut play).collect()
}

struct BadMove {
    before: WrittenGame,
    played: WrittenGame,
    /// The game after each move of the variation.
    better: Vec<WrittenGame>,
}

impl BadMove {
    /// Returns whether the claim about the played move is true if the opponent replies with `line`.
    fn is_true_of_reply(&self, claim: &Claim, line: &[String]) -> bool {
        let winner = self.played.side();
        let (before, end) = (self.before.game(), replayed(&self.played, line));
        let (Some(end), [instead, ..]) = (end.last().map(WrittenGame::game), &self.better[..]) else { return false };
        let (instead, last) = (instead.game(), self.better.last().unwrap_or(instead).game());
        match *claim {
            Claim::Loses(men) | Claim::Shot(men) => {
                let gained = settled(end, winner);
                let is_shot = replayed(&self.played, line).windows(2).any(|pair| {
                    pair[0].side() != winner && pieces(pair[1].game(), winner) < pieces(pair[0].game(), winner)
                });
                gained - pieces(before, winner) == men
                    && [instead, last].iter().all(|other| gained - settled(other, winner) >= men)
                    && is_quiet(end)
                    && (is_shot || matches!(claim, Claim::Loses(_)))
            }
            Claim::King => {
                is_quiet(end)
                    && settled_kings(end, winner) > kings(before, winner)
                    && !can_make_king(instead)
                    && self.better.iter().all(|game| kings(game.game(), winner) <= kings(before, winner))
            }
            _ => false,
        }
    }

    /// Returns whether the claim about the better move is true at the end of its `line` and at the end of the
    /// variation.
    fn is_true_of_better(&self, claim: &Claim, line: &[String]) -> bool {
        let side = self.before.side();
        let (before, alternative) = (self.before.game(), self.played.game());
        let stated = replayed(&self.before, line);
        let (Some(stated), Some(last)) = (stated.last().map(WrittenGame::game), self.better.last()) else {
            return false;
        };
        let last = last.game();
        let lost = |game: &Game, of: Color| {
            let left = |game: &Game| game.setup().pieces.values().filter(|piece| piece.color == of).count() as i32;
            left(before) - left(game)
        };
        match claim {
            Claim::Gains(men) => [stated, last].iter().all(|end| {
                let gained = settled(end, side);
                gained - pieces(before, side) >= *men && gained - settled(alternative, side) >= *men
            }),
            Claim::King => {
                [stated, last].iter().all(|end| settled_kings(end, side) > kings(before, side))
                    && kings(alternative, side) <= kings(before, side)
            }
            Claim::Exchanges(men) => {
                !before.can_capture()
                    && is_quiet(stated)
                    && [side, side.opponent()].iter().all(|&of| lost(stated, of) == *men)
                    && settled(last, side) >= pieces(before, side)
            }
            Claim::Sacrifices(men) => {
                let net = pieces(before, side) - men;
                let is_kept = settled(alternative, side) > net;
                !before.can_capture()
                    && is_quiet(stated)
                    && pieces(stated, side) == net
                    && settled(last, side) == net
                    && is_kept
            }
            Claim::Brings(from, to) => self.brings(from, to),
            _ => false,
        }
    }

    /// Returns whether the piece on `from` is on `to` at the end of the variation.
    fn brings(&self, from: &str, to: &str) -> bool {
        let (side, spec) = (self.before.side(), self.before.spec());
        let name = |square| spec.square_name(square).to_string();
        let mut at = from.to_owned();
        for game in &self.better {
            let mv = game.game().last_move().expect("it was played");
            if game.side() == side {
                let pieces = game.game().setup().pieces;
                if !pieces.iter().any(|(&square, piece)| name(square) == at && piece.color == side) {
                    return false;
                }
            } else if name(mv.from) == at {
                at = name(mv.to);
            }
        }
        at == to
    }

    /// Returns whether the better move is proved to win within `moves` moves, or `None` if the search was too short to
    /// decide.
    fn wins_in(&self, engine: &mut Engine, moves: u16) -> Option<bool> {
        let root_moves = self.better.first().and_then(|game| game.game().last_move()).into_iter().collect();
        let limits = Limits { win_in: Some(moves), nodes: Some(PROOF.1), root_moves, ..engine.limits() };
        let found = engine.go(self.before.game(), limits).expect("there is enough memory");
        match found.value {
            Value::Win(found) => Some(found <= moves),
            _ => found.has_no_win.then_some(false),
        }
    }
}

/// The number of claims of each kind, and the texts of the false claims.
#[derive(Default)]
struct Account {
    games: usize,
    claims: BTreeMap<&'static str, u64>,
    wrong: Vec<String>,
}

impl Account {
    fn add(&mut self, claim: &Claim, is_true: Option<bool>, text: &str, bad: &BadMove) {
        let kind = match (claim, is_true) {
            (_, None) => "not decided",
            (Claim::Gains(_), _) => "gains",
            (Claim::Loses(_), _) => "loses",
            (Claim::Shot(_), _) => "shot",
            (Claim::King, _) => "king",
            (Claim::Exchanges(_), _) => "exchanges",
            (Claim::Sacrifices(_), _) => "sacrifices",
            (Claim::WinsIn(_), _) => "wins in",
            (Claim::Brings(..), _) => "brings",
            (Claim::Score, _) => "score",
        };
        *self.claims.entry(kind).or_default() += 1;
        if is_true == Some(false) {
            let last = bad.played.game().last_move().expect("it was played");
            self.wrong.push(format!("{} {} {}: {text}", bad.before.variant(), bad.before.fen(), bad.before.text(last)));
        }
    }

    /// Checks the sentences in an annotated game of `variant`.
    fn check(&mut self, record: &GameRecord, variant: Variant, engine: &mut Engine) {
        self.games += 1;
        let game = PlayableGame::new(record, Some(variant)).expect("it is a game");
        let mut after = game.played().clone();
        let mut positions = vec![after.clone()];
        while after.undo(1).is_ok() {
            positions.push(after.clone());
        }
        positions.reverse();
        for (mv, pair) in record.moves.iter().zip(positions.windows(2)) {
            let comment = mv.comment.as_deref().unwrap_or_default();
            let score = comment.split_once("] ").or_else(|| comment.split_once(", "));
            let (Some((_, sentence)), Some(variation)) = (score, mv.variations.last()) else { continue };
            let texts: Vec<_> = variation.moves.iter().map(|mv| mv.text.clone()).collect();
            let better = replayed(&pair[0], &texts);
            let bad = BadMove { before: pair[0].clone(), played: pair[1].clone(), better };
            let (first, second) = match sentence.split_once("; ") {
                Some((first, second)) => (Some(first), Some(second)),
                None if sentence.contains(" wins in ") => (None, Some(sentence)),
                None => (Some(sentence), None),
            };
            if let Some((claim, line)) = first.map(reason) {
                self.add(&claim, Some(claim == Claim::Score || bad.is_true_of_reply(&claim, &line)), sentence, &bad);
            }
            let Some((claim, line)) = second.map(plan) else { continue };
            assert_eq!(replayed(&pair[0], &line[..1])[0].fen(), bad.better[0].fen(), "{sentence}");
            let is_true = match claim {
                Claim::Score => Some(true),
                Claim::WinsIn(moves) if moves > PROOF.0 => None,
                Claim::WinsIn(moves) => bad.wins_in(engine, moves),
                _ => Some(bad.is_true_of_better(&claim, &line)),
            };
            self.add(&claim, is_true, sentence, &bad);
        }
    }

    #[track_caller]
    fn assert_true(&self) {
        println!("{} games: {:?}", self.games, self.claims);
        assert!(self.wrong.is_empty(), "{} are false:\n{}", self.wrong.len(), self.wrong.join("\n"));
    }
}

fn engine() -> Engine {
    let mut engine = Engine::new();
    engine.apply(Setting::Hash(4)).expect("there is enough memory");
    engine
}

/// Returns a game of `variant` in which both players search few nodes and sometimes play a random move.
fn game_of(variant: Variant, random: &mut fastrand::Rng) -> GameRecord {
    let (mut engine, mut game) = (engine(), WrittenGame::new(variant));
    let mut record = GameRecord::default();
    while record.moves.len() < 70 && matches!(game.status(), Status::Playing { .. }) {
        let is_random = record.moves.len() < 4 || random.u8(..12) == 0;
        let mv = if is_random {
            *random.choice(&game.game().legal_moves()).expect("the game continues")
        } else {
            let limits = Limits { nodes: Some(random.u64(20..400)), ..engine.limits() };
            engine.go(game.game(), limits).expect("there is enough memory").best.expect("the game continues")
        };
        record.moves.push(PdnMove::played(game.text(mv)));
        assert!(game.play_found(mv));
    }
    record.set_variant(variant);
    record
}

/// Annotates `games` games of every variant at search depth `depth`, and checks the annotations.
fn check_games(games: usize, depth: u8, seed: u64) -> Account {
    let (mut random, mut account) = (fastrand::Rng::with_seed(seed), Account::default());
    let (limits, stop) = (Limits { depth: Some(depth), ..Limits::default() }, Stop::new());
    let task = AnalysisTask { limits: &limits, blunder: 80, stop: &stop };
    let mut analyst = Analyst::new(engine(), HashClearing::EachGame);
    for variant in Variant::listed() {
        for _ in 0..games {
            let mut record = game_of(variant, &mut random);
            let game = PlayableGame::new(&record, None).expect("it is a game");
            let mut analysis = analyst.analyse(&game, &task, &mut |_, _, _| {}).expect("it is legal");
            explain(&game, &mut analysis);
            annotate(&mut record, 0, &analysis);
            account.check(&record, variant, &mut analyst.engine);
        }
    }
    account
}

#[test]
fn claims_hold_when_their_lines_are_played_out() {
    let account = check_games(1, 5, 7);
    account.assert_true();
    let of = |kind| account.claims.get(kind).copied().unwrap_or_default();
    assert!(of("loses") + of("shot") > 10 && of("gains") > 1 && of("exchanges") > 5, "{:?}", account.claims);
}

#[test]
#[ignore = "takes five minutes"]
fn claims_hold_in_hundreds_of_games_of_all_variants() {
    let account = check_games(20, 9, 53);
    assert!(account.games >= 500);
    account.assert_true();
}

/// This test is run by hand. `SOFFIO_ANNOTATED` must name a file that was written by `soffio annotate`.
#[test]
#[ignore = "needs a file"]
fn the_claims_in_an_annotated_file_hold() {
    let path = std::env::var("SOFFIO_ANNOTATED").expect("SOFFIO_ANNOTATED names a file");
    let text = decode(&std::fs::read(path).expect("the file can be read")).text;
    let records: Vec<_> = PdnReader::new(&text).map(|game| game.record).collect();
    let (guesses, mut account, mut engine) = (Guesses::new(&records), Account::default(), engine());
    for record in &records {
        let variant = record.variant().expect("the tag names a variant").or_else(|| guesses.variant(record));
        account.check(record, variant.expect("the variant can be guessed"), &mut engine);
    }
    account.assert_true();
}
