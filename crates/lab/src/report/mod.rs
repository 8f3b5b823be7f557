//! The results of a match or a tournament, as a page for people and as JSON for programs.
//!
//! Games are added to a [`Report`] one by one ([`Report::add`]); it keeps only statistics, so there may be any number
//! of games. Ratings count whole pairs only: a game whose partner is still missing does not count yet.
//! [`Report::html`] is one file that needs nothing else: no script, no picture, no network.

mod html;
mod json;
mod plot;

pub(crate) use html::page;
pub(crate) use plot::Plot;

use crate::record::{Reason, Record};
use crate::stats::{Encounter, Estimate, Points, Ratings, Sprt, Tally};
use polyply_engine::Side;
use std::collections::{BTreeMap, HashMap};

/// At most this many failures are listed; the rest are only counted.
const MOST_LISTED: usize = 200;

/// The results of a match or a tournament.
#[derive(Clone, Debug)]
pub struct Report {
    title: String,
    settings: Vec<(String, String)>,
    sprt: Option<Sprt>,
    players: Vec<PlayerStats>,
    /// The results of each two players, from the side of the one with the smaller index.
    meetings: BTreeMap<[usize; 2], Tally>,
    /// Games by the player who moved first and the opponent: won, drawn and lost by the former.
    sides: BTreeMap<[usize; 2], [u64; 3]>,
    /// Whole pairs of the first two players by number: the points of the first.
    pairs: BTreeMap<u64, [Points; 2]>,
    /// Games whose partner is still missing, by the number of their pair: the players, and the points of the first.
    halves: HashMap<u64, ([usize; 2], Points)>,
    /// The number of games by length in plies.
    lengths: BTreeMap<usize, u64>,
    endings: BTreeMap<Reason, u64>,
    /// The first failures.
    failures: Vec<Failure>,
}

/// The statistics of a player.
#[derive(Clone, Debug, Default)]
struct PlayerStats {
    name: String,
    /// Games lost by a failure of its own.
    failures: u64,
    /// By move number: the sum of the seconds used, and the number of games that got that far.
    times: Vec<(f64, u64)>,
    depth: Mean,
    nodes: Mean,
    /// The time of the moves whose nodes are known.
    seconds: f64,
}

/// An average.
#[derive(Clone, Copy, Debug, Default)]
struct Mean {
    sum: f64,
    count: u64,
}

impl Mean {
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.count += 1;
    }

    fn get(self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }
}

/// A game that a player lost by a failure.
#[derive(Clone, Debug)]
struct Failure {
    number: u64,
    players: [usize; 2],
    result: &'static str,
    reason: Reason,
    detail: String,
}

impl Report {
    /// A report without games. Players are identified by name and listed in order of appearance, after those named
    /// here. The settings are shown as they are.
    pub fn new(title: &str, players: &[String], sprt: Option<Sprt>, settings: Vec<(String, String)>) -> Report {
        Report {
            title: title.to_owned(),
            settings,
            sprt,
            players: players.iter().map(|name| PlayerStats { name: name.clone(), ..PlayerStats::default() }).collect(),
            meetings: BTreeMap::new(),
            sides: BTreeMap::new(),
            pairs: BTreeMap::new(),
            halves: HashMap::new(),
            lengths: BTreeMap::new(),
            endings: BTreeMap::new(),
            failures: Vec::new(),
        }
    }

    /// Adds a game. Games 2n and 2n + 1 are a pair if the same players swap sides in them. Unfinished games are
    /// ignored.
    pub fn add(&mut self, record: &Record) {
        if record.end.reason == Reason::Unfinished {
            return;
        }
        let players = [self.player(&record.players[0]), self.player(&record.players[1])];
        let first = match record.end.winner {
            None => Points::Draw,
            Some(Side::First) => Points::Win,
            Some(Side::Second) => Points::Loss,
        };
        self.add_to_pair(record.number / 2, players, first);
        *self.lengths.entry(record.all_moves().count()).or_default() += 1;
        *self.endings.entry(record.end.reason).or_default() += 1;
        if record.end.reason.is_failure() {
            if let Some(winner) = record.end.winner {
                self.players[players[winner.other().index()]].failures += 1;
            }
            if self.failures.len() < MOST_LISTED {
                let (result, detail) = (record.end.result(), record.end.detail.clone());
                let reason = record.end.reason;
                self.failures.push(Failure { number: record.number, players, result, reason, detail });
            }
        }
        // Sides strictly alternate in a record, which includes passes; so the opening decides who moves next.
        let given = record.opening.moves.len() + usize::from(record.begins_second());
        for (index, mv) in record.moves.iter().enumerate() {
            let player = &mut self.players[players[(given + index) % 2]];
            player.think(index / 2, mv);
        }
    }

    fn player(&mut self, name: &str) -> usize {
        self.players.iter().position(|player| player.name == name).unwrap_or_else(|| {
            self.players.push(PlayerStats { name: name.to_owned(), ..PlayerStats::default() });
            self.players.len() - 1
        })
    }

    fn add_to_pair(&mut self, pair: u64, players: [usize; 2], first: Points) {
        let [one, other] = [players[0].min(players[1]), players[0].max(players[1])];
        let seen = |players: [usize; 2], points: Points| if players[0] == one { points } else { points.other() };
        match self.halves.remove(&pair) {
            Some((partners, partner)) if partners == [players[1], players[0]] => {
                for (players, first) in [(partners, partner), (players, first)] {
                    self.sides.entry(players).or_default()[2 - first as usize] += 1;
                }
                let points = [seen(partners, partner), seen(players, first)];
                self.meetings.entry([one, other]).or_default().add_pair(points);
                if [one, other] == [0, 1] {
                    self.pairs.insert(pair, points);
                }
            }
            _ => drop(self.halves.insert(pair, (players, first))),
        }
    }

    /// The players.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.players.iter().map(|player| player.name.as_str())
    }

    /// How many games a player lost by failures of its own.
    pub fn failures(&self, player: usize) -> u64 {
        self.players[player].failures
    }

    /// The number of games by how they ended.
    pub fn endings(&self) -> &BTreeMap<Reason, u64> {
        &self.endings
    }

    /// How many games there are.
    pub fn games(&self) -> u64 {
        self.endings.values().sum()
    }

    /// There are two players, so it is a match.
    pub fn is_match(&self) -> bool {
        self.players.len() <= 2
    }

    /// The result of a match from the first player's side.
    pub fn tally(&self) -> Tally {
        self.meetings.get(&[0, 1]).copied().unwrap_or_default()
    }

    /// The tally of a player against another one, or against all.
    pub fn against(&self, player: usize, opponent: Option<usize>) -> Tally {
        let mut sum = Tally::default();
        for (&[one, other], tally) in &self.meetings {
            let (opposite, tally) = match player {
                player if player == one => (other, *tally),
                player if player == other => (one, tally.other()),
                _ => continue,
            };
            if opponent.is_none_or(|opponent| opponent == opposite) {
                sum.games.iter_mut().zip(tally.games).for_each(|(sum, games)| *sum += games);
                sum.pairs.iter_mut().zip(tally.pairs).for_each(|(sum, pairs)| *sum += pairs);
            }
        }
        sum
    }

    /// The sequential test and its log-likelihood ratio, if there is one.
    pub fn test(&self) -> Option<(Sprt, f64)> {
        self.sprt.map(|sprt| (sprt, sprt.llr(self.tally().pairs)))
    }

    /// The ratings of all players.
    pub fn ratings(&self) -> Ratings {
        let met = |(&[first, second], &games): (&[usize; 2], &[u64; 3])| Encounter { first, second, games };
        Ratings::of(self.players.len(), &self.sides.iter().map(met).collect::<Vec<_>>())
    }

    /// The course of a match, at a few hundred points at most.
    fn course(&self) -> Vec<Step> {
        let every = self.pairs.len().div_ceil(MOST_STEPS).max(1);
        let mut tally = Tally::default();
        let mut steps = Vec::new();
        for (count, &pair) in (1..).zip(self.pairs.values()) {
            tally.add_pair(pair);
            if (count % every == 0 || count == self.pairs.len())
                && let Some(estimate) = tally.estimate()
            {
                let llr = self.sprt.map(|sprt| sprt.llr(tally.pairs));
                steps.push(Step { games: 2 * count as u64, estimate, llr });
            }
        }
        steps
    }
}

/// More points do not make a better plot.
const MOST_STEPS: usize = 300;

/// The state after some games.
struct Step {
    games: u64,
    estimate: Estimate,
    llr: Option<f64>,
}

impl PlayerStats {
    fn think(&mut self, index: usize, mv: &crate::record::Move) {
        if let Some(time) = mv.time {
            if self.times.len() <= index {
                self.times.resize(index + 1, (0.0, 0));
            }
            self.times[index].0 += time.as_secs_f64();
            self.times[index].1 += 1;
        }
        if let Some(depth) = mv.depth {
            self.depth.add(f64::from(depth));
        }
        if let Some(nodes) = mv.nodes {
            self.nodes.add(nodes as f64);
            self.seconds += mv.time.map_or(0.0, |time| time.as_secs_f64());
        }
    }

    /// Seconds per move.
    fn time(&self) -> Option<f64> {
        let (seconds, count) = self.times.iter().fold((0.0, 0), |sum, time| (sum.0 + time.0, sum.1 + time.1));
        (count > 0).then(|| seconds / count as f64)
    }

    /// Nodes per second.
    fn speed(&self) -> Option<f64> {
        (self.seconds > 0.0).then(|| self.nodes.sum / self.seconds)
    }
}
