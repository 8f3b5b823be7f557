//! Levels from beginner to full strength.
//!
//! A weaker level searches less and errs as people do. The scores of its best moves are blurred by a random error, so
//! that it errs more often where moves are close, and seldom by much. And sometimes it plays a move that merely looks
//! promising, without a search.

use crate::engine::Engine;
use polyply_core::clock::Limits;
use polyply_core::game::Side;
use polyply_games::{Best, Board, EngineError, Info, Line, Request};

/// How strong the engine plays.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Level {
    /// From 1, the weakest.
    pub number: u8,
    /// Its name.
    pub name: &'static str,
    /// Nodes for a move. At full strength they count only where there is no other limit.
    pub nodes: u64,
    /// How many of the best moves it chooses from.
    lines: usize,
    /// The scale of its error about a move's chance of winning, which is 0 to 1.
    slip: f64,
    /// The probability of a move without a search.
    oversight: f64,
    /// How many plies of a game it knows from the opening book.
    pub book_plies: usize,
}

/// All levels.
pub const LEVELS: [Level; 10] = [
    level(1, "beginner", 60, 8, 0.30, 0.35, 1),
    level(2, "novice", 150, 8, 0.20, 0.20, 2),
    level(3, "casual", 400, 6, 0.13, 0.10, 4),
    level(4, "hobby player", 1_000, 5, 0.08, 0.05, 6),
    level(5, "club player", 2_500, 4, 0.05, 0.02, 8),
    level(6, "strong club player", 8_000, 3, 0.03, 0.0, 12),
    level(7, "expert", 25_000, 2, 0.015, 0.0, 16),
    level(8, "master", 80_000, 1, 0.0, 0.0, 24),
    level(9, "grandmaster", 300_000, 1, 0.0, 0.0, 40),
    level(10, "full strength", 1_500_000, 1, 0.0, 0.0, usize::MAX),
];

const fn level(
    number: u8,
    name: &'static str,
    nodes: u64,
    lines: usize,
    slip: f64,
    oversight: f64,
    book_plies: usize,
) -> Level {
    Level { number, name, nodes, lines, slip, oversight, book_plies }
}

/// How many moves are drawn for a move without a search; the most promising is played.
const GLANCED_AT: usize = 3;

impl Level {
    /// The level with a number from 1 to 10.
    pub fn find(number: u8) -> Option<&'static Level> {
        LEVELS.iter().find(|level| level.number == number)
    }

    /// The limits of a move at this level. Full strength uses all the time that it is given.
    fn within(&self, limits: Limits) -> Limits {
        let is_limited = limits.nodes.is_some() || limits.time.is_some() || limits.clock.is_some();
        if usize::from(self.number) == LEVELS.len() && is_limited {
            return limits;
        }
        Limits { nodes: Some(limits.nodes.map_or(self.nodes, |nodes| nodes.min(self.nodes))), ..limits }
    }
}

impl Engine {
    /// Finds a move as a player of this level would, within the limits and the level's nodes. The first moves come from
    /// the opening book, if the option `OwnBook` is on. A move without a search has no lines.
    pub fn play_level(
        &mut self,
        board: &Board,
        level: &Level,
        limits: Limits,
        sink: &mut dyn FnMut(&Info),
    ) -> Result<Best, EngineError> {
        if board.moves().len() < level.book_plies
            && let Some(best) = self.book_move(board)
        {
            return Ok(best);
        }
        if level.oversight > 0.0 && self.random().uniform() < level.oversight {
            let mv = board.draw(GLANCED_AT, &mut |end| self.random().below(end))?;
            return Ok(Best::without_search(mv));
        }
        let request = Request { limits: level.within(limits), multipv: Some(level.lines), ..Request::new(board) };
        let mut best = self.best_move(&request, sink)?;
        if level.slip > 0.0 {
            self.blur(&mut best, board.side(), level.slip);
        }
        Ok(best)
    }

    /// Replaces the best move by the one that seems best with random errors of this scale. The errors have a Gumbel
    /// distribution, which makes the choice a softmax over the chances.
    fn blur(&mut self, best: &mut Best, side: Side, slip: f64) {
        let mut seems = |line: &Line| {
            let first = self.variant().chance(line.score);
            let chance = if side == Side::First { first } else { 1.0 - first };
            let error = -(-self.random().uniform().max(f64::MIN_POSITIVE).ln()).ln();
            chance + slip * error
        };
        let blurred: Vec<f64> = best.lines.iter().map(&mut seems).collect();
        let chosen = (0..blurred.len()).max_by(|&one, &other| blurred[one].total_cmp(&blurred[other])).unwrap_or(0);
        if chosen > 0 {
            best.lines.swap(0, chosen);
            let moves = &best.lines[0].moves;
            (best.mv, best.ponder) = (moves.first().cloned().unwrap_or_default(), moves.get(1).cloned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, PositionSpec, Variant};

    #[test]
    fn a_higher_level_thinks_more_and_errs_less() {
        for (index, pair) in LEVELS.windows(2).enumerate() {
            assert_eq!(usize::from(pair[0].number), index + 1);
            assert!(pair[0].nodes < pair[1].nodes);
            assert!(pair[0].book_plies < pair[1].book_plies);
            assert!(pair[0].slip >= pair[1].slip && pair[0].oversight >= pair[1].oversight);
        }
    }

    #[test]
    fn full_strength_is_bounded_by_its_limits_alone() {
        let (master, full) = (LEVELS[8], LEVELS[9]);
        let time = Limits::time(std::time::Duration::from_secs(10));
        assert_eq!((master.within(time).nodes, full.within(time).nodes), (Some(master.nodes), None));
        let nodes = Limits::nodes(2_000_000);
        assert_eq!((master.within(nodes).nodes, full.within(nodes).nodes), (Some(master.nodes), nodes.nodes));
        assert_eq!(full.within(Limits::default()).nodes, Some(full.nodes));
    }

    #[test]
    fn every_level_plays_legal_moves_in_every_game() {
        for variant in Variant::all() {
            let mut engine = Engine::new(&variant, &Options { hash: 1, ..Options::default() }).unwrap();
            for level in &LEVELS[..6] {
                let mut board = Board::new(&variant);
                for _ in 0..4 {
                    let best = engine.play_level(&board, level, Limits::default(), &mut |_| ()).unwrap();
                    board.play(&best.mv).unwrap();
                }
            }
        }
    }

    #[test]
    fn a_beginner_misses_wins_that_a_master_takes() {
        let variant = Variant::find("connect4").unwrap();
        let mut engine = Engine::new(&variant, &Options { hash: 1, ..Options::default() }).unwrap();
        let board = Board::at(&variant, &PositionSpec::new(Some("435362"), &[])).unwrap();
        let mut wins = |level: u8| {
            let level = Level::find(level).unwrap();
            let mut played = || engine.play_level(&board, level, Limits::nodes(500), &mut |_| ()).unwrap();
            (0..100).filter(|_| board.after(&played().mv).unwrap().outcome().is_some()).count()
        };
        assert_eq!(wins(8), 100);
        assert!((20..100).contains(&wins(1)));
    }
}
