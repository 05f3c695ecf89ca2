//! Tests of the rules of each variant in small positions with complete move lists.

mod armenian;
mod brazilian;
mod breakthrough;
mod casual;
mod czech;
mod english;
mod frisian;
mod international;
mod international_draws;
mod italian;
mod killer;
mod losing;
mod optional;
mod pool;
mod russian;
mod spanish;
mod thai;
mod turkish;
