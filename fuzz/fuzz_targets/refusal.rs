//! Whatever text is refused, the sentence that says so is one line that can be shown.

#![no_main]

use libfuzzer_sys::fuzz_target;
use polyply_core::refusal::common;

fuzz_target!(|text: &str| {
    let reason = common::illegal_move(text);
    let sentence = common::move_in_list(text.len() as i64, reason.clone()).to_string();
    assert!(sentence.ends_with(&reason.to_string()) && !sentence.chars().any(char::is_control), "{sentence:?}");
});
