//! Learns the order of moves in five in a row: which of the moves that the search looks at is played.
//!
//! A move's place in the order is what its cell's code is worth to the side that moves and to the other one, what its
//! distances from the last stones of both are worth, and what it does to pairs where they can be captured, added up.
//! Under the softmax over all moves of a position, the moves that self-play chose are to be the most probable.

use crate::LabError;
use crate::adam::Adam;
use crate::family::{self, Work};
use crate::fit::Model;
use crate::games::Record;
use crate::samples::{CELL, SLOTS};
use polyply_core::game::{Game, Notation};
use polyply_core::random::Random;
use polyply_core::refusal::Refusal;
use polyply_five::cell::Cell;
use polyply_five::rule::Rule;
use polyply_five::settings::Kind;
use polyply_five::shape::Code;
use polyply_five::{CaptureWeights, Choice, Deeds, Five, Weights};
use std::path::PathBuf;

/// One game of so many is held out.
const HELD_OUT: usize = 10;
/// Positions of a step.
const BATCH: usize = 256;
/// Times that all positions are seen.
const EPOCHS: u32 = 12;
/// The step size of the first epoch, and what is left of it after each.
const RATE: f32 = 0.02;
const DECAY: f32 = 0.8;

/// The slots of distances, from the other's last stone and from one's own, come after those of the evaluation.
const NEAR: usize = SLOTS;
/// The slots of what moves do to pairs.
const DEEDS: usize = NEAR + 2 * Cell::DISTANCES;
const DEED: usize = Deeds::COUNTS * CaptureWeights::MISSING;
/// How many slots the order has that the evaluation has not.
const OWN: usize = DEEDS + Deeds::KINDS * DEED - NEAR;
/// The slots of one move.
const PARTS: usize = 4 + Deeds::KINDS;

/// Positions with the move that was chosen.
#[derive(Default)]
pub struct Choices {
    /// What the moves of all positions are made of, as slots.
    moves: Vec<[u16; PARTS]>,
    ends: Vec<usize>,
    /// Which move of each position was played.
    chosen: Vec<usize>,
    /// The game each position is of.
    games: Vec<u32>,
    /// How many games there are.
    pub game_count: u32,
}

impl Choices {
    /// The choices in the games of these files, all of one kind.
    pub fn load(kind: Kind, paths: &[PathBuf]) -> Result<Choices, LabError> {
        let mut choices = Choices::default();
        family::replay(kind, paths, |game, record| family::with(game, Replay { choices: &mut choices, record }))?;
        if choices.is_empty() {
            return Err(LabError::Call("there is no choice to learn from in these files".into()));
        }
        Ok(choices)
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.chosen.len()
    }

    /// There is none.
    pub fn is_empty(&self) -> bool {
        self.chosen.is_empty()
    }

    fn add(&mut self, moves: &[Choice], chosen: usize) {
        self.moves.extend(moves.iter().map(slots_of));
        self.ends.push(self.moves.len());
        self.chosen.push(chosen);
        self.games.push(self.game_count);
    }

    fn moves(&self, index: usize) -> &[[u16; PARTS]] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.moves[start..self.ends[index]]
    }
}

/// Plays a game over and takes its choices.
struct Replay<'a> {
    choices: &'a mut Choices,
    record: &'a Record,
}

impl Work for Replay<'_> {
    type Out = Result<(), Refusal>;

    fn run<R: Rule>(self, mut game: Five<R>) -> Self::Out {
        let Replay { choices, record } = self;
        for (text, score) in record.moves.iter().zip(&record.scores) {
            let mv = game.parse_move(text)?;
            // A random move was no choice, and where the end is proven any move that keeps it is as good.
            if score.is_some_and(|score| score.plies_to_end().is_none()) {
                let moves = game.choices();
                if moves.len() > 1
                    && let Some(place) = moves.iter().position(|choice| choice.cell == mv)
                {
                    choices.add(&moves, place);
                }
            }
            game.play(mv, &mut ());
        }
        choices.game_count += 1;
        Ok(())
    }
}

/// What the games held out say after a pass over the others.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Epoch {
    /// Its number, from 1.
    pub number: u32,
    /// The mean loss.
    pub loss: f32,
    /// How often the chosen move came first, among the first three, and among the first eight.
    pub among: [f32; 3],
}

/// Learns the order and puts it into the weights; `each` hears of every epoch.
pub fn fit(choices: &Choices, weights: &mut Weights, seed: u64, each: &mut dyn FnMut(&Epoch)) {
    let mut random = Random::of(seed, 0);
    let kept: Vec<bool> = (0..choices.game_count.max(1)).map(|_| !random.once_in(HELD_OUT)).collect();
    let is_kept = |&index: &usize| kept[choices.games[index] as usize];
    let (mut training, held_out): (Vec<usize>, Vec<usize>) = (0..choices.len()).partition(is_kept);
    let mut model = Model::new(None, 1.0 / training.len().max(1) as f32);
    let (mut own, mut own_adam) = (vec![0.0; OWN], Adam::new(OWN));
    let slots = |model: &Model, own: &[f32]| {
        let mut slots = model.slots();
        slots.extend(own);
        slots
    };
    let mut rate = RATE;
    for number in 1..=EPOCHS {
        random.shuffle(&mut training);
        for batch in training.chunks(BATCH) {
            let slots = slots(&model, &own);
            let mut gradient = vec![0.0; slots.len()];
            for &index in batch {
                let moves = choices.moves(index);
                for (place, (parts, odds)) in moves.iter().zip(softmax(moves, &slots)).enumerate() {
                    let hit = if place == choices.chosen[index] { 1.0 } else { 0.0 };
                    parts.iter().for_each(|&slot| gradient[usize::from(slot)] += (odds - hit) / batch.len() as f32);
                }
            }
            own_adam.step(&mut own, &gradient[NEAR..], &[1.0; OWN], rate);
            model.descend(&gradient[..NEAR], rate);
        }
        each(&judge(choices, &held_out, &slots(&model, &own), number));
        rate *= DECAY;
    }
    let slots = slots(&model, &own);
    let unit = Weights::ORDER_UNIT as f32;
    let number = |slot: usize| (slots[slot] * unit).round().clamp(-32_000.0, 32_000.0) as i16;
    for (code, order) in weights.order.iter_mut().enumerate() {
        *order = [number(CELL + code), number(CELL + Code::COUNT + code)];
    }
    for (slot, near) in weights.near.iter_mut().flatten().enumerate() {
        *near = number(NEAR + slot);
    }
    for (slot, deed) in weights.capture.deeds.iter_mut().flatten().flatten().enumerate() {
        *deed = number(DEEDS + slot);
    }
    *weights = weights.clone().hashed();
}

fn judge(choices: &Choices, held_out: &[usize], slots: &[f32], number: u32) -> Epoch {
    let (mut loss, mut among) = (0.0, [0.0; 3]);
    let share = 1.0 / held_out.len().max(1) as f32;
    for &index in held_out {
        let odds = softmax(choices.moves(index), slots);
        let chosen = odds[choices.chosen[index]];
        loss -= share * chosen.max(1e-9).ln();
        let before = odds.iter().filter(|&&other| other > chosen).count();
        for (among, first) in among.iter_mut().zip([1, 3, 8]) {
            *among += if before < first { share } else { 0.0 };
        }
    }
    Epoch { number, loss, among }
}

fn slots_of(choice: &Choice) -> [u16; PARTS] {
    let ([own, other], [from_other, from_own]) = (choice.codes, choice.distances);
    let deed = |kind: usize| DEEDS + kind * DEED + choice.deeds[kind] * CaptureWeights::MISSING + choice.missing[kind];
    let [takes, saves, risks, aims] = std::array::from_fn(deed);
    let (own, other) = (CELL + own, CELL + Code::COUNT + other);
    let (from_other, from_own) = (NEAR + from_other, NEAR + Cell::DISTANCES + from_own);
    [own, other, from_other, from_own, takes, saves, risks, aims].map(|slot| slot as u16)
}

/// The chance of each move to be chosen.
fn softmax(moves: &[[u16; PARTS]], slots: &[f32]) -> Vec<f32> {
    let mut odds: Vec<f32> =
        moves.iter().map(|parts| parts.iter().map(|&slot| slots[usize::from(slot)]).sum()).collect();
    let top = odds.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    odds.iter_mut().for_each(|odds| *odds = (*odds - top).exp());
    let sum: f32 = odds.iter().sum();
    odds.iter_mut().for_each(|odds| *odds /= sum);
    odds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_always_chosen_comes_first() {
        // Each position has three moves; the one whose own code is the largest is chosen, and one distance helps it.
        let mut random = Random::of(3, 0);
        let mut choices = Choices::default();
        for _ in 0..3000 {
            let mut choice = || Choice {
                cell: Cell::at(0, 0),
                codes: [random.scaled(40), random.scaled(40)],
                distances: [random.scaled(8), random.scaled(8)],
                deeds: [0; 4],
                missing: [0; 4],
            };
            let moves = [choice(), choice(), choice()];
            let worth = |place: usize| moves[place].codes[0] + if moves[place].distances[0] == 2 { 10 } else { 0 };
            let best = (0..3).max_by_key(|&place| worth(place)).expect("there are three");
            choices.add(&moves, best);
            choices.game_count += 1;
        }
        let mut weights = Weights::handmade();
        let mut last = None;
        fit(&choices, &mut weights, 1, &mut |epoch| last = Some(*epoch));
        let last = last.expect("there were epochs");
        assert!(last.among[0] > 0.8, "{last:?}");
        assert!(weights.order[39][0] > weights.order[20][0] && weights.order[20][0] > weights.order[0][0]);
        assert_eq!((0..8).max_by_key(|&distance| weights.near[0][distance]), Some(2));
    }
}
