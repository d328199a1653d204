//! The AVX-512 path: 64 hands at a time.

use super::lanes::{lane_steps, low_bit, suit_counter, term};
use super::nines::Block9;
use super::sevens::Block7;
use super::tables::Column;
use super::BLOCK;
use crate::tables::{OMAHA, OMAHA_ROW};
use std::arch::x86_64::*;

/// One byte of each of 64 hands.
type Lanes = __m512i;
/// Hands in a register.
const LANES: usize = 64;

/// Tables of 64 bytes, each indexed by a card.
#[repr(align(64))]
struct CardTable([u8; 64]);

/// Positions of one column's bytes in the rows, modulo 256.
#[repr(align(64))]
struct Positions([u8; 64]);

const fn positions(row_bytes: usize, column: usize) -> Positions {
    let mut places = [0; 64];
    let mut lane = 0;
    while lane < 64 {
        places[lane] = (lane * row_bytes + column) as u8;
        lane += 1;
    }
    Positions(places)
}

/// Lanes whose byte of the column lies in 128-byte part `part` of the rows.
const fn lanes_in_part(row_bytes: usize, column: usize, part: usize) -> u64 {
    let mut lanes = 0;
    let mut lane = 0;
    while lane < 64 {
        if (lane * row_bytes + column) / 128 == part {
            lanes |= 1 << lane;
        }
        lane += 1;
    }
    lanes
}

const fn all_positions<const ROW: usize>() -> [Positions; ROW] {
    let mut all = [const { Positions([0; 64]) }; ROW];
    let mut column = 0;
    while column < ROW {
        all[column] = positions(ROW, column);
        column += 1;
    }
    all
}

const fn all_parts<const ROW: usize>() -> [[u64; 5]; ROW] {
    let mut all = [[0; 5]; ROW];
    let mut column = 0;
    while column < ROW {
        let mut part = 0;
        while part < 5 {
            all[column][part] = lanes_in_part(ROW, column, part);
            part += 1;
        }
        column += 1;
    }
    all
}

static POSITIONS7: [Positions; 7] = all_positions();
static PARTS7: [[u64; 5]; 7] = all_parts();
static POSITIONS9: [Positions; 9] = all_positions();
static PARTS9: [[u64; 5]; 9] = all_parts();

/// Low and high bytes of the terms of sorted place 0 to 6, by card.
static TERM_LOW: [CardTable; 7] = term_tables(0);
static TERM_HIGH: [CardTable; 7] = term_tables(8);

const fn term_tables(shift: u32) -> [CardTable; 7] {
    let mut tables = [const { CardTable([0; 64]) }; 7];
    let mut place = 0;
    while place < 7 {
        let mut card = 0;
        while card < 52 {
            tables[place].0[card] = (term(place, card / 4) >> shift) as u8;
            card += 1;
        }
        place += 1;
    }
    tables
}

/// Counters of clubs and diamonds, and of hearts and spades; a shuffle uses bits 0 to 3 of a card.
static SUITS_LOW: CardTable = suit_table(0);
static SUITS_HIGH: CardTable = suit_table(2);

const fn suit_table(first: usize) -> CardTable {
    let mut table = CardTable([0; 64]);
    let mut card = 0;
    while card < 64 {
        table.0[card] = suit_counter(first, card % 4);
        card += 1;
    }
    table
}

/// Ranks by card; 0 for what is no card.
static RANKS: CardTable = card_table(CardValue::Rank);
/// Combinatorial number of two equal ranks less the lower one: `rank (rank + 1) / 2`, by card.
static PAIR_TERM: CardTable = card_table(CardValue::PairTerm);
/// Bit of the rank in a low mask, by card.
static LOW_BITS: CardTable = card_table(CardValue::LowBit);

enum CardValue {
    Rank,
    PairTerm,
    LowBit,
}

const fn card_table(value: CardValue) -> CardTable {
    let mut table = CardTable([0; 64]);
    let mut card = 0;
    while card < 52 {
        table.0[card] = match value {
            CardValue::Rank => (card / 4) as u8,
            CardValue::PairTerm => term(1, card / 4) as u8,
            CardValue::LowBit => low_bit(card / 4),
        };
        card += 1;
    }
    table
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn min(a: Lanes, b: Lanes) -> Lanes {
    _mm512_min_epu8(a, b)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn max(a: Lanes, b: Lanes) -> Lanes {
    _mm512_max_epu8(a, b)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn xor(a: Lanes, b: Lanes) -> Lanes {
    _mm512_xor_si512(a, b)
}

lane_steps!("avx512f", "avx512bw", "avx512vbmi");

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn load(bytes: &[u8; 64]) -> Lanes {
    // SAFETY: the reference is to 64 readable bytes and the load needs no alignment.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

/// The seven cards of 64 hands, a column a card.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn columns7(rows: &[u8; 448]) -> [Lanes; 7] {
    let mut parts = [_mm512_setzero_si512(); 7];
    for (part, bytes) in parts.iter_mut().zip(rows.as_chunks::<64>().0) {
        *part = load(bytes);
    }
    let mut columns = parts;
    for (column, lanes) in columns.iter_mut().enumerate() {
        let places = load(&POSITIONS7[column].0);
        let [first, second, third, fourth, _] = PARTS7[column];
        let a = _mm512_maskz_permutex2var_epi8(first, parts[0], places, parts[1]);
        let b = _mm512_maskz_permutex2var_epi8(second, parts[2], places, parts[3]);
        let c = _mm512_maskz_permutex2var_epi8(third, parts[4], places, parts[5]);
        let d = _mm512_maskz_permutexvar_epi8(fourth, places, parts[6]);
        *lanes = _mm512_or_si512(_mm512_ternarylogic_epi64::<0xFE>(a, b, c), d);
    }
    columns
}

/// The nine cards of 64 hands, a column a card.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn columns9(rows: &[u8; 576]) -> [Lanes; 9] {
    let mut parts = [_mm512_setzero_si512(); 9];
    for (part, bytes) in parts.iter_mut().zip(rows.as_chunks::<64>().0) {
        *part = load(bytes);
    }
    let mut columns = parts;
    for (column, lanes) in columns.iter_mut().enumerate() {
        let places = load(&POSITIONS9[column].0);
        let [first, second, third, fourth, fifth] = PARTS9[column];
        let a = _mm512_maskz_permutex2var_epi8(first, parts[0], places, parts[1]);
        let b = _mm512_maskz_permutex2var_epi8(second, parts[2], places, parts[3]);
        let c = _mm512_maskz_permutex2var_epi8(third, parts[4], places, parts[5]);
        let d = _mm512_maskz_permutex2var_epi8(fourth, parts[6], places, parts[7]);
        let e = _mm512_maskz_permutexvar_epi8(fifth, places, parts[8]);
        let front = _mm512_ternarylogic_epi64::<0xFE>(a, b, c);
        *lanes = _mm512_ternarylogic_epi64::<0xFE>(front, d, e);
    }
    columns
}

/// Sums of the suit counters of the cards, from `start` on: clubs and diamonds, hearts and spades.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn suit_counts(columns: &[Lanes], start: u8) -> [Lanes; 2] {
    let tables = [load(&SUITS_LOW.0), load(&SUITS_HIGH.0)];
    let mut counts = [_mm512_set1_epi8(start as i8); 2];
    for &cards in columns {
        for (count, table) in counts.iter_mut().zip(tables) {
            *count = _mm512_add_epi8(*count, _mm512_shuffle_epi8(table, cards));
        }
    }
    counts
}

/// Combinatorial numbers of sorted cards: for lanes 0-7 of each 16, then for lanes 8-15.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn numbers(sorted: &[Lanes]) -> [Lanes; 2] {
    let zero = _mm512_setzero_si512();
    let first = _mm512_permutexvar_epi8(sorted[0], load(&TERM_LOW[0].0));
    let second = _mm512_permutexvar_epi8(sorted[1], load(&TERM_LOW[1].0));
    // At most 12 + 78: the first two places need no high byte.
    let both = _mm512_add_epi8(first, second);
    let mut sums = [_mm512_unpacklo_epi8(both, zero), _mm512_unpackhi_epi8(both, zero)];
    for (place, &cards) in sorted.iter().enumerate().skip(2) {
        let low = _mm512_permutexvar_epi8(cards, load(&TERM_LOW[place].0));
        let high = _mm512_permutexvar_epi8(cards, load(&TERM_HIGH[place].0));
        sums[0] = _mm512_add_epi16(sums[0], _mm512_unpacklo_epi8(low, high));
        sums[1] = _mm512_add_epi16(sums[1], _mm512_unpackhi_epi8(low, high));
    }
    sums
}

/// Stores 64 numbers that unpacking left in two registers in the order of the lanes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn store_numbers(sums: [Lanes; 2], out: &mut [u16; LANES]) {
    let first = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
    let second = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
    let low = _mm512_permutex2var_epi64(sums[0], first, sums[1]);
    let high = _mm512_permutex2var_epi64(sums[0], second, sums[1]);
    let (front, back) = out.split_at_mut(32);
    // SAFETY: each half is 64 writable bytes and the store needs no alignment.
    unsafe {
        _mm512_storeu_si512(front.as_mut_ptr().cast(), low);
        _mm512_storeu_si512(back.as_mut_ptr().cast(), high);
    }
}

/// Finds the index and the flushes of up to a block of hands; false if any card is wrong.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx2,popcnt")]
pub(super) fn index7(cards: &[u8], block: &mut Block7) -> bool {
    let mut wrong = 0;
    let (groups, rest) = cards.as_chunks::<{ 7 * LANES }>();
    let indices = block.index.as_chunks_mut::<LANES>().0;
    for (place, rows) in groups.iter().enumerate() {
        wrong |= group7(columns7(rows), &mut indices[place], &mut block.flush[place]);
    }
    if !rest.is_empty() {
        let mut rows = super::avx2::FILLER7;
        rows[..rest.len()].copy_from_slice(rest);
        let place = groups.len();
        wrong |= group7(columns7(&rows), &mut indices[place], &mut block.flush[place]);
    }
    let used = cards.len().div_ceil(7 * LANES);
    block.flush[used..].fill(0);
    wrong == 0
}

/// As `index7`, for hands that are already in columns; `groups` of 64 are handled.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx2,popcnt")]
pub(super) fn index7_columns(columns: &[Column; 7], groups: usize, block: &mut Block7) -> bool {
    let mut wrong = 0;
    block.flush.fill(0);
    let indices = block.index.as_chunks_mut::<LANES>().0.iter_mut();
    for (place, (index, flush)) in indices.zip(&mut block.flush).enumerate().take(groups) {
        let mut lanes = [_mm512_setzero_si512(); 7];
        for (lane, column) in lanes.iter_mut().zip(columns) {
            *lane = load(&column.as_chunks::<LANES>().0[place]);
        }
        wrong |= group7(lanes, index, flush);
    }
    wrong == 0
}

/// Handles 64 hands; returns the lanes whose cards are wrong.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn group7(mut columns: [Lanes; 7], index: &mut [u16; LANES], flush: &mut u64) -> u64 {
    let [low, high] = suit_counts(&columns, 0x33);
    let flags = _mm512_set1_epi8(0x88_u8 as i8);
    *flush = _mm512_test_epi8_mask(_mm512_or_si512(low, high), flags);
    sort7(&mut columns);
    store_numbers(numbers(&columns), index);
    let twice = neighbours(&columns);
    let beyond = _mm512_cmpgt_epu8_mask(columns[6], _mm512_set1_epi8(51));
    beyond | _mm512_testn_epi8_mask(twice, twice)
}

/// Finds rows, pairs, low masks and flushes of up to a block of hands; false if any card is wrong.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx2,popcnt")]
pub(super) fn index9(cards: &[u8], with_low: bool, block: &mut Block9) -> bool {
    let mut wrong = 0;
    let (groups, rest) = cards.as_chunks::<{ 9 * LANES }>();
    for (place, rows) in groups.iter().enumerate() {
        wrong |= group9(columns9(rows), place, with_low, block);
    }
    if !rest.is_empty() {
        let mut rows = super::avx2::FILLER9;
        rows[..rest.len()].copy_from_slice(rest);
        wrong |= group9(columns9(&rows), groups.len(), with_low, block);
    }
    let used = cards.len().div_ceil(9 * LANES);
    block.flush[used..].fill(0);
    wrong == 0
}

/// Values by card of a table, for all lanes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn by_card(table: &CardTable, cards: Lanes) -> Lanes {
    _mm512_permutexvar_epi8(cards, load(&table.0))
}

/// Or of a table's bits over the cards.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn low_mask(columns: &[Lanes]) -> Lanes {
    let mut mask = by_card(&LOW_BITS, columns[0]);
    for &cards in &columns[1..] {
        mask = _mm512_or_si512(mask, by_card(&LOW_BITS, cards));
    }
    mask
}

/// As `index9`, for hands that are already in columns; `groups` of 64 are handled.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx2,popcnt")]
pub(super) fn index9_columns(
    columns: &[Column; 9],
    groups: usize,
    with_low: bool,
    block: &mut Block9,
) -> bool {
    let mut wrong = 0;
    block.flush.fill(0);
    for place in 0..groups {
        let mut lanes = [_mm512_setzero_si512(); 9];
        for (lane, column) in lanes.iter_mut().zip(columns) {
            *lane = load(&column.as_chunks::<LANES>().0[place]);
        }
        wrong |= group9(lanes, place, with_low, block);
    }
    wrong == 0
}

/// Handles 64 hands; returns the lanes whose cards are wrong.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn group9(columns: [Lanes; 9], place: usize, with_low: bool, block: &mut Block9) -> u64 {
    let [a, b, c, d, e, f, g, h, i] = columns;
    let (mut board, mut hole) = ([a, b, c, d, e], [f, g, h, i]);
    let [board_low, board_high] = suit_counts(&board, 0x55);
    let [hole_low, hole_high] = suit_counts(&hole, 0x66);
    let both = _mm512_or_si512(
        _mm512_and_si512(board_low, hole_low),
        _mm512_and_si512(board_high, hole_high),
    );
    block.flush[place] = _mm512_test_epi8_mask(both, _mm512_set1_epi8(0x88_u8 as i8));
    if with_low {
        let (own, shared) = (low_mask(&hole), low_mask(&board));
        let masks = [_mm512_unpacklo_epi8(shared, own), _mm512_unpackhi_epi8(shared, own)];
        store_numbers(masks, &mut block.low.as_chunks_mut::<LANES>().0[place]);
    }
    sort5(&mut board);
    sort4(&mut hole);
    store_numbers(numbers(&board), &mut block.row.as_chunks_mut::<LANES>().0[place]);
    let pairs = [(1, 0), (2, 0), (2, 1), (3, 0), (3, 1), (3, 2)];
    for ((high, low), out) in pairs.into_iter().zip(&mut block.pairs) {
        let pair = _mm512_add_epi8(by_card(&PAIR_TERM, hole[high]), by_card(&RANKS, hole[low]));
        let out = &mut out.as_chunks_mut::<LANES>().0[place];
        // SAFETY: the reference is to 64 writable bytes and the store needs no alignment.
        unsafe { _mm512_storeu_si512(out.as_mut_ptr().cast(), pair) };
    }
    let mut twice = min(neighbours(&board), neighbours(&hole));
    for own in hole {
        for shared in board {
            twice = min(twice, xor(own, shared));
        }
    }
    let beyond = _mm512_cmpgt_epu8_mask(max(board[4], hole[3]), _mm512_set1_epi8(51));
    beyond | _mm512_testn_epi8_mask(twice, twice)
}

/// The places of the pairs of 64 hands, eight bytes a hand, two of the pairs twice.
///
/// Register `i` holds hands 2i and 2i + 1 of every 16 in each of its four quarters.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn pairs_by_hand(pairs: &[[u8; BLOCK]; 6], group: usize) -> [Lanes; 8] {
    let column = |pair: usize| match pairs[pair][64 * group..].first_chunk() {
        Some(bytes) => load(bytes),
        None => _mm512_setzero_si512(),
    };
    let [a, b, c, d, e, f] = [column(0), column(1), column(2), column(3), column(4), column(5)];
    let spread = |ab: Lanes, cd: Lanes, ef: Lanes| {
        let (front, back) = (_mm512_unpacklo_epi16(ab, cd), _mm512_unpackhi_epi16(ab, cd));
        let (rest, more) = (_mm512_unpacklo_epi16(ef, ab), _mm512_unpackhi_epi16(ef, ab));
        [
            _mm512_unpacklo_epi32(front, rest),
            _mm512_unpackhi_epi32(front, rest),
            _mm512_unpacklo_epi32(back, more),
            _mm512_unpackhi_epi32(back, more),
        ]
    };
    let [h0, h1, h2, h3] =
        spread(_mm512_unpacklo_epi8(a, b), _mm512_unpacklo_epi8(c, d), _mm512_unpacklo_epi8(e, f));
    let [h4, h5, h6, h7] =
        spread(_mm512_unpackhi_epi8(a, b), _mm512_unpackhi_epi8(c, d), _mm512_unpackhi_epi8(e, f));
    [h0, h1, h2, h3, h4, h5, h6, h7]
}

/// The highest of the row's values at eight places.
///
/// The row stays in registers: one permutation of them looks up all places, which takes half the
/// time of six loads a hand.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx2")]
fn highest(row: &[u16; OMAHA_ROW], places: &[u8; 8]) -> u16 {
    let parts = row.as_chunks::<32>().0;
    let wide = _mm_cvtepu8_epi16(_mm_cvtsi64_si128(i64::from_le_bytes(*places)));
    let index = _mm512_zextsi128_si512(wide);
    let below = _mm512_permutex2var_epi16(load_numbers(&parts[0]), index, load_numbers(&parts[1]));
    let above = _mm512_test_epi16_mask(index, _mm512_set1_epi16(64));
    let values = _mm512_mask_permutexvar_epi16(below, above, index, load_numbers(&parts[2]));
    // There is an instruction for the lowest of eight numbers, none for the highest.
    let inverted = _mm_xor_si128(_mm512_castsi512_si128(values), _mm_set1_epi8(-1));
    !_mm_cvtsi128_si32(_mm_minpos_epu16(inverted)) as u16
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn load_numbers(numbers: &[u16; 32]) -> Lanes {
    // SAFETY: the reference is to 64 readable bytes and the load needs no alignment.
    unsafe { _mm512_loadu_si512(numbers.as_ptr().cast()) }
}

/// Looks up the best pair of each hand of the block, suits aside.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx2,popcnt")]
pub(super) fn look_up_high(block: &Block9, strengths: &mut [u16]) {
    let mut group_strengths = [0; LANES];
    for (group, out) in strengths.chunks_mut(LANES).enumerate().take(BLOCK / LANES) {
        let mut places = [[0_u8; 8]; LANES];
        let registers = pairs_by_hand(&block.pairs, group);
        for (eight, register) in places.as_chunks_mut::<8>().0.iter_mut().zip(registers) {
            // SAFETY: the reference is to 64 writable bytes and the store needs no alignment.
            unsafe { _mm512_storeu_si512(eight.as_mut_ptr().cast(), register) };
        }
        let rows = &block.row.as_chunks::<LANES>().0[group];
        for register in 0..8 {
            for quarter in 0..4 {
                for half in 0..2 {
                    let hand = 16 * quarter + 2 * register + half;
                    let row = &OMAHA.0[rows[hand] as usize];
                    group_strengths[hand] =
                        highest(row, &places[8 * register + 2 * quarter + half]);
                }
            }
        }
        out.copy_from_slice(&group_strengths[..out.len()]);
    }
}
