//! History: how often a move caused a cutoff, by itself and after the moves of the last six plies.

use crate::game::{Class, Side};

/// Values stay within ±`LIMIT`.
const LIMIT: i32 = 16_384;

/// The weights of the last six plies in continuation history, in quarters, the oldest ply first.
const WEIGHTS: [i32; 6] = [2, 1, 2, 1, 4, 4];

/// The index of a move in the tables, `1 + side · HISTORY + history_slot`; 0 stands for "no move".
pub(crate) type Slot = u16;

/// The slots of the last six moves, the oldest first.
pub(crate) type Context = [Slot; 6];

/// History tables of one thread.
pub(crate) struct History {
    slots: usize,
    /// The slots of the two sides begin here.
    sides: [Slot; 2],
    /// `[tactical][slot]`
    plain: Box<[i16]>,
    /// `[earlier slot][slot]`
    continuation: Box<[i16]>,
    /// How often it was time to fade when it last did.
    faded: u64,
}

/// Adds a bonus to a value, with gravity: the closer the value is to the limit, the less it moves. The bonus is clamped
/// first, because `v += b − v·|b|/R` keeps |v| ≤ R only while |b| ≤ R.
fn pull(value: &mut i16, bonus: i32) {
    let bonus = bonus.clamp(-LIMIT, LIMIT);
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / LIMIT) as i16;
}

impl History {
    /// Tables for a game with this many history slots a side.
    pub fn new(history: usize) -> Self {
        let slots = 2 * history + 1;
        assert!(slots <= usize::from(Slot::MAX), "a game has at most 32767 history slots a side");
        let sides = [1, 1 + history as Slot];
        History {
            slots,
            sides,
            plain: vec![0; 2 * slots].into(),
            continuation: vec![0; slots * slots].into(),
            faded: 0,
        }
    }

    /// How many slots there are, both sides and "no move" together.
    pub fn slots(&self) -> usize {
        self.slots
    }

    /// The slot of a move by `side`.
    #[inline(always)]
    pub fn slot(&self, side: Side, history_slot: usize) -> Slot {
        self.sides[side.index()] + history_slot as Slot
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.plain.fill(0);
        self.continuation.fill(0);
    }

    /// Lets what was learned about moves count an eighth less, once in so many nodes. The continuation history is too
    /// large to be touched often, and stays as it is.
    pub fn fade_every(&mut self, every: u64, nodes: u64) {
        let times = nodes / every;
        if times != self.faded {
            self.faded = times;
            self.fade();
        }
    }

    fn fade(&mut self) {
        self.plain.iter_mut().for_each(|value| *value -= *value / 8);
    }

    fn plain_index(&self, class: Class, slot: Slot) -> usize {
        usize::from(slot) + if class == Class::Tactical { self.slots } else { 0 }
    }

    #[inline(always)]
    fn pair(&self, earlier: Slot, slot: Slot) -> usize {
        usize::from(earlier) * self.slots + usize::from(slot)
    }

    /// The history of a move, whatever moves came before it.
    #[inline]
    pub fn plain(&self, class: Class, slot: Slot) -> i32 {
        i32::from(self.plain[self.plain_index(class, slot)])
    }

    /// The continuation history after the last moves, for looking up many moves.
    #[inline(always)]
    pub fn after(&self, context: &Context) -> After<'_> {
        let row = |earlier| &self.continuation[self.pair(earlier, 0)..][..self.slots];
        let [sixth, fifth, fourth, third, second, last] = *context;
        After([row(sixth), row(fifth), row(fourth), row(third), row(second), row(last)])
    }

    /// The continuation history of a move after the last moves. It is 0 while the parameter `continuation` is off,
    /// because nothing is learned then.
    #[inline]
    pub fn continued(&self, context: &Context, slot: Slot) -> i32 {
        self.after(context).value(slot)
    }

    /// Learns that a move caused a cutoff (`bonus` above 0), or was tried before the one that did (below 0).
    pub fn learn(&mut self, class: Class, slot: Slot, bonus: i32) {
        let index = self.plain_index(class, slot);
        pull(&mut self.plain[index], bonus);
    }

    /// The same for the continuation history.
    pub fn learn_continued(&mut self, context: &Context, slot: Slot, bonus: i32) {
        for (&earlier, weight) in context.iter().zip(WEIGHTS) {
            if earlier != 0 {
                let pair = self.pair(earlier, slot);
                pull(&mut self.continuation[pair], bonus * weight / 4);
            }
        }
    }
}

/// The continuation history of one context: the row of each of its moves.
pub(crate) struct After<'a>([&'a [i16]; 6]);

impl After<'_> {
    /// The continuation history of a move.
    #[inline(always)]
    pub fn value(&self, slot: Slot) -> i32 {
        let mut sum = 0;
        for (row, weight) in self.0.iter().zip(WEIGHTS) {
            sum += weight * i32::from(row[usize::from(slot)]);
        }
        sum / 4
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_bounded_under_any_bonus() {
        let mut history = History::new(8);
        let context = [3; 6];
        for bonus in [1, 500, LIMIT, 10 * LIMIT, -7, -LIMIT, -50 * LIMIT, i32::MAX / 8] {
            for _ in 0..50 {
                history.learn(Class::Quiet, 5, bonus);
                history.learn_continued(&context, 5, bonus);
                assert!(history.plain(Class::Quiet, 5).abs() <= LIMIT);
                assert!(i32::from(history.continuation[3 * history.slots + 5]).abs() <= LIMIT);
            }
            if bonus.abs() >= LIMIT {
                assert_eq!(history.plain(Class::Quiet, 5).signum(), bonus.signum());
            }
        }
    }

    #[test]
    fn what_fades_comes_near_zero_and_keeps_its_sign() {
        let mut history = History::new(8);
        history.learn(Class::Quiet, 5, 8000);
        history.learn(Class::Quiet, 6, -8000);
        history.fade();
        assert_eq!([5, 6].map(|slot| history.plain(Class::Quiet, slot)), [7000, -7000]);
        (1..=100).for_each(|time| (0..3).for_each(|more| history.fade_every(4096, 4096 * time + more)));
        assert_eq!([5, 6].map(|slot| history.plain(Class::Quiet, slot)), [7, -7]);
    }

    #[test]
    fn sides_classes_and_contexts_do_not_share_values() {
        let mut history = History::new(8);
        let first = history.slot(Side::First, 7);
        let second = history.slot(Side::Second, 7);
        history.learn(Class::Quiet, first, 1000);
        history.learn_continued(&[first, 0, 0, 0, 0, 0], second, 1000);
        assert_eq!(history.plain(Class::Quiet, second), 0);
        assert_eq!(history.plain(Class::Tactical, first), 0);
        assert!(history.continued(&[first, 0, 0, 0, 0, 0], second) > 0);
        assert_eq!(history.continued(&[second, 0, 0, 0, 0, 0], second), 0);
        assert_eq!(history.continued(&[0; 6], second), 0);
    }
}
