//! Blocks of whole tables.

use super::{avx2, avx512, nines, sevens, Path, BLOCK};
use crate::batch::tables::{check_table, Results, BOARD};
use crate::cards::Error;
use std::arch::x86_64::*;

/// A column of cards with room for a fill that runs over its end.
pub(super) type Column = [u8; BLOCK + FILL];

/// Bytes that one fill writes: as many as there can be players, and a whole number of words.
const FILL: usize = 24;

/// Whether the cards of a table differ: as many bits as cards. What is beyond the deck the kernels
/// find.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn all_differ(board: &[u8; BOARD], holes: &[u8]) -> bool {
    let (fours, rest) = holes.as_chunks::<4>();
    let mut set = board.iter().chain(rest).fold(0_u64, |set, card| set | 1_u64 << (card & 63));
    let one = _mm256_set1_epi64x(1);
    let mut sets = _mm256_setzero_si256();
    for four in fours {
        let cards = _mm256_cvtepu8_epi64(_mm_cvtsi32_si128(i32::from_le_bytes(*four)));
        sets = _mm256_or_si256(sets, _mm256_sllv_epi64(one, cards));
    }
    let halves = _mm_or_si128(_mm256_castsi256_si128(sets), _mm256_extracti128_si256::<1>(sets));
    set |= (_mm_cvtsi128_si64(halves) | _mm_extract_epi64::<1>(halves)) as u64;
    set.count_ones() as usize == BOARD + holes.len()
}

/// Puts the cards of whole tables into columns, one byte a player; false if any is wrong.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn fill_columns<const OWN: usize, const HAND: usize>(
    boards: &[[u8; BOARD]],
    holes: &[[u8; OWN]],
    players: usize,
    columns: &mut [Column; HAND],
) -> bool {
    let mut right = true;
    for (table, board) in boards.iter().enumerate() {
        let first = table * players;
        right &= all_differ(board, holes[first..first + players].as_flattened());
        for (column, &card) in columns.iter_mut().zip(board) {
            // A fill of fixed size runs into the next table's places, which are written after.
            if let Some(places) = column[first..].first_chunk_mut::<FILL>() {
                *places = [card; FILL];
            }
        }
    }
    for (own, column) in columns[BOARD..].iter_mut().enumerate() {
        for (card, hole) in column.iter_mut().zip(holes) {
            *card = hole[own];
        }
    }
    // The last fill ran into lanes without a player: they take right cards again.
    let end = boards.len() * players;
    for (card, column) in columns.iter_mut().enumerate() {
        if let Some(fill) = column[end..].first_chunk_mut::<FILL>() {
            *fill = [card as u8; FILL];
        }
    }
    right
}

/// Writes the strengths of every player; the machine has the path and the lengths fit.
pub(in crate::batch) fn tables<const OWN: usize, const HAND: usize>(
    path: Path,
    boards: &[u8],
    holes: &[u8],
    players: usize,
    mut results: Results<'_>,
) -> Result<(), Error> {
    let per_block = BLOCK / players;
    let boards = boards.as_chunks::<BOARD>().0;
    let holes = holes.as_chunks::<OWN>().0;
    // Lanes beyond the players hold right cards: a column's number is a card like any.
    let mut columns = [[0_u8; BLOCK + FILL]; HAND];
    for (card, column) in columns.iter_mut().enumerate() {
        column.fill(card as u8);
    }
    let mut kernel = Kernel::new(OWN);
    let blocks = boards.chunks(per_block).zip(holes.chunks(per_block * players));
    for (place, (boards, holes)) in blocks.enumerate() {
        // SAFETY: `require` has made sure that the machine has the features.
        let right = unsafe { fill_columns::<OWN, HAND>(boards, holes, players, &mut columns) };
        let start = place * per_block * players;
        let strengths = &mut results.high[start..start + holes.len()];
        let low = results.low.as_deref_mut().map(|low| &mut low[start..start + holes.len()]);
        if !(right && kernel.run(path, columns.as_slice(), strengths, low)) {
            let first = place * per_block;
            for (table, (board, own)) in boards.iter().zip(holes.chunks(players)).enumerate() {
                check_table::<OWN>(first + table, board, own.as_flattened())?;
            }
            // The kernel and the check agree on what a card is: the memory holds others by now.
            return Err(Error::Changed);
        }
    }
    Ok(())
}

/// The block of one of the two games.
#[allow(clippy::large_enum_variant)]
enum Kernel {
    Holdem(sevens::Block7),
    Omaha(nines::Block9),
}

impl Kernel {
    fn new(own: usize) -> Self {
        if own == 2 {
            Kernel::Holdem(sevens::Block7::new())
        } else {
            Kernel::Omaha(nines::Block9::new())
        }
    }

    /// Evaluates the hands in the columns; false if any card is wrong.
    fn run(
        &mut self,
        path: Path,
        columns: &[Column],
        strengths: &mut [u16],
        low: Option<&mut [u16]>,
    ) -> bool {
        let groups = strengths.len().div_ceil(64);
        match self {
            Kernel::Holdem(block) => {
                let columns = columns.first_chunk::<7>().expect("seven columns are filled");
                let right = match path {
                    // SAFETY: `require` has made sure that the machine has the features.
                    Path::Avx512 => unsafe { avx512::index7_columns(columns, groups, block) },
                    // SAFETY: as above.
                    _ => unsafe { avx2::index7_columns(columns, groups, block) },
                };
                sevens::look_up(block, strengths, |hand| {
                    sevens::flush7(&columns.each_ref().map(|column| column[hand]))
                });
                right
            }
            Kernel::Omaha(block) => {
                let columns = columns.first_chunk::<9>().expect("nine columns are filled");
                let with_low = low.is_some();
                let right = match path {
                    // SAFETY: `require` has made sure that the machine has the features.
                    Path::Avx512 => unsafe {
                        avx512::index9_columns(columns, groups, with_low, block)
                    },
                    // SAFETY: as above.
                    _ => unsafe { avx2::index9_columns(columns, groups, with_low, block) },
                };
                nines::finish(path, block, strengths, |hand| {
                    let card = |column: usize| columns[column][hand];
                    let board = [card(0), card(1), card(2), card(3), card(4)];
                    (board, [card(5), card(6), card(7), card(8)])
                });
                if let Some(low) = low {
                    nines::look_up_low(block, low);
                }
                right
            }
        }
    }
}
