//! `polyply match`, `polyply tournament` and `polyply lab ablate`: engines against each other.

use crate::args::{AblateArgs, FleetArgs, GameArgs, LimitArgs, MatchArgs, OpeningArgs, RulingArgs, TournamentArgs};
use crate::failure::Failure;
use crate::interrupt;
use crate::printer::Printer;
use crate::progress::bar;
use polyply_lab::arena::{Contest, Format, MatchSettings, Resume, Technique};
use polyply_lab::report::Report;
use polyply_lab::stats::{Decision, Tally};
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Nodes per move when techniques are measured without other limits.
const ABLATION_NODES: u64 = 5000;

pub fn play_match(args: &MatchArgs) -> Result<(), Failure> {
    let settings = MatchSettings {
        engines: args.engines.clone(),
        format: if args.gauntlet { Format::Gauntlet } else { Format::RoundRobin },
        games: args.games,
        margin: args.margin.clone(),
        stall: args.stall.clone(),
        startup: args.startup.clone(),
        sprt: args.sprt.clone(),
        concurrency: args.run.concurrency.into(),
        out: args.out.clone(),
        ..common(&args.game, &args.openings, &args.limits, &args.ruling)
    };
    let resume = if args.resume { Resume::GoOn } else { Resume::Never };
    let (report, ended) = run(settings, resume, &args.run.fleet)?;
    print(&report, args.run.json, lines)?;
    ended
}

pub fn play_tournament(args: &TournamentArgs) -> Result<(), Failure> {
    let (report, ended) = run(MatchSettings::from_file(&args.file)?, Resume::GoOn, &args.fleet)?;
    print(&report, args.json, lines)?;
    ended
}

pub fn ablate(args: &AblateArgs) -> Result<(), Failure> {
    let variant = args.game.variant()?;
    let techniques = match args.only.is_empty() {
        true => Technique::all(&variant)?,
        false => args.only.iter().map(|text| Technique::read(text, &variant)).collect::<Result<_, _>>()?,
    };
    let LimitArgs { tc, movetime, nodes, depth } = &args.limits;
    let nothing_said = tc.is_none() && movetime.is_none() && nodes.is_none() && depth.is_none();
    let limits = if nothing_said {
        LimitArgs { nodes: Some(ABLATION_NODES), ..args.limits.clone() }
    } else {
        args.limits.clone()
    };
    let rest = MatchSettings {
        games: args.games,
        concurrency: args.run.concurrency.into(),
        out: args.out.clone(),
        ..common(&args.game, &args.openings, &limits, &args.ruling)
    };
    let (report, ended) = run(Technique::settings(&techniques, rest), Resume::GoOn, &args.run.fleet)?;
    print(&report, args.run.json, |report| worth_lines(&Technique::worths(&techniques, report)))?;
    ended
}

/// The settings that all commands share.
fn common(game: &GameArgs, openings: &OpeningArgs, limits: &LimitArgs, ruling: &RulingArgs) -> MatchSettings {
    MatchSettings {
        tc: limits.tc.clone(),
        movetime: limits.movetime.clone(),
        nodes: limits.nodes,
        depth: limits.depth,
        draw: ruling.draw.clone(),
        resign: ruling.resign.clone(),
        win_within: ruling.win_within,
        max_moves: ruling.max_moves,
        variant: game.variant.clone(),
        rules: game.rules.rules.iter().cloned().collect(),
        openings: openings.openings.clone(),
        plies: openings.plies,
        shuffle: openings.shuffle,
        seed: openings.seed,
        ..MatchSettings::default()
    }
}

/// A report, and the failure of a run that was stopped: a script must not take it for a finished one.
type Played = (Report, Result<(), Failure>);

/// Plays a match or a tournament that Ctrl-C ends.
fn run(settings: MatchSettings, resume: Resume, fleet: &FleetArgs) -> Result<Played, Failure> {
    // Before any file is written: without the fleet nothing can be played.
    let fleet = fleet.fleet()?;
    // Engines may be running from here on; a second Ctrl-C ends them too.
    let stop = interrupt::flag()?;
    let contest = Contest::new(settings, resume)?;
    play(fleet.into_iter().fold(contest, Contest::at), &stop)
}

/// Plays a contest with a progress bar on stderr, and writes the files.
pub fn play(mut contest: Contest, stop: &AtomicBool) -> Result<Played, Failure> {
    // That stderr is closed does not matter.
    let tell = |line: String| drop(writeln!(io::stderr(), "polyply: {line}"));
    if let Some(count) = contest.repeats_openings() {
        tell(format!("there are {count} openings, so some are played again"));
    }
    let bar = bar(contest.games(), "games");
    let report = contest.run(stop, &(), &mut |report| {
        bar.set_position(report.games());
        bar.set_message(progress(report));
    });
    bar.finish_and_clear();
    let report = report?;
    let files = contest.finish(&report)?;
    if !files.is_empty() {
        tell(format!("written: {}", files.join(", ")));
    }
    let goes_on = if contest.is_kept() { "; it can be resumed" } else { "" };
    let stopped = format!("stopped after {} of {} games{goes_on}", report.games(), contest.games());
    let ended = if stop.load(Relaxed) { Err(Failure::Run(stopped)) } else { Ok(()) };
    Ok((report, ended))
}

fn print(report: &Report, json: bool, words: impl Fn(&Report) -> Vec<String>) -> Result<(), Failure> {
    let lines = if json { vec![report.json().to_string()] } else { words(report) };
    let mut printer = Printer::new();
    lines.into_iter().for_each(|line| printer.line(line));
    Ok(printer.finish()?)
}

/// The current result in a few words.
fn progress(report: &Report) -> String {
    match (report.is_match(), report.test()) {
        (true, Some((_, llr))) => format!("{}, LLR {llr:.2}", report.tally()),
        (true, None) => report.tally().to_string(),
        (false, _) => format!("{} players", report.names().len()),
    }
}

/// The result as text.
pub fn lines(report: &Report) -> Vec<String> {
    let mut lines = if report.is_match() { match_lines(report) } else { tournament_lines(report) };
    let endings: Vec<String> =
        report.endings().iter().map(|(reason, games)| format!("{games} {}", reason.words())).collect();
    lines.push(format!("ended: {}", endings.join(", ")));
    for (player, name) in report.names().enumerate() {
        if report.failures(player) > 0 {
            lines.push(format!("{name} failed in {} games", report.failures(player)));
        }
    }
    lines
}

/// The worth of each technique, the best first.
fn worth_lines(worths: &[(&Technique, Tally)]) -> Vec<String> {
    let width = worths.iter().map(|(technique, _)| technique.name.len()).max().unwrap_or_default();
    let elo = |tally: &Tally| tally.estimate().map_or(0.0, |estimate| estimate.elo.value);
    let mut worths = worths.to_vec();
    worths.sort_by(|(_, one), (_, other)| elo(other).total_cmp(&elo(one)));
    let line = |(technique, tally): (&Technique, Tally)| {
        let values = [technique.usual, technique.tried];
        let change = match values.iter().all(|value| [0, 1].contains(value)) {
            true => String::new(),
            false => format!(" ({} against {})", values[0].max(values[1]), values[0].min(values[1])),
        };
        format!("{:width$}  {tally}{change}  {}", technique.name, technique.help)
    };
    worths.into_iter().map(line).collect()
}

/// The result of a match of two players.
fn match_lines(report: &Report) -> Vec<String> {
    let tally = report.tally();
    let names: Vec<&str> = report.names().collect();
    let mut lines = vec![format!("{}: {tally}", names.join(" against "))];
    if let Some(estimate) = tally.estimate() {
        let [zero, half, even, most, two] = tally.pairs;
        lines.push(format!(
            "score {:.1} %, draws {:.1} %, LOS {:.1} %, normalised {:.1} Elo, pairs {zero}-{half}-{even}-{most}-{two}",
            100.0 * estimate.score,
            100.0 * tally.draw_rate(),
            100.0 * estimate.los,
            estimate.normalised,
        ));
    }
    if let Some((sprt, llr)) = report.test() {
        let [low, high] = sprt.bounds();
        let verdict = match sprt.decide(llr) {
            Decision::Continue => "not decided".to_owned(),
            Decision::Passes => format!("passed: {} Elo or more", sprt.elo1),
            Decision::Fails => format!("failed: {} Elo or less", sprt.elo0),
        };
        lines.push(format!(
            "sequential test of {} and {} {} Elo: LLR {llr:.2} between {low:.2} and {high:.2}, {verdict}",
            sprt.elo0,
            sprt.elo1,
            sprt.model.name()
        ));
    }
    lines
}

/// The ratings and the cross table of a tournament.
fn tournament_lines(report: &Report) -> Vec<String> {
    let ratings = report.ratings();
    let names: Vec<&str> = report.names().collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or_default();
    let mut order: Vec<usize> = (0..names.len()).collect();
    let elo = |player: usize| ratings.players[player].map_or(f64::NEG_INFINITY, |rating| rating.elo.value);
    order.sort_by(|&one, &other| elo(other).total_cmp(&elo(one)));
    let mut lines = vec![format!("  #  {:width$}  {:>15}  {:>7}  {:>6}", "player", "Elo", "points", "games")];
    for (place, &player) in order.iter().enumerate() {
        let rating = ratings.players[player].map_or("-".into(), |rating| format!("{:.0}", rating.elo));
        let tally = report.against(player, None);
        let points = tally.games[0] as f64 + tally.games[1] as f64 / 2.0;
        lines.push(format!(
            "{:3}  {:width$}  {rating:>15}  {points:>7.1}  {:>6}",
            place + 1,
            names[player],
            tally.count()
        ));
    }
    lines.push(String::new());
    let head: String = (1..=order.len()).map(|place| format!("  {:>9}", format!("#{place}"))).collect();
    lines.push(format!("     {:width$}{head}", "won-drawn-lost"));
    for (place, &player) in order.iter().enumerate() {
        let cell = |&other: &usize| match report.against(player, Some(other)) {
            tally if tally.count() == 0 => format!("  {:>9}", "."),
            Tally { games: [won, drawn, lost], .. } => format!("  {:>9}", format!("{won}-{drawn}-{lost}")),
        };
        let cells: String = order.iter().map(cell).collect();
        lines.push(format!("{:3}  {:width$}{cells}", place + 1, names[player]));
    }
    lines.push(String::new());
    lines.push(format!("moving first is worth {:.0} Elo", ratings.first_move));
    lines
}
