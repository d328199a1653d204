//! Batches of seven-card hands.

#[cfg(vector_paths)]
use super::vector;
use super::{check_rows, require, Path};
use crate::cards::{check, check_seven, Error};
use crate::high::evaluate_unchecked;
use crate::low::{low_unchecked, Qualifier};

/// Cards of a hand.
const HAND: usize = 7;

/// Writes the strength of every seven-card hand of `cards` to `out`.
///
/// # Errors
/// `Count` if `cards` is not seven bytes for each place of `out`; `Row` for a wrong card, and
/// then the results are not to be used.
///
/// # Panics
/// If the machine cannot run the path.
pub fn evaluate7(path: Path, cards: &[u8], out: &mut [u16]) -> Result<(), Error> {
    require(path);
    check_rows(cards.len(), out.len(), HAND)?;
    match path {
        Path::Scalar => scalar7(cards, out),
        #[cfg(vector_paths)]
        _ => vector::sevens(path, cards, out),
        #[cfg(not(vector_paths))]
        _ => unreachable!("only the scalar path is available"),
    }
}

fn scalar7(cards: &[u8], out: &mut [u16]) -> Result<(), Error> {
    for (row, (hand, strength)) in cards.as_chunks::<HAND>().0.iter().zip(out).enumerate() {
        check_seven(hand).map_err(|error| Error::Row {
            row,
            player: None,
            error: Box::new(error),
        })?;
        *strength = evaluate_unchecked(hand);
    }
    Ok(())
}

/// Writes the ace-to-five low strength of every seven-card hand to `out`, 0 where none qualifies.
///
/// # Errors
/// As `evaluate7`.
pub fn low7(cards: &[u8], out: &mut [u16], qualifier: Qualifier) -> Result<(), Error> {
    check_rows(cards.len(), out.len(), HAND)?;
    for (row, (hand, strength)) in cards.chunks_exact(HAND).zip(out).enumerate() {
        check(hand).map_err(|error| Error::Row { row, player: None, error: Box::new(error) })?;
        *strength = low_unchecked(hand, qualifier);
    }
    Ok(())
}
