//! Many hands at once, on the fastest instruction set of the machine.

mod holdem;
mod omaha;
mod tables;

#[cfg(vector_paths)]
mod vector;

pub use holdem::{evaluate7, low7};
pub use omaha::{omaha9, omaha9_high_low};
pub use tables::{holdem_tables, omaha_tables};

use crate::cards::Error;

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
            #[cfg(vector_paths)]
            Path::Avx2 => {
                is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("bmi1")
                    && is_x86_feature_detected!("bmi2")
                    && is_x86_feature_detected!("popcnt")
            }
            #[cfg(vector_paths)]
            Path::Avx512 => {
                Path::Avx2.is_available()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vbmi")
            }
            #[cfg(not(vector_paths))]
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

/// Checks that `got` bytes are whole rows for the `rows` results asked for.
fn check_rows(got: usize, rows: usize, row_bytes: usize) -> Result<(), Error> {
    if rows.checked_mul(row_bytes) != Some(got) {
        let wanted = rows.saturating_mul(row_bytes);
        return Err(Error::Count { what: "card bytes", got, least: wanted, most: wanted });
    }
    Ok(())
}

/// Panics unless the machine can run the path: kernels rely on it.
fn require(path: Path) {
    assert!(path.is_available(), "this machine has no {} path", path.name());
}
