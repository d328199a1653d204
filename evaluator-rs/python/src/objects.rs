//! The classes of the Python module; all are frozen.

use crate::args::{qualifier, strength_object, strength_of, value_error, Cards};
use evaluator_core as core;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PyTuple};

/// Three to five board cards that several players' hands are read against.
#[pyclass(frozen, module = "cardroom_evaluator")]
pub(crate) struct Board(core::Board);

#[pymethods]
impl Board {
    #[new]
    #[pyo3(signature = (cards, /))]
    fn new(cards: &Bound<'_, PyAny>) -> PyResult<Self> {
        core::Board::new(Cards::of(cards)?.as_slice()).map(Board).map_err(value_error)
    }

    /// The board's cards as bytes of numbers.
    #[getter]
    fn cards<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.0.cards())
    }

    /// Strength of the best five of the board and two hole cards.
    #[pyo3(signature = (hole, /))]
    fn evaluate(&self, hole: &Bound<'_, PyAny>) -> PyResult<Py<PyInt>> {
        strength_of(hole, |hole| self.0.evaluate(hole))
    }

    /// Strength of two of four hole cards with three of the board.
    #[pyo3(signature = (hole, /))]
    fn omaha(&self, hole: &Bound<'_, PyAny>) -> PyResult<Py<PyInt>> {
        strength_of(hole, |hole| self.0.omaha(hole))
    }

    /// Strength of the ace-to-five low of the board and two hole cards.
    #[pyo3(signature = (hole, qualifier="eight_or_better", /))]
    fn low(&self, hole: &Bound<'_, PyAny>, qualifier: &str) -> PyResult<Py<PyInt>> {
        let qualifier = self::qualifier(qualifier)?;
        strength_of(hole, |hole| self.0.low(hole, qualifier))
    }

    /// Strength of the low of two of four hole cards with three of the board.
    #[pyo3(signature = (hole, qualifier="eight_or_better", /))]
    fn omaha_low(&self, hole: &Bound<'_, PyAny>, qualifier: &str) -> PyResult<Py<PyInt>> {
        let qualifier = self::qualifier(qualifier)?;
        strength_of(hole, |hole| self.0.omaha_low(hole, qualifier))
    }

    /// Strength of the best five that contain both of two hole cards.
    #[pyo3(signature = (hole, /))]
    fn with_both(&self, hole: &Bound<'_, PyAny>) -> PyResult<Py<PyInt>> {
        strength_of(hole, |hole| self.0.with_both(hole))
    }

    /// How the two hole cards take part in the best hand.
    #[pyo3(signature = (hole, /))]
    fn hole_play(&self, hole: &Bound<'_, PyAny>) -> PyResult<HolePlay> {
        self.0.hole_play(Cards::of(hole)?.as_slice()).map(HolePlay).map_err(value_error)
    }

    /// Strength of the best hand that any two hole cards can make.
    fn best_possible(&self, py: Python<'_>) -> Py<PyInt> {
        strength_object(py, self.0.best_possible())
    }

    /// Strength of the best hand that any Omaha hole cards can make.
    fn omaha_best_possible(&self, py: Python<'_>) -> Py<PyInt> {
        strength_object(py, self.0.omaha_best_possible())
    }

    fn __repr__(&self) -> String {
        let text: String = self.0.cards().iter().map(|&card| core::card_text(card)).collect();
        format!("Board('{text}')")
    }
}

/// How a player's two hole cards take part in the best hand.
#[pyclass(frozen, eq, module = "cardroom_evaluator")]
#[derive(PartialEq)]
pub(crate) struct HolePlay(core::HolePlay);

#[pymethods]
impl HolePlay {
    /// Strength of the best five of all cards.
    #[getter]
    fn strength(&self) -> u16 {
        self.0.strength
    }

    /// Strength of the best five that contain both hole cards.
    #[getter]
    fn with_both(&self) -> u16 {
        self.0.with_both
    }

    /// Strengths without the first and without the second hole card.
    #[getter]
    fn without(&self) -> (u16, u16) {
        (self.0.without[0], self.0.without[1])
    }

    /// Some best five contains both hole cards.
    #[getter]
    fn both_can_play(&self) -> bool {
        self.0.both_can_play()
    }

    /// The hand is weaker without either hole card.
    #[getter]
    fn both_needed(&self) -> bool {
        self.0.both_needed()
    }

    fn __repr__(&self) -> String {
        format!(
            "HolePlay(strength={}, with_both={}, without=({}, {}))",
            self.0.strength, self.0.with_both, self.0.without[0], self.0.without[1]
        )
    }
}

/// What one hand makes at a showdown.
#[pyclass(frozen, eq, module = "cardroom_evaluator")]
#[derive(PartialEq)]
pub(crate) struct Shown(core::Shown);

#[pymethods]
impl Shown {
    /// Strength and mask of the high hand, if the game pays one.
    #[getter]
    fn high(&self) -> Option<(u16, u16)> {
        self.0.high.map(|best| (best.strength, best.mask))
    }

    /// Strength and mask of the low, if the game pays one and it qualifies.
    #[getter]
    fn low(&self) -> Option<(u16, u16)> {
        self.0.low.map(|best| (best.strength, best.mask))
    }

    fn __repr__(&self) -> String {
        let half = |best: Option<core::BestFive>| {
            best.map_or("None".to_owned(), |best| format!("({}, {})", best.strength, best.mask))
        };
        format!("Shown(high={}, low={})", half(self.0.high), half(self.0.low))
    }
}

/// The hands of a showdown and who wins.
#[pyclass(frozen, module = "cardroom_evaluator")]
pub(crate) struct Showdown {
    #[pyo3(get)]
    hands: Py<PyTuple>,
    #[pyo3(get)]
    high_winners: Py<PyTuple>,
    #[pyo3(get)]
    low_winners: Py<PyTuple>,
}

impl Showdown {
    pub(crate) fn new(py: Python<'_>, result: &core::Showdown) -> PyResult<Self> {
        let hands: Vec<Bound<'_, Shown>> = result
            .hands
            .iter()
            .map(|&hand| Bound::new(py, Shown(hand)))
            .collect::<PyResult<_>>()?;
        Ok(Showdown {
            hands: PyTuple::new(py, hands)?.unbind(),
            high_winners: PyTuple::new(py, &result.high_winners)?.unbind(),
            low_winners: PyTuple::new(py, &result.low_winners)?.unbind(),
        })
    }
}

#[pymethods]
impl Showdown {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!(
            "Showdown(hands={}, high_winners={}, low_winners={})",
            self.hands.bind(py).repr()?,
            self.high_winners.bind(py).repr()?,
            self.low_winners.bind(py).repr()?
        ))
    }
}

/// The game of that name.
pub(crate) fn game(name: &str) -> PyResult<core::Game> {
    core::Game::named(name).ok_or_else(|| {
        let names: Vec<&str> = core::GAMES.iter().map(core::Game::name).collect();
        PyValueError::new_err(format!("game is {name:?}: it must be one of {}", names.join(", ")))
    })
}
