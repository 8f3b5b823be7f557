//! The game in progress, in the protocol's coordinates.

use super::point::Point;
use polyply_engine::look::{CAPTURED, Wishes};
use polyply_engine::{Board, EngineError, PositionSpec, Side, Variant};
use std::collections::BTreeSet;

/// Who a stone of `BOARD` belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owner {
    /// The engine.
    Own,
    /// Its opponent.
    Opponent,
    /// Nobody: a stone of a continuous game that was won already. It only blocks its point.
    Nobody,
}

/// A game: the engine's board, and points that are blocked without a stone on them.
#[derive(Clone)]
pub struct GomocupGame {
    board: Board,
    size: usize,
    walls: BTreeSet<Point>,
}

impl GomocupGame {
    /// The empty board.
    pub fn new(variant: &Variant, size: usize) -> Result<GomocupGame, String> {
        Ok(GomocupGame { board: Board::new(variant), size, walls: BTreeSet::new() })
    }

    /// A game with these pieces on the board.
    fn set_up(
        variant: &Variant,
        size: usize,
        pieces: &[Option<&str>],
        side: Side,
        wishes: &Wishes,
    ) -> Result<GomocupGame, String> {
        let text = variant.arranged(pieces, side, wishes).map_err(reason)?;
        let board = Board::at(variant, &PositionSpec { position: Some(text), moves: Vec::new() }).map_err(reason)?;
        Ok(GomocupGame { board, size, walls: BTreeSet::new() })
    }

    /// The position of a `BOARD`. The engine is to move, whatever the numbers of stones.
    pub fn from_stones(
        variant: &Variant,
        size: usize,
        stones: &[(Point, Owner)],
        captured: [u8; 2],
    ) -> Result<GomocupGame, String> {
        let side = engine_side(stones, captured);
        let mut pieces = vec![None; size * size];
        let mut walls = BTreeSet::new();
        for &(point, owner) in stones {
            if !point.is_on(size) {
                return Err(outside(point, size));
            }
            let piece = &mut pieces[point.cell(size)];
            if piece.is_some() || walls.contains(&point) {
                return Err(format!("there are two stones on {point}"));
            }
            match owner {
                Owner::Own => *piece = Some(stone(side)),
                Owner::Opponent => *piece = Some(stone(side.other())),
                Owner::Nobody => drop(walls.insert(point)),
            }
        }
        let wishes = CAPTURED.into_iter().zip(captured).map(|(key, stones)| (key.to_owned(), stones.to_string()));
        let game = GomocupGame::set_up(variant, size, &pieces, side, &wishes.collect())?;
        Ok(GomocupGame { walls, ..game })
    }

    /// The same position under other rules.
    pub fn with_rules(&self, variant: &Variant) -> Result<GomocupGame, String> {
        let game = GomocupGame::set_up(variant, self.size, &self.board.pieces(), self.side(), &self.unseen())?;
        Ok(GomocupGame { walls: self.walls.clone(), ..game })
    }

    /// The engine's board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Rows and columns.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The variant.
    pub fn variant(&self) -> &Variant {
        self.board.variant()
    }

    /// The side to move.
    pub fn side(&self) -> Side {
        self.board.side()
    }

    /// Nobody has played yet.
    pub fn is_empty(&self) -> bool {
        self.board.pieces().iter().all(Option::is_none)
    }

    /// The stones on the board.
    pub fn stones(&self) -> Vec<Point> {
        let pieces = self.board.pieces();
        let taken = pieces.iter().enumerate().filter(|(_, piece)| piece.is_some());
        taken.map(|(cell, _)| Point { x: cell % self.size, y: cell / self.size }).collect()
    }

    /// The parts of the position that the pieces do not show.
    fn unseen(&self) -> Wishes {
        self.board.unseen().into_iter().map(|unseen| (unseen.key.to_owned(), unseen.value)).collect()
    }

    /// Fails with a message if the game is over.
    pub fn check_ongoing(&self) -> Result<(), String> {
        self.board.outcome().map_or(Ok(()), |outcome| Err(format!("the game is over: {outcome}")))
    }

    /// The legal points without those in `blocked`.
    pub fn free(&self, blocked: &BTreeSet<Point>) -> Vec<Point> {
        let legal = self.board.legal_moves();
        let legal = legal.iter().filter_map(|name| Point::of_name(name, self.size));
        legal.filter(|point| !self.walls.contains(point) && !blocked.contains(point)).collect()
    }

    /// The moves to search. An empty list means all moves, so it is an error if no move is left.
    pub fn search_moves(&self, blocked: &BTreeSet<Point>) -> Result<Vec<String>, String> {
        if blocked.is_empty() && self.walls.is_empty() {
            return Ok(Vec::new());
        }
        let free = self.free(blocked);
        if free.is_empty() {
            return Err("there is no point left to play".into());
        }
        Ok(free.into_iter().map(|point| point.name(self.size)).collect())
    }

    /// Plays a stone of the side to move.
    pub fn play(&mut self, point: Point) -> Result<(), String> {
        if !point.is_on(self.size) {
            return Err(outside(point, self.size));
        }
        self.check_ongoing()?;
        if self.walls.contains(&point) || self.board.pieces()[point.cell(self.size)].is_some() {
            return Err(format!("there is a stone on {point} already"));
        }
        self.board.play(&point.name(self.size)).map_err(|error| format!("{point} can't be played: {}", reason(error)))
    }

    /// Removes a stone; its owner is to move. If it was the last move, the stones it captured come back.
    pub fn take_back(&mut self, point: Point) -> Result<(), String> {
        let mut pieces = self.board.pieces();
        let owner =
            Some(point).filter(|point| point.is_on(self.size)).and_then(|point| pieces[point.cell(self.size)].take());
        let owner = owner.ok_or_else(|| format!("there is no stone on {point}"))?;
        let last = self.board.moves().last().and_then(|name| Point::of_name(name, self.size));
        if last == Some(point) && self.board.undo() {
            return Ok(());
        }
        let side = if owner == stone(Side::First) { Side::First } else { Side::Second };
        self.board = GomocupGame::set_up(self.variant(), self.size, &pieces, side, &self.unseen())?.board;
        Ok(())
    }
}

/// The piece code of a stone.
const fn stone(side: Side) -> &'static str {
    match side {
        Side::First => "x",
        Side::Second => "o",
    }
}

fn outside(point: Point, size: usize) -> String {
    format!("{point} is outside the board, which goes from 0,0 to {0},{0}", size - 1)
}

/// The reason alone: the manager knows which move or position it sent.
fn reason(error: EngineError) -> String {
    match error {
        EngineError::Position { reason, .. } | EngineError::Move { reason, .. } => reason.to_string(),
        error => error.to_string(),
    }
}

/// The engine's side. The engine is to move, so it is the first player if both have made the same number of moves, and
/// the second player if it has made one move less. If neither fits, the side with fewer stones is the second player.
fn engine_side(stones: &[(Point, Owner)], [first, second]: [u8; 2]) -> Side {
    let count = |owner| stones.iter().filter(|stone| stone.1 == owner).count();
    let (own, opposing) = (count(Owner::Own), count(Owner::Opponent));
    let (first, second) = (usize::from(first), usize::from(second));
    if own + second == opposing + first {
        Side::First
    } else if own + first + 1 == opposing + second || own < opposing {
        Side::Second
    } else {
        Side::First
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(variant: &str) -> GomocupGame {
        let variant = Variant::find(variant).unwrap();
        GomocupGame::new(&variant, 15).unwrap()
    }

    fn at(x: usize, y: usize) -> Point {
        Point { x, y }
    }

    fn stones(stones: &[(usize, usize, Owner)]) -> Vec<(Point, Owner)> {
        stones.iter().map(|&(x, y, owner)| (at(x, y), owner)).collect()
    }

    fn board(list: &[(usize, usize, Owner)]) -> Result<GomocupGame, String> {
        GomocupGame::from_stones(&Variant::find("freestyle:15").unwrap(), 15, &stones(list), [0; 2])
    }

    use Owner::{Nobody, Opponent, Own};

    #[test]
    fn a_stone_goes_where_the_protocol_says() {
        let mut game = game("freestyle:15");
        game.play(at(0, 0)).unwrap();
        game.play(at(14, 1)).unwrap();
        assert_eq!(game.board.text().split('/').take(2).collect::<Vec<_>>(), ["x14", "14o"]);
        assert_eq!(game.stones(), [at(0, 0), at(14, 1)]);
    }

    #[test]
    fn what_can_not_be_played_is_refused() {
        let mut game = game("freestyle:15");
        game.play(at(7, 7)).unwrap();
        assert!(game.play(at(7, 7)).unwrap_err().contains("a stone on 7,7"));
        assert!(game.play(at(15, 7)).unwrap_err().contains("outside"));
        assert_eq!(game.stones(), [at(7, 7)]);
    }

    #[test]
    fn the_brain_is_to_move_after_a_board() {
        assert_eq!(board(&[]).unwrap().side(), Side::First);
        assert_eq!(board(&[(7, 7, Opponent)]).unwrap().side(), Side::Second);
        assert_eq!(board(&[(7, 7, Own), (7, 8, Opponent)]).unwrap().side(), Side::First);
        assert_eq!(board(&[(7, 7, Own), (7, 8, Own), (3, 3, Own)]).unwrap().side(), Side::First);
        let game = board(&[(7, 7, Opponent), (7, 8, Opponent), (3, 3, Opponent)]).unwrap();
        assert_eq!((game.side(), game.board.text().matches('x').count()), (Side::Second, 3));
    }

    #[test]
    fn captured_stones_count_as_moves() {
        let capture = Variant::find("capture:15").unwrap();
        // The second player has captured two. If both have made three moves the brain is the first player with one
        // stone left of three; if the brain is the second player with two stones, its opponent has one left of three.
        let list = stones(&[(7, 7, Own), (8, 8, Opponent), (3, 3, Opponent), (5, 9, Opponent)]);
        assert_eq!(GomocupGame::from_stones(&capture, 15, &list, [0, 2]).unwrap().side(), Side::First);
        let list = stones(&[(7, 7, Opponent), (8, 8, Own), (3, 3, Own)]);
        assert_eq!(GomocupGame::from_stones(&capture, 15, &list, [0, 2]).unwrap().side(), Side::Second);
        assert!(GomocupGame::from_stones(&Variant::find("freestyle:15").unwrap(), 15, &list, [2, 0]).is_err());
    }

    #[test]
    fn a_board_that_makes_no_sense_is_refused() {
        assert!(board(&[(7, 7, Own), (7, 7, Opponent)]).err().unwrap().contains("two stones on 7,7"));
        assert!(board(&[(7, 7, Nobody), (7, 7, Opponent)]).err().unwrap().contains("two stones on 7,7"));
        assert!(board(&[(15, 7, Own)]).err().unwrap().contains("outside"));
    }

    #[test]
    fn nobodys_stones_are_not_played_on() {
        let mut game = board(&[(7, 7, Nobody), (8, 8, Opponent)]).unwrap();
        assert!(game.play(at(7, 7)).is_err());
        let moves = game.search_moves(&BTreeSet::new()).unwrap();
        assert_eq!(moves.len(), 223);
        assert!(!moves.contains(&at(7, 7).name(15)));
    }

    #[test]
    fn blocked_points_are_left_out_until_none_is_left() {
        let game = game("freestyle:15");
        assert_eq!(game.search_moves(&BTreeSet::new()), Ok(Vec::new()));
        assert_eq!(game.search_moves(&BTreeSet::from([at(7, 7)])).unwrap().len(), 224);
        let all = game.free(&BTreeSet::new()).into_iter().collect();
        assert!(game.search_moves(&all).is_err());
    }

    #[test]
    fn a_stone_is_taken_back_in_any_order() {
        let mut game = game("freestyle:15");
        for point in [at(7, 7), at(8, 8), at(9, 9)] {
            game.play(point).unwrap();
        }
        game.take_back(at(9, 9)).unwrap();
        assert_eq!(game.side(), Side::First);
        game.take_back(at(7, 7)).unwrap();
        assert_eq!(game.stones(), [at(8, 8)]);
        assert!(game.take_back(at(7, 7)).unwrap_err().contains("no stone on 7,7"));
        assert!(game.take_back(at(70, 7)).is_err());
    }

    #[test]
    fn taking_back_a_capture_brings_the_stones_back() {
        let mut game = game("capture:15");
        for point in [at(5, 5), at(6, 5), at(0, 0), at(7, 5), at(8, 5)] {
            game.play(point).unwrap();
        }
        assert_eq!(game.stones().len(), 3);
        game.take_back(at(8, 5)).unwrap();
        assert_eq!(game.stones().len(), 4);
    }

    #[test]
    fn a_finished_game_takes_no_more_stones() {
        let five: Vec<_> = (0..5).map(|x| (x, 0, Own)).collect();
        let mut game = board(&five).unwrap();
        assert!(game.check_ongoing().unwrap_err().contains("over"));
        assert!(game.play(at(9, 9)).unwrap_err().contains("over"));
    }
}
