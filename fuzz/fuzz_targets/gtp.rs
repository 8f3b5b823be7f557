//! Whatever bytes a program sends, the engine neither panics nor hangs, in any game.

#![no_main]

use libfuzzer_sys::fuzz_target;
use polyply_engine::Variant;
use polyply_protocol::gtp;
use std::io::Cursor;

/// A small table and few nodes.
const QUICK: &[u8] = b"set_option Hash 1\nset_limit nodes 60\n";

fuzz_target!(|bytes: &[u8]| {
    let mut script = QUICK.to_vec();
    for line in bytes.split(|byte| matches!(byte, b'\n' | b'\r')) {
        let text = String::from_utf8_lossy(line).to_lowercase();
        // Other limits and options would make a search long or a table large.
        if !["time", "limit", "option"].iter().any(|word| text.contains(word)) {
            script.extend_from_slice(line);
            script.push(b'\n');
        }
    }
    let variant = Variant::find("tictactoe").expect("there is tic-tac-toe");
    gtp::run(Cursor::new(script), &mut Vec::new(), &variant).expect("memory takes every answer");
});
