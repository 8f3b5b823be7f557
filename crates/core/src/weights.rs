//! Files of weights: one format for all games.
//!
//! A file is text. The first lines say what it is, for which game, and which kinds of weights it holds. Lines that
//! start with `#` say where the weights come from. A hash of all numbers follows, and then the sections: a line with
//! the name, the rows and the columns, and a line for each row. Large sections are packed.
//!
//! ```text
//! polyply weights
//! game freestyle
//! kind linear order
//! # command: polyply learn linear freestyle …
//! hash 3f0c8e5b1d2a7794
//! cell 1365 2
//! 3 2
//! …
//! patterns 15 85020 packed
//! AgQGCAoA…
//! ```
//!
//! Packed numbers are [base64](https://www.rfc-editor.org/rfc/rfc4648) of bytes with seven bits of a number each, the
//! lowest first; the lowest bit is the sign. A zero is followed by the length of its run of zeros.

use crate::hash::Fnv;
use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use std::fmt;
use std::fmt::Write;

/// What a section of weights is learned for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The evaluation: a sum of features times weights.
    Linear,
    /// The order in which the search tries moves.
    Order,
    /// The errors of shallow searches as predictions of deeper ones.
    Probcut,
    /// A neural net in place of the evaluation.
    Net,
    /// A neural net that adds to the order of moves.
    Policy,
}

impl Kind {
    /// The word in files and commands.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Linear => "linear",
            Kind::Order => "order",
            Kind::Probcut => "probcut",
            Kind::Net => "net",
            Kind::Policy => "policy",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A table of weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Section {
    /// Its name: one word.
    pub name: &'static str,
    /// Rows, a line of the file each unless it is packed.
    pub rows: usize,
    /// Numbers in a row.
    pub columns: usize,
    /// What it is learned for.
    pub kind: Kind,
}

impl Section {
    /// A section of an evaluation.
    pub const fn linear(name: &'static str, rows: usize, columns: usize) -> Section {
        Section { name, rows, columns, kind: Kind::Linear }
    }

    /// A section of an order of moves.
    pub const fn order(name: &'static str, rows: usize, columns: usize) -> Section {
        Section { name, rows, columns, kind: Kind::Order }
    }

    /// A section about predictions of long searches by short ones. A file may lack it, and its table is empty then.
    pub const fn probcut(name: &'static str, rows: usize, columns: usize) -> Section {
        Section { name, rows, columns, kind: Kind::Probcut }
    }

    /// A section of a net for moves. A file may lack it, and its table is empty then.
    pub const fn policy(name: &'static str, rows: usize, columns: usize) -> Section {
        Section { name, rows, columns, kind: Kind::Policy }
    }

    /// A file may lack the section.
    const fn is_optional(&self) -> bool {
        matches!(self.kind, Kind::Probcut | Kind::Policy)
    }

    /// How many numbers it has.
    pub const fn len(&self) -> usize {
        self.rows * self.columns
    }

    /// It has no numbers.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Too large for people to read.
    fn is_packed(&self) -> bool {
        self.len() > 8192
    }

    fn header(&self) -> String {
        let Section { name, rows, columns, .. } = self;
        format!("{name} {rows} {columns}{}", if self.is_packed() { " packed" } else { "" })
    }
}

/// The numbers of a file, one table per section.
pub type Tables = Vec<Vec<i16>>;

/// The first line of a file.
pub const TITLE: &str = "polyply weights";
/// The largest file that is read.
const LARGEST: usize = 32 << 20;
/// Characters in a line of packed numbers.
const WIDTH: usize = 120;

/// [FNV-1a](http://www.isthe.com/chongo/tech/comp/fnv/) over the bytes of the numbers, the low byte first.
pub fn hash(numbers: impl IntoIterator<Item = i16>) -> u64 {
    Fnv::of(numbers.into_iter().flat_map(i16::to_le_bytes))
}

/// The kinds of weights that a file says it holds.
pub fn kinds(text: &str) -> impl Iterator<Item = &str> {
    let header = text.lines().take_while(|line| !line.starts_with("hash "));
    header.filter_map(|line| line.strip_prefix("kind ")).take(1).flat_map(|kinds| kinds.split(' '))
}

/// The rows and columns of a section, as the file states them.
pub fn size(text: &str, section: &str) -> Option<(usize, usize)> {
    let rest = |line: &'_ str| Some(line.strip_prefix(section)?.strip_prefix(' ')?.to_owned());
    let line = text.lines().filter(|line| !line.starts_with('#')).find_map(rest)?;
    let mut numbers = line.split(' ').map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

/// Reads a weights file of one of these games. The error is one sentence.
pub fn read(text: &str, games: &[&str], sections: &[Section]) -> Result<Tables, String> {
    if text.len() > LARGEST {
        return Err(format!("a file of weights has no more than {LARGEST} bytes, and this one has {}", text.len()));
    }
    let mut lines = text.lines().filter(|line| !line.starts_with('#')).peekable();
    if lines.next() != Some(TITLE) {
        return Err(format!("a file of weights begins with `{TITLE}`"));
    }
    let mut field = |name: &str| {
        let line = lines.next().and_then(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.ok_or_else(|| format!("a file of weights says `{name}` in its first lines"))
    };
    let game = field("game")?;
    if !games.contains(&game) {
        return Err(format!("the weights are of {}, not of {}", game.escape_debug(), games.join(" or ")));
    }
    let kinds: Vec<&str> = field("kind")?.split(' ').collect();
    let expected = field("hash")?;
    let mut tables = Vec::with_capacity(sections.len());
    for section in sections {
        let name = section.name;
        if section.is_optional() && !kinds.contains(&section.kind.name()) {
            tables.push(Vec::new());
            continue;
        }
        match lines.next() {
            Some(line) if line == section.header() => {}
            Some(line) if line.split(' ').next() == Some(name) => {
                return Err(format!(
                    "the section `{name}` must be `{}`, not `{}`",
                    section.header(),
                    line.escape_debug()
                ));
            }
            _ => return Err(format!("the section `{name}` is missing")),
        }
        let table = if section.is_packed() {
            let mut packed = String::new();
            while let Some(line) = lines.next_if(|line| !line.contains(' ')) {
                packed += line;
            }
            unpacked(&packed, section)?
        } else {
            let mut table = Vec::with_capacity(section.len());
            for _ in 0..section.rows {
                let line = lines.next().ok_or_else(|| format!("the section `{name}` ends too soon"))?;
                read_row(line, section, &mut table)?;
            }
            table
        };
        tables.push(table);
    }
    if lines.next().is_some() {
        return Err("the file goes on after its last section".into());
    }
    let found = format!("{:016x}", hash(tables.iter().flatten().copied()));
    if found == expected {
        Ok(tables)
    } else {
        Err(format!("the numbers have the hash {found}, not {}", expected.escape_debug()))
    }
}

fn read_row(line: &str, section: &Section, table: &mut Vec<i16>) -> Result<(), String> {
    let end = table.len() + section.columns;
    for word in line.split_ascii_whitespace() {
        let number = word.parse();
        table.push(
            number
                .map_err(|_| format!("`{}` in the section `{}` is not a weight", word.escape_debug(), section.name))?,
        );
    }
    match table.len() == end {
        true => Ok(()),
        false => Err(format!("a row of the section `{}` has {} numbers", section.name, section.columns)),
    }
}

/// The text of a file. `about` says where the weights come from, a line each.
pub fn write(game: &str, sections: &[Section], tables: &[Vec<i16>], about: &[String]) -> String {
    let there: Vec<_> =
        sections.iter().zip(tables).filter(|(section, table)| !(section.is_optional() && table.is_empty())).collect();
    let mut kinds: Vec<&str> = there.iter().map(|(section, _)| section.kind.name()).collect();
    kinds.dedup();
    let mut text = format!("{TITLE}\ngame {game}\nkind {}\n", kinds.join(" "));
    about.iter().for_each(|line| text += &format!("# {line}\n"));
    // Writing to a string can't fail.
    let _ = writeln!(text, "hash {:016x}", hash(tables.iter().flatten().copied()));
    for (section, table) in there {
        let _ = writeln!(text, "{}", section.header());
        if section.is_packed() {
            let letters = STANDARD_NO_PAD.encode(packed(table));
            for line in letters.as_bytes().chunks(WIDTH) {
                text.extend(line.iter().map(|&letter| char::from(letter)));
                text.push('\n');
            }
        } else {
            for row in table.chunks(section.columns.max(1)) {
                let row: Vec<String> = row.iter().map(i16::to_string).collect();
                let _ = writeln!(text, "{}", row.join(" "));
            }
        }
    }
    text
}

/// Multiplies the weights of an evaluation by `percent` / 100. An order of moves has a unit of its own and stays.
pub fn scale(sections: &[Section], tables: &mut [Vec<i16>], percent: u16) {
    for (_, table) in sections.iter().zip(tables).filter(|(section, _)| section.kind == Kind::Linear) {
        for number in table {
            let scaled = f32::from(*number) * f32::from(percent) / 100.0;
            *number = scaled.round_ties_even() as i16;
        }
    }
}

fn packed(numbers: &[i16]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut zeros = 0;
    for &number in numbers {
        if number == 0 {
            zeros += 1;
            continue;
        }
        pack_zeros(&mut bytes, std::mem::take(&mut zeros));
        pack(&mut bytes, ((i32::from(number) << 1) ^ (i32::from(number) >> 31)) as u32);
    }
    pack_zeros(&mut bytes, zeros);
    bytes
}

fn pack_zeros(bytes: &mut Vec<u8>, zeros: u32) {
    if zeros > 0 {
        bytes.push(0);
        pack(bytes, zeros);
    }
}

/// The highest bit of a byte says that more bytes follow.
fn pack(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn unpacked(letters: &str, section: &Section) -> Result<Vec<i16>, String> {
    let damaged = || format!("the section `{}` is damaged", section.name);
    let bytes = STANDARD_NO_PAD.decode(letters).map_err(|_| damaged())?;
    let mut bytes = bytes.into_iter();
    let mut numbers = Vec::with_capacity(section.len());
    while bytes.len() > 0 {
        match unpack(&mut bytes).ok_or_else(damaged)? {
            0 => {
                let zeros = unpack(&mut bytes).ok_or_else(damaged)? as usize;
                // A damaged file may claim a run of any length.
                if zeros > section.len() - numbers.len() {
                    return Err(damaged());
                }
                numbers.resize(numbers.len() + zeros, 0);
            }
            number => numbers.push(((number >> 1) as i32 ^ -((number & 1) as i32)) as i16),
        }
        if numbers.len() > section.len() {
            return Err(damaged());
        }
    }
    if numbers.len() == section.len() { Ok(numbers) } else { Err(damaged()) }
}

fn unpack(bytes: &mut impl Iterator<Item = u8>) -> Option<u32> {
    let (mut number, mut shift) = (0, 0);
    loop {
        let byte = u32::from(bytes.next()?);
        number |= (byte & 0x7f).checked_shl(shift)?;
        if byte < 0x80 {
            return Some(number);
        }
        shift += 7;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECTIONS: [Section; 3] =
        [Section::linear("small", 2, 3), Section::linear("large", 3, 4000), Section::order("moves", 1, 2)];

    fn tables() -> Tables {
        // Runs of zeros of many lengths, and numbers of all sizes.
        let large = (0..12_000_i32).map(|at| if at % 97 < 60 { 0 } else { (at * 7919 % 65_536 - 32_768) as i16 });
        vec![vec![1, -2, 3, 0, i16::MAX, i16::MIN], large.collect(), vec![7, -7]]
    }

    fn text() -> String {
        write("go", &SECTIONS, &tables(), &["from nowhere".to_owned()])
    }

    #[test]
    fn weights_survive_the_way_to_a_file_and_back() {
        let text = text();
        assert!(
            text.starts_with("polyply weights\ngame go\nkind linear order\n# from nowhere\nhash "),
            "{}",
            &text[..80]
        );
        assert!(text.contains("\nsmall 2 3\n1 -2 3\n") && text.contains("\nlarge 3 4000 packed\n"));
        assert!(text.lines().all(|line| line.len() <= WIDTH));
        assert_eq!(read(&text, &["chess", "go"], &SECTIONS), Ok(tables()));
    }

    #[test]
    fn a_file_that_is_not_whole_is_refused_in_a_sentence() {
        let text = text();
        let refused = |text: &str, says: &str| {
            let error = read(text, &["go"], &SECTIONS).unwrap_err();
            assert!(error.contains(says) && !error.contains('\n'), "{error}");
        };
        refused("", "begins with");
        refused("polyply weights\ngame go\n", "says `kind`");
        refused(&text.replacen("game go", "game chess", 1), "the weights are of chess, not of go");
        refused(&text.replacen("small 2 3", "small 3 3", 1), "must be `small 2 3`");
        refused(&text.replacen("small 2 3", "smell 2 3", 1), "`small` is missing");
        refused(&text.replacen("\n1 -2", "\nx -2", 1), "`x`");
        refused(&text.replacen("\n1 -2", "\n1 2 -2", 1), "has 3 numbers");
        refused(&text.replacen("\n1 -2", "\n2 -2", 1), "hash");
        refused(&text.replacen("\n1 -2", "\n32768 -2", 1), "`32768`");
        refused(&(text.clone() + "1 1\n"), "goes on after");
        let header = text.find(" packed\n").unwrap() + " packed\n".len();
        refused(&text[..header + 500], "damaged");
        refused(&text[..text.len() - 5], "ends too soon");
        refused(&format!("{}!{}", &text[..header], &text[header + 1..]), "damaged");
        refused(&" ".repeat(LARGEST + 1), "no more than");
    }

    #[test]
    fn a_run_of_zeros_is_no_longer_than_its_section() {
        let mut bytes = vec![0];
        pack(&mut bytes, u32::MAX);
        assert!(unpacked(&STANDARD_NO_PAD.encode(bytes), &SECTIONS[1]).unwrap_err().contains("damaged"));
        assert!(unpacked(&STANDARD_NO_PAD.encode([0x80; 9]), &SECTIONS[1]).unwrap_err().contains("damaged"));
    }

    #[test]
    fn a_file_says_what_it_holds_before_it_is_read() {
        let text = text();
        assert_eq!(kinds(&text).collect::<Vec<_>>(), ["linear", "order"]);
        assert_eq!(kinds("kind").count() + kinds("hash 0\nkind net").count(), 0);
        assert_eq!((size(&text, "large"), size(&text, "lar"), size("a 1", "a")), (Some((3, 4000)), None, None));
    }

    #[test]
    fn another_unit_leaves_the_order_of_moves() {
        let mut scaled = tables();
        scale(&SECTIONS, &mut scaled, 250);
        assert_eq!(scaled[0][..3], [2, -5, 8]);
        assert_eq!(scaled[2], [7, -7]);
    }
}
