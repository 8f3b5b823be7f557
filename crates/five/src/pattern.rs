//! What a stone would make of a line, derived from the rule.
//!
//! A line is seen through a window around an empty cell. The pattern of the window says what a stone of one side on
//! that cell would lead to along the line, judged by what can be reached from there: a shape is a four if one more
//! stone wins, an open four if it does so whatever the opponent answers on the line, an open three if one more stone
//! makes an open four, and so on down. The rule enters in one place only, `WinRule::wins`; exactly five, closed
//! fives, overlines and broken shapes come out right because nothing else is ever asked.

use crate::settings::BlockedEnds;
use polyply_core::lock::lock;
use std::collections::HashMap;
use std::sync::{Mutex, OnceLock};

/// What a stone on a cell makes of one line, the weakest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[repr(u8)]
pub enum Pattern {
    /// Nothing that could win with four more stones.
    Dead,
    /// One more stone makes a two.
    One,
    /// One more stone makes an open two.
    OpenOne,
    /// One more stone makes a three.
    Two,
    /// One more stone on either of two cells makes an open three.
    OpenTwo,
    /// The same on any of three cells or more.
    BroadTwo,
    /// One more stone makes a four.
    Three,
    /// One more stone on one cell makes an open four.
    OpenThree,
    /// The same on either of several cells.
    BroadThree,
    /// One more stone wins, unless the opponent answers.
    Four,
    /// One more stone wins, whatever the opponent answers on the line.
    OpenFour,
    /// Wins.
    Five,
}

impl Pattern {
    /// How many patterns there are.
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

    /// An open three of either kind.
    pub const fn is_open_three(self) -> bool {
        matches!(self, Pattern::OpenThree | Pattern::BroadThree)
    }

    /// An open two of either kind.
    pub const fn is_open_two(self) -> bool {
        matches!(self, Pattern::OpenTwo | Pattern::BroadTwo)
    }
}

/// Which rows win.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct WinRule {
    /// How many stones in a row win.
    pub length: usize,
    /// More than that do not.
    pub exact: bool,
    /// A row of just this length does not win if both its ends are closed.
    pub blocked_ends: BlockedEnds,
    /// How many cells of a line are seen on either side of the cell. It must be enough to judge every row through it:
    /// `length - 1` cells, and one more where the cells beyond a row matter.
    pub half: usize,
}

/// What a cell of a line holds, as two bits.
pub(crate) const EMPTY: u64 = 0;
pub(crate) const OWN: u64 = 1;
pub(crate) const OTHER: u64 = 2;
pub(crate) const WALL: u64 = 3;

impl WinRule {
    /// Cells of a window, the middle one left out.
    const fn around(self) -> usize {
        2 * self.half
    }

    /// The cell at a place of a window, the middle one left out.
    const fn cell(self, window: usize, place: usize) -> u64 {
        (window >> (2 * place)) as u64 & 3
    }

    /// The window with something put on an empty place.
    const fn with(self, window: usize, place: usize, what: u64) -> usize {
        window | (what as usize) << (2 * place)
    }

    /// The stone in the middle stands in a row that wins.
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

    /// A row of this length between these two ends wins.
    pub(crate) fn row_wins(self, length: usize, ends: [u64; 2]) -> bool {
        let is_closed = |end| match self.blocked_ends {
            BlockedEnds::Off => false,
            BlockedEnds::Opponent => end == OTHER,
            BlockedEnds::OpponentOrEdge => end == OTHER || end == WALL,
        };
        if length == self.length { !ends.into_iter().all(is_closed) } else { length > self.length && !self.exact }
    }

    /// The board may look like this: wall comes only behind the last cell of the board.
    fn exists(self, window: usize) -> bool {
        let wall = |place| self.cell(window, place) == WALL;
        let before = (1..self.half).all(|place| !wall(place) || wall(place - 1));
        let behind = (self.half + 1..self.around()).all(|place| wall(place) || !wall(place - 1));
        before && behind
    }
}

/// Half a window as its bits, and as its number among those that exist: wall comes only behind the last cell of the board.
/// So a table of windows is eight times smaller and stays in the cache.
struct Halves {
    /// By the bits of the half before the cell and of the one behind it.
    numbers: [Box<[u16; HALVES]>; 2],
    count: usize,
}

/// Room for the bits of the longest half. Where tables have a size that is known, no index has to be checked.
const HALVES: usize = 1 << (2 * MAX_HALF);
/// The longest half of a window.
const MAX_HALF: usize = 5;
/// Room for all windows of two such halves.
const WINDOWS: usize = 1 << 18;

impl Halves {
    fn new(half: usize) -> Halves {
        let cell = |bits: usize, place: usize| (bits >> (2 * place)) as u64 & 3;
        // From the cell outwards: nothing but wall comes behind wall.
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
    /// By the numbers of the halves: the pattern of the first player in the low four bits, of the second in the high ones.
    packed: Box<[u8; WINDOWS]>,
}

impl Patterns {
    /// The patterns under a rule, made at the first call and kept.
    pub fn of(rule: WinRule) -> &'static Patterns {
        static MADE: OnceLock<Mutex<HashMap<WinRule, &'static Patterns>>> = OnceLock::new();
        let mut made = lock(MADE.get_or_init(Mutex::default));
        made.entry(rule).or_insert_with(|| Box::leak(Box::new(Patterns::derive(rule))))
    }

    /// The rule they follow from.
    pub fn rule(&self) -> WinRule {
        self.rule
    }

    /// The patterns of a window, the bits of its two halves, packed.
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
        // A shape follows from those with one stone more.
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

/// The pattern of a shape that does not win with the next stone, from the patterns it can grow into.
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
                // Where one cell makes an open three, the cell that would then make the open four does so too.
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

/// The window with the stones of the two sides exchanged.
const fn swap_sides(window: usize) -> usize {
    const LOW: usize = 0x5555_5555;
    (window & LOW) << 1 | (window >> 1) & LOW
}
