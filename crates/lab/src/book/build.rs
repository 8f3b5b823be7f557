//! Building a book: the position that is worth it most is searched and stored, again and again.
//!
//! The [frontier](polyply_core::frontier) proposes positions: those most likely to be reached, with moves that are worse
//! than the best one costing as much as they lose. Every search gets the same nodes and an empty table, so what is found
//! of a position depends on the position alone; with one thread the whole book depends on the settings alone. The file
//! is all that a build remembers: the same command continues it, however it ended.
//!
//! When the book is large enough, its last moves are checked: the positions they lead to were not searched yet. A move
//! that turns out to lose by force is not played.

use super::search::{BookWork, Job, Purpose};
use crate::LabError;
use crate::work::{self, Flow, Place};
use polyply_core::frontier::{Choice, Frontier, Reason, Searched, Settings};
use polyply_core::random::Random;
use polyply_engine::book::{BookWriter, Found, StoredPosition, is_decided};
use polyply_engine::swap::Swap;
use polyply_engine::{Board, PositionSpec, Refusal, Side, Variant};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

/// Moves that are worse than the best one by more than this are not followed, as a part of the score that wins 73 % of
/// the games.
const MARGIN: f64 = 0.3;
/// A ply costs this part of the margin.
const PLIES_OF_MARGIN: i32 = 6;
/// Of so many positions one is an opening that the players place themselves, where a swap rule has them do so.
const PER_PLACED: u64 = 20;
/// How many openings are tried for each that is wanted.
const TRIES: u64 = 50;

/// How a book is built.
#[derive(Clone)]
pub struct BuildSettings {
    /// Stop when so many positions were searched, those of earlier runs included.
    pub positions: u64,
    /// Nodes for each position. Positions that were searched with fewer are searched again.
    pub nodes: u64,
    /// The greatest depth of a search.
    pub depth: Option<i32>,
    /// Follow moves that are worse than the best one by up to this, as scores are shown: in pawns or in points.
    pub margin: Option<f64>,
    /// How many moves of a position to search.
    pub lines: usize,
    /// Where positions are searched.
    pub place: Place,
    /// The seed of what is drawn at random.
    pub seed: u64,
    /// The size of the table of each search in megabytes.
    pub hash: usize,
    /// Nodes to check each move that leads out of the book; 0 to check none.
    pub check: u64,
}

impl BuildSettings {
    /// The command that builds such a book, without the name of the file. What decides nothing is left out.
    fn command(&self, variant: &Variant) -> String {
        let mut command = format!("polyply book build {}", variant.name());
        let mut add = |option: &str, value: Option<String>| {
            if let Some(value) = value {
                command += &format!(" --{option} {value}");
            }
        };
        add("positions", Some(self.positions.to_string()));
        add("nodes", Some(self.nodes.to_string()));
        add("depth", self.depth.map(|depth| depth.to_string()));
        add("margin", self.margin.map(|margin| margin.to_string()));
        add("lines", Some(self.lines.to_string()));
        add("hash", Some(self.hash.to_string()));
        add("seed", (variant.swap() != Swap::SETTLED).then(|| self.seed.to_string()));
        add("check", (self.check > 0).then(|| self.check.to_string()));
        command
    }
}

/// What a build has done so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BuildProgress {
    /// Positions that were searched, those of earlier runs included.
    pub searched: u64,
    /// How many are wanted.
    pub wanted: u64,
    /// Moves that are still to be checked.
    pub unchecked: u64,
}

/// How a build ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BuildReport {
    /// Positions in the book that were searched.
    pub searched: u64,
    /// It was stopped before its end.
    pub is_stopped: bool,
}

/// Builds a book, or continues one, until it is as large as wanted, nothing is worth a search any more, or `stop` is
/// set.
pub fn build(
    variant: &Variant,
    path: &Path,
    settings: &BuildSettings,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(&BuildProgress),
) -> Result<BuildReport, LabError> {
    let mut writer = BookWriter::open(path, variant).map_err(|reason| LabError::file(path, reason))?;
    writer.set_made_by(&settings.command(variant)).map_err(|reason| LabError::file(path, reason))?;
    let refuse = |reason| LabError::file(path, reason);
    let builder = RefCell::new(Builder::new(variant, settings, writer).map_err(refuse)?);
    let work = BookWork::new(variant, settings, path);
    let mut next = || {
        let proposed = builder.borrow_mut().propose()?;
        progress(&builder.borrow().progress());
        Ok(proposed)
    };
    work::run(&work, &settings.place, stop, &mut next, &mut |job, found| {
        builder.borrow_mut().accept(job, found).map_err(refuse)?;
        Ok(Flow::GoOn)
    })?;
    let builder = builder.into_inner();
    Ok(BuildReport { searched: builder.searched, is_stopped: stop.load(SeqCst) })
}

struct Builder<'a> {
    variant: &'a Variant,
    settings: &'a BuildSettings,
    writer: BookWriter,
    frontier: Frontier<String, Board>,
    /// Positions that are being searched.
    busy: HashSet<u64>,
    /// Positions in the book that were searched, with the nodes that they were given.
    known: HashMap<u64, u64>,
    searched: u64,
    /// The greatest advantage of a side in an opening that players may place.
    fair: i32,
    /// Stones that the players place before they settle who plays which side, and how many such openings are wanted.
    placed_stones: usize,
    openings_wanted: u64,
    openings: u64,
    tries: u64,
    /// Positions after moves that are to be checked, the next one last.
    unchecked: Vec<Board>,
}

impl<'a> Builder<'a> {
    fn new(variant: &'a Variant, settings: &'a BuildSettings, writer: BookWriter) -> Result<Builder<'a>, Refusal> {
        let shown = if variant.counts_points() { 1.0 } else { 100.0 };
        let margin = match settings.margin {
            Some(margin) => margin * shown,
            None => MARGIN * variant.chance_unit(),
        };
        let margin = (margin * f64::from(variant.units())).round().max(1.0) as i32;
        let effort = effort(settings.nodes);
        let frontier = Frontier::new(Settings {
            ply_cost: (margin / PLIES_OF_MARGIN).max(1),
            margin,
            // What counts as depth here are the nodes, which are the same for all positions.
            deepest: effort,
            cost_per_depth: i32::MAX,
            shallowest: 1,
            positions: usize::MAX / 2,
            roots: usize::MAX / 2,
            ..Settings::default()
        });
        let placed_stones = match variant.swap() {
            Swap::Place { left, .. } => usize::from(left),
            _ => 0,
        };
        let mut builder = Builder {
            variant,
            settings,
            writer,
            frontier,
            busy: HashSet::new(),
            known: HashMap::new(),
            searched: 0,
            fair: margin / 2,
            placed_stones,
            openings_wanted: if placed_stones > 0 { (settings.positions / PER_PLACED).max(1) } else { 0 },
            openings: 0,
            tries: 0,
            unchecked: Vec::new(),
        };
        builder.load()?;
        Ok(builder)
    }

    /// Takes over what the file has.
    fn load(&mut self) -> Result<(), Refusal> {
        if self.placed_stones == 0 {
            let start = Board::new(self.variant);
            self.frontier.add_root(start.canonical_key(), start, Reason::Start, 0);
            self.add_named_openings();
        }
        for position in self.writer.positions()?.iter().filter(|position| position.nodes > 0) {
            if position.is_start {
                let spec = PositionSpec::new(Some(&position.position), &[]);
                self.add_opening(Board::at(self.variant, &spec)?);
            }
            self.know(position.key, position.nodes, position.is_finished);
            self.learn_stored(position);
        }
        Ok(())
    }

    fn learn_stored(&mut self, position: &StoredPosition) {
        let sign = sign(position.side);
        let searched = position.moves.iter().filter_map(|(entry, after, value)| {
            Some(Choice { mv: entry.mv.clone(), key: *after, value: sign * (*value)? })
        });
        self.learn(position.key, position.side, position.nodes, position.is_finished, searched.collect());
    }

    /// People play named openings whatever a search thinks of them, so all of their positions matter.
    fn add_named_openings(&mut self) {
        for (moves, _) in self.variant.named_openings() {
            let mut board = Board::new(self.variant);
            for mv in moves {
                if board.play(mv).is_err() || board.outcome().is_some() {
                    break;
                }
                self.frontier.add_root(board.canonical_key(), board.clone(), Reason::Start, 0);
            }
        }
    }

    /// A position was searched. One that is decided needs no more nodes.
    fn know(&mut self, key: u64, nodes: u64, is_finished: bool) {
        let nodes = if is_finished { u64::MAX } else { nodes };
        if self.known.insert(key, nodes).is_none() {
            self.searched += 1;
        }
    }

    fn progress(&self) -> BuildProgress {
        let unchecked = self.unchecked.len() as u64;
        BuildProgress { searched: self.searched, wanted: self.settings.positions, unchecked }
    }

    fn add_opening(&mut self, board: Board) {
        self.frontier.add_root(board.canonical_key(), board, Reason::Start, 0);
        self.openings += 1;
    }

    fn learn(&mut self, key: u64, side: Side, nodes: u64, finished: bool, choices: Vec<Choice<String>>) {
        for choice in choices.iter().filter(|choice| is_decided(choice.value)) {
            self.close(choice.key);
        }
        self.frontier.learn(key, Searched { side, depth: effort(nodes), finished, choices });
    }

    /// Nothing after this position is worth a search: its value is known.
    fn close(&mut self, key: u64) {
        if !self.known.contains_key(&key) {
            let searched = Searched { side: Side::First, depth: i32::MAX, finished: true, choices: Vec::new() };
            self.frontier.learn(key, searched);
        }
    }

    /// The next position to search, if any is worth it.
    fn propose(&mut self) -> Result<Option<Job>, LabError> {
        let mut job = self.propose_opening()?;
        if job.is_none() {
            job = self.propose_position()?;
        }
        if job.is_none() {
            job = self.propose_check()?;
        }
        self.busy.extend(job.iter().map(|job| job.key));
        Ok(job)
    }

    /// The position that is most likely to be reached.
    fn propose_position(&mut self) -> Result<Option<Job>, LabError> {
        let new = self.busy.iter().filter(|key| !self.known.contains_key(key)).count() as u64;
        let is_full = self.searched + new >= self.settings.positions;
        if is_full && self.known.values().all(|nodes| *nodes >= self.settings.nodes) {
            return Ok(None);
        }
        // A book that is large enough is only deepened where it is not deep enough.
        let tasks = self.frontier.tasks(if is_full { usize::MAX } else { self.busy.len() + 1 });
        for task in tasks {
            let is_new = !self.known.contains_key(&task.key);
            if self.busy.contains(&task.key) || (is_full && is_new) {
                continue;
            }
            let mut board = self.frontier.roots()[task.root].position.clone();
            for mv in &task.path {
                let mv = board.move_of_canonical(mv).unwrap_or_default();
                board.play(&mv)?;
            }
            if board.outcome().is_some() {
                self.close(task.key);
                return self.propose_position();
            }
            return Ok(Some(Job { key: task.key, board, purpose: Purpose::Book }));
        }
        Ok(None)
    }

    /// Stones that the players may place, drawn at random, until enough of them are fair.
    fn propose_opening(&mut self) -> Result<Option<Job>, LabError> {
        while self.openings + (self.busy.len() as u64) < self.openings_wanted
            && self.tries < TRIES * self.openings_wanted
            && self.searched < self.settings.positions
        {
            let mut random = Random::of(self.settings.seed, self.tries);
            self.tries += 1;
            let mut board = Board::new(self.variant);
            for _ in 0..self.placed_stones {
                let mv = board.draw(1, &mut |end| random.scaled(end))?;
                board.play(&mv)?;
            }
            let key = board.canonical_key();
            if board.outcome().is_none() && !self.known.contains_key(&key) && !self.busy.contains(&key) {
                return Ok(Some(Job { key, board, purpose: Purpose::Placed }));
            }
        }
        Ok(None)
    }

    /// The position after a move that leads out of the book. What there is to check depends on the file alone, so it
    /// does not matter when a build was stopped.
    fn propose_check(&mut self) -> Result<Option<Job>, LabError> {
        if self.settings.check == 0 {
            return Ok(None);
        }
        if self.unchecked.is_empty() && self.busy.is_empty() {
            self.unchecked = self.writer.unchecked(self.variant, self.settings.check).map_err(LabError::File)?;
            self.unchecked.reverse();
        }
        let next = self.unchecked.pop();
        Ok(next.map(|board| Job { key: board.canonical_key(), board, purpose: Purpose::Check }))
    }

    fn accept(&mut self, job: Job, mut found: Found) -> Result<(), Refusal> {
        self.busy.remove(&job.key);
        let best = found.moves.first().map_or(i32::MAX, |mv| mv.value);
        if job.purpose == Purpose::Check {
            let is_refuted = found.is_finished && is_decided(best) && sign(job.board.side()) * best > 0;
            if !is_refuted {
                return self.writer.set_checked(&job.board, self.settings.check);
            }
            // Other moves may be played now.
            self.unchecked.clear();
        }
        found.is_start = job.purpose == Purpose::Placed && best.abs() <= self.fair;
        self.writer.accept(&job.board, &found)?;
        self.know(job.key, found.nodes, found.is_finished);
        if found.is_start {
            self.add_opening(job.board.clone());
        }
        let (side, mut choices) = (job.board.side(), Vec::new());
        for mv in &found.moves {
            let after = job.board.after(&mv.mv)?;
            let choice = Choice {
                mv: job.board.canonical_move(&mv.mv)?,
                key: after.canonical_key(),
                value: sign(side) * mv.value,
            };
            if after.outcome().is_some() {
                self.close(choice.key);
            }
            choices.push(choice);
        }
        self.learn(job.key, side, found.nodes, found.is_finished, choices);
        Ok(())
    }
}

fn sign(side: Side) -> i32 {
    if side == Side::First { 1 } else { -1 }
}

/// Nodes, as the frontier's depth.
fn effort(nodes: u64) -> i32 {
    i32::try_from(nodes).unwrap_or(i32::MAX)
}
