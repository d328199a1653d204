//! Strengths in the words of the table.

use crate::cards::Error;
use crate::low::BEST_LOW;
use crate::tables::{COUNTS, LOW_COUNTS};
use crate::wild::{BEST_NATURAL, FIVE_ACES};

/// What kind of hand a strength is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Category {
    /// None of the others.
    HighCard,
    /// Two cards of one rank.
    Pair,
    /// Two pairs.
    TwoPair,
    /// Three cards of one rank.
    ThreeOfAKind,
    /// Five ranks in a row.
    Straight,
    /// Five cards of one suit.
    Flush,
    /// Three of one rank and two of another.
    FullHouse,
    /// Four cards of one rank.
    FourOfAKind,
    /// Five ranks in a row in one suit.
    StraightFlush,
    /// Five cards of one rank, which takes wild cards.
    FiveOfAKind,
}

/// The highest strength of each category.
const TOPS: [(u16, Category); 10] = [
    (1277, Category::HighCard),
    (4137, Category::Pair),
    (4995, Category::TwoPair),
    (5853, Category::ThreeOfAKind),
    (5863, Category::Straight),
    (7140, Category::Flush),
    (7296, Category::FullHouse),
    (7452, Category::FourOfAKind),
    (7462, Category::StraightFlush),
    (FIVE_ACES, Category::FiveOfAKind),
];

impl Category {
    /// The category of a strength that is known to be one.
    pub(crate) fn of_strength(strength: u16) -> Category {
        let kind = TOPS.iter().find(|&&(top, _)| strength <= top);
        kind.map_or(Category::FiveOfAKind, |&(_, category)| category)
    }

    /// Name of the category, such as `full house`.
    pub fn name(self) -> &'static str {
        match self {
            Category::HighCard => "high card",
            Category::Pair => "pair",
            Category::TwoPair => "two pair",
            Category::ThreeOfAKind => "three of a kind",
            Category::Straight => "straight",
            Category::Flush => "flush",
            Category::FullHouse => "full house",
            Category::FourOfAKind => "four of a kind",
            Category::StraightFlush => "straight flush",
            Category::FiveOfAKind => "five of a kind",
        }
    }
}

const RANK_NAMES: [&str; 13] = [
    "deuce", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen",
    "king", "ace",
];

fn plural(rank: usize) -> String {
    let name = RANK_NAMES[rank];
    if name == "six" {
        "sixes".to_owned()
    } else {
        format!("{name}s")
    }
}

/// Ranks that occur `count` times, highest first.
fn ranks_counted(counts: u64, count: u64, order: &[usize; 13]) -> Vec<usize> {
    order.iter().copied().filter(|rank| counts >> (4 * rank) & 15 == count).collect()
}

const HIGH_ORDER: [usize; 13] = [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0];
const LOW_ORDER: [usize; 13] = [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 12];

fn names(ranks: &[usize]) -> String {
    ranks.iter().map(|&rank| RANK_NAMES[rank]).collect::<Vec<_>>().join(", ")
}

/// The category of a high strength, 1 to 7475.
///
/// # Errors
/// `Strength` for any other number.
pub fn category(strength: u32) -> Result<Category, Error> {
    if strength == 0 || strength > u32::from(FIVE_ACES) {
        return Err(Error::Strength { got: strength, most: FIVE_ACES.into() });
    }
    Ok(Category::of_strength(strength as u16))
}

/// A high strength in words, such as `aces full of kings` or `pair of nines, ace, king, four`.
///
/// Different strengths have different words.
///
/// # Errors
/// `Strength` unless it is 1 to 7475.
pub fn describe(strength: u32) -> Result<String, Error> {
    let category = category(strength)?;
    if category == Category::FiveOfAKind {
        let rank = strength as usize - BEST_NATURAL as usize - 1;
        return Ok(format!("five {}", plural(rank)));
    }
    let counts = COUNTS.0[strength as usize];
    let of = |count| ranks_counted(counts, count, &HIGH_ORDER);
    let singles = names(&of(1));
    Ok(match category {
        Category::HighCard => {
            let ranks = of(1);
            format!("{} high, {}", RANK_NAMES[ranks[0]], names(&ranks[1..]))
        }
        Category::Pair => format!("pair of {}, {singles}", plural(of(2)[0])),
        Category::TwoPair => {
            let pairs = of(2);
            format!("{} and {}, {singles}", plural(pairs[0]), plural(pairs[1]))
        }
        Category::ThreeOfAKind => format!("three {}, {singles}", plural(of(3)[0])),
        Category::Straight => format!("straight, {} high", straight_top(&of(1))),
        Category::Flush => format!("flush, {singles}"),
        Category::FullHouse => format!("{} full of {}", plural(of(3)[0]), plural(of(2)[0])),
        Category::FourOfAKind => format!("four {}, {singles}", plural(of(4)[0])),
        _ if strength == u32::from(BEST_NATURAL) => "royal flush".to_owned(),
        _ => format!("straight flush, {} high", straight_top(&of(1))),
    })
}

/// Top rank of a straight given highest first; five for the one with the ace below.
fn straight_top(ranks: &[usize]) -> &'static str {
    let wheel = ranks[0] == 12 && ranks[1] == 3;
    RANK_NAMES[ranks[usize::from(wheel)]]
}

/// A low strength in words, such as `seven, five, four, three, ace low`.
///
/// # Errors
/// `Strength` unless it is 1 to 6175.
pub fn describe_low(strength: u32) -> Result<String, Error> {
    if strength == 0 || strength > u32::from(BEST_LOW) {
        return Err(Error::Strength { got: strength, most: BEST_LOW.into() });
    }
    let counts = LOW_COUNTS.0[strength as usize];
    let of = |count| ranks_counted(counts, count, &LOW_ORDER);
    let (pairs, singles) = (of(2), names(&of(1)));
    let three = of(3);
    Ok(match (of(4).first(), three.first(), &pairs[..]) {
        (Some(&four), _, _) => format!("four {}, {singles}, for low", plural(four)),
        (_, Some(&three), [pair]) => {
            format!("{} full of {}, for low", plural(three), plural(*pair))
        }
        (_, Some(&three), _) => format!("three {}, {singles}, for low", plural(three)),
        (_, _, [high, low]) => {
            format!("{} and {}, {singles}, for low", plural(*high), plural(*low))
        }
        (_, _, [pair]) => format!("pair of {}, {singles}, for low", plural(*pair)),
        _ => format!("{singles} low"),
    })
}
