//! The AVX2 path: 32 hands at a time.

use super::lanes::{lane_steps, low_bit, suit_counter, term};
use super::nines::Block9;
use super::sevens::Block7;
use super::tables::Column;
use std::arch::x86_64::*;

/// One byte of each of 32 hands.
type Lanes = __m256i;
/// Hands in a register.
const LANES: usize = 32;

/// Rows of right hands that fill up the last group of a block, for up to 64 hands.
pub(super) const FILLER7: [u8; 448] = filler::<448>(7);
/// The same with nine cards a row.
pub(super) const FILLER9: [u8; 576] = filler::<576>(9);

/// Rows of the first `row_bytes` cards of the deck.
pub(super) const fn filler<const N: usize>(row_bytes: usize) -> [u8; N] {
    let mut rows = [0; N];
    let mut place = 0;
    while place < N {
        rows[place] = (place % row_bytes) as u8;
        place += 1;
    }
    rows
}

/// A table of 16 bytes for a shuffle.
#[repr(align(16))]
struct Nibbles([u8; 16]);

/// Low and high bytes of the terms of sorted place 0 to 6, by rank.
static TERM_LOW: [Nibbles; 7] = term_tables(0);
static TERM_HIGH: [Nibbles; 7] = term_tables(8);

const fn term_tables(shift: u32) -> [Nibbles; 7] {
    let mut tables = [const { Nibbles([0; 16]) }; 7];
    let mut place = 0;
    while place < 7 {
        let mut rank = 0;
        while rank < 13 {
            tables[place].0[rank] = (term(place, rank) >> shift) as u8;
            rank += 1;
        }
        place += 1;
    }
    tables
}

/// Counters of clubs and diamonds, and of hearts and spades, by bits 0 to 3 of a card.
static SUITS_LOW: Nibbles = suit_table(0);
static SUITS_HIGH: Nibbles = suit_table(2);

const fn suit_table(first: usize) -> Nibbles {
    let mut table = Nibbles([0; 16]);
    let mut card = 0;
    while card < 16 {
        table.0[card] = suit_counter(first, card % 4);
        card += 1;
    }
    table
}

/// Numbers 0 to 12 by rank; 0 for what is no rank.
static RANKS: Nibbles = rank_table(RankValue::Rank);
/// Combinatorial number of two equal ranks less the lower one: `rank (rank + 1) / 2`, by rank.
static PAIR_TERM: Nibbles = rank_table(RankValue::PairTerm);
/// Bit of the rank in a low mask, by rank.
static LOW_BITS: Nibbles = rank_table(RankValue::LowBit);

enum RankValue {
    Rank,
    PairTerm,
    LowBit,
}

const fn rank_table(value: RankValue) -> Nibbles {
    let mut table = Nibbles([0; 16]);
    let mut rank = 0;
    while rank < 13 {
        table.0[rank] = match value {
            RankValue::Rank => rank as u8,
            RankValue::PairTerm => term(1, rank) as u8,
            RankValue::LowBit => low_bit(rank),
        };
        rank += 1;
    }
    table
}

#[inline]
#[target_feature(enable = "avx2")]
fn min(a: Lanes, b: Lanes) -> Lanes {
    _mm256_min_epu8(a, b)
}

#[inline]
#[target_feature(enable = "avx2")]
fn max(a: Lanes, b: Lanes) -> Lanes {
    _mm256_max_epu8(a, b)
}

#[inline]
#[target_feature(enable = "avx2")]
fn xor(a: Lanes, b: Lanes) -> Lanes {
    _mm256_xor_si256(a, b)
}

lane_steps!("avx2");

#[inline]
#[target_feature(enable = "avx2")]
fn table(nibbles: &Nibbles) -> Lanes {
    // SAFETY: the reference is to 16 readable bytes and the load needs no alignment.
    _mm256_broadcastsi128_si256(unsafe { _mm_loadu_si128(nibbles.0.as_ptr().cast()) })
}

#[inline]
#[target_feature(enable = "avx2")]
fn load(bytes: &[u8; 16]) -> __m128i {
    // SAFETY: the reference is to 16 readable bytes and the load needs no alignment.
    unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_lanes(bytes: &[u8; 32]) -> Lanes {
    // SAFETY: the reference is to 32 readable bytes and the load needs no alignment.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

/// Shuffle that spreads two rows of seven bytes to eight bytes each; the eighth is zero.
const SPREAD7: Nibbles = spread7(0);
/// The same where the rows start two bytes in, so that no load reaches beyond the group.
const SPREAD7_LATE: Nibbles = spread7(2);

const fn spread7(start: u8) -> Nibbles {
    let mut places = Nibbles([0x80; 16]);
    let mut byte = 0;
    while byte < 7 {
        places.0[byte as usize] = start + byte;
        places.0[byte as usize + 8] = start + byte + 7;
        byte += 1;
    }
    places
}

/// Sixteen bytes of a group from `start` on.
#[inline]
#[target_feature(enable = "avx2")]
fn part<const N: usize>(rows: &[u8; N], start: usize) -> __m128i {
    match rows[start..].first_chunk() {
        Some(bytes) => load(bytes),
        None => _mm_setzero_si128(),
    }
}

/// Eight columns of 32 hands, one byte a hand in order, from eight-byte rows: register `i` holds
/// hands 2i and 2i + 1 in its lower half, 2i + 16 and 2i + 17 in its upper half.
///
/// A round interleaves each register with the one four on. That turns the number made of
/// register, byte and half by one bit; after four rounds hand and column have changed places.
#[inline]
#[target_feature(enable = "avx2")]
fn transpose(mut rows: [Lanes; 8]) -> [Lanes; 8] {
    for _ in 0..4 {
        let mut next = rows;
        for pair in 0..4 {
            next[2 * pair] = _mm256_unpacklo_epi8(rows[pair], rows[pair + 4]);
            next[2 * pair + 1] = _mm256_unpackhi_epi8(rows[pair], rows[pair + 4]);
        }
        rows = next;
    }
    rows
}

/// The seven cards of 32 hands, a column a card.
#[inline]
#[target_feature(enable = "avx2")]
fn columns7(rows: &[u8; 224]) -> [Lanes; 7] {
    let spread = table(&SPREAD7);
    let late = _mm256_inserti128_si256::<1>(spread, load(&SPREAD7_LATE.0));
    let mut registers = [spread; 8];
    for (pair, register) in registers.iter_mut().enumerate() {
        let start = 14 * pair;
        // The last two rows are loaded from two bytes before them: the group ends with them.
        let (upper, shuffle) = if pair == 7 { (208, late) } else { (start + 112, spread) };
        let both = _mm256_inserti128_si256::<1>(
            _mm256_castsi128_si256(part(rows, start)),
            part(rows, upper),
        );
        *register = _mm256_shuffle_epi8(both, shuffle);
    }
    let [a, b, c, d, e, f, g, _] = transpose(registers);
    [a, b, c, d, e, f, g]
}

/// Sums of the suit counters of the cards, from `start` on: clubs and diamonds, hearts and spades.
#[inline]
#[target_feature(enable = "avx2")]
fn suit_counts(columns: &[Lanes], start: u8) -> [Lanes; 2] {
    let tables = [table(&SUITS_LOW), table(&SUITS_HIGH)];
    let mut counts = [_mm256_set1_epi8(start as i8); 2];
    for &cards in columns {
        for (count, suits) in counts.iter_mut().zip(tables) {
            *count = _mm256_add_epi8(*count, _mm256_shuffle_epi8(suits, cards));
        }
    }
    counts
}

/// Ranks of cards; for bytes that are no cards a number whose low four bits are any.
#[inline]
#[target_feature(enable = "avx2")]
fn ranks(cards: Lanes) -> Lanes {
    _mm256_and_si256(_mm256_srli_epi16::<2>(cards), _mm256_set1_epi8(0x3F))
}

/// Combinatorial numbers of sorted cards: for lanes 0-7 of each 16, then for lanes 8-15.
#[inline]
#[target_feature(enable = "avx2")]
fn numbers(sorted: &[Lanes]) -> [Lanes; 2] {
    let zero = _mm256_setzero_si256();
    let first = _mm256_shuffle_epi8(table(&TERM_LOW[0]), ranks(sorted[0]));
    let second = _mm256_shuffle_epi8(table(&TERM_LOW[1]), ranks(sorted[1]));
    // At most 12 + 78: the first two places need no high byte.
    let both = _mm256_add_epi8(first, second);
    let mut sums = [_mm256_unpacklo_epi8(both, zero), _mm256_unpackhi_epi8(both, zero)];
    for (place, &cards) in sorted.iter().enumerate().skip(2) {
        let rank = ranks(cards);
        let low = _mm256_shuffle_epi8(table(&TERM_LOW[place]), rank);
        let high = _mm256_shuffle_epi8(table(&TERM_HIGH[place]), rank);
        sums[0] = _mm256_add_epi16(sums[0], _mm256_unpacklo_epi8(low, high));
        sums[1] = _mm256_add_epi16(sums[1], _mm256_unpackhi_epi8(low, high));
    }
    sums
}

/// Stores 32 numbers that unpacking left in two registers in the order of the lanes.
#[inline]
#[target_feature(enable = "avx2")]
fn store_numbers(sums: [Lanes; 2], out: &mut [u16; LANES]) {
    let low = _mm256_permute2x128_si256::<0x20>(sums[0], sums[1]);
    let high = _mm256_permute2x128_si256::<0x31>(sums[0], sums[1]);
    let (front, back) = out.split_at_mut(16);
    // SAFETY: each half is 32 writable bytes and the store needs no alignment.
    unsafe {
        _mm256_storeu_si256(front.as_mut_ptr().cast(), low);
        _mm256_storeu_si256(back.as_mut_ptr().cast(), high);
    }
}

/// Finds the index and the flushes of up to a block of hands; false if any card is wrong.
#[target_feature(enable = "avx2,popcnt")]
pub(super) fn index7(cards: &[u8], block: &mut Block7) -> bool {
    let mut wrong = 0;
    let (groups, rest) = cards.as_chunks::<{ 7 * LANES }>();
    let indices = block.index.as_chunks_mut::<LANES>().0;
    block.flush.fill(0);
    let mut group = |place: usize, rows: &[u8; 224]| {
        let (flush, bad) = group7(columns7(rows), &mut indices[place]);
        block.flush[place / 2] |= u64::from(flush) << (32 * (place % 2));
        wrong |= bad;
    };
    for (place, rows) in groups.iter().enumerate() {
        group(place, rows);
    }
    if !rest.is_empty() {
        let mut rows = *FILLER7.first_chunk().unwrap_or(&[0; 224]);
        rows[..rest.len()].copy_from_slice(rest);
        group(groups.len(), &rows);
    }
    wrong == 0
}

/// As `index7`, for hands that are already in columns; `groups` of 64 are handled.
#[target_feature(enable = "avx2,popcnt")]
pub(super) fn index7_columns(columns: &[Column; 7], groups: usize, block: &mut Block7) -> bool {
    let mut wrong = 0;
    block.flush.fill(0);
    let indices = block.index.as_chunks_mut::<LANES>().0.iter_mut();
    for (place, index) in indices.enumerate().take(2 * groups) {
        let mut lanes = [_mm256_setzero_si256(); 7];
        for (lane, column) in lanes.iter_mut().zip(columns) {
            *lane = load_lanes(&column.as_chunks::<LANES>().0[place]);
        }
        let (flush, bad) = group7(lanes, index);
        block.flush[place / 2] |= u64::from(flush) << (32 * (place % 2));
        wrong |= bad;
    }
    wrong == 0
}

/// Handles 32 hands; returns the lanes with flushes and the lanes whose cards are wrong.
#[inline]
#[target_feature(enable = "avx2")]
fn group7(mut columns: [Lanes; 7], index: &mut [u16; LANES]) -> (u32, u32) {
    let [low, high] = suit_counts(&columns, 0x33);
    let flags = _mm256_or_si256(low, high);
    // Bit 3 of each byte moves to bit 7, where the mask is taken from.
    let either = _mm256_or_si256(flags, _mm256_slli_epi16::<4>(flags));
    let flush = _mm256_movemask_epi8(either) as u32;
    sort7(&mut columns);
    store_numbers(numbers(&columns), index);
    let twice = _mm256_cmpeq_epi8(neighbours(&columns), _mm256_setzero_si256());
    let last = _mm256_set1_epi8(51);
    let right = _mm256_cmpeq_epi8(max(columns[6], last), last);
    let bad = _mm256_movemask_epi8(twice) | !_mm256_movemask_epi8(right);
    (flush, bad as u32)
}

/// The nine cards of 32 hands, a column a card.
#[inline]
#[target_feature(enable = "avx2")]
fn columns9(rows: &[u8; 288]) -> [Lanes; 9] {
    let (hands, _) = rows.as_chunks::<9>();
    let first_eight = |hand: usize| {
        let [a, b, c, d, e, f, g, h, _] = hands[hand];
        i64::from_le_bytes([a, b, c, d, e, f, g, h])
    };
    let mut registers = [_mm256_setzero_si256(); 8];
    for (pair, register) in registers.iter_mut().enumerate() {
        *register = _mm256_set_epi64x(
            first_eight(2 * pair + 17),
            first_eight(2 * pair + 16),
            first_eight(2 * pair + 1),
            first_eight(2 * pair),
        );
    }
    let [a, b, c, d, e, f, g, h] = transpose(registers);
    let mut last = [0; 32];
    for (card, hand) in last.iter_mut().zip(hands) {
        *card = hand[8];
    }
    [a, b, c, d, e, f, g, h, load_lanes(&last)]
}

/// Finds rows, pairs, low masks and flushes of up to a block of hands; false if any card is wrong.
#[target_feature(enable = "avx2,popcnt")]
pub(super) fn index9(cards: &[u8], with_low: bool, block: &mut Block9) -> bool {
    let mut wrong = 0;
    let (groups, rest) = cards.as_chunks::<{ 9 * LANES }>();
    block.flush.fill(0);
    for (place, rows) in groups.iter().enumerate() {
        wrong |= group9(columns9(rows), place, with_low, block);
    }
    if !rest.is_empty() {
        let mut rows = *FILLER9.first_chunk().unwrap_or(&[0; 288]);
        rows[..rest.len()].copy_from_slice(rest);
        wrong |= group9(columns9(&rows), groups.len(), with_low, block);
    }
    wrong == 0
}

/// Values by rank of a table, for all lanes.
#[inline]
#[target_feature(enable = "avx2")]
fn by_rank(nibbles: &Nibbles, cards: Lanes) -> Lanes {
    _mm256_shuffle_epi8(table(nibbles), ranks(cards))
}

/// Or of a table's bits over the cards.
#[inline]
#[target_feature(enable = "avx2")]
fn low_mask(columns: &[Lanes]) -> Lanes {
    let mut mask = by_rank(&LOW_BITS, columns[0]);
    for &cards in &columns[1..] {
        mask = _mm256_or_si256(mask, by_rank(&LOW_BITS, cards));
    }
    mask
}

/// As `index9`, for hands that are already in columns; `groups` of 64 are handled.
#[target_feature(enable = "avx2,popcnt")]
pub(super) fn index9_columns(
    columns: &[Column; 9],
    groups: usize,
    with_low: bool,
    block: &mut Block9,
) -> bool {
    let mut wrong = 0;
    block.flush.fill(0);
    for place in 0..2 * groups {
        let mut lanes = [_mm256_setzero_si256(); 9];
        for (lane, column) in lanes.iter_mut().zip(columns) {
            *lane = load_lanes(&column.as_chunks::<LANES>().0[place]);
        }
        wrong |= group9(lanes, place, with_low, block);
    }
    wrong == 0
}

/// Handles 32 hands; returns the lanes whose cards are wrong.
#[inline]
#[target_feature(enable = "avx2")]
fn group9(columns: [Lanes; 9], place: usize, with_low: bool, block: &mut Block9) -> u32 {
    let [a, b, c, d, e, f, g, h, i] = columns;
    let (mut board, mut hole) = ([a, b, c, d, e], [f, g, h, i]);
    let [board_low, board_high] = suit_counts(&board, 0x55);
    let [hole_low, hole_high] = suit_counts(&hole, 0x66);
    let both = _mm256_or_si256(
        _mm256_and_si256(board_low, hole_low),
        _mm256_and_si256(board_high, hole_high),
    );
    // Bit 3 of each byte moves to bit 7, where the mask is taken from.
    let either = _mm256_or_si256(both, _mm256_slli_epi16::<4>(both));
    let flush = _mm256_movemask_epi8(either) as u32;
    block.flush[place / 2] |= u64::from(flush) << (32 * (place % 2));
    if with_low {
        let (own, shared) = (low_mask(&hole), low_mask(&board));
        let masks = [_mm256_unpacklo_epi8(shared, own), _mm256_unpackhi_epi8(shared, own)];
        store_numbers(masks, &mut block.low.as_chunks_mut::<LANES>().0[place]);
    }
    sort5(&mut board);
    sort4(&mut hole);
    store_numbers(numbers(&board), &mut block.row.as_chunks_mut::<LANES>().0[place]);
    let pairs = [(1, 0), (2, 0), (2, 1), (3, 0), (3, 1), (3, 2)];
    for ((high, low), out) in pairs.into_iter().zip(&mut block.pairs) {
        let pair = _mm256_add_epi8(by_rank(&PAIR_TERM, hole[high]), by_rank(&RANKS, hole[low]));
        let out = &mut out.as_chunks_mut::<LANES>().0[place];
        // SAFETY: the reference is to 32 writable bytes and the store needs no alignment.
        unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), pair) };
    }
    let mut twice = min(neighbours(&board), neighbours(&hole));
    for own in hole {
        for shared in board {
            twice = min(twice, xor(own, shared));
        }
    }
    let last = _mm256_set1_epi8(51);
    let right = _mm256_cmpeq_epi8(max(max(board[4], hole[3]), last), last);
    let same = _mm256_cmpeq_epi8(twice, _mm256_setzero_si256());
    (_mm256_movemask_epi8(same) | !_mm256_movemask_epi8(right)) as u32
}
