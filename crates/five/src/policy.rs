//! The rows of the net for moves: one for every window of a line around a cell, the same for a window and its mirror image.

use crate::pattern::{Halves, WALL, swap_sides};
use std::sync::LazyLock;

/// Cells of a window on either side of the middle, whatever the rule: all that can make a five with it.
pub(crate) const HALF: usize = 4;
/// The bits of half a window.
const BITS: usize = 2 * HALF;
/// The number of rows.
pub(crate) const ROWS: usize = 7381;
/// The size of a table of all windows.
const WINDOWS: usize = 1 << 14;

/// The row of every window.
pub(crate) struct LineRows {
    halves: Halves,
    /// By the numbers of the halves: the row as the first player sees the window, and as the second player does.
    rows: Box<[[u16; 2]; WINDOWS]>,
}

/// The table. A board keeps a reference, which is faster than checking whether it is initialised.
pub(crate) static LINE_ROWS: LazyLock<LineRows> = LazyLock::new(LineRows::new);

impl LineRows {
    fn new() -> LineRows {
        let halves = Halves::new(HALF);
        let number = |window: usize| {
            let (before, behind) = (window & ((1 << BITS) - 1), window >> BITS);
            usize::from(halves.numbers[0][before]) * halves.count + usize::from(halves.numbers[1][behind])
        };
        let mut row_of = vec![u16::MAX; WINDOWS];
        let mut next = 0;
        let existing: Vec<usize> = (0..1 << (2 * BITS)).filter(|&window| exists(window)).collect();
        for &window in &existing {
            let mirrored = number(mirrored(window));
            if row_of[mirrored] == u16::MAX {
                row_of[mirrored] = next;
                next += 1;
            }
            row_of[number(window)] = row_of[mirrored];
        }
        assert_eq!(usize::from(next), ROWS);
        let mut rows = Box::new([[0; 2]; WINDOWS]);
        for &window in &existing {
            rows[number(window)] = [row_of[number(window)], row_of[number(swap_sides(window))]];
        }
        LineRows { halves, rows }
    }

    /// The rows of the window around a place of a line, as the first player sees it and as the second player does.
    #[inline(always)]
    pub fn of(&self, line: u64, at: usize) -> [u16; 2] {
        let window = line >> (2 * (at - HALF));
        let (before, behind) = (window as usize % (1 << BITS), (window >> (BITS + 2)) as usize % (1 << BITS));
        let [first, second] = &self.halves.numbers;
        self.rows[(usize::from(first[before]) * self.halves.count + usize::from(second[behind])) % WINDOWS]
    }
}

/// The cell at a place of a window, without the middle.
fn cell(window: usize, place: usize) -> usize {
    window >> (2 * place) & 3
}

/// Whether the window is possible: beyond a wall there is only wall.
fn exists(window: usize) -> bool {
    let wall = |place| cell(window, place) == WALL as usize;
    (1..HALF).all(|place| !wall(place) || wall(place - 1))
        && (HALF + 1..2 * HALF).all(|place| wall(place) || !wall(place - 1))
}

/// The window from its other end.
fn mirrored(window: usize) -> usize {
    (0..2 * HALF).map(|place| cell(window, place) << (2 * (2 * HALF - 1 - place))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line with these cells around its middle.
    fn rows(cells: &str) -> [u16; 2] {
        let bits = |symbol: u8| match symbol {
            b'.' => 0,
            b'x' => 1,
            b'o' => 2,
            _ => 3,
        };
        let line = cells.bytes().enumerate().map(|(at, symbol)| bits(symbol) << (2 * at)).sum();
        LINE_ROWS.of(line, HALF)
    }

    #[test]
    fn a_window_and_its_mirror_image_have_one_row() {
        assert_eq!(rows("#.x..xo.."), rows("..ox..x.#"));
        assert_ne!(rows("#.x..xo.."), rows("#.x..x.o."));
    }

    #[test]
    fn the_players_see_each_others_rows() {
        let [first, second] = rows("..xx.o...");
        assert_eq!(rows("..oo.x..."), [second, first]);
        assert_ne!(first, second);
        let [first, second] = rows(".........");
        assert_eq!(first, second);
    }

    #[test]
    fn what_is_in_the_middle_does_not_matter() {
        assert_eq!(rows("..xx.o..."), rows("..xxoo..."));
    }
}
