//! Compares the speed of two builds by running their benches in turn, so that disturbances affect both.

use crate::LabError;
use crate::refusals;
use crate::stats::Interval;
use std::io::ErrorKind;
use std::path::Path;
use std::process::{Command, Stdio};

/// The name for the running program itself.
pub const BUILT_IN: &str = "builtin";

/// A build whose speed is measured: a program and the arguments with which it runs its bench.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Build {
    program: String,
    arguments: Vec<String>,
}

/// The result of a run of the bench.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Run {
    /// Nodes searched.
    pub nodes: u64,
    /// Nodes per second.
    pub nps: u64,
}

impl Build {
    /// A program, possibly followed by arguments, that has a command `bench` which takes these arguments; or `builtin`
    /// for this program itself.
    pub fn new(text: &str, bench: &[String]) -> Result<Build, LabError> {
        let mut words = text.split_whitespace().map(str::to_owned);
        let program = match words.next() {
            None => return Err(LabError::Call(refusals::no_build())),
            Some(name) if name == BUILT_IN => {
                std::env::current_exe().map_err(|error| LabError::Run(refusals::own_path(error)))?.display().to_string()
            }
            // Better now than after minutes of measuring.
            Some(name) if name.contains('/') && !Path::new(&name).exists() => return Err(missing(&name)),
            Some(name) => name,
        };
        let arguments = words.chain(["bench".to_owned()]).chain(bench.iter().cloned()).collect();
        Ok(Build { program, arguments })
    }

    /// Runs the bench once.
    pub fn run(&self) -> Result<Run, LabError> {
        let command = format!("{} {}", self.program, self.arguments.join(" "));
        let output = Command::new(&self.program).args(&self.arguments).stdin(Stdio::null()).output();
        let output = output.map_err(|error| match error.kind() {
            ErrorKind::NotFound => missing(&self.program),
            _ => LabError::Run(refusals::bench_unstarted(&command, error)),
        })?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            let last = said.lines().last().unwrap_or_default();
            return Err(LabError::Run(refusals::bench_failed(command, output.status.to_string(), last)));
        }
        let printed = String::from_utf8_lossy(&output.stdout);
        let last = printed.lines().last().unwrap_or_default();
        read(last).ok_or_else(|| LabError::Run(refusals::bench_end(command, last)))
    }
}

fn missing(program: &str) -> LabError {
    LabError::Call(refusals::no_program(program))
}

/// Reads the last line of a bench, which may begin with a name: `<nodes> nodes <nps> nps`.
fn read(line: &str) -> Option<Run> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [.., nodes, "nodes", nps, "nps"] = words[..] else { return None };
    Some(Run { nodes: nodes.parse().ok()?, nps: nps.parse().ok().filter(|&nps| nps > 0)? })
}

/// The comparison of two builds.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    /// The number of runs of each.
    pub runs: usize,
    /// The median nodes per second of the new and the old build.
    pub nps: [u64; 2],
    /// The speed of the new build relative to the old one, with its 95 % error, which is infinite for a single run.
    pub ratio: Interval,
    /// The nodes of the bench if both agree; otherwise the builds search differently, and speeds do not compare.
    pub nodes: Option<u64>,
}

impl Comparison {
    /// Compares runs of the new and the old build that were made in turn; `None` without any.
    pub fn of(runs: &[[Run; 2]]) -> Option<Comparison> {
        let count = runs.len() as f64;
        let logs: Vec<f64> = runs.iter().map(|[new, old]| (new.nps as f64 / old.nps as f64).ln()).collect();
        let mean = logs.iter().sum::<f64>() / count;
        let variance = logs.iter().map(|log| (log - mean).powi(2)).sum::<f64>() / (count - 1.0);
        // With few runs the deviation itself is uncertain, hence Student's distribution.
        let error = student_95(runs.len()) * (variance / count).sqrt();
        let median = |build: usize| {
            let mut speeds: Vec<u64> = runs.iter().map(|run| run[build].nps).collect();
            speeds.sort_unstable();
            speeds.get(speeds.len() / 2).copied()
        };
        let nodes = runs.first()?[0].nodes;
        Some(Comparison {
            runs: runs.len(),
            nps: [median(0)?, median(1)?],
            ratio: Interval {
                value: mean.exp(),
                error: if error.is_finite() { mean.exp() * error } else { f64::INFINITY },
            },
            nodes: runs.iter().flatten().all(|run| run.nodes == nodes).then_some(nodes),
        })
    }
}

/// The 97.5 % quantile of Student's distribution for so many samples: [Hill's
/// expansion](https://doi.org/10.1145/355598.355599)
/// to the third order, which is within 0.03
/// from four samples on.
fn student_95(samples: usize) -> f64 {
    let freedom = match samples {
        0 | 1 => return f64::INFINITY,
        2 => return 12.706,
        3 => return 4.303,
        samples => (samples - 1) as f64,
    };
    let z = crate::stats::CONFIDENCE_95;
    let terms = [
        (z.powi(3) + z) / 4.0,
        (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0,
        (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0,
    ];
    z + terms.iter().zip(1..).map(|(term, power)| term / freedom.powi(power)).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(nps: u64) -> Run {
        Run { nodes: 100, nps }
    }

    #[test]
    fn the_last_line_of_a_bench_is_read_with_and_without_a_name() {
        assert_eq!(read("13792696 nodes 1314440 nps"), Some(Run { nodes: 13792696, nps: 1314440 }));
        assert_eq!(read("Bench: 5 nodes 7 nps"), Some(Run { nodes: 5, nps: 7 }));
        assert_eq!([read(""), read("5 nodes 0 nps"), read("nodes nps")], [None; 3]);
    }

    #[test]
    fn the_ratio_is_that_of_neighbours() {
        // The machine halves its speed on the way; the new build is a tenth faster throughout.
        let runs = [[run(1100), run(1000)], [run(550), run(500)], [run(880), run(800)]];
        let comparison = Comparison::of(&runs).unwrap();
        assert!((comparison.ratio.value - 1.1).abs() < 1e-9 && comparison.ratio.error < 1e-9, "{comparison:?}");
        assert_eq!((comparison.nps, comparison.nodes), ([880, 800], Some(100)));
        let other = Comparison::of(&[[Run { nodes: 99, nps: 5 }, run(5)]]).unwrap();
        assert_eq!((other.nodes, other.ratio.error), (None, f64::INFINITY));
        assert_eq!(Comparison::of(&[]), None);
    }

    #[test]
    fn quantiles_are_those_of_the_tables() {
        for (samples, known) in [(4, 3.182), (6, 2.571), (11, 2.228), (31, 2.042)] {
            assert!((student_95(samples) - known).abs() < 0.03, "{samples}: {}", student_95(samples));
        }
    }

    #[test]
    fn a_build_that_can_not_be_run_is_told_in_a_sentence() {
        let error = |text| Build::new(text, &[]).and_then(|build| build.run()).unwrap_err().to_string();
        assert!(error("").contains("a program"));
        assert!(error("/nowhere/polyply").contains("/nowhere/polyply"));
        assert!(error("true").contains("ends with"));
        assert!(error("false").contains("failed"));
    }
}
