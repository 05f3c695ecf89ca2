//! The metrics of the lines service, in the Prometheus text format.

use prometheus::core::Collector;
use prometheus::{Histogram, HistogramOpts, IntCounter, IntCounterVec, IntGauge, Opts, Registry, TextEncoder};

/// Upper bounds of the histogram buckets in seconds. A table lookup takes less than a millisecond, a deep search about
/// a minute.
const SECONDS: [f64; 11] = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0, 60.0, 300.0];

pub struct Metrics {
    registry: Registry,
    pub requests: IntCounterVec,
    pub lines: IntCounter,
    pub records: IntCounter,
    pub cancelled: IntCounter,
    pub failures: IntCounter,
    pub engines: IntGauge,
    pub busy: IntGauge,
    pub open: IntGauge,
    pub waits: Histogram,
    pub work: Histogram,
}

fn register<M: Collector + Clone + 'static>(registry: &Registry, metric: M) -> prometheus::Result<M> {
    registry.register(Box::new(metric.clone()))?;
    Ok(metric)
}

impl Metrics {
    pub fn new() -> prometheus::Result<Self> {
        let registry = Registry::new_custom(Some("soffio".to_owned()), None)?;
        let counter = |name, help| register(&registry, IntCounter::new(name, help)?);
        let gauge = |name, help| register(&registry, IntGauge::new(name, help)?);
        let histogram = |name, help| {
            register(&registry, Histogram::with_opts(HistogramOpts::new(name, help).buckets(SECONDS.to_vec()))?)
        };
        let requests = Opts::new("requests_total", "Requests by response status.");
        Ok(Self {
            requests: register(&registry, IntCounterVec::new(requests, &["status"])?)?,
            lines: counter("lines_total", "Request lines answered.")?,
            records: counter("records_total", "Response lines.")?,
            cancelled: counter(
                "cancelled_total",
                "Requests whose client disconnected before the response was complete.",
            )?,
            failures: counter("engine_failures_total", "Engines that failed and were replaced.")?,
            engines: gauge("engines", "Engines.")?,
            busy: gauge("engines_busy", "Busy engines.")?,
            open: gauge("requests_open", "Requests that are waiting, in progress, or whose response is being sent.")?,
            waits: histogram("wait_seconds", "Time from a request to the start of its first line.")?,
            work: histogram("line_seconds", "Time to process a line.")?,
            registry,
        })
    }

    pub fn text(&self) -> prometheus::Result<String> {
        TextEncoder::new().encode_to_string(&self.registry.gather())
    }

    /// Estimates the number of seconds until a place in the queue is free, based on the mean time per line so far.
    pub fn seconds_to_wait(&self) -> u64 {
        let lines = self.work.get_sample_count().max(1) as f64;
        let each = self.work.get_sample_sum() / lines;
        let engines = self.engines.get().max(1) as f64;
        let seconds = (self.open.get() as f64 * each / engines).ceil();
        // The cast saturates.
        (seconds as u64).clamp(1, 60)
    }
}
