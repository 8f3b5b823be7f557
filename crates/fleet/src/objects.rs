//! Files of jobs in the object store, by the hash of their contents.

use crate::FleetError;
use crate::names::{LARGEST_OBJECT, Site};
use sha2::{Digest, Sha256};
use tokio::io::AsyncReadExt;

/// The hash of some bytes, as text.
pub fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// It is the name of an object, and so no path.
pub fn is_hash(name: &str) -> bool {
    name.len() == 64 && name.bytes().all(|letter| letter.is_ascii_hexdigit())
}

/// Stores bytes unless they are there already, and returns their hash.
pub async fn keep(site: &Site, bytes: &[u8]) -> Result<String, FleetError> {
    if bytes.len() > LARGEST_OBJECT {
        let most = LARGEST_OBJECT >> 20;
        return Err(FleetError::Server(format!("a file for the fleet has at most {most} megabytes")));
    }
    let name = hash(bytes);
    if site.objects.info(&name).await.is_ok_and(|info| !info.deleted) {
        return Ok(name);
    }
    let mut reader = bytes;
    let put = site.objects.put(name.as_str(), &mut reader).await;
    put.map_err(|error| FleetError::server("a file for the fleet could not be stored", error))?;
    Ok(name)
}

/// The bytes with a hash.
pub async fn get(site: &Site, name: &str) -> Result<Vec<u8>, String> {
    if !is_hash(name) {
        return Err("this is not the name of a file of the fleet".into());
    }
    let object = site.objects.get(name).await.map_err(|error| error.to_string())?;
    if object.info().size > LARGEST_OBJECT {
        return Err("the file is too large".into());
    }
    let mut bytes = Vec::with_capacity(object.info().size);
    let read = object.take(LARGEST_OBJECT as u64 + 1).read_to_end(&mut bytes).await;
    read.map_err(|error| error.to_string())?;
    if hash(&bytes) != name {
        return Err("the file does not have the hash that it is named by".into());
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_no_path() {
        assert!(is_hash(&hash(b"weights")));
        for name in ["", "../../etc/passwd", &"/".repeat(64), &"g".repeat(64), &"a".repeat(63)] {
            assert!(!is_hash(name), "{name}");
        }
    }
}
