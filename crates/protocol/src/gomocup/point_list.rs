//! A list of points, read line by line until `DONE`.

use super::command::List;
use super::game::Owner;
use super::point::Point;
use crate::lines::quote;

/// The number of points of the largest board.
const MOST: usize = 22 * 22;

/// A list of points that is being read.
pub struct PointList {
    /// The command it follows.
    pub kind: List,
    stones: Vec<(Point, Option<Owner>)>,
    /// The first error.
    error: Option<String>,
}

impl PointList {
    /// An empty list.
    pub fn new(kind: List) -> PointList {
        PointList { kind, stones: Vec::new(), error: None }
    }

    /// Reads a line. The first error is reported by [`PointList::finish`].
    pub fn read(&mut self, line: &str) {
        let owned = matches!(self.kind, List::Board | List::Position);
        match stone(line, owned) {
            Some(_) if self.stones.len() >= MOST => {
                self.error.get_or_insert_with(|| "there are more points than on any board".into());
            }
            Some(stone) => self.stones.push(stone),
            None => {
                let form = if owned { "X,Y,1 or X,Y,2" } else { "X,Y" };
                let text = || format!("a line of {} is {form}, not `{}`", self.kind.word(), quote(line));
                self.error.get_or_insert_with(text);
            }
        }
    }

    /// The points, or the first error.
    pub fn finish(self) -> Result<Vec<(Point, Option<Owner>)>, String> {
        self.error.map_or(Ok(self.stones), Err)
    }
}

/// Parses `X,Y,owner`, or `X,Y` if the list has no owners.
fn stone(line: &str, owned: bool) -> Option<(Point, Option<Owner>)> {
    let (point, owner) = match line.match_indices(',').nth(1) {
        Some((comma, _)) => (&line[..comma], Some(line[comma + 1..].trim())),
        None => (line, None),
    };
    let owner = match owner {
        Some("1") => Some(Owner::Own),
        Some("2") => Some(Owner::Opponent),
        Some("3") => Some(Owner::Nobody),
        None if !owned => None,
        _ => return None,
    };
    Some((Point::parse(point)?, owner))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(list: List, lines: &str) -> Result<Vec<(Point, Option<Owner>)>, String> {
        let mut points = PointList::new(list);
        lines.lines().for_each(|line| points.read(line));
        points.finish()
    }

    #[test]
    fn stones_have_owners_where_they_matter() {
        let at = |x, y| Point { x, y };
        let board = read(List::Board, "7,7,1\n8, 8 , 2\n0,14,3").unwrap();
        assert_eq!(
            board,
            [(at(7, 7), Some(Owner::Own)), (at(8, 8), Some(Owner::Opponent)), (at(0, 14), Some(Owner::Nobody))]
        );
        assert_eq!(read(List::Swap2, "7,7\n8,8,2").unwrap(), [(at(7, 7), None), (at(8, 8), Some(Owner::Opponent))]);
    }

    #[test]
    fn the_first_mistake_is_told() {
        assert_eq!(read(List::Board, "7,7\n8,8,9").unwrap_err(), "a line of BOARD is X,Y,1 or X,Y,2, not `7,7`");
        assert_eq!(read(List::Block, "1,1\n8").unwrap_err(), "a line of YXBLOCK is X,Y, not `8`");
        assert!(read(List::Board, "7,7,1,1").is_err());
        assert!(read(List::Board, &"1,1,1\n".repeat(485)).unwrap_err().contains("more points"));
    }
}
