//! One owner of a data directory: two servers on one database would lose each other's moves.

use crate::refusals;
use polyply_engine::refusal::Argument;
use std::fs::{File, TryLockError};
use std::path::Path;

/// The right to write to a data directory, until it is dropped or the process ends in whatever way.
pub struct DataLock {
    _file: File,
}

impl DataLock {
    /// Takes the lock of a directory, or says why it can't be had.
    pub fn take(directory: &Path) -> Result<DataLock, Argument> {
        // The file stays: deleting it would let two processes hold locks on two files of the same name.
        let open = File::options().create(true).append(true).open(directory.join("lock"));
        let file = open.map_err(Argument::from)?;
        match file.try_lock() {
            Ok(()) => Ok(DataLock { _file: file }),
            Err(TryLockError::WouldBlock) => Err(refusals::folder_in_use().into()),
            Err(TryLockError::Error(error)) => Err(error.into()),
        }
    }
}
