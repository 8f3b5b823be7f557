//! Whatever bytes a board sends, the engine neither panics nor hangs.

#![no_main]

use libfuzzer_sys::fuzz_target;
use polyply_protocol::nboard;
use std::io::Cursor;

fuzz_target!(|bytes: &[u8]| {
    let mut script = b"set Hash 1\n".to_vec();
    for line in bytes.split(|byte| matches!(byte, b'\n' | b'\r')) {
        let text = String::from_utf8_lossy(line).to_lowercase();
        // Other settings would make a search long or a table large.
        if !text.trim_start().starts_with("set") || text.contains("game") {
            script.extend_from_slice(line);
            script.extend_from_slice(b"\nset depth 1\n");
        }
    }
    nboard::run(Cursor::new(script), &mut Vec::new()).expect("memory takes every answer");
});
