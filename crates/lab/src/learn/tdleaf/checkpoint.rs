//! A run that was stopped, as bytes.

use super::super::adam::Adam;
use super::super::fitting::FittingState;
use super::Batch;
use polyply_core::hash::Fnv;

const TITLE: &[u8] = b"polyply learning by temporal differences";
/// Bytes that were written otherwise.
pub(super) const DAMAGED: &str = "the checkpoint is damaged";

/// Writes a checkpoint of the run with this fingerprint. Before the first batch, its fit is empty.
pub(super) fn write(fingerprint: u64, strength: f32, state: &FittingState, batches: &[Batch]) -> Vec<u8> {
    let FittingState { parts, scale, adam } = state;
    let mut bytes = TITLE.to_vec();
    let mut put = |number: u64| bytes.extend(number.to_le_bytes());
    [fingerprint, strength.to_bits().into(), adam.steps as u64, batches.len() as u64].into_iter().for_each(&mut put);
    for batch in batches {
        let Batch { games, positions, rate, difference, loss, change, weights } = *batch;
        [games, positions, weights].into_iter().for_each(&mut put);
        [rate, difference, loss, change].into_iter().for_each(|number| put(number.to_bits().into()));
    }
    for numbers in [parts, scale, &adam.momentum, &adam.variance] {
        bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    }
    let hash = Fnv::of(bytes.iter().copied());
    bytes.extend(hash.to_le_bytes());
    bytes
}

/// Reads a checkpoint of the run with this fingerprint: the strength of the priors, the fit and the batches so far. The error
/// is one sentence.
pub(super) fn read(bytes: &[u8], expected: u64) -> Result<(f32, FittingState, Vec<Batch>), String> {
    let Some((rest, hash)) = bytes.split_last_chunk::<8>().filter(|_| bytes.starts_with(TITLE)) else {
        return Err("this is no checkpoint of learning by temporal differences".into());
    };
    if Fnv::of(rest.iter().copied()) != u64::from_le_bytes(*hash) {
        return Err(DAMAGED.into());
    }
    let mut rest = &rest[TITLE.len()..];
    let mut number = || -> Result<u64, String> {
        let (word, after) = rest.split_first_chunk().ok_or(DAMAGED)?;
        rest = after;
        Ok(u64::from_le_bytes(*word))
    };
    if number()? != expected {
        return Err("the checkpoint is of a run with other weights or options".into());
    }
    let (strength, steps, count) = (f32::from_bits(number()? as u32), number()? as i32, number()?);
    let mut batches = Vec::new();
    for _ in 0..count {
        let (games, positions, weights) = (number()?, number()?, number()?);
        let mut float = || Ok::<f32, String>(f32::from_bits(number()? as u32));
        let (rate, difference, loss, change) = (float()?, float()?, float()?, float()?);
        batches.push(Batch { games, positions, rate, difference, loss, change, weights });
    }
    let (words, odd) = rest.as_chunks::<4>();
    if !words.len().is_multiple_of(4) || !odd.is_empty() {
        return Err(DAMAGED.into());
    }
    let mut numbers = words.iter().map(|&word| f32::from_le_bytes(word));
    let mut table = || -> Vec<f32> { numbers.by_ref().take(words.len() / 4).collect() };
    let (parts, scale, momentum, variance) = (table(), table(), table(), table());
    Ok((strength, FittingState { parts, scale, adam: Adam { momentum, variance, steps } }, batches))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checkpoint_is_read_as_it_was_written_or_refused_in_a_sentence() {
        let adam = Adam { momentum: vec![0.5, -0.25], variance: vec![1e-9, 2.0], steps: 7 };
        let state = FittingState { parts: vec![1.5, -2.0], scale: vec![1.0, 0.125], adam };
        let (rate, difference, loss, change) = (0.1, 0.2, 0.3, 0.4);
        let batch = Batch { games: 16, positions: 500, rate, difference, loss, change, weights: u64::MAX };
        let batches = vec![batch, Batch { games: 32, ..batch }];
        let bytes = write(9, 0.01, &state, &batches);
        assert_eq!(read(&bytes, 9), Ok((0.01, state, batches)));
        assert!(read(&bytes, 8).unwrap_err().contains("other weights or options"));
        assert!(read(&bytes[..bytes.len() - 9], 9).unwrap_err().contains("damaged"));
        assert!(read(b"polyply weights", 9).unwrap_err().contains("no checkpoint"));
    }
}
