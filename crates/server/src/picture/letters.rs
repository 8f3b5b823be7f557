//! Letters and digits as strokes, so that a picture needs no font: each in a box of four by six, from the upper left.

/// The strokes of a sign: points joined by lines, strokes separated by `/`.
fn strokes(sign: char) -> &'static str {
    match sign.to_ascii_lowercase() {
        'a' => "0,6 0,2 2,0 4,2 4,6/0,4 4,4",
        'b' => "0,0 0,6 3,6 4,5 4,4 3,3 0,3/0,0 3,0 4,1 4,2 3,3",
        'c' => "4,1 3,0 1,0 0,1 0,5 1,6 3,6 4,5",
        'd' => "0,0 0,6 2,6 4,4 4,2 2,0 0,0",
        'e' => "4,0 0,0 0,6 4,6/0,3 3,3",
        'f' => "4,0 0,0 0,6/0,3 3,3",
        'g' => "4,1 3,0 1,0 0,1 0,5 1,6 3,6 4,5 4,3 2,3",
        'h' => "0,0 0,6/4,0 4,6/0,3 4,3",
        'i' => "2,0 2,6/1,0 3,0/1,6 3,6",
        'j' => "4,0 4,5 3,6 1,6 0,5",
        'k' => "0,0 0,6/4,0 0,3 4,6",
        'l' => "0,0 0,6 4,6",
        'm' => "0,6 0,0 2,3 4,0 4,6",
        'n' => "0,6 0,0 4,6 4,0",
        'o' => "1,0 3,0 4,1 4,5 3,6 1,6 0,5 0,1 1,0",
        'p' => "0,6 0,0 3,0 4,1 4,2 3,3 0,3",
        'q' => "1,0 3,0 4,1 4,5 3,6 1,6 0,5 0,1 1,0/2,4 4,6",
        'r' => "0,6 0,0 3,0 4,1 4,2 3,3 0,3/2,3 4,6",
        's' => "4,1 3,0 1,0 0,1 0,2 1,3 3,3 4,4 4,5 3,6 1,6 0,5",
        't' => "0,0 4,0/2,0 2,6",
        'u' => "0,0 0,5 1,6 3,6 4,5 4,0",
        'v' => "0,0 2,6 4,0",
        'w' => "0,0 1,6 2,3 3,6 4,0",
        'x' => "0,0 4,6/4,0 0,6",
        'y' => "0,0 2,3 4,0/2,3 2,6",
        'z' => "0,0 4,0 0,6 4,6",
        '0' => "1,0 3,0 4,1 4,5 3,6 1,6 0,5 0,1 1,0",
        '1' => "1,1 2,0 2,6/1,6 3,6",
        '2' => "0,1 1,0 3,0 4,1 4,2 0,6 4,6",
        '3' => "0,0 4,0 2,2 3,2 4,3 4,5 3,6 1,6 0,5",
        '4' => "3,6 3,0 0,4 4,4",
        '5' => "4,0 0,0 0,3 3,3 4,4 4,5 3,6 0,6",
        '6' => "4,0 2,0 0,2 0,5 1,6 3,6 4,5 4,4 3,3 0,3",
        '7' => "0,0 4,0 1,6",
        '8' => "1,0 3,0 4,1 4,2 3,3 1,3 0,2 0,1 1,0/1,3 0,4 0,5 1,6 3,6 4,5 4,4 3,3",
        '9' => "4,3 1,3 0,2 0,1 1,0 3,0 4,1 4,4 2,6 0,6",
        _ => "",
    }
}

/// A word as the `d` of an SVG path, around a point; `size` is the height of a sign.
pub fn path(word: &str, x: f64, y: f64, size: f64) -> String {
    let unit = size / 6.0;
    let width = (word.chars().count() as f64 * 6.0 - 2.0) * unit;
    let mut drawn = String::new();
    for (index, sign) in word.chars().enumerate() {
        let left = x - width / 2.0 + index as f64 * 6.0 * unit;
        for stroke in strokes(sign).split('/').filter(|stroke| !stroke.is_empty()) {
            for (number, point) in stroke.split(' ').enumerate() {
                let (across, down) = point.split_once(',').unwrap_or(("0", "0"));
                let at = |text: &str| text.parse::<f64>().unwrap_or(0.0) * unit;
                let command = if number == 0 { 'M' } else { 'L' };
                drawn += &format!("{command}{:.1} {:.1}", left + at(across), y - size / 2.0 + at(down));
            }
        }
    }
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_of_a_column_or_row_can_be_drawn() {
        for sign in ('a'..='z').chain('0'..='9') {
            assert!(path(&sign.to_string(), 0.0, 0.0, 6.0).starts_with('M'), "{sign}");
        }
        assert_eq!(path("l", 2.0, 3.0, 6.0), "M0.0 0.0L0.0 6.0L4.0 6.0");
    }
}
