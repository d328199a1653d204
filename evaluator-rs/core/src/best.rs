//! Which five cards make the hand.

use crate::cards::{check_hand, Error};
use crate::high::{flush_strength, ranks_in_suit, suit_masks, KeySum};
use crate::low::{low5, low_unchecked, omaha_low_unchecked, Qualifier};
use crate::omaha::{
    best_flush_ranks, board_flush_suit, board_row, for_each_triple, high_unchecked, pair_place,
    split, HOLE_PAIRS,
};
use crate::tables::{COUNTS, LOW_COUNTS};
use crate::words::Category;

/// Which of two cards of one rank is said to play when only one is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefer {
    /// The player's own card.
    Hole,
    /// The card on the board.
    Board,
}

/// A strength and the five cards that make it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BestFive {
    /// High or low strength, higher is better; 0 for a low that does not qualify.
    pub strength: u16,
    /// Bit i is set if card i of the input is one of the five; 0 where the strength is 0.
    pub mask: u16,
}

/// Takes cards in the order of preference as long as their rank is needed.
///
/// Four bits a rank hold 7 plus the number still needed, so that bit 3 says whether any is. A card
/// subtracts one from its rank whether it is taken or not: once none is needed, none ever is, and
/// the next card need not wait to learn of the last.
struct Taking {
    needed: u64,
    mask: u16,
}

impl Taking {
    #[inline(always)]
    fn new(needed: u64) -> Self {
        Taking { needed: needed + 0x7_7777_7777_7777, mask: 0 }
    }

    /// Offers cards that stand at `first` and after in the input.
    #[inline(always)]
    fn offer(&mut self, cards: &[u8], first: usize) {
        for (place, card) in cards.iter().enumerate() {
            // A card is four times its rank plus its suit: this is bit 3 of its rank's four.
            let taken = self.needed >> (card | 3) & 1;
            self.mask |= (taken as u16) << (first + place);
            self.needed -= 1 << (card & !3);
        }
    }
}

#[inline(always)]
fn take_preferred(cards: &[u8], hole_count: usize, prefer: Prefer, needed: u64) -> u16 {
    let mut taking = Taking::new(needed);
    let (board, hole) = cards.split_at(cards.len() - hole_count);
    if prefer == Prefer::Hole {
        taking.offer(hole, board.len());
        taking.offer(board, 0);
    } else {
        taking.offer(cards, 0);
    }
    taking.mask
}

/// The cards of one suit whose ranks are needed; a suit holds each rank but once.
#[inline(always)]
fn take_suited(cards: &[u8], suit: u32, needed: u64) -> u16 {
    let wanted = |card: u8| u32::from(card & 3) == suit && needed >> (card & !3) & 1 == 1;
    cards.iter().enumerate().fold(0, |mask, (place, &card)| mask | u16::from(wanted(card)) << place)
}

#[inline]
pub(crate) fn best_five_unchecked(cards: &[u8], hole_count: usize, prefer: Prefer) -> BestFive {
    let sum = KeySum::of(cards);
    let (strength, mask) = match sum.flush_suit() {
        None => {
            let strength = sum.ranks(cards.len());
            let needed = COUNTS.0[strength as usize];
            (strength, take_preferred(cards, hole_count, prefer, needed))
        }
        Some(suit) => {
            let strength = flush_strength(ranks_in_suit(suit_masks(cards), suit));
            (strength, take_suited(cards, suit, COUNTS.0[strength as usize]))
        }
    };
    BestFive { strength, mask }
}

fn check_hole_count(hole_count: usize, cards: &[u8]) -> Result<(), Error> {
    if hole_count > cards.len() {
        let most = cards.len();
        return Err(Error::Count { what: "hole cards", got: hole_count, least: 0, most });
    }
    Ok(())
}

/// The best high five of five to seven cards, the last `hole_count` of which are the player's own.
///
/// Among cards of one rank the preferred ones play first, then those that come first.
///
/// # Errors
/// `Count`, `OutOfRange` or `Duplicate`.
#[inline]
pub fn best_five(cards: &[u8], hole_count: usize, prefer: Prefer) -> Result<BestFive, Error> {
    check_hand(cards)?;
    check_hole_count(hole_count, cards)?;
    Ok(best_five_unchecked(cards, hole_count, prefer))
}

pub(crate) fn low_best_five_unchecked(
    cards: &[u8],
    hole_count: usize,
    prefer: Prefer,
    qualifier: Qualifier,
) -> BestFive {
    let strength = low_unchecked(cards, qualifier);
    let needed = LOW_COUNTS.0[strength as usize];
    BestFive { strength, mask: take_preferred(cards, hole_count, prefer, needed) }
}

/// The best ace-to-five low of five to seven cards, as `best_five`.
///
/// # Errors
/// `Count`, `OutOfRange` or `Duplicate`.
pub fn low_best_five(
    cards: &[u8],
    hole_count: usize,
    prefer: Prefer,
    qualifier: Qualifier,
) -> Result<BestFive, Error> {
    check_hand(cards)?;
    check_hole_count(hole_count, cards)?;
    Ok(low_best_five_unchecked(cards, hole_count, prefer, qualifier))
}

/// Bits of two hole cards and three board cards.
fn omaha_mask(board_count: usize, pair: (usize, usize), triple: [usize; 3]) -> u16 {
    let hole = 1 << (board_count + pair.0) | 1 << (board_count + pair.1);
    triple.iter().fold(hole, |mask, place| mask | 1 << place)
}

/// The first pair and triple, in input order, whose five cards satisfy `wanted`.
fn first_omaha_choice(board: &[u8], hole: [u8; 4], mut wanted: impl FnMut(KeySum) -> bool) -> u16 {
    for pair in HOLE_PAIRS {
        let two = KeySum::of(&[hole[pair.0], hole[pair.1]]);
        let mut mask = 0;
        for_each_triple(board, |triple| {
            let five = triple.iter().fold(two, |sum, &place| sum.plus(board[place]));
            if mask == 0 && wanted(five) {
                mask = omaha_mask(board.len(), pair, triple);
            }
        });
        if mask != 0 {
            return mask;
        }
    }
    0
}

fn omaha_flush_mask(board: &[u8], hole: [u8; 4]) -> u16 {
    let (board_masks, hole_masks) = (suit_masks(board), suit_masks(&hole));
    let Some((suit, board_ranks)) = board_flush_suit(KeySum::of(board), board_masks) else {
        return 0;
    };
    let ranks = best_flush_ranks(ranks_in_suit(hole_masks, suit), board_ranks);
    board
        .iter()
        .chain(&hole)
        .enumerate()
        .filter(|&(_, card)| u32::from(card & 3) == suit && ranks >> (card >> 2) & 1 == 1)
        .fold(0, |mask, (place, _)| mask | 1 << place)
}

pub(crate) fn omaha_best_five_unchecked(board: &[u8], hole: [u8; 4]) -> BestFive {
    let strength = high_unchecked(board, hole);
    let category = Category::of_strength(strength);
    let mask = if matches!(category, Category::Flush | Category::StraightFlush) {
        omaha_flush_mask(board, hole)
    } else if board.len() == 5 {
        let row = board_row(KeySum::of(board));
        let pair =
            HOLE_PAIRS.into_iter().find(|&(a, b)| row[pair_place(hole[a], hole[b])] == strength);
        let (a, b) = pair.unwrap_or((0, 1));
        let shifts = [hole[a] & !3, hole[b] & !3];
        let needed = shifts
            .iter()
            .fold(COUNTS.0[strength as usize], |counts, shift| counts.wrapping_sub(1 << shift));
        take_preferred(board, 0, Prefer::Board, needed) | 1 << (5 + a) | 1 << (5 + b)
    } else {
        first_omaha_choice(board, hole, |five| five.ranks5() == strength)
    };
    BestFive { strength, mask }
}

/// The best high five of two hole and three board cards. `cards` are the board, then four hole
/// cards; among equal choices the one that comes first in the input plays.
///
/// # Errors
/// `Count`, `OutOfRange` or `Duplicate`.
pub fn omaha_best_five(cards: &[u8]) -> Result<BestFive, Error> {
    let (board, hole) = split(cards)?;
    Ok(omaha_best_five_unchecked(board, hole))
}

pub(crate) fn omaha_low_best_five_unchecked(
    board: &[u8],
    hole: [u8; 4],
    qualifier: Qualifier,
) -> BestFive {
    let strength = omaha_low_unchecked(board, hole, qualifier);
    let mask = if strength == 0 {
        0
    } else {
        first_omaha_choice(board, hole, |five| low5(five) == strength)
    };
    BestFive { strength, mask }
}

/// The best low of two hole and three board cards, as `omaha_best_five`.
///
/// # Errors
/// `Count`, `OutOfRange` or `Duplicate`.
pub fn omaha_low_best_five(cards: &[u8], qualifier: Qualifier) -> Result<BestFive, Error> {
    let (board, hole) = split(cards)?;
    Ok(omaha_low_best_five_unchecked(board, hole, qualifier))
}
