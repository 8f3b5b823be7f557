//! What capture gomoku adds to the board: captured pairs, fives that can be broken, double threes.

use crate::board::Board;
use crate::cell::{Cell, CellSet, DIRECTIONS, STRIDE};
use crate::cells::Threat;
use crate::defence::Defences;
use crate::pattern::{OTHER, Pattern, WinRule};
use crate::position::Five;
use crate::rule::Rule;
use crate::weights::CaptureWeights;
use polyply_core::game::{Game, Side};
use std::sync::LazyLock;

/// The stones that one move captures: at most a pair in each of eight directions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taken {
    cells: [Cell; 16],
    len: u8,
}

impl Taken {
    /// No stones.
    pub const NONE: Taken = Taken { cells: [Cell::at(0, 0); 16], len: 0 };

    /// What a stone on this cell captures: two enemy stones between it and another own stone.
    #[inline]
    pub fn by(own: &CellSet, enemy: &CellSet, cell: Cell) -> Taken {
        let mut taken = Taken::NONE;
        for direction in 0..DIRECTIONS {
            for way in [1, -1] {
                let (first, second) = (cell.step(direction, way), cell.step(direction, 2 * way));
                if enemy.contains(first) && enemy.contains(second) && own.contains(cell.step(direction, 3 * way)) {
                    taken.add(first, second);
                }
            }
        }
        taken
    }

    fn add(&mut self, first: Cell, second: Cell) {
        let len = usize::from(self.len);
        self.cells[len] = first;
        self.cells[len + 1] = second;
        self.len += 2;
    }

    /// The captured stones.
    pub fn cells(&self) -> &[Cell] {
        &self.cells[..usize::from(self.len)]
    }
}

/// The cells, empty or not, where a stone would capture at least one pair.
pub(crate) fn cells(own: &CellSet, enemy: &CellSet) -> CellSet {
    let mut found = [0; STRIDE];
    for (row, here) in found.iter_mut().enumerate().take(STRIDE - 3).skip(3) {
        let pair_of = |one: usize, two: usize, three: usize| (enemy.row(one), enemy.row(two), own.row(three));
        let beside = |(first, second, end): (u32, u32, u32)| {
            first >> 1 & second >> 2 & end >> 3 | first << 1 & second << 2 & end << 3
        };
        let straight = |(first, second, end): (u32, u32, u32)| first & second & end;
        let (up, down) = (pair_of(row + 1, row + 2, row + 3), pair_of(row - 1, row - 2, row - 3));
        *here = beside(pair_of(row, row, row)) | straight(up) | beside(up) | straight(down) | beside(down);
    }
    CellSet::of_rows(found)
}

/// The effects of a stone on pairs, counted over the eight directions: pairs that it captures, pairs that it saves from
/// capture on this cell, own pairs with it that can be captured, and pairs that it threatens to capture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PairEffects(u16);

impl PairEffects {
    /// The number of kinds.
    pub const KINDS: usize = 4;

    /// Counts are none, one, or more.
    pub const COUNTS: usize = 3;

    /// Who captures the pairs of each kind: 0 is the side that sets the stone.
    pub const TAKER: [usize; PairEffects::KINDS] = [0, 1, 1, 0];

    #[inline(always)]
    fn of<R: Rule>(board: &Board<R>, cell: Cell, side: usize) -> PairEffects {
        let ways: &[[u16; 2]; WINDOWS] = &PAIR_EFFECTS;
        let counts = (0..DIRECTIONS).map(|direction| {
            let line = board.line_from(cell.step(direction, -3), direction);
            // Three cells before the stone and three after it.
            ways[(line & 0x3f | line >> 2 & 0xfc0) as usize][side]
        });
        PairEffects(counts.sum())
    }

    /// The count of each kind, at most `COUNTS - 1`.
    #[inline(always)]
    pub fn counts(self) -> [usize; PairEffects::KINDS] {
        std::array::from_fn(|kind| usize::from(self.0 >> (4 * kind) & 0xf).min(PairEffects::COUNTS - 1))
    }

    /// The effects along a line, given by the cells before the stone and after it, the nearest first.
    fn along(ways: [[u64; 3]; 2], side: usize) -> PairEffects {
        let (own, enemy) = (side as u64 + 1, 2 - side as u64);
        let mut counts = [0; PairEffects::KINDS];
        for (way, back) in [(ways[0], ways[1]), (ways[1], ways[0])] {
            counts[0] += u16::from(way == [enemy, enemy, own]);
            counts[1] += u16::from(way == [own, own, enemy]);
            counts[2] += u16::from(way[0] == own && matches!((way[1], back[0]), (0, end) | (end, 0) if end == enemy));
            counts[3] += u16::from(way == [enemy, enemy, 0]);
        }
        PairEffects((0..PairEffects::KINDS).map(|kind| counts[kind] << (4 * kind)).sum())
    }
}

/// Windows of six cells, two bits each.
const WINDOWS: usize = 1 << 12;

/// The pair_effects along a line of a stone of each side in the middle of every window.
static PAIR_EFFECTS: LazyLock<Box<[[u16; 2]; WINDOWS]>> = LazyLock::new(|| {
    let pair_effects = |window: usize, side| {
        let at = |place: usize| (window >> (2 * place) & 3) as u64;
        PairEffects::along([[at(2), at(1), at(0)], [at(3), at(4), at(5)]], side).0
    };
    Box::new(std::array::from_fn(|window| [pair_effects(window, 0), pair_effects(window, 1)]))
});

/// A row of one side's stones through a cell.
pub(crate) struct Row {
    length: usize,
    /// The cells beyond its ends, two bits each.
    ends: [u64; 2],
    /// The bits of an enemy stone.
    enemy: u64,
}

impl Row {
    /// Whether the row wins.
    pub fn wins(&self, rule: WinRule) -> bool {
        rule.row_wins(self.length, self.ends.map(|end| if end == self.enemy { OTHER } else { end }))
    }
}

/// The rows through one of a side's stones, in the four directions.
pub(crate) fn rows_through<R: Rule>(board: &Board<R>, cell: Cell, side: usize) -> impl Iterator<Item = Row> + '_ {
    let at = move |cell: Cell, direction| board.line_from(cell, direction) & 3;
    (0..DIRECTIONS).map(move |direction| {
        let own = side as u64 + 1;
        let run =
            |step: i16| (1..).find(|&count| at(cell.step(direction, step * count), direction) != own).unwrap_or(1);
        let (ahead, behind) = (run(1), run(-1));
        let ends = [cell.step(direction, ahead), cell.step(direction, -behind)].map(|end| at(end, direction));
        Row { length: (ahead + behind - 1) as usize, ends, enemy: 2 - side as u64 }
    })
}

/// Whether a stone of a side on this cell makes free threes in two directions or more.
///
/// A free three is three stones, the new one included, that one more stone turns into a straight four with both ends
/// empty. Only geometry counts: it does not matter whether that stone would be legal or would be captured.
pub(crate) fn makes_double_three<R: Rule>(board: &Board<R>, cell: Cell, side: usize) -> bool {
    (0..DIRECTIONS).filter(|&direction| makes_free_three(board, cell, direction, side)).count() >= 2
}

fn makes_free_three<R: Rule>(board: &Board<R>, cell: Cell, direction: usize, side: usize) -> bool {
    let own = side as u64 + 1;
    // The four cells before the stone, the stone, and the four after it.
    let line = board.line_from(cell.step(direction, -4), direction) | own << 8;
    (0..4).any(|start| {
        // Six cells: an empty one, the four of the straight four, an empty one.
        let six = line >> (2 * start) & 0xfff;
        let four = six >> 2 & 0xff;
        let stones = (0..4).filter(|place| four >> (2 * place) & 3 == own).count();
        let empty = (0..4).filter(|place| four >> (2 * place) & 3 == 0).count();
        six & 3 == 0 && six >> 10 == 0 && stones == 3 && empty == 1
    })
}

impl<R: Rule> Five<R> {
    /// The empty cells where a side captures at least one pair.
    pub(crate) fn capturing(&self, side: Side) -> CellSet {
        let (own, enemy) = self.stones_of(side);
        cells(own, enemy).and(self.board.empty())
    }

    /// What a stone of a side on this cell captures.
    #[inline]
    pub(crate) fn taken_by(&self, cell: Cell, side: Side) -> Taken {
        let (own, enemy) = self.stones_of(side);
        Taken::by(own, enemy, cell)
    }

    /// The value of captures, made and threatened, for the side to move.
    pub(crate) fn capture_value(&self, weights: &CaptureWeights) -> i32 {
        let (side, other) = (self.side(), self.side().other());
        let pairs = |side| i32::from(weights.pairs[usize::from(self.captured(side) / 2).min(weights.pairs.len() - 1)]);
        let threats = |side: Side| self.capturing(side).len() as i32;
        let threat = |waiting: usize, side| threats(side) * i32::from(weights.threat[waiting][self.missing(side)]);
        pairs(side) - pairs(other) + threat(0, side) - threat(1, other)
    }

    /// How many pairs besides the last one a side still has to capture to win, at most four.
    #[inline(always)]
    pub(crate) fn missing(&self, side: Side) -> usize {
        let to_win = self.settings().capture.map_or(0, |rules| rules.stones_to_win);
        let stones = usize::from(to_win.saturating_sub(self.captured(side)).max(1));
        (stones.div_ceil(2) - 1).min(CaptureWeights::MISSING - 1)
    }

    /// The effects on pairs of a stone of the side to move on an empty cell.
    #[inline(always)]
    pub(crate) fn pair_effects(&self, cell: Cell) -> PairEffects {
        PairEffects::of(&self.board, cell, self.side().index())
    }

    /// The order value of these effects.
    #[inline(always)]
    pub(crate) fn pair_order(&self, cell: Cell, weights: &CaptureWeights) -> i32 {
        let missing = [self.side(), self.side().other()].map(|side| self.missing(side));
        let worth = |(kind, count): (usize, usize)| {
            i32::from(weights.pair_effects[kind][count][missing[PairEffects::TAKER[kind]]])
        };
        self.pair_effects(cell).counts().into_iter().enumerate().map(worth).sum()
    }

    /// A move with which the side to move wins at once: by captures, or by a five that can't be broken.
    pub(crate) fn immediate_win_with_captures(&self) -> Option<Cell> {
        let side = self.side();
        // Two pairs at once are rare, but possible.
        if self.captures_win(side, 4) {
            let captures = self.capturing(side);
            let winner = captures.iter().find(|&cell| self.captures_win(side, self.taken_by(cell, side).cells().len()));
            if winner.is_some() {
                return winner;
            }
        }
        self.unbreakable_five(side)
    }

    /// A cell where a side makes a five that can't be broken.
    pub(crate) fn unbreakable_five(&self, side: Side) -> Option<Cell> {
        if !self.has_five(side) {
            return None;
        }
        let wins = |&cell: &Cell| self.capture_rules_allow(cell, side) && self.five_wins(cell, side);
        self.threats(side, Threat::Five).iter().find(wins)
    }

    /// Whether the opponent's four must be answered: it wins with the next move, and the side to move can't win first.
    pub(crate) fn four_must_be_answered(&self) -> bool {
        // Close to a win by captures, every pair on the board is part of the defence: too much to be sure of.
        let unclear = self.captures_win(self.side(), 4) || self.breakable_five().is_some();
        // A threat to win by captures has other answers than a five.
        self.outcome().is_none()
            && !unclear
            && self.immediate_win().is_none()
            && self.unbreakable_five(self.side().other()).is_some()
    }

    /// The moves that may stop the attacker's fives: on their cells, by captures, by an own five first, or next to a
    /// pair of the coming row, so that a capture will break it.
    pub(crate) fn answers_with_captures(&self, attacker: Side) -> Defences {
        let defender = attacker.other();
        let mut found = CellSet::EMPTY;
        let mut add = |cell: Cell| {
            if self.board.is_empty(cell) && !found.contains(cell) {
                found.flip(cell);
            }
        };
        self.capturing(defender).iter().for_each(&mut add);
        self.threats(defender, Threat::Five).iter().for_each(&mut add);
        for five in self.threats(attacker, Threat::Five).iter() {
            add(five);
            for direction in 0..DIRECTIONS {
                if self.board.pattern(five, direction, attacker.index()) == Pattern::Five {
                    self.beside_pairs(five, direction, attacker).for_each(&mut add);
                }
            }
        }
        found.iter().filter(|&cell| self.is_legal(cell)).take(64).collect()
    }

    /// The cells where a stone may help against the attacker's open fours: on their cells, where it stops all of them,
    /// or next to a pair of the coming row, so that a capture will break it.
    pub(crate) fn open_four_defences_with_captures(&self, attacker: Side) -> CellSet {
        let mut found = self.threats(attacker, Threat::Win).clone();
        self.open_four_defences(attacker).into_iter().for_each(|cell| found.insert(cell));
        for four in self.threats(attacker, Threat::Win).iter() {
            for direction in 0..DIRECTIONS {
                if self.board.pattern(four, direction, attacker.index()) >= Pattern::Four {
                    self.beside_pairs(four, direction, attacker).for_each(|cell| found.insert(cell));
                }
            }
        }
        found
    }

    /// The cells next to pairs that share a stone with the attacker's row through an empty cell.
    fn beside_pairs(&self, five: Cell, row: usize, attacker: Side) -> impl Iterator<Item = Cell> + '_ {
        let own = move |cell: Cell| cell == five || self.board.stones(attacker.index()).contains(cell);
        let stones = [1, -1].into_iter().flat_map(move |step| {
            (1..).map(move |count| five.step(row, step * count)).take_while(move |&cell| own(cell))
        });
        std::iter::once(five).chain(stones).flat_map(move |stone| {
            (0..DIRECTIONS).filter(move |&direction| direction != row).flat_map(move |direction| {
                let pairs = [(stone, stone.step(direction, 1)), (stone.step(direction, -1), stone)];
                pairs
                    .into_iter()
                    .filter(move |&(first, second)| own(first) && own(second))
                    .flat_map(move |(first, second)| [first.step(direction, -1), second.step(direction, 1)])
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::Capture;
    use polyply_core::game::{MoveList, Notation};

    /// What a stone does to pairs, seen by setting it.
    fn counted(game: &Five<Capture>, cell: Cell) -> [usize; PairEffects::KINDS] {
        let (own, enemy) = game.stones_of(game.side());
        let empty = game.board.empty();
        let taken = |own: &CellSet, enemy: &CellSet, by: Cell| {
            Taken::by(own, enemy, by).cells().chunks(2).map(<[Cell]>::to_vec).collect::<Vec<_>>()
        };
        let set = own.clone().with_flipped(cell);
        let elsewhere = || empty.iter().filter(|&other| other != cell);
        let risks = elsewhere().flat_map(|by| taken(enemy, &set, by)).filter(|pair| pair.contains(&cell)).count();
        let by_all = |own: &CellSet| elsewhere().flat_map(|by| taken(own, enemy, by)).count();
        let aims = by_all(&set) - by_all(own);
        let counts = [taken(own, enemy, cell).len(), taken(enemy, own, cell).len(), risks, aims];
        counts.map(|count| count.min(PairEffects::COUNTS - 1))
    }

    #[test]
    fn what_a_move_does_to_pairs_is_what_setting_the_stone_shows() {
        let mut game = Five::<Capture>::start();
        let mut seen = [[0; PairEffects::COUNTS]; PairEffects::KINDS];
        for step in 0_usize..120 {
            let mut moves = MoveList::new();
            game.moves(&mut moves);
            // Near the middle, so that there is something to see.
            moves.retain(|mv| mv.x().abs_diff(9).max(mv.y().abs_diff(9)) < 5);
            if moves.is_empty() {
                break;
            }
            for &mv in &moves {
                let counts = game.pair_effects(mv).counts();
                assert_eq!(counts, counted(&game, mv), "move {step} {mv:?}");
                counts.into_iter().enumerate().for_each(|(kind, count)| seen[kind][count] += 1);
            }
            let mv = moves[(step * step * 7919 + step * 31) % moves.len()];
            game.play(mv, &mut ());
        }
        assert!(seen.iter().flatten().all(|&times| times > 0), "{seen:?}");
    }

    #[test]
    fn pairs_still_to_take_are_counted_from_the_last_one() {
        let game = Five::<Capture>::start();
        assert_eq!(game.missing(Side::First), 4);
        let text = |captured| format!("{} x {captured} 0", ["19"; 19].join("/"));
        let missing = |captured| game.parse(&text(captured)).unwrap().missing(Side::First);
        assert_eq!([2, 6, 8].map(missing), [3, 1, 0]);
    }
}
