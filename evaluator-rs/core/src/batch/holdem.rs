//! Batches of seven-card hands.

use super::{check_rows, require, row_error, Path, BLOCK};
use crate::cards::{check, check_seven, Error};
use crate::high::{evaluate_unchecked, flush_strength, ranks_in_suit, suit_masks, KeySum};
use crate::low::{low_unchecked, Qualifier};
use crate::tables::SORTED7;

/// Cards of a hand.
const HAND: usize = 7;

/// What a vector kernel finds out about a block of hands.
pub(super) struct Block7 {
    /// Combinatorial number of the sorted ranks of each hand.
    pub(super) index: [u16; BLOCK],
    /// Bit i of word w: hand 64 w + i has five or more cards of one suit.
    pub(super) flush: [u64; BLOCK / 64],
}

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
        #[cfg(target_arch = "x86_64")]
        _ => vector7(path, cards, out),
        #[cfg(not(target_arch = "x86_64"))]
        _ => unreachable!("only the scalar path is available"),
    }
}

fn scalar7(cards: &[u8], out: &mut [u16]) -> Result<(), Error> {
    for (row, (hand, strength)) in cards.as_chunks::<HAND>().0.iter().zip(out).enumerate() {
        check_seven(hand)
            .map_err(|error| Error::Row { row, player: None, error: Box::new(error) })?;
        *strength = evaluate_unchecked(hand);
    }
    Ok(())
}

#[cfg(target_arch = "x86_64")]
fn vector7(path: Path, cards: &[u8], out: &mut [u16]) -> Result<(), Error> {
    let mut block = Block7::new();
    let blocks = cards.chunks(BLOCK * HAND).zip(out.chunks_mut(BLOCK));
    for (place, (hands, strengths)) in blocks.enumerate() {
        let right = match path {
            // SAFETY: `require` has made sure that the machine has the features.
            Path::Avx512 => unsafe { super::avx512::index7(hands, &mut block) },
            // SAFETY: as above.
            _ => unsafe { super::avx2::index7(hands, &mut block) },
        };
        if !right {
            return Err(row_error(hands, HAND, place * BLOCK));
        }
        look_up(&block, strengths, |hand| flush7(&hands[HAND * hand..HAND * hand + HAND]));
    }
    Ok(())
}

impl Block7 {
    pub(super) const fn new() -> Self {
        Block7 { index: [0; BLOCK], flush: [0; BLOCK / 64] }
    }
}

/// Turns a block's indices into strengths; `flush` gives that of a hand that holds a flush.
#[inline(always)]
pub(super) fn look_up(block: &Block7, strengths: &mut [u16], flush: impl Fn(usize) -> u16) {
    for (strength, &index) in strengths.iter_mut().zip(&block.index) {
        *strength = SORTED7.0[index as usize];
    }
    for (word, flags) in block.flush.iter().enumerate() {
        let mut left = *flags;
        while left != 0 {
            let hand = 64 * word + left.trailing_zeros() as usize;
            left &= left - 1;
            if let Some(strength) = strengths.get_mut(hand) {
                *strength = flush(hand);
            }
        }
    }
}

/// Strength of a hand that holds a flush.
#[inline(always)]
pub(super) fn flush7(hand: &[u8]) -> u16 {
    let suit = KeySum::of(hand).flush_suit().unwrap_or(0);
    flush_strength(ranks_in_suit(suit_masks(hand), suit))
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
