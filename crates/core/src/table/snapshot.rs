//! The Search TT in a file, so that its entries survive a restart.
//!
//! A file is a sequence of little-endian 64-bit words: six of a header (magic, format version, fingerprint, generation,
//! number of entries, checksum), then key and data of every entry. It can be loaded into a table of another size; where
//! entries compete for a slot, the one that is worth most gets it.
//!
//! A file is complete or absent: it is written under another name in the same folder and renamed when it is on the
//! disk. A file is checked completely before any of it is used.

use super::{Entry, SearchTt};
use crate::score::Score;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

const MAGIC: u64 = u64::from_le_bytes(*b"polyplTT");
/// Changes with the meaning of any bit of the file, the layout of [`Entry`] included.
const VERSION: u64 = 1;

/// Why a table was not saved or not loaded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// The system could not write the file.
    #[error("the snapshot could not be written: {0}")]
    Write(#[source] io::Error),
    /// The system could not read the file.
    #[error("the snapshot could not be read: {0}")]
    Read(#[source] io::Error),
    /// The file is not a snapshot.
    #[error("the file is not a snapshot of a Search TT")]
    Foreign,
    /// The file was written by a program with another format.
    #[error("the snapshot has format {found}, but this program reads only format {VERSION}")]
    Version {
        /// The format of the file.
        found: u64,
    },
    /// The file belongs to another game, variant or evaluation.
    #[error("the snapshot was made with another game, variant or set of weights")]
    Fingerprint,
    /// The file is shorter than its header says.
    #[error("the snapshot ends early")]
    Truncated,
    /// The contents do not match the checksum.
    #[error("the snapshot is damaged: its contents do not match its checksum")]
    Damaged,
}

/// A running checksum of words: xor, multiply, rotate, in the manner of FNV.
///
/// Every step is a bijection of the sum and of the word, so damage within one word is always found.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Checksum(u64);

impl Checksum {
    fn add(&mut self, word: u64) {
        // 2^64 divided by the golden ratio: odd, with well mixed bits.
        self.0 = (self.0 ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
    }
}

#[derive(Default)]
struct Header {
    fingerprint: u64,
    generation: u64,
    count: u64,
    /// Covers the entries first and then the rest of the header, which is only known after the entries.
    checksum: u64,
}

impl Header {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        for word in [MAGIC, VERSION, self.fingerprint, self.generation, self.count, self.checksum] {
            write_word(out, word)?;
        }
        Ok(())
    }

    fn read(source: &mut impl Read, fingerprint: u64) -> Result<Header, SnapshotError> {
        if read_word(source)? != MAGIC {
            return Err(SnapshotError::Foreign);
        }
        let version = read_word(source)?;
        if version != VERSION {
            return Err(SnapshotError::Version { found: version });
        }
        let header = Header {
            fingerprint: read_word(source)?,
            generation: read_word(source)?,
            count: read_word(source)?,
            checksum: read_word(source)?,
        };
        if header.fingerprint != fingerprint {
            return Err(SnapshotError::Fingerprint);
        }
        Ok(header)
    }

    /// The checksum of a file with this header and these entries.
    fn checksum(&self, mut entries: Checksum) -> u64 {
        for word in [self.fingerprint, self.generation, self.count] {
            entries.add(word);
        }
        entries.0
    }
}

/// Saves a table and returns the number of entries. The `fingerprint` stands for everything that must be the same for
/// the entries to be valid: the game, its variant and the weights.
///
/// Searches may run meanwhile, and so may other saves to the same path; the last one to end stays.
pub fn save(table: &SearchTt, path: &Path, fingerprint: u64) -> Result<u64, SnapshotError> {
    // Each save has a file of its own, also where several processes share a folder.
    static SAVES: AtomicU64 = AtomicU64::new(0);
    let number = SAVES.fetch_add(1, Relaxed);
    let partial = path.with_added_extension(format!("{}-{number}.partial", std::process::id()));
    let saved = write(table, &partial, fingerprint).and_then(|count| fs::rename(&partial, path).map(|()| count));
    if saved.is_err() {
        // The first error is reported, not one that occurs while cleaning up.
        let _ = fs::remove_file(&partial);
    }
    saved.map_err(SnapshotError::Write)
}

fn write(table: &SearchTt, path: &Path, fingerprint: u64) -> io::Result<u64> {
    let mut out = BufWriter::new(File::create(path)?);
    let generation = table.generation().into();
    let mut header = Header { fingerprint, generation, ..Header::default() };
    // A placeholder: while searches run, the number of entries is not known in advance.
    header.write(&mut out)?;
    let mut checksum = Checksum::default();
    for (key, entry) in table.entries() {
        for word in [key, entry.pack()] {
            write_word(&mut out, word)?;
            checksum.add(word);
        }
        header.count += 1;
    }
    header.checksum = header.checksum(checksum);
    out.rewind()?;
    header.write(&mut out)?;
    out.flush()?;
    out.get_ref().sync_all()?;
    Ok(header.count)
}

/// Loads a snapshot into a table of any size and returns the number of entries of the file. The table is emptied first,
/// and is empty after an error.
pub fn load(table: &SearchTt, path: &Path, fingerprint: u64) -> Result<u64, SnapshotError> {
    table.flush();
    let loaded = read(table, path, fingerprint);
    if loaded.is_err() {
        // There are entries in the table only if the file changed while it was read.
        table.flush();
    }
    loaded
}

fn read(table: &SearchTt, path: &Path, fingerprint: u64) -> Result<u64, SnapshotError> {
    let file = File::open(path).map_err(SnapshotError::Read)?;
    let length = file.metadata().map_err(SnapshotError::Read)?.len();
    let mut source = BufReader::new(file);
    let header = Header::read(&mut source, fingerprint)?;
    let entries = source.stream_position().map_err(SnapshotError::Read)?;
    // What a header claims is not believed: nothing without an end is read, nor more than there is.
    if header.count.checked_mul(16).and_then(|bytes| bytes.checked_add(entries)).is_none_or(|bytes| bytes > length) {
        return Err(SnapshotError::Truncated);
    }
    read_entries(&mut source, &header, |_, _| ())?;
    source.seek(SeekFrom::Start(entries)).map_err(SnapshotError::Read)?;
    table.set_generation(header.generation as u8);
    read_entries(&mut source, &header, |key, entry| table.restore(key, entry))?;
    Ok(header.count)
}

/// Reads and checks everything after the header.
fn read_entries(
    source: &mut impl Read,
    header: &Header,
    mut each: impl FnMut(u64, Entry),
) -> Result<(), SnapshotError> {
    let mut checksum = Checksum::default();
    for _ in 0..header.count {
        let (key, data) = (read_word(source)?, read_word(source)?);
        checksum.add(key);
        checksum.add(data);
        each(key, Entry::unpack(data).filter(is_possible).ok_or(SnapshotError::Damaged)?);
    }
    let at_end = source.read(&mut [0]).map_err(SnapshotError::Read)? == 0;
    if !at_end || header.checksum(checksum) != header.checksum {
        return Err(SnapshotError::Damaged);
    }
    Ok(())
}

/// No search returns a score beyond a win, and none could handle it.
fn is_possible(entry: &Entry) -> bool {
    [Some(entry.score), entry.eval].iter().flatten().all(|score| score.value().abs() < Score::INFINITE.value())
}

fn write_word(out: &mut impl Write, word: u64) -> io::Result<()> {
    out.write_all(&word.to_le_bytes())
}

fn read_word(source: &mut impl Read) -> Result<u64, SnapshotError> {
    let mut bytes = [0; 8];
    source.read_exact(&mut bytes).map_err(|error| match error.kind() {
        ErrorKind::UnexpectedEof => SnapshotError::Truncated,
        _ => SnapshotError::Read(error),
    })?;
    Ok(u64::from_le_bytes(bytes))
}
