//! Balanced openings for matches: random first moves after which a search calls the game equal, as the XOT openings of
//! Othello are.

use crate::LabError;
use crate::arena::own;
use polyply_core::random::Random;
use polyply_engine::{Board, Engine, Limits, Options, Request, Score, Variant};
use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::mpsc::sync_channel;

/// How openings are found.
#[derive(Clone, PartialEq, Debug)]
pub struct OpeningsSettings {
    /// Their length.
    pub plies: usize,
    /// The greatest advantage of a side, as scores are shown: in pawns or in points.
    pub within: f64,
    /// How many are wanted, those of earlier runs included.
    pub count: u64,
    /// Nodes for each.
    pub nodes: u64,
    /// Searches that run at the same time.
    pub threads: usize,
    /// The seed of the random moves.
    pub seed: u64,
}

/// Most openings are far from equal. A search with this part of the nodes leaves out those beyond so many times the
/// advantage that is allowed; the others are searched in full.
const GLANCE: (u64, f64) = (16, 3.0);
/// The note at the end of a line: how many random lines were tried so far.
const TRIED: &str = "tried ";

/// Writes openings to a file, one per line, which `polyply match --openings` reads. Symmetric ones count once. If the
/// file exists, the search goes on where it ended. Fails if another process writes to it. Returns the number of openings in the file.
pub fn balanced_openings(
    variant: &Variant,
    path: &Path,
    settings: &OpeningsSettings,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(u64),
) -> Result<u64, LabError> {
    let refuse = |error: std::io::Error| LabError::file(path, error);
    let mut out = File::options().append(true).create(true).open(path).map_err(refuse)?;
    own(&out, path)?;
    let (mut seen, mut tried) = read(variant, path)?;
    let threads = settings.threads.max(1) as u64;
    let mut engines: Vec<Engine> = (0..threads)
        .map(|_| Engine::new(variant, &Options { hash: 16, ..Options::default() }))
        .collect::<Result<_, _>>()?;
    progress(seen.len() as u64);
    // The openings of a round are judged at the same time and written in their order, so the file does not depend on
    // the number of threads.
    while (seen.len() as u64) < settings.count && !stop.load(SeqCst) {
        let judged = std::thread::scope(|scope| {
            let (sender, judged) = sync_channel(threads as usize);
            for (number, engine) in (tried..).zip(&mut engines) {
                let sender = sender.clone();
                scope.spawn(move || {
                    let _ = sender.send((number, judge(variant, engine, settings, number)));
                });
            }
            drop(sender);
            judged.into_iter().collect::<Vec<_>>()
        });
        let mut judged = judged;
        judged.sort_by_key(|(number, _)| *number);
        for (number, opening) in judged {
            let Some((board, score)) = opening? else { continue };
            if (seen.len() as u64) < settings.count && seen.insert(board.canonical_key()) {
                let line = format!("{} ; {score}, {TRIED}{}\n", board.moves().join(" "), number + 1);
                out.write_all(line.as_bytes()).map_err(refuse)?;
            }
        }
        tried += threads;
        progress(seen.len() as u64);
    }
    out.sync_all().map_err(refuse)?;
    Ok(seen.len() as u64)
}

/// The openings that a file has, and how many lines were tried for them.
fn read(variant: &Variant, path: &Path) -> Result<(HashSet<u64>, u64), LabError> {
    let (mut seen, mut tried) = (HashSet::new(), 0);
    let openings = File::open(path).map_err(|error| LabError::file(path, error))?;
    for line in BufReader::new(openings).lines() {
        let line = line.map_err(|error| LabError::file(path, error))?;
        let (moves, note) = line.split_once(';').unwrap_or((&line, ""));
        let moves: Vec<&str> = moves.split_whitespace().collect();
        let spec = polyply_engine::PositionSpec::new(None, &moves);
        seen.insert(Board::at(variant, &spec)?.canonical_key());
        let number = note.rsplit_once(TRIED).and_then(|(_, number)| number.trim().parse().ok());
        tried = number.unwrap_or(tried);
    }
    Ok((seen, tried))
}

/// The opening with a number and its score, if it is balanced.
fn judge(
    variant: &Variant,
    engine: &mut Engine,
    settings: &OpeningsSettings,
    number: u64,
) -> Result<Option<(Board, Score)>, LabError> {
    let mut random = Random::of(settings.seed, number);
    let mut board = Board::new(variant);
    while board.moves().len() < settings.plies && board.outcome().is_none() {
        let mv = board.draw(1, &mut |end| random.scaled(end))?;
        board.play(&mv)?;
    }
    if board.outcome().is_some() {
        return Ok(None);
    }
    engine.flush();
    engine.new_game();
    let (part, slack) = GLANCE;
    let mut judged = None;
    for (nodes, within) in
        [((settings.nodes / part).max(1), slack * settings.within), (settings.nodes, settings.within)]
    {
        let request = Request { limits: Limits::nodes(nodes), ..Request::new(&board) };
        let score = engine.search(&request, &mut |_| ())?.score();
        judged = score.filter(|score| f64::from(score.hundredths().abs()) <= 100.0 * within);
        if judged.is_none() {
            return Ok(None);
        }
    }
    Ok(judged.map(|score| (board, score)))
}
