//! How fast moves are played and undone in five in a row: `polyply-bench moves freestyle:15 "h8 g7 f6"` plays and
//! undoes a line again and again, with an evaluation that follows, and prints pairs of play and undo per second.

use polyply_core::game::{Evaluation, Game, Notation};
use polyply_five::rule::{Capture, Caro, Freestyle, Rule, Standard};
use polyply_five::settings::{Kind, Settings};
use polyply_five::{Evaluator, Five, Weights};
use std::time::{Duration, Instant};

/// Pairs of play and undo that are timed together.
const PAIRS: usize = 20_000;
/// Number of measurements. The fastest one counts, because other load on the machine only slows it down.
const PARTS: usize = 100;

/// Plays and undoes the moves of a variant; pairs per second. The error is one sentence.
pub fn run(variant: &str, moves: &str) -> Result<f64, String> {
    let (name, size) = variant.split_once(':').unwrap_or((variant, "15"));
    let size = size.parse().map_err(|_| format!("the size of a board is a number, not `{size}`"))?;
    let rules = [("opening".to_owned(), "none".to_owned())];
    let settings = Settings::new(name, Some(size), &rules).map_err(|reason| reason.to_string())?;
    match settings.variant {
        Kind::Freestyle => play_and_undo::<Freestyle>(settings, moves),
        Kind::Standard => play_and_undo::<Standard>(settings, moves),
        Kind::Caro => play_and_undo::<Caro>(settings, moves),
        Kind::Capture => play_and_undo::<Capture>(settings, moves),
    }
}

fn play_and_undo<R: Rule>(settings: Settings, moves: &str) -> Result<f64, String> {
    let mut game = Five::<R>::new(settings);
    let mut line = Vec::new();
    for text in moves.split_whitespace() {
        let mv = game.parse_move(text).map_err(|reason| reason.to_string())?;
        line.push(mv);
        game.play(mv, &mut ());
    }
    if line.is_empty() {
        return Err("there are no moves to play".into());
    }
    let mut game = Five::<R>::new(settings);
    let mut eval = Evaluator::new(Weights::of(R::KIND));
    eval.reset(&game);
    let mut undos = Vec::with_capacity(line.len());
    let rounds = PAIRS.div_ceil(line.len());
    let mut quickest = Duration::MAX;
    for _ in 0..PARTS {
        let start = Instant::now();
        for _ in 0..rounds {
            for &mv in &line {
                undos.push(eval.play(&mut game, mv));
            }
            for &mv in line.iter().rev() {
                let undo = undos.pop().ok_or("as many undos as moves")?;
                eval.undo(&mut game, mv, undo);
            }
        }
        quickest = quickest.min(start.elapsed());
    }
    Ok((rounds * line.len()) as f64 / quickest.as_secs_f64())
}
