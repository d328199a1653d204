//! Every hand there is, or every class of hands, against the oracle and the published counts.

mod oracle;

use evaluator_core::batch::{evaluate7, low7, omaha9, omaha9_high_low, Path};
use evaluator_core::{
    best_five, category, evaluate, low, low_best_five, omaha_best_five, omaha_high, omaha_low,
    omaha_low_best_five, Prefer, Qualifier, WORST_EIGHT,
};
use oracle::{chosen, offsuit, rank_lists, ranks_of_mask, subsets, Oracle, Random};

/// The paths this machine can run; the others are named in the output.
fn paths() -> Vec<Path> {
    let (here, missing): (Vec<Path>, Vec<Path>) =
        Path::ALL.into_iter().partition(|path| path.is_available());
    for path in missing {
        println!("not run on this machine: {}", path.name());
    }
    here
}

fn category_of(strength: u16) -> usize {
    category(strength.into()).unwrap() as usize
}

#[test]
fn all_five_card_hands() {
    let oracle = Oracle::new();
    let mut counts = [0_u32; 9];
    for a in 0..52_u8 {
        for b in a + 1..52 {
            for c in b + 1..52 {
                for d in c + 1..52 {
                    for e in d + 1..52 {
                        let cards = [c, a, e, b, d];
                        let strength = evaluate(&cards).unwrap();
                        assert_eq!(strength, oracle.high_five(cards), "{cards:?}");
                        counts[category_of(strength)] += 1;
                    }
                }
            }
        }
    }
    let published = [1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 40];
    assert_eq!(counts, published);
}

#[test]
fn counts_of_all_six_card_hands() {
    let mut by_strength = vec![0_u32; 7463];
    let mut cards = [0, 1, 2, 3, 4, 5];
    loop {
        by_strength[evaluate(&cards).unwrap() as usize] += 1;
        if !advance(&mut cards) {
            break;
        }
    }
    let published =
        [6_612_900, 9_730_740, 2_532_816, 732_160, 361_620, 205_792, 165_984, 14_664, 1_844];
    assert_eq!(by_category(&by_strength), published);
}

/// The next ascending choice of cards of the deck; false after the last.
fn advance<const N: usize>(cards: &mut [u8; N]) -> bool {
    let movable = (0..N).rev().find(|&place| (cards[place] as usize) < 52 - N + place);
    let Some(place) = movable else { return false };
    cards[place] += 1;
    for next in place + 1..N {
        cards[next] = cards[next - 1] + 1;
    }
    true
}

fn by_category(by_strength: &[u32]) -> [u32; 9] {
    let mut counts = [0; 9];
    for (strength, count) in by_strength.iter().enumerate().skip(1) {
        counts[category_of(strength as u16)] += count;
    }
    counts
}

#[test]
fn counts_of_all_seven_card_hands_on_every_path() {
    let paths = paths();
    let mut by_strength = vec![vec![0_u32; 7463]; paths.len()];
    let mut cards = [0, 1, 2, 3, 4, 5, 6];
    let mut hands = Vec::with_capacity(7 << 16);
    let mut left = true;
    while left {
        hands.clear();
        while left && hands.len() < 7 << 16 {
            hands.extend_from_slice(&cards);
            left = advance(&mut cards);
        }
        let mut out = vec![0; hands.len() / 7];
        for (&path, counts) in paths.iter().zip(&mut by_strength) {
            evaluate7(path, &hands, &mut out).unwrap();
            for &strength in &out {
                counts[strength as usize] += 1;
            }
        }
    }
    let published = [
        23_294_460, 58_627_800, 31_433_400, 6_461_620, 6_180_020, 4_047_644, 3_473_184, 224_848,
        41_584,
    ];
    for counts in by_strength {
        assert_eq!(by_category(&counts), published);
    }
}

/// Checks high, low and batches of seven-card hands against the oracle.
fn check_sevens(oracle: &Oracle, hands: &[Vec<u8>]) {
    let flat = hands.concat();
    let wanted: Vec<u16> = hands.iter().map(|hand| oracle.high(hand)).collect();
    for path in paths() {
        let mut out = vec![0; hands.len()];
        evaluate7(path, &flat, &mut out).unwrap();
        assert_eq!(out, wanted, "{}", path.name());
    }
    for (hand, strength) in hands.iter().zip(wanted) {
        assert_eq!(evaluate(hand), Ok(strength), "{hand:?}");
    }
}

#[test]
fn order_of_every_set_of_ranks() {
    let oracle = Oracle::new();
    for size in [5, 6, 7] {
        let hands: Vec<Vec<u8>> = rank_lists(size).iter().map(|ranks| offsuit(ranks)).collect();
        assert_eq!(hands.len(), [6_175, 18_395, 49_205][size - 5]);
        for hand in &hands {
            assert_eq!(evaluate(hand), Ok(oracle.high(hand)), "{hand:?}");
        }
        if size == 7 {
            check_sevens(&oracle, &hands);
        }
    }
}

#[test]
fn order_of_every_set_of_ranks_in_one_suit() {
    let oracle = Oracle::new();
    let mut random = Random(0x5EED);
    let mut sevens = Vec::new();
    for mask in 0..1_u32 << 13 {
        let suited = mask.count_ones() as usize;
        if !(5..=7).contains(&suited) {
            continue;
        }
        for suit in 0..4 {
            let flush: Vec<u8> = ranks_of_mask(mask).iter().map(|rank| rank * 4 + suit).collect();
            assert_eq!(evaluate(&flush), Ok(oracle.high(&flush)), "{flush:?}");
            let others = random.deal(52).into_iter().filter(|card| card % 4 != suit);
            let mut hand: Vec<u8> = others.take(7 - suited).collect();
            hand.extend(&flush);
            for place in 0..7 {
                hand.swap(place, random.below(7));
            }
            sevens.push(hand);
        }
    }
    check_sevens(&oracle, &sevens);
}

#[test]
fn every_low() {
    let oracle = Oracle::new();
    for size in [5, 6, 7] {
        let mut flat = Vec::new();
        let mut wanted = Vec::new();
        for ranks in rank_lists(size) {
            let hand = offsuit(&ranks);
            let any = oracle.low(&hand);
            let eight = if any >= WORST_EIGHT { any } else { 0 };
            assert_eq!(low(&hand, Qualifier::None), Ok(any), "{hand:?}");
            assert_eq!(low(&hand, Qualifier::EightOrBetter), Ok(eight), "{hand:?}");
            flat.extend(hand);
            wanted.push((any, eight));
        }
        if size == 7 {
            let mut out = vec![0; wanted.len()];
            low7(&flat, &mut out, Qualifier::None).unwrap();
            assert!(out.iter().zip(&wanted).all(|(low, (any, _))| low == any));
            low7(&flat, &mut out, Qualifier::EightOrBetter).unwrap();
            assert!(out.iter().zip(&wanted).all(|(low, (_, eight))| low == eight));
        }
    }
}

/// Best high and low of every pair of ranks with three of the board, by brute force.
fn best_of_pairs(oracle: &Oracle, board: &[u8]) -> Vec<(u16, u16)> {
    let triples: Vec<Vec<u8>> = subsets(5, 3).map(|subset| chosen(board, subset)).collect();
    let mut best = vec![(0, 0); 169];
    for (place, best) in best.iter_mut().enumerate() {
        let (a, b) = ((place / 13) as u8, (place % 13) as u8);
        for three in &triples {
            let five = [three[0], three[1], three[2], a, b];
            best.0 = best.0.max(oracle.high_ranks(five));
            best.1 = best.1.max(oracle.low_ranks(five));
        }
    }
    best
}

#[test]
fn omaha_on_every_set_of_ranks() {
    let oracle = Oracle::new();
    let holes = rank_lists(4);
    let paths = paths();
    let mut hands = 0_u32;
    for board_ranks in rank_lists(5) {
        // Two of one suit at most on the board: no flush.
        let board = offsuit(&board_ranks);
        let best = best_of_pairs(&oracle, &board_ranks);
        let mut flat = Vec::new();
        let mut wanted = Vec::new();
        for ranks in &holes {
            let Some(hole) = free_cards(&board, ranks) else { continue };
            let six = subsets(4, 2).map(|pair| {
                let two = chosen(ranks, pair);
                best[two[0] as usize * 13 + two[1] as usize]
            });
            let (high, any) =
                six.fold((0, 0), |(high, low), pair| (high.max(pair.0), low.max(pair.1)));
            let eight = if any >= WORST_EIGHT { any } else { 0 };
            let hand = [&board[..], &hole].concat();
            assert_eq!(omaha_high(&hand), Ok(high), "{hand:?}");
            assert_eq!(omaha_low(&hand, Qualifier::EightOrBetter), Ok(eight), "{hand:?}");
            assert_eq!(omaha_low(&hand, Qualifier::None), Ok(any), "{hand:?}");
            flat.extend(hand);
            wanted.push((high, eight));
        }
        hands += wanted.len() as u32;
        let (highs, lows): (Vec<u16>, Vec<u16>) = wanted.into_iter().unzip();
        let (mut high, mut low) = (vec![0; highs.len()], vec![0; highs.len()]);
        for &path in &paths {
            omaha9(path, &flat, &mut high).unwrap();
            assert_eq!(high, highs, "{}", path.name());
            high.fill(0);
            omaha9_high_low(path, &flat, &mut high, &mut low).unwrap();
            assert_eq!((&high, &low), (&highs, &lows), "{}", path.name());
        }
    }
    assert!(hands > 10_000_000, "{hands} of 6,175 x 1,820 sets of ranks have the cards");
}

/// Cards of the ranks that are not on the board; nothing if the deck has not enough of them.
fn free_cards(board: &[u8], ranks: &[u8]) -> Option<Vec<u8>> {
    let mut taken = board.iter().fold(0_u64, |set, card| set | 1 << card);
    ranks
        .iter()
        .map(|rank| {
            let card = (0..4).map(|suit| rank * 4 + suit).find(|card| taken >> card & 1 == 0)?;
            taken |= 1 << card;
            Some(card)
        })
        .collect()
}

#[test]
fn omaha_flushes_of_every_mask() {
    let oracle = Oracle::new();
    let mut random = Random(0xF1);
    let mut flat = Vec::new();
    let mut wanted = Vec::new();
    for board_mask in (0..1_u32 << 13).filter(|mask| (3..=5).contains(&mask.count_ones())) {
        for hole_mask in (0..1_u32 << 13)
            .filter(|mask| (2..=4).contains(&mask.count_ones()) && mask & board_mask == 0)
        {
            let suit = (flat.len() / 9 % 4) as u8;
            let of_suit = |mask| ranks_of_mask(mask).into_iter().map(move |rank| rank * 4 + suit);
            let mut board: Vec<u8> = of_suit(board_mask).collect();
            let mut hole: Vec<u8> = of_suit(hole_mask).collect();
            let mut taken = board.iter().chain(&hole).fold(0_u64, |set, card| set | 1 << card);
            for (cards, size) in [(&mut board, 5), (&mut hole, 4)] {
                while cards.len() < size {
                    let card = random.below(52) as u8;
                    if card % 4 != suit && taken >> card & 1 == 0 {
                        taken |= 1 << card;
                        cards.push(card);
                    }
                }
            }
            let hand = [&board[..], &hole].concat();
            let strength = oracle.omaha(&board, &hole);
            assert_eq!(omaha_high(&hand), Ok(strength), "{hand:?}");
            wanted.push(strength);
            flat.extend(hand);
        }
    }
    for path in paths() {
        let mut out = vec![0; wanted.len()];
        omaha9(path, &flat, &mut out).unwrap();
        assert_eq!(out, wanted, "{}", path.name());
    }
}

#[test]
fn low_masks_of_omaha() {
    let oracle = Oracle::new();
    let mut checked = 0;
    for board_mask in 0..256_u32 {
        for hole_mask in 0..256_u32 {
            if board_mask.count_ones() > 5 || hole_mask.count_ones() > 4 {
                continue;
            }
            // Bit 0 is the ace; kings and queens fill the hands up.
            let ranks = |mask| ranks_of_mask(mask).into_iter().map(|low| (low + 12) % 13);
            let suited = |rank: u8, suit: u8| rank * 4 + suit;
            let mut board: Vec<u8> = ranks(board_mask).map(|rank| suited(rank, 0)).collect();
            let mut hole: Vec<u8> = ranks(hole_mask).map(|rank| suited(rank, 1)).collect();
            for place in board.len()..5 {
                board.push(suited(11 - place as u8 / 4, place as u8 % 4));
            }
            for place in hole.len()..4 {
                hole.push(suited(9, place as u8));
            }
            let hand = [&board[..], &hole].concat();
            let any = oracle.omaha_low(&board, &hole);
            let eight = if any >= WORST_EIGHT { any } else { 0 };
            assert_eq!(omaha_low(&hand, Qualifier::EightOrBetter), Ok(eight), "{hand:?}");
            checked += 1;
        }
    }
    assert_eq!(checked, 219 * 163);
}

#[test]
fn best_five_of_every_set_of_ranks() {
    let oracle = Oracle::new();
    let fives: Vec<u32> = subsets(7, 5).collect();
    for (number, ranks) in rank_lists(7).iter().enumerate() {
        let mut cards = offsuit(ranks);
        // Another pair of hole cards for every hand; all 21 of them turn up many times.
        cards.rotate_left(number % 7);
        cards.swap(number / 7 % 6, 6);
        let strengths: Vec<u16> =
            fives.iter().map(|&five| oracle.high(&chosen(&cards, five))).collect();
        let most = strengths.iter().max().unwrap();
        let own = |mask: u32| (mask >> 5).count_ones();
        let optimal = || {
            fives.iter().zip(&strengths).filter(|(_, strength)| *strength == most).map(|(m, _)| *m)
        };
        for (prefer, wanted) in [
            (Prefer::Hole, optimal().map(own).max().unwrap()),
            (Prefer::Board, optimal().map(own).min().unwrap()),
        ] {
            let best = best_five(&cards, 2, prefer).unwrap();
            let mask = u32::from(best.mask);
            assert!(optimal().any(|five| five == mask), "{cards:?} {mask:b}");
            assert_eq!((best.strength, own(mask)), (*most, wanted), "{cards:?}");
        }
    }
}

#[test]
fn best_five_of_random_hands() {
    let oracle = Oracle::new();
    let mut random = Random(0xBE57);
    for _ in 0..200_000 {
        let cards = random.deal(9);
        let seven = &cards[..7];
        let best = best_five(seven, 2, Prefer::Hole).unwrap();
        let five = chosen(seven, best.mask.into());
        assert_eq!((five.len(), oracle.high(&five)), (5, evaluate(seven).unwrap()));
        let best = low_best_five(seven, 2, Prefer::Board, Qualifier::None).unwrap();
        let five = chosen(seven, best.mask.into());
        assert_eq!((five.len(), oracle.low(&five)), (5, low(seven, Qualifier::None).unwrap()));
        for board in 3..=5 {
            let hand = &cards[..board + 4];
            let best = omaha_best_five(hand).unwrap();
            let five = chosen(hand, best.mask.into());
            assert_eq!((best.mask >> board).count_ones(), 2);
            assert_eq!((five.len(), oracle.high(&five)), (5, omaha_high(hand).unwrap()));
            let best = omaha_low_best_five(hand, Qualifier::None).unwrap();
            let five = chosen(hand, best.mask.into());
            assert_eq!((best.mask >> board).count_ones(), 2);
            assert_eq!(oracle.low(&five), omaha_low(hand, Qualifier::None).unwrap());
        }
    }
}

#[test]
fn omaha_of_random_hands() {
    let oracle = Oracle::new();
    let mut random = Random(0x0A4A);
    for _ in 0..50_000 {
        let cards = random.deal(9);
        for board in 3..=5 {
            let hand = &cards[..board + 4];
            let (shared, own) = hand.split_at(board);
            assert_eq!(omaha_high(hand), Ok(oracle.omaha(shared, own)), "{hand:?}");
            let low = oracle.omaha_low(shared, own);
            assert_eq!(omaha_low(hand, Qualifier::None), Ok(low), "{hand:?}");
        }
    }
}
