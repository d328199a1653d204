//! Poker hand values for every game the room deals.
//!
//! Cards are numbers: rank x 4 + suit, with deuce 0 to ace 12 and clubs, diamonds, hearts, spades
//! 0 to 3, so that 0 is 2c and 51 is As. Strengths are numbers too, and **higher is better**, for
//! lows as well.

pub mod batch;
mod best;
mod board;
mod cards;
mod high;
mod low;
mod omaha;
mod showdown;
mod tables;
mod wild;
mod words;

pub use best::{best_five, low_best_five, omaha_best_five, omaha_low_best_five, BestFive, Prefer};
pub use board::{Board, HolePlay};
pub use cards::{card_text, check, parse, rank, suit, CardList, Error, DECK};
pub use high::{evaluate, evaluate_known};
pub use low::{low, omaha_low, Qualifier, BEST_LOW, WORST_EIGHT};
pub use omaha::omaha_high;
pub use showdown::{showdown, Game, Showdown, Shown, GAMES};
pub use tables::TABLE_BYTES;
pub use wild::{evaluate_wild, BEST_NATURAL, FIVE_ACES};
pub use words::{category, describe, describe_low, Category};
