//! Tests of games with abbreviated moves, and of captures in which the input gives landing squares other than those
//! that Soffio prints.

use crate::common::random::random_setup;
use soffio::board::Square;
use soffio::notation::{FenRecord, MoveRecord, ReplayError, WrittenGame, full_path, replay, resolve};
use soffio::position::Setup;
use soffio::position::paths::{Sequence, after, legal_moves, legal_sequences};
use soffio::rules::{Landing, RuleSet, Variant};

/// The moves in full notation, and the moves that were ambiguous until a later move was read.
type Played = (String, Vec<(usize, String)>);
/// The index of an illegal move, the reason why it is illegal, and the number of legal moves.
type Rejected = (usize, String, usize);

fn played(variant: Variant, fen: &str, moves: &str) -> Result<Played, Rejected> {
    let start: Option<FenRecord> = (!fen.is_empty()).then(|| fen.parse().unwrap());
    let moves: Vec<MoveRecord> = moves.split(' ').map(|text| text.parse().unwrap()).collect();
    match replay(&WrittenGame::from_start(variant, start.as_ref()).unwrap(), &moves) {
        Ok(played) => {
            let path = |mv: &Sequence| full_path(variant.spec(), mv);
            let texts: Vec<_> = played.moves.iter().map(|mv| path(mv).replace(':', "x")).collect();
            Ok((texts.join(" "), played.settled.iter().map(|&index| (index, path(&played.moves[index]))).collect()))
        }
        Err(ReplayError { index, reason, legal }) => Err((index, reason.to_string(), legal)),
    }
}

#[test]
fn later_moves_resolve_an_ambiguous_capture() {
    let fen = "W:W30:B18,19,26,27";
    let play = |moves: &str| played(Variant::Italian, fen, moves);
    assert_eq!(play("30x14 27-30"), Ok(("30x21x14 27-30".to_owned(), vec![(0, "30x21x14".to_owned())])));
    assert_eq!(play("30x14 26-29"), Ok(("30x23x14 26-29".to_owned(), vec![(0, "30x23x14".to_owned())])));
    assert_eq!(play("30x14"), Err((0, "ambiguous: 30x21x14 or 30x23x14".to_owned(), 1)));
    assert_eq!(play("30x14 1-5").unwrap_err().0, 1, "the first impossible move is reported");
    assert_eq!(play("30x21x14 27-30").unwrap().1, []);
    assert_eq!(play("30x15").unwrap_err(), (0, "the piece on 30 cannot reach 15".to_owned(), 0));
    let quiet = played(Variant::English, "", "11x15 23x18 8-11").unwrap();
    assert_eq!(quiet, ("11-15 23-18 8-11".to_owned(), vec![]), "a capture sign without a capture");
}

/// Returns the possible landing squares after each captured piece of `sequence`. If the capture continues straight on,
/// these are all squares up to the next captured piece.
fn landings(spec: &RuleSet, sequence: &Sequence) -> Vec<Vec<Square>> {
    let place = |square: Square| {
        let column = (0..spec.shape.width).find(|&c| spec.shape.square_at(spec.shape.row(square), c) == Some(square));
        (i16::from(spec.shape.row(square)), i16::from(column.expect("it has a column")))
    };
    let sign = |a: Square, b: Square| {
        let (a, b) = (place(a), place(b));
        ((b.0 - a.0).signum(), (b.1 - a.1).signum())
    };
    let last = sequence.landings.len() - 1;
    let mut from = sequence.from;
    let squares: Vec<_> = spec.shape.all_squares().collect();
    let of_step = |(index, &landing): (usize, &Square)| {
        let came = sign(from, sequence.captured[index]);
        from = landing;
        let goes_on = index < last && sign(landing, sequence.captured[index + 1]) == came;
        if !goes_on || spec.landing == Landing::Behind {
            return vec![landing];
        }
        let (near, far) = (place(landing), place(sequence.captured[index + 1]));
        let is_between = |&&square: &&Square| {
            let (row, column) = place(square);
            let steps = (row - near.0).abs().max((column - near.1).abs());
            let whole = (far.0 - near.0).abs().max((far.1 - near.1).abs());
            steps < whole && (row, column) == (near.0 + came.0 * steps, near.1 + came.1 * steps)
        };
        // In Frisian draughts, captures along rows and columns pass over an unused square between any two playing
        // squares.
        squares.iter().filter(is_between).copied().collect()
    };
    sequence.landings.iter().enumerate().map(of_step).collect()
}

#[test]
fn a_full_path_may_name_any_free_landing_square() {
    let mut random = fastrand::Rng::with_seed(23);
    let mut others = 0;
    for variant in Variant::listed().filter(|variant| variant.spec().flying_kings) {
        let spec = variant.spec();
        for _ in 0..300 {
            let setup = random_setup(&mut random, spec, 4, 0.9);
            for sequence in legal_sequences(spec, &setup).iter().filter(|sequence| !sequence.captured.is_empty()) {
                let mut written = sequence.clone();
                for (landing, possible) in written.landings.iter_mut().zip(landings(spec, sequence)) {
                    *landing = *random.choice(&possible).expect("there is one");
                }
                others += usize::from(written != *sequence);
                let text = full_path(spec, &written);
                match resolve(spec, &setup, &text.replace(':', "x").parse().unwrap()) {
                    // The printed path takes precedence over other paths with the same landing squares.
                    Ok(meant) => {
                        assert!(meant.same_move(sequence) || meant.landings == written.landings, "{variant} {text}")
                    }
                    Err(error) => assert!(error.to_string().starts_with("ambiguous"), "{variant} {text}: {error}"),
                }
            }
        }
    }
    assert!(others > 30, "only {others} such paths occurred");
}

/// Returns the moves of a random game, with full paths and in short form.
fn random_game(spec: &RuleSet, random: &mut fastrand::Rng) -> [Vec<MoveRecord>; 2] {
    let mut setup = Setup::start(spec);
    let mut games = [Vec::new(), Vec::new()];
    while games[0].len() < 70 {
        let moves = legal_moves(spec, &setup);
        let Some(mv) = random.choice(&moves) else { break };
        let name = |square| spec.square_name(square);
        let capture = !mv.captured.is_empty();
        let path = mv.landings.iter().map(|&square| name(square)).collect();
        games[0].push(MoveRecord { from: name(mv.from), path, capture });
        games[1].push(MoveRecord { from: name(mv.from), path: [name(mv.to())].into_iter().collect(), capture });
        setup = after(spec, &setup, mv);
    }
    games
}

#[test]
fn random_games_are_replayed() {
    let mut random = fastrand::Rng::with_seed(29);
    for variant in Variant::listed() {
        let (spec, start) = (variant.spec(), WrittenGame::new(variant));
        for _ in 0..6 {
            let [full, short] = random_game(spec, &mut random);
            let replayed = replay(&start, &full).expect("every move is legal");
            assert_eq!(replayed.moves.len(), full.len());
            let ends = |mv: &MoveRecord| (mv.from, mv.path.last().copied());
            let written = |moves: &[Sequence]| -> Vec<MoveRecord> {
                moves.iter().map(|mv| full_path(spec, mv).parse().expect("it is a move")).collect()
            };
            let read = written(&replayed.moves);
            assert!(read.iter().map(ends).eq(full.iter().map(ends)), "{variant}");
            assert_eq!(replay(&start, &read).map(|again| again.moves), Ok(replayed.moves), "{variant}");
            match replay(&start, &short) {
                Ok(replayed) => {
                    assert!(written(&replayed.moves).iter().map(ends).eq(short.iter().map(ends)), "{variant}");
                }
                Err(ReplayError { reason, legal, .. }) => {
                    assert!(reason.to_string().starts_with("ambiguous") && legal == short.len(), "{variant}: {reason}");
                }
            }
        }
    }
}

#[test]
fn later_moves_can_change_the_meaning_of_a_move() {
    let mut random = fastrand::Rng::with_seed(31);
    let spec = Variant::Russian.spec();
    let mut met = 0;
    while met < 3 {
        let setup = random_setup(&mut random, spec, 6, 0.8);
        let moves = legal_moves(spec, &setup);
        let ends = |mv: &Sequence| (mv.from, mv.to());
        for long in moves.iter().filter(|mv| mv.landings.len() > 1) {
            let short = moves.iter().find(|mv| mv.landings.len() == 1 && ends(mv) == ends(long));
            let same_ends = moves.iter().filter(|mv| ends(mv) == ends(long)).count();
            let Some(short) = short.filter(|_| same_ends == 2) else { continue };
            let replies = |mv: &Sequence| legal_moves(spec, &after(spec, &setup, mv));
            let text = full_path(spec, short).replace(':', "x");
            let start = FenRecord::from_setup(spec, &setup).to_string();
            let is_reply = |reply: &Sequence, mv: &Sequence| replies(mv).iter().any(|known| ends(known) == ends(reply));
            let only_after =
                |mv: &Sequence, other: &Sequence| replies(mv).into_iter().find(|reply| !is_reply(reply, other));
            assert_eq!(
                played(Variant::Russian, &start, &text),
                Ok((text.clone(), vec![])),
                "on its own it is a full path"
            );
            if let Some(reply) = only_after(long, short) {
                let reply = full_path(spec, &reply).replace(':', "x");
                let (moves, settled) = played(Variant::Russian, &start, &format!("{text} {reply}")).unwrap();
                assert_eq!(moves, format!("{} {reply}", full_path(spec, long).replace(':', "x")), "{start}");
                assert_eq!(settled, [(0, full_path(spec, long))]);
                met += 1;
            }
        }
    }
}
