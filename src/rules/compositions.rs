//! Variants that are another variant with one rule changed.

use super::{
    Brazilian, Casual, DrawRules, English, International, Italian, Landing, Objective, Precedence, RuleSet, Rules,
    Russian, Variant,
};
use std::marker::PhantomData;

/// Killer draughts (Christian Freeling): a king whose last captured piece is a king stops right behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Killer<R>(PhantomData<R>);

/// The losing game: a side without a move has won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Losing<R>(PhantomData<R>);

/// Breakthrough: the side that has the first king has won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Breakthrough<R>(PhantomData<R>);

/// The game without the duty to capture: any capture or quiet move may be played. A capture that was begun is still
/// played to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Optional<R>(PhantomData<R>);

const fn killer(base: RuleSet) -> RuleSet {
    RuleSet { landing: Landing::BehindLastKing, ..base }
}

const fn losing(base: RuleSet) -> RuleSet {
    // The counts of the base are for the side that tries to win by force. On lidraughts repetition alone draws, but kings
    // can wander for thousands of moves without one: two programs need a count, and 50 moves of each side disturb nobody.
    let draws = DrawRules { repetitions: base.draws.repetitions, quiet_plies: Some(100), ..DrawRules::REPETITION };
    RuleSet { objective: Objective::Losing, draws, ..base }
}

const fn breakthrough(base: RuleSet) -> RuleSet {
    // No king ever moves: there is nothing that a draw rule could count.
    RuleSet { objective: Objective::FirstKing, draws: DrawRules::REPETITION, ..base }
}

const fn optional(base: RuleSet) -> RuleSet {
    // Who need not capture at all need not capture the most.
    RuleSet { compulsory: false, precedence: Precedence::Free, ..base }
}

/// One rule set composed of a change and a base, and its entry in the registry.
macro_rules! composition {
    ($($change:ident($function:ident) of $base:ident is $variant:ident;)+) => {
        $(impl Rules for $change<$base> {
            type Geometry = <$base as Rules>::Geometry;
            const VARIANT: Variant = Variant::$variant;
            const SPEC: RuleSet = $function($base::SPEC);
        })+
    };
}

composition! {
    Killer(killer) of International is Killer;
    Killer(killer) of Russian is KillerRussian;
    Killer(killer) of Brazilian is KillerBrazilian;
    Breakthrough(breakthrough) of International is Breakthrough;
    Losing(losing) of International is Losing;
    Losing(losing) of Russian is LosingRussian;
    Losing(losing) of English is LosingEnglish;
    Losing(losing) of Italian is LosingItalian;
    Losing(losing) of Brazilian is LosingBrazilian;
    Optional(optional) of English is EnglishOptional;
    Optional(optional) of Casual is CasualOptional;
}
