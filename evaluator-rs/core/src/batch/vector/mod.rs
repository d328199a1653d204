//! The vector paths.
//!
//! They sort the cards of 32 or 64 hands at a time, one card of every hand to a register. The
//! combinatorial number of seven sorted ranks is the index of their strength, so that one look-up
//! a hand remains; sorted cards also show duplicates as neighbours. Whatever bytes come in, every
//! index stays inside its table, and each block is checked before its results count.

mod avx2;
mod avx512;
mod lanes;
mod nines;
mod sevens;
mod tables;

use super::Path;
use crate::cards::{check, Error};
use std::arch::x86_64::{_mm_prefetch, _MM_HINT_T0};

pub(super) use nines::nines;
pub(super) use sevens::sevens;
pub(super) use tables::tables;

/// Hands of a block: its indices and results stay in the first-level cache.
const BLOCK: usize = 1024;

/// Asks for the memory of the next block, to be there when its turn comes.
#[inline(always)]
fn fetch_ahead(bytes: &[u8], count: usize) {
    for line in bytes[..count.min(bytes.len())].chunks(64) {
        // SAFETY: a prefetch is a hint; the address is that of a live reference.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(line.as_ptr().cast()) };
    }
}

/// The first wrong row of a block in which the kernel has found one.
#[cold]
fn row_error(cards: &[u8], row_bytes: usize, first_row: usize) -> Error {
    let found = cards
        .chunks_exact(row_bytes)
        .enumerate()
        .find_map(|(row, hand)| check(hand).err().map(|error| (row, error)));
    // The kernel and the check agree on what a card is: the memory holds other cards by now.
    found.map_or(Error::Changed, |(row, error)| Error::Row {
        row: first_row + row,
        player: None,
        error: Box::new(error),
    })
}
