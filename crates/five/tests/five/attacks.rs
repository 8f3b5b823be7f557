//! Attacks by threats, and by fours where stones can be captured: a claimed win is played out against every first answer and
//! against answers of all kinds after it.

use crate::naive::Naive;
use crate::tactics::{Events, lively_move, rounds, settings};
use polyply_core::game::{Game, MoveList, Notation, Outcome, SearchGame};
use polyply_core::random::Random;
use polyply_core::resources::Standalone;
use polyply_five::Five;
use polyply_five::cell::Cell;
use polyply_five::rule::{Capture, Caro, Freestyle, Rule, Standard};

/// Large enough that what was proven is still there when it is asked for again.
const TABLE: usize = 1 << 22;

/// What an attack is called, its first move, and in how many plies it wins.
fn claim<R: Rule>(game: &Five<R>, resources: &mut Standalone<Five<R>>) -> Option<(&'static str, Cell, i32)> {
    let staged = game.clone().staged(&mut resources.lend())?;
    Some((staged.stage, staged.line[0], staged.score?.plies_to_end()?))
}

/// Plays a claimed win out: against every answer, or against a few of them.
fn play_out<R: Rule>(
    game: &Five<R>,
    (_, mv, plies): (&str, Cell, i32),
    every: bool,
    resources: &mut Standalone<Five<R>>,
    random: &mut Random,
) {
    let attacker = game.side();
    let mut game = game.clone();
    let text = game.text();
    game.play(mv, &mut ());
    if game.outcome().is_some() {
        assert_eq!(game.outcome(), Some(Outcome::Win(attacker)), "{} loses in {text}", game.move_text(mv));
        return;
    }
    assert!(plies > 1, "{} does not win at once in {text}", game.move_text(mv));
    let mut moves = MoveList::new();
    game.moves(&mut moves);
    let mut answers = moves.to_vec();
    if !every {
        answers = (0..2).filter_map(|_| random.pick(&answers)).collect();
        // The answers worth most attention stand on the line that the solver would expect.
        let line = game.clone().staged(&mut resources.lend()).map(|staged| staged.line);
        answers.extend(line.into_iter().flatten().filter(|answer| moves.contains(answer)).take(3));
    }
    for answer in answers {
        let mut after = game.clone();
        after.play(answer, &mut ());
        if after.outcome() == Some(Outcome::Win(attacker)) {
            continue;
        }
        let name = game.move_text(answer);
        assert_eq!(after.outcome(), None, "{name} ends the attack that was claimed in {text}");
        let next = claim(&after, resources);
        let next = next.unwrap_or_else(|| panic!("after {name} the attack claimed in {text} is gone"));
        // Another way to win may be found first, and be longer.
        assert!(game.stones() < 100, "the attack claimed in {text} does not end");
        play_out(&after, next, false, resources, random);
    }
}

/// Attacks of a stage that come up in lively games.
fn attacks_hold<R: Rule>(rules: &[(&str, &str)], size: usize, stage: &'static str, kind: usize, seed: u64) {
    let settings = settings(R::KIND.name(), size, rules);
    let mut random = Random::new(seed);
    let mut resources = Standalone::<Five<R>>::new(TABLE);
    let mut events = Events::default();
    let mut checked = 0;
    while checked < rounds(kind) {
        let mut oracle = Naive::new(settings);
        while oracle.outcome().is_none() && checked < rounds(kind) {
            let legal = oracle.legal_moves();
            let Some(point) = lively_move(&oracle, &legal, &mut random) else { break };
            oracle.play(point);
            if oracle.outcome().is_some() {
                break;
            }
            let game = Five::<R>::new(settings).parse(&oracle.setup.text()).unwrap();
            if let Some(found) = claim(&game, &mut resources)
                && found.0 == stage
                && found.2 >= 5
            {
                events.count(stage);
                checked += 1;
                play_out(&game, found, true, &mut resources, &mut random);
            }
        }
    }
    events.assert_at_least(&[(stage, kind)]);
}

#[test]
fn attacks_by_threats_win_against_every_answer_in_freestyle() {
    attacks_hold::<Freestyle>(&[], 11, "VCT", 5, 1);
}

#[test]
fn attacks_by_threats_win_against_every_answer_in_standard() {
    attacks_hold::<Standard>(&[], 11, "VCT", 5, 2);
}

#[test]
fn attacks_by_threats_win_against_every_answer_in_caro() {
    for (rules, seed) in crate::tactics::CARO.into_iter().zip(3..) {
        let rules = [rules[0], rules[1], ("opening", "none")];
        attacks_hold::<Caro>(&rules, 11, "VCT", 1, seed);
    }
}

#[test]
fn attacks_by_fours_win_against_every_answer_where_stones_can_be_captured() {
    for (breakable, seed) in ["free", "forced"].into_iter().zip(20..) {
        attacks_hold::<Capture>(&[("breakable_five", breakable)], 11, "VCF", 2, seed);
    }
}

#[test]
fn attacks_by_threats_win_against_every_answer_where_stones_can_be_captured() {
    for (breakable, seed) in ["free", "forced"].into_iter().zip(30..) {
        attacks_hold::<Capture>(&[("breakable_five", breakable)], 11, "VCT", 2, seed);
    }
}
