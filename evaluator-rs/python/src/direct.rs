//! The calls that are all about speed, without the argument parsing that PyO3 generates.
//!
//! One argument by position is all these functions take (`METH_O`), and a call of `evaluate` costs
//! about a quarter less this way. Whatever is not the plain case goes through PyO3.

use crate::args::{strength_of, MOST};
use evaluator_core::{evaluate, omaha_high, parse, Error};
use pyo3::exceptions::PyRuntimeError;
use pyo3::ffi;
use pyo3::prelude::*;
use std::ffi::CStr;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::ptr::{addr_of_mut, null_mut};

/// A question about cards that has a strength as its answer.
trait Question {
    const NAME: &'static str;
    const C_NAME: &'static CStr;
    const DOC: &'static CStr;

    fn ask(cards: &[u8]) -> Result<u16, Error>;
}

struct Evaluate;

impl Question for Evaluate {
    const NAME: &'static str = "evaluate";
    const C_NAME: &'static CStr = c"evaluate";
    const DOC: &'static CStr =
        c"evaluate(cards, /)\n--\n\nStrength of the best five of five to seven cards.";

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

/// Adds `evaluate` and `omaha_high` to the module.
pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add_one::<Evaluate>(module)?;
    add_one::<OmahaHigh>(module)
}

fn add_one<Q: Question>(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let definition = Box::new(ffi::PyMethodDef {
        ml_name: Q::C_NAME.as_ptr(),
        ml_meth: ffi::PyMethodDefPointer { PyCFunction: call::<Q> },
        ml_flags: ffi::METH_O,
        ml_doc: Q::DOC.as_ptr(),
    });
    let name = module.name()?;
    // SAFETY: the definition is never freed, as Python asks, the name is a live string, and the
    // new reference is owned from here on; null means that an exception is set.
    let function = unsafe {
        let raw = ffi::PyCFunction_NewEx(Box::leak(definition), null_mut(), name.as_ptr());
        Bound::from_owned_ptr_or_err(module.py(), raw)?
    };
    module.add(Q::NAME, function)
}
