//! High hands with wild cards, in which five of a kind beats everything.
//!
//! A wild card stands for any card that is not in the hand, or for the fifth of a kind. How many
//! wild cards a hand holds breaks no tie.

use crate::cards::{check, Error, DECK};
use crate::high::evaluate_unchecked;

/// Strength of a royal flush, the best hand without wild cards.
pub const BEST_NATURAL: u16 = 7462;
/// Strength of five aces.
pub const FIVE_ACES: u16 = BEST_NATURAL + 13;

/// Strength of the best five of `naturals` and `wilds` wild cards, five to seven in all: 1 to
/// 7462 as without wild cards, then five deuces, 7463, to five aces, 7475.
///
/// This tries every card a wild card could stand for, up to 20,000 hands for three of them.
///
/// # Errors
/// `Count`, `OutOfRange` or `Duplicate`.
pub fn evaluate_wild(naturals: &[u8], wilds: usize) -> Result<u16, Error> {
    let got = naturals.len().saturating_add(wilds);
    if !(5..=7).contains(&got) {
        return Err(Error::Count { what: "cards and wild cards", got, least: 5, most: 7 });
    }
    let held = check(naturals)?;
    let five_alike = (0..13_u16).rev().find(|rank| {
        let count = (held >> (4 * rank) & 15).count_ones() as usize;
        // A rank nobody holds needs five wild cards of its own.
        count + wilds >= 5
    });
    if let Some(rank) = five_alike {
        return Ok(BEST_NATURAL + 1 + rank);
    }
    let mut cards = [0; 7];
    cards[..naturals.len()].copy_from_slice(naturals);
    Ok(fill(&mut cards[..got], naturals.len(), 0, held))
}

/// Best strength over all cards that the places from `place` on can stand for.
fn fill(cards: &mut [u8], place: usize, lowest: u8, held: u64) -> u16 {
    if place == cards.len() {
        return evaluate_unchecked(cards);
    }
    let mut best = 0;
    for card in lowest..DECK {
        if held >> card & 1 == 0 {
            cards[place] = card;
            best = best.max(fill(cards, place + 1, card + 1, held));
        }
    }
    best
}
