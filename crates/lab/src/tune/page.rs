//! How a tuning went, for people: one page that needs nothing else.

use super::run::{StepRecord, Tuning};
use crate::report::{Plot, page};
use maud::{Markup, html};
use polyply_stats::tuners::Axis;
use polyply_stats::tuners::Curve;

/// More points do not make a better plot.
const MOST_STEPS: usize = 300;

/// The page. `verdict` says how the final match went.
pub fn html(tuning: &Tuning, verdict: &[String]) -> String {
    let settings = &tuning.settings;
    let what = if settings.games.variant.is_empty() { "a test function" } else { settings.games.variant.as_str() };
    let steps = thinned(&tuning.steps);
    let curves = tuning.curves();
    page(
        &format!("Tuning of {what} by {}", tuning.method.name()),
        html! {
            p.soft { (tuning.steps.last().map_or(0, |step| step.games)) " of " (settings.games.games) " games" }
            @for line in verdict { p { (line) } }
            @if tuning.failures > 0 { p { (tuning.failures) " games ended by a failure of an engine" } }
            (summary(tuning))
            @for (index, axis) in settings.space.axes.iter().enumerate() {
                h2 { (axis.name) }
                figure {
                    (trajectory(axis, index, &steps))
                    figcaption { span.key.one { "best value, with its standard deviation" } " " span.key.two { "start" } " by games" }
                }
                @if let Some(curve) = curves.get(index) {
                    figure {
                        (fitted(axis, curve))
                        figcaption { span.key.one { "fitted Elo below the best point, by value" } }
                    }
                }
            }
            h2 { "Settings" }
            table {
                @for (name, value) in settings.games.told() {
                    tr { td.name { (name) } td.text { (value) } }
                }
                tr { td.name { "engine" } td.text { (settings.engine) } }
                tr { td.name { (tuning.method.name()) } td.text { (method_settings(tuning)) } }
            }
        },
    )
}

fn method_settings(tuning: &Tuning) -> String {
    let all = serde_json::to_value(tuning.settings.methods).unwrap_or_default();
    all[tuning.method.name()].to_string()
}

fn summary(tuning: &Tuning) -> Markup {
    let last = tuning.steps.last();
    html! {
        .wide { table {
            tr { th.name { "parameter" } th { "start" } th { "tuned" } th { "±" } th { "bounds" } th { "step" } }
            @for (index, axis) in tuning.settings.space.axes.iter().enumerate() {
                tr {
                    td.name { (axis.name) }
                    td { (axis.start) }
                    td { (last.map_or(axis.start as f64, |step| step.best[index]).round()) }
                    td { (last.map_or(String::new(), |step| format!("{:.1}", step.deviation[index]))) }
                    td { (axis.low) " to " (axis.high) }
                    td { (axis.step) }
                }
            }
        } }
    }
}

/// Steps at even distances, the last one included.
fn thinned(steps: &[StepRecord]) -> Vec<&StepRecord> {
    let every = steps.len().div_ceil(MOST_STEPS).max(1);
    steps
        .iter()
        .enumerate()
        .filter(|(index, _)| (index + 1) % every == 0 || index + 1 == steps.len())
        .map(|(_, step)| step)
        .collect()
}

fn trajectory(axis: &Axis, index: usize, steps: &[&StepRecord]) -> Markup {
    let last = steps.last().map_or(1, |step| step.games);
    let mut plot = Plot::new(&axis.name, (0.0, last as f64), (axis.low as f64, axis.high as f64));
    let band: Vec<(f64, f64, f64)> = steps
        .iter()
        .map(|step| {
            let (best, deviation) = (step.best[index], step.deviation[index]);
            (step.games as f64, best - deviation, best + deviation)
        })
        .collect();
    plot.band(&band);
    plot.level("two", axis.start as f64);
    plot.line("one", &steps.iter().map(|step| (step.games as f64, step.best[index])).collect::<Vec<_>>());
    plot.svg()
}

fn fitted(axis: &Axis, curve: &Curve) -> Markup {
    let points: Vec<(f64, f64)> = curve.points.iter().map(|&(at, elo)| (axis.value(at), elo)).collect();
    let lowest = points.iter().map(|(_, elo)| *elo).fold(0.0, f64::min).max(-1000.0);
    let highest = points.iter().map(|(_, elo)| *elo).fold(0.0, f64::max);
    let mut plot =
        Plot::new(&format!("{}: fitted Elo", axis.name), (axis.low as f64, axis.high as f64), (lowest, highest));
    plot.level("zero", 0.0);
    plot.line("one", &points);
    plot.svg()
}
