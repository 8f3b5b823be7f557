//! Whatever text a file of weights has, it is refused or read, and weights that were written come back the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use polyply_core::weights::{Section, read, write};

/// The last section is so large that it is packed.
const SECTIONS: [Section; 3] =
    [Section::linear("squares", 2, 3), Section::order("moves", 1, 4), Section::linear("patterns", 3, 2731)];

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let _ = read(&text, &["chess"], &SECTIONS);
    // The same text where the numbers of a good file are.
    let mut numbers = bytes.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).cycle();
    let tables = SECTIONS.map(|section| (0..section.len()).map(|_| numbers.next().unwrap_or(0)).collect::<Vec<_>>());
    let written = write("chess", &SECTIONS, &tables, &[]);
    assert_eq!(read(&written, &["chess"], &SECTIONS).expect("what was written is read"), tables);
    let place = bytes.first().map_or(0, |byte| usize::from(*byte) % written.len());
    let mut damaged = written.into_bytes();
    damaged.splice(place..place, bytes.iter().copied().take(64));
    let _ = read(&String::from_utf8_lossy(&damaged), &["chess"], &SECTIONS);
});
