//! The cells where a stone stops a threat. They are derived from the rule's pattern table, so the lists are complete: a
//! stone on any other cell does not change the threat.

use crate::board::Board;
use crate::cell::{Cell, CellSet, DIRECTIONS};
use crate::cells::Threat;
use crate::pattern::Pattern;
use crate::position::Five;
use crate::rule::Rule;
use crate::shape::Shape;
use arrayvec::ArrayVec;
use polyply_core::game::{Game, Side};

/// Cells that stop a threat, on the lines through it.
pub(crate) type Defences = ArrayVec<Cell, 64>;

/// What an attacker's stone on a cell threatens to make.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ThreatKind {
    /// A five.
    Five,
    /// An open four, or two fours.
    OpenFour,
    /// A four and an open three, or more.
    FourThree,
}

impl ThreatKind {
    fn holds(self, patterns: [Pattern; DIRECTIONS]) -> bool {
        match self {
            ThreatKind::Five => patterns.contains(&Pattern::Five),
            ThreatKind::OpenFour => {
                patterns.contains(&Pattern::OpenFour)
                    || patterns.iter().filter(|&&pattern| pattern == Pattern::Four).count() > 1
            }
            ThreatKind::FourThree => Shape::of(patterns) >= Shape::FourThree,
        }
    }

    /// Whether a line with this pattern may be part of the threat.
    fn carried_by(self, pattern: Pattern) -> bool {
        match self {
            ThreatKind::Five => pattern == Pattern::Five,
            ThreatKind::OpenFour => matches!(pattern, Pattern::OpenFour | Pattern::Four),
            ThreatKind::FourThree => pattern == Pattern::Four || pattern.is_open_three(),
        }
    }
}

fn patterns<R: Rule>(board: &Board<R>, cell: Cell, attacker: usize) -> [Pattern; DIRECTIONS] {
    std::array::from_fn(|direction| board.pattern(cell, direction, attacker))
}

/// Whether a stone of the defender `offset` steps from the cell stops the threat.
fn stops<R: Rule>(
    board: &Board<R>,
    cell: Cell,
    direction: usize,
    offset: i16,
    attacker: usize,
    kind: ThreatKind,
) -> bool {
    let mut patterns = patterns(board, cell, attacker);
    patterns[direction] = board.pattern_against(cell, direction, offset, attacker);
    !kind.holds(patterns)
}

/// The direction and offset from one cell to another, if they are on a line and within reach of its patterns.
fn along<R: Rule>(from: Cell, to: Cell) -> Option<(usize, i16)> {
    let (dx, dy) = (to.grid_x() as i16 - from.grid_x() as i16, to.grid_y() as i16 - from.grid_y() as i16);
    let (direction, offset) = match (dx, dy) {
        (0, 0) => return None,
        (_, 0) => (0, dx),
        (0, _) => (1, dy),
        _ if dx == dy => (2, dx),
        _ if dx == -dy => (3, dx),
        _ => return None,
    };
    (offset.unsigned_abs() as usize <= R::HALF).then_some((direction, offset))
}

impl<R: Rule> Five<R> {
    /// A move with which the side to move wins at once.
    #[inline(always)]
    pub(crate) fn immediate_win(&self) -> Option<Cell> {
        if R::CAPTURES {
            return self.immediate_win_with_captures();
        }
        let side = self.side();
        if self.has_five(side) { self.threats(side, Threat::Five).iter().next() } else { None }
    }

    /// After a four: the moves of the side to move that stop, or may stop, all fives that its opponent threatens.
    pub(crate) fn answers_to_four(&self) -> Defences {
        let attacker = self.side().other();
        if R::CAPTURES { self.answers_with_captures(attacker) } else { self.five_defences(attacker) }
    }

    /// The cells that stop all fives that the attacker threatens; captures are not considered.
    pub(crate) fn five_defences(&self, attacker: Side) -> Defences {
        self.defences(attacker, Threat::Five, ThreatKind::Five)
    }

    /// The cells that stop all open fours and double fours that the attacker threatens; captures are not considered.
    pub(crate) fn open_four_defences(&self, attacker: Side) -> Defences {
        self.defences(attacker, Threat::Win, ThreatKind::OpenFour)
    }

    /// The cells that stop the attacker from making a four and an open three with one stone.
    pub(crate) fn four_three_defences(&self, attacker: Side) -> CellSet {
        let side = attacker.index();
        let mut found = CellSet::EMPTY;
        let fours = self.threats(attacker, Threat::Four).iter();
        for double in fours.filter(|&cell| self.board.shape(cell, side) == Shape::FourThree) {
            found.insert(double);
            self.stoppers(double, side, ThreatKind::FourThree).for_each(|cell| found.insert(cell));
        }
        found
    }

    /// The other cells on the lines through a threat where a stone of the defender stops it.
    fn stoppers(&self, threat: Cell, side: usize, kind: ThreatKind) -> impl Iterator<Item = Cell> + '_ {
        let reach = R::HALF as i16;
        let carriers =
            (0..DIRECTIONS).filter(move |&direction| kind.carried_by(self.board.pattern(threat, direction, side)));
        carriers.flat_map(move |direction| {
            (-reach..=reach).filter(|&offset| offset != 0).filter_map(move |offset| {
                let cell = threat.step(direction, offset);
                let stopped = self.board.is_empty(cell) && stops(&self.board, threat, direction, offset, side, kind);
                stopped.then_some(cell)
            })
        })
    }

    fn defences(&self, attacker: Side, threat: Threat, kind: ThreatKind) -> Defences {
        let side = attacker.index();
        let mut threats = self.threats(attacker, threat).iter();
        let mut found = Defences::new();
        let Some(first) = threats.next() else { return found };
        found.push(first);
        // A five is stopped only on its own cell, unless stones beyond its ends matter.
        if kind == ThreatKind::OpenFour || R::BLOCKED_ENDS {
            found.extend(self.stoppers(first, side, kind));
        }
        for other in threats {
            found.retain(|cell| {
                *cell == other
                    || along::<R>(other, *cell)
                        .is_some_and(|(direction, offset)| stops(&self.board, other, direction, offset, side, kind))
            });
            if found.is_empty() {
                break;
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::{Caro, Freestyle, Standard};
    use crate::settings::Settings;
    use polyply_core::game::{Game, MoveList, Notation};
    use polyply_core::random::Random;

    /// The empty cells where a stone of the defender leaves the attacker without such a shape.
    fn by_trying<R: Rule>(game: &Five<R>, attacker: Side, shapes: &[Shape]) -> Vec<Cell> {
        let mut board = game.board.clone();
        let mark = board.mark();
        let mut stops = |cell: &Cell| {
            board.put(*cell, attacker.other().index(), &mut ());
            let stopped = shapes.iter().all(|&shape| board.count(attacker.index(), shape) == 0);
            board.unput(*cell, attacker.other().index(), mark, &mut ());
            stopped
        };
        game.board.empty().iter().filter(&mut stops).collect()
    }

    fn sorted(defences: Defences) -> Vec<Cell> {
        let mut cells = defences.to_vec();
        cells.sort_unstable();
        cells
    }

    /// Random games that seek fours and fives; compares all defences on the way.
    fn compare<R: Rule>(rules: &[(&str, &str)]) {
        let rules: Vec<_> = rules.iter().map(|&(key, value)| (key.to_string(), value.to_string())).collect();
        let mut random = Random::new(3);
        let (mut fives, mut open_fours, mut four_threes, mut off_cell) = (0, 0, 0, 0);
        for round in 0..60 {
            let settings = Settings::new(R::KIND.name(), Some([9, 12, 15][round % 3]), &rules).unwrap();
            let mut game = Five::<R>::new(settings);
            while game.outcome().is_none() {
                for attacker in [Side::First, Side::Second] {
                    if game.has_five(attacker) {
                        let found = sorted(game.five_defences(attacker));
                        assert_eq!(found, by_trying(&game, attacker, &[Shape::Five]), "{}", game.text());
                        fives += 1;
                        off_cell += found.iter().filter(|&&cell| game.shape(cell, attacker) != Shape::Five).count();
                    } else if game.has_open_four(attacker) {
                        let found = sorted(game.open_four_defences(attacker));
                        let shapes = [Shape::OpenFour, Shape::FourFour];
                        assert_eq!(found, by_trying(&game, attacker, &shapes), "{}", game.text());
                        open_fours += 1;
                    } else if game.board.count(attacker.index(), Shape::FourThree) == 1 {
                        let found: Vec<Cell> = game.four_three_defences(attacker).iter().collect();
                        assert_eq!(found, by_trying(&game, attacker, &[Shape::FourThree]), "{}", game.text());
                        four_threes += 1;
                    }
                }
                let mut moves = MoveList::new();
                game.moves(&mut moves);
                let lively = random.below(3) > 0;
                let side = game.side();
                // Fives are left alone as long as possible, so that many threats stand at once.
                let worth = |cell: Cell| match (game.shape(cell, side), game.shape(cell, side.other())) {
                    (Shape::Five, _) => -1,
                    (own, other) if lively => 3 * own as i32 + 2 * (other as i32 % Shape::Five as i32),
                    _ => 0,
                };
                let best = moves.iter().copied().max_by_key(|&cell| 10 * worth(cell) + random.below(20) as i32);
                game.play(best.expect("the game goes on"), &mut ());
            }
        }
        assert!(fives > 300 && open_fours > 50, "only {fives} fives and {open_fours} open fours");
        assert!(four_threes > 0, "no four with a three was compared");
        assert_eq!(off_cell > 0, R::BLOCKED_ENDS, "{off_cell} fives were stopped from beyond their ends");
    }

    #[test]
    fn freestyle_knows_every_defence() {
        compare::<Freestyle>(&[]);
    }

    #[test]
    fn standard_knows_every_defence() {
        compare::<Standard>(&[]);
    }

    #[test]
    fn caro_knows_every_defence() {
        for blocked_ends in ["opponent", "opponent_or_edge"] {
            for exact_five in ["true", "false"] {
                compare::<Caro>(&[("blocked_ends", blocked_ends), ("exact_five", exact_five)]);
            }
        }
    }
}
