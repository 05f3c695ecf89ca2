mod app;
mod board;
mod form;
mod keys;
mod panel;
mod selection;

#[cfg(test)]
mod tests;

pub use app::run_screen;
