//! Positions to learn from, as the evaluation sees them.
//!
//! The evaluation is linear: every number of the weights has a slot, and a position says how often each slot counts.

use crate::LabError;
use crate::family::{self, Work};
use crate::games::Record;
use polyply_core::game::{Game, Notation, Side};
use polyply_core::refusal::Refusal;
use polyply_five::rule::Rule;
use polyply_five::settings::Kind;
use polyply_five::shape::Code;
use polyply_five::{CaptureWeights, Five, Menace, Terms};
use std::path::PathBuf;

/// The slots of cells: codes of the side to move, then of the other one.
pub const CELL: usize = 0;
/// The slots of pairs of threats at hand.
pub const PAIR: usize = CELL + 2 * Code::COUNT;
/// The slots of captured pairs.
pub const CAPTURED: usize = PAIR + Menace::COUNT * Menace::COUNT;
/// The slots of captures at hand.
pub const THREAT: usize = CAPTURED + CaptureWeights::PAIRS;
/// How many slots there are.
pub const SLOTS: usize = THREAT + 2 * CaptureWeights::MISSING;

/// How often a slot counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Term {
    /// The slot.
    pub slot: u16,
    /// How often; below 0 where it counts for the side that waits.
    pub count: i16,
}

/// Positions with what became of them. All is seen from the side to move.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    terms: Vec<Term>,
    ends: Vec<usize>,
    /// The points the side to move got: 1, ½ or 0.
    pub results: Vec<f32>,
    /// What the search thought.
    pub scores: Vec<f32>,
    /// The game each position is of.
    pub games: Vec<u32>,
    /// How many games there are.
    pub game_count: u32,
}

impl Samples {
    /// The positions of the games in these files, all of one kind.
    pub fn load(kind: Kind, paths: &[PathBuf]) -> Result<Samples, LabError> {
        let mut samples = Samples::default();
        family::replay(kind, paths, |game, record| family::with(game, Replay { samples: &mut samples, record }))?;
        if samples.is_empty() {
            return Err(LabError::Call("there is no position to learn from in these files".into()));
        }
        Ok(samples)
    }

    /// Adds a position.
    pub fn add(&mut self, terms: &[Term], result: f32, score: f32) {
        self.terms.extend_from_slice(terms);
        self.ends.push(self.terms.len());
        self.results.push(result);
        self.scores.push(score);
        self.games.push(self.game_count);
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// There is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// What the evaluation sees of a position.
    #[inline]
    pub fn terms(&self, index: usize) -> &[Term] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.terms[start..self.ends[index]]
    }
}

/// Plays a game over and takes what can be learned from.
struct Replay<'a> {
    samples: &'a mut Samples,
    record: &'a Record,
}

impl Work for Replay<'_> {
    type Out = Result<(), Refusal>;

    fn run<R: Rule>(self, mut game: Five<R>) -> Self::Out {
        let Replay { samples, record } = self;
        // A random move may have thrown the game away: what comes before it did not lead to the result.
        let from = record.scores.iter().rposition(Option::is_none).map_or(0, |last| last + 1);
        let mut counted = Counter::default();
        for (at, text) in record.moves.iter().enumerate() {
            let score = record.scores[at].filter(|score| at >= from && score.plies_to_end().is_none());
            if let Some(score) = score
                && game.is_settled()
            {
                let side = game.side();
                let first_got = record.end.points();
                let result = if side == Side::First { first_got } else { 1.0 - first_got };
                samples.add(counted.count(&game.terms()), result, score.for_side(side).value() as f32);
            }
            let mv = game.parse_move(text)?;
            game.play(mv, &mut ());
        }
        samples.game_count += 1;
        Ok(())
    }
}

/// Sums the codes of cells up.
struct Counter {
    counts: Vec<i16>,
    terms: Vec<Term>,
}

impl Default for Counter {
    fn default() -> Self {
        Counter { counts: vec![0; SLOTS], terms: Vec::new() }
    }
}

impl Counter {
    fn count(&mut self, terms: &Terms) -> &[Term] {
        self.terms.clear();
        for (side, codes) in terms.codes.iter().enumerate() {
            codes.iter().for_each(|code| self.add(CELL + side * Code::COUNT + code, side, 1));
            self.add(CAPTURED + terms.captured[side], side, 1);
            let threat = THREAT + side * CaptureWeights::MISSING + terms.missing[side];
            self.add(threat, side, terms.capturing[side] as i16);
        }
        let [own, other] = terms.menaces;
        self.add(PAIR + own * Menace::COUNT + other, 0, 1);
        for term in &mut self.terms {
            term.count = std::mem::take(&mut self.counts[usize::from(term.slot)]);
        }
        self.terms.retain(|term| term.count != 0);
        &self.terms
    }

    fn add(&mut self, slot: usize, side: usize, count: i16) {
        if self.counts[slot] == 0 && count != 0 {
            self.terms.push(Term { slot: slot as u16, count: 0 });
        }
        self.counts[slot] += if side == 0 { count } else { -count };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyply_five::Weights;
    use polyply_five::rule::Freestyle;

    #[test]
    fn counted_terms_weigh_what_the_evaluation_says() {
        let weights = Weights::handmade();
        let game = Five::<Freestyle>::start().parse("h8 i9 h9 i10 h11 g7").unwrap();
        let terms = game.terms();
        let mut cells = 0;
        let mut rest = 0;
        for term in Counter::default().count(&terms) {
            let (slot, count) = (usize::from(term.slot), i32::from(term.count));
            match slot {
                CELL..PAIR => cells += count * i32::from(weights.cell[slot % Code::COUNT][slot / Code::COUNT]),
                PAIR..CAPTURED => {
                    rest +=
                        count * i32::from(weights.pair[(slot - PAIR) / Menace::COUNT][(slot - PAIR) % Menace::COUNT]);
                }
                _ => panic!("nothing is captured in freestyle"),
            }
        }
        assert_eq!(cells / Weights::FRACTION + rest, terms.value(&weights));
    }

    #[test]
    fn positions_before_a_random_move_are_left_out() {
        let line = "freestyle:15\t0\t1-0\th8 i9 h9 i10 g8 j9\t- 10 - 20 30 +w9";
        let (_, record) = Record::parse(line).unwrap();
        let mut samples = Samples::default();
        Replay { samples: &mut samples, record: &record }.run(Five::<Freestyle>::start()).unwrap();
        assert_eq!(samples.scores, [-20.0, 30.0]);
        assert_eq!(samples.results, [0.0, 1.0]);
    }
}
