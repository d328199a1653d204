//! Python calls that do nothing: what taking an argument and returning costs by itself.

use pyo3::prelude::*;

/// Calls without work.
#[pymodule]
mod evaluator_floor {
    #[pymodule_export]
    use super::{take_bytes, take_text};
}

/// Takes bytes and returns their number.
#[pyfunction]
#[pyo3(signature = (cards, /))]
fn take_bytes(cards: &[u8]) -> usize {
    cards.len()
}

/// Takes text and returns its length in bytes.
#[pyfunction]
#[pyo3(signature = (cards, /))]
fn take_text(cards: &str) -> usize {
    cards.len()
}
