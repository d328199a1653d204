//! Ace-to-five lows: aces are low, straights and flushes do not count.
//!
//! One scale serves every low: 1 (K-K-K-K-Q) to 6175 (5-4-3-2-A), higher is better. The 56 lows
//! that are eight or better stand at its top.

use crate::cards::{check_hand, Error};
use crate::high::KeySum;
use crate::omaha::{for_each_triple, split, HOLE_PAIRS};
use crate::tables::{LOW_DISTINCT, LOW_OF_HIGH, OMAHA_LOW};

/// The best low, 5-4-3-2-A.
pub const BEST_LOW: u16 = 6175;
/// The worst low that is eight or better, 8-7-6-5-4.
pub const WORST_EIGHT: u16 = BEST_LOW - 55;

/// What a low must be to count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Qualifier {
    /// Any low counts.
    None,
    /// Five different ranks, none above the eight.
    EightOrBetter,
}

impl Qualifier {
    /// The strength, or 0 where it does not qualify.
    #[inline(always)]
    pub(crate) fn admit(self, strength: u16) -> u16 {
        if self == Qualifier::EightOrBetter && strength < WORST_EIGHT {
            0
        } else {
            strength
        }
    }
}

/// The ranks of cards as a mask with the ace as bit 0.
#[inline(always)]
pub(crate) fn low_mask(cards: &[u8]) -> u16 {
    let ranks = cards.iter().fold(0_u16, |mask, &card| mask | 1 << (card >> 2 & 15));
    (ranks << 1 | ranks >> 12) & 0x1FFF
}

/// Low strength of exactly five cards.
#[inline(always)]
pub(crate) fn low5(sum: KeySum) -> u16 {
    LOW_OF_HIGH.0[sum.ranks5() as usize]
}

/// Low of five to seven cards known to be right.
#[inline]
pub(crate) fn low_unchecked(cards: &[u8], qualifier: Qualifier) -> u16 {
    let distinct = LOW_DISTINCT.0[low_mask(cards) as usize];
    if distinct != 0 || qualifier == Qualifier::EightOrBetter {
        return qualifier.admit(distinct);
    }
    paired_low(cards)
}

/// Low of cards that hold fewer than five different ranks: every choice is looked at.
#[cold]
fn paired_low(cards: &[u8]) -> u16 {
    let mut best = 0;
    for_each_five(cards.len(), |places| {
        best = best.max(low5(KeySum::of(&places.map(|place| cards[place]))));
    });
    best
}

/// Calls `visit` with every five of up to seven places, in order.
pub(crate) fn for_each_five(count: usize, mut visit: impl FnMut([usize; 5])) {
    for a in 0..count {
        for b in a + 1..count {
            for c in b + 1..count {
                for d in c + 1..count {
                    for e in d + 1..count {
                        visit([a, b, c, d, e]);
                    }
                }
            }
        }
    }
}

/// Strength of the best ace-to-five low of five to seven cards, higher is better; 0 if none
/// qualifies.
///
/// # Errors
/// `Count`, `OutOfRange` or `Duplicate`.
pub fn low(cards: &[u8], qualifier: Qualifier) -> Result<u16, Error> {
    check_hand(cards)?;
    Ok(low_unchecked(cards, qualifier))
}

/// Omaha low of a hand known to be right.
#[inline]
pub(crate) fn omaha_low_unchecked(board: &[u8], hole: [u8; 4], qualifier: Qualifier) -> u16 {
    let (board_mask, hole_mask) = (low_mask(board), low_mask(&hole));
    let eight = OMAHA_LOW.0[((hole_mask & 0xFF) << 8 | board_mask & 0xFF) as usize];
    if eight != 0 {
        return WORST_EIGHT - 1 + u16::from(eight);
    }
    match qualifier {
        Qualifier::EightOrBetter => 0,
        Qualifier::None => any_omaha_low(board, hole),
    }
}

/// Omaha low above the eight or with pairs: every choice is looked at.
fn any_omaha_low(board: &[u8], hole: [u8; 4]) -> u16 {
    let mut best = 0;
    for_each_triple(board, |[a, b, c]| {
        let three = KeySum::of(&[board[a], board[b], board[c]]);
        for (first, second) in HOLE_PAIRS {
            best = best.max(low5(three.plus(hole[first]).plus(hole[second])));
        }
    });
    best
}

/// Strength of the best ace-to-five low of two hole and three board cards, higher is better; 0 if
/// none qualifies. `cards` are the three to five board cards, then the four hole cards.
///
/// # Errors
/// `Count`, `OutOfRange` or `Duplicate`.
pub fn omaha_low(cards: &[u8], qualifier: Qualifier) -> Result<u16, Error> {
    let (board, hole) = split(cards)?;
    Ok(omaha_low_unchecked(board, hole, qualifier))
}
