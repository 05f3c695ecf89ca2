//! How the game is shown.

use super::ViewCommand;

/// How the game is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// Whether Black is at the bottom.
    pub flipped: bool,
    /// Whether the names of the squares are shown.
    pub numbers: bool,
    /// Whether the output of the search is shown.
    pub thoughts: bool,
    /// Whether the evaluation is shown.
    pub evaluation: bool,
    /// Whether the board is shown after every move in line mode.
    pub boards: bool,
}

impl Default for View {
    fn default() -> Self {
        Self { flipped: false, numbers: true, thoughts: false, evaluation: false, boards: true }
    }
}

impl View {
    /// Changes how the game is shown; returns the message for the person.
    pub fn obey(&mut self, command: ViewCommand) -> String {
        let (what, is_on, value) = match command {
            ViewCommand::Flip => {
                self.flipped = !self.flipped;
                return format!("{} at the bottom", if self.flipped { "black" } else { "white" });
            }
            ViewCommand::Numbers(value) => ("numbers", &mut self.numbers, value),
            ViewCommand::Thoughts(value) => ("thoughts", &mut self.thoughts, value),
            ViewCommand::Evaluation(value) => ("evaluation", &mut self.evaluation, value),
            ViewCommand::Boards(value) => ("board after every move", &mut self.boards, value),
        };
        *is_on = value.unwrap_or(!*is_on);
        format!("{what} {}", if *is_on { "on" } else { "off" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_value_the_present_one_is_turned_round() {
        let mut view = View::default();
        assert_eq!(view.obey(ViewCommand::Numbers(None)), "numbers off");
        assert_eq!(view.obey(ViewCommand::Numbers(Some(false))), "numbers off");
        assert_eq!(view.obey(ViewCommand::Thoughts(None)), "thoughts on");
        assert_eq!(view.obey(ViewCommand::Evaluation(None)), "evaluation on");
        assert_eq!(view.obey(ViewCommand::Boards(Some(false))), "board after every move off");
        assert_eq!(view.obey(ViewCommand::Flip), "black at the bottom");
        assert_eq!(view, View { flipped: true, numbers: false, thoughts: true, evaluation: true, boards: false });
    }
}
