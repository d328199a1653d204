//! Additive rank keys and the row displacement that makes their sums dense.

use crate::enumerator::RANKS;

/// Bits of a rank key; sums are taken modulo this power of two.
pub const KEY_BITS: u32 = 23;
/// Low bits of a key sum that select the column; the bits above select the row.
pub const COLUMN_BITS: u32 = 10;

/// An odd factor that scatters the sums over the rows. A permutation modulo a power of two keeps
/// the sums distinct, and being linear it can be applied to the keys beforehand.
const SCATTER: u32 = 0x9E37_79B1;

/// Finds one key a rank so that no two sets of seven cards have the same sum.
///
/// Each rank takes the smallest number that keeps all sums of up to seven cards of the ranks so
/// far apart. Sets of five and of six are then told apart too: add the same cards to both.
pub fn search_rank_keys() -> [u32; RANKS] {
    let mut keys = [0_u32; RANKS];
    let mut used = vec![false; 1 << KEY_BITS];
    used[0] = true;
    let mut sums: Vec<Vec<u32>> = vec![Vec::new(); 8];
    sums[0].push(0);
    for rank in 1..RANKS {
        let mut key = keys[rank - 1] + 1;
        let added = loop {
            if let Some(added) = sums_with(key, &sums, &used) {
                break added;
            }
            key += 1;
        };
        for (count, sum) in added {
            used[sum as usize] = true;
            sums[count].push(sum);
        }
        keys[rank] = key;
    }
    keys.map(|key| key.wrapping_mul(SCATTER) & ((1 << KEY_BITS) - 1))
}

/// The sums that one to four cards of `key` add, or nothing if two sums would be equal.
fn sums_with(key: u32, sums: &[Vec<u32>], used: &[bool]) -> Option<Vec<(usize, u32)>> {
    let mut added = Vec::new();
    for copies in 1..=4_u32 {
        for (count, sums) in sums.iter().enumerate().take(8 - copies as usize) {
            for &sum in sums {
                let next = sum + copies * key;
                if *used.get(next as usize)? {
                    return None;
                }
                added.push((count + copies as usize, next));
            }
        }
    }
    let mut values: Vec<u32> = added.iter().map(|&(_, sum)| sum).collect();
    values.sort_unstable();
    values.windows(2).all(|pair| pair[0] != pair[1]).then_some(added)
}

/// A displaced table: the value of a sum stands at `offsets[row] + column`.
pub struct Displaced {
    /// Where each row starts in `values`.
    pub offsets: Vec<u16>,
    /// The overlapping rows; equal values share a cell, 0 is an empty cell.
    pub values: Vec<u16>,
}

impl Displaced {
    /// Where the value of a sum stands.
    pub fn cell(&self, sum: u32) -> usize {
        let column = sum & ((1 << COLUMN_BITS) - 1);
        self.offsets[(sum >> COLUMN_BITS) as usize] as usize + column as usize
    }
}

/// Lays the rows over each other, fullest first, each at the first place where it fits.
pub fn displace(entries: &[(u32, u16)], size: usize) -> Displaced {
    let rows = 1 << (KEY_BITS - COLUMN_BITS);
    let columns = 1_usize << COLUMN_BITS;
    let mut by_row: Vec<Vec<(usize, u16)>> = vec![Vec::new(); rows];
    for &(sum, value) in entries {
        by_row[(sum >> COLUMN_BITS) as usize].push((sum as usize & (columns - 1), value));
    }
    let mut order: Vec<usize> = (0..rows).collect();
    order.sort_by_key(|&row| std::cmp::Reverse(by_row[row].len()));
    let mut offsets = vec![0_u16; rows];
    let mut values = vec![0_u16; size];
    for row in order {
        let cells = &by_row[row];
        let offset = (0..size)
            .find(|offset| {
                cells.iter().all(|&(column, value)| {
                    values.get(offset + column).is_some_and(|&taken| taken == 0 || taken == value)
                })
            })
            .expect("the table is large enough for every row");
        for &(column, value) in cells {
            values[offset + column] = value;
        }
        offsets[row] = offset as u16;
    }
    Displaced { offsets, values }
}
