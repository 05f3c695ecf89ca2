//! The rule set of every variant, with the source of each rule. Fields that a rule set does not mention have the values
//! of [`RuleSet::PLAIN`] or of its base.

use super::{
    Balance, Color, DrawRules, Ending, FirstSquare, Force, Landing, Letters, Notation, Objective, Precedence,
    Promotion, Removal, RuleSet,
};
use crate::board::{Lines, Shape};

/// English draughts (American checkers), PDN game type 21: rules of the World Checkers Draughts Federation (WCDF).
pub(super) const ENGLISH: RuleSet = RuleSet {
    starts: Color::Black,
    // Art. 1.19: a man that reaches the king row ends its move there. Art. 1.20: free choice among captures, each
    // played to its end. Art. 1.32: third occurrence; no man advanced and no capture in the last 40 moves by each side.
    draws: DrawRules { quiet_plies: Some(80), ..DrawRules::REPETITION },
    ..RuleSet::PLAIN
};

/// Casual checkers: English draughts as played at home, with the majority rule and regicide. No federation publishes
/// rules.
pub(super) const CASUAL: RuleSet = RuleSet {
    // Kings and men count the same, whichever captures.
    precedence: Precedence::MostPieces,
    // A man that captures a king is crowned where it lands and continues as a king, even from the far row. A man that
    // reaches the far row without having captured a king ends its move there.
    regicide: true,
    ..ENGLISH
};

/// Italian draughts, PDN game type 22: technical rules of the Federazione Italiana Dama (FID).
pub(super) const ITALIAN: RuleSet = RuleSet {
    // Art. 2.3, 2.4: a dark square in the bottom right corner; numbers from the top left.
    shape: Shape::BOARD8_MIRRORED,
    // Art. 5.3a, 5.3b: men capture forwards, and never a king.
    men_capture_kings: false,
    // Art. 6.6 to 6.10; several kings are compared in order of capture.
    precedence: Precedence::Italian,
    // Art. 9.3b1 and 10.4, as cited by the rule tests of dctl.
    draws: DrawRules { repetitions: 4, quiet_plies: Some(80), ..DrawRules::REPETITION },
    ..RuleSet::PLAIN
};

/// International draughts, PDN game type 20: rules of the Fédération Mondiale du Jeu de Dames (FMJD), Annex 1 of 2015.
pub(super) const INTERNATIONAL: RuleSet = RuleSet {
    shape: Shape::BOARD10,
    men_rows: 4,
    // Art. 4.1: men capture in all four directions.
    men_capture_backward: true,
    // Art. 3.9, 4.3, 4.6.
    flying_kings: true,
    // Art. 4.15: a man that passes the far row during a capture stays a man.
    promotion: Promotion::AtRest,
    // Art. 4.13, 4.14: most pieces; kings and men count the same, whichever captures.
    precedence: Precedence::MostPieces,
    draws: DrawRules {
        // Art. 6.1.
        repetitions: 3,
        // Art. 6.2: 25 moves by each side with kings only, without a capture.
        quiet_plies: Some(50),
        endings: &[
            // Art. 6.3: three pieces, one of them a king, against a lone king: 16 moves by each side.
            Ending { force: Force::WithKing, pieces: (3, 3), plies: 32, restarts: false },
            // Art. 6.4: two kings, a king and a man, or a king against a lone king: 5 moves by each side.
            Ending { force: Force::WithKing, pieces: (1, 2), plies: 10, restarts: false },
        ],
        ..DrawRules::REPETITION
    },
    ..RuleSet::PLAIN
};

/// Canadian draughts, PDN game type 27: international rules on a larger board.
pub(super) const CANADIAN: RuleSet = RuleSet { shape: Shape::BOARD12, men_rows: 5, ..INTERNATIONAL };

pub(super) const SRI_LANKAN: RuleSet = RuleSet { shape: Shape::BOARD12_MIRRORED, ..CANADIAN };

/// Dumm (long draughts) of South Africa, 14x14 with 42 men per side (mlwi.magix.net; `-1,W,14,14,N2,0` on the test page
/// of the PDN standard). As on that page, the old rule of huffing a piece that did not capture is omitted.
pub(super) const DUMM: RuleSet = RuleSet { shape: Shape::BOARD14, men_rows: 6, ..INTERNATIONAL };

/// Russian draughts, PDN game type 25: rules of the FMJD section for draughts on 64 squares (FMJD-64).
pub(super) const RUSSIAN: RuleSet = RuleSet {
    men_capture_backward: true,
    // Art. 4.6: free choice among captures, but a king must land where it can continue capturing.
    flying_kings: true,
    // A man that touches the far row during a capture continues as a king.
    promotion: Promotion::Passing,
    draws: DrawRules {
        repetitions: 3,
        // Art. 7.2.4: 15 moves with kings only, counted per side as on lidraughts.
        quiet_plies: Some(30),
        endings: &[
            // Art. 7.2.3: three or more kings against a lone king must win by the 15th move after reaching their
            // current number: if the lone king captures one of four, the other three have 15 moves.
            Ending { force: Force::Kings, pieces: (3, 12), plies: 30, restarts: true },
            // Art. 7.2.8: two pieces, one of them a king, or a king against a lone king: 5 moves.
            Ending { force: Force::WithKing, pieces: (1, 2), plies: 10, restarts: false },
        ],
        // Art. 7.2: three pieces, one of them a king, against a lone king on the main road: 5 moves. The text does not
        // say what happens when the king leaves the road; here the count restarts.
        main_road: Some(Ending { force: Force::WithKing, pieces: (3, 3), plies: 10, restarts: false }),
        // Art. 7.2: kings on both sides and no capture or promotion in 30 or 60 moves.
        balances: &[Balance { pieces: (4, 5), plies: 60 }, Balance { pieces: (6, 7), plies: 120 }],
    },
    notation: Notation { capture: ':', ..Notation::ALGEBRAIC },
    ..RuleSet::PLAIN
};

/// Spantsiretti, PDN game type 41: Russian draughts on ten columns.
pub(super) const SPANTSIRETTI: RuleSet = RuleSet {
    shape: Shape::BOARD10X8,
    // No diagonal joins two corners of this board.
    draws: DrawRules { main_road: None, ..RUSSIAN.draws },
    ..RUSSIAN
};

/// Brazilian draughts, PDN game type 26: international rules on the small board.
pub(super) const BRAZILIAN: RuleSet = RuleSet {
    shape: Shape::BOARD8,
    men_rows: 3,
    // Summaries of the Brazilian federation: 20 moves by each side with kings only. Everything else as in Russian
    // draughts, by the common rules of FMJD-64.
    draws: DrawRules { quiet_plies: Some(40), ..RUSSIAN.draws },
    notation: Notation::ALGEBRAIC,
    ..INTERNATIONAL
};

/// American pool checkers, PDN game type 23: rules of the American Pool Checkers Association (APCA).
pub(super) const POOL: RuleSet = RuleSet {
    starts: Color::Black,
    men_capture_backward: true,
    flying_kings: true,
    promotion: Promotion::AtRest,
    draws: DrawRules {
        // Rule 26, as cited by dctl: 30 plies without progress.
        quiet_plies: Some(30),
        // Three kings against one must win within 13 moves, even if the 14th would be a capture.
        endings: &[Ending { force: Force::Kings, pieces: (3, 3), plies: 26, restarts: false }],
        ..DrawRules::REPETITION
    },
    ..RuleSet::PLAIN
};

/// Jamaican draughts, PDN game type `23,B,8,8,A1,1`: pool checkers on the mirrored board (poolcheckers.com).
pub(super) const JAMAICAN: RuleSet = RuleSet {
    shape: Shape::BOARD8_MIRRORED,
    // PDN standard: a1 is at the right of Black, who moves first, and "the direction of the numbering is vertical".
    // That matches a lettered board turned by a quarter to have its dark corner there. The standard's diagram and the
    // page that draws it reverse letters and digits without turning the board; no printed game that settles the
    // question is known.
    notation: Notation { letters: Letters::Turned, ..Notation::ALGEBRAIC },
    ..POOL
};

/// Unified pool checkers, and Zimbabwean pool on the light squares, PDN game type `23,W,8,8,A0,0`: pool checkers in
/// which White moves first and squares are written as letter and digit (PDN 3.0, table of game types).
pub(super) const UNIFIED_POOL: RuleSet = RuleSet { starts: Color::White, notation: Notation::ALGEBRAIC, ..POOL };

/// Spanish draughts, PDN game type 24, and Portuguese: rules of the Federação Portuguesa de Damas (FPD), 2013.
pub(super) const SPANISH: RuleSet = RuleSet {
    shape: Shape::BOARD8_MIRRORED,
    flying_kings: true,
    // The law of quantity, then the law of quality; the capturing piece does not matter.
    precedence: Precedence::MostPiecesMostKings,
    // The laws of limited moves as usually quoted: 20 moves with kings only, and 12 moves for three kings against one
    // on the long diagonal, the river.
    draws: DrawRules {
        quiet_plies: Some(40),
        main_road: Some(Ending { force: Force::Kings, pieces: (3, 3), plies: 24, restarts: false }),
        ..DrawRules::REPETITION
    },
    // Square 1 is at White's right.
    notation: Notation { first: FirstSquare::BottomRight, ..Notation::NUMERIC },
    ..RuleSet::PLAIN
};

/// Czech draughts, PDN game type 29: rules of the Czech federation as cited by dctl and the Czech Wikipedia.
pub(super) const CZECH: RuleSet = RuleSet {
    flying_kings: true,
    // A king must capture if it can; beyond that the choice is free.
    precedence: Precedence::KingFirst,
    // No exact counts could be verified: repetition and 15 king moves by each side, as in Russian draughts.
    draws: DrawRules { quiet_plies: RUSSIAN.draws.quiet_plies, ..DrawRules::REPETITION },
    notation: Notation::ALGEBRAIC,
    ..RuleSet::PLAIN
};

/// Thai draughts (makhos), PDN game type 31, as described by the German Wikipedia and the PDN standard.
pub(super) const THAI: RuleSet = RuleSet {
    // As in PDN; players do not agree on who moves first.
    starts: Color::Black,
    men_rows: 2,
    flying_kings: true,
    // A king lands directly behind the piece, which is removed at once; it may turn back.
    landing: Landing::Behind,
    removal: Removal::AtOnce,
    may_reverse: true,
    // No counts could be verified: repetition, and the Russian limit on king moves.
    draws: DrawRules { quiet_plies: Some(30), ..DrawRules::REPETITION },
    notation: Notation { first: FirstSquare::BottomRight, capture: '-', ..Notation::NUMERIC },
    ..RuleSet::PLAIN
};

/// Turkish draughts (dama), PDN game type 30, played on all 64 squares.
pub(super) const TURKISH: RuleSet = RuleSet {
    shape: Shape::BOARD8_EVERY,
    men_rows: 2,
    empty_rows: 1,
    // Men move and capture forwards and sideways, kings like a rook.
    moves: Lines::Orthogonal,
    captures: Lines::Orthogonal,
    flying_kings: true,
    // Pieces are removed as they are jumped, but two consecutive jumps never go in opposite directions.
    removal: Removal::AtOnce,
    // A man that reaches the far row during a capture continues as a man, and is crowned if it ends there: the
    // published reading of hgware.com and of the open implementations.
    promotion: Promotion::AtRest,
    precedence: Precedence::MostPieces,
    draws: DrawRules {
        // No count is documented; this is the international one.
        quiet_plies: Some(50),
        // One piece each is a draw, even if one is a king (damaakademisi.com, 19b; a later Wikipedia wording lets a
        // king win against a man). As in pydraughts, 2 more moves by each side allow a pending capture.
        endings: &[Ending { force: Force::Pieces, pieces: (1, 1), plies: 4, restarts: false }],
        ..DrawRules::REPETITION
    },
    notation: Notation::ALGEBRAIC,
    ..RuleSet::PLAIN
};

/// Armenian draughts (tama), no PDN number: Turkish draughts with diagonal steps. Sources: W. Schmidt (Le jeu de dames
/// oriental, 1934, via Ludii), the English Wikipedia, iGGameCenter and the checkers wiki of Fandom; they disagree only
/// on [`RuleSet::promotion`].
pub(super) const ARMENIAN: RuleSet = RuleSet {
    // Men step forwards, diagonally forwards and sideways, kings move like a chess queen. Captures are as in Turkish
    // draughts, never diagonal.
    moves: Lines::Both,
    // Disputed, as in Turkish draughts. Schmidt, Ludii, Fandom and hcheckers crown a man on the far row during a
    // capture and let it continue as a king. At iGGameCenter only a man that ends its move there is crowned.
    promotion: Promotion::Passing,
    // No draw rule is documented; only Turkish sources call one piece each a draw.
    draws: DrawRules { endings: &[], ..TURKISH.draws },
    ..TURKISH
};

/// Frisian draughts, PDN game type 40: Official Rules of 2011.
pub(super) const FRISIAN: RuleSet = RuleSet {
    shape: Shape::BOARD10,
    men_rows: 4,
    // Rows and columns too; men capture in all directions.
    captures: Lines::Both,
    men_capture_backward: true,
    flying_kings: true,
    promotion: Promotion::AtRest,
    // Art. 11, 12: the greatest value; at equal value with a king.
    precedence: Precedence::Value,
    // Art. 17: while it has men, a side may make at most three consecutive quiet moves with the same king.
    king_moves: Some(3),
    draws: DrawRules {
        // The 2011 rules have neither repetition nor a general limit. Without the international limits, two engines
        // would never end a drawn game.
        quiet_plies: Some(50),
        endings: &[
            // Art. 18: two kings against one: 7 moves.
            Ending { force: Force::Kings, pieces: (2, 2), plies: 14, restarts: false },
            // Art. 21.1: one king each is a draw unless a capture follows at once or is forced. As on lidraughts, two
            // moves by each side decide.
            Ending { force: Force::Kings, pieces: (1, 1), plies: 4, restarts: false },
        ],
        ..DrawRules::REPETITION
    },
    ..RuleSet::PLAIN
};

/// Frysk!: Frisian draughts with five men each.
pub(super) const FRYSK: RuleSet = RuleSet { men_rows: 1, ..FRISIAN };

/// Returns the killer game of `base` (Christian Freeling): a king whose last captured piece is a king stops directly
/// behind it.
pub(super) const fn killer(base: RuleSet) -> RuleSet {
    // The base limits the hopeless chase of a lone king to 5 or 16 moves. In killer draughts two kings catch one, often
    // after more moves, so only the limits for king-only endings and general play are kept.
    let draws = DrawRules { endings: of_kings_alone(base.draws.endings), main_road: None, ..base.draws };
    RuleSet { landing: Landing::BehindLastKing, draws, ..base }
}

/// Returns the leading `endings` whose strong side has only kings, at least three: with fewer it could not win in the
/// base.
const fn of_kings_alone(endings: &'static [Ending]) -> &'static [Ending] {
    let mut kept = 0;
    while kept < endings.len() && matches!(endings[kept].force, Force::Kings) && endings[kept].pieces.0 >= 3 {
        kept += 1;
    }
    endings.split_at(kept).0
}

/// Returns the losing variant of `base`: a side without a move wins.
pub(super) const fn losing(base: RuleSet) -> RuleSet {
    // The limits of the base are for a side that tries to win by force. On lidraughts only repetition draws, but kings
    // can wander for thousands of moves without one. Engines need a limit, and 50 moves by each side is generous.
    let draws = DrawRules { repetitions: base.draws.repetitions, quiet_plies: Some(100), ..DrawRules::REPETITION };
    RuleSet { objective: Objective::Losing, draws, ..base }
}

/// Returns the breakthrough game of `base`: the side that gets the first king wins.
pub(super) const fn breakthrough(base: RuleSet) -> RuleSet {
    // No king ever moves, so a count would never start.
    RuleSet { objective: Objective::FirstKing, draws: DrawRules::REPETITION, ..base }
}

/// Returns `base` without compulsory captures. Once begun, a capture is still played to its end.
pub(super) const fn optional(base: RuleSet) -> RuleSet {
    // A side that need not capture at all need not capture the most.
    RuleSet { compulsory: false, precedence: Precedence::Free, ..base }
}
