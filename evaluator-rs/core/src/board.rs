//! A board that several players' hands are read against.

use crate::cards::{check_against, check_counted, Error, DECK};
use crate::high::{flush_strength, ranks_in_suit, suit_masks, KeySum};
use crate::low::{low_unchecked, omaha_low_unchecked, Qualifier};
use crate::omaha::{
    board_flush_suit, board_row, complete, flush_of, for_each_triple, high_unchecked, pair_place,
};

/// Three to five board cards, summed once.
#[derive(Clone, Debug)]
pub struct Board {
    cards: [u8; 5],
    count: usize,
    set: u64,
    sum: KeySum,
    masks: u64,
    flush: Option<(u32, u16)>,
}

/// How a player's two hole cards take part in the best hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HolePlay {
    /// Strength of the best five of all cards.
    pub strength: u16,
    /// Strength of the best five that contain both hole cards.
    pub with_both: u16,
    /// Strength without the first and without the second hole card; 0 if fewer than five remain.
    pub without: [u16; 2],
}

impl HolePlay {
    /// Some best hand contains both hole cards, be it as a kicker or as one of equal cards.
    pub fn both_can_play(&self) -> bool {
        self.with_both == self.strength
    }

    /// The hand is weaker without either hole card.
    pub fn both_needed(&self) -> bool {
        self.without.iter().all(|&without| without < self.strength)
    }
}

impl Board {
    /// Takes the board's cards.
    ///
    /// # Errors
    /// `Count`, `OutOfRange` or `Duplicate`.
    pub fn new(cards: &[u8]) -> Result<Self, Error> {
        let set = check_counted("board cards", cards, 3, 5)?;
        let mut padded = [0; 5];
        padded[..cards.len()].copy_from_slice(cards);
        let (sum, masks) = (KeySum::of(cards), suit_masks(cards));
        let flush = board_flush_suit(sum, masks);
        Ok(Board { cards: padded, count: cards.len(), set, sum, masks, flush })
    }

    /// The cards in the order given.
    pub fn cards(&self) -> &[u8] {
        &self.cards[..self.count]
    }

    #[inline]
    fn own<const N: usize>(&self, hole: &[u8]) -> Result<[u8; N], Error> {
        let own = hole.try_into().map_err(|_| Error::Count {
            what: "hole cards",
            got: hole.len(),
            least: N,
            most: N,
        })?;
        check_against(self.set, hole)?;
        Ok(own)
    }

    /// Strength of the best five of the board and two hole cards.
    ///
    /// # Errors
    /// `Count`, `OutOfRange`, or `Duplicate` if a hole card lies on the board.
    #[inline]
    pub fn evaluate(&self, hole: &[u8]) -> Result<u16, Error> {
        Ok(self.evaluate_unchecked(self.own(hole)?))
    }

    #[inline(always)]
    pub(crate) fn evaluate_unchecked(&self, hole: [u8; 2]) -> u16 {
        let sum = self.sum.join(KeySum::of(&hole));
        match sum.flush_suit() {
            Some(suit) => flush_strength(ranks_in_suit(self.masks | suit_masks(&hole), suit)),
            None => sum.ranks(self.count + 2),
        }
    }

    /// Strength of the best two of four hole cards with three of the board.
    ///
    /// # Errors
    /// As `evaluate`.
    #[inline]
    pub fn omaha(&self, hole: &[u8]) -> Result<u16, Error> {
        Ok(self.omaha_unchecked(self.own(hole)?))
    }

    #[inline(always)]
    fn omaha_unchecked(&self, hole: [u8; 4]) -> u16 {
        if self.count < 5 {
            return high_unchecked(self.cards(), hole);
        }
        complete(board_row(self.sum), self.flush, hole)
    }

    /// Strength of the ace-to-five low of the board and two hole cards; 0 if none qualifies.
    ///
    /// # Errors
    /// As `evaluate`.
    pub fn low(&self, hole: &[u8], qualifier: Qualifier) -> Result<u16, Error> {
        let own: [u8; 2] = self.own(hole)?;
        let mut cards = [0; 7];
        cards[..self.count].copy_from_slice(self.cards());
        cards[self.count..self.count + 2].copy_from_slice(&own);
        Ok(low_unchecked(&cards[..self.count + 2], qualifier))
    }

    /// Strength of the low of two of four hole cards with three of the board; 0 if none qualifies.
    ///
    /// # Errors
    /// As `evaluate`.
    pub fn omaha_low(&self, hole: &[u8], qualifier: Qualifier) -> Result<u16, Error> {
        Ok(omaha_low_unchecked(self.cards(), self.own(hole)?, qualifier))
    }

    /// Strength of the best five that contain both of two hole cards.
    ///
    /// # Errors
    /// As `evaluate`.
    pub fn with_both(&self, hole: &[u8]) -> Result<u16, Error> {
        Ok(self.with_both_unchecked(self.own(hole)?))
    }

    fn with_both_unchecked(&self, hole: [u8; 2]) -> u16 {
        let mut best = 0;
        if self.count == 5 {
            best = board_row(self.sum)[pair_place(hole[0], hole[1])];
        } else {
            let two = KeySum::of(&hole);
            for_each_triple(self.cards(), |triple| {
                let five = triple.iter().fold(two, |sum, &place| sum.plus(self.cards[place]));
                best = best.max(five.ranks5());
            });
        }
        match self.flush {
            Some((suit, ranks)) => {
                best.max(flush_of(ranks_in_suit(suit_masks(&hole), suit), ranks))
            }
            None => best,
        }
    }

    /// How the two hole cards take part in the best hand.
    ///
    /// # Errors
    /// As `evaluate`.
    pub fn hole_play(&self, hole: &[u8]) -> Result<HolePlay, Error> {
        let own: [u8; 2] = self.own(hole)?;
        Ok(HolePlay {
            strength: self.evaluate_unchecked(own),
            with_both: self.with_both_unchecked(own),
            without: [self.with_one(own[1]), self.with_one(own[0])],
        })
    }

    /// Strength of the board and one hole card; 0 if that is fewer than five cards.
    fn with_one(&self, card: u8) -> u16 {
        if self.count < 4 {
            return 0;
        }
        let sum = self.sum.plus(card);
        match sum.flush_suit() {
            Some(suit) => flush_strength(ranks_in_suit(self.masks | suit_masks(&[card]), suit)),
            None => sum.ranks(self.count + 1),
        }
    }

    fn best_of_all_pairs(&self, strength: impl Fn([u8; 2]) -> u16) -> u16 {
        let left: Vec<u8> = (0..DECK).filter(|card| self.set >> card & 1 == 0).collect();
        let mut best = 0;
        for (place, &first) in left.iter().enumerate() {
            for &second in &left[place + 1..] {
                best = best.max(strength([first, second]));
            }
        }
        best
    }

    /// Strength of the best hand that any two hole cards can make on this board.
    pub fn best_possible(&self) -> u16 {
        self.best_of_all_pairs(|hole| self.evaluate_unchecked(hole))
    }

    /// Strength of the best hand that any Omaha hole cards can make on this board.
    pub fn omaha_best_possible(&self) -> u16 {
        self.best_of_all_pairs(|hole| self.with_both_unchecked(hole))
    }
}
