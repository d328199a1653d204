//! Cards, their text, and what is wrong with a list of them.

use std::fmt;

/// Number of cards in the deck.
pub const DECK: u8 = 52;

const RANK_LETTERS: &[u8; 13] = b"23456789TJQKA";
const SUIT_LETTERS: &[u8; 4] = b"cdhs";

/// Why a question about cards cannot be answered.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A number that is no card.
    OutOfRange {
        /// Position in the input, from 0.
        position: usize,
        /// The number found.
        value: u64,
    },
    /// The same card twice.
    Duplicate {
        /// The card.
        card: u8,
        /// Position of the second occurrence, from 0.
        position: usize,
    },
    /// A number of cards, hands or wild cards that the game does not have.
    Count {
        /// What was counted.
        what: &'static str,
        /// How many were given.
        got: usize,
        /// Fewest that are right.
        least: usize,
        /// Most that are right.
        most: usize,
    },
    /// Two characters that name no card.
    Text {
        /// Position of the card in the text, from 0.
        position: usize,
        /// The characters found.
        found: String,
    },
    /// A number that is no strength.
    Strength {
        /// The number given.
        got: u32,
        /// The highest strength of this kind.
        most: u32,
    },
    /// Cards that were wrong when they were checked and right when they were looked at again.
    Changed,
    /// Something wrong in one player's hand.
    Hand {
        /// The hand, from 0.
        hand: usize,
        /// What is wrong in it.
        error: Box<Error>,
    },
    /// Something wrong in one row of a batch.
    Row {
        /// The row, from 0.
        row: usize,
        /// The player of that row, from 0, where a row is a table.
        player: Option<usize>,
        /// What is wrong in it.
        error: Box<Error>,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::OutOfRange { position, value } => {
                write!(f, "card {position} is {value}: a card is 0 (2c) to 51 (As)")
            }
            Error::Duplicate { card, position } => {
                write!(f, "card {position}, {}, occurs twice", card_text(*card))
            }
            Error::Count { what, got, least, most } if least == most => {
                write!(f, "{got} {what} given: there must be {least}")
            }
            Error::Count { what, got, least, most } => {
                write!(f, "{got} {what} given: there must be {least} to {most}")
            }
            Error::Text { position, found } => write!(
                f,
                "card {position} is {found:?}: a card is a rank of 23456789TJQKA and a suit of cdhs"
            ),
            Error::Strength { got, most } => {
                write!(f, "strength is {got}: it must be 1 to {most}")
            }
            Error::Changed => f.write_str(
                "cards changed while they were read: nobody may write to them meanwhile",
            ),
            Error::Hand { hand, error } => write!(f, "hand {hand}: {error}"),
            Error::Row { row, player: None, error } => write!(f, "row {row}: {error}"),
            Error::Row { row, player: Some(player), error } => {
                write!(f, "row {row}, player {player}: {error}")
            }
        }
    }
}

impl std::error::Error for Error {}

/// Rank of a card, 0 (deuce) to 12 (ace).
#[inline]
pub const fn rank(card: u8) -> u8 {
    card >> 2
}

/// Suit of a card: clubs, diamonds, hearts, spades are 0 to 3.
#[inline]
pub const fn suit(card: u8) -> u8 {
    card & 3
}

/// The two characters of a card, such as `As`.
///
/// # Panics
/// If the number is no card.
pub fn card_text(card: u8) -> String {
    assert!(card < DECK, "{card} is no card");
    let letters = [RANK_LETTERS[rank(card) as usize], SUIT_LETTERS[suit(card) as usize]];
    letters.iter().map(|&letter| letter as char).collect()
}

/// Marks a character that is no rank or no suit; no card has this bit.
const BAD: u8 = 0x80;

const fn letter_values(letters: &[u8], factor: u8) -> [u8; 256] {
    let mut values = [BAD; 256];
    let mut place = 0;
    while place < letters.len() {
        values[letters[place] as usize] = place as u8 * factor;
        place += 1;
    }
    values
}

static RANK_OF_LETTER: [u8; 256] = letter_values(RANK_LETTERS, 4);
static SUIT_OF_LETTER: [u8; 256] = letter_values(SUIT_LETTERS, 1);

/// Up to `N` cards read from text.
#[derive(Clone, Copy, Debug)]
pub struct CardList<const N: usize> {
    cards: [u8; N],
    count: usize,
}

impl<const N: usize> CardList<N> {
    /// The cards in the order they were written.
    #[inline]
    pub fn as_slice(&self) -> &[u8] {
        &self.cards[..self.count]
    }
}

/// Reads up to `N` cards from text such as `AsKd`, without separators.
///
/// # Errors
/// `Count` for more than `N` cards, `Text` for characters that name no card.
#[inline]
pub fn parse<const N: usize>(text: &[u8]) -> Result<CardList<N>, Error> {
    let mut cards = [0; N];
    let mut bad = text.len() as u8 & 1;
    if text.len() > 2 * N {
        return Err(text_error(text, N));
    }
    for (card, letters) in cards.iter_mut().zip(text.chunks_exact(2)) {
        *card = RANK_OF_LETTER[letters[0] as usize] | SUIT_OF_LETTER[letters[1] as usize];
        bad |= *card & BAD;
    }
    if bad != 0 {
        return Err(text_error(text, N));
    }
    Ok(CardList { cards, count: text.len() / 2 })
}

#[cold]
fn text_error(text: &[u8], most: usize) -> Error {
    for (position, letters) in text.chunks(2).enumerate() {
        let named = letters.len() == 2
            && (RANK_OF_LETTER[letters[0] as usize] | SUIT_OF_LETTER[letters[1] as usize]) < BAD;
        if !named {
            // Two characters of text, which may be more than two bytes.
            let rest = String::from_utf8_lossy(&text[2 * position..]);
            return Error::Text { position, found: rest.chars().take(2).collect() };
        }
    }
    Error::Count { what: "cards", got: text.len() / 2, least: 0, most }
}

/// Checks that every number is a card and none occurs twice.
///
/// # Errors
/// `OutOfRange` or `Duplicate`, for the first position that is wrong.
#[inline]
pub fn check(cards: &[u8]) -> Result<u64, Error> {
    check_against(0, cards)
}

/// The top bit of every byte of a word.
const TOPS: u64 = 0x8080_8080_8080_8080;
/// All bits but the top one of every byte.
const ALL_BUT_TOPS: u64 = 0x7F7F_7F7F_7F7F_7F7F;
/// What the deck's 52 lacks to 128, in every byte.
const TO_TOP: u64 = 0x4C4C_4C4C_4C4C_4C4C;

/// Top bits where a byte of the word is 52 or more.
#[inline(always)]
fn beyond_deck(word: u64) -> u64 {
    // A byte from 180 up carries into its neighbour, but shows by its own top bit.
    (word | word.wrapping_add(TO_TOP)) & TOPS
}

/// Top bits where the bytes of two words differ, all of them below 128.
#[inline(always)]
fn differing(a: u64, b: u64) -> u64 {
    // Only a zero does not reach the top bit.
    (a ^ b).wrapping_add(ALL_BUT_TOPS)
}

/// All top bits if the eight bytes of a word differ from each other.
///
/// The word is compared with itself turned by one to four bytes, so that every two of them meet.
#[inline(always)]
fn all_differing(word: u64) -> u64 {
    (1..=4).fold(TOPS, |different, bytes| different & differing(word, word.rotate_left(8 * bytes)))
}

/// Checks seven cards in a third of the time that `check` takes.
///
/// # Errors
/// As `check`.
#[inline(always)]
pub(crate) fn check_seven(cards: &[u8; 7]) -> Result<(), Error> {
    let [a, b, c, d, e, f, g] = *cards;
    // The eighth byte is no card and differs from all.
    let word = u64::from_le_bytes([a, b, c, d, e, f, g, 0x7F]);
    if beyond_deck(word) << 8 != 0 || all_differing(word) != TOPS {
        return Err(find_error(0, cards));
    }
    Ok(())
}

/// Checks nine cards as `check_seven` does seven.
///
/// # Errors
/// As `check`.
#[inline(always)]
pub(crate) fn check_nine(cards: &[u8; 9]) -> Result<(), Error> {
    let [a, b, c, d, e, f, g, h, last] = *cards;
    let word = u64::from_le_bytes([a, b, c, d, e, f, g, h]);
    let ninth = u64::from_le_bytes([last; 8]);
    let different = all_differing(word) & differing(word, ninth);
    if beyond_deck(word) | beyond_deck(ninth) != 0 || different != TOPS {
        return Err(find_error(0, cards));
    }
    Ok(())
}

/// Checks more cards against those already seen; returns the set of all of them.
#[inline]
pub(crate) fn check_against(seen: u64, cards: &[u8]) -> Result<u64, Error> {
    let mut set = seen;
    let mut sum = seen;
    let mut bad = 0;
    for &card in cards {
        // A card from 52 up sets bit 6 or 7 here, and so does 64 and more by itself.
        bad |= card | card.wrapping_add(12);
        let bit = 1_u64 << (card & 63);
        set |= bit;
        sum = sum.wrapping_add(bit);
    }
    // Powers of two add up to their union only if all differ.
    if (bad & 0xC0) != 0 || set != sum {
        return Err(find_error(seen, cards));
    }
    Ok(set)
}

#[cold]
#[inline(never)]
fn find_error(mut seen: u64, cards: &[u8]) -> Error {
    for (position, &card) in cards.iter().enumerate() {
        if card >= DECK {
            return Error::OutOfRange { position, value: card.into() };
        }
        if seen >> card & 1 == 1 {
            return Error::Duplicate { card, position };
        }
        seen |= 1 << card;
    }
    // Only called for cards that are wrong: somebody has written to the caller's memory since.
    Error::Changed
}

/// Checks the number of cards and the cards.
#[inline]
pub(crate) fn check_counted(
    what: &'static str,
    cards: &[u8],
    least: usize,
    most: usize,
) -> Result<u64, Error> {
    if cards.len() < least || cards.len() > most {
        return Err(Error::Count { what, got: cards.len(), least, most });
    }
    check(cards)
}

/// Checks a hand of five to seven cards.
#[inline(always)]
pub(crate) fn check_hand(cards: &[u8]) -> Result<(), Error> {
    match <&[u8; 7]>::try_from(cards) {
        Ok(seven) => check_seven(seven),
        Err(_) => check_counted("cards", cards, 5, 7).map(|_| ()),
    }
}
