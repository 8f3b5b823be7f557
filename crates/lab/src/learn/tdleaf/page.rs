//! How learning by temporal differences went, for people: one page that needs nothing else.

use super::Batch;
use crate::report::{Plot, page};
use maud::{Markup, html};

/// The page, with the lines that the file of weights says about them.
pub fn html(title: &str, batches: &[Batch], counts_points: bool, about: &[String]) -> String {
    let unit = if counts_points { "points" } else { "chance to win" };
    let loss = if counts_points { "mean error in points" } else { "mean cross-entropy" };
    page(
        title,
        html! {
            @for line in about {
                p.soft { (line) }
            }
            @if batches.len() > 1 {
                (figure("Temporal differences", &format!("mean size, {unit}, by games"), batches, |batch| batch.difference))
                (figure("Loss against the results", &format!("{loss} of the leaves, by games"), batches, |batch| batch.loss))
                (figure(
                    "Change of the weights",
                    "root mean square since the start, in units of the weights, by games",
                    batches,
                    |batch| batch.change
                ))
            }
            h2 { "Batches" }
            .wide { table {
                tr {
                    th { "games" } th { "positions" } th { "step" } th { "difference" } th { "loss" } th { "change" }
                    th { "weights" }
                }
                @for batch in thinned(batches) {
                    tr {
                        td { (batch.games) }
                        td { (batch.positions) }
                        td { (format!("{:.5}", batch.rate)) }
                        td { (format!("{:.4}", batch.difference)) }
                        td { (format!("{:.4}", batch.loss)) }
                        td { (format!("{:.4}", batch.change)) }
                        td { code { (format!("{:016x}", batch.weights)) } }
                    }
                }
            } }
        },
    )
}

/// More rows are not read.
const MOST_ROWS: usize = 50;

/// Batches at even distances, the last one included.
fn thinned(batches: &[Batch]) -> impl Iterator<Item = &Batch> {
    let every = batches.len().div_ceil(MOST_ROWS).max(1);
    batches.iter().rev().step_by(every).collect::<Vec<_>>().into_iter().rev()
}

/// A curve by games. Batches are small and differ by chance, so a running mean is drawn over them.
fn figure(heading: &str, caption: &str, batches: &[Batch], of: fn(&Batch) -> f32) -> Markup {
    let points: Vec<(f64, f64)> = batches.iter().map(|batch| (batch.games as f64, of(batch).into())).collect();
    let values = points.iter().map(|(_, value)| *value);
    let (low, high) =
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
    let room = ((high - low) / 10.0).max(1e-4);
    let last = points.last().map_or(1.0, |(games, _)| *games);
    let mut plot = Plot::new(heading, (0.0, last), (low - room, high + room));
    plot.line("two", &points);
    plot.line("one", &smoothed(&points));
    html! {
        h2 { (heading) }
        figure {
            (plot.svg())
            figcaption { (caption) ": " span.key.two { "a batch" } " " span.key.one { "running mean" } }
        }
    }
}

/// Each point is the mean of a tenth of all points, those before it and itself.
fn smoothed(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let width = points.len().div_ceil(10);
    let mean = |end: usize| {
        let some = &points[(end + 1).saturating_sub(width)..=end];
        some.iter().map(|(_, value)| value).sum::<f64>() / some.len() as f64
    };
    points.iter().enumerate().map(|(at, &(x, _))| (x, mean(at))).collect()
}
