//! Batches of Omaha hands: five board cards, then four hole cards.

#[cfg(vector_paths)]
use super::vector;
use super::{check_rows, require, Path};
use crate::cards::{check_nine, Error};
use crate::low::{omaha_low_unchecked, Qualifier};
use crate::omaha::high_unchecked;

/// Cards of a hand with its board.
pub(super) const HAND: usize = 9;

/// Writes the Omaha high strength of every nine cards, five of the board first, to `out`.
///
/// # Errors
/// `Count` if `cards` is not nine bytes for each place of `out`; `Row` for a wrong card, and then
/// the results are not to be used.
///
/// # Panics
/// If the machine cannot run the path.
pub fn omaha9(path: Path, cards: &[u8], out: &mut [u16]) -> Result<(), Error> {
    require(path);
    check_rows(cards.len(), out.len(), HAND)?;
    match path {
        Path::Scalar => scalar9(cards, out, None),
        #[cfg(vector_paths)]
        _ => vector::nines(path, cards, out, None),
        #[cfg(not(vector_paths))]
        _ => unreachable!("only the scalar path is available"),
    }
}

/// Writes the high strength as `omaha9` and the strength of the eight-or-better low, 0 where none
/// qualifies.
///
/// # Errors
/// As `omaha9`.
///
/// # Panics
/// As `omaha9`.
pub fn omaha9_high_low(
    path: Path,
    cards: &[u8],
    high: &mut [u16],
    low: &mut [u16],
) -> Result<(), Error> {
    require(path);
    check_rows(cards.len(), high.len(), HAND)?;
    check_rows(cards.len(), low.len(), HAND)?;
    match path {
        Path::Scalar => scalar9(cards, high, Some(low)),
        #[cfg(vector_paths)]
        _ => vector::nines(path, cards, high, Some(low)),
        #[cfg(not(vector_paths))]
        _ => unreachable!("only the scalar path is available"),
    }
}

/// Splits a row into board and hole cards.
#[inline(always)]
pub(super) fn parts(hand: &[u8; HAND]) -> ([u8; 5], [u8; 4]) {
    let [a, b, c, d, e, f, g, h, i] = *hand;
    ([a, b, c, d, e], [f, g, h, i])
}

fn scalar9(cards: &[u8], high: &mut [u16], mut low: Option<&mut [u16]>) -> Result<(), Error> {
    for (row, (hand, strength)) in cards.as_chunks::<HAND>().0.iter().zip(high).enumerate() {
        check_nine(hand).map_err(|error| Error::Row {
            row,
            player: None,
            error: Box::new(error),
        })?;
        let (board, hole) = parts(hand);
        *strength = high_unchecked(&board, hole);
        if let Some(low) = low.as_deref_mut() {
            low[row] = omaha_low_unchecked(&board, hole, Qualifier::EightOrBetter);
        }
    }
    Ok(())
}
