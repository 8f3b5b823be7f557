//! How weak levels find a move: they think of some moves, a little about each, and choose without being sure.

use super::{Level, People, Player, time_for_move};
use crate::engine::Engine;
use polyply_core::clock::Limits;
use polyply_core::game::Side;
use polyply_core::random::Random;
use polyply_games::{Best, Board, Bound, EngineError, Glance, Info, Line, Request, Score, per_second};
use std::cmp::Reverse;
use std::time::Duration;

/// The stage of a move that was searched.
const SEARCH: &str = "search";
/// The fewest nodes for a move that is thought about: enough to see an immediate reply.
const LEAST_NODES: u64 = 8;
/// The scale of the chance by which moves are thought of, in steps of their order by appeal.
const WHIM: f64 = 0.6;
/// A move that loses within so many plies loses at once.
const AT_ONCE: i32 = 2;

/// A move that was thought about.
struct Thought {
    glance: Glance,
    line: Line,
    /// The chance to win of the side that moves.
    chance: f64,
}

impl Thought {
    fn loses_at_once(&self) -> bool {
        self.chance == 0.0 && matches!(self.line.score, Score::Win(plies) if plies.abs() <= AT_ONCE)
    }
}

/// What a player's eye misses during one move: motifs, for both sides.
struct Eye {
    oversight: f64,
    /// How sharp it is for each motif that has come up, from 0 to 1.
    sharpness: Vec<(&'static str, f64)>,
}

impl Eye {
    /// Whether it sees a move. Moves with the same motif are seen or overlooked together, the subtle ones last.
    fn sees(&mut self, glance: &Glance, random: &mut Random) -> bool {
        let Some(motif) = glance.motif else { return true };
        let known = self.sharpness.iter().find(|(name, _)| *name == motif).map(|&(_, sharp)| sharp);
        let sharp = known.unwrap_or_else(|| {
            let sharp = random.uniform();
            self.sharpness.push((motif, sharp));
            sharp
        });
        sharp >= self.oversight * f64::from(glance.subtlety) / 100.0
    }

    /// The moves that come to mind: all that are seen and have a motif, and some others.
    fn notice(&mut self, board: &Board, breadth: usize, random: &mut Random) -> Vec<Glance> {
        let all = board.glance();
        let seen: Vec<Glance> = all.iter().filter(|glance| self.sees(glance, random)).cloned().collect();
        let (mut ordinary, mut noticed): (Vec<Glance>, Vec<Glance>) =
            seen.into_iter().partition(|glance| glance.motif.is_none());
        ordinary.sort_by_key(|glance| Reverse(glance.appeal));
        let mut drawn: Vec<(f64, Glance)> = ordinary
            .into_iter()
            .enumerate()
            .map(|(place, glance)| (WHIM * gumbel(random) - (1.0 + place as f64).ln(), glance))
            .collect();
        drawn.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        noticed.extend(drawn.into_iter().take(breadth).map(|(_, glance)| glance));
        if noticed.is_empty() { all } else { noticed }
    }
}

impl Engine {
    /// Finds a move as people do.
    pub(super) fn move_of_people(
        &mut self,
        board: &Board,
        player: &Player,
        people: People,
        limits: Limits,
        sink: &mut dyn FnMut(&Info),
    ) -> Result<Best, EngineError> {
        let time = time_for_move(&limits);
        let mut eye = Eye { oversight: player.level.oversight_within(time), sharpness: Vec::new() };
        let noticed = eye.notice(board, people.breadth, self.random());
        let share = Limits {
            depth: Some(people.depth),
            nodes: limits.nodes.map(|nodes| (nodes / noticed.len() as u64).max(LEAST_NODES)),
            time: time.map(|time| time / noticed.len() as u32),
            clock: None,
            ..limits
        };
        let (mut nodes, mut time) = (0, Duration::ZERO);
        let mut thoughts = Vec::with_capacity(noticed.len());
        for glance in noticed {
            let (line, searched) = self.think_about(board, &glance.mv, &mut eye, share)?;
            if let Some(searched) = searched {
                nodes += searched.nodes;
                time += searched.time;
            }
            let first = board.variant().chance(line.score);
            let chance = if board.side() == Side::First { first } else { 1.0 - first };
            thoughts.push(Thought { glance, line, chance });
        }
        let chosen = choose(&thoughts, player, self.random());
        thoughts.swap(0, chosen);
        let line = &thoughts[0].line;
        let (depth, value) = (line.depth, line.value);
        sink(&Info {
            depth,
            seldepth: depth,
            multipv: 1,
            certainty: None,
            score: line.score,
            value,
            bound: line.bound,
            nodes,
            time,
            nps: per_second(nodes, time),
            fill: 0,
            stage: SEARCH,
            line: line.moves.clone(),
        });
        let mut best = Best::without_search(thoughts[0].glance.mv.clone());
        (best.nodes, best.time, best.stage) = (nodes, time, SEARCH);
        (best.value, best.seldepth, best.ponder) = (Some(value), depth, line.moves.get(1).cloned());
        best.lines = thoughts.into_iter().map(|thought| thought.line).collect();
        Ok(best)
    }

    /// The line that follows a move, from a short search of the replies that come to mind. The search is returned too.
    fn think_about(
        &mut self,
        board: &Board,
        mv: &str,
        eye: &mut Eye,
        limits: Limits,
    ) -> Result<(Line, Option<Best>), EngineError> {
        let after = board.after(mv)?;
        let mut line = Line {
            score: Score::Centi(0),
            value: 0,
            bound: Bound::Exact,
            depth: 1,
            certainty: None,
            moves: vec![mv.to_owned()],
        };
        if let Some(outcome) = after.outcome() {
            line.score = outcome.as_last_move();
            return Ok((line, None));
        }
        let replies = after.glance().into_iter().filter(|glance| eye.sees(glance, self.random()));
        let search_moves: Vec<String> = replies.map(|glance| glance.mv).collect();
        let request = Request { limits, multipv: Some(1), search_moves, ..Request::new(&after) };
        let searched = self.search(&request, &mut |_| ())?;
        match searched.lines.first() {
            Some(found) => {
                (line.score, line.value) = (found.score.one_ply_before(), found.value);
                line.depth += found.depth;
                line.moves.extend(found.moves.iter().cloned());
            }
            // Too few nodes even for one reply: the looks of the position must do.
            None => line.score = after.evaluate()?,
        }
        Ok((line, Some(searched)))
    }
}

/// The move that seems best, with random errors on the scale of the level's slip. Errors have a Gumbel distribution,
/// which makes the choice a softmax over the chances. Who sees only losses plays on as if nothing were wrong; who sees
/// anything else does not lose at once.
fn choose(thoughts: &[Thought], player: &Player, random: &mut Random) -> usize {
    let Level { slip, .. } = *player.level;
    let all_lost = thoughts.iter().all(|thought| thought.chance == 0.0);
    let safe = thoughts.iter().any(|thought| !thought.loses_at_once());
    let mut best: Option<(f64, usize)> = None;
    for (at, thought) in thoughts.iter().enumerate() {
        if safe && thought.loses_at_once() {
            continue;
        }
        let seems = match all_lost {
            true => f64::from(thought.glance.appeal),
            false => {
                let (taste, variety) = player.persona.map_or((0.0, 0.0), |persona| (persona.taste, persona.variety));
                let style = taste * f64::from(thought.glance.aggression) / 100.0;
                thought.chance + style + slip.max(variety) * gumbel(random)
            }
        };
        if best.is_none_or(|(value, _)| seems > value) {
            best = Some((seems, at));
        }
    }
    best.map_or(0, |(_, at)| at)
}

/// A random number with the standard Gumbel distribution.
pub(super) fn gumbel(random: &mut Random) -> f64 {
    -(-random.uniform().max(f64::MIN_POSITIVE).ln()).ln()
}
