//! The Python module `cardroom_evaluator`; its documentation is the type stub beside this crate.

mod args;
mod batch;
mod direct;
mod objects;
mod stored;

use args::{prefer, qualifier, strength_object, strength_of, value_error, Cards};
use evaluator_core as core;
use pyo3::prelude::*;
use pyo3::types::PyInt;

/// Poker hand values for every game the room deals; higher is better, for lows as well.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::batch::{
        batch_paths, evaluate_batch, holdem_tables, low_batch, omaha_batch, omaha_tables,
    };
    #[pymodule_export]
    use super::objects::{Board, HolePlay, Showdown, Shown};
    #[pymodule_export]
    use super::stored::chained_events;
    #[pymodule_export]
    use super::{
        best_five, category, describe, describe_low, evaluate_wild, low, low_best_five,
        omaha_best_five, omaha_low, omaha_low_best_five, showdown,
    };
    use pyo3::prelude::*;

    #[pymodule_export]
    const BEST_LOW: u16 = evaluator_core::BEST_LOW;
    #[pymodule_export]
    const WORST_EIGHT: u16 = evaluator_core::WORST_EIGHT;
    #[pymodule_export]
    const BEST_NATURAL: u16 = evaluator_core::BEST_NATURAL;
    #[pymodule_export]
    const TABLE_BYTES: usize = evaluator_core::TABLE_BYTES;
    #[pymodule_export]
    const FIVE_ACES: u16 = evaluator_core::FIVE_ACES;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        super::direct::add(module)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}

/// Strength of the best ace-to-five low of five to seven cards.
#[pyfunction]
#[pyo3(signature = (cards, qualifier, /))]
fn low(cards: &Bound<'_, PyAny>, qualifier: &str) -> PyResult<Py<PyInt>> {
    let qualifier = self::qualifier(qualifier)?;
    strength_of(cards, |cards| core::low(cards, qualifier))
}

/// Strength of the best low of two hole cards with three board cards.
#[pyfunction]
#[pyo3(signature = (board_and_hole, qualifier="eight_or_better", /))]
fn omaha_low(board_and_hole: &Bound<'_, PyAny>, qualifier: &str) -> PyResult<Py<PyInt>> {
    let qualifier = self::qualifier(qualifier)?;
    strength_of(board_and_hole, |cards| core::omaha_low(cards, qualifier))
}

/// Strength of the best five cards with wild cards among them.
#[pyfunction]
#[pyo3(signature = (naturals, wilds, /))]
fn evaluate_wild(naturals: &Bound<'_, PyAny>, wilds: usize) -> PyResult<Py<PyInt>> {
    strength_of(naturals, |naturals| core::evaluate_wild(naturals, wilds))
}

type StrengthAndMask = (Py<PyInt>, u16);

fn with_mask(py: Python<'_>, best: core::BestFive) -> StrengthAndMask {
    (strength_object(py, best.strength), best.mask)
}

/// The best five of five to seven cards and which they are.
#[pyfunction]
#[pyo3(signature = (cards, /, prefer="hole", hole_count=2))]
fn best_five(
    py: Python<'_>,
    cards: &Bound<'_, PyAny>,
    prefer: &str,
    hole_count: usize,
) -> PyResult<StrengthAndMask> {
    let prefer = self::prefer(prefer)?;
    let best =
        core::best_five(Cards::of(cards)?.as_slice(), hole_count, prefer).map_err(value_error)?;
    Ok(with_mask(py, best))
}

/// The best ace-to-five low of five to seven cards and which they are.
#[pyfunction]
#[pyo3(signature = (cards, /, qualifier, prefer="hole", hole_count=2))]
fn low_best_five(
    py: Python<'_>,
    cards: &Bound<'_, PyAny>,
    qualifier: &str,
    prefer: &str,
    hole_count: usize,
) -> PyResult<StrengthAndMask> {
    let (prefer, qualifier) = (self::prefer(prefer)?, self::qualifier(qualifier)?);
    let best = core::low_best_five(Cards::of(cards)?.as_slice(), hole_count, prefer, qualifier)
        .map_err(value_error)?;
    Ok(with_mask(py, best))
}

/// The best Omaha five and which they are.
#[pyfunction]
#[pyo3(signature = (board_and_hole, /))]
fn omaha_best_five(py: Python<'_>, board_and_hole: &Bound<'_, PyAny>) -> PyResult<StrengthAndMask> {
    let best = core::omaha_best_five(Cards::of(board_and_hole)?.as_slice()).map_err(value_error)?;
    Ok(with_mask(py, best))
}

/// The best Omaha low and which cards make it.
#[pyfunction]
#[pyo3(signature = (board_and_hole, /, qualifier="eight_or_better"))]
fn omaha_low_best_five(
    py: Python<'_>,
    board_and_hole: &Bound<'_, PyAny>,
    qualifier: &str,
) -> PyResult<StrengthAndMask> {
    let qualifier = self::qualifier(qualifier)?;
    let best = core::omaha_low_best_five(Cards::of(board_and_hole)?.as_slice(), qualifier)
        .map_err(value_error)?;
    Ok(with_mask(py, best))
}

/// Name of the category of a high strength.
#[pyfunction]
#[pyo3(signature = (strength, /))]
fn category(strength: u32) -> PyResult<&'static str> {
    Ok(core::category(strength).map_err(value_error)?.name())
}

/// A high strength in words.
#[pyfunction]
#[pyo3(signature = (strength, /))]
fn describe(strength: u32) -> PyResult<String> {
    core::describe(strength).map_err(value_error)
}

/// A low strength in words.
#[pyfunction]
#[pyo3(signature = (strength, /))]
fn describe_low(strength: u32) -> PyResult<String> {
    core::describe_low(strength).map_err(value_error)
}

/// Reads every hand against one board and names the winners.
#[pyfunction]
#[pyo3(signature = (game, board, hands, /, qualifier="eight_or_better", prefer="hole"))]
fn showdown(
    py: Python<'_>,
    game: &str,
    board: &Bound<'_, PyAny>,
    hands: Vec<Bound<'_, PyAny>>,
    qualifier: &str,
    prefer: &str,
) -> PyResult<objects::Showdown> {
    let game = objects::game(game)?;
    let hands: Vec<Cards<'_>> = hands.iter().map(Cards::of).collect::<PyResult<_>>()?;
    let slices: Vec<&[u8]> = hands.iter().map(Cards::as_slice).collect();
    let (prefer, qualifier) = (self::prefer(prefer)?, self::qualifier(qualifier)?);
    let result = core::showdown(game, Cards::of(board)?.as_slice(), &slices, qualifier, prefer)
        .map_err(value_error)?;
    objects::Showdown::new(py, &result)
}
