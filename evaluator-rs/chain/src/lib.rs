//! The stored form of events, for reading many of them: each is its own hash, then the envelope.
//!
//! The own hash is SHA-256 over the length-prefixed stream id, version, topic and envelope. The
//! envelope is a msgpack array whose first two elements are the own hash of the event before it and
//! the event. `cardroom.kernel.envelope` says the same in Python and is what writes it.

mod msgpack;

use sha2::{Digest, Sha256};

/// Bytes of a hash.
pub const HASH_BYTES: usize = 32;

/// An own hash.
pub type Hash = [u8; HASH_BYTES];

/// The hash that stands before an envelope in the store.
pub fn own_hash(stream: &str, version: u64, topic: &str, envelope: &[u8]) -> Hash {
    let mut hash = Sha256::new();
    for part in [stream.as_bytes(), &version.to_be_bytes(), topic.as_bytes(), envelope] {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    hash.finalize().into()
}

/// A stream that is read from its first event on.
pub struct Chain<'a> {
    stream: &'a str,
    version: u64,
    previous: Option<Hash>,
}

impl<'a> Chain<'a> {
    /// Before the first event; `previous` is the hash it has to name, if that is known.
    pub fn new(stream: &'a str, previous: Option<Hash>) -> Self {
        Chain { stream, version: 0, previous }
    }

    /// The event's bytes in the next stored form.
    ///
    /// None where its version does not follow, its bytes do not carry their hash, it does not name
    /// the event before it, or it is no envelope.
    pub fn event<'b>(&mut self, version: u64, topic: &str, state: &'b [u8]) -> Option<&'b [u8]> {
        if version != self.version + 1 {
            return None;
        }
        let (stored, envelope) = state.split_first_chunk::<HASH_BYTES>()?;
        if own_hash(self.stream, version, topic, envelope) != *stored {
            return None;
        }
        let (previous, event) = msgpack::link(envelope)?;
        if self.previous.is_some_and(|expected| expected != *previous) {
            return None;
        }
        self.version = version;
        self.previous = Some(*stored);
        Some(event)
    }
}
