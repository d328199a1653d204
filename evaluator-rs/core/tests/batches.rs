//! Batches: every path gives what single calls give, on every length, and refuses what is wrong.

mod oracle;

use evaluator_core::batch::{
    evaluate7, holdem_tables, low7, omaha9, omaha9_high_low, omaha_tables, Path,
};
use evaluator_core::{evaluate, low, omaha_high, omaha_low, Board, Error, Qualifier};
use oracle::Random;

fn paths() -> impl Iterator<Item = Path> {
    Path::ALL.into_iter().filter(|path| path.is_available())
}

#[test]
fn sevens_of_every_length() {
    let mut random = Random(7);
    for count in (0..200).chain([1023, 1024, 1025, 2048, 3001]) {
        let cards: Vec<u8> = (0..count).flat_map(|_| random.deal(7)).collect();
        let hands = || cards.chunks(7);
        let wanted: Vec<u16> = hands().map(|hand| evaluate(hand).unwrap()).collect();
        for path in paths() {
            let mut out = vec![0; count];
            evaluate7(path, &cards, &mut out).unwrap();
            assert_eq!(out, wanted, "{} {count}", path.name());
        }
        let mut out = vec![0; count];
        low7(&cards, &mut out, Qualifier::None).unwrap();
        assert!(hands()
            .zip(&out)
            .all(|(hand, &strength)| low(hand, Qualifier::None) == Ok(strength)));
    }
}

#[test]
fn nines_of_every_length() {
    let mut random = Random(9);
    for count in (0..200).chain([1023, 1024, 1025, 2048, 3001]) {
        let cards: Vec<u8> = (0..count).flat_map(|_| random.deal(9)).collect();
        let hands = || cards.chunks(9);
        let highs: Vec<u16> = hands().map(|hand| omaha_high(hand).unwrap()).collect();
        let lows: Vec<u16> =
            hands().map(|hand| omaha_low(hand, Qualifier::EightOrBetter).unwrap()).collect();
        for path in paths() {
            let (mut high, mut low) = (vec![0; count], vec![0; count]);
            omaha9(path, &cards, &mut high).unwrap();
            assert_eq!(high, highs, "{} {count}", path.name());
            high.fill(0);
            omaha9_high_low(path, &cards, &mut high, &mut low).unwrap();
            assert_eq!((&high, &low), (&highs, &lows), "{} {count}", path.name());
        }
    }
}

/// Boards and hole cards of tables.
fn deal_tables(random: &mut Random, tables: usize, players: usize, own: usize) -> [Vec<u8>; 2] {
    let (mut boards, mut holes) = (Vec::new(), Vec::new());
    for _ in 0..tables {
        let dealt = random.deal(5 + players * own);
        boards.extend(&dealt[..5]);
        holes.extend(&dealt[5..]);
    }
    [boards, holes]
}

#[test]
fn tables_of_every_size() {
    let mut random = Random(11);
    for players in 1..=23 {
        for tables in [0, 1, 2, 44, 1024 / players, 1024 / players + 1, 700] {
            let [boards, holes] = deal_tables(&mut random, tables, players, 2);
            let mut wanted = Vec::new();
            for (board, own) in boards.chunks(5).zip(holes.chunks(2 * players)) {
                let board = Board::new(board).unwrap();
                wanted.extend(own.chunks(2).map(|hole| board.evaluate(hole).unwrap()));
            }
            for path in paths() {
                let mut out = vec![0; tables * players];
                holdem_tables(path, &boards, &holes, players, &mut out).unwrap();
                assert_eq!(out, wanted, "{} {players} {tables}", path.name());
            }
        }
    }
}

#[test]
fn omaha_tables_of_every_size() {
    let mut random = Random(13);
    for players in 1..=11 {
        for tables in [0, 1, 3, 1024 / players, 1024 / players + 1, 500] {
            let [boards, holes] = deal_tables(&mut random, tables, players, 4);
            let (mut highs, mut lows) = (Vec::new(), Vec::new());
            for (board, own) in boards.chunks(5).zip(holes.chunks(4 * players)) {
                let board = Board::new(board).unwrap();
                highs.extend(own.chunks(4).map(|hole| board.omaha(hole).unwrap()));
                let low = |hole| board.omaha_low(hole, Qualifier::EightOrBetter).unwrap();
                lows.extend(own.chunks(4).map(low));
            }
            for path in paths() {
                let (mut high, mut low) = (vec![0; highs.len()], vec![0; highs.len()]);
                omaha_tables(path, &boards, &holes, players, &mut high, None).unwrap();
                assert_eq!(high, highs, "{} {players} {tables}", path.name());
                high.fill(0);
                omaha_tables(path, &boards, &holes, players, &mut high, Some(&mut low)).unwrap();
                assert_eq!((&high, &low), (&highs, &lows), "{}", path.name());
            }
        }
    }
}

/// The row and the inner error of a refusal.
fn row(error: Error) -> (usize, Option<usize>, Error) {
    match error {
        Error::Row { row, player, error } => (row, player, *error),
        other => panic!("not a row's error: {other}"),
    }
}

#[test]
fn a_wrong_card_anywhere_is_found() {
    let mut random = Random(17);
    for count in [1, 31, 33, 64, 65, 130, 1024, 1100] {
        let sevens: Vec<u8> = (0..count).flat_map(|_| random.deal(7)).collect();
        let nines: Vec<u8> = (0..count).flat_map(|_| random.deal(9)).collect();
        for (size, right) in [(7, &sevens), (9, &nines)] {
            for _ in 0..60 {
                let (hand, place) = (random.below(count), random.below(size));
                let mut cards = right.clone();
                let other = (place + 1 + random.below(size - 1)) % size;
                let twice = random.below(2) == 0;
                let value =
                    if twice { cards[hand * size + other] } else { 52 + random.below(204) as u8 };
                cards[hand * size + place] = value;
                for path in paths() {
                    let mut out = vec![0; count];
                    let result = if size == 7 {
                        evaluate7(path, &cards, &mut out)
                    } else {
                        omaha9(path, &cards, &mut out)
                    };
                    let wanted = if twice {
                        Error::Duplicate { card: value, position: place.max(other) }
                    } else {
                        Error::OutOfRange { position: place, value: value.into() }
                    };
                    assert_eq!(row(result.unwrap_err()), (hand, None, wanted), "{}", path.name());
                }
            }
        }
    }
}

#[test]
fn a_card_that_two_players_hold_is_found() {
    let mut random = Random(19);
    for _ in 0..200 {
        let (tables, players) = (300, 2 + random.below(8));
        let [boards, holes] = deal_tables(&mut random, tables, players, 2);
        let [omaha_boards, omaha_holes] = deal_tables(&mut random, tables, players, 4);
        let table = random.below(tables);
        let player = 1 + random.below(players - 1);
        let earlier = random.below(player);
        for path in paths() {
            let mut out = vec![0; tables * players];
            let mut wrong = holes.clone();
            wrong[(table * players + player) * 2 + 1] = holes[(table * players + earlier) * 2];
            let error = holdem_tables(path, &boards, &wrong, players, &mut out).unwrap_err();
            assert_eq!(row(error).0, table, "{}", path.name());
            let mut wrong = omaha_holes.clone();
            wrong[(table * players + player) * 4 + 3] = omaha_boards[table * 5 + 2];
            let error =
                omaha_tables(path, &omaha_boards, &wrong, players, &mut out, None).unwrap_err();
            let (found, at, inner) = row(error);
            assert_eq!((found, at), (table, Some(player)), "{}", path.name());
            assert!(matches!(inner, Error::Duplicate { position: 3, .. }), "{inner}");
        }
    }
}

#[test]
fn wrong_shapes_are_refused() {
    let counted = |result: Result<(), Error>| matches!(result, Err(Error::Count { .. }));
    let cards = [0; 64];
    for path in paths() {
        assert!(counted(evaluate7(path, &cards[..13], &mut [0; 2])));
        assert!(counted(omaha9(path, &cards[..18], &mut [0; 3])));
        assert!(counted(omaha9_high_low(path, &cards[..18], &mut [0; 2], &mut [0; 1])));
        assert!(counted(holdem_tables(path, &cards[..5], &cards[..4], 0, &mut [])));
        assert!(counted(holdem_tables(path, &cards[..5], &cards[..48], 24, &mut [0; 24])));
        assert!(counted(holdem_tables(path, &cards[..6], &cards[..4], 2, &mut [0; 2])));
        assert!(counted(holdem_tables(path, &cards[..5], &cards[..6], 2, &mut [0; 2])));
        assert!(counted(holdem_tables(path, &cards[..5], &cards[..4], 2, &mut [0; 1])));
        assert!(counted(omaha_tables(
            path,
            &cards[..5],
            &cards[..8],
            2,
            &mut [0; 2],
            Some(&mut [0])
        )));
    }
}
