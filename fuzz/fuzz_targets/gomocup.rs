//! Whatever bytes a manager sends, the brain neither panics nor hangs.

#![no_main]

use libfuzzer_sys::fuzz_target;
use polyply_protocol::gomocup;
use std::io::Cursor;

/// A small table and few nodes.
const QUICK: &[u8] = b"INFO hash_size 1024\nINFO max_node 60\n";
/// Settings that would make a search long or a table large: they are left out.
const DEAR: [&str; 6] = ["TIME", "MAX_", "HASH", "THREAD", "PONDER", "VCF"];

fuzz_target!(|bytes: &[u8]| {
    let mut script = QUICK.to_vec();
    for line in bytes.split(|byte| matches!(byte, b'\n' | b'\r')) {
        let text = String::from_utf8_lossy(line).to_uppercase();
        if !(text.trim_start().starts_with("INFO") && DEAR.iter().any(|key| text.contains(key))) {
            script.extend_from_slice(line);
            script.push(b'\n');
        }
    }
    gomocup::run(Cursor::new(script), &mut Vec::new()).expect("memory takes every answer");
});
