//! A second, independent way to rank poker hands, for the tests alone.
//!
//! It shares nothing with the table generator: five cards are packed into a comparable number by
//! counting bits, and strengths are the places of those numbers among all of them.

#![allow(dead_code)]

use evaluator_core::{rank, suit};
use std::collections::BTreeSet;

/// Strengths of all five-rank hands, high and low, by `ranks` as digits to the base of 13.
pub struct Oracle {
    high: Vec<u16>,
    suited: Vec<u16>,
    low: Vec<u16>,
}

/// Ranks that occur at least once, twice, three and four times, as bits.
fn masks(ranks: [u8; 5]) -> [u32; 4] {
    let mut at_least = [0_u32; 4];
    for rank in ranks {
        let mut bit = 1_u32 << rank;
        for mask in &mut at_least {
            let both = *mask & bit;
            *mask |= bit;
            bit = both;
        }
    }
    at_least
}

/// Packs a high hand so that a better hand is a larger number.
fn high_number(ranks: [u8; 5], suited: bool) -> u64 {
    let [ones, twos, threes, fours] = masks(ranks);
    let straight = if ones == 0b1_0000_0000_1111 {
        5
    } else if ones.count_ones() == 5 && ones >> ones.trailing_zeros() == 0b1_1111 {
        34 - ones.leading_zeros()
    } else {
        0
    };
    let pairs = twos & !threes;
    let (kind, first, second) = if straight > 0 && suited {
        (8, straight, 0)
    } else if fours > 0 {
        (7, fours, ones & !fours)
    } else if threes > 0 && pairs > 0 {
        (6, threes, pairs)
    } else if suited {
        (5, ones, 0)
    } else if straight > 0 {
        (4, straight, 0)
    } else if threes > 0 {
        (3, threes, ones & !threes)
    } else {
        (pairs.count_ones().into(), pairs, ones & !pairs)
    };
    let kind: u64 = kind;
    kind << 32 | u64::from(first) << 16 | u64::from(second)
}

/// Packs a low so that a better low is a larger number.
fn low_number(ranks: [u8; 5]) -> u64 {
    let [ones, twos, threes, fours] = masks(ranks.map(|rank| (rank + 1) % 13));
    let pairs = twos & !threes;
    let (kind, first, second) = if fours > 0 {
        (5, fours, ones & !fours)
    } else if threes > 0 && pairs > 0 {
        (4, threes, pairs)
    } else if threes > 0 {
        (3, threes, ones & !threes)
    } else {
        (u64::from(pairs.count_ones()), pairs, ones & !pairs)
    };
    u64::MAX - (kind << 32 | u64::from(first) << 16 | u64::from(second))
}

fn cell(ranks: [u8; 5]) -> usize {
    ranks.iter().fold(0, |cell, &rank| cell * 13 + rank as usize)
}

fn ranks_of(cell: usize) -> [u8; 5] {
    [28_561, 2_197, 169, 13, 1].map(|power| (cell / power % 13) as u8)
}

fn five_alike(ranks: [u8; 5]) -> bool {
    ranks.iter().all(|&rank| rank == ranks[0])
}

fn all_different(ranks: [u8; 5]) -> bool {
    masks(ranks)[1] == 0
}

impl Oracle {
    pub fn new() -> Self {
        let cells = 13_usize.pow(5);
        let possible = |cell: &usize| !five_alike(ranks_of(*cell));
        let mut highs = BTreeSet::new();
        let mut lows = BTreeSet::new();
        for ranks in (0..cells).filter(possible).map(ranks_of) {
            highs.insert(high_number(ranks, false));
            lows.insert(low_number(ranks));
            if all_different(ranks) {
                highs.insert(high_number(ranks, true));
            }
        }
        let highs: Vec<u64> = highs.into_iter().collect();
        let lows: Vec<u64> = lows.into_iter().collect();
        assert_eq!((highs.len(), lows.len()), (7462, 6175));
        let place = |list: &[u64], number: u64| list.binary_search(&number).unwrap() as u16 + 1;
        let mut oracle =
            Oracle { high: vec![0; cells], suited: vec![0; cells], low: vec![0; cells] };
        for cell in (0..cells).filter(possible) {
            let ranks = ranks_of(cell);
            oracle.high[cell] = place(&highs, high_number(ranks, false));
            oracle.low[cell] = place(&lows, low_number(ranks));
            if all_different(ranks) {
                oracle.suited[cell] = place(&highs, high_number(ranks, true));
            }
        }
        oracle
    }

    /// Strength of five ranks not of one suit.
    pub fn high_ranks(&self, ranks: [u8; 5]) -> u16 {
        self.high[cell(ranks)]
    }

    /// Low strength of five ranks.
    pub fn low_ranks(&self, ranks: [u8; 5]) -> u16 {
        self.low[cell(ranks)]
    }

    /// Strength of five cards.
    pub fn high_five(&self, cards: [u8; 5]) -> u16 {
        let place = cell(cards.map(rank));
        let one_suit = cards.iter().all(|&card| suit(card) == suit(cards[0]));
        if one_suit {
            self.suited[place]
        } else {
            self.high[place]
        }
    }

    /// Best strength of any five of the cards.
    pub fn high(&self, cards: &[u8]) -> u16 {
        fives(cards).map(|five| self.high_five(five)).max().unwrap()
    }

    /// Best low strength of any five of the cards.
    pub fn low(&self, cards: &[u8]) -> u16 {
        fives(cards).map(|five| self.low_ranks(five.map(rank))).max().unwrap()
    }

    /// Best strength of exactly two hole and three board cards.
    pub fn omaha(&self, board: &[u8], hole: &[u8]) -> u16 {
        two_and_three(board, hole).map(|five| self.high_five(five)).max().unwrap()
    }

    /// Best low strength of exactly two hole and three board cards.
    pub fn omaha_low(&self, board: &[u8], hole: &[u8]) -> u16 {
        two_and_three(board, hole).map(|five| self.low_ranks(five.map(rank))).max().unwrap()
    }
}

/// Every choice of `count` bits among `total`.
pub fn subsets(total: usize, count: u32) -> impl Iterator<Item = u32> {
    (0..1_u32 << total).filter(move |subset| subset.count_ones() == count)
}

/// The items whose bits are set.
pub fn chosen(items: &[u8], subset: u32) -> Vec<u8> {
    (0..items.len()).filter(|place| subset >> place & 1 == 1).map(|place| items[place]).collect()
}

fn fives(cards: &[u8]) -> impl Iterator<Item = [u8; 5]> + '_ {
    subsets(cards.len(), 5).map(|subset| chosen(cards, subset).try_into().unwrap())
}

fn two_and_three<'a>(board: &'a [u8], hole: &'a [u8]) -> impl Iterator<Item = [u8; 5]> + 'a {
    let pairs = (0..hole.len()).flat_map(|a| (a + 1..hole.len()).map(move |b| (a, b)));
    pairs.flat_map(move |(a, b)| {
        (0..board.len()).flat_map(move |c| {
            (c + 1..board.len()).flat_map(move |d| {
                (d + 1..board.len()).map(move |e| [hole[a], hole[b], board[c], board[d], board[e]])
            })
        })
    })
}

/// Every list of ascending ranks of that size with at most four alike.
pub fn rank_lists(size: usize) -> Vec<Vec<u8>> {
    let mut lists = vec![Vec::new()];
    for rank in 0..13 {
        let mut longer = Vec::new();
        for list in &lists {
            for copies in 0..=4.min(size - list.len()) {
                let mut next = list.clone();
                next.extend(vec![rank; copies]);
                longer.push(next);
            }
        }
        lists = longer;
    }
    lists.retain(|list| list.len() == size);
    lists
}

/// Cards of ascending ranks with no more than two of a suit among every five of them.
pub fn offsuit(ranks: &[u8]) -> Vec<u8> {
    ranks.iter().enumerate().map(|(place, rank)| rank * 4 + (place % 4) as u8).collect()
}

/// Ranks of a 13-bit mask, ascending.
pub fn ranks_of_mask(mask: u32) -> Vec<u8> {
    (0..13).filter(|rank| mask >> rank & 1 == 1).collect()
}

/// A small generator of pseudo-random numbers, so that the tests need no dependency.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % limit
    }

    /// Different cards of the deck.
    pub fn deal(&mut self, count: usize) -> Vec<u8> {
        let mut deck: Vec<u8> = (0..52).collect();
        for place in 0..count {
            let other = place + self.below(52 - place);
            deck.swap(place, other);
        }
        deck.truncate(count);
        deck
    }
}
