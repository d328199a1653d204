//! Which five cards make the hand.

use crate::cards::{check_counted, Error};
use crate::high::{evaluate_unchecked, ranks_in_suit, suit_masks, KeySum};
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
#[inline(always)]
fn take(
    cards: &[u8],
    places: impl Iterator<Item = usize>,
    mut needed: u64,
    eligible: impl Fn(u8) -> bool,
) -> u16 {
    let mut mask = 0;
    for place in places {
        let card = cards[place];
        let shift = card & !3;
        let wanted = u64::from(needed >> shift & 15 != 0 && eligible(card));
        needed -= wanted << shift;
        mask |= (wanted as u16) << place;
    }
    mask
}

#[inline(always)]
fn take_preferred(
    cards: &[u8],
    hole_count: usize,
    prefer: Prefer,
    needed: u64,
    eligible: impl Fn(u8) -> bool,
) -> u16 {
    let board_count = cards.len() - hole_count;
    match prefer {
        Prefer::Board => take(cards, 0..cards.len(), needed, eligible),
        Prefer::Hole => {
            let places = (board_count..cards.len()).chain(0..board_count);
            take(cards, places, needed, eligible)
        }
    }
}

#[inline]
pub(crate) fn best_five_unchecked(cards: &[u8], hole_count: usize, prefer: Prefer) -> BestFive {
    let sum = KeySum::of(cards);
    let (strength, mask) = match sum.flush_suit() {
        None => {
            let strength = sum.ranks(cards.len());
            let needed = COUNTS.0[strength as usize];
            (strength, take_preferred(cards, hole_count, prefer, needed, |_| true))
        }
        Some(suit) => {
            let strength = evaluate_unchecked(cards);
            let needed = COUNTS.0[strength as usize];
            let suited = |card: u8| u32::from(card & 3) == suit;
            (strength, take_preferred(cards, hole_count, prefer, needed, suited))
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
    check_counted("cards", cards, 5, 7)?;
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
    BestFive { strength, mask: take_preferred(cards, hole_count, prefer, needed, |_| true) }
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
    check_counted("cards", cards, 5, 7)?;
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
        take(board, 0..5, needed, |_| true) | 1 << (5 + a) | 1 << (5 + b)
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
