//! Weights of the learned evaluation from a file.

use crate::eval::learned::{EvalFileError, Learned, read_eval_file};
use crate::rules::Variant;
use std::path::Path;

/// Weights that were read from a file, for one variant.
#[derive(Clone, Debug)]
pub(super) struct EvalFile {
    variant: Variant,
    learned: Learned,
}

impl EvalFile {
    /// Reads the weights for `variant` in the file at `path`.
    ///
    /// # Errors
    /// When it cannot be read, is damaged, or is for another game.
    pub(super) fn read(path: &Path, variant: Variant) -> Result<Self, EvalFileError> {
        Ok(Self { variant, learned: read_eval_file(path, variant)? })
    }

    /// The evaluation, if it is one for `variant`.
    pub(super) fn for_variant(&self, variant: Variant) -> Option<&Learned> {
        (self.variant == variant).then_some(&self.learned)
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::{Engine, EvaluationKind, Setting};
    use crate::eval::learned::{Inputs, OUTPUT_SCALE, Weights, WeightsFile};
    use crate::game::Game;
    use crate::rules::{Identity, Variant};
    use std::fs;
    use std::path::PathBuf;

    /// Weights by which every position is worth a man for the side to move.
    fn weights(variant: Variant) -> Vec<u8> {
        let inputs = Inputs::new(variant.spec().shape).count();
        let weights = Weights { last_bias: 100 * OUTPUT_SCALE, ..Weights::zero(inputs) };
        WeightsFile { identity: Identity::of(variant), note: "a test".into(), weights }.to_bytes()
    }

    fn path(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("soffio-{}-{name}.weights", std::process::id()))
    }

    fn engine(variant: Variant) -> Engine {
        let mut engine = Engine::new();
        engine.apply(Setting::Variant(variant)).unwrap();
        engine
    }

    #[test]
    fn weights_of_a_file_are_used_until_they_are_taken_back() {
        let (mut engine, game, path) = (engine(Variant::Frisian), Game::new(Variant::Frisian), path("used"));
        let before = engine.evaluation(&game);
        fs::write(&path, weights(Variant::Frisian)).unwrap();
        engine.apply(Setting::EvalFile(Some(path.clone()))).unwrap();
        fs::remove_file(&path).unwrap();
        let parts = engine.evaluation(&game).0;
        assert_eq!(parts, [("network", 100), ("hard-to-win", 0)]);
        engine.apply(Setting::Evaluation(EvaluationKind::Plain(crate::plain::PlainKind::Material))).unwrap();
        assert_ne!(engine.evaluation(&game).0, parts);
        engine.apply(Setting::Evaluation(EvaluationKind::Learned)).unwrap();
        engine.apply(Setting::Variant(Variant::Frysk)).unwrap();
        assert_ne!(engine.evaluation(&Game::new(Variant::Frysk)).0, parts, "the file is for another variant");
        engine.apply(Setting::Variant(Variant::Frisian)).unwrap();
        assert_eq!(engine.evaluation(&game).0, parts);
        engine.apply(Setting::EvalFile(None)).unwrap();
        assert_eq!(engine.evaluation(&game), before);
    }

    #[test]
    fn a_file_that_is_refused_changes_nothing() {
        let (mut engine, game, path) = (engine(Variant::Russian), Game::new(Variant::Russian), path("refused"));
        let good = weights(Variant::Russian);
        fs::write(&path, &good).unwrap();
        engine.apply(Setting::EvalFile(Some(path.clone()))).unwrap();
        let before = engine.evaluation(&game);
        let mut refuse = |bytes: &[u8], reason: &str| {
            fs::write(&path, bytes).unwrap();
            let error = engine.apply(Setting::EvalFile(Some(path.clone()))).unwrap_err().to_string();
            assert_eq!(error, format!("option EvalFile {}: {reason}", path.display()));
            assert_eq!(engine.evaluation(&game), before);
        };
        let mut damaged = good.clone();
        damaged[40] ^= 1;
        refuse(&damaged, "the file is damaged: its checksum is wrong");
        let length = good.len();
        refuse(&good[..length / 2], &format!("the file should have {length} bytes and has {}", length / 2));
        refuse(&weights(Variant::Brazilian), "the weights are for the variant \"brazilian\"");
        refuse(b"", "this is no file of weights");
        fs::remove_file(&path).unwrap();
        let error = engine.apply(Setting::EvalFile(Some(path.clone()))).unwrap_err().to_string();
        assert!(error.starts_with(&format!("option EvalFile {}: ", path.display())), "{error}");
        assert_eq!(engine.evaluation(&game), before);
    }
}
