//! Cells of the board, and the lines through them.
//!
//! Every board lies in a grid of 32×32 with a border of at least five wall cells on each side, so that no loop along a
//! line has to check bounds.

/// The largest board.
pub const MAX_SIZE: usize = 22;
/// The smallest board.
pub const MIN_SIZE: usize = 5;
/// Cells from one row of the grid to the next.
pub const STRIDE: usize = 32;
/// Cells of the grid.
pub const GRID: usize = STRIDE * STRIDE;
/// Rows and columns of wall before the first of the board.
pub const BORDER: usize = 5;
/// The directions of lines: along a row, along a column, rising, falling.
pub const DIRECTIONS: usize = 4;
/// The step from a cell to the next one on its line.
pub const STEPS: [i16; DIRECTIONS] = [1, 32, 33, -31];

/// [`Cell::distance`] by the difference of the indices. Distances along a row are below half a stride or count as far,
/// so the difference determines them.
static DISTANCE: [u8; 2 * GRID] = {
    const FAR: i32 = 6;
    let mut distance = [0; 2 * GRID];
    let mut index = 0;
    while index < 2 * GRID {
        let half = STRIDE as i32 / 2;
        let steps = index as i32 - GRID as i32;
        let across = (steps + half).rem_euclid(STRIDE as i32) - half;
        let up = ((steps - across) / STRIDE as i32).abs();
        let across = across.abs();
        let (large, small) = if across > up { (across, up) } else { (up, across) };
        let large = if large > FAR { FAR } else { large };
        let small = if small > FAR { FAR } else { small };
        distance[index] = (large * (large + 1) / 2 + small) as u8;
        index += 1;
    }
    distance
};

/// A cell of the grid. As a move: a stone on that cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Cell(u16);

impl Cell {
    /// The cell of a column from the left and a row from the bottom, both from 0.
    pub const fn at(x: usize, y: usize) -> Cell {
        Cell(((y + BORDER) * STRIDE + x + BORDER) as u16)
    }

    /// The cell with this index in the grid.
    #[inline(always)]
    pub(crate) const fn of_index(index: usize) -> Cell {
        Cell((index % GRID) as u16)
    }

    /// The index in the grid.
    #[inline(always)]
    pub const fn index(self) -> usize {
        // Tells the compiler that no bounds check is needed.
        self.0 as usize % GRID
    }

    /// How many distances there are.
    pub const DISTANCES: usize = 28;

    /// The distance class to another cell: a number for the larger and the smaller of the distances in columns and in
    /// rows, where all from six on are the same. `None` is the farthest.
    #[inline(always)]
    pub fn distance(self, other: Option<Cell>) -> usize {
        other.map_or(Cell::DISTANCES - 1, |other| usize::from(DISTANCE[GRID + self.index() - other.index()]))
    }

    /// The column from the left.
    pub const fn x(self) -> usize {
        self.grid_x() - BORDER
    }

    /// The row from the bottom.
    pub const fn y(self) -> usize {
        self.grid_y() - BORDER
    }

    #[inline(always)]
    pub(crate) const fn grid_x(self) -> usize {
        self.index() % STRIDE
    }

    #[inline(always)]
    pub(crate) const fn grid_y(self) -> usize {
        self.index() / STRIDE
    }

    /// The cell `count` steps along a direction.
    #[inline(always)]
    pub(crate) const fn step(self, direction: usize, count: i16) -> Cell {
        Cell(self.0.wrapping_add_signed(STEPS[direction] * count))
    }

    /// The cell at a place of a line: the inverse of [`Cell::on_line`].
    #[inline(always)]
    pub(crate) const fn on(direction: usize, line: usize, at: usize) -> Cell {
        let (x, y) = match direction {
            0 => (at, line),
            1 => (line, at),
            2 => (at, STRIDE - 1 + at - line),
            _ => (at, line - at),
        };
        Cell::of_index(y * STRIDE + x)
    }

    /// The line through this cell in a direction, and the cell's position on it.
    #[inline(always)]
    pub(crate) const fn on_line(self, direction: usize) -> LinePosition {
        let (x, y) = (self.grid_x(), self.grid_y());
        match direction {
            0 => LinePosition { line: y, at: x },
            1 => LinePosition { line: x, at: y },
            2 => LinePosition { line: STRIDE - 1 + x - y, at: x },
            _ => LinePosition { line: x + y, at: x },
        }
    }
}

impl From<Cell> for u16 {
    #[inline(always)]
    fn from(cell: Cell) -> u16 {
        cell.0
    }
}

/// A line, and a position on it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinePosition {
    pub line: usize,
    pub at: usize,
}

/// A set of cells, one word for each row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CellSet([u32; STRIDE]);

impl CellSet {
    /// No cell.
    pub const EMPTY: CellSet = CellSet([0; STRIDE]);

    /// All cells of a board.
    pub fn board(size: usize) -> CellSet {
        let mut rows = [0; STRIDE];
        rows[BORDER..BORDER + size].fill(((1 << size) - 1) << BORDER);
        CellSet(rows)
    }

    /// The set with these rows of the grid.
    pub(crate) const fn of_rows(rows: [u32; STRIDE]) -> CellSet {
        CellSet(rows)
    }

    /// A row of the grid.
    #[inline(always)]
    pub(crate) const fn row(&self, row: usize) -> u32 {
        self.0[row]
    }

    /// Adds a cell that is not in the set, or removes one that is.
    #[inline(always)]
    pub(crate) fn flip(&mut self, cell: Cell) {
        self.0[cell.grid_y()] ^= 1 << cell.grid_x();
    }

    /// The set with a cell added that was not in it, or removed that was.
    pub(crate) fn with_flipped(mut self, cell: Cell) -> CellSet {
        self.flip(cell);
        self
    }

    /// Adds a cell.
    pub(crate) fn insert(&mut self, cell: Cell) {
        self.0[cell.grid_y()] |= 1 << cell.grid_x();
    }

    /// Whether the set is empty.
    pub(crate) fn is_empty(&self) -> bool {
        self.0 == [0; STRIDE]
    }

    /// Whether the cell is in the set.
    #[inline(always)]
    pub fn contains(&self, cell: Cell) -> bool {
        self.0[cell.grid_y()] >> cell.grid_x() & 1 != 0
    }

    /// The cells, row by row from the bottom.
    #[inline(always)]
    pub fn iter(&self) -> impl Iterator<Item = Cell> + '_ {
        // Wall cells are never in a set.
        (BORDER..BORDER + MAX_SIZE).flat_map(|row| Row(self.0[row], row * STRIDE))
    }

    /// Keeps only the cells that pass.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(Cell) -> bool) {
        for row in BORDER..BORDER + MAX_SIZE {
            for cell in Row(self.0[row], row * STRIDE) {
                if !keep(cell) {
                    self.flip(cell);
                }
            }
        }
    }

    /// The number of cells.
    pub(crate) fn len(&self) -> u32 {
        self.0.iter().map(|row| row.count_ones()).sum()
    }

    /// Combines two sets row by row.
    #[inline(always)]
    fn with_each(&self, other: &CellSet, make: impl Fn(u32, u32) -> u32) -> CellSet {
        let mut rows = [0; STRIDE];
        for (made, (&row, &other)) in rows.iter_mut().zip(self.0.iter().zip(&other.0)) {
            *made = make(row, other);
        }
        CellSet(rows)
    }

    /// The cells of this set and not of the other.
    #[inline]
    pub(crate) fn without(&self, other: &CellSet) -> CellSet {
        self.with_each(other, |row, other| row & !other)
    }

    /// The cells of both sets.
    #[inline]
    pub(crate) fn and(&self, other: &CellSet) -> CellSet {
        self.with_each(other, |row, other| row & other)
    }

    /// The cells of one set and not of the other.
    #[inline]
    pub(crate) fn differences(&self, other: &CellSet) -> CellSet {
        self.with_each(other, |row, other| row ^ other)
    }

    /// The cells of either set.
    #[inline]
    pub(crate) fn or(&self, other: &CellSet) -> CellSet {
        self.with_each(other, |row, other| row | other)
    }

    /// Whether the set contains `length` cells in a row.
    pub(crate) fn has_row(&self, length: usize) -> bool {
        (BORDER..BORDER + MAX_SIZE).any(|row| {
            // One bit for each cell where a row to the right, upwards or along a diagonal may still begin.
            let [mut across, mut up, mut right, mut left] = [self.0[row]; DIRECTIONS];
            if across == 0 {
                return false;
            }
            // The border beyond the board is empty.
            for step in 1..length {
                let above = self.0.get(row + step).copied().unwrap_or(0);
                across &= self.0[row] >> step;
                up &= above;
                right &= above >> step;
                left &= above << step;
            }
            across | up | right | left != 0
        })
    }

    /// Whether the cell is in [`CellSet::around`] of this set.
    pub(crate) fn is_near(&self, cell: Cell) -> bool {
        // Seven rows of seven cells around the cell: a square of five, and the ends of lines of seven.
        const NEAR: [u32; 7] = [0b1001001, 0b0111110, 0b0111110, 0b1111111, 0b0111110, 0b0111110, 0b1001001];
        let (x, y) = (cell.grid_x() - 3, cell.grid_y() - 3);
        NEAR.iter().zip(&self.0[y..]).any(|(near, row)| row >> x & near != 0)
    }

    /// The cells at most two steps from a cell of the set, or three steps along a line.
    pub(crate) fn around(&self) -> CellSet {
        let rows = &self.0;
        let mut wide = [0; STRIDE];
        for row in 3..STRIDE - 3 {
            let square = |word: u32| word | word << 1 | word << 2 | word >> 1 | word >> 2;
            let two = rows[row - 2] | rows[row - 1] | rows[row] | rows[row + 1] | rows[row + 2];
            let three = rows[row - 3] | rows[row + 3];
            let here = rows[row];
            wide[row] = square(two) | here << 3 | here >> 3 | three | three << 3 | three >> 3;
        }
        CellSet(wide)
    }
}

/// The cells of one row.
struct Row(u32, usize);

impl Iterator for Row {
    type Item = Cell;

    #[inline(always)]
    fn next(&mut self) -> Option<Cell> {
        let column = self.0.trailing_zeros() as usize;
        (self.0 != 0).then(|| {
            self.0 &= self.0 - 1;
            Cell::of_index(self.1 + column)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_found_in_every_direction_and_up_to_the_edge() {
        let last = MAX_SIZE as i16 - 1;
        for (x, y, dx, dy) in [(last - 4, last, 1, 0), (0, last - 4, 0, 1), (last - 4, 0, 1, 1), (4, last - 4, -1, 1)] {
            let mut set = CellSet::EMPTY;
            for step in 0..5 {
                assert!(!set.has_row(5));
                assert_eq!(set.has_row(step as usize), step > 0);
                set.flip(Cell::at((x + step * dx) as usize, (y + step * dy) as usize));
            }
            assert!(set.has_row(5) && !set.has_row(6));
        }
    }
}
