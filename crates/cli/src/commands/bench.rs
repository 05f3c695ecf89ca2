//! `soffio bench`: searches a fixed set of positions.

use crate::values::{depth, threads, variant};
use clap::Args;
use soffio::clock::TimeSource;
use soffio::engine::{BenchResult, BenchSettings, Signal, bench as run_bench};
use soffio::rules::Variant;
use soffio::wire::native::NativeReply;
use soffio_support::record::{self, AnalysisRecord};
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::time::Duration;

#[derive(Clone, Debug, Args)]
pub struct BenchArguments {
    /// Search only this variant; may be repeated [default: all variants]
    #[arg(long, value_name = "NAME", value_parser = variant)]
    variant: Vec<Variant>,
    /// Search depth in plies (1 to 127) [default: depends on the variant]
    #[arg(long, value_parser = depth::<u8>())]
    depth: Option<u8>,
    /// Number of search threads (1 to 256) [default: 1]; node counts are reproducible only with one thread
    #[arg(long, value_parser = threads())]
    threads: Option<NonZeroUsize>,
    /// Print a JSON record for each variant and one with the total, named `all`, instead of protocol lines
    #[arg(long)]
    json: bool,
}

pub fn bench(arguments: &BenchArguments) -> io::Result<()> {
    let BenchArguments { variant, depth, threads, json } = arguments.clone();
    let settings = BenchSettings { variants: variant, depth, threads };
    let (mut nodes, mut time) = (0, Duration::ZERO);
    let mut result = Ok(());
    run_bench(&settings, &TimeSource::default(), &Signal::default(), &mut |part: BenchResult| {
        nodes += part.nodes;
        time += part.time;
        let BenchResult { variant, nodes, time } = part;
        let line = if json {
            let record = AnalysisRecord::for_variant(variant.name(), variant).scored(variant).timed(time);
            record::print(&Ok(AnalysisRecord { nodes: Some(nodes), ..record }))
        } else {
            writeln!(io::stdout(), "{}", NativeReply::Measured { name: variant.to_string(), count: nodes, time })
        };
        result = std::mem::replace(&mut result, Ok(())).and(line);
    });
    result?;
    if json {
        return record::print(&Ok(AnalysisRecord { nodes: Some(nodes), ..AnalysisRecord::for_all("all").timed(time) }));
    }
    writeln!(io::stdout(), "{}", NativeReply::Measured { name: "bench".to_owned(), count: nodes, time })
}
