//! `polyply match`, `polyply tournament` and `polyply lab ablate`: engines against each other.

use crate::args::{AblateArgs, GameArgs, MatchArgs, OpeningArgs, TournamentArgs};
use crate::failure::Failure;
use crate::interrupt;
use crate::json;
use crate::printer::Printer;
use crate::selfplay::bar;
use polyply_lab::arena::{Contest, Format, Resume, Settings, Standing, Technique};
use polyply_lab::stats::{Decision, Tally};
use std::io::{self, Write};
use std::sync::atomic::Ordering::Relaxed;

pub fn play_match(args: &MatchArgs) -> Result<(), Failure> {
    let settings = Settings {
        engines: args.engines.clone(),
        format: if args.gauntlet { Format::Gauntlet } else { Format::RoundRobin },
        games: args.games,
        tc: args.tc.clone(),
        movetime: args.movetime.clone(),
        nodes: args.nodes,
        depth: args.depth,
        margin: args.margin.clone(),
        stall: args.stall.clone(),
        startup: args.startup.clone(),
        draw: args.draw.clone(),
        resign: args.resign.clone(),
        win_within: args.win_within,
        max_moves: args.max_moves,
        sprt: args.sprt.clone(),
        concurrency: args.run.concurrency.into(),
        out: args.out.clone(),
        ..common(&args.game, &args.openings)
    };
    let resume = if args.resume { Resume::GoOn } else { Resume::Never };
    let standing = run(settings, resume, args.run.json)?;
    if args.run.json {
        return Ok(());
    }
    print(if standing.names.len() == 2 { match_lines(&standing) } else { tournament_lines(&standing) })
}

pub fn play_tournament(args: &TournamentArgs) -> Result<(), Failure> {
    let standing = run(Settings::from_file(&args.file)?, Resume::GoOn, args.json)?;
    if args.json { Ok(()) } else { print(tournament_lines(&standing)) }
}

pub fn ablate(args: &AblateArgs) -> Result<(), Failure> {
    let variant = args.game.variant()?;
    let techniques = match args.only.is_empty() {
        true => Technique::all(&variant)?,
        false => args.only.iter().map(|text| Technique::read(text, &variant)).collect::<Result<_, _>>()?,
    };
    let rest = Settings {
        games: args.games,
        nodes: Some(args.nodes),
        concurrency: args.run.concurrency.into(),
        out: args.out.clone(),
        ..common(&args.game, &args.openings)
    };
    let standing = run(Technique::settings(&techniques, rest), Resume::GoOn, args.run.json)?;
    if args.run.json {
        return Ok(());
    }
    let width = techniques.iter().map(|technique| technique.name.len()).max().unwrap_or_default();
    let line = |(technique, tally): (&Technique, Tally)| {
        let values = [technique.usual, technique.tried];
        let change = match values.iter().all(|value| [0, 1].contains(value)) {
            true => String::new(),
            false => format!(" ({} against {})", values[0].max(values[1]), values[0].min(values[1])),
        };
        format!("{:width$}  {tally}{change}  {}", technique.name, technique.help)
    };
    let mut worths: Vec<_> = Technique::worths(&techniques, &standing).collect();
    let elo = |tally: &Tally| tally.estimate().map_or(0.0, |estimate| estimate.elo.value);
    worths.sort_by(|(_, one), (_, other)| elo(other).total_cmp(&elo(one)));
    print(worths.into_iter().map(line).collect())
}

/// What all commands that play have in common.
fn common(game: &GameArgs, openings: &OpeningArgs) -> Settings {
    Settings {
        variant: game.variant.clone(),
        rules: game.rules.rules.iter().cloned().collect(),
        openings: openings.openings.clone(),
        plies: openings.plies,
        shuffle: openings.shuffle,
        seed: openings.seed,
        ..Settings::default()
    }
}

/// Plays, with a bar on stderr, and writes what is to be written.
fn run(settings: Settings, resume: Resume, as_json: bool) -> Result<Standing, Failure> {
    let mut contest = Contest::new(settings, resume)?;
    if let Some(count) = contest.repeats_openings() {
        // A word of advice, that nothing depends on.
        let _ = writeln!(io::stderr(), "polyply: there are {count} openings, so some are played again");
    }
    let stop = interrupt::flag()?;
    let bar = bar(contest.games());
    let standing = contest.run(&stop, &mut |standing| {
        bar.set_position(standing.games());
        bar.set_message(progress(standing));
    });
    bar.finish_and_clear();
    let standing = standing?;
    let mut told = Vec::new();
    if stop.load(Relaxed) {
        let goes_on = if contest.is_kept() { "; with --resume it goes on" } else { "" };
        told.push(format!("stopped after {} of {} games{goes_on}", standing.games(), standing.total));
    }
    let files = contest.finish(&standing)?;
    if !files.is_empty() {
        told.push(format!("written: {}", files.join(", ")));
    }
    for line in told {
        // Nothing depends on it.
        let _ = writeln!(io::stderr(), "polyply: {line}");
    }
    if as_json {
        print(vec![json::standing(&standing).to_string()])?;
    }
    Ok(standing)
}

fn print(lines: Vec<String>) -> Result<(), Failure> {
    let mut printer = Printer::new();
    lines.into_iter().for_each(|line| printer.line(line));
    Ok(printer.finish()?)
}

/// The state in a few words.
fn progress(standing: &Standing) -> String {
    match &standing.meetings[..] {
        [meeting] => match standing.test() {
            Some((llr, _)) => format!("{}, LLR {llr:.2}", meeting.tally),
            None => meeting.tally.to_string(),
        },
        meetings => format!("{} pairings", meetings.len()),
    }
}

/// A match of two.
fn match_lines(standing: &Standing) -> Vec<String> {
    let tally = standing.meetings[0].tally;
    let [one, other] = [&standing.names[0], &standing.names[1]];
    let mut lines = vec![format!("{one} against {other}: {tally}")];
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
    if let (Some(sprt), Some((llr, decision))) = (standing.sprt, standing.test()) {
        let [low, high] = sprt.bounds();
        let verdict = match decision {
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
    lines.extend(ending_lines(standing));
    lines
}

/// The ratings of many, and who has got what against whom.
fn tournament_lines(standing: &Standing) -> Vec<String> {
    let ratings = standing.ratings();
    let names = &standing.names;
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or_default();
    let mut order: Vec<usize> = (0..names.len()).collect();
    let elo = |player: usize| ratings.players[player].map_or(f64::NEG_INFINITY, |rating| rating.elo.value);
    order.sort_by(|&one, &other| elo(other).total_cmp(&elo(one)));
    let total = |player: usize| standing.against(player, None);
    let mut lines = vec![format!("  #  {:width$}  {:>15}  {:>7}  {:>6}", "player", "Elo", "points", "games")];
    for (place, &player) in order.iter().enumerate() {
        let rating = ratings.players[player].map_or("-".into(), |rating| format!("{:.0}", rating.elo));
        let tally = total(player);
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
        let cell = |&other: &usize| match standing.against(player, Some(other)) {
            tally if tally.count() == 0 => format!("  {:>9}", "."),
            Tally { games: [won, drawn, lost], .. } => format!("  {:>9}", format!("{won}-{drawn}-{lost}")),
        };
        let cells: String = order.iter().map(cell).collect();
        lines.push(format!("{:3}  {:width$}{cells}", place + 1, names[player]));
    }
    lines.push(String::new());
    lines.push(format!("moving first is worth {:.0} Elo", ratings.first_move));
    lines.extend(ending_lines(standing));
    lines
}

/// How games ended, and who failed.
fn ending_lines(standing: &Standing) -> Vec<String> {
    let endings: Vec<String> =
        standing.endings.iter().map(|(reason, games)| format!("{games} {}", reason.words())).collect();
    let mut lines = vec![format!("ended: {}", endings.join(", "))];
    for (name, &games) in standing.names.iter().zip(&standing.failures) {
        if games > 0 {
            lines.push(format!("{name} failed in {games} games"));
        }
    }
    lines
}
