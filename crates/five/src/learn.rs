//! How the weights of five in a row are learned from games.
//!
//! Most codes of a cell are rare, so the weight of a code is a sum of parts: one for each of its four patterns, one for
//! each pair of them, and a residual of the code itself. A prior keeps each part near 0, the residual most of all, so
//! that a rare code is worth what its patterns are worth.

use crate::capture::PairEffects;
use crate::cell::{Cell, DIRECTIONS};
use crate::eval::{Choice, Evaluator, Terms};
use crate::net;
use crate::pattern::Pattern;
use crate::policy::ROWS;
use crate::position::Five;
use crate::rule::Rule;
use crate::shape::Code;
use crate::weights::{CaptureWeights, ThreatSet, Weights};
use polyply_core::game::{Game, SearchGame};
use polyply_core::learn::{
    EachChoice, Features, Learning, Linear, Loss, Model, Net, Order, Parts, Policy, Recipe, Schedule, View,
};
use polyply_core::weights::Tables;
use polyply_nn::PolicyShape;

/// The evaluation at which the chance to win is e times the chance to lose.
const UNIT: f32 = 200.0;

/// The slots of cells: codes of the side to move, then of the opponent.
const CELL: usize = 0;
/// The slots of pairs of threat sets.
const PAIR: usize = CELL + 2 * Code::COUNT;
/// The slots of captured pairs.
const CAPTURED: usize = PAIR + PAIRS;
/// The slots of threatened captures.
const THREAT: usize = CAPTURED + CaptureWeights::PAIRS;
/// The number of slots.
const SLOTS: usize = THREAT + 2 * CaptureWeights::MISSING;

/// Parts of the cells of a side: lines, pairs of lines, and residuals of codes.
const LINES: usize = Pattern::COUNT;
const CROSSES: usize = Pattern::COUNT * Pattern::COUNT;
const CELL_PARTS: usize = LINES + CROSSES + Code::COUNT;
/// Parts of the threats of a side: one for each kind, and one for each set of kinds.
const THREAT_SET_PARTS: usize = ThreatSet::KINDS.len() + ThreatSet::COUNT;
/// The parts of pairs begin here: own threats, the opponent's, and residuals of pairs.
const PAIR_PARTS: usize = 2 * CELL_PARTS;
const PAIRS: usize = ThreatSet::COUNT * ThreatSet::COUNT;
/// Every other slot has one part of its own.
const REST_PARTS: usize = PAIR_PARTS + 2 * THREAT_SET_PARTS + PAIRS;

/// The standard deviation of the prior for each kind of part, in logits.
const SPREAD_LINE: f32 = 1.0;
const SPREAD_CROSS: f32 = 0.2;
const SPREAD_CODE: f32 = 0.1;
const SPREAD_KIND: f32 = 1.0;
const SPREAD_THREAT_SET: f32 = 0.5;
const SPREAD_PAIR: f32 = 0.3;
const SPREAD_CAPTURE: f32 = 1.0;

/// In the order of moves, the slots of distances from the opponent's last stone and from one's own follow those of
/// codes.
const NEAR: usize = 2 * Code::COUNT;
/// The slots of effects on pairs.
const PAIR_EFFECTS: usize = NEAR + 2 * Cell::DISTANCES;
const PAIR_EFFECT: usize = PairEffects::COUNTS * CaptureWeights::MISSING;
const ORDER_SLOTS: usize = PAIR_EFFECTS + PairEffects::KINDS * PAIR_EFFECT;

/// The declaration for learning.
pub(crate) fn learning<R: Rule>() -> Learning<Five<R>> {
    Learning {
        sections: || Weights::SECTIONS.to_vec(),
        linear: Some(Linear {
            recipe: Recipe {
                // The numbers are in logits, see `fraction`.
                loss: Loss::Logistic { unit: Some(1.0), units: [20.0, 5000.0], rounds: 30 },
                held_out: 10,
                batch: 512,
                schedule: Schedule::Patient { first: 0.01, last: 0.0002, patience: 2, gain: 1e-5 },
                independent: 0.2,
                even: false,
            },
            view: View::SideToMove,
            model: |eval, fresh| model(eval.weights(), fresh),
            features: |game, _, out| count(&game.terms(), out),
            is_quiet: |game, _| game.is_settled(),
            tables: |eval, numbers| linear_tables(eval.weights(), numbers),
        }),
        order: Some(Order {
            recipe: Recipe {
                loss: Loss::Choice,
                held_out: 10,
                batch: 256,
                schedule: Schedule::Decaying { first: 0.02, factor: 0.8, epochs: 12 },
                independent: 1.0,
                even: true,
            },
            model: order_model,
            choices: |game, each| game.ordered().iter().for_each(|choice| each(choice.cell, &order_slots(choice))),
            tables: |eval: &Evaluator, numbers| order_tables(eval.weights(), numbers),
        }),
        probcut: None,
        net: Some(Net {
            features: net::FEATURES,
            perspectives: net::PERSPECTIVES,
            buckets: net::BUCKETS,
            activation: net::ACTIVATION,
            hidden: net::HIDDEN,
            middle: net::MIDDLE,
            pooled: true,
            inputs: |game, eval, out| {
                net::inputs(game, out);
                out.base = game.terms().value(eval.weights()).clamp(-32_000, 32_000) as i16;
            },
            is_quiet: |game, _| game.is_settled(),
        }),
        policy: Some(Policy {
            rows: ROWS,
            active: DIRECTIONS,
            choices: policy_choices,
            tables: |eval: &Evaluator, numbers| {
                let mut tables = eval.weights().tables();
                let shape = PolicyShape { rows: ROWS, active: DIRECTIONS };
                tables.truncate(tables.len() - 3);
                tables.extend(polyply_nn::Policy::quantise(shape, numbers));
                tables
            },
        }),
    }
}

/// Calls `each` with every move that the search considers: its order by the weights, and the lines through it.
fn policy_choices<R: Rule>(game: &Five<R>, eval: &Evaluator, each: EachChoice<'_, Cell>) {
    let mut game = game.clone();
    game.prepare(eval);
    for choice in game.ordered() {
        let order = game.linear_order(choice.cell) as f32 / Weights::ORDER_UNIT as f32;
        let views = game.board.policy_rows(choice.cell, game.side().index());
        each(choice.cell, order, views.each_ref().map(|rows| &rows[..]));
    }
}

/// The initial weights of the evaluation, and their parts.
fn model(weights: &Weights, fresh: bool) -> Model {
    let mut start = slots_of(weights);
    if fresh {
        // Some pairs and captures never occur, so they keep their hand-made values; cells do not.
        start[CELL..PAIR].fill(0.0);
    }
    let (mut members, mut spreads) = cell_parts();
    let mut add = |slot: usize, part: usize| members.push((slot as u32, part as u32));
    for pair in 0..PAIRS {
        for (side, threat_set) in [pair / ThreatSet::COUNT, pair % ThreatSet::COUNT].into_iter().enumerate() {
            let base = PAIR_PARTS + side * THREAT_SET_PARTS;
            for kind in (0..ThreatSet::KINDS.len()).filter(|kind| threat_set >> kind & 1 != 0) {
                add(PAIR + pair, base + kind);
            }
            add(PAIR + pair, base + ThreatSet::KINDS.len() + threat_set);
        }
        add(PAIR + pair, PAIR_PARTS + 2 * THREAT_SET_PARTS + pair);
    }
    for rest in 0..SLOTS - CAPTURED {
        add(CAPTURED + rest, REST_PARTS + rest);
    }
    let mut allow = |count: usize, spread: f32| spreads.extend(std::iter::repeat_n(spread, count));
    for _ in 0..2 {
        allow(ThreatSet::KINDS.len(), SPREAD_KIND);
        allow(ThreatSet::COUNT, SPREAD_THREAT_SET);
    }
    allow(PAIRS, SPREAD_PAIR);
    allow(SLOTS - CAPTURED, SPREAD_CAPTURE);
    Model::single(start, Parts::Sums { members, spreads })
}

/// The parts of the codes' weights, and their spreads.
fn cell_parts() -> (Vec<(u32, u32)>, Vec<f32>) {
    let (mut members, mut spreads) = (Vec::new(), Vec::new());
    for side in 0..2 {
        let base = side * CELL_PARTS;
        for code in 0..Code::COUNT {
            let mut add = |part: usize| members.push(((side * Code::COUNT + code) as u32, (base + part) as u32));
            let patterns = Code::patterns(code).map(|pattern| pattern as usize);
            for (place, &one) in patterns.iter().enumerate() {
                add(one);
                patterns[place + 1..].iter().for_each(|&two| add(LINES + one * Pattern::COUNT + two));
            }
            add(LINES + CROSSES + code);
        }
        for (count, spread) in [(LINES, SPREAD_LINE), (CROSSES, SPREAD_CROSS), (Code::COUNT, SPREAD_CODE)] {
            spreads.extend(std::iter::repeat_n(spread, count));
        }
    }
    (members, spreads)
}

/// In the order of moves, the codes' weights have the same parts; the others have no prior.
fn order_model() -> Model {
    let (mut members, mut spreads) = cell_parts();
    for slot in NEAR..ORDER_SLOTS {
        members.push((slot as u32, spreads.len() as u32));
        spreads.push(f32::INFINITY);
    }
    Model::single(vec![0.0; ORDER_SLOTS], Parts::Sums { members, spreads })
}

/// Counts the features of a position.
fn count(terms: &Terms, out: &mut Features) {
    let mut counts = vec![0_i16; SLOTS];
    let mut add = |slot: usize, side: usize, count: i16| {
        if counts[slot] == 0 && count != 0 {
            out.terms.push((slot as u32, 0));
        }
        counts[slot] += if side == 0 { count } else { -count };
    };
    for (side, codes) in terms.codes.iter().enumerate() {
        codes.iter().for_each(|code| add(CELL + side * Code::COUNT + code, side, 1));
        add(CAPTURED + terms.captured[side], side, 1);
        let threat = THREAT + side * CaptureWeights::MISSING + terms.missing[side];
        add(threat, side, terms.capturing[side] as i16);
    }
    let [own, other] = terms.threat_sets;
    add(PAIR + own * ThreatSet::COUNT + other, 0, 1);
    for (slot, count) in &mut out.terms {
        *count = std::mem::take(&mut counts[*slot as usize]);
    }
    out.terms.retain(|&(_, count)| count != 0);
    out.phases.push((0, 1.0));
}

/// The weights of cells are in fractions of the evaluation's unit.
fn fraction(slot: usize) -> f32 {
    if slot < PAIR { Weights::FRACTION as f32 } else { 1.0 }
}

/// Weights by slot, in logits.
fn slots_of(weights: &Weights) -> Vec<f32> {
    let cells = (0..2).flat_map(|side| weights.cell[..Code::COUNT].iter().map(move |cell| cell[side]));
    let pairs = weights.pair.iter().flatten().copied();
    let CaptureWeights { pairs: captured, threat, .. } = weights.capture;
    let numbers = cells.chain(pairs).chain(captured).chain(threat.into_iter().flatten());
    numbers.enumerate().map(|(slot, number)| f32::from(number) / fraction(slot) / UNIT).collect()
}

/// The inverse of [`slots_of`], rounded; the other tables are unchanged.
fn linear_tables(weights: &Weights, slots: &[f32]) -> Tables {
    let number = |slot: usize| rounded(slots[slot] * fraction(slot) * UNIT);
    let mut tables = weights.tables();
    tables[0] = (0..Code::COUNT).flat_map(|code| [number(CELL + code), number(CELL + Code::COUNT + code)]).collect();
    tables[1] = (PAIR..CAPTURED).map(number).collect();
    tables[2] = (CAPTURED..THREAT).map(number).collect();
    tables[3] = (THREAT..SLOTS).map(number).collect();
    tables
}

fn order_tables(weights: &Weights, slots: &[f32]) -> Tables {
    let number = |slot: usize| rounded(slots[slot] * Weights::ORDER_UNIT as f32);
    let mut tables = weights.tables();
    tables[4] = (0..Code::COUNT).flat_map(|code| [number(code), number(Code::COUNT + code)]).collect();
    tables[5] = (NEAR..PAIR_EFFECTS).map(number).collect();
    tables[6] = (PAIR_EFFECTS..ORDER_SLOTS).map(number).collect();
    tables
}

fn rounded(number: f32) -> i16 {
    number.round().clamp(-32_000.0, 32_000.0) as i16
}

fn order_slots(choice: &Choice) -> [u32; 4 + PairEffects::KINDS] {
    let ([own, other], [from_other, from_own]) = (choice.codes, choice.distances);
    let effect = |kind: usize| {
        PAIR_EFFECTS + kind * PAIR_EFFECT + choice.pair_effects[kind] * CaptureWeights::MISSING + choice.missing[kind]
    };
    let [takes, saves, risks, aims] = std::array::from_fn(effect);
    let (from_other, from_own) = (NEAR + from_other, NEAR + Cell::DISTANCES + from_own);
    [own, Code::COUNT + other, from_other, from_own, takes, saves, risks, aims].map(|slot| slot as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::Freestyle;
    use polyply_core::game::Notation;

    #[test]
    fn weights_survive_the_way_to_slots_and_back() {
        let weights = Weights::handmade();
        assert_eq!(linear_tables(&weights, &slots_of(&weights)), weights.tables());
    }

    #[test]
    fn every_slot_has_parts_and_every_part_a_spread() {
        for model in [model(&Weights::handmade(), true), order_model()] {
            let Parts::Sums { members, spreads } = &model.parts else { panic!("weights are sums") };
            let slots: std::collections::HashSet<u32> = members.iter().map(|&(slot, _)| slot).collect();
            assert_eq!(slots.len(), model.slots);
            assert_eq!(members.iter().map(|&(_, part)| part as usize).max(), Some(spreads.len() - 1));
        }
    }

    #[test]
    fn counted_terms_weigh_what_the_evaluation_says() {
        let weights = Weights::handmade();
        let game = Five::<Freestyle>::start().parse("h8 i9 h9 i10 h11 g7").unwrap();
        let terms = game.terms();
        let mut features = Features::default();
        count(&terms, &mut features);
        let mut cells = 0;
        let mut rest = 0;
        for &(slot, count) in &features.terms {
            let (slot, count) = (slot as usize, i32::from(count));
            match slot {
                CELL..PAIR => cells += count * i32::from(weights.cell[slot % Code::COUNT][slot / Code::COUNT]),
                PAIR..CAPTURED => {
                    rest += count
                        * i32::from(weights.pair[(slot - PAIR) / ThreatSet::COUNT][(slot - PAIR) % ThreatSet::COUNT]);
                }
                _ => panic!("nothing is captured in freestyle"),
            }
        }
        assert_eq!(cells / Weights::FRACTION + rest, terms.value(&weights));
    }
}
