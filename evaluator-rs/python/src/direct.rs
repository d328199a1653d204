//! The calls that are all about speed, without the argument parsing that PyO3 generates.
//!
//! These functions take arguments by position alone, and a call of `evaluate` costs about a third
//! less this way. Whatever is not the plain case goes through PyO3.

use crate::args::{card, strength_object, strength_of, value_error, MOST};
use evaluator_core::{evaluate, omaha_high, parse, Error};
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use std::ffi::CStr;
use std::ops::RangeInclusive;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::ptr::{addr_of_mut, null_mut};

/// A question about cards that has a strength as its answer.
trait Question {
    const NAME: &'static str;
    const C_NAME: &'static CStr;
    const DOC: &'static CStr;
    /// The form that takes cards one by one, and how many.
    const INTS_NAME: &'static str;
    const C_INTS_NAME: &'static CStr;
    const INTS_DOC: &'static CStr;
    const INTS: RangeInclusive<usize>;

    fn ask(cards: &[u8]) -> Result<u16, Error>;
}

struct Evaluate;

impl Question for Evaluate {
    const NAME: &'static str = "evaluate";
    const C_NAME: &'static CStr = c"evaluate";
    const DOC: &'static CStr =
        c"evaluate(cards, /)\n--\n\nStrength of the best five of five to seven cards.";
    const INTS_NAME: &'static str = "evaluate_ints";
    const C_INTS_NAME: &'static CStr = c"evaluate_ints";
    const INTS_DOC: &'static CStr = c"evaluate_ints(*cards)\n--\n\n\
        Strength of the best five of five to seven cards given one by one.";
    const INTS: RangeInclusive<usize> = 5..=7;

    #[inline(always)]
    fn ask(cards: &[u8]) -> Result<u16, Error> {
        evaluate(cards)
    }
}

struct OmahaHigh;

impl Question for OmahaHigh {
    const NAME: &'static str = "omaha_high";
    const C_NAME: &'static CStr = c"omaha_high";
    const DOC: &'static CStr = c"omaha_high(board_and_hole, /)\n--\n\n\
        Strength of the best two hole cards with three board cards.";
    const INTS_NAME: &'static str = "omaha_high_ints";
    const C_INTS_NAME: &'static CStr = c"omaha_high_ints";
    const INTS_DOC: &'static CStr = c"omaha_high_ints(*board_and_hole)\n--\n\n\
        Omaha high strength of seven to nine cards given one by one, the board first.";
    const INTS: RangeInclusive<usize> = 7..=9;

    #[inline(always)]
    fn ask(cards: &[u8]) -> Result<u16, Error> {
        omaha_high(cards)
    }
}

/// The answer for plain `bytes` or `str`; nothing for any other object and for wrong cards.
///
/// # Safety
/// `cards` is a Python object, and the thread is attached to the interpreter.
#[inline(always)]
unsafe fn plain_answer<Q: Question>(cards: *mut ffi::PyObject) -> Option<u16> {
    let mut length = 0;
    // SAFETY: the caller gives an object; its type is compared with bytes and str themselves, so
    // that the address and the length are asked of such an object, which lives through the call
    // and whose content never changes.
    unsafe {
        let kind = ffi::Py_TYPE(cards);
        if kind == addr_of_mut!(ffi::PyBytes_Type) {
            let mut data = null_mut();
            if ffi::PyBytes_AsStringAndSize(cards, &mut data, &mut length) != 0 {
                return None;
            }
            return Q::ask(std::slice::from_raw_parts(data.cast(), length as usize)).ok();
        }
        if kind == addr_of_mut!(ffi::PyUnicode_Type) {
            let data = ffi::PyUnicode_AsUTF8AndSize(cards, &mut length);
            if data.is_null() {
                ffi::PyErr_Clear();
                return None;
            }
            let text = std::slice::from_raw_parts(data.cast(), length as usize);
            return Q::ask(parse::<MOST>(text).ok()?.as_slice()).ok();
        }
    }
    None
}

/// Answers through PyO3: subclasses and everything that is refused.
#[inline(never)]
fn other_answer<Q: Question>(cards: *mut ffi::PyObject) -> *mut ffi::PyObject {
    Python::attach(|py| {
        // SAFETY: Python gives the function a valid object that outlives the call.
        let object = unsafe { Bound::from_borrowed_ptr(py, cards) };
        let ask = AssertUnwindSafe(|| strength_of(&object, Q::ask));
        let answer = catch_unwind(ask).unwrap_or_else(|_| {
            Err(PyRuntimeError::new_err("the evaluator failed: this is a defect of it"))
        });
        match answer {
            Ok(strength) => strength.into_ptr(),
            Err(error) => {
                error.restore(py);
                null_mut()
            }
        }
    })
}

/// The function that Python calls.
///
/// # Safety
/// Only Python calls it, attached and with a valid argument.
unsafe extern "C" fn call<Q: Question>(
    _module: *mut ffi::PyObject,
    cards: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: Python gives a valid object and the thread is attached. A panic is caught here, and
    // asking again in `other_answer` turns it into an exception.
    let answer = catch_unwind(|| unsafe { plain_answer::<Q>(cards) });
    match answer {
        // SAFETY: the thread is attached.
        Ok(Some(strength)) => unsafe { ffi::PyLong_FromLong(strength.into()) },
        _ => other_answer::<Q>(cards),
    }
}

/// The numbers of plain integers; nothing if any argument is not one, or not of a card's size.
///
/// # Safety
/// `given` are `count` valid objects, and the thread is attached to the interpreter.
#[inline(always)]
unsafe fn plain_numbers<const N: usize>(
    given: *const *mut ffi::PyObject,
    count: usize,
) -> Option<[u8; N]> {
    let mut numbers = [0; N];
    for (place, number) in numbers.iter_mut().enumerate().take(count) {
        // SAFETY: the place is below the count; a plain integer is asked for its value, and the
        // exception for one that is too large is cleared.
        let value = unsafe {
            let object = *given.add(place);
            if ffi::Py_TYPE(object) != addr_of_mut!(ffi::PyLong_Type) {
                return None;
            }
            let value = ffi::PyLong_AsLong(object);
            if value == -1 {
                ffi::PyErr_Clear();
            }
            value
        };
        *number = u8::try_from(value).ok()?;
    }
    Some(numbers)
}

/// The function that Python calls with cards one by one.
///
/// # Safety
/// Only Python calls it, attached and with `count` valid arguments.
unsafe extern "C" fn call_ints<Q: Question>(
    _module: *mut ffi::PyObject,
    given: *mut *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
) -> *mut ffi::PyObject {
    let count = count as usize;
    if Q::INTS.contains(&count) {
        // SAFETY: the arguments are Python's, and no more than `MOST`. A panic is caught, and
        // asking again in `other_ints` turns it into an exception.
        let answer = catch_unwind(|| unsafe {
            let numbers = plain_numbers::<MOST>(given, count)?;
            Q::ask(&numbers[..count]).ok()
        });
        if let Ok(Some(strength)) = answer {
            // SAFETY: the thread is attached.
            return unsafe { ffi::PyLong_FromLong(strength.into()) };
        }
    }
    other_ints::<Q>(given, count)
}

/// Answers through PyO3: integers of other types and everything that is refused.
#[inline(never)]
fn other_ints<Q: Question>(given: *mut *mut ffi::PyObject, count: usize) -> *mut ffi::PyObject {
    Python::attach(|py| {
        let ask = AssertUnwindSafe(|| {
            if !Q::INTS.contains(&count) {
                let (least, most) = (Q::INTS.start(), Q::INTS.end());
                let allowed =
                    if least == most { format!("{least}") } else { format!("{least} to {most}") };
                return Err(PyTypeError::new_err(format!(
                    "{} takes {allowed} cards, {count} were given",
                    Q::INTS_NAME
                )));
            }
            let mut cards = [0; MOST];
            for (place, number) in cards.iter_mut().enumerate().take(count) {
                // SAFETY: Python gives `count` valid objects that outlive the call.
                let object = unsafe { Bound::from_borrowed_ptr(py, *given.add(place)) };
                *number = card(&object, place)?;
            }
            Q::ask(&cards[..count]).map_err(value_error)
        });
        let answer = catch_unwind(ask).unwrap_or_else(|_| {
            Err(PyRuntimeError::new_err("the evaluator failed: this is a defect of it"))
        });
        match answer {
            Ok(strength) => strength_object(py, strength).into_ptr(),
            Err(error) => {
                error.restore(py);
                null_mut()
            }
        }
    })
}

/// Adds the functions to the module.
pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add_both::<Evaluate>(module)?;
    add_both::<OmahaHigh>(module)
}

fn add_both<Q: Question>(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let one = ffi::PyMethodDefPointer { PyCFunction: call::<Q> };
    add_one(module, Q::NAME, (Q::C_NAME, Q::DOC), one, ffi::METH_O)?;
    let several = ffi::PyMethodDefPointer { PyCFunctionFast: call_ints::<Q> };
    let texts = (Q::C_INTS_NAME, Q::INTS_DOC);
    add_one(module, Q::INTS_NAME, texts, several, ffi::METH_FASTCALL)
}

fn add_one(
    module: &Bound<'_, PyModule>,
    name: &str,
    (c_name, doc): (&'static CStr, &'static CStr),
    ml_meth: ffi::PyMethodDefPointer,
    ml_flags: std::ffi::c_int,
) -> PyResult<()> {
    let definition = Box::new(ffi::PyMethodDef {
        ml_name: c_name.as_ptr(),
        ml_meth,
        ml_flags,
        ml_doc: doc.as_ptr(),
    });
    let of_module = module.name()?;
    // SAFETY: the definition is never freed, as Python asks, the name is a live string, and the
    // new reference is owned from here on; null means that an exception is set.
    let function = unsafe {
        let raw = ffi::PyCFunction_NewEx(Box::leak(definition), null_mut(), of_module.as_ptr());
        Bound::from_owned_ptr_or_err(module.py(), raw)?
    };
    module.add(name, function)
}
