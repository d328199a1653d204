//! The steps that both vector paths share, over a register of one byte a hand.
//!
//! Each path defines `Lanes` and `min`, `max`, `xor` for it; the macro builds the rest, compiled
//! for that path's features.

/// `C(n, k)`.
const fn binomial(n: usize, k: usize) -> usize {
    let mut product = 1;
    let mut step = 0;
    while step < k {
        if n <= step {
            return 0;
        }
        product = product * (n - step) / (step + 1);
        step += 1;
    }
    product
}

/// What the card in `place` of sorted cards adds to their combinatorial number, by rank.
pub(super) const fn term(place: usize, rank: usize) -> u16 {
    if rank < 13 {
        binomial(rank + place, place + 1) as u16
    } else {
        0
    }
}

/// Counters for two suits in the nibbles of a byte, by suit; `first` is the suit counted below.
pub(super) const fn suit_counter(first: usize, suit: usize) -> u8 {
    if suit == first {
        1
    } else if suit == first + 1 {
        16
    } else {
        0
    }
}

/// Bits of the ranks up to the eight for lows, by rank: the ace is bit 0.
pub(super) const fn low_bit(rank: usize) -> u8 {
    if rank == 12 {
        1
    } else if rank < 7 {
        2 << rank
    } else {
        0
    }
}

macro_rules! lane_steps {
    ($($feature:literal),+) => {
        /// Puts the lower bytes into `a` and the higher ones into `b`.
        #[inline]
        $(#[target_feature(enable = $feature)])+
        fn order(columns: &mut [Lanes], a: usize, b: usize) {
            let (low, high) = (min(columns[a], columns[b]), max(columns[a], columns[b]));
            columns[a] = low;
            columns[b] = high;
        }

        /// Sorts seven columns, hand by hand, by a network of 16 comparators.
        #[inline]
        $(#[target_feature(enable = $feature)])+
        fn sort7(columns: &mut [Lanes; 7]) {
            for (a, b) in [
                (0, 6), (2, 3), (4, 5), (0, 2), (1, 4), (3, 6), (0, 1), (2, 5),
                (3, 4), (1, 2), (4, 6), (2, 3), (4, 5), (1, 2), (3, 4), (5, 6),
            ] {
                order(columns, a, b);
            }
        }

        /// Sorts five columns, hand by hand, by a network of 9 comparators.
        #[inline]
        $(#[target_feature(enable = $feature)])+
        fn sort5(columns: &mut [Lanes; 5]) {
            for (a, b) in
                [(0, 3), (1, 4), (0, 2), (1, 3), (0, 1), (2, 4), (1, 2), (3, 4), (2, 3)]
            {
                order(columns, a, b);
            }
        }

        /// Sorts four columns, hand by hand, by a network of 5 comparators.
        #[inline]
        $(#[target_feature(enable = $feature)])+
        fn sort4(columns: &mut [Lanes; 4]) {
            for (a, b) in [(0, 2), (1, 3), (0, 1), (2, 3), (1, 2)] {
                order(columns, a, b);
            }
        }

        /// A byte that is 0 where two neighbours of the sorted columns are equal.
        #[inline]
        $(#[target_feature(enable = $feature)])+
        fn neighbours(columns: &[Lanes]) -> Lanes {
            let mut least = xor(columns[0], columns[1]);
            for pair in columns[1..].windows(2) {
                least = min(least, xor(pair[0], pair[1]));
            }
            least
        }
    };
}
pub(super) use lane_steps;
