//! The tables that the build script made, embedded as constants.

use std::mem::transmute;

/// A table on a cache line boundary.
#[repr(C, align(64))]
pub(crate) struct Aligned<T>(pub(crate) T);

macro_rules! table {
    ($(#[$doc:meta])* $name:ident: [$kind:ty; $len:expr] = $file:literal) => {
        $(#[$doc])*
        pub(crate) static $name: Aligned<[$kind; $len]> = Aligned(
            // SAFETY: `transmute` checks the sizes at compile time, every bit pattern is a valid
            // integer, and the build script wrote the target's byte order.
            unsafe {
                transmute::<[u8; size_of::<[$kind; $len]>()], [$kind; $len]>(*include_bytes!(
                    concat!(env!("OUT_DIR"), "/", $file)
                ))
            },
        );
    };
}

/// Bits of a sum of rank keys.
pub(crate) const KEY_BITS: u32 = 23;
/// Low bits of a sum of rank keys that select the column of a displaced table.
pub(crate) const COLUMN_BITS: u32 = 10;
const ROWS: usize = 1 << (KEY_BITS - COLUMN_BITS);
/// Cells of a row of the Omaha table.
pub(crate) const OMAHA_ROW: usize = 96;
/// Rows of the Omaha table.
pub(crate) const OMAHA_ROWS: usize = 6188;

const RANK_KEYS: [u32; 13] = include!(concat!(env!("OUT_DIR"), "/rank_keys.rs"));

table! {
    /// Row offsets for sets of five cards.
    OFFSETS5: [u16; ROWS] = "offsets5.bin"
}
table! {
    /// Strengths of sets of five cards, suits aside.
    VALUES5: [u16; 1 << 14] = "values5.bin"
}
table! {
    /// Row offsets for sets of six cards.
    OFFSETS6: [u16; ROWS] = "offsets6.bin"
}
table! {
    /// Strengths of sets of six cards, suits aside.
    VALUES6: [u16; 1 << 15] = "values6.bin"
}
table! {
    /// Row offsets for sets of seven cards.
    OFFSETS7: [u16; ROWS] = "offsets7.bin"
}
table! {
    /// Strengths of sets of seven cards, suits aside.
    VALUES7: [u16; 1 << 16] = "values7.bin"
}
table! {
    /// Flush strength by the 13-bit mask of the ranks in the suit.
    FLUSH: [u16; 1 << 13] = "flush.bin"
}
#[cfg(vector_paths)]
table! {
    /// Strength of seven sorted ranks by their combinatorial number, suits aside.
    SORTED7: [u16; 1 << 16] = "sorted7.bin"
}
table! {
    /// By combinatorial number of the board's ranks, then of the hole pair's: the best strength
    /// of that pair with three board cards, suits aside.
    OMAHA: [[u16; OMAHA_ROW]; OMAHA_ROWS] = "omaha.bin"
}
table! {
    /// By strength: how many cards of each rank the five are, four bits a rank.
    COUNTS: [u64; 7463] = "counts.bin"
}
table! {
    /// By low strength: how many cards of each rank the five are, four bits a rank.
    LOW_COUNTS: [u64; 6176] = "low_counts.bin"
}
table! {
    /// By high strength of five cards not all suited: their low strength.
    LOW_OF_HIGH: [u16; 7463] = "low_of_high.bin"
}
table! {
    /// The row of the Omaha table of five board ranks, in the cell where `VALUES5` has their
    /// strength.
    OMAHA_ROWS5: [u16; 1 << 14] = "omaha_rows.bin"
}
table! {
    /// Low strength of the lowest five ranks of a low mask (bit 0 the ace); 0 for fewer.
    LOW_DISTINCT: [u16; 1 << 13] = "low_distinct.bin"
}
/// By low masks up to the eight, hole << 8 | board: the place of the best low of two and three
/// cards among the 56 that qualify, 56 the best, 0 for none.
pub(crate) static OMAHA_LOW: Aligned<[u8; 1 << 16]> =
    Aligned(*include_bytes!(concat!(env!("OUT_DIR"), "/omaha_low.bin")));

/// By card, 0 beyond the deck: rank key in the top bits, suit counter in the low 16.
pub(crate) static CARD_KEYS: Aligned<[u64; 256]> = Aligned(card_keys());

/// By card, 0 beyond the deck: bit 16 x suit + rank.
pub(crate) static CARD_BITS: Aligned<[u64; 256]> = Aligned(card_bits());

/// Bits above which the rank key of an accumulated sum stands.
pub(crate) const KEY_SHIFT: u32 = 64 - KEY_BITS;

const fn card_keys() -> [u64; 256] {
    let mut keys = [0; 256];
    let mut card = 0;
    while card < 52 {
        keys[card] = ((RANK_KEYS[card / 4] as u64) << KEY_SHIFT) | 1 << (4 * (card % 4));
        card += 1;
    }
    keys
}

const fn card_bits() -> [u64; 256] {
    let mut bits = [0; 256];
    let mut card = 0;
    while card < 52 {
        bits[card] = 1 << (16 * (card % 4) + card / 4);
        card += 1;
    }
    bits
}

/// By `high rank x 16 + low rank` in either order: combinatorial number of a pair of ranks.
pub(crate) static PAIR: Aligned<[u8; 256]> = Aligned(pairs());

const fn pairs() -> [u8; 256] {
    let mut table = [0; 256];
    let mut cell = 0;
    while cell < 256 {
        let (a, b) = (cell / 16, cell % 16);
        if a < 13 && b < 13 {
            let (high, low) = if a > b { (a, b) } else { (b, a) };
            table[cell] = (high * (high + 1) / 2 + low) as u8;
        }
        cell += 1;
    }
    table
}

/// Sizes of all tables together, in bytes.
pub const TABLE_BYTES: usize = 3 * ROWS * 2
    + ((1 << 14) + (1 << 15) + (1 << 16)) * 2
    + (1 << 13) * 2
    + (1 << 16) * 2
    + OMAHA_ROWS * OMAHA_ROW * 2
    + (1 << 14) * 2
    + 7463 * (8 + 2)
    + 6176 * 8
    + (1 << 13) * 2
    + (1 << 16)
    + 256 * 8 * 2
    + 256;
