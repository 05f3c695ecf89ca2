//! Determines which move-count draw rules can affect the games in the tables.

use super::{Counts, Material, Slice};
use crate::rules::{DrawRules, RuleSet};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

const NEVER: u8 = u8::MAX;

/// The draw limits that matter for each material, indexed by [`Material::number`].
#[derive(Debug)]
pub(super) struct DrawRuleLimits(Vec<MaterialLimits>);

#[derive(Debug)]
struct MaterialLimits {
    /// Maximum length in plies of a game that will certainly end before a draw rule whose count has not started yet can
    /// end it.
    ///
    /// The limit of an ending matters only if a game from that ending can exceed it. With best play, each ply brings
    /// the end of the game nearer.
    longest: AtomicU8,
    /// Minimum number of plies left before a draw at which a win or loss without a distance is certain, or [`NEVER`] if
    /// it is never certain.
    ///
    /// To win, a side must end the current count: it changes the material, captures, or advances a man. The next count
    /// then starts.
    needed: AtomicU8,
}

/// What the tables of a material contain about the length of games.
#[derive(Clone, Copy, Debug)]
pub(super) struct GameLengths {
    /// The statistics of the table with distances.
    pub(super) with_distances: Option<Counts>,
    /// The statistics of the table without distances.
    pub(super) without_distances: Option<Counts>,
    /// Number of plies after which the ending is drawn, or `None` if it has no limit.
    pub(super) ending_limit: Option<u8>,
}

/// The draw limits that matter in a slice, without the slices that follow.
#[derive(Clone, Copy, Debug)]
struct SliceLimits {
    /// The shortest limit that some game from the slice exceeds with best play.
    exceeded: u8,
    /// See [`MaterialLimits::needed`].
    needed: u8,
}

impl DrawRuleLimits {
    /// Creates the limits for a collection without tables: every draw limit is assumed to matter.
    pub(super) fn new(spec: &RuleSet) -> Self {
        let shortest = shortest(&spec.draws);
        let limits = || MaterialLimits { longest: AtomicU8::new(shortest), needed: AtomicU8::new(NEVER) };
        Self((0..Material::NUMBERS).map(|_| limits()).collect())
    }

    /// Computes the limits for tables with at most `pieces` pieces. If `lengths` returns `None` for a material, its
    /// table is missing. A concurrent search may read the previous limits, which are stricter.
    pub(super) fn update(&self, spec: &RuleSet, pieces: u8, lengths: impl Fn(Material) -> Option<GameLengths>) {
        let missing = SliceLimits { exceeded: shortest(&spec.draws), needed: NEVER };
        let mut stays = HashMap::new();
        let limits = |slice| (slice, limits_of(spec, slice, &lengths, &mut stays).unwrap_or(missing));
        let slices: Vec<_> = Slice::all(spec, pieces).into_iter().map(limits).collect();
        for (slice, own) in &slices {
            let within =
                || slices.iter().filter(|(later, _)| later.is_within(slice.material())).map(|(_, limits)| limits);
            let longest = within().map(|limits| limits.exceeded).min().unwrap_or(NEVER);
            let needed = if within().any(|limits| limits.needed == NEVER) { NEVER } else { own.needed };
            for limits in slice.materials().filter_map(|material| self.of_material(material)) {
                limits.longest.store(longest, Relaxed);
                limits.needed.store(needed, Relaxed);
            }
        }
    }

    fn of_material(&self, material: Material) -> Option<&MaterialLimits> {
        self.0.get(material.number()?)
    }

    /// Returns whether a game of `plies` plies from `material` is certain to end before any draw rule whose count has
    /// not yet started could apply.
    pub(super) fn allow(&self, material: Material, plies: u8) -> bool {
        self.of_material(material).is_some_and(|limits| plies <= limits.longest.load(Relaxed))
    }

    /// Returns whether a win or loss of unknown length in a position with `material` is safe from draw rules. `left` is
    /// the number of plies without progress until the first rule applies, or `None` if no rule counts.
    pub(super) fn allow_unknown(&self, material: Material, left: Option<u16>) -> bool {
        let needed = self.of_material(material).map_or(NEVER, |limits| limits.needed.load(Relaxed));
        needed < NEVER && left.is_none_or(|left| u16::from(needed) <= left)
    }
}

fn shortest(draws: &DrawRules) -> u8 {
    let endings = draws.endings.iter().chain(&draws.main_road).map(|ending| ending.plies);
    endings.chain(draws.kings_limits.iter().map(|balance| balance.plies)).min().unwrap_or(NEVER)
}

/// The highest counts that can occur under one way of playing for the win.
#[derive(Clone, Copy)]
struct Plan {
    /// Maximum number of plies in an ending with a limit.
    stay: u8,
    /// Maximum number of plies without a capture or an advance of a man.
    run: u8,
}

/// Returns the limits of `slice`, or `None` if a table is missing. `stays` contains the maximum number of plies in an
/// ending with a limit, for the slices that may follow, and is extended by this slice.
fn limits_of(
    spec: &RuleSet,
    slice: Slice,
    lengths: impl Fn(Material) -> Option<GameLengths>,
    stays: &mut HashMap<Slice, u8>,
) -> Option<SliceLimits> {
    let draws = &spec.draws;
    // If the next ending has a limit as well, the count may continue.
    let later = slice.leads_to(spec).iter().filter_map(|later| stays.get(later)).max().copied().unwrap_or(0);
    let mut limits = SliceLimits { exceeded: NEVER, needed: 0 };
    let mut longest_stay = 0;
    for material in slice.materials() {
        let GameLengths { with_distances, without_distances, ending_limit } = lengths(material)?;
        // Play for the shortest game.
        let shortest = with_distances.map(|counts| Plan { stay: counts.longest_stay, run: counts.longest_stay });
        // Play for the shortest stay in each slice, or for the shortest runs. The two may require different moves.
        let by_slices = without_distances.map(|counts| Plan {
            stay: counts.longest_stay.saturating_add(later),
            run: if ending_limit.is_some() { counts.longest_stay } else { counts.longest_run },
        });
        let exceeds_ending = |plan: &Plan| ending_limit.is_some_and(|limit| plan.stay > limit);
        let counts = || with_distances.into_iter().chain(without_distances);
        let on_main_road = counts().map(|counts| counts.longest_on_main_road).min()?;
        let ending = ending_limit.filter(|_| shortest.or(by_slices).is_some_and(|plan| exceeds_ending(&plan)));
        // The game is drawn as soon as the last counted ply has been played, so a stay of exactly `limit` plies is a
        // draw.
        let main_road = draws.main_road.map(|ending| ending.plies).filter(|&limit| on_main_road >= limit);
        let is_in_time = |plan: &Plan| {
            let exceeds_quiet = draws.quiet_plies.is_some_and(|limit| u16::from(plan.run) > limit);
            !exceeds_quiet && !exceeds_ending(plan) && main_road.is_none()
        };
        let needed = |plan: Plan| {
            let stay = ending_limit.map_or(0, |_| plan.stay);
            stay.max(draws.quiet_plies.map_or(0, |_| plan.run))
        };
        let in_time = shortest.into_iter().chain(by_slices).filter(is_in_time).min_by_key(|&plan| needed(plan));
        limits.needed = limits.needed.max(in_time.map_or(NEVER, needed));
        limits.exceeded = ending.into_iter().chain(main_road).min().unwrap_or(NEVER).min(limits.exceeded);
        if ending_limit.is_some() {
            longest_stay = longest_stay.max(in_time.map_or(NEVER, |plan| plan.stay));
        }
    }
    stays.insert(slice, longest_stay);
    Some(limits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;

    fn counts(longest_stay: u8, longest_run: u8) -> Option<Counts> {
        Some(Counts { longest_stay, longest_run, ..Counts::default() })
    }

    /// Returns the number of plies that must be left in the ending `2m1k-0m1k`.
    fn needed(variant: Variant, lengths: GameLengths) -> Option<u16> {
        let material: Material = "2m1k-0m1k".parse().unwrap();
        let limits = DrawRuleLimits::new(variant.spec());
        let others = GameLengths { with_distances: counts(9, 9), without_distances: None, ending_limit: None };
        limits.update(variant.spec(), 4, |found| Some(if found == material { lengths } else { others }));
        (0..=300).find(|&left| limits.allow_unknown(material, Some(left)))
    }

    #[test]
    fn a_result_is_certain_if_the_same_moves_satisfy_all_limits() {
        let results = |stay, run, ending_limit| GameLengths {
            with_distances: None,
            without_distances: counts(stay, run),
            ending_limit,
        };
        // English games are drawn after 80 plies without a capture or an advance.
        assert_eq!(needed(Variant::English, results(90, 70, None)), Some(70));
        assert_eq!(needed(Variant::English, results(90, 81, None)), None);
        // The moves that leave the ending within 31 plies might differ from those with short runs.
        assert_eq!(needed(Variant::Russian, results(31, 10, Some(60))), None);
        assert_eq!(needed(Variant::Russian, results(30, 10, Some(60))), Some(30));
        assert_eq!(needed(Variant::Russian, results(20, 20, Some(15))), None);
        let both = GameLengths { with_distances: counts(25, 25), ..results(31, 10, Some(60)) };
        assert_eq!(needed(Variant::Russian, both), Some(25));
    }
}
