//! Re-Pair: replaces the most frequent pairs of symbols with new symbols.
//!
//! The first symbols are the single values. Training works in rounds. Each round adds the most frequent pairs, and
//! replaces them from left to right. Parsing repeats these rounds.

/// Number of different values, which are the first symbols.
pub(super) const VALUES: usize = 3;

/// Maximum number of symbols.
pub(super) const MAX_SYMBOLS: usize = 4096;

/// Maximum nesting depth of pairs.
pub(super) const MAX_DEPTH: u8 = 40;

/// Minimum number of times that a pair must occur. Less frequent pairs need more bits than they save.
const MIN_COUNT: u32 = 8;

/// The pairs of symbols that are replaced by symbol 3, symbol 4, and so on.
pub(super) type Pairs = Vec<(u16, u16)>;

/// Replaces pairs of symbols.
#[derive(Debug, Default)]
pub(super) struct Parser {
    pairs: Pairs,
    rounds: Vec<Round>,
}

/// The pairs that are replaced at the same time. No symbol is both the first symbol of a pair and the second symbol of
/// a different pair, so the pairs do not compete.
#[derive(Debug)]
struct Round {
    /// For each symbol, the range of the pairs in `seconds` that begin with it.
    firsts: Vec<(u16, u16)>,
    /// The second symbol of a pair and the symbol that replaces the pair.
    seconds: Vec<(u16, u16)>,
}

impl Round {
    fn new(pairs: &[(u16, u16)], symbols: usize) -> Self {
        let mut sorted: Vec<_> = pairs.iter().copied().zip(symbols as u16..).collect();
        sorted.sort_unstable();
        let mut firsts = vec![(0, 0); symbols];
        for (&((first, _), _), at) in sorted.iter().zip(0..) {
            if let Some(range) = firsts.get_mut(usize::from(first)) {
                *range = if range.1 == 0 { (at, at + 1) } else { (range.0, at + 1) };
            }
        }
        Self { firsts, seconds: sorted.into_iter().map(|((_, second), symbol)| (second, symbol)).collect() }
    }

    #[inline]
    fn replacement(&self, first: u16, second: u16) -> Option<u16> {
        let &(start, end) = self.firsts.get(usize::from(first))?;
        let candidates = self.seconds.get(usize::from(start)..usize::from(end))?;
        candidates.iter().find(|&&(other, _)| other == second).map(|&(_, symbol)| symbol)
    }

    fn replace(&self, symbols: &mut Vec<u16>) {
        let mut end = 0;
        let mut current = symbols.first().copied();
        let mut at = 1;
        while let Some(first) = current {
            let second = symbols.get(at).copied();
            at += 1;
            let replacement = second.and_then(|second| self.replacement(first, second));
            if let Some(place) = symbols.get_mut(end) {
                *place = replacement.unwrap_or(first);
            }
            end += 1;
            current = second;
            if replacement.is_some() {
                current = symbols.get(at).copied();
                at += 1;
            }
        }
        symbols.truncate(end);
    }
}

impl Parser {
    /// Chooses pairs for sequences like `sample`. A pair never crosses the end of a sequence.
    pub(super) fn train(mut sample: Vec<Vec<u16>>) -> Self {
        let mut parser = Self::default();
        let mut depths = vec![0; VALUES];
        loop {
            let symbols = depths.len();
            let max_pairs = (symbols / 8 + 1).min(MAX_SYMBOLS - symbols);
            let chosen = choose(&sample, &depths, max_pairs);
            if chosen.is_empty() {
                return parser;
            }
            let depth = |symbol: u16| depths.get(usize::from(symbol)).copied().unwrap_or(0);
            let added: Vec<u8> = chosen.iter().map(|&(first, second)| 1 + depth(first).max(depth(second))).collect();
            depths.extend(added);
            let round = Round::new(&chosen, symbols);
            sample.iter_mut().for_each(|sequence| round.replace(sequence));
            parser.pairs.extend(chosen);
            parser.rounds.push(round);
        }
    }

    /// Returns the pairs in the order of the symbols that replace them.
    pub(super) fn pairs(&self) -> &Pairs {
        &self.pairs
    }

    /// Replaces pairs in a sequence of values.
    pub(super) fn parse(&self, symbols: &mut Vec<u16>) {
        self.rounds.iter().for_each(|round| round.replace(symbols));
    }
}

/// Returns the most frequent pairs that do not compete with each other, at most `max_pairs` of them.
fn choose(sample: &[Vec<u16>], depths: &[u8], max_pairs: usize) -> Pairs {
    let symbols = depths.len();
    let mut counts = vec![0_u32; symbols * symbols];
    let mut seen = Vec::new();
    for sequence in sample {
        let mut last = None;
        for (&first, &second) in sequence.iter().zip(sequence.iter().skip(1)) {
            // In a run of the same symbol, only every other pair can be replaced.
            let pair = (first, second);
            if first == second && last == Some(pair) {
                last = None;
                continue;
            }
            last = Some(pair);
            let place = usize::from(first) * symbols + usize::from(second);
            if let Some(count) = counts.get_mut(place) {
                if *count == 0 {
                    seen.push(pair);
                }
                *count += 1;
            }
        }
    }
    let count = |&(first, second): &(u16, u16)| {
        counts.get(usize::from(first) * symbols + usize::from(second)).copied().unwrap_or(0)
    };
    let is_flat = |symbol: u16| depths.get(usize::from(symbol)).is_some_and(|&depth| depth < MAX_DEPTH);
    let mut candidates: Vec<_> = seen
        .into_iter()
        .filter(|&(first, second)| is_flat(first) && is_flat(second))
        .map(|pair| (count(&pair), pair))
        .collect();
    candidates.sort_unstable_by(|one, other| other.cmp(one));
    let least = candidates.first().map_or(0, |&(count, _)| count / 2).max(MIN_COUNT);
    let mut roles = vec![PairRole::None; symbols];
    let mut chosen = Vec::new();
    for (_, (first, second)) in candidates.into_iter().take_while(|&(count, _)| count >= least) {
        let role = |symbol: u16| roles.get(usize::from(symbol)).copied().unwrap_or(PairRole::Both);
        let fits = if first == second {
            role(first) == PairRole::None
        } else {
            [PairRole::None, PairRole::First].contains(&role(first))
                && [PairRole::None, PairRole::Second].contains(&role(second))
        };
        if chosen.len() < max_pairs && fits {
            let [first_role, second_role] =
                if first == second { [PairRole::Both; 2] } else { [PairRole::First, PairRole::Second] };
            for (symbol, role) in [(first, first_role), (second, second_role)] {
                if let Some(place) = roles.get_mut(usize::from(symbol)) {
                    *place = role;
                }
            }
            chosen.push((first, second));
        }
    }
    chosen
}

/// The position of a symbol in the pairs of a round.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PairRole {
    None,
    First,
    Second,
    Both,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expand(pairs: &Pairs, symbol: u16, values: &mut Vec<u16>) {
        match usize::from(symbol).checked_sub(VALUES) {
            None => values.push(symbol),
            Some(pair) => {
                expand(pairs, pairs[pair].0, values);
                expand(pairs, pairs[pair].1, values);
            }
        }
    }

    #[test]
    fn parsing_keeps_the_values() {
        let mut random = fastrand::Rng::with_seed(3);
        let mut run = || vec![random.u16(..3); random.usize(1..40)];
        let sample: Vec<Vec<u16>> =
            (0..50).map(|_| std::iter::repeat_with(&mut run).take(30).flatten().collect()).collect();
        let parser = Parser::train(sample.clone());
        assert!(parser.pairs().len() > 20);
        for values in sample {
            let mut parsed = values.clone();
            parser.parse(&mut parsed);
            assert!(parsed.len() * 4 < values.len());
            let mut expanded = Vec::new();
            parsed.iter().for_each(|&symbol| expand(parser.pairs(), symbol, &mut expanded));
            assert_eq!(expanded, values);
        }
    }

    #[test]
    fn rare_pairs_and_deep_pairs_are_not_chosen() {
        assert!(Parser::train(vec![vec![0, 1]; 7]).pairs().is_empty());
        assert_eq!(Parser::train(vec![vec![0, 1]; 8]).pairs(), &[(0, 1)]);
        let parser = Parser::train(vec![vec![0; 1 << 16]; 8]);
        assert_eq!(parser.pairs().len(), 16);
    }
}
