//! One board, many hands: who wins the high half and who the low.

use crate::best::{
    best_five_unchecked, low_best_five_unchecked, omaha_best_five_unchecked,
    omaha_low_best_five_unchecked, BestFive, Prefer,
};
use crate::cards::{check_against, check_counted, Error};
use crate::low::Qualifier;

/// A form of poker, as far as reading hands goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Game {
    name: &'static str,
    own: (usize, usize),
    board: (usize, usize),
    two_and_three: bool,
    high: bool,
    low: bool,
}

const fn game(
    name: &'static str,
    own: (usize, usize),
    board: (usize, usize),
    pays: &'static str,
) -> Game {
    let pays = pays.as_bytes();
    Game {
        name,
        own,
        board,
        two_and_three: own.0 == 4,
        high: pays[0] == b'h',
        low: pays[pays.len() - 1] == b'l',
    }
}

/// All games. A stud hand of seven cards dealt from a short stub has one card on the board.
pub const GAMES: [Game; 9] = [
    game("holdem", (2, 2), (3, 5), "h"),
    game("holdem_high_low", (2, 2), (3, 5), "hl"),
    game("omaha", (4, 4), (3, 5), "h"),
    game("omaha_high_low", (4, 4), (3, 5), "hl"),
    game("stud", (5, 7), (0, 1), "h"),
    game("stud_high_low", (5, 7), (0, 1), "hl"),
    game("razz", (5, 7), (0, 1), "l"),
    game("draw", (5, 5), (0, 0), "h"),
    game("lowball", (5, 5), (0, 0), "l"),
];

impl Game {
    /// The game of that name.
    pub fn named(name: &str) -> Option<Game> {
        GAMES.into_iter().find(|game| game.name == name)
    }

    /// Name of the game, such as `omaha_high_low`.
    pub fn name(&self) -> &'static str {
        self.name
    }
}

/// What one hand makes. Masks are over the board's cards followed by the hand's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The high hand, in games that pay one.
    pub high: Option<BestFive>,
    /// The low, in games that pay one and if it qualifies.
    pub low: Option<BestFive>,
}

/// The hands in the order given, and the places of those that win.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Showdown {
    /// What each hand makes.
    pub hands: Vec<Shown>,
    /// Places of the hands that share the high; empty in games that pay none.
    pub high_winners: Vec<usize>,
    /// Places of the hands that share the low; empty if no low qualifies.
    pub low_winners: Vec<usize>,
}

/// Reads every hand and names the winners.
///
/// # Errors
/// `Count`, `OutOfRange` or `Duplicate`, within `Hand` where a player's cards are wrong; a card
/// that two players hold is a duplicate.
pub fn showdown(
    game: Game,
    board: &[u8],
    hands: &[&[u8]],
    qualifier: Qualifier,
    prefer: Prefer,
) -> Result<Showdown, Error> {
    if hands.is_empty() {
        return Err(Error::Count { what: "hands", got: 0, least: 1, most: 26 });
    }
    let mut seen = check_counted("board cards", board, game.board.0, game.board.1)?;
    let mut shown = Vec::with_capacity(hands.len());
    for (place, hand) in hands.iter().enumerate() {
        let within = |error| Error::Hand { hand: place, error: Box::new(error) };
        seen = check_hand(game, board.len(), seen, hand).map_err(within)?;
        shown.push(read(game, board, hand, qualifier, prefer));
    }
    Ok(Showdown {
        high_winners: winners(&shown, |hand| hand.high),
        low_winners: winners(&shown, |hand| hand.low),
        hands: shown,
    })
}

fn check_hand(game: Game, board_count: usize, seen: u64, hand: &[u8]) -> Result<u64, Error> {
    let (least, most) = game.own;
    let most = most.min(if game.two_and_three { 4 } else { 7 - board_count });
    if hand.len() < least || hand.len() > most {
        return Err(Error::Count { what: "cards", got: hand.len(), least, most });
    }
    check_against(seen, hand)
}

fn read(game: Game, board: &[u8], hand: &[u8], qualifier: Qualifier, prefer: Prefer) -> Shown {
    let (high, low) = if let (true, Ok(hole)) = (game.two_and_three, hand.try_into()) {
        (
            game.high.then(|| omaha_best_five_unchecked(board, hole)),
            game.low.then(|| omaha_low_best_five_unchecked(board, hole, qualifier)),
        )
    } else {
        let mut cards = [0; 7];
        let count = board.len() + hand.len();
        cards[..board.len()].copy_from_slice(board);
        cards[board.len()..count].copy_from_slice(hand);
        let cards = &cards[..count];
        (
            game.high.then(|| best_five_unchecked(cards, hand.len(), prefer)),
            game.low.then(|| low_best_five_unchecked(cards, hand.len(), prefer, qualifier)),
        )
    };
    Shown { high, low: low.filter(|low| low.strength > 0) }
}

fn winners(shown: &[Shown], half: impl Fn(&Shown) -> Option<BestFive>) -> Vec<usize> {
    let strengths: Vec<u16> =
        shown.iter().map(|hand| half(hand).map_or(0, |best| best.strength)).collect();
    let best = strengths.iter().copied().max().unwrap_or(0);
    (0..shown.len()).filter(|&place| best > 0 && strengths[place] == best).collect()
}
