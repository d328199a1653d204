//! The slow and obvious ranking of poker hands that every table is made from.
//!
//! Nothing here is fast and nothing is clever: a five-card hand gets a sort key, the distinct
//! keys in order are the strengths, and a hand of more cards is the best of its five-card hands.

use std::collections::BTreeMap;

/// Ranks 0 (deuce) to 12 (ace).
pub const RANKS: usize = 13;

/// What a five-card hand is compared by: category, then ranks, more frequent and higher first.
type SortKey = (u8, Vec<u8>);

/// Every list of `size` ranks in ascending order in which no rank occurs more than four times.
pub fn rank_lists(size: usize) -> Vec<Vec<u8>> {
    fn extend(list: &mut Vec<u8>, size: usize, all: &mut Vec<Vec<u8>>) {
        if list.len() == size {
            all.push(list.clone());
            return;
        }
        let lowest = list.last().copied().unwrap_or(0);
        for rank in lowest..RANKS as u8 {
            if list.iter().filter(|&&other| other == rank).count() < 4 {
                list.push(rank);
                extend(list, size, all);
                list.pop();
            }
        }
    }
    let mut all = Vec::new();
    extend(&mut Vec::new(), size, &mut all);
    all
}

/// Every way to choose `size` of `items`, in order of position.
pub fn choices(items: &[u8], size: usize) -> Vec<Vec<u8>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for first in 0..items.len() {
        for mut rest in choices(&items[first + 1..], size - 1) {
            rest.insert(0, items[first]);
            all.push(rest);
        }
    }
    all
}

/// Ranks of the hand, those that occur more often first, then the higher ones first.
fn by_frequency(ranks: &[u8]) -> Vec<(usize, u8)> {
    let mut groups: Vec<(usize, u8)> = (0..RANKS as u8)
        .map(|rank| (ranks.iter().filter(|&&other| other == rank).count(), rank))
        .filter(|&(count, _)| count > 0)
        .collect();
    groups.sort_by(|a, b| b.cmp(a));
    groups
}

/// The top rank of a straight, with five-high for A-2-3-4-5.
fn straight_top(ranks: &[u8]) -> Option<u8> {
    let mut sorted = ranks.to_vec();
    sorted.sort_unstable();
    if sorted == [0, 1, 2, 3, 12] {
        return Some(3);
    }
    let run = sorted.windows(2).all(|pair| pair[1] == pair[0] + 1);
    run.then(|| sorted[4])
}

fn high_key(ranks: &[u8], flush: bool) -> SortKey {
    let groups = by_frequency(ranks);
    let counts: Vec<usize> = groups.iter().map(|&(count, _)| count).collect();
    let order: Vec<u8> = groups.iter().map(|&(_, rank)| rank).collect();
    let straight = straight_top(ranks);
    match (straight, flush) {
        (Some(top), true) => return (8, vec![top]),
        (Some(top), false) => return (4, vec![top]),
        (None, true) => return (5, order),
        (None, false) => {}
    }
    let category = match counts[..] {
        [4, 1] => 7,
        [3, 2] => 6,
        [3, 1, 1] => 3,
        [2, 2, 1] => 2,
        [2, 1, 1, 1] => 1,
        _ => 0,
    };
    (category, order)
}

/// What a low is compared by: the smaller key is the better low; aces count one.
fn low_key(ranks: &[u8]) -> SortKey {
    let lowered: Vec<u8> = ranks.iter().map(|&rank| (rank + 1) % 13).collect();
    let groups = by_frequency(&lowered);
    let counts: Vec<usize> = groups.iter().map(|&(count, _)| count).collect();
    let category = match counts[..] {
        [4, 1] => 5,
        [3, 2] => 4,
        [3, 1, 1] => 3,
        [2, 2, 1] => 2,
        [2, 1, 1, 1] => 1,
        _ => 0,
    };
    (category, groups.iter().map(|&(_, rank)| rank).collect())
}

/// Strengths of all five-card hands, the higher the better.
pub struct Ranking {
    /// By five ranks in ascending order, cards not all of one suit.
    offsuit: BTreeMap<Vec<u8>, u16>,
    /// By five ranks in ascending order, cards all of one suit.
    suited: BTreeMap<Vec<u8>, u16>,
    /// Ace-to-five low strength by five ranks in ascending order.
    low: BTreeMap<Vec<u8>, u16>,
}

fn numbered(keys: impl Iterator<Item = SortKey>) -> BTreeMap<SortKey, u16> {
    let mut sorted: Vec<SortKey> = keys.collect();
    sorted.sort();
    sorted.dedup();
    sorted.into_iter().zip(1..).collect()
}

impl Ranking {
    /// Ranks all five-card hands from their sort keys.
    pub fn new() -> Self {
        let lists = rank_lists(5);
        let distinct: Vec<Vec<u8>> = lists
            .iter()
            .filter(|ranks| ranks.windows(2).all(|pair| pair[0] != pair[1]))
            .cloned()
            .collect();
        let strengths = numbered(
            lists
                .iter()
                .map(|ranks| high_key(ranks, false))
                .chain(distinct.iter().map(|ranks| high_key(ranks, true))),
        );
        let lows = numbered(lists.iter().map(|ranks| low_key(ranks)));
        let worst = lows.len() as u16 + 1;
        Ranking {
            offsuit: lists
                .iter()
                .map(|ranks| (ranks.clone(), strengths[&high_key(ranks, false)]))
                .collect(),
            suited: distinct
                .iter()
                .map(|ranks| (ranks.clone(), strengths[&high_key(ranks, true)]))
                .collect(),
            low: lists.iter().map(|ranks| (ranks.clone(), worst - lows[&low_key(ranks)])).collect(),
        }
    }

    /// High strength of five ranks not all of one suit; none for five of one rank.
    pub fn offsuit(&self, ranks: &[u8]) -> Option<u16> {
        self.offsuit.get(&sorted(ranks)).copied()
    }

    /// High strength of five different ranks of one suit.
    pub fn suited(&self, ranks: &[u8]) -> Option<u16> {
        self.suited.get(&sorted(ranks)).copied()
    }

    /// Low strength of five ranks.
    pub fn low(&self, ranks: &[u8]) -> Option<u16> {
        self.low.get(&sorted(ranks)).copied()
    }

    /// All five-rank lists with their offsuit high strength and their low strength.
    pub fn lists(&self) -> impl Iterator<Item = (&Vec<u8>, u16, u16)> {
        self.offsuit.iter().map(|(ranks, &strength)| (ranks, strength, self.low[ranks]))
    }

    /// All lists of five different ranks with their strength when suited.
    pub fn suited_lists(&self) -> impl Iterator<Item = (&Vec<u8>, u16)> {
        self.suited.iter().map(|(ranks, &strength)| (ranks, strength))
    }
}

fn sorted(ranks: &[u8]) -> Vec<u8> {
    let mut list = ranks.to_vec();
    list.sort_unstable();
    list
}

/// Dense form of `Ranking::offsuit` for the millions of look-ups the larger tables take.
pub struct OffsuitCube(Vec<u16>);

impl OffsuitCube {
    /// Spreads the ranking over all 13^5 ordered lists; five of one rank get 0.
    pub fn new(ranking: &Ranking) -> Self {
        let cells = (0..RANKS.pow(5)).map(|cell| {
            let ranks: Vec<u8> =
                (0..5).map(|place| (cell / RANKS.pow(place) % RANKS) as u8).collect();
            ranking.offsuit(&ranks).unwrap_or(0)
        });
        OffsuitCube(cells.collect())
    }

    /// Strength of five ranks in any order.
    pub fn get(&self, ranks: [u8; 5]) -> u16 {
        self.0[ranks.iter().rev().fold(0, |cell, &rank| cell * RANKS + rank as usize)]
    }

    /// Best strength of any five of the ranks.
    pub fn best(&self, ranks: &[u8]) -> u16 {
        choices(ranks, 5)
            .iter()
            .map(|five| self.get([five[0], five[1], five[2], five[3], five[4]]))
            .max()
            .unwrap_or(0)
    }

    /// Best strength of both hole ranks with three of the board's.
    pub fn best_with(&self, triples: &[Vec<u8>], hole: [u8; 2]) -> u16 {
        triples
            .iter()
            .map(|three| self.get([three[0], three[1], three[2], hole[0], hole[1]]))
            .max()
            .unwrap_or(0)
    }
}
