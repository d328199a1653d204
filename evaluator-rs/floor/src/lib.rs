//! What the benchmark compares the evaluator with: Python calls that do nothing, and loops of known
//! work that tell how fast the machine is today.

use pyo3::prelude::*;
use std::hint::black_box;

/// Calls without work, and work without calls.
#[pymodule]
mod evaluator_floor {
    #[pymodule_export]
    use super::{multiply_chain, table_walk, take_bytes, take_text};
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

/// Multiplications each of which waits for the one before: the core's clock.
#[pyfunction]
#[pyo3(signature = (steps, /))]
fn multiply_chain(steps: u64) -> u64 {
    (0..steps).fold(1, |product: u64, _| black_box(product.wrapping_mul(0x9E37_79B9_7F4A_7C15)))
}

/// Loads from random places of 16 KB, each waiting for the one before: the nearest cache.
#[pyfunction]
#[pyo3(signature = (steps, /))]
fn table_walk(steps: u64) -> u16 {
    // A full-period generator of 2^13 places, as the successor of each place.
    let next: Vec<u16> = (0..8192_u32).map(|place| ((place * 4005 + 1001) % 8192) as u16).collect();
    (0..steps).fold(0, |place, _| black_box(next[place as usize & 8191]))
}
