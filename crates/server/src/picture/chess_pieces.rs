//! Chess pieces as paths around the middle of a cell, the same set as in the web app.

const BASE: &str = "M-27 38V33Q-27 26 -20 26H20Q27 26 27 33V38Q27 40 25 40H-25Q-27 40 -27 38Z";

/// The solid parts of a piece from the base up, and the lines drawn on top.
fn shape(kind: char) -> (&'static [&'static str], &'static str) {
    match kind {
        'P' => (
            &[
                "M-23 38V34Q-23 27 -17 27H17Q23 27 23 34V38Q23 40 21 40H-21Q-23 40 -23 38Z",
                "M-7 -3C-7 11 -11 19 -18 27H18C11 19 7 11 7 -3Z",
                "M-13 -7Q-13 -10 -10 -10H10Q13 -10 13 -7Q13 -3 10 -3H-10Q-13 -3 -13 -7Z",
                "M-12.5 -21.5A12.5 12.5 0 1 1 12.5 -21.5A12.5 12.5 0 1 1 -12.5 -21.5Z",
            ],
            "",
        ),
        'R' => (
            &[
                BASE,
                "M-15 -13L-19 26H19L15 -13Z",
                "M-23 -36H-13.5V-29H-5V-36H5V-29H13.5V-36H23V-21L16 -13H-16L-23 -21Z",
            ],
            "M-16 -13H16M-18 17H18",
        ),
        'N' => (
            &[
                BASE,
                "M-19 26C-19 11 -5 8 -4 -7C-9 -4 -12 -3 -15 1C-18 6 -22 9 -26 6C-30 4 -31 -1 -28 -6C-24 -13 -22 -19 -16 -25L-17 -37L-8 -31L-4 -40L3 -31C20 -26 27 -6 23 26Z",
            ],
            "M8 -24C17 -15 19 4 17 18M-25 0L-23 -2",
        ),
        'B' => (
            &[
                BASE,
                "M-9 6C-9 14 -13 20 -20 26H20C13 20 9 14 9 6Z",
                "M-16 4Q-16 1 -13 1H13Q16 1 16 4Q16 7 13 7H-13Q-16 7 -16 4Z",
                "M0 -35C-12 -27 -18 -17 -16 -8C-15 -4 -12 0 -9 1H9C12 0 15 -4 16 -8C18 -17 12 -27 0 -35Z",
                "M-5 -38A5 5 0 1 1 5 -38A5 5 0 1 1 -5 -38Z",
            ],
            "M0 -24V-10M-6 -17H6",
        ),
        'Q' => (
            &[
                BASE,
                "M-18 10C-16 16 -19 21 -22 26H22C19 21 16 16 18 10Z",
                "M-30 -21L-19 10Q0 5 19 10L30 -21L16 -5L13.5 -30L0 -7L-13.5 -30L-16 -5Z",
                "M-34 -25A4.6 4.6 0 1 1 -24.8 -25A4.6 4.6 0 1 1 -34 -25Z",
                "M-18.6 -34A4.6 4.6 0 1 1 -9.4 -34A4.6 4.6 0 1 1 -18.6 -34Z",
                "M9.4 -34A4.6 4.6 0 1 1 18.6 -34A4.6 4.6 0 1 1 9.4 -34Z",
                "M24.8 -25A4.6 4.6 0 1 1 34 -25A4.6 4.6 0 1 1 24.8 -25Z",
            ],
            "M-19 18Q0 13 19 18",
        ),
        'K' => (
            &[
                BASE,
                "M-3.2 -45H3.2V-39H9V-33H3.2V-24H-3.2V-33H-9V-39H-3.2Z",
                "M0 -27C-8 -21 -7 -15 0 -6C7 -15 8 -21 0 -27Z",
                "M0 -4C-3 -20 -30 -24 -30 -6C-30 5 -21 12 -20 26H20C21 12 30 5 30 -6C30 -24 3 -20 0 -4Z",
            ],
            "M0 -4V12M-20 16Q0 10 20 16",
        ),
        _ => (&[BASE], ""),
    }
}

/// A piece such as `wK`, around a point.
pub fn draw(code: &str, x: f64, y: f64) -> String {
    let (fill, line) = if code.starts_with('w') { ("#f4ecd8", "#3a342e") } else { ("#3a342e", "#14110e") };
    let inner = if code.starts_with('w') { line } else { "#d8cdb8" };
    let (parts, lines) = shape(code.chars().nth(1).unwrap_or('P'));
    let mut drawn =
        format!(r#"<g transform="translate({x} {y}) scale(1.1)" stroke-width="2.5" stroke-linejoin="round">"#);
    for part in parts {
        drawn += &format!(r#"<path d="{part}" fill="{fill}" stroke="{line}"/>"#);
    }
    drawn + &format!(r#"<path d="{lines}" fill="none" stroke="{inner}" stroke-linecap="round"/></g>"#)
}
