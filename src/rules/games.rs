//! The rule set of every variant, with the source of each rule. Each rule set is based on [`RuleSet::PLAIN`] or on
//! another rule set, and inherits every field that it does not set.

use super::{
    Color, DrawRules, Ending, FirstSquare, KingsLimit, Landing, Letters, Notation, Objective, Precedence, Promotion,
    Removal, RuleSet, StrongSide,
};
use crate::board::{Lines, Shape};

/// English draughts (American checkers), PDN game type 21: rules of the World Checkers Draughts Federation (WCDF).
pub(super) const ENGLISH: RuleSet = RuleSet {
    starts: Color::Black,
    // Art. 1.19: A man that reaches the king row ends its move there. Art. 1.20: A player may choose any capture, but
    // must complete it. Art. 1.32: The game is drawn at the third occurrence of a position, or if neither side has
    // advanced a man or captured a piece in its last 40 moves.
    draws: DrawRules { quiet_plies: Some(80), ..DrawRules::REPETITION },
    ..RuleSet::PLAIN
};

/// Casual checkers: English draughts as played at home, with the majority rule and regicide. No federation publishes
/// rules for it.
pub(super) const CASUAL: RuleSet = RuleSet {
    // Captured kings and men count the same, and it does not matter whether a man or a king captures them.
    precedence: Precedence::MostPieces,
    // A man that captures a king is crowned where it lands and continues as a king, even from the far row. A man that
    // reaches the far row without having captured a king ends its move there.
    regicide: true,
    ..ENGLISH
};

/// Italian draughts, PDN game type 22: technical rules of the Federazione Italiana Dama (FID).
pub(super) const ITALIAN: RuleSet = RuleSet {
    // Art. 2.3, 2.4: The bottom right corner is a dark square, and squares are numbered from the top left.
    shape: Shape::BOARD8_MIRRORED,
    // Art. 5.3a, 5.3b: Men capture only forwards and never capture a king.
    men_capture_kings: false,
    // Art. 6.6 to 6.10. Captures of the same number of kings are compared by how early they capture the kings.
    precedence: Precedence::Italian,
    // Art. 9.3b1 and 10.4, as cited in the rule tests of dctl.
    draws: DrawRules { repetitions: 4, quiet_plies: Some(80), ..DrawRules::REPETITION },
    ..RuleSet::PLAIN
};

/// International draughts, PDN game type 20: rules of the Fédération Mondiale du Jeu de Dames (FMJD), Annex 1 of 2015.
pub(super) const INTERNATIONAL: RuleSet = RuleSet {
    shape: Shape::BOARD10,
    men_rows: 4,
    // Art. 4.1: Men capture in all four directions.
    men_capture_backward: true,
    // Art. 3.9, 4.3 and 4.6: Kings move and capture over any distance.
    flying_kings: true,
    // Art. 4.15: A man that reaches the far row during a capture but does not end its move there remains a man.
    promotion: Promotion::AtRest,
    // Art. 4.13, 4.14: The capture of the most pieces must be played. Captured kings and men count the same, and it
    // does not matter whether a man or a king captures them.
    precedence: Precedence::MostPieces,
    draws: DrawRules {
        // Art. 6.1: The game is drawn at the third occurrence of a position.
        repetitions: 3,
        // Art. 6.2: The game is drawn if each side makes 25 moves with kings only and without a capture.
        quiet_plies: Some(50),
        endings: &[
            // Art. 6.3: If one side has three pieces, including a king, against a lone king, the game is drawn after 16
            // moves by each side.
            Ending { force: StrongSide::WithKing, pieces: (3, 3), plies: 32, restarts: false },
            // Art. 6.4: If one side has two kings, a king and a man, or one king against a lone king, the game is drawn
            // after 5 moves by each side.
            Ending { force: StrongSide::WithKing, pieces: (1, 2), plies: 10, restarts: false },
        ],
        ..DrawRules::REPETITION
    },
    ..RuleSet::PLAIN
};

/// Canadian draughts, PDN game type 27: international rules on a larger board.
pub(super) const CANADIAN: RuleSet = RuleSet { shape: Shape::BOARD12, men_rows: 5, ..INTERNATIONAL };

pub(super) const SRI_LANKAN: RuleSet = RuleSet { shape: Shape::BOARD12_MIRRORED, ..CANADIAN };

/// Dumm (long draughts) from South Africa, played on a 14x14 board with 42 men per side. Sources: mlwi.magix.net, and
/// `-1,W,14,14,N2,0` on the test page of the PDN standard. As on that page, the old rule of huffing a piece that did
/// not capture is omitted.
pub(super) const DUMM: RuleSet = RuleSet { shape: Shape::BOARD14, men_rows: 6, ..INTERNATIONAL };

/// Russian draughts, PDN game type 25: rules of the FMJD section for draughts on 64 squares (FMJD-64).
pub(super) const RUSSIAN: RuleSet = RuleSet {
    men_capture_backward: true,
    // Art. 4.6: A player may choose any capture, but a king must land where it can continue capturing.
    flying_kings: true,
    // A man that touches the far row during a capture continues as a king.
    promotion: Promotion::Passing,
    draws: DrawRules {
        repetitions: 3,
        // Art. 7.2.4: The game is drawn after 15 moves with kings only, counted separately for each side as on
        // lidraughts.
        quiet_plies: Some(30),
        endings: &[
            // Art. 7.2.3: Three or more kings must win against a lone king within 15 moves after their number last
            // changed. If the lone king captures one of four kings, the other three have 15 moves.
            Ending { force: StrongSide::Kings, pieces: (3, 12), plies: 30, restarts: true },
            // Art. 7.2.8: If one side has two pieces, including a king, or one king against a lone king, the game is
            // drawn after 5 moves.
            Ending { force: StrongSide::WithKing, pieces: (1, 2), plies: 10, restarts: false },
        ],
        // Art. 7.2: If one side has three pieces, including a king, against a lone king on the main road, the game is
        // drawn after 5 moves. The rules do not say what happens when the lone king leaves the road; here the count
        // restarts.
        main_road: Some(Ending { force: StrongSide::WithKing, pieces: (3, 3), plies: 10, restarts: false }),
        // Art. 7.2: If both sides have kings, the game is drawn after 30 or 60 moves without a capture or promotion.
        kings_limits: &[KingsLimit { pieces: (4, 5), plies: 60 }, KingsLimit { pieces: (6, 7), plies: 120 }],
    },
    notation: Notation { capture: ':', ..Notation::ALGEBRAIC },
    ..RuleSet::PLAIN
};

/// Spantsiretti, PDN game type 41: Russian draughts on a board with ten columns.
pub(super) const SPANTSIRETTI: RuleSet = RuleSet {
    shape: Shape::BOARD10X8,
    // No diagonal joins two corners of this board.
    draws: DrawRules { main_road: None, ..RUSSIAN.draws },
    ..RUSSIAN
};

/// Brazilian draughts, PDN game type 26: international rules on the 8x8 board.
pub(super) const BRAZILIAN: RuleSet = RuleSet {
    shape: Shape::BOARD8,
    men_rows: 3,
    // According to summaries by the Brazilian federation, the game is drawn after 20 moves by each side with kings
    // only. The other draw rules are the common rules of FMJD-64, as in Russian draughts.
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
        // Rule 26, as cited by dctl: The game is drawn after 30 plies without progress.
        quiet_plies: Some(30),
        // Three kings must win against one within 13 moves, even if the 14th move would be a capture.
        endings: &[Ending { force: StrongSide::Kings, pieces: (3, 3), plies: 26, restarts: false }],
        ..DrawRules::REPETITION
    },
    ..RuleSet::PLAIN
};

/// Jamaican draughts, PDN game type `23,B,8,8,A1,1`: pool checkers on the mirrored board (poolcheckers.com).
pub(super) const JAMAICAN: RuleSet = RuleSet {
    shape: Shape::BOARD8_MIRRORED,
    // According to the PDN standard, a1 is to the right of Black, who moves first, and "the direction of the numbering
    // is vertical". This matches a lettered board that is rotated by 90 degrees so that its dark corner is on that
    // side. The standard's diagram and the page that draws it reverse letters and digits without rotating the board. No
    // known printed game settles the question.
    notation: Notation { letters: Letters::Turned, ..Notation::ALGEBRAIC },
    ..POOL
};

/// Unified pool checkers, and Zimbabwean pool on the light squares, PDN game type `23,W,8,8,A0,0`: pool checkers in
/// which White moves first and squares are written as a letter and a digit (PDN 3.0, table of game types).
pub(super) const UNIFIED_POOL: RuleSet = RuleSet { starts: Color::White, notation: Notation::ALGEBRAIC, ..POOL };

/// Spanish draughts, PDN game type 24, and Portuguese draughts: rules of the Federação Portuguesa de Damas (FPD), 2013.
pub(super) const SPANISH: RuleSet = RuleSet {
    shape: Shape::BOARD8_MIRRORED,
    flying_kings: true,
    // The law of quantity applies first, and then the law of quality. It does not matter which piece captures.
    precedence: Precedence::MostPiecesMostKings,
    // The laws of limited moves as they are usually quoted: The game is drawn after 20 moves with kings only, or after
    // 12 moves with three kings against one king on the long diagonal, which is called the river.
    draws: DrawRules {
        quiet_plies: Some(40),
        main_road: Some(Ending { force: StrongSide::Kings, pieces: (3, 3), plies: 24, restarts: false }),
        ..DrawRules::REPETITION
    },
    // Square 1 is on White's right.
    notation: Notation { first: FirstSquare::BottomRight, ..Notation::NUMERIC },
    ..RuleSet::PLAIN
};

/// Czech draughts, PDN game type 29: rules of the Czech federation as cited by dctl and the Czech Wikipedia.
pub(super) const CZECH: RuleSet = RuleSet {
    flying_kings: true,
    // A player who can capture with a king must do so. Otherwise the player may choose any capture.
    precedence: Precedence::KingFirst,
    // No exact limits could be verified. As in Russian draughts, the game is drawn by repetition or after 15 king moves
    // by each side.
    draws: DrawRules { quiet_plies: RUSSIAN.draws.quiet_plies, ..DrawRules::REPETITION },
    notation: Notation::ALGEBRAIC,
    ..RuleSet::PLAIN
};

/// Thai draughts (makhos), PDN game type 31, as described by the German Wikipedia and the PDN standard.
pub(super) const THAI: RuleSet = RuleSet {
    // The PDN standard lets Black move first, but players do not agree on this.
    starts: Color::Black,
    men_rows: 2,
    flying_kings: true,
    // A king lands directly behind the captured piece, which is removed at once, and the king may then turn back.
    landing: Landing::Behind,
    removal: Removal::AtOnce,
    may_reverse: true,
    // No limits could be verified. The game is drawn by repetition or by the Russian limit on king moves.
    draws: DrawRules { quiet_plies: Some(30), ..DrawRules::REPETITION },
    notation: Notation { first: FirstSquare::BottomRight, capture: '-', ..Notation::NUMERIC },
    ..RuleSet::PLAIN
};

/// Turkish draughts (dama), PDN game type 30, played on all 64 squares.
pub(super) const TURKISH: RuleSet = RuleSet {
    shape: Shape::BOARD8_EVERY,
    men_rows: 2,
    empty_rows: 1,
    // Men move and capture forwards and sideways. Kings move like a rook in chess.
    moves: Lines::Orthogonal,
    captures: Lines::Orthogonal,
    flying_kings: true,
    // Pieces are removed as soon as they are jumped, but two consecutive jumps never go in opposite directions.
    removal: Removal::AtOnce,
    // A man that reaches the far row during a capture continues as a man, and is crowned if it ends its move there.
    // This is the interpretation published by hgware.com and used by the open-source implementations.
    promotion: Promotion::AtRest,
    precedence: Precedence::MostPieces,
    draws: DrawRules {
        // No limit is documented, so the limit of international draughts is used.
        quiet_plies: Some(50),
        // One piece against one is a draw, even if one of them is a king (damaakademisi.com, 19b; according to a later
        // version of the Wikipedia article, a king wins against a man). As in pydraughts, each side has 2 more moves,
        // so that a pending capture can be played.
        endings: &[Ending { force: StrongSide::Pieces, pieces: (1, 1), plies: 4, restarts: false }],
        ..DrawRules::REPETITION
    },
    notation: Notation::ALGEBRAIC,
    ..RuleSet::PLAIN
};

/// Armenian draughts (tama), which has no PDN number: Turkish draughts with diagonal steps. Sources: W. Schmidt (Le jeu
/// de dames oriental, 1934, via Ludii), the English Wikipedia, iGGameCenter and the checkers wiki of Fandom. They
/// disagree only about [`RuleSet::promotion`].
pub(super) const ARMENIAN: RuleSet = RuleSet {
    // Men step straight forwards, diagonally forwards and sideways. Kings move like a queen in chess. Captures are
    // never diagonal, as in Turkish draughts.
    moves: Lines::Both,
    // The sources disagree, as they do for Turkish draughts. According to Schmidt, Ludii, Fandom and hcheckers, a man
    // that reaches the far row during a capture is crowned and continues as a king. At iGGameCenter, a man is crowned
    // only if it ends its move there.
    promotion: Promotion::Passing,
    // No draw rule is documented. Only Turkish sources say that one piece against one is a draw.
    draws: DrawRules { endings: &[], ..TURKISH.draws },
    ..TURKISH
};

/// Frisian draughts, PDN game type 40: Official Rules of 2011.
pub(super) const FRISIAN: RuleSet = RuleSet {
    shape: Shape::BOARD10,
    men_rows: 4,
    // Pieces also capture along rows and columns, and men capture in all directions.
    captures: Lines::Both,
    men_capture_backward: true,
    flying_kings: true,
    promotion: Promotion::AtRest,
    // Art. 11, 12: The capture with the greatest value must be played. Among captures of equal value, a king must
    // capture.
    precedence: Precedence::Value,
    // Art. 17: While a side has men, it may make at most three consecutive quiet moves with the same king.
    king_moves: Some(3),
    draws: DrawRules {
        // The 2011 rules contain neither a repetition rule nor a general limit. Without the international limits, two
        // engines would never end a drawn game.
        quiet_plies: Some(50),
        endings: &[
            // Art. 18: If one side has two kings against one king, the game is drawn after 7 moves by each side.
            Ending { force: StrongSide::Kings, pieces: (2, 2), plies: 14, restarts: false },
            // Art. 21.1: One king against one king is a draw unless a capture follows at once or is forced. As on
            // lidraughts, the game is drawn after two moves by each side.
            Ending { force: StrongSide::Kings, pieces: (1, 1), plies: 4, restarts: false },
        ],
        ..DrawRules::REPETITION
    },
    ..RuleSet::PLAIN
};

/// Frysk!: Frisian draughts with five men per side.
pub(super) const FRYSK: RuleSet = RuleSet { men_rows: 1, ..FRISIAN };

/// Returns the rules of killer draughts (Christian Freeling) for the variant `base`: if the last piece that a king
/// captures is a king, the capturing king stops directly behind it.
pub(super) const fn killer(base: RuleSet) -> RuleSet {
    // The base rules limit the hopeless pursuit of a lone king to 5 or 16 moves. In killer draughts, two kings can
    // catch a lone king but often need more moves. Therefore only the general limit and the limits for endings with
    // kings alone are kept.
    let draws = DrawRules { endings: of_kings_alone(base.draws.endings), main_road: None, ..base.draws };
    RuleSet { landing: Landing::BehindLastKing, draws, ..base }
}

/// Returns the longest prefix of `endings` in which the strong side always has at least three pieces, all of them
/// kings. With fewer kings, the strong side could not win under the base rules.
const fn of_kings_alone(endings: &'static [Ending]) -> &'static [Ending] {
    let mut kept = 0;
    while kept < endings.len() && matches!(endings[kept].force, StrongSide::Kings) && endings[kept].pieces.0 >= 3 {
        kept += 1;
    }
    endings.split_at(kept).0
}

/// Returns the rules of the losing variant of `base`, in which a side without a move wins.
pub(super) const fn losing(base: RuleSet) -> RuleSet {
    // The limits of the base rules are meant for a side that tries to force a win. On lidraughts, losing variants are
    // drawn only by repetition, but kings can wander for thousands of moves without repeating a position. Engines need
    // a limit, and 50 moves by each side is a generous one.
    let draws = DrawRules { repetitions: base.draws.repetitions, quiet_plies: Some(100), ..DrawRules::REPETITION };
    RuleSet { objective: Objective::Losing, draws, ..base }
}

/// Returns the rules of the breakthrough variant of `base`, in which the side that gets the first king wins.
pub(super) const fn breakthrough(base: RuleSet) -> RuleSet {
    // The first king ends the game. Kings therefore never move, and no move count would ever start.
    RuleSet { objective: Objective::FirstKing, draws: DrawRules::REPETITION, ..base }
}

/// Returns the rules of `base` without compulsory captures. A capture that has begun must still be completed.
pub(super) const fn optional(base: RuleSet) -> RuleSet {
    // A player who need not capture at all need not choose the largest capture either.
    RuleSet { compulsory: false, precedence: Precedence::Free, ..base }
}
