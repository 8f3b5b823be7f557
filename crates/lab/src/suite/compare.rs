//! Compares two runs of a suite.

use super::Attempt;
use crate::LabError;
use crate::refusals;
use serde_json::Value;
use std::collections::HashMap;
use std::path::Path;

/// The comparison of two runs, on the positions that both tried.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Comparison {
    /// The number of positions that both tried.
    pub both: usize,
    /// How many of them each solved.
    pub solved: [usize; 2],
    /// Solved only by the second.
    pub gained: Vec<Attempt>,
    /// Solved only by the first.
    pub lost: Vec<Attempt>,
    /// The ratio of the times to the solution, second to first: the geometric mean over positions that both solved.
    pub time_ratio: Option<f64>,
    /// The ratio of the nodes.
    pub node_ratio: Option<f64>,
    /// The number of positions that only one of the runs tried.
    pub alone: usize,
}

/// Reads the attempts of a run; other lines, such as the sum, are ignored.
pub fn read(path: &Path) -> Result<Vec<Attempt>, LabError> {
    let text = std::fs::read_to_string(path).map_err(|error| LabError::file(path, error))?;
    let mut attempts = Vec::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let refuse = |error: serde_json::Error| {
            LabError::file(path, refusals::in_line(index + 1, refusals::not_an_attempt(error.to_string())))
        };
        let value: Value = serde_json::from_str(line).map_err(refuse)?;
        if value["type"] != "suite" {
            attempts.push(serde_json::from_value(value).map_err(refuse)?);
        }
    }
    Ok(attempts)
}

impl Comparison {
    /// Compares an old run with a new one.
    pub fn of(old: &[Attempt], new: &[Attempt]) -> Comparison {
        // A position may occur several times with different best moves.
        let key = |attempt: &Attempt| {
            (attempt.id.clone(), attempt.position.clone(), attempt.best.clone(), attempt.avoid.clone())
        };
        let mut known: HashMap<_, &Attempt> = old.iter().map(|attempt| (key(attempt), attempt)).collect();
        let mut comparison = Comparison::default();
        let (mut times, mut nodes) = (Vec::new(), Vec::new());
        for after in new {
            let Some(before) = known.remove(&key(after)) else {
                comparison.alone += 1;
                continue;
            };
            comparison.both += 1;
            comparison.solved[0] += usize::from(before.solved);
            comparison.solved[1] += usize::from(after.solved);
            match (before.solved, after.solved) {
                (false, true) => comparison.gained.push(after.clone()),
                (true, false) => comparison.lost.push(after.clone()),
                _ => {}
            }
            if let (Some(before), Some(after)) = (before.solved_after_ms, after.solved_after_ms) {
                // Avoids dividing by 0.
                times.push((after.max(1) as f64 / before.max(1) as f64).ln());
            }
            nodes.push((after.nodes.max(1) as f64 / before.nodes.max(1) as f64).ln());
        }
        comparison.alone += known.len();
        let mean = |logs: &[f64]| (!logs.is_empty()).then(|| (logs.iter().sum::<f64>() / logs.len() as f64).exp());
        comparison.time_ratio = mean(&times);
        comparison.node_ratio = mean(&nodes);
        comparison
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attempt(id: &str, solved_after_ms: Option<u64>, nodes: u64) -> Attempt {
        Attempt {
            id: Some(id.into()),
            position: "h8".into(),
            solved: solved_after_ms.is_some(),
            solved_after_ms,
            mv: "h9".into(),
            best: vec![],
            avoid: vec![],
            score: None,
            stage: "search".into(),
            nodes,
            time_ms: 10,
        }
    }

    #[test]
    fn runs_are_compared_by_what_both_have_tried() {
        let old =
            [attempt("a", Some(100), 10), attempt("b", None, 10), attempt("c", Some(5), 10), attempt("d", None, 1)];
        let new =
            [attempt("b", Some(7), 20), attempt("a", Some(50), 20), attempt("c", None, 20), attempt("e", None, 1)];
        let comparison = Comparison::of(&old, &new);
        assert_eq!((comparison.both, comparison.solved, comparison.alone), (3, [2, 2], 2));
        let names = |attempts: &[Attempt]| attempts.iter().filter_map(|attempt| attempt.id.clone()).collect::<Vec<_>>();
        assert_eq!((names(&comparison.gained), names(&comparison.lost)), (vec!["b".into()], vec!["c".into()]));
        assert!(
            (comparison.time_ratio.unwrap() - 0.5).abs() < 1e-9 && (comparison.node_ratio.unwrap() - 2.0).abs() < 1e-9
        );
    }

    #[test]
    fn a_file_of_something_else_is_refused_with_its_line() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let line = serde_json::to_string(&attempt("a", None, 1)).unwrap();
        std::fs::write(file.path(), format!("{line}\n{{\"type\":\"suite\",\"solved\":0}}\n")).unwrap();
        assert_eq!(read(file.path()).unwrap(), [attempt("a", None, 1)]);
        std::fs::write(file.path(), "{}\n").unwrap();
        assert!(read(file.path()).unwrap_err().to_string().contains("line 1"));
    }
}
