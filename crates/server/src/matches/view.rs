//! A match as it is shown: score, graphs and the boards in play.

use crate::error::ErrorBody;
use crate::wire::WireScore;
use polyply_lab::arena::Moment;
use polyply_lab::record::Record;
use polyply_lab::report::Report;
use polyply_lab::stats::Interval;
use serde::Serialize;
use utoipa::ToSchema;

/// The most points of a graph.
pub const MAX_POINTS: usize = 400;

/// Games that the first engine has won, drawn and lost.
#[derive(Serialize, ToSchema, Clone, Copy, Debug, Default)]
pub struct ScoreView {
    wins: u64,
    draws: u64,
    losses: u64,
}

impl ScoreView {
    fn of([wins, draws, losses]: [u64; 3]) -> ScoreView {
        ScoreView { wins, draws, losses }
    }
}

/// The rating difference from the first engine's side, with the error at 95 %.
#[derive(Serialize, ToSchema, Clone, Copy, Debug)]
pub struct EloView {
    value: Option<f64>,
    error: Option<f64>,
}

impl EloView {
    fn of(Interval { value, error }: Interval) -> EloView {
        let finite = |value: f64| value.is_finite().then_some(value);
        EloView { value: finite(value), error: finite(error) }
    }
}

/// The standing of one engine.
#[derive(Serialize, ToSchema, Clone, Debug)]
pub struct Standing {
    name: String,
    /// Against all others.
    score: ScoreView,
    /// The rating on a scale whose mean is 0.
    elo: Option<EloView>,
    faults: u64,
}

/// A point of the graph.
#[derive(Serialize, ToSchema, Clone, Copy, Debug)]
pub struct EloPoint {
    games: u64,
    elo: f64,
    error: f64,
}

/// A game in play.
#[derive(Serialize, ToSchema, Clone, Debug)]
pub struct LiveBoard {
    number: u64,
    first: String,
    second: String,
    position: Option<String>,
    moves: Vec<String>,
    /// What the players thought of their moves, from the first player's side. The opening has no scores.
    scores: Vec<Option<WireScore>>,
    /// The time left on the clocks, in milliseconds.
    left_ms: [Option<u64>; 2],
    /// When it last changed, counted in moves of the whole match.
    #[serde(skip)]
    seen: u64,
}

/// A match as it is now.
#[derive(Serialize, ToSchema, Clone, Debug)]
pub struct MatchView {
    pub(super) id: String,
    pub(super) name: Option<String>,
    pub(super) variant: String,
    /// Milliseconds since 1970.
    pub(super) created: u64,
    pub(super) players: Vec<String>,
    pub(super) running: bool,
    /// It was started here and can be resumed.
    pub(super) resumable: bool,
    pub(super) played: u64,
    /// How many games there will be; `null` if unknown.
    pub(super) games: Option<u64>,
    pub(super) score: ScoreView,
    pub(super) elo: Option<EloView>,
    /// All engines, in the order of the request.
    pub(super) standings: Vec<Standing>,
    pub(super) elo_series: Vec<EloPoint>,
    /// The log-likelihood ratio of the sequential test after each pair.
    pub(super) llr_series: Vec<f64>,
    pub(super) llr_bounds: Option<[f64; 2]>,
    /// Games that were lost by a crash, an illegal move or on time.
    pub(super) faults: u64,
    pub(super) boards: Vec<LiveBoard>,
    /// All numbers of the lab's report.
    #[schema(value_type = Object)]
    pub(super) report: serde_json::Value,
    /// Why it ended early.
    pub(super) error: Option<ErrorBody>,
    /// Games at the same time, and moves seen so far.
    #[serde(skip)]
    pub(super) at_a_time: usize,
    #[serde(skip)]
    pub(super) moments: u64,
    /// Pairs of games in the graphs.
    #[serde(skip)]
    pub(super) pairs: u64,
}

impl MatchView {
    /// Updates the score and the graphs.
    pub(super) fn follow(&mut self, report: &Report) {
        self.played = report.games();
        self.players = report.names().map(str::to_owned).collect();
        self.faults = (0..self.players.len()).map(|player| report.failures(player)).sum();
        let tally = report.tally();
        // Half a pair says nothing about strength.
        let is_news = tally.pair_count() > self.pairs;
        self.pairs = tally.pair_count();
        if report.is_match() {
            self.score = ScoreView::of(tally.games);
            if let Some(estimate) = tally.estimate() {
                let Interval { value, error } = estimate.elo;
                self.elo = Some(EloView::of(estimate.elo));
                if is_news && value.is_finite() && error.is_finite() {
                    push(&mut self.elo_series, EloPoint { games: self.played, elo: value, error });
                }
            }
        }
        if let Some((sprt, llr)) = report.test() {
            self.llr_bounds = Some(sprt.bounds());
            if is_news {
                push(&mut self.llr_series, llr);
            }
        }
    }

    /// Updates the standings.
    pub(super) fn rank(&mut self, report: &Report) {
        let ratings = report.ratings();
        // A match of which only the request is there has players, but none in its report.
        self.standings = report
            .names()
            .enumerate()
            .map(|(player, name)| Standing {
                name: name.to_owned(),
                score: ScoreView::of(report.against(player, None).games),
                elo: ratings.players[player].map(|rating| EloView::of(rating.elo)),
                faults: report.failures(player),
            })
            .collect();
    }

    pub(super) fn see(&mut self, moment: &Moment<'_>) {
        self.moments += 1;
        let [first, second] = moment.players.map(str::to_owned);
        let (number, position, moves) =
            (moment.number, moment.board.spec().position.clone(), moment.board.moves().to_vec());
        let given = moves.len().saturating_sub(moment.played.len());
        let thought = moment.played.iter().map(|mv| mv.score.map(WireScore::from));
        let scores = std::iter::repeat_n(None, given).chain(thought).collect();
        let left_ms = moment.left.map(|left| left.map(|left| left.as_millis() as u64));
        let board = LiveBoard { number, first, second, position, moves, scores, left_ms, seen: self.moments };
        let known = self.boards.iter().position(|known| known.number == number);
        // A new game replaces the one that has not changed for longest, which must have ended.
        let ended = || (0..self.boards.len()).min_by_key(|&at| self.boards[at].seen);
        let at = known.or_else(|| if self.boards.len() < self.at_a_time { None } else { ended() });
        match at {
            Some(at) => self.boards[at] = board,
            None => self.boards.push(board),
        }
    }
}

/// A finished game of a match.
#[derive(Serialize, ToSchema, Clone, Debug)]
pub struct PlayedGame {
    number: u64,
    first: String,
    second: String,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    result: &'static str,
    /// Why it ended: `normal`, `adjudication`, `time forfeit`, `illegal move`, `crash`, …
    reason: &'static str,
    position: Option<String>,
    /// All moves, the opening's included.
    moves: Vec<String>,
}

impl From<&Record> for PlayedGame {
    fn from(game: &Record) -> PlayedGame {
        let [first, second] = game.players.clone();
        PlayedGame {
            number: game.number,
            first,
            second,
            result: game.end.result(),
            reason: game.end.reason.words(),
            position: game.opening.position.clone(),
            moves: game.all_moves().map(str::to_owned).collect(),
        }
    }
}

/// Adds a point. If there are too many, every second one is dropped.
fn push<T: Clone>(series: &mut Vec<T>, point: T) {
    if series.len() >= MAX_POINTS {
        let mut keep = false;
        series.retain(|_| {
            keep = !keep;
            keep
        });
    }
    series.push(point);
}
