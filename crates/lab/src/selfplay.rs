//! Games that the engine plays against itself, of any kind.
//!
//! A game depends on nothing but its number, the seed, the nodes a move and the evaluation: whoever plays number 17
//! gets the same game, on however many threads and in whatever order.

use crate::games::{End, Record};
use crate::opening::fair_opening;
use polyply_core::clock::Limits;
use polyply_core::family::Family;
use polyply_core::game::{Outcome, SearchGame};
use polyply_core::lock::lock;
use polyply_core::params::ParamSet;
use polyply_core::random::Random;
use polyply_core::score::FirstScore;
use polyply_core::table::{EvalCache, SearchTt};
use polyply_core::{Searcher, Task};
use polyply_engine::{Board, EngineError, Score, Variant};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, mpsc};

/// How games are played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pace {
    /// Nodes a move.
    pub nodes: u64,
    /// What the openings are drawn from.
    pub seed: u64,
    /// Games at a time, each on one thread.
    pub threads: usize,
}

/// Bytes of a player's table: enough for the nodes of a few moves, and quickly emptied.
const TABLE: usize = 1 << 20;
/// Plies of a look that a player can afford whatever its nodes.
const SHORT_LOOK: i32 = 6;
/// Moves after the opening among which a random one may be.
const UNSTEADY: usize = 8;
/// Each of them is random once in so many times.
const SLIP: usize = 12;
/// A random move is the most promising of so many.
const SLIP_CHOOSINESS: usize = 3;
/// A game that has not ended by then is called a draw; only games without a natural end get there.
const LONGEST: usize = 600;

/// One player: a searcher of its own, on one thread.
pub struct Seat<G: SearchGame> {
    searcher: Searcher<G>,
    nodes: u64,
}

impl<G: Family> Seat<G> {
    /// A player with this evaluation.
    pub fn new(eval: &G::Eval, nodes: u64) -> Self {
        let (table, cache) = (Arc::new(SearchTt::new(TABLE)), Arc::new(EvalCache::off()));
        let mut searcher = Searcher::<G>::new(eval.clone(), table, cache);
        for &(name, value) in G::ABOUT.selfplay {
            let _ = searcher.game_params().set(name, value);
        }
        Seat { searcher, nodes }
    }

    /// Forgets everything.
    pub fn new_game(&mut self) {
        self.searcher.table().flush();
        self.searcher.new_game();
    }

    /// The move it plays where the game goes on, and what it thinks of it.
    pub fn choose(&mut self, game: &G) -> (G::Move, FirstScore) {
        // What the game solves after a short look is solved.
        let solved = G::FINISHES && game.certainty(game.deepen(SHORT_LOOK)) == Some(100);
        let limits = if solved { Limits::default() } else { Limits::nodes(self.nodes) };
        let best = self.searcher.search(game, &Task::new(limits), &mut |_| ());
        (best.mv().expect("there is a move while the game goes on"), best.score().unwrap_or_default())
    }

    /// What it thinks of a position at a short look.
    pub fn glance(&mut self, game: &G) -> FirstScore {
        let limits = Limits::nodes((self.nodes / 2).max(1));
        self.searcher.search(game, &Task::new(limits), &mut |_| ()).score().unwrap_or_default()
    }
}

/// What is played: the variant as the engine knows it, and as a type.
pub struct Played<'a, G: SearchGame> {
    /// The variant.
    pub variant: &'a Variant,
    /// Its start.
    pub start: &'a G,
    /// How both sides judge.
    pub eval: &'a G::Eval,
}

impl<G: Family> Played<'_, G> {
    /// The position after moves.
    fn after(&self, moves: &[String]) -> Result<G, EngineError> {
        let refuse = |text: &String| {
            let text = text.clone();
            move |reason| EngineError::Move { text, reason }
        };
        moves.iter().try_fold(self.start.clone(), |mut game, text| {
            let mv = game.parse_move(text).map_err(refuse(text))?;
            game.play(mv, &mut ());
            Ok(game)
        })
    }
}

/// Plays one game by its number; `None` if it was told to stop.
pub fn play<G: Family>(
    played: &Played<'_, G>,
    seat: &mut Seat<G>,
    seed: u64,
    number: u64,
    stop: &AtomicBool,
) -> Result<Option<Record>, EngineError> {
    let mut random = Random::of(seed, number);
    seat.new_game();
    let mut record = Record { number, end: End::Draw, moves: Vec::new(), scores: Vec::new() };
    let mut judge = |board: &Board| {
        let score = seat.glance(&played.after(board.moves()).ok()?);
        Some(score.plies_to_end().map_or(Score::Centi(score.value()), Score::Win))
    };
    let mut board = fair_opening(played.variant, &mut judge, &mut random)?;
    for mv in board.moves() {
        record.add(mv.clone(), None);
    }
    let mut game = played.after(&record.moves)?;
    let steady = record.moves.len() + UNSTEADY;
    while record.moves.len() < LONGEST {
        if let Some(outcome) = game.outcome() {
            record.end = End::of(outcome);
            break;
        }
        if stop.load(Relaxed) {
            return Ok(None);
        }
        let (mv, score) = if record.moves.len() < steady && random.once_in(SLIP) {
            let text = board.draw(SLIP_CHOOSINESS, &mut |end| random.scaled(end))?;
            (game.parse_move(&text).map_err(|reason| EngineError::Move { text, reason })?, None)
        } else {
            let (mv, score) = seat.choose(&game);
            (mv, Some(score))
        };
        let text = game.move_text(mv);
        board.play(&text)?;
        record.add(text, score);
        // What is proven need not be played.
        if let Some(plies) = score.and_then(FirstScore::plies_to_end) {
            record.end = if plies > 0 { End::FirstWins } else { End::SecondWins };
            break;
        }
        game.play(mv, &mut ());
    }
    Ok(Some(record))
}

impl End {
    /// How a game ended, points being won by whoever has more.
    pub fn of(outcome: Outcome) -> End {
        use polyply_core::game::Side;
        match outcome {
            Outcome::Win(Side::First) => End::FirstWins,
            Outcome::Win(Side::Second) => End::SecondWins,
            Outcome::Draw | Outcome::Points(0) => End::Draw,
            Outcome::Points(points) if points > 0 => End::FirstWins,
            Outcome::Points(_) => End::SecondWins,
        }
    }
}

/// Plays the games of these numbers. `each` gets them as they end, which is not their order, and may refuse to go on.
pub fn run<G: Family, E: Send + From<EngineError>>(
    played: &Played<'_, G>,
    pace: Pace,
    numbers: &[u64],
    stop: &AtomicBool,
    each: &mut dyn FnMut(Record) -> Result<(), E>,
) -> Result<(), E> {
    let next = Mutex::new(numbers.iter().copied());
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..pace.threads.max(1) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                let mut seat = Seat::new(played.eval, pace.nodes);
                let take = || lock(next).next();
                while let Some(number) = take() {
                    let game = play(played, &mut seat, pace.seed, number, stop).transpose();
                    let Some(game) = game else { break };
                    if sender.send(game).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for game in receiver {
            if let Err(error) = game.map_err(E::from).and_then(&mut *each) {
                stop.store(true, Relaxed);
                return Err(error);
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyply_core::game::Notation;
    use polyply_five::rule::{Freestyle, Rule};
    use polyply_five::{Evaluator, Five, Weights};
    use polyply_small::connect4::Connect4;

    fn games<G: Family>(variant: &str, eval: &G::Eval, seed: u64, threads: usize) -> Vec<Record> {
        let pace = Pace { nodes: 200, seed, threads };
        let mut records = Vec::new();
        let mut keep = |record| -> Result<(), EngineError> {
            records.push(record);
            Ok(())
        };
        let played = Played { variant: &Variant::find(variant).unwrap(), start: &G::start(), eval };
        run(&played, pace, &[0, 1, 2, 3], &AtomicBool::new(false), &mut keep).unwrap();
        records.sort_by_key(|record| record.number);
        records
    }

    fn check<G: Family>(variant: &str, eval: &G::Eval) {
        let games = |seed, threads| games::<G>(variant, eval, seed, threads);
        let first = games(1, 1);
        assert_eq!(first, games(1, 1), "the same seed");
        assert_eq!(first, games(1, 2), "whatever the threads");
        assert_ne!(first, games(2, 1), "another seed");
        for record in &first {
            let mut game = G::start();
            for (at, text) in record.moves.iter().enumerate() {
                assert_eq!(game.outcome(), None, "move {at}");
                let mv = game.parse_move(text).unwrap();
                game.play(mv, &mut ());
            }
        }
    }

    #[test]
    fn a_game_depends_on_its_seed_and_number_only() {
        check::<Five<Freestyle>>("freestyle", &Evaluator::new(Weights::of(Freestyle::KIND)));
        check::<Connect4>("connect4", &<Connect4 as SearchGame>::Eval::default());
    }

    #[test]
    fn a_game_that_is_stopped_is_not_kept() {
        let eval = Evaluator::new(Weights::of(Freestyle::KIND));
        let mut seat = Seat::new(&eval, 50);
        let variant = Variant::find("freestyle").unwrap();
        let played = Played { variant: &variant, start: &Five::<Freestyle>::start(), eval: &eval };
        assert_eq!(play(&played, &mut seat, 1, 1, &AtomicBool::new(true)).unwrap(), None);
    }
}
