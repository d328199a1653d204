//! Blocks of seven-card hands.

use super::{avx2, avx512, fetch_ahead, row_error, Path, BLOCK};
use crate::cards::Error;
use crate::high::{flush_strength, ranks_in_suit, suit_masks, KeySum};
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

/// Writes the strength of every hand; the machine has the path and the lengths fit.
pub(in crate::batch) fn sevens(path: Path, cards: &[u8], out: &mut [u16]) -> Result<(), Error> {
    let mut block = Block7::new();
    let blocks = cards.chunks(BLOCK * HAND).zip(out.chunks_mut(BLOCK));
    for (place, (hands, strengths)) in blocks.enumerate() {
        let right = match path {
            // SAFETY: `require` has made sure that the machine has the features.
            Path::Avx512 => unsafe { avx512::index7(hands, &mut block) },
            // SAFETY: as above.
            _ => unsafe { avx2::index7(hands, &mut block) },
        };
        if !right {
            return Err(row_error(hands, HAND, place * BLOCK));
        }
        if let Some(next) = cards.get((place + 1) * BLOCK * HAND..) {
            fetch_ahead(next, BLOCK * HAND);
        }
        look_up(&block, strengths, |hand| flush7(&hands[HAND * hand..HAND * hand + HAND]));
    }
    Ok(())
}
