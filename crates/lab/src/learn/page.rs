//! How learning went, for people: one page that needs nothing else.

use super::Fit;
use crate::report::{Plot, escaped, page};
use std::fmt::Write;

/// The page, with the lines that the file of weights says about them.
pub fn html(title: &str, fit: &Fit, about: &[String]) -> String {
    let mut body = String::new();
    // A text takes whatever is written into it.
    for line in about.iter().chain(&fit.remarks) {
        let _ = writeln!(body, "<p class=\"soft\">{}</p>", escaped(line));
    }
    let [before, after] = fit.held_out;
    let _ = writeln!(body, "<p>On games held out: {before:.5} before, {after:.5} after.</p>");
    if fit.epochs.len() > 1 {
        let _ = writeln!(body, "<h2>Loss by epoch</h2>\n<figure>{}</figure>", curves(fit));
    }
    if fit.phases.len() > 1 {
        body +=
            "<h2>By phase</h2>\n<table><tr><th>phase</th><th>positions</th><th>training</th><th>held out</th></tr>\n";
        for phase in &fit.phases {
            let _ = writeln!(
                body,
                "<tr><td>{}</td><td>{}</td><td>{:.5}</td><td>{:.5}</td></tr>",
                escaped(&phase.name),
                phase.positions,
                phase.training,
                phase.held_out
            );
        }
        body += "</table>\n";
    }
    page(title, &body)
}

/// The loss on the positions learned from and on the games held out.
fn curves(fit: &Fit) -> String {
    let losses = fit.epochs.iter().flat_map(|epoch| [epoch.training, epoch.held_out]);
    let (low, high) =
        losses.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), loss| (low.min(loss), high.max(loss)));
    let room = ((high - low) / 10.0).max(1e-4);
    let last = fit.epochs.last().map_or(1, |epoch| epoch.number);
    let mut plot = Plot::new("Loss by epoch", (1.0, last.into()), ((low - room).into(), (high + room).into()));
    let points = |of: fn(&super::Epoch) -> f32| -> Vec<(f64, f64)> {
        fit.epochs.iter().map(|epoch| (epoch.number.into(), of(epoch).into())).collect()
    };
    plot.line("one", &points(|epoch| epoch.training));
    plot.line("two", &points(|epoch| epoch.held_out));
    plot.svg() + "<figcaption>training, and (dashed) held out</figcaption>"
}
