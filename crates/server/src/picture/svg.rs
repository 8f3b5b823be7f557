//! A board as an SVG, for every kind of surface, without scripts, fonts or other files.

use super::chess_pieces;
use super::letters;
use polyply_engine::look::{Layout, Pieces, PositionLook, Surface, WALL};
use std::fmt::Write;

/// The width of a cell, from which everything else follows.
const CELL: f64 = 100.0;
/// Space for the names of columns and rows.
const MARGIN: f64 = 60.0;

/// The colours of a picture.
pub struct Theme {
    page: &'static str,
    ink: &'static str,
    wood: &'static str,
    grid: &'static str,
    felt: &'static str,
    light: &'static str,
    dark: &'static str,
    frame: &'static str,
    hole: &'static str,
    mark: &'static str,
}

const LIGHT: Theme = Theme {
    page: "#ffffff",
    ink: "#4a4238",
    wood: "#e3bd7c",
    grid: "#6b4f26",
    felt: "#2e8b57",
    light: "#f0dab5",
    dark: "#b58763",
    frame: "#2f62a8",
    hole: "#f4f1ea",
    mark: "#d9402a",
};

const DARK: Theme = Theme {
    page: "#1b1a18",
    ink: "#cfc7b8",
    wood: "#b98f52",
    grid: "#3d2d15",
    felt: "#22683f",
    light: "#cdb694",
    dark: "#8a6446",
    frame: "#24487a",
    hole: "#2a2825",
    mark: "#ff6a4d",
};

impl Theme {
    /// The names of the themes.
    pub const NAMES: [&str; 2] = ["light", "dark"];

    /// The theme of a name.
    pub fn find(name: &str) -> Option<&'static Theme> {
        let at = Theme::NAMES.iter().position(|known| *known == name)?;
        Some([&LIGHT, &DARK][at])
    }
}

/// A picture that is being drawn.
struct Picture<'a> {
    layout: &'a Layout,
    sight: &'a PositionLook,
    theme: &'a Theme,
    out: String,
}

/// Draws a position.
pub fn draw(layout: &Layout, sight: &PositionLook, theme: &Theme) -> String {
    let mut picture = Picture { layout, sight, theme, out: String::new() };
    picture.whole();
    picture.out
}

macro_rules! add {
    ($picture:expr, $($format:tt)+) => {
        // Writing to a string does not fail.
        let _ = write!($picture.out, $($format)+);
    };
}

impl Picture<'_> {
    fn whole(&mut self) {
        let (width, height) = (self.layout.columns as f64 * CELL, self.layout.rows as f64 * CELL);
        let (full, high) = (width + 2.0 * MARGIN, height + 2.0 * MARGIN);
        add!(
            self,
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {full} {high}" width="{full}" height="{high}">"#
        );
        self.shades();
        add!(self, r#"<rect width="{full}" height="{high}" fill="{}"/>"#, self.theme.page);
        match self.layout.surface {
            Surface::Points => self.points(width, height),
            Surface::Squares => self.squares(),
            Surface::Columns => self.columns(width, height),
        }
        self.names(height);
        self.tints();
        for cell in 0..self.sight.cells.len() {
            if let Some(code) = self.sight.cells[cell] {
                self.piece(cell, code);
            }
        }
        self.marks();
        self.out += "</svg>\n";
    }

    /// The middle of a cell.
    fn middle(&self, cell: usize) -> (f64, f64) {
        let (column, row) = (cell % self.layout.columns, cell / self.layout.columns);
        (MARGIN + (column as f64 + 0.5) * CELL, MARGIN + (row as f64 + 0.5) * CELL)
    }

    fn shades(&mut self) {
        self.out += "<defs>";
        for (name, light, middle, dark) in [
            ("black", "#6b6762", "#2a2826", "#0c0b0a"),
            ("white", "#ffffff", "#f3efe6", "#cbc4b4"),
            ("red", "#f08a74", "#cf3f2b", "#96230f"),
            ("yellow", "#fff3b0", "#f6ce3c", "#c9960c"),
        ] {
            add!(
                self,
                r#"<radialGradient id="{name}" cx="36%" cy="30%" r="75%"><stop offset="0" stop-color="{light}"/><stop offset=".45" stop-color="{middle}"/><stop offset="1" stop-color="{dark}"/></radialGradient>"#
            );
        }
        self.out += r##"<radialGradient id="alarm"><stop offset="0" stop-color="#ff2a12"/><stop offset=".45" stop-color="#e01500" stop-opacity=".85"/><stop offset="1" stop-color="#a00000" stop-opacity="0"/></radialGradient>"##;
        self.out += "</defs>";
    }

    /// The last move tints its squares, unless it only placed a disc.
    fn tints_last(&self) -> bool {
        self.layout.surface == Surface::Squares && self.layout.pieces != Pieces::Discs
    }

    /// What lies under the pieces: the last move, a king in check.
    fn tints(&mut self) {
        if self.tints_last() {
            for &cell in &self.sight.last {
                let (x, y) = self.middle(cell);
                let (left, top) = (x - CELL / 2.0, y - CELL / 2.0);
                add!(
                    self,
                    r##"<rect x="{left}" y="{top}" width="{CELL}" height="{CELL}" fill="#e6c229" opacity=".48"/>"##
                );
            }
        }
        for &cell in &self.sight.checked {
            let (x, y) = self.middle(cell);
            add!(self, r##"<circle cx="{x}" cy="{y}" r="50" fill="url(#alarm)"/>"##);
        }
    }

    fn points(&mut self, width: f64, height: f64) {
        add!(
            self,
            r#"<rect x="{MARGIN}" y="{MARGIN}" width="{width}" height="{height}" rx="12" fill="{}"/>"#,
            self.theme.wood
        );
        let (first, last) = (MARGIN + CELL / 2.0, MARGIN + width - CELL / 2.0);
        let (top, bottom) = (MARGIN + CELL / 2.0, MARGIN + height - CELL / 2.0);
        let mut grid = String::new();
        for column in 0..self.layout.columns {
            let _ = write!(grid, "M{0} {top}V{bottom}", first + column as f64 * CELL);
        }
        for row in 0..self.layout.rows {
            let _ = write!(grid, "M{first} {0}H{last}", top + row as f64 * CELL);
        }
        add!(self, r#"<path d="{grid}" stroke="{}" stroke-width="3" fill="none"/>"#, self.theme.grid);
        for cell in stars(self.layout.columns, self.layout.rows) {
            let (x, y) = self.middle(cell);
            add!(self, r#"<circle cx="{x}" cy="{y}" r="9" fill="{}"/>"#, self.theme.grid);
        }
    }

    fn squares(&mut self) {
        for cell in 0..self.layout.columns * self.layout.rows {
            let (x, y) = self.middle(cell);
            let odd = (cell % self.layout.columns + cell / self.layout.columns) % 2 == 1;
            let fill = match (self.layout.pieces, self.layout.checkered, odd) {
                (Pieces::Discs, false, _) => self.theme.felt,
                (_, true, true) => self.theme.dark,
                _ => self.theme.light,
            };
            let stroke = if self.layout.checkered { fill } else { self.theme.grid };
            let (x, y) = (x - CELL / 2.0, y - CELL / 2.0);
            add!(
                self,
                r#"<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{fill}" stroke="{stroke}" stroke-width="2"/>"#
            );
        }
    }

    fn columns(&mut self, width: f64, height: f64) {
        add!(
            self,
            r#"<rect x="{MARGIN}" y="{MARGIN}" width="{width}" height="{height}" rx="24" fill="{}"/>"#,
            self.theme.frame
        );
        for cell in 0..self.layout.columns * self.layout.rows {
            let (x, y) = self.middle(cell);
            add!(self, r#"<circle cx="{x}" cy="{y}" r="42" fill="{}"/>"#, self.theme.hole);
        }
    }

    fn names(&mut self, height: f64) {
        let mut drawn = String::new();
        for (column, name) in self.layout.column_names().iter().enumerate() {
            let x = MARGIN + (column as f64 + 0.5) * CELL;
            drawn += &letters::path(name, x, MARGIN + height + MARGIN / 2.0, 26.0);
        }
        for (row, name) in self.layout.row_names().iter().enumerate() {
            drawn += &letters::path(name, MARGIN / 2.0, MARGIN + (row as f64 + 0.5) * CELL, 26.0);
        }
        add!(
            self,
            r#"<path d="{drawn}" stroke="{}" stroke-width="4" fill="none" stroke-linecap="round" stroke-linejoin="round"/>"#,
            self.theme.ink
        );
    }

    fn piece(&mut self, cell: usize, code: &str) {
        let (x, y) = self.middle(cell);
        if code == WALL {
            let (left, top, ink) = (x - 46.0, y - 46.0, self.theme.ink);
            add!(self, r#"<rect x="{left}" y="{top}" width="92" height="92" rx="10" fill="{ink}" opacity=".75"/>"#);
            return;
        }
        let first = code == "x";
        let colour = self.layout.colours[usize::from(!first)];
        match self.layout.pieces {
            Pieces::Stones => {
                add!(
                    self,
                    r##"<ellipse cx="{}" cy="{}" rx="46" ry="45" fill="#000" opacity=".25"/>"##,
                    x + 3.0,
                    y + 7.0
                );
                add!(self, r#"<circle cx="{x}" cy="{y}" r="46" fill="url(#{colour})"/>"#);
            }
            Pieces::Discs => {
                add!(self, r#"<circle cx="{x}" cy="{y}" r="42" fill="url(#{colour})"/>"#);
            }
            Pieces::Marks if first => {
                let (left, right, top, bottom) = (x - 28.0, x + 28.0, y - 28.0, y + 28.0);
                add!(
                    self,
                    r##"<path d="M{left} {top}L{right} {bottom}M{right} {top}L{left} {bottom}" stroke="#2f62a8" stroke-width="12" stroke-linecap="round"/>"##
                );
            }
            Pieces::Marks => {
                add!(self, r##"<circle cx="{x}" cy="{y}" r="30" fill="none" stroke="#d9402a" stroke-width="12"/>"##);
            }
            Pieces::Chessmen => self.out += &chess_pieces::draw(code, x, y),
        }
    }

    fn marks(&mut self) {
        for &cell in &self.sight.forbidden {
            let (x, y) = self.middle(cell);
            let (left, right, top, bottom) = (x - 14.0, x + 14.0, y - 14.0, y + 14.0);
            add!(
                self,
                r#"<path d="M{left} {top}L{right} {bottom}M{right} {top}L{left} {bottom}" stroke="{}" stroke-width="5" opacity=".6"/>"#,
                self.theme.mark
            );
        }
        for &cell in &self.sight.line {
            let (x, y) = self.middle(cell);
            add!(self, r##"<circle cx="{x}" cy="{y}" r="45" fill="none" stroke="#12b886" stroke-width="8"/>"##);
        }
        if !self.tints_last() {
            // A ring with an edge shows on pieces of any colour.
            for &cell in &self.sight.last {
                let (x, y) = self.middle(cell);
                for (colour, width, opacity) in [("#1a1206", 11, ".55"), ("#ff7043", 6, "1")] {
                    add!(
                        self,
                        r#"<circle cx="{x}" cy="{y}" r="17" fill="none" stroke="{colour}" stroke-width="{width}" opacity="{opacity}"/>"#
                    );
                }
            }
        }
    }
}

/// The star points: the third or fourth from the edges, and the middle.
fn stars(columns: usize, rows: usize) -> Vec<usize> {
    if columns < 9 || rows < 9 {
        return Vec::new();
    }
    let along = |length: usize| {
        let near = if length < 13 { 2 } else { 3 };
        let mut places = vec![near, length - 1 - near];
        if length % 2 == 1 {
            places.push(length / 2);
        }
        places
    };
    let (across, down) = (along(columns), along(rows));
    down.iter().flat_map(|row| across.iter().map(move |column| row * columns + column)).collect()
}
