//! The faults that a verification finds.

/// The result of a verification.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableFaults {
    /// Number of faults.
    pub count: u64,
    /// Description of the first fault, or `None` if there are no faults.
    pub first: Option<String>,
}

impl TableFaults {
    pub(super) fn add(&mut self, fault: String) {
        self.count += 1;
        self.first.get_or_insert(fault);
    }
}
