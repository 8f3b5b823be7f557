//! Whatever bytes a file of games has, reading it does not panic, and what was read can be written and read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use polyply_engine::Variant;
use polyply_lab::record::Format;

fuzz_target!(|bytes: &[u8]| {
    let Some((&choice, bytes)) = bytes.split_first() else { return };
    let (format, _) = Format::NAMES[usize::from(choice) % Format::NAMES.len()];
    let variant = Variant::find("othello").expect("there is Othello");
    let records: Vec<_> = format.read_all(bytes, Some(&variant)).into_iter().flatten().collect();
    let (written, _) = format.write_all(&records);
    format.read_all(&written, Some(&variant));
});
