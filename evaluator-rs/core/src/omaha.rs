//! Omaha: exactly two of the hole cards with exactly three of the board.

use crate::cards::{check_counted, check_nine, Error};
use crate::high::{flush_strength, ranks_in_suit, suit_masks, KeySum};
use crate::tables::{OMAHA, OMAHA_ROW, PAIR};
use std::hint::select_unpredictable;

/// The six pairs of four hole cards, in the order of preference.
pub(crate) const HOLE_PAIRS: [(usize, usize); 6] = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];

/// The row of the Omaha table of a board of five cards.
#[inline(always)]
pub(crate) fn board_row(board: KeySum) -> &'static [u16; OMAHA_ROW] {
    &OMAHA.0[board.omaha_row()]
}

/// The place of a pair of cards in a row.
#[inline(always)]
pub(crate) fn pair_place(a: u8, b: u8) -> usize {
    PAIR.0[((a >> 2) << 4 | (b >> 2)) as usize] as usize
}

/// The suit that lies at least three times on a board of three to five cards, with its ranks.
#[inline(always)]
pub(crate) fn board_flush_suit(board: KeySum, masks: u64) -> Option<(u32, u16)> {
    let flags = (board.0 & 0xFFFF).wrapping_add(0x5555) & 0x8888;
    if flags == 0 {
        return None;
    }
    let suit = flags.trailing_zeros() / 4;
    Some((suit, ranks_in_suit(masks, suit)))
}

#[inline(always)]
fn without_lowest(mask: u16) -> u16 {
    mask & mask.wrapping_sub(1)
}

/// The two highest of two to four bits.
#[inline(always)]
pub(crate) fn top_two(mask: u16) -> u16 {
    let mut top = mask;
    for _ in 0..2 {
        let fewer = without_lowest(top);
        top = select_unpredictable(without_lowest(fewer) != 0, fewer, top);
    }
    top
}

/// The three highest of three to five bits.
#[inline(always)]
pub(crate) fn top_three(mask: u16) -> u16 {
    let mut top = mask;
    for _ in 0..2 {
        let fewer = without_lowest(top);
        top = select_unpredictable(without_lowest(without_lowest(fewer)) != 0, fewer, top);
    }
    top
}

/// The ranks of the best flush of exactly two hole ranks and three board ranks of one suit.
///
/// `hole` has at least two bits, `board` at least three, and they share none.
#[inline]
pub(crate) fn best_flush_ranks(hole: u16, board: u16) -> u16 {
    // Bit 0 is the ace below the deuce, so every straight is five neighbouring bits.
    let wrap = |mask: u16| mask << 1 | mask >> 12;
    let union = wrap(hole | board);
    let mut runs = union & union >> 1 & union >> 2 & union >> 3 & union >> 4;
    while runs != 0 {
        let lowest = 15 - runs.leading_zeros();
        let run = 0x1F << lowest;
        if (wrap(hole) & run).count_ones() == 2 {
            return (run >> 1 | run << 12) & 0x1FFF;
        }
        runs ^= 1 << lowest;
    }
    top_two(hole) | top_three(board)
}

/// Strength of the best flush of two hole ranks and three board ranks; 0 for fewer than two.
#[inline(always)]
pub(crate) fn flush_of(hole: u16, board: u16) -> u16 {
    if without_lowest(hole) == 0 {
        return 0;
    }
    flush_strength(best_flush_ranks(hole, board))
}

/// The higher number, without a branch: which one it is cannot be predicted.
#[inline(always)]
pub(crate) fn higher(a: u16, b: u16) -> u16 {
    select_unpredictable(a > b, a, b)
}

/// Strength of four hole cards on a complete board, all known to be right.
#[inline(always)]
pub(crate) fn complete(
    row: &[u16; OMAHA_ROW],
    board_suit: Option<(u32, u16)>,
    hole: [u8; 4],
) -> u16 {
    let [a, b, c, d, e, f] = HOLE_PAIRS.map(|(a, b)| row[pair_place(hole[a], hole[b])]);
    let best = higher(higher(higher(a, b), higher(c, d)), higher(e, f));
    match board_suit {
        Some((suit, board_ranks)) => {
            let own = ranks_in_suit(suit_masks(&hole), suit);
            best.max(flush_of(own, board_ranks))
        }
        None => best,
    }
}

/// Calls `visit` with the sum of every three board cards.
#[inline]
pub(crate) fn for_each_triple(board: &[u8], mut visit: impl FnMut([usize; 3])) {
    for a in 0..board.len() {
        for b in a + 1..board.len() {
            for c in b + 1..board.len() {
                visit([a, b, c]);
            }
        }
    }
}

/// Strength on a board of three or four cards: every choice is looked at.
fn partial(board: &[u8], hole: [u8; 4]) -> u16 {
    let mut best = 0;
    for_each_triple(board, |[a, b, c]| {
        let three = KeySum::of(&[board[a], board[b], board[c]]);
        for (first, second) in HOLE_PAIRS {
            let five = three.plus(hole[first]).plus(hole[second]);
            best = best.max(five.ranks5());
        }
    });
    if let Some((suit, ranks)) = board_flush_suit(KeySum::of(board), suit_masks(board)) {
        best = best.max(flush_of(ranks_in_suit(suit_masks(&hole), suit), ranks));
    }
    best
}

/// Splits an Omaha hand into board and hole cards, the last four, and checks it.
#[inline(always)]
pub(crate) fn split(cards: &[u8]) -> Result<(&[u8], [u8; 4]), Error> {
    match <&[u8; 9]>::try_from(cards) {
        Ok(nine) => {
            check_nine(nine)?;
            let [.., a, b, c, d] = *nine;
            Ok((&cards[..5], [a, b, c, d]))
        }
        Err(_) => split_partial(cards),
    }
}

/// Splits and checks a hand on a board that is not complete.
fn split_partial(cards: &[u8]) -> Result<(&[u8], [u8; 4]), Error> {
    check_counted("cards of board and hole", cards, 7, 9)?;
    let (board, hole) = cards.split_at(cards.len() - 4);
    Ok((board, [hole[0], hole[1], hole[2], hole[3]]))
}

/// Strength of a hand known to be right: board of three to five cards and four hole cards.
#[inline]
pub(crate) fn high_unchecked(board: &[u8], hole: [u8; 4]) -> u16 {
    if board.len() < 5 {
        return partial(board, hole);
    }
    let sum = KeySum::of(board);
    complete(board_row(sum), board_flush_suit(sum, suit_masks(board)), hole)
}

/// Strength of the best five cards, two of the hole and three of the board: 1 to 7462, higher is
/// better. `cards` are the three to five board cards, then the four hole cards.
///
/// # Errors
/// `Count`, `OutOfRange` or `Duplicate`.
pub fn omaha_high(cards: &[u8]) -> Result<u16, Error> {
    let (board, hole) = split(cards)?;
    Ok(high_unchecked(board, hole))
}
