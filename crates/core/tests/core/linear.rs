//! A game with a plain linear evaluation: its weights come from a setup and can be learned.

use polyply_core::family::{About, Setup};
use polyply_core::game::{Class, Evaluation, Game, MoveList, MoveSink, Observer, Outcome, SearchGame, Side};
use polyply_core::learn::Features;
use polyply_core::linear::{LinearEval, LinearGame, Table, learning};
use polyply_core::params::NoParams;
use polyply_core::weights;

/// Each player adds 1 or 2 to a counter until one of them has ten.
#[derive(Clone)]
struct Race {
    counters: [u8; 2],
    side: Side,
}

impl Game for Race {
    type Move = u16;
    type Undo = ();
    type Change = ();

    fn side(&self) -> Side {
        self.side
    }

    fn key(&self) -> u64 {
        let [one, other] = self.counters.map(u64::from);
        one << 16 | other << 8 | self.side.index() as u64
    }

    fn recomputed_key(&self) -> u64 {
        self.key()
    }

    fn moves(&self, out: &mut MoveList<u16>) {
        if self.outcome().is_none() {
            out.extend([1, 2]);
        }
    }

    fn decode(&self, bits: u16) -> Option<u16> {
        [1, 2].contains(&bits).then_some(bits)
    }

    fn play<O: Observer<()>>(&mut self, mv: u16, _: &mut O) {
        self.counters[self.side.index()] += mv as u8;
        self.side = self.side.other();
    }

    fn undo<O: Observer<()>>(&mut self, mv: u16, (): (), _: &mut O) {
        self.side = self.side.other();
        self.counters[self.side.index()] -= mv as u8;
    }

    fn outcome(&self) -> Option<Outcome> {
        [Side::First, Side::Second].into_iter().find(|side| self.counters[side.index()] >= 10).map(Outcome::Win)
    }
}

impl SearchGame for Race {
    type Eval = LinearEval<Race>;
    type Params = NoParams;
    const HISTORY: usize = 3;

    fn history_slot(&self, mv: u16) -> usize {
        mv.into()
    }

    fn order(&self, class: Class, _: &NoParams, out: &mut MoveSink<'_, u16>) {
        if class == Class::Quiet {
            [1, 2].into_iter().for_each(|mv| out.push(mv, 0));
        }
    }
}

impl LinearGame for Race {
    const TABLES: &'static [Table] =
        &[Table::new("step", &[10]), Table::new("near", &[0, 5]), Table::new("tempo", &[8])];

    fn count(&self, tally: &mut impl FnMut(usize, i32)) {
        for (side, sign) in [(self.side, 1), (self.side.other(), -1)] {
            let counter = self.counters[side.index()];
            tally(0, sign * i32::from(counter));
            tally(1 + usize::from(counter >= 8), sign);
        }
        tally(3, 1);
    }
}

const ABOUT: About = About::new("race", "Race", "Who has ten first has won.");

fn open(weights: Option<&str>) -> Result<LinearEval<Race>, String> {
    let setup = Setup { weights: weights.map(str::to_owned), ..Setup::default() };
    LinearEval::open(&ABOUT, &setup).map_err(|refusal| refusal.to_string())
}

#[test]
fn features_times_weights_are_the_score() {
    let game = Race { counters: [3, 8], side: Side::First };
    let score = |weights: Option<&str>| open(weights).unwrap().score(&game).value();
    assert_eq!(score(None), -50 - 5 + 8);
    let learned = learning::<Race>();
    let linear = learned.linear.unwrap();
    let sections = (learned.sections)();
    let tables = (linear.tables)(&open(None).unwrap(), &[12.4, 1.0, 7.0, -3.0]);
    let text = weights::write("race", &sections, &tables, &[]);
    assert_eq!(score(Some(&text)), -60 + 1 - 7 - 3);
    assert_ne!(open(Some(&text)).unwrap().weights_hash(), open(None).unwrap().weights_hash());
    assert!(open(Some("nonsense")).err().unwrap().contains("begins with"));
    let mut features = Features::default();
    (linear.features)(&game, &open(None).unwrap(), &mut features);
    assert_eq!(features.terms, [(0, -5), (1, 1), (2, -1), (3, 1)]);
    assert_eq!((linear.model)(&open(None).unwrap(), true).start, [10.0, 0.0, 5.0, 8.0]);
}
