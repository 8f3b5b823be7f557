//! Searching the positions of a book, on this machine or another.

use super::build::BuildSettings;
use crate::LabError;
use crate::refusals;
use crate::work::{Fleet, Halt, JobAbout, Site, Task, Work, WrittenPosition};
use polyply_engine::book::{Found, FoundMove, value_of};
use polyply_engine::{Board, Bound, Engine, Info, Limits, Line, Options, Request, Score, Variant};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

/// How positions are searched. What is found of a position depends on this and the position alone.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct BookTask {
    variant: String,
    nodes: u64,
    depth: Option<i32>,
    lines: usize,
    hash: usize,
    check: u64,
}

impl BookTask {
    /// The searches, as this machine does them.
    pub(crate) fn open(self, site: &Site<'_>) -> Result<BookWork, LabError> {
        site.check_options(&[("Hash".to_owned(), self.hash.to_string())])?;
        Ok(BookWork { variant: Variant::find(&self.variant)?, task: self, file: None })
    }
}

/// The searches of a book.
pub(crate) struct BookWork {
    variant: Variant,
    task: BookTask,
    file: Option<String>,
}

impl BookWork {
    pub fn new(variant: &Variant, settings: &BuildSettings, path: &Path) -> BookWork {
        let BuildSettings { nodes, depth, lines, hash, check, .. } = *settings;
        let task = BookTask { variant: variant.name().to_owned(), nodes, depth, lines, hash, check };
        BookWork { variant: variant.clone(), task, file: Some(path.display().to_string()) }
    }
}

/// A position to search.
pub(crate) struct Job {
    pub key: u64,
    pub board: Board,
    pub purpose: Purpose,
}

/// Why a position is searched.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Purpose {
    /// It is a position of the book.
    Book,
    /// Players may place these stones before they settle who plays which side.
    Placed,
    /// To check the move that leads to it.
    Check,
}

#[derive(Serialize, Deserialize)]
struct WrittenJob {
    position: WrittenPosition,
    purpose: Purpose,
}

#[derive(Serialize, Deserialize)]
struct WrittenFound {
    depth: i32,
    nodes: u64,
    is_finished: bool,
    /// Move, value, depth, and whether that is proven.
    moves: Vec<(String, i32, i32, bool)>,
}

impl Work for BookWork {
    type Piece = Job;
    type Done = Found;
    type Worker = (Engine, Arc<Halt>);

    fn worker(&self, halt: &Arc<Halt>) -> Result<Self::Worker, LabError> {
        let engine = Engine::new(&self.variant, &Options { hash: self.task.hash, ..Options::default() })?;
        halt.watch(&engine.control());
        Ok((engine, halt.clone()))
    }

    fn perform(&self, (engine, halt): &mut Self::Worker, job: &Job) -> Result<Option<Found>, LabError> {
        Ok(search(engine, job, &self.task, halt))
    }

    /// Which position is worth a search depends on what was found before.
    fn ahead(&self) -> usize {
        0
    }

    fn task(&self, _: &dyn Fleet) -> Result<Task, LabError> {
        Ok(Task::Book(self.task.clone()))
    }

    fn about(&self) -> JobAbout {
        JobAbout {
            title: format!("{}: book", self.variant.name()),
            game: self.variant.about().name.to_owned(),
            file: self.file.clone(),
            pieces: None,
            is_timed: false,
        }
    }

    /// A position is searched once for the book and once to check it, with other nodes.
    fn number(&self, job: &Job) -> u64 {
        if job.purpose == Purpose::Check { !job.key } else { job.key }
    }

    fn write_piece(&self, job: &Job) -> String {
        let written = WrittenJob { position: job.board.spec().into(), purpose: job.purpose };
        serde_json::to_string(&written).unwrap_or_default()
    }

    fn read_piece(&self, text: &str) -> Result<Job, LabError> {
        let WrittenJob { position, purpose } = serde_json::from_str(text).map_err(not_a_task)?;
        let board = Board::at(&self.variant, &position.into())?;
        Ok(Job { key: board.canonical_key(), board, purpose })
    }

    fn write_done(&self, _: &Job, found: &Found) -> String {
        let Found { depth, nodes, is_finished, .. } = *found;
        let moves = found.moves.iter().map(|mv| (mv.mv.clone(), mv.value, mv.depth, mv.is_solved)).collect();
        serde_json::to_string(&WrittenFound { depth, nodes, is_finished, moves }).unwrap_or_default()
    }

    fn read_done(&self, job: &Job, text: &str) -> Result<Found, LabError> {
        let WrittenFound { depth, nodes, is_finished, moves } = serde_json::from_str(text).map_err(not_a_task)?;
        let mut found = Found { depth, nodes, is_finished, is_start: false, moves: Vec::with_capacity(moves.len()) };
        for (mv, value, depth, is_solved) in moves {
            job.board.after(&mv)?;
            found.moves.push(FoundMove { mv, value, depth, is_solved });
        }
        Ok(found)
    }

    fn verdict(&self, _: &Job, _: &Found) -> Option<&'static str> {
        None
    }
}

fn not_a_task(error: serde_json::Error) -> LabError {
    LabError::Run(refusals::fleet_task(error.to_string()))
}

/// Searches a position from scratch.
fn search(engine: &mut Engine, job: &Job, settings: &BookTask, halt: &Halt) -> Option<Found> {
    engine.flush();
    engine.new_game();
    let (nodes, lines) = match job.purpose {
        Purpose::Check => (settings.check, 1),
        Purpose::Book | Purpose::Placed => (settings.nodes, settings.lines),
    };
    let symmetric = symmetric_moves(&job.board);
    let limits = Limits { nodes: Some(nodes * symmetric as u64), depth: settings.depth, ..Limits::default() };
    // All moves that the search considers: restricted to one of each group of symmetric moves it would also look at
    // those far from everything, which it never does in play. So each of these groups counts as one line, and as one
    // part of the nodes.
    let multipv = Some(lines * symmetric);
    let request = Request { limits, multipv, ..Request::new(&job.board) };
    // Scores of different depths can't be compared, so those of the last iteration that was finished count.
    let mut iteration: Vec<Line> = Vec::new();
    let best = engine.search(&request, &mut |info| {
        if info.bound == Bound::Exact {
            iteration.truncate(info.multipv - 1);
            let Info { score, value, bound, depth, certainty, .. } = *info;
            iteration.push(Line { score, value, bound, depth, certainty, moves: info.line.clone() });
        }
    });
    let best = best.ok()?;
    // A search that was stopped has seen less than its nodes.
    let line = best.lines.first().filter(|_| !halt.is_halted())?;
    let is_proven = |line: &Line| {
        line.bound == Bound::Exact && (matches!(line.score, Score::Win(_)) || line.certainty == Some(100))
    };
    let found = if is_proven(line) || iteration.is_empty() { best.lines } else { iteration };
    let (mut seen, mut moves) = (HashSet::new(), Vec::new());
    for line in &found {
        let mv = line.moves.first()?.clone();
        if moves.len() < lines && seen.insert(job.board.after(&mv).ok()?.canonical_key()) {
            let (value, is_solved) = (value_of(line.score, line.value), is_proven(line));
            moves.push(FoundMove { mv, value, depth: line.depth, is_solved });
        }
    }
    let line = found.first()?;
    Some(Found { depth: line.depth, nodes, is_finished: is_proven(line), is_start: false, moves })
}

/// How many moves of a position lead to the same one, on average and rounded: 8 on an empty square board, 1 in most
/// other positions.
fn symmetric_moves(board: &Board) -> usize {
    let moves = board.legal_moves();
    let after = moves.iter().filter_map(|mv| board.after(mv).ok());
    let different = after.map(|after| after.canonical_key()).collect::<HashSet<u64>>().len().max(1);
    ((moves.len() + different / 2) / different).max(1)
}
