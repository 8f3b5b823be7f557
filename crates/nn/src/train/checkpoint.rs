//! A training that stopped, as bytes.

use super::{Epoch, Lesson, Options, State};
use polyply_core::hash::Fnv;

const TITLE: &[u8; 24] = b"polyply training of nets";

/// A hash of everything that a training depends on.
pub fn fingerprint(lesson: &impl Lesson, options: &Options) -> u64 {
    let mut hash = Fnv::default();
    hash.number(lesson.fingerprint());
    let Options { epochs, batch, rate, warm_up, decay, held_out, patience, seed } = *options;
    [epochs.into(), batch as u64, warm_up, held_out as u64, patience.into(), seed]
        .iter()
        .for_each(|&number| hash.number(number));
    [rate, decay].iter().for_each(|number| hash.number(number.to_bits().into()));
    hash.finish()
}

/// Writes a checkpoint.
pub fn write(state: &State, fingerprint: u64) -> Vec<u8> {
    let mut bytes = TITLE.to_vec();
    let mut put = |number: u64| bytes.extend(number.to_le_bytes());
    [fingerprint, state.steps, state.done as u64, state.loss.to_bits()].into_iter().for_each(&mut put);
    [state.best_loss.to_bits().into(), state.waited.into(), state.epochs.len() as u64].into_iter().for_each(&mut put);
    for epoch in &state.epochs {
        put(epoch.number.into());
        [epoch.rate, epoch.training, epoch.held_out].into_iter().for_each(|number| put(number.to_bits().into()));
    }
    for numbers in [&state.parameters, &state.momentum, &state.variance, &state.best] {
        bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    }
    let hash = Fnv::of(bytes.iter().copied());
    bytes.extend(hash.to_le_bytes());
    bytes
}

/// Reads a checkpoint of a training with this fingerprint. The error is one sentence.
pub fn read(bytes: &[u8], count: usize, expected: u64) -> Result<State, String> {
    let damaged = || "the checkpoint is damaged".to_owned();
    let Some((rest, hash)) = bytes.split_last_chunk::<8>().filter(|_| bytes.starts_with(TITLE)) else {
        return Err("this is no checkpoint of a training".into());
    };
    if Fnv::of(rest.iter().copied()) != u64::from_le_bytes(*hash) {
        return Err(damaged());
    }
    let mut rest = &rest[TITLE.len()..];
    let mut number = || -> Result<u64, String> {
        let (word, after) = rest.split_first_chunk().ok_or_else(damaged)?;
        rest = after;
        Ok(u64::from_le_bytes(*word))
    };
    if number()? != expected {
        return Err("the checkpoint is of a training with other games or options".into());
    }
    let (steps, done, loss) = (number()?, number()? as usize, f64::from_bits(number()?));
    let (best_loss, waited, passes) = (f32::from_bits(number()? as u32), number()? as u32, number()?);
    let mut epochs = Vec::new();
    for _ in 0..passes {
        let mut float = || Ok::<f32, String>(f32::from_bits(number()? as u32));
        let number = float()?.to_bits();
        epochs.push(Epoch { number, rate: float()?, training: float()?, held_out: float()? });
    }
    let (words, odd) = rest.as_chunks::<4>();
    if words.len() != 4 * count || !odd.is_empty() {
        return Err(damaged());
    }
    let mut tables = words.chunks(count).map(|words| words.iter().map(|&word| f32::from_le_bytes(word)).collect());
    let mut table = || -> Result<Vec<f32>, String> { tables.next().ok_or_else(damaged) };
    let (parameters, momentum, variance, best) = (table()?, table()?, table()?, table()?);
    Ok(State { parameters, momentum, variance, best, best_loss, waited, steps, done, loss, epochs })
}
