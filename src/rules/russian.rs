//! Russian draughts, by the rules of the FMJD section for draughts on 64 squares (FMJD-64).

use super::{Balance, DrawRules, Ending, Force, Notation, Promotion, RuleSet};
use crate::board::Shape;

/// Russian draughts, PDN game type 25.
pub(super) const RUSSIAN: RuleSet = RuleSet {
    men_capture_backward: true,
    // Art. 4.6: the choice among captures is free, but a king lands where it can go on.
    flying_kings: true,
    // A man that touches the far row during a capture goes on as a king.
    promotion: Promotion::Passing,
    draws: DrawRules {
        repetitions: 3,
        // Art. 7.2.4: 15 moves of each side with kings only. As on lidraughts, "moves" are those of each side.
        quiet_plies: Some(30),
        endings: &[
            // Art. 7.2.3: three or more kings against a lone king must win by the 15th move from the moment that they are
            // so many: when the lone one has taken one of four, the three have 15 moves.
            Ending { force: Force::Kings, pieces: (3, 12), plies: 30, restarts: true },
            // Art. 7.2.8: two pieces, one of them a king, or a king against a lone king: 5 moves.
            Ending { force: Force::WithKing, pieces: (1, 2), plies: 10, restarts: false },
        ],
        // Art. 7.2: three pieces, one of them a king, against a lone king on the main road: 5 moves. The text does
        // not say what happens when the king leaves it; here the count then begins again.
        main_road: Some(Ending { force: Force::WithKing, pieces: (3, 3), plies: 10, restarts: false }),
        // Art. 7.2: kings on both sides and no capture or promotion in 30 or 60 moves.
        balances: &[Balance { pieces: (4, 5), plies: 60 }, Balance { pieces: (6, 7), plies: 120 }],
    },
    notation: Notation { capture: ':', ..Notation::ALGEBRAIC },
    ..RuleSet::PLAIN
};

/// Spantsiretti: Russian draughts on a board of ten columns, PDN game type 41.
pub(super) const SPANTSIRETTI: RuleSet = RuleSet {
    shape: Shape::BOARD10X8,
    // No diagonal joins two corners of this board.
    draws: DrawRules { main_road: None, ..RUSSIAN.draws },
    ..RUSSIAN
};
