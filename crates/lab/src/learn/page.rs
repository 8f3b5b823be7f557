//! How learning went, for people: one page that needs nothing else.

use super::Fit;
use crate::report::{Plot, page};
use maud::{Markup, html};

/// The page, with the lines that the file of weights says about them.
pub fn html(title: &str, fit: &Fit, about: &[String]) -> String {
    let [before, after] = fit.held_out;
    page(
        title,
        html! {
            @for line in about.iter().chain(&fit.remarks) {
                p.soft { (line) }
            }
            p { "On games held out: " (five_digits(before)) " before, " (five_digits(after)) " after." }
            @if fit.epochs.len() > 1 {
                h2 { "Loss by epoch" }
                figure {
                    (curves(fit))
                    figcaption { span.key.one { "training" } " " span.key.two { "held out" } }
                }
            }
            @if fit.phases.len() > 1 {
                h2 { "By phase" }
                table {
                    tr { th { "phase" } th { "positions" } th { "training" } th { "held out" } }
                    @for phase in &fit.phases {
                        tr {
                            td { (phase.name) }
                            td { (phase.positions) }
                            td { (five_digits(phase.training)) }
                            td { (five_digits(phase.held_out)) }
                        }
                    }
                }
            }
        },
    )
}

fn five_digits(loss: f32) -> String {
    format!("{loss:.5}")
}

/// The loss on the positions learned from and on the games held out.
fn curves(fit: &Fit) -> Markup {
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
    plot.svg()
}
