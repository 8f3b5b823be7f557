//! Whatever bytes an interface sends, the engine neither panics nor hangs, and every FEN is taken or refused.

#![no_main]

use libfuzzer_sys::fuzz_target;
use polyply_protocol::uci;
use std::io::Cursor;

/// A small table.
const QUICK: &[u8] = b"setoption name Hash value 1\n";
/// Words that would make a search long, a table large, or read a file: their lines are left out.
const DEAR: [&str; 8] = ["hash", "threads", "multipv", "bench", "perft", "file", "path", "eval"];

fuzz_target!(|bytes: &[u8]| {
    let mut script = QUICK.to_vec();
    for line in bytes.split(|byte| matches!(byte, b'\n' | b'\r')) {
        let text = String::from_utf8_lossy(line).to_lowercase();
        if DEAR.iter().any(|word| text.contains(word)) {
            continue;
        }
        script.extend_from_slice(line);
        // Whatever else limits it, a search is short.
        script.extend_from_slice(if text.contains("go") { b" nodes 60\n" } else { b"\n" });
    }
    uci::run(Cursor::new(script), &mut Vec::new()).expect("memory takes every answer");
});
