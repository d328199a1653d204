//! From Python objects to cards and back.

use evaluator_core::{parse, CardList, Error, Prefer, Qualifier};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PyString};

/// Most cards any single call takes: a board of five and four hole cards.
pub(crate) const MOST: usize = 9;

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

impl<'a> Cards<'a> {
    /// Reads cards from a Python argument.
    #[inline(always)]
    pub(crate) fn of(object: &'a Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = object.cast_exact::<PyBytes>() {
            return Ok(Cards::Numbers(bytes.as_bytes()));
        }
        Self::of_other(object)
    }

    /// Reads cards from what is not plainly `bytes`.
    #[inline(never)]
    fn of_other(object: &'a Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(text) = object.cast::<PyString>() {
            let list = parse(text.to_str()?.as_bytes()).map_err(value_error)?;
            return Ok(Cards::Text(list));
        }
        let bytes = object.cast::<PyBytes>().map_err(|_| wrong_type(object))?;
        Ok(Cards::Numbers(bytes.as_bytes()))
    }

    #[inline(always)]
    pub(crate) fn as_slice(&self) -> &[u8] {
        match self {
            Cards::Numbers(numbers) => numbers,
            Cards::Text(list) => list.as_slice(),
        }
    }
}

/// What `question` answers about the cards of a Python argument, as a Python integer.
///
/// The plain cases of bytes and text are kept apart so that each is compiled without moving the
/// other's form of cards about.
#[inline(always)]
pub(crate) fn strength_of(
    object: &Bound<'_, PyAny>,
    question: impl Fn(&[u8]) -> Result<u16, Error>,
) -> PyResult<Py<PyInt>> {
    let py = object.py();
    if let Ok(bytes) = object.cast_exact::<PyBytes>() {
        return match question(bytes.as_bytes()) {
            Ok(strength) => Ok(strength_object(py, strength)),
            Err(error) => Err(value_error(error)),
        };
    }
    if let Ok(text) = object.cast_exact::<PyString>() {
        let list: CardList<MOST> = parse(text.to_str()?.as_bytes()).map_err(value_error)?;
        return match question(list.as_slice()) {
            Ok(strength) => Ok(strength_object(py, strength)),
            Err(error) => Err(value_error(error)),
        };
    }
    match question(Cards::of(object)?.as_slice()) {
        Ok(strength) => Ok(strength_object(py, strength)),
        Err(error) => Err(value_error(error)),
    }
}

#[cold]
fn wrong_type(object: &Bound<'_, PyAny>) -> PyErr {
    let name = object.get_type().name();
    let found = name.map_or_else(|_| "object".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("cards are {found}: they must be bytes or str"))
}

/// A strength as a Python integer.
///
/// Making one is faster than keeping all of them: the kept ones are in no near cache.
#[inline(always)]
pub(crate) fn strength_object(py: Python<'_>, strength: u16) -> Py<PyInt> {
    PyInt::new(py, strength).unbind()
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
        Err(error) if error.is_instance_of::<PyOverflowError>(object.py()) => {
            Err(no_card(position, &object.to_string()))
        }
        Err(error) => Err(error),
    }
}

#[cold]
fn no_card(position: usize, found: &str) -> PyErr {
    PyValueError::new_err(format!("card {position} is {found}: a card is 0 (2c) to 51 (As)"))
}
