//! How fast stones are set and taken back: `polyply-bench moves freestyle:15 "h8 g7 f6"` plays a game to and fro, with
//! the evaluation following, and prints pairs of play and undo a second.

use polyply_core::game::{Evaluation, Game, Notation};
use polyply_five::rule::{Capture, Caro, Freestyle, Rule, Standard};
use polyply_five::settings::{Kind, Settings};
use polyply_five::{Evaluator, Five, Weights};
use std::time::{Duration, Instant};

/// Pairs of play and undo that are timed together.
const PAIRS: usize = 20_000;
/// So often; the quickest counts, for whatever else the machine does only slows.
const PARTS: usize = 100;

/// Plays the moves of a variant to and fro; the error is one sentence.
pub fn run(variant: &str, moves: &str) -> Result<f64, String> {
    let (name, size) = variant.split_once(':').unwrap_or((variant, "15"));
    let size = size.parse().map_err(|_| format!("the size of a board is a number, not `{size}`"))?;
    let rules = [("opening".to_owned(), "none".to_owned())];
    let settings = Settings::new(name, Some(size), &rules).map_err(|reason| reason.to_string())?;
    match settings.variant {
        Kind::Freestyle => to_and_fro::<Freestyle>(settings, moves),
        Kind::Standard => to_and_fro::<Standard>(settings, moves),
        Kind::Caro => to_and_fro::<Caro>(settings, moves),
        Kind::Capture => to_and_fro::<Capture>(settings, moves),
    }
}

fn to_and_fro<R: Rule>(settings: Settings, moves: &str) -> Result<f64, String> {
    let mut game = Five::<R>::new(settings);
    let mut line = Vec::new();
    for text in moves.split_whitespace() {
        let mv = game.parse_move(text).map_err(|reason| reason.to_string())?;
        line.push(mv);
        game.play(mv, &mut ());
    }
    if line.is_empty() {
        return Err("say some moves".into());
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
