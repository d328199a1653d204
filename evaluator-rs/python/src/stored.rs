//! The submodule `cardroom_evaluator.chain`: verified reading of stored streams.

use chain::{Chain, Hash};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString};

/// The events of a whole stream, None where its chain does not hold.
#[pyfunction]
#[pyo3(signature = (stream, previous, versions, topics, sizes, states, /))]
pub(crate) fn chained_events<'py>(
    py: Python<'py>,
    stream: &str,
    previous: Option<&[u8]>,
    versions: Vec<u64>,
    topics: &Bound<'py, PyList>,
    sizes: Vec<usize>,
    states: &[u8],
) -> PyResult<Option<Bound<'py, PyList>>> {
    let previous: Option<Hash> = match previous {
        None => None,
        Some(hash) => Some(hash.try_into().map_err(|_| {
            PyValueError::new_err(format!("previous has {} bytes: it must have 32", hash.len()))
        })?),
    };
    if versions.len() != topics.len() || versions.len() != sizes.len() {
        return Err(PyValueError::new_err(format!(
            "{} versions, {} topics and {} sizes: each event has one of each",
            versions.len(),
            topics.len(),
            sizes.len()
        )));
    }
    let mut chain = Chain::new(stream, previous);
    let mut rest = states;
    let events = PyList::empty(py);
    for ((version, size), topic) in versions.into_iter().zip(sizes).zip(topics) {
        let Some((state, after)) = rest.split_at_checked(size) else {
            return Err(PyValueError::new_err("the sizes add up to more bytes than states has"));
        };
        rest = after;
        match chain.event(version, topic.cast::<PyString>()?.to_str()?, state) {
            Some(event) => events.append(PyBytes::new(py, event))?,
            None => return Ok(None),
        }
    }
    if !rest.is_empty() {
        return Err(PyValueError::new_err("the sizes add up to fewer bytes than states has"));
    }
    Ok(Some(events))
}
