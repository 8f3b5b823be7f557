//! Every technique can be switched off, and then has no effect.

use crate::lattice::{Lattice, Noise, Rules};
use crate::oracle::searcher;
use polyply_core::Task;
use polyply_core::clock::Limits;
use polyply_core::params::{ParamSet, SearchParams};
use polyply_core::stats::Stats;

/// The counters of searches of a few games of moderate size, each with its own searcher.
fn bench(params: &SearchParams) -> Stats {
    let mut stats = Stats::default();
    for seed in 0..6 {
        // In some of them a player wins soon.
        let ends = if seed < 3 { 10 } else { 120 };
        let position = Lattice::<false>::start(Rules { counters: 5, ends, ..Rules::large(seed) });
        let mut searcher = searcher(Noise, 1 << 16);
        searcher.set_params(params.clone());
        stats.add(&searcher.search(&position, &Task::new(Limits::depth(9)), &mut |_| ()).stats);
    }
    stats
}

/// The default parameters, with margins and depths that fit the game, and these techniques off.
fn without(switches: &[&str]) -> SearchParams {
    let mut params = SearchParams {
        razoring_margin: 20,
        futility_base: 20,
        futility_margin: 10,
        probcut_margin: 20,
        etc_depth: 3,
        ..SearchParams::default()
    };
    for name in switches {
        params.set(name, 0).unwrap();
    }
    params
}

/// The counter is above 0 with the techniques on, and 0 with them off.
fn check(switches: &[&str], counter: fn(&Stats) -> u64) {
    assert_ne!(counter(&bench(&without(&[]))), 0, "{switches:?} never apply here, so the test tests nothing");
    assert_eq!(counter(&bench(&without(switches))), 0, "{switches:?} are off");
}

#[test]
fn null_move_off_tries_none() {
    check(&["null_move"], |stats| stats.null_tries + stats.null_cutoffs);
}

#[test]
fn late_move_reduction_off_reduces_nothing() {
    check(&["lmr"], |stats| stats.reductions + stats.reduction_failures);
}

#[test]
fn late_move_pruning_and_futility_off_prune_no_move() {
    check(&["lmp", "futility"], |stats| stats.pruned_moves);
}

#[test]
fn razoring_off_cuts_nothing() {
    check(&["razoring"], |stats| stats.razoring_cutoffs);
}

#[test]
fn reverse_futility_off_cuts_nothing() {
    check(&["reverse_futility"], |stats| stats.reverse_futility_cutoffs);
}

#[test]
fn both_probcuts_off_cut_nothing() {
    check(&["probcut", "multi_probcut"], |stats| stats.probcut_cutoffs);
}

#[test]
fn singular_extension_off_extends_and_cuts_nothing() {
    check(&["singular"], |stats| stats.singular_extensions + stats.multicut_cutoffs);
}

#[test]
fn multicut_off_cuts_nothing() {
    check(&["multicut"], |stats| stats.multicut_cutoffs);
}

#[test]
fn cutoffs_from_the_table_off_are_none() {
    check(&["tt_cutoff"], |stats| stats.tt_cutoffs);
}

#[test]
fn enhanced_transposition_cutoff_off_cuts_nothing() {
    check(&["etc"], |stats| stats.etc_cutoffs);
}

#[test]
fn aspiration_off_never_fails() {
    check(&["aspiration"], |stats| stats.aspiration_failures);
}

#[test]
fn every_switch_changes_the_tree() {
    let all_on = bench(&without(&[])).nodes;
    let switches = SearchParams::specs().iter().filter(|spec| (spec.min, spec.max, spec.default) == (0, 1, 1));
    let idle: Vec<_> = switches.map(|spec| spec.name).filter(|name| bench(&without(&[name])).nodes == all_on).collect();
    assert_eq!(idle, [""; 0], "switched off without a change in {all_on} nodes");
}

#[test]
fn exact_mode_uses_no_unsound_technique() {
    let position = Lattice::<false>::start(Rules::large(1));
    let mut searcher = searcher(Noise, 1 << 16);
    searcher.set_params(SearchParams { exact: 1, ..without(&[]) });
    let stats = searcher.search(&position, &Task::new(Limits::depth(5)), &mut |_| ()).stats;
    let unsound = [
        stats.quiescence,
        stats.null_tries,
        stats.reverse_futility_cutoffs,
        stats.razoring_cutoffs,
        stats.probcut_cutoffs,
        stats.pruned_moves,
        stats.reductions,
        stats.singular_extensions,
        stats.multicut_cutoffs,
    ];
    assert_eq!(unsound, [0; 9]);
}
