//! Line patterns: what a stone would make of a line, derived from the rule.
//!
//! A line is seen through a window around an empty cell. The pattern of the window says what a stone of one side on
//! that cell would make along the line, defined by what can be reached from there: a four if one more stone wins, an
//! open four if it wins whatever the opponent answers on the line, an open three if one more stone makes an open four,
//! and so on. The rule is consulted in one place only, `WinRule::wins`, so exactly five, closed fives, overlines and
//! broken shapes all come out right.

use crate::settings::BlockedEnds;
use polyply_core::lock::lock;
use std::collections::HashMap;
use std::sync::{Mutex, OnceLock};

/// What a stone on a cell makes of one line; the weakest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[repr(u8)]
pub enum Pattern {
    /// No five is possible here.
    Dead,
    /// One more stone makes a two.
    One,
    /// One more stone makes an open two.
    OpenOne,
    /// One more stone makes a three.
    Two,
    /// One more stone on either of two cells makes an open three.
    OpenTwo,
    /// One more stone on any of three cells or more makes an open three.
    BroadTwo,
    /// One more stone makes a four.
    Three,
    /// One more stone on one cell makes an open four.
    OpenThree,
    /// One more stone on any of several cells makes an open four.
    BroadThree,
    /// One more stone wins, unless the opponent answers.
    Four,
    /// One more stone wins, whatever the opponent answers on the line.
    OpenFour,
    /// Wins.
    Five,
}

impl Pattern {
    /// The number of patterns.
    pub const COUNT: usize = Pattern::Five as usize + 1;

    /// All patterns, the weakest first.
    pub const ALL: [Pattern; Pattern::COUNT] = [
        Pattern::Dead,
        Pattern::One,
        Pattern::OpenOne,
        Pattern::Two,
        Pattern::OpenTwo,
        Pattern::BroadTwo,
        Pattern::Three,
        Pattern::OpenThree,
        Pattern::BroadThree,
        Pattern::Four,
        Pattern::OpenFour,
        Pattern::Five,
    ];

    /// Whether it is an open three of either kind.
    pub const fn is_open_three(self) -> bool {
        matches!(self, Pattern::OpenThree | Pattern::BroadThree)
    }

    /// Whether it is an open two of either kind.
    pub const fn is_open_two(self) -> bool {
        matches!(self, Pattern::OpenTwo | Pattern::BroadTwo)
    }
}

/// Which rows win.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct WinRule {
    /// How many stones in a row win.
    pub length: usize,
    /// Longer rows do not win.
    pub exact: bool,
    /// A row of exactly this length does not win if both its ends are closed.
    pub blocked_ends: BlockedEnds,
    /// How many cells the window has on either side. It must be enough to judge every row through the cell: `length -
    /// 1` cells, and one more if the cells beyond a row matter.
    pub half: usize,
}

/// The contents of a cell of a line, as two bits.
pub(crate) const EMPTY: u64 = 0;
pub(crate) const OWN: u64 = 1;
pub(crate) const OTHER: u64 = 2;
pub(crate) const WALL: u64 = 3;

impl WinRule {
    /// The number of cells of a window, without the middle.
    const fn around(self) -> usize {
        2 * self.half
    }

    /// The cell at an index of a window, without the middle.
    const fn cell(self, window: usize, place: usize) -> u64 {
        (window >> (2 * place)) as u64 & 3
    }

    /// The window with something on an empty cell.
    const fn with(self, window: usize, place: usize, what: u64) -> usize {
        window | (what as usize) << (2 * place)
    }

    /// Whether a stone in the middle is part of a winning row.
    fn wins(self, window: usize) -> bool {
        let run = |cells: &mut dyn Iterator<Item = usize>| {
            let mut own = 0;
            for place in cells {
                match self.cell(window, place) {
                    OWN => own += 1,
                    end => return (own, end),
                }
            }
            (own, OWN)
        };
        let (before, first_end) = run(&mut (0..self.half).rev());
        let (behind, last_end) = run(&mut (self.half..self.around()));
        self.row_wins(before + behind + 1, [first_end, last_end])
    }

    /// Whether a row of this length between these two ends wins.
    pub(crate) fn row_wins(self, length: usize, ends: [u64; 2]) -> bool {
        let is_closed = |end| match self.blocked_ends {
            BlockedEnds::Off => false,
            BlockedEnds::Opponent => end == OTHER,
            BlockedEnds::OpponentOrEdge => end == OTHER || end == WALL,
        };
        if length == self.length { !ends.into_iter().all(is_closed) } else { length > self.length && !self.exact }
    }

    /// Whether the window is possible: beyond a wall there is only wall.
    fn exists(self, window: usize) -> bool {
        let wall = |place| self.cell(window, place) == WALL;
        let before = (1..self.half).all(|place| !wall(place) || wall(place - 1));
        let behind = (self.half + 1..self.around()).all(|place| wall(place) || !wall(place - 1));
        before && behind
    }
}

/// Maps the bits of half a window to a number among the possible halves, since beyond a wall there is only wall. This
/// makes the table of windows eight times smaller, so that it stays in the cache.
pub(crate) struct Halves {
    /// By the bits of the half before the cell and of the half after it.
    pub numbers: [Box<[u16; HALVES]>; 2],
    pub count: usize,
}

/// The number of values of the longest half. Tables of constant size need no bounds checks.
const HALVES: usize = 1 << (2 * MAX_HALF);
/// The longest half of a window.
const MAX_HALF: usize = 5;
/// The size of a table of all windows.
const WINDOWS: usize = 1 << 18;

impl Halves {
    pub fn new(half: usize) -> Halves {
        let cell = |bits: usize, place: usize| (bits >> (2 * place)) as u64 & 3;
        // From the cell outwards: beyond a wall there is only wall.
        let exists = |bits: usize, outward: &dyn Fn(usize) -> usize| {
            (1..half).all(|place| cell(bits, outward(place - 1)) != WALL || cell(bits, outward(place)) == WALL)
        };
        let number = |outward: &dyn Fn(usize) -> usize| {
            let mut count = 0;
            let mut numbers = Box::new([0; HALVES]);
            for bits in 0..1 << (2 * half) {
                count += u16::from(exists(bits, outward));
                numbers[bits] = count.saturating_sub(1);
            }
            (numbers, usize::from(count))
        };
        let (before, count) = number(&|place| half - 1 - place);
        let (behind, _) = number(&|place| place);
        Halves { numbers: [before, behind], count }
    }
}

/// The patterns of every window under one rule, for both sides.
pub struct Patterns {
    rule: WinRule,
    halves: Halves,
    /// By the numbers of the halves: the first player's pattern in the low four bits, the second player's in the high
    /// four.
    packed: Box<[u8; WINDOWS]>,
}

impl Patterns {
    /// The patterns under a rule, computed at the first call and kept.
    pub fn of(rule: WinRule) -> &'static Patterns {
        static MADE: OnceLock<Mutex<HashMap<WinRule, &'static Patterns>>> = OnceLock::new();
        let mut made = lock(MADE.get_or_init(Mutex::default));
        made.entry(rule).or_insert_with(|| Box::leak(Box::new(Patterns::derive(rule))))
    }

    /// The rule.
    pub fn rule(&self) -> WinRule {
        self.rule
    }

    /// The packed patterns of a window, given by the bits of its halves.
    #[inline(always)]
    pub(crate) fn packed(&self, before: usize, behind: usize) -> u8 {
        let [first, second] = &self.halves.numbers;
        let number = usize::from(first[before % HALVES]) * self.halves.count + usize::from(second[behind % HALVES]);
        self.packed[number % WINDOWS]
    }

    fn derive(rule: WinRule) -> Patterns {
        let windows = 1usize << (2 * rule.around());
        let existing: Vec<usize> = (0..windows).filter(|&window| rule.exists(window)).collect();
        let empties = |window: usize| (0..rule.around()).filter(move |&place| rule.cell(window, place) == EMPTY);

        let mut wins = vec![false; windows];
        let mut four = vec![false; windows];
        for &window in &existing {
            wins[window] = rule.wins(window);
        }
        for &window in &existing {
            four[window] = empties(window).any(|place| wins[rule.with(window, place, OWN)]);
        }
        // A pattern follows from the patterns with one more stone.
        let stones = |window: usize| (0..rule.around()).filter(|&place| rule.cell(window, place) == OWN).count();
        let mut by_stones: Vec<Vec<usize>> = vec![Vec::new(); rule.around() + 1];
        for &window in &existing {
            by_stones[stones(window)].push(window);
        }
        let mut patterns = vec![Pattern::Dead; windows];
        for &window in by_stones.iter().rev().flatten() {
            patterns[window] = if wins[window] {
                Pattern::Five
            } else if four[window] {
                let stopped = empties(window).any(|place| !four[rule.with(window, place, OTHER)]);
                if stopped { Pattern::Four } else { Pattern::OpenFour }
            } else {
                grown(empties(window).map(|place| patterns[rule.with(window, place, OWN)]))
            };
        }

        let halves = Halves::new(rule.half);
        let mut packed = vec![0; WINDOWS];
        for &window in &existing {
            let (before, behind) = (window & ((1 << (2 * rule.half)) - 1), window >> (2 * rule.half));
            let at = usize::from(halves.numbers[0][before]) * halves.count + usize::from(halves.numbers[1][behind]);
            packed[at] = patterns[window] as u8 | (patterns[swap_sides(window)] as u8) << 4;
        }
        let packed = packed.try_into().unwrap_or_else(|_| unreachable!("the table has this length"));
        Patterns { rule, halves, packed }
    }
}

/// The pattern of a window that does not win with the next stone, from the patterns it can become.
fn grown(next: impl Iterator<Item = Pattern>) -> Pattern {
    let (mut best, mut ways) = (Pattern::Dead, [0; Pattern::COUNT]);
    for pattern in next {
        best = best.max(pattern);
        ways[pattern as usize] += 1;
    }
    match best {
        Pattern::OpenFour if ways[Pattern::OpenFour as usize] == 1 => Pattern::OpenThree,
        Pattern::OpenFour => Pattern::BroadThree,
        Pattern::Four => Pattern::Three,
        Pattern::OpenThree | Pattern::BroadThree => {
            match ways[Pattern::OpenThree as usize] + ways[Pattern::BroadThree as usize] {
                // If one cell makes an open three, so does the cell that would then make the open four.
                ..=2 => Pattern::OpenTwo,
                _ => Pattern::BroadTwo,
            }
        }
        Pattern::Three => Pattern::Two,
        Pattern::OpenTwo | Pattern::BroadTwo => Pattern::OpenOne,
        Pattern::Two => Pattern::One,
        _ => Pattern::Dead,
    }
}

/// The window with the colours exchanged.
pub(crate) const fn swap_sides(window: usize) -> usize {
    const LOW: usize = 0x5555_5555;
    (window & LOW) << 1 | (window >> 1) & LOW
}
