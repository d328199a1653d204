//! Many hands at once.
//!
//! Vector paths sort the cards of 32 or 64 hands at a time, one card of every hand to a register.
//! The combinatorial number of seven sorted ranks is the index of their strength, so that one
//! look-up a hand remains; sorted cards also show duplicates as neighbours. Whatever bytes come
//! in, every index stays inside its table, and each block is checked before its results count.

mod holdem;
mod omaha;
mod tables;

#[cfg(target_arch = "x86_64")]
mod lanes;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;

pub use holdem::{evaluate7, low7};
pub use omaha::{omaha9, omaha9_high_low};
pub use tables::{holdem_tables, omaha_tables};

use crate::cards::{check, Error};

/// An instruction set a batch can run on. All give the same results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Path {
    /// Any machine.
    Scalar,
    /// x86-64 with AVX2, BMI and POPCNT.
    Avx2,
    /// x86-64 with AVX-512 F, BW and VBMI.
    Avx512,
}

impl Path {
    /// All paths, the plainest first.
    pub const ALL: [Path; 3] = [Path::Scalar, Path::Avx2, Path::Avx512];

    /// Whether this machine can run the path.
    pub fn is_available(self) -> bool {
        match self {
            Path::Scalar => true,
            #[cfg(target_arch = "x86_64")]
            Path::Avx2 => {
                is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("bmi1")
                    && is_x86_feature_detected!("bmi2")
                    && is_x86_feature_detected!("popcnt")
            }
            #[cfg(target_arch = "x86_64")]
            Path::Avx512 => {
                Path::Avx2.is_available()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vbmi")
            }
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }

    /// The fastest path of this machine.
    pub fn best() -> Path {
        let available = Path::ALL.into_iter().rev().find(|path| path.is_available());
        available.unwrap_or(Path::Scalar)
    }

    /// Name of the path, such as `avx2`.
    pub fn name(self) -> &'static str {
        match self {
            Path::Scalar => "scalar",
            Path::Avx2 => "avx2",
            Path::Avx512 => "avx512",
        }
    }
}

/// Hands of a block: its indices and results stay in the first-level cache.
const BLOCK: usize = 1024;

/// Checks that `got` bytes are whole rows for the `rows` results asked for.
fn check_rows(got: usize, rows: usize, row_bytes: usize) -> Result<(), Error> {
    if rows.checked_mul(row_bytes) != Some(got) {
        let wanted = rows.saturating_mul(row_bytes);
        return Err(Error::Count { what: "card bytes", got, least: wanted, most: wanted });
    }
    Ok(())
}

/// The first wrong row of a block that is known to hold one.
#[cold]
fn row_error(cards: &[u8], row_bytes: usize, first_row: usize) -> Error {
    let found = cards
        .chunks_exact(row_bytes)
        .enumerate()
        .find_map(|(row, hand)| check(hand).err().map(|error| (row, error)));
    let (row, error) = found.expect("the kernel and the check agree on what a card is");
    Error::Row { row: first_row + row, player: None, error: Box::new(error) }
}

/// Panics unless the machine can run the path: kernels rely on it.
fn require(path: Path) {
    assert!(path.is_available(), "this machine has no {} path", path.name());
}
