//! Blocks of Omaha hands.

use super::{avx2, avx512, fetch_ahead, row_error, Path, BLOCK};
use crate::batch::omaha::{parts, HAND};
use crate::cards::Error;
use crate::high::{ranks_in_suit, suit_masks, KeySum};
use crate::low::WORST_EIGHT;
use crate::omaha::{board_flush_suit, flush_of, higher};
use crate::tables::{OMAHA, OMAHA_LOW, OMAHA_ROW};

/// What a vector kernel finds out about a block of hands.
pub(super) struct Block9 {
    /// Combinatorial number of the board's sorted ranks: the row of the Omaha table.
    pub(super) row: [u16; BLOCK],
    /// Places in the row of the six pairs of hole ranks.
    pub(super) pairs: [[u8; BLOCK]; 6],
    /// Low masks up to the eight: hole << 8 | board.
    pub(super) low: [u16; BLOCK],
    /// Bit i of word w: hand 64 w + i has three board and two hole cards of one suit.
    pub(super) flush: [u64; BLOCK / 64],
}

impl Block9 {
    pub(super) const fn new() -> Self {
        Block9 { row: [0; BLOCK], pairs: [[0; BLOCK]; 6], low: [0; BLOCK], flush: [0; BLOCK / 64] }
    }
}

/// Writes the strengths of every hand; the machine has the path and the lengths fit.
pub(in crate::batch) fn nines(
    path: Path,
    cards: &[u8],
    high: &mut [u16],
    mut low: Option<&mut [u16]>,
) -> Result<(), Error> {
    let mut block = Block9::new();
    let with_low = low.is_some();
    let blocks = cards.chunks(BLOCK * HAND).zip(high.chunks_mut(BLOCK));
    for (place, (hands, strengths)) in blocks.enumerate() {
        let right = match path {
            // SAFETY: `require` has made sure that the machine has the features.
            Path::Avx512 => unsafe { avx512::index9(hands, with_low, &mut block) },
            // SAFETY: as above.
            _ => unsafe { avx2::index9(hands, with_low, &mut block) },
        };
        if !right {
            return Err(row_error(hands, HAND, place * BLOCK));
        }
        if let Some(next) = cards.get((place + 1) * BLOCK * HAND..) {
            fetch_ahead(next, BLOCK * HAND);
        }
        let hands = hands.as_chunks::<HAND>().0;
        finish(path, &block, strengths, |place| parts(&hands[place]));
        if let Some(low) = low.as_deref_mut() {
            let start = place * BLOCK;
            look_up_low(&block, &mut low[start..start + strengths.len()]);
        }
    }
    Ok(())
}

#[inline(always)]
fn look_up_high(block: &Block9, strengths: &mut [u16]) {
    for (hand, strength) in strengths.iter_mut().enumerate().take(BLOCK) {
        let row: &[u16; OMAHA_ROW] = &OMAHA.0[block.row[hand] as usize];
        let value = |pair: usize| row[block.pairs[pair][hand] as usize];
        let a = higher(value(0), value(1));
        let b = higher(value(2), value(3));
        let c = higher(value(4), value(5));
        *strength = higher(higher(a, b), c);
    }
}

/// Turns a block's rows and pairs into strengths; `parts` gives board and hole cards of a hand.
#[inline(always)]
pub(super) fn finish(
    path: Path,
    block: &Block9,
    strengths: &mut [u16],
    parts: impl Fn(usize) -> ([u8; 5], [u8; 4]),
) {
    match path {
        // SAFETY: `require` has made sure that the machine has the features.
        Path::Avx512 => unsafe { avx512::look_up_high(block, strengths) },
        _ => look_up_high(block, strengths),
    }
    for (word, flags) in block.flush.iter().enumerate() {
        let mut left = *flags;
        while left != 0 {
            let place = 64 * word + left.trailing_zeros() as usize;
            left &= left - 1;
            if let Some(strength) = strengths.get_mut(place) {
                let (board, hole) = parts(place);
                let masks = suit_masks(&board);
                if let Some((suit, ranks)) = board_flush_suit(KeySum::of(&board), masks) {
                    let own = ranks_in_suit(suit_masks(&hole), suit);
                    *strength = (*strength).max(flush_of(own, ranks));
                }
            }
        }
    }
}

#[inline(always)]
pub(super) fn look_up_low(block: &Block9, low: &mut [u16]) {
    for (strength, &masks) in low.iter_mut().zip(&block.low) {
        let eight = u16::from(OMAHA_LOW.0[masks as usize]);
        *strength = if eight == 0 { 0 } else { WORST_EIGHT - 1 + eight };
    }
}
