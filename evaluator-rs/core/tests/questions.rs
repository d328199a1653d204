//! What rules ask: both hole cards, the best possible hand, wild cards, words, showdowns, refusals.

mod oracle;

use evaluator_core::{
    check, describe, describe_low, evaluate, evaluate_wild, omaha_high, parse, showdown, Board,
    Error, Game, Prefer, Qualifier, BEST_LOW, FIVE_ACES,
};
use oracle::{chosen, subsets, Oracle, Random};
use std::collections::HashSet;

fn cards(text: &str) -> Vec<u8> {
    parse::<26>(text.replace(' ', "").as_bytes()).unwrap().as_slice().to_vec()
}

#[test]
fn hole_play_of_random_hands() {
    let oracle = Oracle::new();
    let mut random = Random(23);
    for _ in 0..100_000 {
        let dealt = random.deal(7);
        for count in 3..=5 {
            let (board, hole) = (&dealt[..count], &dealt[5..]);
            let play = Board::new(board).unwrap().hole_play(hole).unwrap();
            let both = subsets(count, 3)
                .map(|three| oracle.high(&[&chosen(board, three), hole].concat()))
                .max()
                .unwrap();
            let all = [board, hole].concat();
            assert_eq!((play.strength, play.with_both), (oracle.high(&all), both), "{all:?}");
            if count > 3 {
                let one = |place: usize| oracle.high(&[board, &hole[place..=place]].concat());
                assert_eq!(play.without, [one(1), one(0)], "{all:?}");
            }
        }
    }
}

#[test]
fn a_kicker_from_the_hand_plays_and_an_idle_card_does_not() {
    let play = |board: &str, hole: &str| {
        Board::new(&cards(board)).unwrap().hole_play(&cards(hole)).unwrap()
    };
    let kicker = play("As Ad Ac 9h 9s", "Ah Kd");
    assert!(kicker.both_can_play() && kicker.both_needed());
    assert!(!play("7s 7h 7d Ac 3d", "7c 2h").both_can_play());
    let worse = play("As Ac 9h Ts Th", "Ad 9d");
    assert!(!worse.both_can_play());
    let equal = play("Ks Kh 8d 8c As", "8h Ac");
    assert!(equal.both_can_play());
}

#[test]
fn best_possible_is_the_best_of_all_hands() {
    let mut random = Random(29);
    for count in 3..=5 {
        for _ in 0..20 {
            let dealt = random.deal(52);
            let (shared, others) = dealt.split_at(count);
            let board = Board::new(shared).unwrap();
            let (mut best, mut omaha) = (0, 0);
            for (place, &first) in others.iter().enumerate() {
                for &second in &others[place + 1..] {
                    best = best.max(board.evaluate(&[first, second]).unwrap());
                    let fillers = others.iter().filter(|&&card| card != first && card != second);
                    let hole: Vec<u8> =
                        [first, second].into_iter().chain(fillers.copied().take(2)).collect();
                    omaha = omaha.max(board.omaha(&hole).unwrap());
                }
            }
            assert_eq!(board.best_possible(), best);
            assert_eq!(board.omaha_best_possible(), omaha);
        }
    }
}

#[test]
fn five_of_a_kind_beats_a_straight_flush() {
    let kings = evaluate_wild(&cards("Kc Kd Kh"), 2).unwrap();
    assert!(kings > evaluate(&cards("9s 8s 7s 6s 5s")).unwrap());
    assert_eq!(describe(kings.into()).unwrap(), "five kings");
    assert_eq!(evaluate_wild(&[], 5), Ok(FIVE_ACES));
    assert_eq!(evaluate_wild(&cards("2c 2d 3h 4h"), 3), Ok(7463));
    assert_eq!(evaluate_wild(&cards("2c 2d 3h 3s"), 3), Ok(7464));
    assert_eq!(
        describe(evaluate_wild(&cards("2c 3d 9h Ks"), 1).unwrap().into()).unwrap(),
        "pair of kings, nine, three, deuce"
    );
    assert_eq!(
        describe(evaluate_wild(&cards("9h Th"), 3).unwrap().into()).unwrap(),
        "straight flush, king high"
    );
    assert!(matches!(evaluate_wild(&cards("2c 3d"), 2), Err(Error::Count { got: 4, .. })));
    assert!(matches!(evaluate_wild(&[], usize::MAX), Err(Error::Count { .. })));
}

#[test]
fn no_wild_card_changes_nothing() {
    let mut random = Random(31);
    for count in 5..=7 {
        for _ in 0..1000 {
            let hand = random.deal(count);
            assert_eq!(evaluate_wild(&hand, 0), evaluate(&hand));
        }
    }
}

#[test]
fn words_differ_for_every_strength() {
    let high: HashSet<String> = (1..=FIVE_ACES).map(|at| describe(at.into()).unwrap()).collect();
    let low: HashSet<String> = (1..=BEST_LOW).map(|at| describe_low(at.into()).unwrap()).collect();
    assert_eq!((high.len(), low.len()), (FIVE_ACES.into(), BEST_LOW.into()));
    for wrong in [0, u32::from(FIVE_ACES) + 1, u32::MAX] {
        assert!(describe(wrong).is_err() && describe_low(wrong).is_err());
    }
}

#[test]
fn words_of_the_table() {
    for (hand, words) in [
        ("As Ks Qs Js Ts", "royal flush"),
        ("5d 4d 3d 2d Ad", "straight flush, five high"),
        ("6c 6d 6h 6s Ac", "four sixes, ace"),
        ("Ac Ad Ah Ks Kc", "aces full of kings"),
        ("Ac Jc 9c 5c 2c", "flush, ace, jack, nine, five, deuce"),
        ("Ac Kd Qh Js Tc", "straight, ace high"),
        ("Ac 2d 3h 4s 5c", "straight, five high"),
        ("Tc Td Th 4s 2c", "three tens, four, deuce"),
        ("Ac Ad 8h 8s Qc", "aces and eights, queen"),
        ("9c 9d Ah Ks 4c", "pair of nines, ace, king, four"),
        ("Ac Qd 9h 7s 3c", "ace high, queen, nine, seven, three"),
    ] {
        assert_eq!(describe(evaluate(&cards(hand)).unwrap().into()).unwrap(), words);
    }
    for (hand, words) in [
        ("5c 4d 3h 2s Ac", "five, four, three, deuce, ace low"),
        ("8c 7d 6h 5s 4c", "eight, seven, six, five, four low"),
        ("Kc Kd 3h 2s Ac", "pair of kings, three, deuce, ace, for low"),
    ] {
        let strength = evaluator_core::low(&cards(hand), Qualifier::None).unwrap();
        assert_eq!(describe_low(strength.into()).unwrap(), words);
    }
}

#[test]
fn showdowns() {
    let read = |game: &str, board: &str, hands: &[&str], qualifier| {
        let hands: Vec<Vec<u8>> = hands.iter().map(|hand| cards(hand)).collect();
        let slices: Vec<&[u8]> = hands.iter().map(Vec::as_slice).collect();
        let game = Game::named(game).unwrap();
        showdown(game, &cards(board), &slices, qualifier, Prefer::Hole)
    };
    let tie = read("holdem", "2h 7h 9c Jd Kc", &["As Qd", "Ah Qc", "2c 3c"], Qualifier::None);
    let tie = tie.unwrap();
    assert_eq!((tie.high_winners, tie.low_winners), (vec![2], vec![]));
    let split = read(
        "omaha_high_low",
        "2c 3d 8h Ts Js",
        &["As 4d Kh Qh", "Ac 5d Tc Td", "Kc Kd Ks Qd"],
        Qualifier::EightOrBetter,
    );
    let split = split.unwrap();
    assert_eq!((split.high_winners, split.low_winners), (vec![1], vec![0]));
    assert_eq!(split.hands[2].low, None);
    let razz = read("razz", "", &["Ad 2c 4h 5s 7d Ks Kh", "Ac 2d 4s 5h 7c Qs Qd"], Qualifier::None);
    let razz = razz.unwrap();
    assert_eq!((razz.high_winners, razz.low_winners), (vec![], vec![0, 1]));
    let common = read("stud", "Ah", &["As Ad 2c 3c 4c 9d", "Kc Kd Ks 5d 6d 7d"], Qualifier::None);
    assert_eq!(common.unwrap().high_winners, vec![0]);
    let twice = read("holdem", "2h 7h 9c Jd Kc", &["As Qd", "Ah As"], Qualifier::None);
    assert_eq!(twice.unwrap_err().to_string(), "hand 1: card 1, As, occurs twice");
    assert!(read("holdem", "2h 7h", &["As Qd"], Qualifier::None).is_err());
    assert!(read("holdem", "2h 7h 9c", &[], Qualifier::None).is_err());
    assert!(read("omaha", "2h 7h 9c", &["As Qd"], Qualifier::None).is_err());
    assert!(read("stud", "Ah", &["As Ad 2c 3c 4c 9d 9h"], Qualifier::None).is_err());
}

#[test]
fn wrong_cards_are_refused_with_their_place() {
    assert_eq!(check(&[0, 1, 2]), Ok(0b111));
    assert_eq!(check(&[0, 1, 52]), Err(Error::OutOfRange { position: 2, value: 52 }));
    assert_eq!(check(&[9, 1, 9]), Err(Error::Duplicate { card: 9, position: 2 }));
    for value in 52..=255_u8 {
        for position in 0..7 {
            let mut hand = [10, 11, 12, 13, 14, 15, 16];
            hand[position] = value;
            let wanted = Error::OutOfRange { position, value: value.into() };
            assert_eq!(evaluate(&hand), Err(wanted.clone()));
            assert_eq!(evaluate(&hand[..5]).is_err(), position < 5);
            assert_eq!(check(&hand), Err(wanted));
        }
    }
    for first in 0..7 {
        for second in first + 1..7 {
            for card in 0..52 {
                let others = (0..52).filter(|&other| other != card).take(7);
                let mut hand: Vec<u8> = others.collect();
                hand[first] = card;
                hand[second] = card;
                let wanted = Error::Duplicate { card, position: second };
                assert_eq!(evaluate(&hand), Err(wanted));
            }
        }
    }
    for count in [0, 1, 4, 8, 52] {
        let hand: Vec<u8> = (0..count).collect();
        assert!(matches!(evaluate(&hand), Err(Error::Count { .. })));
    }
    assert!(matches!(omaha_high(&[0; 6]), Err(Error::Count { .. })));
}

#[test]
fn text_that_names_no_cards() {
    assert_eq!(cards("2c As Td"), [0, 51, 33]);
    for (text, position, found) in [
        ("As1d", 1, "1d"),
        ("AsK", 1, "K"),
        ("as", 0, "as"),
        ("As Kd", 1, " K"),
        ("As10d", 1, "10"),
        ("Kx", 0, "Kx"),
    ] {
        let wanted = Error::Text { position, found: found.to_owned() };
        assert_eq!(parse::<9>(text.as_bytes()).unwrap_err(), wanted, "{text}");
    }
    // Characters of several bytes are cut apart; what is shown of them is of no account.
    // What is named are characters, however many bytes they take.
    let wanted = Error::Text { position: 1, found: "♠K".to_owned() };
    assert_eq!(parse::<9>("As♠K".as_bytes()).unwrap_err(), wanted);
    assert!(matches!(parse::<2>(b"AsKsQs"), Err(Error::Count { got: 3, .. })));
}
