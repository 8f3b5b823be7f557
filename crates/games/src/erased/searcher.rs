//! A game's searcher behind [`ErasedSearcher`].

use super::game::ongoing;
use super::position::{line_text, read_move, typed};
use super::{ErasedPosition, ErasedSearcher, Param};
use crate::error::EngineError;
use crate::report::{Best, Bound, Info, Line, Progress, Solution, TableEntry, per_second};
use crate::request::Request;
use crate::score::Score;
use polyply_core::clock::Limits;
use polyply_core::control::Control;
use polyply_core::family::Family;
use polyply_core::game::SearchGame;
use polyply_core::params::{ParamError, ParamSet, SearchParams, Spec};
use polyply_core::table::{EvalCache, SearchTt};
use polyply_core::{Searcher, Task};
use std::sync::Arc;

/// A searcher of a game.
pub(super) struct GameSearcher<G: SearchGame> {
    searcher: Searcher<G>,
}

impl<G: Family> GameSearcher<G> {
    pub fn new(eval: G::Eval, table: Arc<SearchTt>, eval_cache: Arc<EvalCache>) -> Self {
        GameSearcher { searcher: Searcher::new(eval, table, eval_cache) }
    }
}

/// Sets a parameter of the core or of the game.
pub(super) fn set_param<G: SearchGame>(searcher: &mut Searcher<G>, name: &str, value: i32) -> Result<(), ParamError> {
    let mut params = searcher.params().clone();
    match params.set(name, value) {
        Ok(()) => {
            searcher.set_params(params);
            Ok(())
        }
        Err(ParamError::Unknown(_)) => searcher.game_params().set(name, value),
        Err(error) => Err(error),
    }
}

/// The parameters of a set with their values.
fn listed<P: ParamSet>(defaults: &P, values: &P) -> Vec<Param> {
    let value = |params: &P, spec: &Spec| params.get(spec.name).unwrap_or(spec.default);
    P::specs().iter().map(|spec| Param { spec, default: value(defaults, spec), value: value(values, spec) }).collect()
}

/// The parameters of a game at their defaults.
pub(super) fn default_params<G: SearchGame>() -> Vec<Param> {
    let (core, game) = (SearchParams::for_game::<G>(), G::Params::default());
    let mut params = listed(&core, &core);
    params.extend(listed(&game, &game));
    params
}

impl<G: Family> ErasedSearcher for GameSearcher<G> {
    fn control(&self) -> Arc<Control> {
        self.searcher.control()
    }

    fn set_control(&mut self, control: Arc<Control>) {
        self.searcher.set_control(control);
    }

    fn search(&mut self, request: &Request, multipv: usize, sink: &mut dyn FnMut(&Info)) -> Result<Best, EngineError> {
        let root: &G = ongoing(request.board.position())?;
        let side = root.side();
        let only = request.search_moves.iter().map(|text| read_move(root, text)).collect::<Result<Vec<_>, _>>()?;
        let task = Task { limits: request.limits, multipv, only };
        let best = self.searcher.search(root, &task, &mut |info| {
            sink(&Info {
                depth: info.depth,
                seldepth: info.seldepth,
                multipv: info.multipv,
                certainty: root.certainty(info.depth),
                score: Score::of(info.score, G::UNIT),
                value: info.score.value(),
                bound: Bound::of(info.bound, side),
                nodes: info.nodes,
                time: info.time,
                nps: per_second(info.nodes, info.time),
                fill: info.fill,
                stage: info.stage,
                line: line_text(root, info.line),
            });
        });
        // A search that was stopped at once may contain moves that it has not searched; their scores mean nothing.
        let searched = best.lines.iter().filter(|line| line.depth > 0);
        let value = searched.clone().next().map(|line| line.score.value());
        let lines = searched.map(|line| Line {
            score: Score::of(line.score, G::UNIT),
            value: line.score.value(),
            bound: Bound::of(line.bound, side),
            depth: line.depth,
            certainty: root.certainty(line.depth),
            moves: line_text(root, &line.moves),
        });
        let main = best.lines.first().map_or(&[][..], |line| &line.moves);
        let mut main = line_text(root, main).into_iter();
        Ok(Best {
            mv: main.next().expect("a game that goes on has a move"),
            ponder: main.next(),
            lines: lines.collect(),
            value,
            stage: best.stage,
            seldepth: best.seldepth,
            nodes: best.stats.nodes,
            counters: best.stats.all(),
            time: best.time,
        })
    }

    fn solve(
        &mut self,
        position: &dyn ErasedPosition,
        limits: Limits,
        progress: &mut (dyn FnMut(&Progress) + Send),
    ) -> Result<Solution, EngineError> {
        let root: &G = ongoing(position)?;
        let solution = self.searcher.solve(root, limits, &mut |low, high, nodes| {
            progress(&Progress { low: Score::bound(low, G::UNIT), high: Score::bound(high, G::UNIT), nodes });
        });
        Ok(Solution {
            value: solution.score().map(|score| Score::of(score, G::UNIT)),
            low: Score::bound(solution.low, G::UNIT),
            high: Score::bound(solution.high, G::UNIT),
            line: line_text(root, &solution.line),
            stage: "search",
            nodes: solution.stats.nodes,
            counters: solution.stats.all(),
            time: solution.time,
        })
    }

    fn lookup(&self, position: &dyn ErasedPosition) -> Result<Option<TableEntry>, EngineError> {
        let game: &G = typed(position)?;
        Ok(self.searcher.entry(game).map(|entry| TableEntry {
            depth: entry.depth.into(),
            score: Score::of(entry.score, G::UNIT),
            bound: Bound::of(entry.bound, game.side()),
            eval: entry.eval.map(|eval| Score::of(eval, G::UNIT)),
            mv: game.decode(entry.best).map(|mv| game.move_text(mv)),
            age: self.searcher.table().age(&entry),
        }))
    }

    fn params(&mut self) -> Vec<Param> {
        let mut params = listed(&SearchParams::for_game::<G>(), self.searcher.params());
        params.extend(listed(&G::Params::default(), self.searcher.game_params()));
        params
    }

    fn set_param(&mut self, name: &str, value: i32) -> Result<(), ParamError> {
        set_param(&mut self.searcher, name, value)
    }

    fn set_threads(&mut self, threads: usize) {
        self.searcher.set_threads(threads);
    }

    fn table(&self) -> &Arc<SearchTt> {
        self.searcher.table()
    }

    fn eval_cache(&self) -> &Arc<EvalCache> {
        self.searcher.eval_cache()
    }

    fn set_tables(&mut self, table: Arc<SearchTt>, eval_cache: Arc<EvalCache>) {
        self.searcher.set_tables(table, eval_cache);
    }

    fn new_game(&mut self) {
        self.searcher.new_game();
    }
}
