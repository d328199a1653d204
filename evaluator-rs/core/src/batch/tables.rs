//! Batches of tables: one board and the hole cards of several players each.

#[cfg(vector_paths)]
use super::vector;
use super::{check_rows, require, Path};
use crate::board::Board;
use crate::cards::{check_against, Error};
use crate::low::Qualifier;

/// Cards of a board.
pub(super) const BOARD: usize = 5;
/// Most players with two hole cards each that a deck deals to beside a board.
const MOST_PLAYERS: usize = 23;

/// What is asked of each player's hand.
pub(super) struct Results<'a> {
    pub(super) high: &'a mut [u16],
    pub(super) low: Option<&'a mut [u16]>,
}

/// Writes the hold'em strength of every player: `boards` are five cards a table, `holes` two cards
/// for each of its `players`, `out` one place a player.
///
/// # Errors
/// `Count` if the numbers of bytes do not fit, `Row` with table and player for a wrong card, also
/// if two players of a table hold the same one; then the results are not to be used.
///
/// # Panics
/// If the machine cannot run the path.
pub fn holdem_tables(
    path: Path,
    boards: &[u8],
    holes: &[u8],
    players: usize,
    out: &mut [u16],
) -> Result<(), Error> {
    run::<2, 7>(path, boards, holes, players, Results { high: out, low: None })
}

/// Writes the Omaha high strength of every player, with four hole cards each, as `holdem_tables`,
/// and the strength of the eight-or-better low to `low` if it is given.
///
/// # Errors
/// As `holdem_tables`.
///
/// # Panics
/// As `holdem_tables`.
pub fn omaha_tables(
    path: Path,
    boards: &[u8],
    holes: &[u8],
    players: usize,
    high: &mut [u16],
    low: Option<&mut [u16]>,
) -> Result<(), Error> {
    run::<4, 9>(path, boards, holes, players, Results { high, low })
}

fn run<const OWN: usize, const HAND: usize>(
    path: Path,
    boards: &[u8],
    holes: &[u8],
    players: usize,
    results: Results<'_>,
) -> Result<(), Error> {
    require(path);
    let most = MOST_PLAYERS * 2 / OWN;
    if players == 0 || players > most {
        return Err(Error::Count { what: "players", got: players, least: 1, most });
    }
    let tables = boards.len() / BOARD;
    check_rows(boards.len(), tables, BOARD)?;
    check_rows(holes.len(), tables.saturating_mul(players), OWN)?;
    check_rows(holes.len(), results.high.len(), OWN)?;
    if let Some(low) = &results.low {
        check_rows(holes.len(), low.len(), OWN)?;
    }
    match path {
        Path::Scalar => scalar::<OWN>(boards, holes, players, results),
        #[cfg(vector_paths)]
        _ => vector::tables::<OWN, HAND>(path, boards, holes, players, results),
        #[cfg(not(vector_paths))]
        _ => unreachable!("only the scalar path is available"),
    }
}

fn row_error(row: usize, player: Option<usize>, error: Error) -> Error {
    Error::Row { row, player, error: Box::new(error) }
}

/// Checks a table's cards against each other.
pub(super) fn check_table<const OWN: usize>(
    row: usize,
    board: &[u8],
    holes: &[u8],
) -> Result<(), Error> {
    let mut seen = check_against(0, board).map_err(|error| row_error(row, None, error))?;
    for (player, hole) in holes.chunks_exact(OWN).enumerate() {
        let wrong = |error| row_error(row, Some(player), error);
        seen = check_against(seen, hole).map_err(wrong)?;
    }
    Ok(())
}

fn scalar<const OWN: usize>(
    boards: &[u8],
    holes: &[u8],
    players: usize,
    mut results: Results<'_>,
) -> Result<(), Error> {
    let tables = boards.chunks_exact(BOARD).zip(holes.chunks_exact(OWN * players));
    for (row, (cards, holes)) in tables.enumerate() {
        check_table::<OWN>(row, cards, holes)?;
        let board = Board::new(cards).map_err(|error| row_error(row, None, error))?;
        for (player, hole) in holes.chunks_exact(OWN).enumerate() {
            let wrong = |error| row_error(row, Some(player), error);
            let place = row * players + player;
            results.high[place] =
                if OWN == 2 { board.evaluate(hole) } else { board.omaha(hole) }.map_err(wrong)?;
            if let Some(low) = &mut results.low {
                low[place] = board.omaha_low(hole, Qualifier::EightOrBetter).map_err(wrong)?;
            }
        }
    }
    Ok(())
}
