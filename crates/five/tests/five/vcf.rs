//! Attacks by fours that are claimed to win, against every defence; those that are not found, against brute force; and
//! what else is taken for certain without a search.

use crate::naive::Naive;
use crate::tactics::{Events, point, rounds, settings};
use polyply_core::game::{Class, MoveSink, Notation, SearchGame, Side};
use polyply_core::random::Random;
use polyply_core::resources::Standalone;
use polyply_five::Five;
use polyply_five::notation::{BoardSetup, Point};
use polyply_five::rule::{Caro, Freestyle, Rule, Standard};

/// The table of one search, in bytes: small, so that its entries are replaced as well.
const TABLE: usize = 1 << 16;

/// What the engine says before any search.
enum Claim {
    /// The side to move wins by fours in so many plies, beginning with this move.
    Wins(Point, usize),
    /// It says nothing of the kind.
    Nothing,
    /// Another stage spoke first.
    Other,
}

fn claim<R: Rule>(position: &Naive, resources: &mut Standalone<Five<R>>) -> Claim {
    let mut game = Five::<R>::new(position.settings).parse(&position.setup.text()).unwrap();
    match game.staged(&mut resources.lend()) {
        None => Claim::Nothing,
        Some(staged) if staged.stage == "VCF" || staged.stage == "immediate win" => {
            let plies = staged.score.unwrap().plies_to_end().unwrap();
            assert!(staged.line.len() as i32 <= plies, "the line is longer than the win: {}", position.setup.text());
            Claim::Wins(point(staged.line[0]), plies as usize)
        }
        Some(_) => Claim::Other,
    }
}

fn after(position: &Naive, point: Point) -> Naive {
    let mut position = position.clone();
    position.play(point);
    position
}

/// The moves with which the side to move wins at once.
fn winning_moves(position: &Naive) -> Vec<Point> {
    position.empty_points().filter(|&point| position.makes_row(point, position.side())).collect()
}

/// The side that is not to move would win at once if it were.
fn is_threatened(position: &Naive) -> bool {
    position.empty_points().any(|point| position.makes_row(point, position.side().other()))
}

/// The moves after which the opponent has no five at hand.
fn stops(position: &Naive) -> Vec<Point> {
    let side = position.side();
    let stops = |&point: &Point| {
        let after = after(position, point);
        !after.empty_points().any(|point| after.makes_row(point, side.other()))
    };
    position.empty_points().filter(stops).collect()
}

/// The attacker, to move, wins by fours within so many plies: he plays any cell after which he has a five at hand and the
/// defender has none, and does so against every answer that takes it from him.
fn wins_by_fours(position: &Naive, plies: usize) -> bool {
    if !winning_moves(position).is_empty() {
        return plies >= 1;
    }
    let attacker = position.side();
    plies >= 3
        && position.empty_points().any(|point| {
            let four = after(position, point);
            four.empty_points().any(|five| four.makes_row(five, attacker))
                && winning_moves(&four).is_empty()
                && stops(&four).into_iter().all(|answer| wins_by_fours(&after(&four, answer), plies - 2))
        })
}

/// The claimed move wins within so many plies, whatever the defender does. What comes next is taken from the engine where
/// its claim is short enough, and searched for where it is not.
fn holds<R: Rule>(position: &Naive, first: Point, plies: usize, resources: &mut Standalone<Five<R>>) -> bool {
    if plies == 1 {
        return winning_moves(position).contains(&first);
    }
    let four = after(position, first);
    if four.outcome().is_some() || !is_threatened(&four) || !winning_moves(&four).is_empty() {
        return false;
    }
    stops(&four).into_iter().all(|answer| {
        let position = after(&four, answer);
        match claim(&position, resources) {
            Claim::Wins(next, longest) if longest + 2 <= plies => holds(&position, next, longest, resources),
            _ => plies >= 3 && wins_by_fours(&position, plies - 2),
        }
    })
}

/// Stones scattered over a board, more of the side to move than of the other: fours wherever one looks.
fn position<R: Rule>(rules: &[(&str, &str)], size: usize, dense: usize, random: &mut Random) -> Option<Naive> {
    let sides = [Side::First, Side::Second];
    let side = sides[random.below(2)];
    let mut setup = BoardSetup { side, ..BoardSetup::empty(size) };
    let (own, other) = (dense + random.below(15), dense / 2 + random.below(10));
    for cell in &mut setup.cells {
        let number = random.below(100);
        *cell = (number < own).then_some(side).or_else(|| (number < own + other).then_some(side.other()));
    }
    let game = Naive::from_setup(settings(R::KIND.name(), size, rules), setup);
    game.outcome().is_none().then_some(game)
}

fn claims<R: Rule>(rules: &[(&str, &str)]) {
    let mut events = Events::default();
    let mut random = Random::new(11);
    for _ in 0..rounds(400) {
        let size = 8 + random.below(5);
        let Some(position) = position::<R>(rules, size, 11, &mut random) else { continue };
        let mut resources = Standalone::<Five<R>>::new(TABLE);
        if let Claim::Wins(first, plies) = claim(&position, &mut resources) {
            let text = position.setup.text();
            assert!(holds(&position, first, plies, &mut resources), "no win in {plies} by {first:?}: {text}");
            events.count(match plies {
                1 => "win in 1",
                3 => "win in 3",
                _ => "longer win",
            });
        }
    }
    events.assert_at_least(&[("win in 1", 50), ("win in 3", 40), ("longer win", 20)]);
}

#[test]
fn a_win_by_fours_that_freestyle_claims_beats_every_defence() {
    claims::<Freestyle>(&[]);
}

#[test]
fn a_win_by_fours_that_standard_claims_beats_every_defence() {
    claims::<Standard>(&[]);
}

#[test]
fn a_win_by_fours_that_caro_claims_beats_every_defence() {
    for blocked_ends in ["opponent", "opponent_or_edge"] {
        for exact_five in ["true", "false"] {
            claims::<Caro>(&[("opening", "none"), ("blocked_ends", blocked_ends), ("exact_five", exact_five)]);
        }
    }
}

fn completeness<R: Rule>(rules: &[(&str, &str)]) {
    let mut events = Events::default();
    let mut random = Random::new(13);
    for _ in 0..rounds(400) {
        let size = 6 + random.below(2);
        let Some(position) = position::<R>(rules, size, 22, &mut random) else { continue };
        let wins = wins_by_fours(&position, usize::MAX);
        let text = position.setup.text();
        match claim(&position, &mut Standalone::<Five<R>>::new(TABLE)) {
            Claim::Wins(..) => assert!(wins, "there is no win by fours: {text}"),
            Claim::Nothing => assert!(!wins, "a win by fours was missed: {text}"),
            Claim::Other => {}
        }
        events.count(match (wins, wins_by_fours(&position, 3)) {
            (false, _) => "no win",
            (true, true) => "short win",
            (true, false) => "longer win",
        });
    }
    events.assert_at_least(&[("no win", 100), ("short win", 100), ("longer win", 10)]);
}

#[test]
fn no_win_by_fours_is_missed_in_freestyle() {
    completeness::<Freestyle>(&[]);
}

#[test]
fn no_win_by_fours_is_missed_in_standard() {
    completeness::<Standard>(&[]);
}

#[test]
fn no_win_by_fours_is_missed_in_caro() {
    for blocked_ends in ["opponent", "opponent_or_edge"] {
        for exact_five in ["true", "false"] {
            completeness::<Caro>(&[("opening", "none"), ("blocked_ends", blocked_ends), ("exact_five", exact_five)]);
        }
    }
}

/// The moves the search looks at where it is told that no others count.
fn forced<R: Rule>(game: &Five<R>, resources: &mut Standalone<Five<R>>) -> Vec<Point> {
    let mut moves = Vec::new();
    game.order(Class::Forced, resources.lend().params, &mut MoveSink::new(&mut moves));
    moves.into_iter().map(|scored| point(scored.mv)).collect()
}

/// What is certain without a search, and which moves need not be looked at.
fn certainties<R: Rule>(rules: &[(&str, &str)]) {
    let mut events = Events::default();
    let mut random = Random::new(17);
    let mut resources = Standalone::<Five<R>>::new(TABLE);
    for _ in 0..rounds(400) {
        let size = 6 + random.below(4);
        let Some(mut position) = position::<R>(rules, size, 16, &mut random) else { continue };
        // Half of the time the side with fewer stones is to move.
        if random.below(2) == 0 {
            position.setup.side = position.side().other();
            position = Naive::from_setup(position.settings, position.setup);
        }
        let text = position.setup.text();
        let mut game = Five::<R>::new(position.settings).parse(&text).unwrap();
        let wins = !winning_moves(&position).is_empty();
        let proof = game.proof(1, &mut resources.lend());
        if proof.low.is_win() {
            let plies = proof.low.plies_to_end().unwrap() as usize;
            assert!(wins_by_fours(&position, plies), "no win in {plies}: {text}");
            events.count("certain win");
        }
        if proof.high.is_loss() {
            assert_eq!(proof.high.plies_to_end(), Some(-2), "{text}");
            assert!(!wins && stops(&position).is_empty(), "no loss in 2: {text}");
            events.count("certain loss");
        }
        let forced = forced(&game, &mut resources);
        if wins {
            assert!(forced.iter().all(|point| winning_moves(&position).contains(point)), "{text}");
        } else if !forced.is_empty() {
            for left_out in position.legal_moves().into_iter().filter(|point| !forced.contains(point)) {
                let after = after(&position, left_out);
                assert!(wins_by_fours(&after, 3), "{left_out:?} was left out and does not lose: {text}");
                events.count("move left out");
            }
        }
    }
    events.assert_at_least(&[("certain win", 50), ("certain loss", 10), ("move left out", 500)]);
}

#[test]
fn nothing_certain_is_wrong_in_freestyle() {
    certainties::<Freestyle>(&[]);
}

#[test]
fn nothing_certain_is_wrong_in_standard() {
    certainties::<Standard>(&[]);
}

#[test]
fn nothing_certain_is_wrong_in_caro() {
    for blocked_ends in ["opponent", "opponent_or_edge"] {
        for exact_five in ["true", "false"] {
            certainties::<Caro>(&[("opening", "none"), ("blocked_ends", blocked_ends), ("exact_five", exact_five)]);
        }
    }
}
