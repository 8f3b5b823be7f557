//! Points in the protocol's coordinates, and their names in the engine's notation.

use std::fmt;

/// A point of the board: column from the left and row from the top, both from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Point {
    /// The column.
    pub x: usize,
    /// The row.
    pub y: usize,
}

impl Point {
    /// Parses `X,Y`. The point may be outside the board.
    pub fn parse(text: &str) -> Option<Point> {
        let (x, y) = text.split_once(',')?;
        Some(Point { x: number(x)?, y: number(y)? })
    }

    /// Whether the point is on a board of this size.
    pub fn is_on(self, size: usize) -> bool {
        self.x < size && self.y < size
    }

    /// The point in the engine's notation, where rows count from the bottom. The point must be on the board.
    pub fn name(self, size: usize) -> String {
        format!("{}{}", char::from(b'a' + self.x as u8), size - self.y)
    }

    /// The cell of the point, counted from the top left.
    pub fn cell(self, size: usize) -> usize {
        self.y * size + self.x
    }

    /// The point of a name.
    pub fn of_name(name: &str, size: usize) -> Option<Point> {
        let x = usize::from(name.bytes().next()?.checked_sub(b'a')?);
        let row: usize = name.get(1..)?.parse().ok()?;
        (x < size && (1..=size).contains(&row)).then(|| Point { x, y: size - row })
    }

    /// The greater of the distances in columns and in rows.
    pub fn distance(self, other: Point) -> usize {
        self.x.abs_diff(other.x).max(self.y.abs_diff(other.y))
    }
}

/// Parses a number without a sign, with optional spaces around it.
fn number(text: &str) -> Option<usize> {
    let text = text.trim();
    (text.len() <= 9 && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok()).flatten()
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_count_from_the_top_here_and_from_the_bottom_there() {
        assert_eq!(Point { x: 0, y: 0 }.name(15), "a15");
        assert_eq!(Point { x: 7, y: 7 }.name(15), "h8");
        assert_eq!(Point { x: 19, y: 19 }.name(20), "t1");
        for size in 5..=22 {
            for (x, y) in [(0, 0), (1, size - 1), (size - 1, 2), (size / 2, size / 2)] {
                let point = Point { x, y };
                assert_eq!(Point::of_name(&point.name(size), size), Some(point));
            }
        }
    }

    #[test]
    fn a_point_is_two_numbers_and_a_comma() {
        assert_eq!(Point::parse("10,5"), Some(Point { x: 10, y: 5 }));
        assert_eq!(Point::parse(" 10 , 5 "), Some(Point { x: 10, y: 5 }));
        for text in ["", "10", "10,", ",5", "10;5", "-1,5", "+1,5", "a,b", "1,2,3", "99999999999999999999,1", "1.0,2"] {
            assert_eq!(Point::parse(text), None, "{text}");
        }
    }
}
