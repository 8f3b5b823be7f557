//! Files that people name: read whole, but never without an end.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// The bytes of a file of at most so many. A device without an end, or a file that can't be what it was taken for, is
/// refused before it fills the memory.
pub fn read_at_most(path: &Path, most: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(most as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > most {
        let reason = format!("it has more than {} megabytes", most >> 20);
        return Err(io::Error::new(ErrorKind::FileTooLarge, reason));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_whole_or_not_at_all() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        let length = std::fs::metadata(&path).unwrap().len() as usize;
        assert_eq!(read_at_most(&path, length).unwrap().len(), length);
        assert_eq!(read_at_most(&path, length - 1).unwrap_err().kind(), ErrorKind::FileTooLarge);
    }

    #[cfg(unix)]
    #[test]
    fn a_device_without_an_end_is_refused() {
        let error = read_at_most(Path::new("/dev/zero"), 1 << 20).unwrap_err();
        assert_eq!(error.to_string(), "it has more than 1 megabytes");
    }
}
