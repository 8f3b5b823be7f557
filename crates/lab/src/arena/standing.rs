//! What the games so far say.

use super::run::{Game, Plan};
use crate::record::{End, Reason};
use crate::stats::{Decision, Encounter, Points, Ratings, Sprt, Tally};
use polyply_engine::Side;
use std::collections::{BTreeMap, HashMap};

/// Two players and what came out between them, from the side of the first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Meeting {
    /// The players, by their places in the list.
    pub players: [usize; 2],
    /// Their games.
    pub tally: Tally,
}

/// The state of a match or a tournament. Only whole pairs count: of one whose second game is still to come nothing is
/// seen here.
#[derive(Clone, Debug)]
pub struct Standing {
    /// The players.
    pub names: Vec<String>,
    /// Everybody who meets.
    pub meetings: Vec<Meeting>,
    /// How games ended, with the number of each.
    pub endings: BTreeMap<Reason, u64>,
    /// The games that each player has lost by a failure.
    pub failures: Vec<u64>,
    /// The sequential test, if there is one.
    pub sprt: Option<Sprt>,
    /// How many games there are to be.
    pub total: u64,
    /// Games by who moved first: won, drawn and lost by that one.
    sides: BTreeMap<[usize; 2], [u64; 3]>,
    /// Games whose partner is not there yet, by the number of their pair.
    halves: HashMap<u64, (Game, End)>,
}

impl Standing {
    /// No game was played yet.
    pub fn new(plan: &Plan, sprt: Option<Sprt>) -> Standing {
        Standing {
            names: plan.entrants.iter().map(|entrant| entrant.name.clone()).collect(),
            meetings: plan.pairings.iter().map(|&players| Meeting { players, tally: Tally::default() }).collect(),
            endings: BTreeMap::new(),
            failures: vec![0; plan.entrants.len()],
            sprt,
            total: plan.games(),
            sides: BTreeMap::new(),
            halves: HashMap::new(),
        }
    }

    /// A game has ended; true when its pair is whole now.
    pub fn add(&mut self, game: &Game, end: &End) -> bool {
        let Some(partner) = self.halves.remove(&(game.number / 2)) else {
            self.halves.insert(game.number / 2, (*game, end.clone()));
            return false;
        };
        let meeting = &mut self.meetings[game.pairing];
        let mut points = [Points::Draw; 2];
        for (slot, (game, end)) in points.iter_mut().zip([(*game, end), (partner.0, &partner.1)]) {
            let first = match end.winner {
                None => Points::Draw,
                Some(Side::First) => Points::Win,
                Some(Side::Second) => Points::Loss,
            };
            self.sides.entry(game.players).or_default()[2 - first as usize] += 1;
            *self.endings.entry(end.reason).or_default() += 1;
            if let Some(winner) = end.winner.filter(|_| end.reason.is_failure()) {
                self.failures[game.players[winner.other().index()]] += 1;
            }
            *slot = if game.players[0] == meeting.players[0] { first } else { first.other() };
        }
        meeting.tally.add_pair(points);
        true
    }

    /// How many games count.
    pub fn games(&self) -> u64 {
        self.meetings.iter().map(|meeting| meeting.tally.count()).sum()
    }

    /// The log-likelihood ratio of the sequential test and what it says, if there is one.
    pub fn test(&self) -> Option<(f64, Decision)> {
        let llr = self.sprt?.llr(self.meetings.first()?.tally.pairs);
        Some((llr, self.sprt?.decide(llr)))
    }

    /// The games of a player against another one, or against everybody.
    pub fn against(&self, player: usize, opponent: Option<usize>) -> Tally {
        let seen = self.meetings.iter().filter_map(|Meeting { players: [one, other], tally }| {
            let (opposite, tally) = match player {
                player if player == *one => (*other, *tally),
                player if player == *other => (*one, tally.other()),
                _ => return None,
            };
            opponent.is_none_or(|opponent| opponent == opposite).then_some(tally)
        });
        seen.fold(Tally::default(), |mut sum, tally| {
            sum.games.iter_mut().zip(tally.games).for_each(|(sum, games)| *sum += games);
            sum.pairs.iter_mut().zip(tally.pairs).for_each(|(sum, pairs)| *sum += pairs);
            sum
        })
    }

    /// How strong everybody is.
    pub fn ratings(&self) -> Ratings {
        let encounters: Vec<Encounter> =
            self.sides.iter().map(|(&[first, second], &games)| Encounter { first, second, games }).collect();
        Ratings::of(self.names.len(), &encounters)
    }
}
