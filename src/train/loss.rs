//! The logistic loss.

/// The chance that belongs to so many logits.
///
/// It is computed in software, so that it is the same on every machine.
pub fn sigmoid(logits: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-logits))
}

/// The loss, in nats, of a prediction in logits where `target`, from 0 to 1, came out.
pub fn logistic(logits: f32, target: f32) -> f64 {
    let (logits, target) = (f64::from(logits), f64::from(target));
    logits.max(0.0) - logits * target + libm::log1p(libm::exp(-logits.abs()))
}

/// A sum of losses.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Loss {
    sum: f64,
    count: u64,
}

impl Loss {
    /// Adds one prediction.
    pub fn add(&mut self, logits: f32, target: f32) {
        self.sum += logistic(logits, target);
        self.count += 1;
    }

    /// The loss of both.
    pub fn and(self, other: Self) -> Self {
        Self { sum: self.sum + other.sum, count: self.count + other.count }
    }

    /// Nats a position; 0 without any.
    pub fn mean(self) -> f64 {
        if self.count == 0 { 0.0 } else { self.sum / self.count as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loss_is_that_of_the_definition() {
        for (logits, target) in [(0.0f32, 0.5f32), (2.0, 1.0), (-3.0, 1.0), (1.0, 0.25)] {
            let chance = f64::from(sigmoid(logits));
            let target_wide = f64::from(target);
            let defined = -target_wide * chance.ln() - (1.0 - target_wide) * (1.0 - chance).ln();
            assert!((logistic(logits, target) - defined).abs() < 1e-6);
        }
        assert!(logistic(1000.0, 1.0) < 1e-9 && (logistic(-1000.0, 1.0) - 1000.0).abs() < 1e-9);
    }
}
