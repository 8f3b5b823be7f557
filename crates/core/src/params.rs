//! Tunable parameters, declared once: name, meaning, default and range. They become engine options and tuner inputs.

/// The declaration of a tunable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spec {
    /// The name, as options and tuners spell it.
    pub name: &'static str,
    /// What it does.
    pub help: &'static str,
    /// The default.
    pub default: i32,
    /// The smallest allowed value.
    pub min: i32,
    /// The largest allowed value.
    pub max: i32,
}

/// Why a parameter was not set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParamError {
    /// There is no parameter of this name.
    #[error("there is no parameter `{0}`")]
    Unknown(String),
    /// The value is out of range.
    #[error("`{name}` takes a number from {min} to {max}, not {value}")]
    Range {
        /// The parameter.
        name: &'static str,
        /// Its smallest value.
        min: i32,
        /// Its largest value.
        max: i32,
        /// What was asked for.
        value: i32,
    },
}

/// A set of tunables. Made by [`params!`](crate::params!).
pub trait ParamSet: Clone + Default + Send + Sync + 'static {
    /// All tunables, in the order of declaration.
    fn specs() -> &'static [Spec];
    /// The value of a tunable.
    fn get(&self, name: &str) -> Option<i32>;
    /// A reference to the value of a tunable.
    fn slot(&mut self, name: &str) -> Option<&mut i32>;

    /// Sets a tunable.
    fn set(&mut self, name: &str, value: i32) -> Result<(), ParamError> {
        let unknown = || ParamError::Unknown(name.to_owned());
        let spec = Self::specs().iter().find(|spec| spec.name == name).ok_or_else(unknown)?;
        if !(spec.min..=spec.max).contains(&value) {
            return Err(ParamError::Range { name: spec.name, min: spec.min, max: spec.max, value });
        }
        *self.slot(name).ok_or_else(unknown)? = value;
        Ok(())
    }
}

/// For games without tunables of their own.
#[derive(Clone, Copy, Default, Debug)]
pub struct NoParams;

impl ParamSet for NoParams {
    fn specs() -> &'static [Spec] {
        &[]
    }
    fn get(&self, _: &str) -> Option<i32> {
        None
    }
    fn slot(&mut self, _: &str) -> Option<&mut i32> {
        None
    }
}

/// Declares a [`ParamSet`].
///
/// ```
/// polyply_core::params! {
///     /// Tunables of a little game.
///     pub struct Little {
///         /// Worth of the centre.
///         centre = 20 in 0..=100;
///     }
/// }
/// use polyply_core::params::ParamSet;
/// let mut little = Little::default();
/// little.set("centre", 30).unwrap();
/// assert_eq!(little.centre, 30);
/// assert!(little.set("centre", 101).is_err());
/// ```
#[macro_export]
macro_rules! params {
    (
        $(#[$meta:meta])*
        $vis:vis struct $set:ident {
            $( $(#[doc = $help:literal])+ $name:ident = $default:literal in $min:literal ..= $max:literal; )*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, PartialEq, Eq, Debug)]
        $vis struct $set {
            $( $(#[doc = $help])+ pub $name: i32, )*
        }

        impl Default for $set {
            fn default() -> Self {
                $set { $( $name: $default, )* }
            }
        }

        impl $crate::params::ParamSet for $set {
            fn specs() -> &'static [$crate::params::Spec] {
                const {
                    &[ $( $crate::params::Spec {
                        name: stringify!($name),
                        help: concat!($($help),+).trim_ascii(),
                        default: $default,
                        min: $min,
                        max: $max,
                    }, )* ]
                }
            }

            fn get(&self, name: &str) -> Option<i32> {
                match name {
                    $( stringify!($name) => Some(self.$name), )*
                    _ => None,
                }
            }

            fn slot(&mut self, name: &str) -> Option<&mut i32> {
                match name {
                    $( stringify!($name) => Some(&mut self.$name), )*
                    _ => None,
                }
            }
        }
    };
}

params! {
    /// The core's own tunables. A switch is 0 or 1; margins are in evaluation units, a factor ends in `_percent`.
    pub struct SearchParams {
        /// Exact mode: every unsound technique is off and the search returns plain negamax's value.
        exact = 0 in 0..=1;
        /// Score of a draw for the side that searches, negated.
        contempt = 0 in -1000..=1000;

        /// Take cutoffs from the Search TT.
        tt_cutoff = 1 in 0..=1;
        /// Look up symmetric positions in the Search TT up to this ply; 0 is off.
        tt_symmetry = 0 in 0..=64;
        /// Solving looks up positions only where at least this many plies are left: near the end searching is faster.
        solve_tt_depth = 4 in 1..=64;
        /// The evaluation cache holds no value beyond this, for either side: clear positions are seldom asked for again.
        eval_cache_score = 32000 in 0..=32000;
        /// The evaluation cache is asked only where the game calls the evaluation at least this dear.
        eval_cache_cost = 0 in 0..=1000;
        /// The evaluation cache holds only what was asked for before.
        eval_cache_repeated = 0 in 0..=1;
        /// Enhanced transposition cutoff: look up all moves before searching the first.
        etc = 1 in 0..=1;
        /// Smallest depth of enhanced transposition cutoff.
        etc_depth = 10 in 1..=64;
        /// Aspiration windows at the root.
        aspiration = 1 in 0..=1;
        /// Half-width of the first aspiration window.
        aspiration_window = 20 in 1..=2000;
        /// The first aspiration window grows by the square of the score over this; 0 is off.
        aspiration_square = 0 in 0..=1000000;
        /// Killer moves.
        killers = 1 in 0..=1;
        /// Counter moves.
        counter_moves = 1 in 0..=1;
        /// History of quiet and tactical moves.
        history = 1 in 0..=1;
        /// The history of moves fades by an eighth every so many nodes; 0 is off.
        history_fade = 0 in 0..=1000000;
        /// Continuation history over plies 1 to 6.
        continuation = 1 in 0..=1;
        /// Correction of the static evaluation by learned errors.
        correction = 1 in 0..=1;
        /// Prune and reduce less where the static evaluation rises.
        improving = 1 in 0..=1;

        /// Late move reduction.
        lmr = 1 in 0..=1;
        /// Constant part of the reduction, in hundredths of a ply.
        lmr_base = 60 in -200..=400;
        /// The log-log part is divided by this, in hundredths.
        lmr_divisor = 240 in 50..=1000;
        /// History that changes the reduction by one ply.
        lmr_history = 8000 in 500..=65536;
        /// A reduced search that comes out far above alpha is repeated a ply deeper, one that hardly does a ply less
        /// deep.
        lmr_deeper = 0 in 0..=1;
        /// How far above, in evaluation units.
        lmr_deeper_margin = 60 in 0..=1000;
        /// Reduce late forced moves as well.
        lmr_forced = 0 in 0..=1;
        /// Late move pruning after (3 + d²)/(2 − improving) moves.
        lmp = 1 in 0..=1;
        /// Deepest late move pruning.
        lmp_depth = 6 in 1..=64;
        /// The power of the depth in late move pruning, in hundredths.
        lmp_power = 200 in 0..=400;
        /// Razoring: drop into quiescence when far below alpha.
        razoring = 1 in 0..=1;
        /// Deepest razoring.
        razoring_depth = 3 in 1..=10;
        /// Constant margin of razoring.
        razoring_base = 0 in 0..=5000;
        /// Margin of razoring per ply.
        razoring_margin = 250 in 0..=5000;
        /// What a ply beyond the third adds to the margin of razoring, in hundredths of `razoring_margin`.
        razoring_deep_percent = 100 in 0..=400;
        /// Reverse futility: stop when far above beta.
        reverse_futility = 1 in 0..=1;
        /// Deepest reverse futility.
        reverse_futility_depth = 7 in 1..=64;
        /// Margin of reverse futility per ply.
        reverse_futility_margin = 80 in 0..=5000;
        /// Futility: skip quiet moves that can't reach alpha.
        futility = 1 in 0..=1;
        /// Deepest futility.
        futility_depth = 6 in 1..=64;
        /// Constant margin of futility.
        futility_base = 100 in 0..=5000;
        /// Margin of futility per ply.
        futility_margin = 90 in 0..=5000;
        /// Fail-high reduction: search a ply less deep where a cutoff is almost certain.
        fail_high = 0 in 0..=1;
        /// Margin of fail-high reduction per ply.
        fail_high_margin = 15 in 0..=5000;
        /// Use the score of the Search TT entry as static evaluation where its bound allows.
        tt_eval = 0 in 0..=1;
        /// History pruning: skip quiet moves that have often been refuted.
        history_pruning = 0 in 0..=1;
        /// Deepest history pruning.
        history_pruning_depth = 5 in 1..=20;
        /// A quiet move is skipped if its history is below minus this, per ply.
        history_pruning_margin = 2500 in 0..=20000;
        /// Smallest depth at which unlikely moves are tried where all likely ones lose, to prove the loss.
        prove_depth = 0 in 0..=64;
        /// Exchange pruning: skip moves that lose too much by exchanges, where the game can tell.
        exchange = 0 in 0..=1;
        /// Deepest exchange pruning.
        exchange_depth = 8 in 1..=64;
        /// What a quiet move may lose, per ply.
        exchange_quiet = 60 in 0..=1000;
        /// What a tactical move may lose, per ply.
        exchange_tactical = 100 in 0..=1000;
        /// Delta pruning: in quiescence, skip moves that can't gain enough, where the game can tell what they gain.
        delta = 0 in 0..=1;
        /// Margin of delta pruning.
        delta_margin = 150 in 0..=2000;
        /// Quiescence searches the hash move first.
        quiescence_hash = 0 in 0..=1;
        /// Null move pruning.
        null_move = 1 in 0..=1;
        /// Constant part of the null move reduction.
        null_move_base = 3 in 1..=8;
        /// Depth per additional ply of null move reduction.
        null_move_divisor = 4 in 1..=12;
        /// From this depth on, a search verifies null move cutoffs.
        null_move_verify = 12 in 1..=64;
        /// ProbCut: a tactical move that beats beta by a margin at reduced depth.
        probcut = 1 in 0..=1;
        /// Margin of ProbCut over beta.
        probcut_margin = 180 in 0..=5000;
        /// Smallest depth of ProbCut.
        probcut_depth = 5 in 3..=20;
        /// Multi-ProbCut by the game's own predictions.
        multi_probcut = 1 in 0..=1;
        /// Confidence of Multi-ProbCut, in hundredths of a standard deviation.
        multi_probcut_percent = 150 in 50..=500;
        /// Internal iterative reduction where no hash move is known.
        iir = 1 in 0..=1;
        /// Smallest depth of internal iterative reduction.
        iir_depth = 4 in 2..=20;
        /// Singular extension.
        singular = 1 in 0..=1;
        /// Smallest depth of singular extension.
        singular_depth = 7 in 4..=20;
        /// Margin of singular extension per ply, in hundredths.
        singular_margin = 200 in 0..=5000;
        /// Extend a move by two plies where the singular search is far below it.
        double_extension = 0 in 0..=1;
        /// How far, in evaluation units.
        double_extension_margin = 20 in 0..=1000;
        /// Multicut by the singular search.
        multicut = 1 in 0..=1;
        /// Multicut by counting: a node is cut where 2 of its first moves, or 3 from depth 8 on, beat beta at reduced depth.
        multicut_counted = 0 in 0..=1;
        /// Smallest depth of multicut by counting.
        multicut_counted_depth = 5 in 2..=64;
        /// How many moves multicut by counting tries.
        multicut_counted_moves = 6 in 2..=64;
        /// How many plies less deep multicut by counting searches them.
        multicut_counted_reduction = 3 in 1..=20;
        /// Extend threatened positions.
        threat_extension = 1 in 0..=1;
        /// Mate-distance pruning.
        mate_distance = 1 in 0..=1;
        /// Quiescence, by the game's own rules.
        settle = 1 in 0..=1;

        /// With several threads, moves that another thread is searching are put off from this depth on.
        defer_depth = 4 in 1..=100;

        /// Time reserved per move for communication, in milliseconds.
        move_overhead = 10 in 0..=5000;
        /// Number of moves to plan for when the time control does not state one.
        time_horizon = 28 in 5..=200;
        /// Proportional gain of the time controller, in hundredths.
        time_kp = 30 in 0..=200;
        /// Integral gain of the time controller, in hundredths.
        time_ki = 8 in 0..=200;
        /// Derivative gain of the time controller, in hundredths.
        time_kd = 10 in 0..=200;
        /// Share of the target time in the endgame, where the game knows one, in hundredths.
        time_endgame_percent = 100 in 10..=400;
        /// Share of the target time on a forced move, in hundredths.
        time_forced_percent = 20 in 1..=100;
        /// Largest share of the target time on a complex position, in hundredths.
        time_complex_percent = 250 in 100..=1000;
    }
}

impl SearchParams {
    /// The parameters of the clock, which matter only in games on a clock.
    pub const CLOCK: &[&str] = &[
        "move_overhead",
        "time_horizon",
        "time_kp",
        "time_ki",
        "time_kd",
        "time_endgame_percent",
        "time_forced_percent",
        "time_complex_percent",
    ];

    /// The filters of the evaluation cache. They change what a search costs, not what it finds.
    pub const EVAL_CACHE: &[&str] = &["eval_cache_score", "eval_cache_cost", "eval_cache_repeated"];

    /// The default parameters of a game: the core's, as changed by [`SearchGame::tune`](crate::game::SearchGame::tune).
    pub fn for_game<G: crate::game::SearchGame>() -> Self {
        let mut params = SearchParams::default();
        G::tune(&mut params);
        params
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_is_in_its_range_and_every_name_reaches_its_value() {
        let mut params = SearchParams::default();
        for spec in SearchParams::specs() {
            assert!((spec.min..=spec.max).contains(&spec.default), "{}", spec.name);
            assert!(!spec.help.is_empty(), "{}", spec.name);
            params.set(spec.name, spec.min).unwrap();
            assert_eq!(params.get(spec.name), Some(spec.min));
            let too_much = params.set(spec.name, spec.max + 1).unwrap_err();
            assert!(too_much.to_string().contains(spec.name));
        }
        assert_eq!(params.set("no_such", 1), Err(ParamError::Unknown("no_such".into())));
    }
}
