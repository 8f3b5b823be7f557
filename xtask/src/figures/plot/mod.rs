//! Plots as SVG. A plot draws its own background, so that it is readable on any page; it is dark for readers who prefer
//! dark pages.

pub mod speed;
pub mod strength;

use std::fmt::{Display, Write};

const STYLE: &str = "
.card { fill: #ffffff; stroke: #d0d7de; }
text { font: 13px system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif; fill: #1f2328; }
.title { font-size: 15px; font-weight: 600; }
.group { font-weight: 600; }
.faint { font-size: 11px; fill: #59636e; }
.grid { stroke: #e3e7eb; }
.half { stroke: #818b98; stroke-dasharray: 4 3; }
.bar { stroke-width: 2; stroke-linecap: round; }
.thread { stroke-width: 1.5; opacity: 0.45; }
.stroke0 { stroke: #0969da; } .stroke1 { stroke: #bc4c00; } .stroke2 { stroke: #1a7f37; }
.fill0 { fill: #0969da; } .fill1 { fill: #bc4c00; } .fill2 { fill: #1a7f37; }
@media (prefers-color-scheme: dark) {
.card { fill: #151b23; stroke: #3d444d; }
text { fill: #e6edf3; }
.faint { fill: #9aa4af; }
.grid { stroke: #2b323b; }
.half { stroke: #8b949e; }
.stroke0 { stroke: #58a6ff; } .stroke1 { stroke: #f0883e; } .stroke2 { stroke: #3fb950; }
.fill0 { fill: #58a6ff; } .fill1 { fill: #f0883e; } .fill2 { fill: #3fb950; }
}
";

/// How many series have a colour and a shape of their own.
const SERIES: usize = 3;

/// A picture that is being drawn.
struct Picture {
    size: [f64; 2],
    /// What a screen reader says of it.
    label: String,
    body: String,
}

impl Picture {
    fn new(size: [f64; 2], label: &str) -> Picture {
        Picture { size, label: escaped(label), body: String::new() }
    }

    fn text(&mut self, class: &str, anchor: &str, [x, y]: [f64; 2], text: impl Display) {
        let text = escaped(&text.to_string());
        self.add(format_args!(
            "<text class=\"{class}\" text-anchor=\"{anchor}\" x=\"{x:.1}\" y=\"{y:.1}\">{text}</text>"
        ));
    }

    fn line(&mut self, class: &str, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2]) {
        self.add(format_args!("<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"));
    }

    /// A point of a series, which has a shape and a colour of its own.
    fn mark(&mut self, series: usize, [x, y]: [f64; 2]) {
        let path = match series % SERIES {
            0 => "M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0z",
            1 => "M-4.2 -4.2h8.4v8.4h-8.4z",
            _ => "M0 -6L6 0L0 6L-6 0z",
        };
        let fill = series % SERIES;
        self.add(format_args!("<path class=\"fill{fill}\" transform=\"translate({x:.1} {y:.1})\" d=\"{path}\"/>"));
    }

    fn add(&mut self, element: std::fmt::Arguments) {
        writeln!(self.body, "{element}").expect("a string takes everything");
    }

    fn finish(self) -> String {
        let Picture { size: [width, height], label, body } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{label}\">\n<style>{STYLE}</style>\n\
             <rect class=\"card\" x=\"0.5\" y=\"0.5\" width=\"{}\" height=\"{}\" rx=\"8\"/>\n{body}</svg>\n",
            width - 1.0,
            height - 1.0
        )
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
