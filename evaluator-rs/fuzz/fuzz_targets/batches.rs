//! Any bytes as batches: every path gives the same strengths or the same refusal.

#![no_main]

use evaluator_core::batch::{
    evaluate7, holdem_tables, omaha9, omaha9_high_low, omaha_tables, Path,
};
use evaluator_core::Error;
use libfuzzer_sys::fuzz_target;

/// Rows of different cards, with the bytes of `data` written over some of them.
fn rows(data: &[u8], width: usize, count: usize) -> Vec<u8> {
    let mut rows: Vec<u8> = (0..count * width)
        .map(|place| ((place / width) * 7 % 52 + place % width) as u8 % 52)
        .collect();
    let step = 1 + data.first().map_or(0, |&byte| usize::from(byte)) * 3;
    for (place, &byte) in data.iter().enumerate().skip(1) {
        if let Some(cell) = rows.get_mut(place * step) {
            *cell = if byte < 192 { byte % 52 } else { byte };
        }
    }
    rows
}

/// What every path makes of the same input.
fn agree<T: PartialEq + std::fmt::Debug>(run: impl Fn(Path) -> Result<T, Error>) {
    let plain = run(Path::Scalar);
    for path in Path::ALL.into_iter().filter(|path| path.is_available()) {
        assert_eq!(run(path), plain, "{}", path.name());
    }
}

fuzz_target!(|data: &[u8]| {
    let [count, players, ref bytes @ ..] = *data else { return };
    let count = usize::from(count);
    let sevens = rows(bytes, 7, count);
    agree(|path| {
        let mut out = vec![0; count];
        evaluate7(path, &sevens, &mut out).map(|()| out)
    });
    let nines = rows(bytes, 9, count);
    agree(|path| {
        let mut out = vec![0; count];
        omaha9(path, &nines, &mut out).map(|()| out)
    });
    agree(|path| {
        let (mut high, mut low) = (vec![0; count], vec![0; count]);
        omaha9_high_low(path, &nines, &mut high, &mut low).map(|()| (high, low))
    });
    let players = usize::from(players) % 12;
    let dealt = rows(bytes, 5 + 4 * players, count);
    let tables = || dealt.chunks(5 + 4 * players);
    let boards: Vec<u8> = tables().flat_map(|table| &table[..5]).copied().collect();
    for own in [2, 4] {
        let part = 5..5 + own * players;
        let holes: Vec<u8> = tables().flat_map(|table| &table[part.clone()]).copied().collect();
        agree(|path| {
            let (mut high, mut low) = (vec![0; count * players], vec![0; count * players]);
            let result = if own == 2 {
                holdem_tables(path, &boards, &holes, players, &mut high)
            } else {
                omaha_tables(path, &boards, &holes, players, &mut high, Some(&mut low))
            };
            result.map(|()| (high, low))
        });
    }
});
