//! Inputs made from good ones.

use fastrand::Rng;

/// Characters that mean something to one reader or another, and some that mean nothing to any.
const SIGNS: &[char] = &[
    ' ', '\t', '\n', '\r', ':', ',', '.', '-', 'x', '=', '"', '\\', '[', ']', '{', '}', '(', ')', '*', '/', '+', '%',
    ';', '$', '?', '!', '#', '~', '|', '<', '>', '0', '1', '9', 'W', 'B', 'K', 'w', 'b', 'e', 'a', 'h', '\0', '\u{7f}',
    'é', 'ш', '黑', '\u{feff}', '\u{202e}', '\u{fffd}', '😀',
];

/// Numbers at which counting goes wrong.
const NUMBERS: &[&str] =
    &["0", "-1", "1", "50", "51", "255", "256", "65535", "65536", "4294967296", "18446744073709551616", "1e300", "nan"];

/// The longest input in characters.
const LONGEST: usize = 4000;

/// Changes lines of a corpus.
pub(super) struct Mutator<'a> {
    corpus: &'a [&'a str],
    rng: Rng,
}

impl<'a> Mutator<'a> {
    pub(super) fn new(corpus: &'a [&'a str], rng: Rng) -> Self {
        Self { corpus, rng }
    }

    fn line(&mut self) -> Vec<char> {
        self.rng.choice(self.corpus).map(|line| line.chars().collect()).unwrap_or_default()
    }

    /// The next input: a line with no change, a few, or many.
    pub(super) fn next(&mut self) -> String {
        let mut text = self.line();
        let changes = [0, 1, 1, 1, 2, 3, 5, 20];
        for _ in 0..changes[self.rng.usize(..changes.len())] {
            self.change(&mut text);
        }
        text.truncate(LONGEST);
        text.into_iter().collect()
    }

    fn change(&mut self, text: &mut Vec<char>) {
        let rng = &mut self.rng;
        let at = rng.usize(..=text.len());
        let end = (at + rng.usize(..=8)).min(text.len());
        match rng.u8(..9) {
            0 => drop(text.drain(at..end)),
            1 => text.insert(at, SIGNS[rng.usize(..SIGNS.len())]),
            2 if at < text.len() => text[at] = SIGNS[rng.usize(..SIGNS.len())],
            3 => {
                let part = text[at..end].to_vec();
                (0..rng.usize(1..4)).for_each(|_| drop(text.splice(at..at, part.iter().copied())));
            }
            4 => text.truncate(at),
            5 => drop(text.splice(at..end, NUMBERS[rng.usize(..NUMBERS.len())].chars())),
            6 => text[at..end].reverse(),
            7 if at < text.len() => text[at] = char::from_u32(rng.u32(..0x250)).unwrap_or(' '),
            _ => {
                let other = self.line();
                let from = self.rng.usize(..=other.len());
                text.truncate(at);
                text.extend(&other[from..]);
            }
        }
    }
}

#[test]
fn inputs_are_many_and_come_again() {
    let corpus = ["W:W31-50:B1-20", "go depth 3"];
    let inputs = |seed| {
        let mut mutator = Mutator::new(&corpus, Rng::with_seed(seed));
        (0..1000).map(|_| mutator.next()).collect::<Vec<_>>()
    };
    let one = inputs(1);
    assert_eq!(one, inputs(1));
    let different: std::collections::HashSet<_> = one.iter().collect();
    assert!(different.len() > 700 && one.contains(&corpus[0].to_owned()), "{}", different.len());
}
