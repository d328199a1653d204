//! Makes the look-up tables from the slow enumerator, once per build.

mod enumerator;
mod keys;

use enumerator::{choices, rank_lists, OffsuitCube, Ranking, RANKS};
use keys::{displace, search_rank_keys, KEY_BITS};
use std::path::PathBuf;
use std::{env, fs};

/// Cells of the displaced tables, powers of two so that an index needs a mask and no check.
const VALUE_CELLS: [(usize, usize); 3] = [(5, 1 << 14), (6, 1 << 15), (7, 1 << 16)];
/// Cells of an Omaha row: 91 pairs of hole ranks, padded to whole cache lines.
const OMAHA_ROW: usize = 96;
/// Rows of the Omaha table: combinatorial numbers of five ranks, five of one rank included.
const OMAHA_ROWS: usize = 6188;

fn main() {
    println!("cargo:rerun-if-changed=generator");
    println!("cargo:rustc-check-cfg=cfg(vector_paths)");
    let x86 = env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "x86_64");
    if x86 && env::var_os("CARGO_FEATURE_SCALAR_ONLY").is_none() {
        println!("cargo:rustc-cfg=vector_paths");
    }
    let ranking = Ranking::new();
    let cube = OffsuitCube::new(&ranking);
    let rank_keys = search_rank_keys();

    write("rank_keys.rs", format!("{rank_keys:?}").as_bytes());
    for (size, cells) in VALUE_CELLS {
        write_displaced(size, cells, &cube, &rank_keys);
    }
    write_omaha_rows(&ranking, &rank_keys);
    write_u16("flush.bin", &flush_table(&ranking));
    write_u16("sorted7.bin", &sorted_table(7, 1 << 16, &cube));
    write_u16("omaha.bin", &omaha_table(&cube));
    write_class_tables(&ranking);
    write_low_tables(&ranking);
}

fn out_path(name: &str) -> PathBuf {
    PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join(name)
}

fn write(name: &str, bytes: &[u8]) {
    fs::write(out_path(name), bytes).expect("OUT_DIR is writable");
}

/// Numbers are written in the byte order of the machine the tables are for.
fn write_u16(name: &str, values: &[u16]) {
    let big = env::var("CARGO_CFG_TARGET_ENDIAN").expect("cargo sets the target") == "big";
    let bytes: Vec<[u8; 2]> = values
        .iter()
        .map(|value| if big { value.to_be_bytes() } else { value.to_le_bytes() })
        .collect();
    write(name, &bytes.concat());
}

fn write_displaced(size: usize, cells: usize, cube: &OffsuitCube, rank_keys: &[u32; RANKS]) {
    let entries: Vec<(u32, u16)> = rank_lists(size)
        .iter()
        .map(|ranks| {
            let sum: u32 = ranks.iter().map(|&rank| rank_keys[rank as usize]).sum();
            (sum & ((1 << KEY_BITS) - 1), cube.best(ranks))
        })
        .collect();
    let table = displace(&entries, cells);
    write_u16(&format!("offsets{size}.bin"), &table.offsets);
    write_u16(&format!("values{size}.bin"), &table.values);
}

/// The Omaha row of five board ranks, in the cell where their strength stands.
fn write_omaha_rows(ranking: &Ranking, rank_keys: &[u32; RANKS]) {
    let (_, cells) = VALUE_CELLS[0];
    let entries: Vec<(u32, u16)> = ranking
        .lists()
        .map(|(ranks, strength, _)| {
            let sum: u32 = ranks.iter().map(|&rank| rank_keys[rank as usize]).sum();
            (sum & ((1 << KEY_BITS) - 1), strength)
        })
        .collect();
    let mut rows = vec![0; cells];
    let table = displace(&entries, cells);
    for ((ranks, _, _), &(sum, strength)) in ranking.lists().zip(&entries) {
        let cell = table.cell(sum);
        assert_eq!(table.values[cell], strength, "no two sets of five ranks share a cell");
        rows[cell] = combinatorial_number(ranks) as u16;
    }
    write_u16("omaha_rows.bin", &rows);
}

fn ranks_of_mask(mask: usize) -> Vec<u8> {
    (0..RANKS as u8).filter(|rank| mask >> rank & 1 == 1).collect()
}

/// Best flush or straight flush of the ranks in a 13-bit mask; 0 for fewer than five.
fn flush_table(ranking: &Ranking) -> Vec<u16> {
    (0..1_usize << RANKS)
        .map(|mask| {
            choices(&ranks_of_mask(mask), 5)
                .iter()
                .filter_map(|five| ranking.suited(five))
                .max()
                .unwrap_or(0)
        })
        .collect()
}

fn binomial(n: usize, k: usize) -> usize {
    (0..k).fold(1, |product, step| product * n.saturating_sub(step) / (step + 1))
}

/// The combinatorial number of ranks in ascending order: dense over all such lists.
fn combinatorial_number(ranks: &[u8]) -> usize {
    ranks.iter().enumerate().map(|(place, &rank)| binomial(rank as usize + place, place + 1)).sum()
}

fn sorted_table(size: usize, cells: usize, cube: &OffsuitCube) -> Vec<u16> {
    let mut table = vec![0; cells];
    for ranks in rank_lists(size) {
        table[combinatorial_number(&ranks)] = cube.best(&ranks);
    }
    table
}

/// Best value of a pair of hole ranks with three of five board ranks, suits aside.
fn omaha_table(cube: &OffsuitCube) -> Vec<u16> {
    let mut table = vec![0; OMAHA_ROWS * OMAHA_ROW];
    for board in rank_lists(5) {
        let row = combinatorial_number(&board) * OMAHA_ROW;
        let triples = choices(&board, 3);
        for high in 0..RANKS as u8 {
            for low in 0..=high {
                let cell = row + combinatorial_number(&[low, high]);
                table[cell] = cube.best_with(&triples, [low, high]);
            }
        }
    }
    table
}

/// What is asked of a strength: how many cards of each rank, and the low.
fn write_class_tables(ranking: &Ranking) {
    let classes = 7463;
    let mut counts = vec![0_u64; classes];
    let mut low_of_high = vec![0_u16; classes];
    for (ranks, strength, low) in ranking.lists() {
        counts[strength as usize] = ranks.iter().map(|&rank| 1_u64 << (4 * rank)).sum();
        low_of_high[strength as usize] = low;
    }
    for (ranks, strength) in ranking.suited_lists() {
        counts[strength as usize] = ranks.iter().map(|&rank| 1_u64 << (4 * rank)).sum();
    }
    let mut low_counts = vec![0_u64; 6176];
    for (ranks, _, low) in ranking.lists() {
        low_counts[low as usize] = ranks.iter().map(|&rank| 1_u64 << (4 * rank)).sum();
    }
    write("counts.bin", &to_bytes(&counts));
    write("low_counts.bin", &to_bytes(&low_counts));
    write_u16("low_of_high.bin", &low_of_high);
}

fn to_bytes(values: &[u64]) -> Vec<u8> {
    let big = env::var("CARGO_CFG_TARGET_ENDIAN").expect("cargo sets the target") == "big";
    values
        .iter()
        .flat_map(|value| if big { value.to_be_bytes() } else { value.to_le_bytes() })
        .collect()
}

/// Ranks of a low mask: bit 0 is the ace, bit 1 the deuce.
fn ranks_of_low_mask(mask: usize) -> Vec<u8> {
    (0..RANKS as u8).filter(|rank| mask >> ((rank + 1) % 13) & 1 == 1).collect()
}

fn best_low(ranking: &Ranking, hands: impl Iterator<Item = Vec<u8>>) -> u16 {
    hands.filter_map(|five| ranking.low(&five)).max().unwrap_or(0)
}

/// Lows of different ranks by mask, and the eight-or-better low of board and hole masks.
fn write_low_tables(ranking: &Ranking) {
    let distinct: Vec<u16> = (0..1_usize << RANKS)
        .map(|mask| best_low(ranking, choices(&ranks_of_low_mask(mask), 5).into_iter()))
        .collect();
    let mut omaha_low = vec![0_u8; 1 << 16];
    for hole in 0..256_usize {
        let pairs = choices(&ranks_of_low_mask(hole), 2);
        for board in 0..256_usize {
            let triples = choices(&ranks_of_low_mask(board), 3);
            let hands = pairs.iter().flat_map(|pair| {
                triples.iter().map(move |three| [pair.clone(), three.clone()].concat())
            });
            let different =
                hands.filter(|five| (1..5).all(|place| !five[..place].contains(&five[place])));
            let best = best_low(ranking, different);
            // The 56 lows of five different ranks up to eight are the top of the scale.
            omaha_low[hole << 8 | board] = best.saturating_sub(6175 - 56) as u8;
        }
    }
    write_u16("low_distinct.bin", &distinct);
    write("omaha_low.bin", &omaha_low);
}
