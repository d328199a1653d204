//! From Python objects to cards and back.

use evaluator_core::{parse, CardList, Error, Prefer, Qualifier};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyInt, PyString};

/// Most cards any single call takes: a board of five and four hole cards.
const MOST: usize = 9;

/// A core error as the `ValueError` a Python caller sees.
#[cold]
pub(crate) fn value_error(error: Error) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Cards given as bytes of numbers or as text.
pub(crate) enum Cards<'a> {
    Numbers(&'a [u8]),
    Text(CardList<MOST>),
}

impl Cards<'_> {
    #[inline(always)]
    pub(crate) fn as_slice(&self) -> &[u8] {
        match self {
            Cards::Numbers(numbers) => numbers,
            Cards::Text(list) => list.as_slice(),
        }
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Cards<'a> {
    type Error = PyErr;

    #[inline(always)]
    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(numbers) = object.extract::<&'a [u8]>() {
            return Ok(Cards::Numbers(numbers));
        }
        if let Ok(text) = object.cast::<PyString>() {
            let list = parse(text.to_str()?.as_bytes()).map_err(value_error)?;
            return Ok(Cards::Text(list));
        }
        Err(wrong_type(object))
    }
}

#[cold]
fn wrong_type(object: Borrowed<'_, '_, PyAny>) -> PyErr {
    let name = object.get_type().name();
    let found = name.map_or_else(|_| "object".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("cards are {found}: they must be bytes or str"))
}

/// The Python integers of all strengths, made once: most are above the integers Python keeps.
static INTEGERS: PyOnceLock<Vec<Py<PyInt>>> = PyOnceLock::new();

/// A strength as a Python integer.
#[inline(always)]
pub(crate) fn strength_object(py: Python<'_>, strength: u16) -> Py<PyInt> {
    match INTEGERS.get(py) {
        Some(integers) => integers[strength as usize].clone_ref(py),
        None => make_integers(py)[strength as usize].clone_ref(py),
    }
}

#[cold]
fn make_integers(py: Python<'_>) -> &Vec<Py<PyInt>> {
    INTEGERS.get_or_init(py, || {
        (0..=evaluator_core::FIVE_ACES).map(|value| PyInt::new(py, value).unbind()).collect()
    })
}

/// Which card plays among equals, from its name.
pub(crate) fn prefer(name: &str) -> PyResult<Prefer> {
    match name {
        "hole" => Ok(Prefer::Hole),
        "board" => Ok(Prefer::Board),
        _ => Err(PyValueError::new_err(format!(
            "prefer is {name:?}: it must be \"hole\" or \"board\""
        ))),
    }
}

/// What a low must be, from its name.
pub(crate) fn qualifier(name: &str) -> PyResult<Qualifier> {
    match name {
        "none" => Ok(Qualifier::None),
        "eight_or_better" => Ok(Qualifier::EightOrBetter),
        _ => Err(PyValueError::new_err(format!(
            "qualifier is {name:?}: it must be \"none\" or \"eight_or_better\""
        ))),
    }
}

/// One card given as a Python integer.
#[inline(always)]
pub(crate) fn card(object: &Bound<'_, PyAny>, position: usize) -> PyResult<u8> {
    match object.extract::<i64>() {
        Ok(number @ 0..=51) => Ok(number as u8),
        Ok(number) => Err(no_card(position, &number.to_string())),
        Err(error) if error.is_instance_of::<PyTypeError>(object.py()) => Err(error),
        Err(_) => Err(no_card(position, &object.to_string())),
    }
}

#[cold]
fn no_card(position: usize, found: &str) -> PyErr {
    PyValueError::new_err(format!("card {position} is {found}: a card is 0 (2c) to 51 (As)"))
}
