//! A whole game in one file, and the search playing it: `cargo run -p polyply-core --example heap`.
//!
//! Players take one to three stones from a heap. Whoever takes the last stone wins.

use polyply_core::clock::Limits;
use polyply_core::game::{Class, Evaluation, Game, MoveList, MoveSink, Observer, Outcome, SearchGame, Side};
use polyply_core::params::NoParams;
use polyply_core::random::Random;
use polyply_core::score::Score;
use polyply_core::table::{EvalCache, SearchTt};
use polyply_core::{Searcher, Task};
use std::sync::Arc;

/// The position: what is on the heap, and whose turn it is.
#[derive(Clone)]
struct Heap {
    stones: u16,
    side: Side,
}

impl Heap {
    /// The numbers of stones that can be taken.
    fn takes(&self) -> std::ops::RangeInclusive<u16> {
        1..=self.stones.min(3)
    }
}

/// The rules.
impl Game for Heap {
    type Move = u16;
    type Change = ();
    type Undo = ();

    fn side(&self) -> Side {
        self.side
    }

    fn key(&self) -> u64 {
        // Tables use the high bits of a key, so they have to be mixed.
        Random::nth(self.side.index() as u64, u64::from(self.stones))
    }

    fn recomputed_key(&self) -> u64 {
        self.key()
    }

    fn moves(&self, out: &mut MoveList<u16>) {
        out.extend(self.takes());
    }

    fn decode(&self, bits: u16) -> Option<u16> {
        self.takes().contains(&bits).then_some(bits)
    }

    fn play<O: Observer<()>>(&mut self, stones: u16, _: &mut O) {
        self.stones -= stones;
        self.side = self.side.other();
    }

    fn undo<O: Observer<()>>(&mut self, stones: u16, _: (), _: &mut O) {
        self.stones += stones;
        self.side = self.side.other();
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.stones == 0).then(|| Outcome::Win(self.side.other()))
    }

    fn horizon(&self) -> i32 {
        i32::from(self.stones)
    }
}

/// An evaluation that knows nothing: the search has to find everything out.
#[derive(Clone)]
struct Even;

impl Observer<()> for Even {
    fn change(&mut self, _: ()) {}
}

impl Evaluation<Heap> for Even {
    fn reset(&mut self, _: &Heap) {}

    fn score(&mut self, _: &Heap) -> Score {
        Score::ZERO
    }

    fn weights_hash(&self) -> u64 {
        0
    }
}

/// What the search asks for: how to number moves in its history tables, and which moves to try first.
impl SearchGame for Heap {
    type Eval = Even;
    type Params = NoParams;

    const HISTORY: usize = 4;
    const TACTICAL: bool = false;

    fn history_slot(&self, stones: u16) -> usize {
        usize::from(stones)
    }

    fn order(&self, class: Class, _: &NoParams, out: &mut MoveSink<'_, u16>) {
        if class == Class::Quiet {
            self.takes().for_each(|stones| out.push(stones, 0));
        }
    }
}

fn main() {
    let table = Arc::new(SearchTt::new(1 << 20));
    let mut searcher = Searcher::new(Even, table, Arc::new(EvalCache::off()));
    let mut heap = Heap { stones: 21, side: Side::First };

    let solution = searcher.solve(&heap, Limits::default(), &mut |_, _, _| ());
    if let Some(plies) = solution.score().and_then(|score| score.plies_to_end()) {
        let winner = if plies > 0 { Side::First } else { Side::Second };
        println!("with best play, {winner:?} wins in {} moves", plies.abs());
    }

    while heap.outcome().is_none() {
        let best = searcher.search(&heap, &Task::new(Limits::nodes(10_000)), &mut |_| ());
        let stones = best.mv().expect("there are stones left to take");
        println!("{:?} takes {stones} of {}", heap.side, heap.stones);
        heap.play(stones, &mut ());
    }
    println!("{:?} has won", heap.side.other());
}
