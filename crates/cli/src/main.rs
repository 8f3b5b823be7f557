//! Polyply on the command line: reads the arguments, asks the engine, prints what it says.

mod analyze;
mod arena;
mod args;
mod bench;
mod book;
mod convert;
mod failure;
mod fleet;
mod idle;
mod interrupt;
mod json;
mod lab;
mod ladder;
mod learn;
mod menu;
mod paint;
mod perft;
mod play;
mod printer;
mod progress;
mod selfplay;
mod serve;
mod solve;
mod speak;
mod styles;
mod suite;
mod tune;
mod words;

use args::{Args, Command, LabCommand, LearnCommand, ServeArgs, TuneCommand};
use clap::Parser;
use failure::Failure;
use polyply_lab::tune::Method;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) if error.use_stderr() => return Failure::from(error).report(),
        Err(help) => {
            // Help or the version. A closed output is no error.
            let _ = help.print();
            return ExitCode::SUCCESS;
        }
    };
    match run(args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn run(args: Args) -> Result<(), Failure> {
    match args.command {
        None => serve::run(&ServeArgs::default()),
        Some(Command::Serve(args)) => serve::run(&args),
        Some(Command::Backup(args)) => serve::backup(&args),
        Some(Command::Restore(args)) => serve::restore(&args),
        Some(Command::Menu) => menu::run(),
        Some(Command::Play(args)) => play::run(&args),
        Some(Command::Analyze(args)) => analyze::run(&args),
        Some(Command::Perft(args)) => perft::run(&args),
        Some(Command::Bench(args)) => bench::run(&args),
        Some(Command::Solve(args)) => solve::run(&args),
        Some(Command::Suite(args)) => suite::run(&args),
        Some(command @ (Command::Uci | Command::Gomocup | Command::Nboard | Command::Gtp(_))) => speak::run(&command),
        Some(Command::Convert(args)) => convert::run(&args),
        Some(Command::Book(command)) => book::run(&command),
        Some(Command::Selfplay(args)) => selfplay::run(&args),
        Some(Command::Learn(LearnCommand::Linear(args))) => learn::linear(&args),
        Some(Command::Learn(LearnCommand::Order(args))) => learn::order(&args),
        Some(Command::Learn(LearnCommand::Net(args))) => learn::net(&args),
        Some(Command::Learn(LearnCommand::Policy(args))) => learn::policy(&args),
        Some(Command::Learn(LearnCommand::Probcut(args))) => learn::probcut(&args),
        Some(Command::Learn(LearnCommand::Tdleaf(args))) => learn::tdleaf(&args),
        Some(Command::Tune(TuneCommand::Spsa(args))) => tune::run(Method::Spsa, &args),
        Some(Command::Tune(TuneCommand::Rspsa(args))) => tune::run(Method::Rspsa, &args),
        Some(Command::Tune(TuneCommand::Clop(args))) => tune::run(Method::Clop, &args),
        Some(Command::Tune(TuneCommand::Genetic(args))) => tune::run(Method::Genetic, &args),
        Some(Command::Match(args)) => arena::play_match(&args),
        Some(Command::Tournament(args)) => arena::play_tournament(&args),
        Some(Command::Worker(args)) => fleet::work(&args),
        Some(Command::Fleet(command)) => fleet::look(&command),
        Some(Command::Lab(LabCommand::Ablate(args))) => arena::ablate(&args),
        Some(Command::Lab(LabCommand::Speed(args))) => lab::speed(&args),
        Some(Command::Lab(LabCommand::Diversity(args))) => lab::diversity(&args),
        Some(Command::Lab(LabCommand::Compare(args))) => lab::compare(&args),
        Some(Command::Lab(LabCommand::Report(args))) => lab::report(&args),
        Some(Command::Lab(LabCommand::Ladder(args))) => ladder::run(&args),
        Some(Command::Lab(LabCommand::Personas(args))) => styles::run(&args),
        Some(Command::Lab(LabCommand::Idle(args))) => idle::run(&args),
    }
}
