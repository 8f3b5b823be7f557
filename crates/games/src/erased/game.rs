//! A game behind [`ErasedFamily`] and, once it is set up, [`ErasedGame`].

use super::improver::GameImprover;
use super::position::{Position, read_move, typed};
use super::searcher::{GameSearcher, default_params};
use super::{ErasedFamily, ErasedGame, ErasedImprover, ErasedPosition, ErasedSearcher, Param};
use crate::error::EngineError;
use crate::learning::{LearningTask, NetTask, PolicyTask, PredictionTest};
use crate::look::{Layout, Wishes};
use crate::score::{Outcome, Score};
use polyply_core::family::{About, Family, RuleChoice, Setup};
use polyply_core::game::{Evaluation, MoveList, SearchGame, Side, Unit};
use polyply_core::learn::{Features, Inputs, Linear, Net, Policy, Probcut, View, range};
use polyply_core::problem::Problem;
use polyply_core::refusal::{Code, Refusal};
use polyply_core::score::FirstScore;
use polyply_core::swap::Swap;
use polyply_core::table::{EvalCache, SearchTt};
use polyply_core::weights::{Kind, Section, Tables};
use std::marker::PhantomData;
use std::sync::Arc;

/// A game of the registry.
pub(crate) struct Registered<G>(PhantomData<fn() -> G>);

impl<G> Registered<G> {
    pub const NEW: Registered<G> = Registered(PhantomData);
}

impl<G: Family> ErasedFamily for Registered<G> {
    fn about(&self) -> &'static About {
        &G::ABOUT
    }

    fn rules(&self) -> Vec<RuleChoice> {
        G::rules()
    }

    fn open(&self, setup: &Setup) -> Result<Arc<dyn ErasedGame>, EngineError> {
        let refuse = |reason| EngineError::Setup { variant: G::ABOUT.name, reason };
        let (start, eval) = G::open(setup).map_err(refuse)?;
        Ok(Arc::new(OpenGame { start, eval }))
    }

    fn problem(&self, line: &str) -> Result<Problem, Refusal> {
        G::problem(line)
    }

    fn refusals(&self) -> &'static [&'static Code] {
        G::refusals()
    }
}

/// A game with its size, rules and weights chosen.
#[derive(Clone)]
pub(super) struct OpenGame<G: SearchGame> {
    pub start: G,
    pub eval: G::Eval,
}

impl<G: Family> ErasedGame for OpenGame<G> {
    fn start(&self) -> Box<dyn ErasedPosition> {
        Box::new(Position::new(self.start.clone()))
    }

    fn parse(&self, text: &str) -> Result<Box<dyn ErasedPosition>, EngineError> {
        let refuse = |reason| EngineError::Position { text: text.to_owned(), reason };
        Ok(Box::new(Position::new(self.start.parse(text).map_err(refuse)?)))
    }

    fn swap(&self) -> Swap {
        self.start.swap()
    }

    fn layout(&self) -> Layout {
        self.start.layout()
    }

    fn arranged(&self, codes: &[Option<&str>], side: Side, wishes: &Wishes) -> String {
        self.start.arranged(codes, side, wishes)
    }

    fn score(&self, score: FirstScore) -> Score {
        Score::of(score, G::UNIT)
    }

    fn counts_points(&self) -> bool {
        matches!(G::UNIT, Unit::Points(_))
    }

    fn units(&self) -> i32 {
        if let Unit::Points(units) = G::UNIT { units } else { 1 }
    }

    fn chance_unit(&self) -> f64 {
        G::CHANCE
    }

    fn has_short_moves(&self) -> bool {
        let mut moves = MoveList::new();
        self.start.moves(&mut moves);
        // Either all moves have a short form or none.
        moves.first().is_some_and(|&mv| self.start.short_text(mv) != self.start.move_text(mv))
    }

    fn evaluate(&self, position: &dyn ErasedPosition) -> Result<Score, EngineError> {
        let game: &G = ongoing(position)?;
        let mut eval = self.eval.clone();
        eval.reset(game);
        Ok(Score::of(eval.score(game).for_first(game.side()), G::UNIT))
    }

    fn weights_hash(&self) -> u64 {
        self.eval.weights_hash()
    }

    fn learning_task(&self, kind: Kind, fresh: bool) -> Option<LearningTask> {
        let learning = G::learning()?;
        match kind {
            Kind::Linear => learning.linear.map(|linear| LearningTask {
                model: (linear.model)(&self.eval, fresh),
                recipe: linear.recipe,
                view: linear.view,
            }),
            Kind::Order => learning.order.map(|order| LearningTask {
                model: (order.model)(),
                recipe: order.recipe,
                view: View::SideToMove,
            }),
            Kind::Probcut | Kind::Net | Kind::Policy => None,
        }
    }

    fn features(
        &self,
        position: &dyn ErasedPosition,
        mv: Option<&str>,
        out: &mut Features,
    ) -> Result<bool, EngineError> {
        let game: &G = typed(position)?;
        let mv = mv.map(|mv| read_move(game, mv)).transpose()?;
        let is_suited = |linear: &Linear<G>| mv.is_none_or(|mv| (linear.is_quiet)(game, mv));
        let linear = G::learning().and_then(|learning| learning.linear).filter(is_suited);
        out.clear();
        if let Some(linear) = &linear {
            (linear.features)(game, &self.eval, out);
        }
        Ok(linear.is_some())
    }

    fn choices(
        &self,
        position: &dyn ErasedPosition,
        mv: &str,
        each: &mut dyn FnMut(&[u32]),
    ) -> Result<Option<usize>, EngineError> {
        let game: &G = typed(position)?;
        let played = read_move(game, mv)?;
        let (mut count, mut chosen) = (0, None);
        if let Some(order) = G::learning().and_then(|learning| learning.order) {
            (order.choices)(game, &mut |mv, slots| {
                if mv == played {
                    chosen = Some(count);
                }
                count += 1;
                each(slots);
            });
        }
        Ok(chosen)
    }

    fn probcut(&self) -> Option<PredictionTest> {
        let Probcut { depth, off, remaining_name, searched, solved, .. } = G::learning()?.probcut?;
        Some(PredictionTest { depth, off, remaining_name, searched: range(searched), solved: range(solved) })
    }

    fn net_task(&self) -> Option<NetTask> {
        let Net { features, perspectives, buckets, activation, hidden, middle, pooled, .. } = G::learning()?.net?;
        Some(NetTask { features, perspectives, buckets, activation, hidden, middle, pooled })
    }

    fn net_inputs(
        &self,
        position: &dyn ErasedPosition,
        mv: Option<&str>,
        out: &mut Inputs,
    ) -> Result<bool, EngineError> {
        let game: &G = typed(position)?;
        let mv = mv.map(|mv| read_move(game, mv)).transpose()?;
        let is_suited = |net: &Net<G>| mv.is_none_or(|mv| (net.is_quiet)(game, mv));
        let net = G::learning().and_then(|learning| learning.net).filter(is_suited);
        out.clear();
        if let Some(net) = &net {
            (net.inputs)(game, &self.eval, out);
        }
        Ok(net.is_some())
    }

    fn policy_task(&self) -> Option<PolicyTask> {
        let Policy { rows, active, .. } = G::learning()?.policy?;
        Some(PolicyTask { rows, active })
    }

    fn policy_choices(
        &self,
        position: &dyn ErasedPosition,
        mv: &str,
        each: &mut dyn FnMut(f32, [&[u16]; 2]),
    ) -> Result<Option<usize>, EngineError> {
        let game: &G = typed(position)?;
        let played = read_move(game, mv)?;
        let (mut count, mut chosen) = (0, None);
        if let Some(policy) = G::learning().and_then(|learning| learning.policy) {
            (policy.choices)(game, &self.eval, &mut |mv, offset, views| {
                if mv == played {
                    chosen = Some(count);
                }
                count += 1;
                each(offset, views);
            });
        }
        Ok(chosen)
    }

    fn remaining(&self, position: &dyn ErasedPosition) -> Result<i32, EngineError> {
        let game: &G = typed(position)?;
        Ok(G::learning().and_then(|learning| learning.probcut).map_or(0, |probcut| (probcut.remaining)(game)))
    }

    fn sections(&self) -> Vec<Section> {
        G::learning().map(|learning| (learning.sections)()).unwrap_or_default()
    }

    fn tables(&self, kind: Kind, numbers: &[f32]) -> Option<Tables> {
        let learning = G::learning()?;
        match kind {
            Kind::Linear => learning.linear.map(|linear| (linear.tables)(&self.eval, numbers)),
            Kind::Order => learning.order.map(|order| (order.tables)(&self.eval, numbers)),
            Kind::Probcut => learning.probcut.map(|probcut| (probcut.tables)(&self.eval, numbers)),
            Kind::Policy => learning.policy.map(|policy| (policy.tables)(&self.eval, numbers)),
            Kind::Net => None,
        }
    }

    fn params(&self) -> Vec<Param> {
        default_params::<G>()
    }

    fn searcher(&self, table: Arc<SearchTt>, eval_cache: Arc<EvalCache>) -> Box<dyn ErasedSearcher> {
        Box::new(GameSearcher::<G>::new(self.eval.clone(), table, eval_cache))
    }

    fn improver(&self, table: Arc<SearchTt>) -> Box<dyn ErasedImprover> {
        Box::new(GameImprover::<G>::new(self.start.clone(), self.eval.clone(), table))
    }
}

/// Downcasts a position to its game's type. Fails if the game is over.
pub(super) fn ongoing<G: Family>(position: &dyn ErasedPosition) -> Result<&G, EngineError> {
    let game: &G = typed(position)?;
    match game.outcome() {
        None => Ok(game),
        Some(outcome) => Err(EngineError::Over(Outcome::of(outcome, G::UNIT))),
    }
}
