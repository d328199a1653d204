//! Batches over arrays that the caller owns, through the buffer protocol.

use crate::args::{qualifier, value_error};
use evaluator_core::batch::{self, Path};
use pyo3::buffer::{Element, PyBuffer};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::ops::Range;

/// The path of that name, or the machine's best.
fn path(name: Option<&str>) -> PyResult<Path> {
    let Some(name) = name else { return Ok(Path::best()) };
    let available = || Path::ALL.into_iter().filter(|path| path.is_available());
    available().find(|path| path.name() == name).ok_or_else(|| {
        let names: Vec<&str> = available().map(Path::name).collect();
        PyValueError::new_err(format!("path is {name:?}: this machine has {}", names.join(", ")))
    })
}

/// Names of the instruction sets that batches can run on here, the plainest first.
#[pyfunction]
pub(crate) fn batch_paths() -> Vec<&'static str> {
    Path::ALL.into_iter().filter(|path| path.is_available()).map(Path::name).collect()
}

/// An array of the caller, held for the time of the call.
struct Array<T: Element> {
    buffer: PyBuffer<T>,
    name: &'static str,
}

impl<T: Element> Array<T> {
    fn new(object: &Bound<'_, PyAny>, name: &'static str, kind: &str) -> PyResult<Self> {
        let refused =
            |why: &str| PyTypeError::new_err(format!("{name} must be an array of {kind}: {why}"));
        let buffer = PyBuffer::<T>::get(object).map_err(|error| refused(&error.to_string()))?;
        // PyO3 lets numbers of the other byte order pass.
        let other_order = if cfg!(target_endian = "little") { b">!" } else { b"<<" };
        let order = buffer.format().to_bytes().first();
        if size_of::<T>() > 1 && order.is_some_and(|order| other_order.contains(order)) {
            return Err(refused("its byte order is not the machine's"));
        }
        if !buffer.is_c_contiguous() {
            return Err(PyValueError::new_err(format!("{name} must be contiguous, row by row")));
        }
        Ok(Array { buffer, name })
    }

    /// Checks the shape; none in `wanted` stands for any length.
    fn expect(&self, wanted: &[Option<usize>]) -> PyResult<()> {
        let shape = self.buffer.shape();
        let fits = shape.len() == wanted.len()
            && shape.iter().zip(wanted).all(|(&got, want)| want.is_none_or(|want| want == got));
        if fits {
            return Ok(());
        }
        let text: Vec<String> = wanted
            .iter()
            .map(|want| want.map_or_else(|| "any".to_owned(), |want| want.to_string()))
            .collect();
        Err(PyValueError::new_err(format!(
            "{} has shape {shape:?}: it must be ({})",
            self.name,
            text.join(", ")
        )))
    }

    /// The addresses the array covers.
    fn range(&self) -> Range<usize> {
        let start = self.buffer.buf_ptr() as usize;
        start..start + self.buffer.len_bytes()
    }
}

impl Array<u8> {
    fn cards(object: &Bound<'_, PyAny>, name: &'static str) -> PyResult<Self> {
        Self::new(object, name, "uint8")
    }

    fn as_slice(&self) -> &[u8] {
        if self.buffer.item_count() == 0 {
            return &[];
        }
        // SAFETY: the buffer is contiguous, holds that many bytes and lives as long as `self`. No
        // code of this module writes to it, as `outputs` refuses arrays that overlap; the stub
        // tells callers not to write from other threads meanwhile, and what the kernels read is
        // only ever used as an index that they keep inside their tables.
        unsafe {
            std::slice::from_raw_parts(self.buffer.buf_ptr().cast(), self.buffer.item_count())
        }
    }
}

impl Array<u16> {
    fn output(object: &Bound<'_, PyAny>, name: &'static str) -> PyResult<Self> {
        let array = Self::new(object, name, "uint16")?;
        if array.buffer.readonly() {
            return Err(PyValueError::new_err(format!("{name} cannot be written to")));
        }
        Ok(array)
    }

    fn as_mut_slice(&mut self) -> &mut [u16] {
        if self.buffer.item_count() == 0 {
            return &mut [];
        }
        // SAFETY: the buffer is contiguous, writable, aligned for its element type as `PyBuffer`
        // has checked, holds that many numbers and lives as long as `self`; `outputs` refuses
        // arrays that overlap, so nothing else of this call refers to it.
        unsafe {
            std::slice::from_raw_parts_mut(self.buffer.buf_ptr().cast(), self.buffer.item_count())
        }
    }
}

/// Refuses results that would be written over cards or over each other.
fn apart(cards: &[&Array<u8>], outputs: &[&Array<u16>]) -> PyResult<()> {
    let mut others: Vec<(&str, Range<usize>)> =
        cards.iter().map(|array| (array.name, array.range())).collect();
    for output in outputs {
        let own = output.range();
        for (name, other) in &others {
            if own.start < other.end && other.start < own.end {
                return Err(PyValueError::new_err(format!(
                    "{} and {name} share memory: they must be apart",
                    output.name
                )));
            }
        }
        others.push((output.name, own));
    }
    Ok(())
}

/// Strengths of (N, 7) cards into (N,) results.
#[pyfunction]
#[pyo3(signature = (cards, out, /, path=None))]
pub(crate) fn evaluate_batch(
    py: Python<'_>,
    cards: &Bound<'_, PyAny>,
    out: &Bound<'_, PyAny>,
    path: Option<&str>,
) -> PyResult<()> {
    let path = self::path(path)?;
    let cards = Array::cards(cards, "cards")?;
    let mut out = Array::output(out, "out")?;
    cards.expect(&[None, Some(7)])?;
    out.expect(&[Some(cards.buffer.shape()[0])])?;
    apart(&[&cards], &[&out])?;
    let (hands, strengths) = (cards.as_slice(), out.as_mut_slice());
    py.detach(|| batch::evaluate7(path, hands, strengths)).map_err(value_error)
}

/// Low strengths of (N, 7) cards into (N,) results.
#[pyfunction]
#[pyo3(signature = (cards, out, /, qualifier))]
pub(crate) fn low_batch(
    py: Python<'_>,
    cards: &Bound<'_, PyAny>,
    out: &Bound<'_, PyAny>,
    qualifier: &str,
) -> PyResult<()> {
    let qualifier = self::qualifier(qualifier)?;
    let cards = Array::cards(cards, "cards")?;
    let mut out = Array::output(out, "out")?;
    cards.expect(&[None, Some(7)])?;
    out.expect(&[Some(cards.buffer.shape()[0])])?;
    apart(&[&cards], &[&out])?;
    let (hands, strengths) = (cards.as_slice(), out.as_mut_slice());
    py.detach(|| batch::low7(hands, strengths, qualifier)).map_err(value_error)
}

/// Omaha strengths of (N, 9) cards into (N,) results, and eight-or-better lows if asked for.
#[pyfunction]
#[pyo3(signature = (cards, out, low_out=None, /, path=None))]
pub(crate) fn omaha_batch(
    py: Python<'_>,
    cards: &Bound<'_, PyAny>,
    out: &Bound<'_, PyAny>,
    low_out: Option<&Bound<'_, PyAny>>,
    path: Option<&str>,
) -> PyResult<()> {
    let path = self::path(path)?;
    let cards = Array::cards(cards, "cards")?;
    cards.expect(&[None, Some(9)])?;
    let shape = [Some(cards.buffer.shape()[0])];
    let mut out = Array::output(out, "out")?;
    out.expect(&shape)?;
    let Some(low_out) = low_out else {
        apart(&[&cards], &[&out])?;
        let (hands, high) = (cards.as_slice(), out.as_mut_slice());
        return py.detach(|| batch::omaha9(path, hands, high)).map_err(value_error);
    };
    let mut low_out = Array::output(low_out, "low_out")?;
    low_out.expect(&shape)?;
    apart(&[&cards], &[&out, &low_out])?;
    let (hands, high, low) = (cards.as_slice(), out.as_mut_slice(), low_out.as_mut_slice());
    py.detach(|| batch::omaha9_high_low(path, hands, high, low)).map_err(value_error)
}

/// The arrays of whole tables, and the number of players.
fn tables(
    boards: &Bound<'_, PyAny>,
    holes: &Bound<'_, PyAny>,
    own: usize,
) -> PyResult<(Array<u8>, Array<u8>, usize)> {
    let boards = Array::cards(boards, "boards")?;
    boards.expect(&[None, Some(5)])?;
    let holes = Array::cards(holes, "holes")?;
    holes.expect(&[Some(boards.buffer.shape()[0]), None, Some(own)])?;
    let players = holes.buffer.shape()[1];
    Ok((boards, holes, players))
}

/// Hold'em strengths of (B, 5) boards and (B, P, 2) hole cards into (B, P) results.
#[pyfunction]
#[pyo3(signature = (boards, holes, out, /, path=None))]
pub(crate) fn holdem_tables(
    py: Python<'_>,
    boards: &Bound<'_, PyAny>,
    holes: &Bound<'_, PyAny>,
    out: &Bound<'_, PyAny>,
    path: Option<&str>,
) -> PyResult<()> {
    let path = self::path(path)?;
    let (boards, holes, players) = tables(boards, holes, 2)?;
    let mut out = Array::output(out, "out")?;
    out.expect(&[Some(boards.buffer.shape()[0]), Some(players)])?;
    apart(&[&boards, &holes], &[&out])?;
    let (board, hole, strengths) = (boards.as_slice(), holes.as_slice(), out.as_mut_slice());
    py.detach(|| batch::holdem_tables(path, board, hole, players, strengths)).map_err(value_error)
}

/// Omaha strengths of (B, 5) boards and (B, P, 4) hole cards into (B, P) results.
#[pyfunction]
#[pyo3(signature = (boards, holes, out, low_out=None, /, path=None))]
pub(crate) fn omaha_tables(
    py: Python<'_>,
    boards: &Bound<'_, PyAny>,
    holes: &Bound<'_, PyAny>,
    out: &Bound<'_, PyAny>,
    low_out: Option<&Bound<'_, PyAny>>,
    path: Option<&str>,
) -> PyResult<()> {
    let path = self::path(path)?;
    let (boards, holes, players) = tables(boards, holes, 4)?;
    let shape = [Some(boards.buffer.shape()[0]), Some(players)];
    let mut out = Array::output(out, "out")?;
    out.expect(&shape)?;
    let mut low_out = low_out.map(|low| Array::output(low, "low_out")).transpose()?;
    if let Some(low) = &low_out {
        low.expect(&shape)?;
        apart(&[&boards, &holes], &[&out, low])?;
    } else {
        apart(&[&boards, &holes], &[&out])?;
    }
    let (board, hole, high) = (boards.as_slice(), holes.as_slice(), out.as_mut_slice());
    let low = low_out.as_mut().map(Array::as_mut_slice);
    py.detach(|| batch::omaha_tables(path, board, hole, players, high, low)).map_err(value_error)
}
