//! Ctrl-C ends the search and the result so far is printed; a second Ctrl-C ends the program.

use crate::failure::Failure;
use polyply_engine::Control;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The exit code of an interrupted program, as in shells.
const INTERRUPTED: i32 = 130;

/// A flag that Ctrl-C sets.
pub fn flag() -> Result<Arc<AtomicBool>, Failure> {
    let pressed = Arc::new(AtomicBool::new(false));
    let set = pressed.clone();
    ctrlc::set_handler(move || {
        if set.swap(true, Relaxed) {
            polyply_protocol::drive::kill_all();
            std::process::exit(INTERRUPTED);
        }
    })
    .map_err(|error| Failure::Run(error.to_string()))?;
    Ok(pressed)
}

/// Does something when Ctrl-C ends the program. A second Ctrl-C does not wait for that.
pub fn at_exit(last: impl FnOnce() + Send + 'static) -> Result<(), Failure> {
    let mut last = Some(last);
    ctrlc::set_handler(move || {
        if let Some(last) = last.take() {
            std::thread::spawn(move || {
                last();
                std::process::exit(INTERRUPTED);
            });
        } else {
            std::process::exit(INTERRUPTED);
        }
    })
    .map_err(|error| Failure::Run(error.to_string()))
}

/// Stops a search at Ctrl-C.
pub struct Interrupt {
    pressed: Arc<AtomicBool>,
    control: Arc<Control>,
}

impl Interrupt {
    /// From now on Ctrl-C stops this search.
    pub fn stopping(control: Arc<Control>) -> Result<Interrupt, Failure> {
        let pressed = Arc::new(AtomicBool::new(false));
        let interrupt = Interrupt { pressed: pressed.clone(), control: control.clone() };
        ctrlc::set_handler(move || {
            if pressed.swap(true, Relaxed) {
                std::process::exit(INTERRUPTED);
            }
            control.stop();
        })
        .map_err(|error| Failure::Run(error.to_string()))?;
        Ok(interrupt)
    }

    /// Ctrl-C was pressed.
    pub fn pressed(&self) -> bool {
        self.pressed.load(Relaxed)
    }

    /// Stops a search that began just after Ctrl-C was pressed and so missed it.
    pub fn pass_on(&self) {
        if self.pressed() {
            self.control.stop();
        }
    }
}
