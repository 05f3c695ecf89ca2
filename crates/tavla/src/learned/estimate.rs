//! How a game will probably end.

/// Chances of the side to roll.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    /// That it wins, by mars or not.
    pub win: f32,
    /// That it wins by mars.
    pub win_mars: f32,
    /// That it loses by mars.
    pub lose_mars: f32,
}

impl Estimate {
    /// The same chances of the other side.
    #[must_use]
    pub fn turned(self) -> Self {
        Self { win: 1.0 - self.win, win_mars: self.lose_mars, lose_mars: self.win_mars }
    }

    /// The points that the side to roll wins on the average, where a win by mars counts two points if `mars`.
    pub fn equity(&self, mars: bool) -> f32 {
        2.0 * self.win - 1.0 + if mars { self.win_mars - self.lose_mars } else { 0.0 }
    }

    /// The mixture of `share` of this and the rest of `other`.
    #[must_use]
    pub fn mixed(self, share: f32, other: &Self) -> Self {
        let mix = |own: f32, other: f32| share * own + (1.0 - share) * other;
        Self {
            win: mix(self.win, other.win),
            win_mars: mix(self.win_mars, other.win_mars),
            lose_mars: mix(self.lose_mars, other.lose_mars),
        }
    }

    /// Adds `weight` times `other`.
    pub fn add(&mut self, weight: f32, other: &Self) {
        self.win += weight * other.win;
        self.win_mars += weight * other.win_mars;
        self.lose_mars += weight * other.lose_mars;
    }
}
