//! High hands of five to seven cards.
//!
//! Every card has a key: a number whose sums tell all sets of ranks apart, and a counter for its
//! suit. The sum of a set's keys is all that is needed to find its strength, and sums of parts
//! add up, so a board is summed once for all players.

use crate::cards::{check_counted, check_seven, Error};
use crate::tables::{
    CARD_BITS, CARD_KEYS, COLUMN_BITS, FLUSH, KEY_SHIFT, OFFSETS5, OFFSETS6, OFFSETS7, OMAHA_ROWS5,
    VALUES5, VALUES6, VALUES7,
};

/// Added to the suit counters, makes bit 3 of a counter mean "five or more".
const FIVE_SUITED: u64 = 0x3333;
/// Bit 3 of each suit counter.
const SUIT_FLAGS: u64 = 0x8888;

/// The sum of the keys of a set of cards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct KeySum(pub(crate) u64);

impl KeySum {
    /// Sums the keys of cards; numbers beyond the deck give a wrong sum, never a failure.
    #[inline(always)]
    pub(crate) fn of(cards: &[u8]) -> Self {
        cards.iter().fold(KeySum(0), |sum, &card| sum.plus(card))
    }

    /// The sum with one more card.
    #[inline(always)]
    pub(crate) fn plus(self, card: u8) -> Self {
        KeySum(self.0.wrapping_add(CARD_KEYS.0[card as usize]))
    }

    /// The sum of two sets that share no card.
    #[inline(always)]
    pub(crate) fn join(self, other: Self) -> Self {
        KeySum(self.0.wrapping_add(other.0))
    }

    /// The suit of which there are at least five, if any.
    #[inline(always)]
    pub(crate) fn flush_suit(self) -> Option<u32> {
        let flags = (self.0 & 0xFFFF).wrapping_add(FIVE_SUITED) & SUIT_FLAGS;
        if flags == 0 {
            None
        } else {
            Some(flags.trailing_zeros() / 4)
        }
    }

    #[inline(always)]
    fn row(self) -> usize {
        (self.0 >> (KEY_SHIFT + COLUMN_BITS)) as usize
    }

    #[inline(always)]
    fn column(self) -> u16 {
        (self.0 >> KEY_SHIFT) as u16 & ((1 << COLUMN_BITS) - 1)
    }

    /// Where five cards stand in their tables.
    #[inline(always)]
    fn cell5(self) -> usize {
        let cell = OFFSETS5.0[self.row()].wrapping_add(self.column());
        cell as usize & (VALUES5.0.len() - 1)
    }

    /// Strength of five cards, suits aside.
    #[inline(always)]
    pub(crate) fn ranks5(self) -> u16 {
        VALUES5.0[self.cell5()]
    }

    /// The row of the Omaha table of five board cards.
    #[inline(always)]
    pub(crate) fn omaha_row(self) -> usize {
        OMAHA_ROWS5.0[self.cell5()] as usize
    }

    /// Strength of six cards, suits aside.
    #[inline(always)]
    pub(crate) fn ranks6(self) -> u16 {
        let cell = OFFSETS6.0[self.row()].wrapping_add(self.column());
        VALUES6.0[cell as usize & (VALUES6.0.len() - 1)]
    }

    /// Strength of seven cards, suits aside.
    #[inline(always)]
    pub(crate) fn ranks7(self) -> u16 {
        let cell = OFFSETS7.0[self.row()].wrapping_add(self.column());
        VALUES7.0[cell as usize]
    }

    /// Strength of `count` cards, suits aside.
    #[inline(always)]
    pub(crate) fn ranks(self, count: usize) -> u16 {
        match count {
            5 => self.ranks5(),
            6 => self.ranks6(),
            _ => self.ranks7(),
        }
    }
}

/// The ranks held in each suit: four masks of 16 bits.
#[inline(always)]
pub(crate) fn suit_masks(cards: &[u8]) -> u64 {
    cards.iter().fold(0, |masks, &card| masks | CARD_BITS.0[card as usize])
}

/// The 13-bit mask of the ranks in one suit.
#[inline(always)]
pub(crate) fn ranks_in_suit(masks: u64, suit: u32) -> u16 {
    (masks >> (16 * suit)) as u16 & 0x1FFF
}

/// Strength of the flush in a mask of ranks.
#[inline(always)]
pub(crate) fn flush_strength(ranks: u16) -> u16 {
    FLUSH.0[ranks as usize & (FLUSH.0.len() - 1)]
}

/// Strength of cards that are known to be five to seven different ones.
#[inline(always)]
pub(crate) fn evaluate_unchecked(cards: &[u8]) -> u16 {
    let sum = KeySum::of(cards);
    match sum.flush_suit() {
        Some(suit) => flush_strength(ranks_in_suit(suit_masks(cards), suit)),
        None => sum.ranks(cards.len()),
    }
}

/// Strength of seven cards that the caller knows to be different cards of the deck.
///
/// Other input gives a number without meaning, never a failure.
#[inline]
pub fn evaluate_known(cards: &[u8; 7]) -> u16 {
    evaluate_unchecked(cards)
}

/// Strength of the best five of five to seven cards: 1 (7-5-4-3-2) to 7462 (a royal flush),
/// higher is better.
///
/// # Errors
/// `Count`, `OutOfRange` or `Duplicate`.
#[inline(always)]
pub fn evaluate(cards: &[u8]) -> Result<u16, Error> {
    match <&[u8; 7]>::try_from(cards) {
        Ok(seven) => {
            check_seven(seven)?;
            Ok(evaluate_unchecked(seven))
        }
        Err(_) => evaluate_other(cards),
    }
}

/// Strength of five or six cards.
fn evaluate_other(cards: &[u8]) -> Result<u16, Error> {
    check_counted("cards", cards, 5, 7)?;
    Ok(evaluate_unchecked(cards))
}
