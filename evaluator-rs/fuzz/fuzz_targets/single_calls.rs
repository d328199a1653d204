//! Any bytes as cards, text and questions: an answer on the scale or a refusal, nothing else.

#![no_main]

use evaluator_core::{
    best_five, category, check, describe, describe_low, evaluate, evaluate_known, evaluate_wild,
    low, omaha_best_five, omaha_high, omaha_low, omaha_low_best_five, parse, showdown, Board,
    Prefer, Qualifier, BEST_LOW, BEST_NATURAL, FIVE_ACES, GAMES,
};
use libfuzzer_sys::fuzz_target;

/// Whether the cards differ and are all of the deck, found out the slow way.
fn are_right(cards: &[u8]) -> bool {
    let twice = |place: usize| cards[..place].contains(&cards[place]);
    cards.iter().all(|&card| card < 52) && !(0..cards.len()).any(twice)
}

fn ask_all(cards: &[u8]) {
    let right = are_right(cards);
    let counted = (5..=7).contains(&cards.len());
    assert_eq!(check(cards).is_ok(), right);
    assert_eq!(evaluate(cards).is_ok(), right && counted);
    if let Ok(strength) = evaluate(cards) {
        assert!((1..=BEST_NATURAL).contains(&strength));
        let best = best_five(cards, cards.len().min(2), Prefer::Hole).expect("right cards");
        assert_eq!((best.strength, best.mask.count_ones()), (strength, 5));
        assert!(low(cards, Qualifier::None).is_ok_and(|low| (1..=BEST_LOW).contains(&low)));
        assert!(evaluate_wild(cards, 0) == Ok(strength));
    }
    let nine = (7..=9).contains(&cards.len());
    assert_eq!(omaha_high(cards).is_ok(), right && nine);
    if let Ok(strength) = omaha_high(cards) {
        let best = omaha_best_five(cards).expect("right cards");
        assert_eq!((best.strength, best.mask.count_ones()), (strength, 5));
        let low = omaha_low(cards, Qualifier::EightOrBetter).expect("right cards");
        let best = omaha_low_best_five(cards, Qualifier::EightOrBetter).expect("right cards");
        assert_eq!(best.strength, low);
        assert_eq!(best.mask.count_ones(), if low == 0 { 0 } else { 5 });
    }
    if let Some(seven) = cards.first_chunk() {
        evaluate_known(seven);
    }
}

fuzz_target!(|data: &[u8]| {
    ask_all(data);
    // Most bytes are no cards; these are, if not always different ones.
    let cards: Vec<u8> = data.iter().map(|byte| byte % 52).collect();
    ask_all(&cards);
    if let Ok(list) = parse::<9>(data) {
        ask_all(list.as_slice());
    }
    let [game, split, ..] = *data else { return };
    let (own, shared) = cards.split_at((split as usize) % (cards.len() + 1));
    if own.len() <= 7 {
        if let Ok(strength) = evaluate_wild(own, usize::from(game) % 3) {
            assert!((1..=FIVE_ACES).contains(&strength));
        }
    }
    if let Ok(board) = Board::new(shared) {
        for hole in [own, &own[..own.len().min(2)], &own[..own.len().min(4)]] {
            if let Ok(play) = board.hole_play(hole) {
                assert!(play.with_both <= play.strength);
                assert!(play.without.iter().all(|&without| without <= play.strength));
            }
            let _ = (board.omaha(hole), board.low(hole, Qualifier::None));
        }
    }
    let size = 1 + usize::from(split) % 7;
    let hands: Vec<&[u8]> = own.chunks(size).collect();
    for game in GAMES {
        if let Ok(result) = showdown(game, shared, &hands, Qualifier::EightOrBetter, Prefer::Board)
        {
            assert_eq!(result.hands.len(), hands.len());
            let pays_high = result.hands[0].high.is_some();
            assert_eq!(result.high_winners.is_empty(), !pays_high);
        }
    }
    let number = u32::from(game) << 8 | u32::from(split);
    assert_eq!(describe(number).is_ok(), category(number).is_ok());
    let _ = describe_low(number);
});
