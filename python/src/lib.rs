//! The native part of the `soffio` Python package. The Python part adds game trees, named arrays and `async` classes.

mod batch;
mod board;
mod book;
mod convert;
mod engine;
mod moves;
mod pdn;
mod positions;
mod process;
mod tavla;
mod wait;
mod weights;

use pyo3::prelude::*;

#[pymodule]
mod _soffio {
    use super::*;
    #[pymodule_export]
    use super::{
        batch::{BatchAnalyser, ProblemVerifier, PuzzleMiner},
        board::{PyBoard, restore_board},
        book::BookReader,
        convert::{
            BookError, DataError, EngineError, FenError, IllegalMoveError, InvalidMoveError, OptionError, PdnError,
            PositionsError, TavlaError, VariantError, WeightsError, seconds, shown, whole_number,
        },
        engine::{PySearch, SearchEngine},
        moves::{PyMove, describe_variant, restore_move, variant_names},
        pdn::{RecordReader, read_comment, write_record},
        positions::{PyDataReader, evaluate, from_planes, inputs, legal_moves, load_numpy, pack, planes, unpack},
        tavla::{PyTavla, restore_tavla},
        weights::{network_shape, read_weights, weights_file},
    };
    use std::ffi::OsString;
    use std::io::Write;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        for class in ["Board", "Tavla"] {
            let class = module.getattr(class)?;
            for (name, method) in [("__copy__", "copy"), ("__deepcopy__", "copy"), ("__str__", "ascii")] {
                class.setattr(name, class.getattr(method)?)?;
            }
        }
        Ok(())
    }

    /// Runs the ``soffio`` program with the arguments ``words``, which begin with the program name, and returns its
    /// exit status.
    #[pyfunction]
    fn run_program(py: Python<'_>, words: Vec<OsString>) -> u8 {
        py.detach(|| {
            let status = soffio_cli::command_line::run(words);
            // Python exits without flushing Rust's standard output.
            let flushed = std::io::stdout().flush();
            if flushed.is_ok() { status } else { status.max(1) }
        })
    }

    /// Returns whether this processor supports the build for x86-64-v3.
    #[pyfunction]
    fn has_x86_64_v3() -> bool {
        #[cfg(target_arch = "x86_64")]
        {
            std::arch::is_x86_feature_detected!("avx2")
                && std::arch::is_x86_feature_detected!("bmi1")
                && std::arch::is_x86_feature_detected!("bmi2")
                && std::arch::is_x86_feature_detected!("fma")
                && std::arch::is_x86_feature_detected!("f16c")
                && std::arch::is_x86_feature_detected!("lzcnt")
                && std::arch::is_x86_feature_detected!("movbe")
        }
        #[cfg(not(target_arch = "x86_64"))]
        false
    }
}
