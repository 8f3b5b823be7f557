//! A hash that is the same in every build and on every machine, for what is written to files: weights, fingerprints of
//! rules, names.
//!
//! ```
//! use polyply_core::hash::Fnv;
//!
//! let mut hash = Fnv::default();
//! "foobar".bytes().for_each(|byte| hash.add(byte));
//! assert_eq!(hash.finish(), 0x8594_4171_f739_67e8);
//! assert_eq!(Fnv::of("foobar".bytes()), hash.finish());
//! ```

/// [FNV-1a](http://www.isthe.com/chongo/tech/comp/fnv/) of 64 bits.
#[derive(Clone, Copy, Debug)]
pub struct Fnv(u64);

/// The hash of nothing yet.
impl Default for Fnv {
    fn default() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    /// The hash of these units: usually bytes, or larger numbers that are each added in one step.
    pub fn of(units: impl IntoIterator<Item: Into<u64>>) -> u64 {
        let mut hash = Fnv::default();
        units.into_iter().for_each(|unit| hash.add(unit));
        hash.finish()
    }

    /// Adds a byte, or a larger number in one step.
    pub fn add(&mut self, unit: impl Into<u64>) {
        self.0 = (self.0 ^ unit.into()).wrapping_mul(0x0000_0100_0000_01b3);
    }

    /// Adds the eight bytes of a number, the lowest first.
    pub fn number(&mut self, number: u64) {
        number.to_le_bytes().into_iter().for_each(|byte| self.add(byte));
    }

    /// Adds a text and an end mark, so that two texts hash differently from their concatenation.
    pub fn text(&mut self, text: &str) {
        text.bytes().chain([0]).for_each(|byte| self.add(byte));
    }

    /// The hash of everything added.
    pub const fn finish(self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From the [authors' test vectors](http://www.isthe.com/chongo/src/fnv/test_fnv.c).
    #[test]
    fn hashes_are_those_of_fnv_1a() {
        for (text, hash) in [
            ("", 0xcbf2_9ce4_8422_2325),
            ("a", 0xaf63_dc4c_8601_ec8c),
            ("foobar", 0x8594_4171_f739_67e8),
            ("chongo was here!\n", 0x4681_0940_eff5_f915),
        ] {
            assert_eq!(Fnv::of(text.bytes()), hash, "{text}");
        }
    }

    #[test]
    fn numbers_and_texts_are_their_bytes() {
        let mut hash = Fnv::default();
        hash.text("ab");
        hash.number(0x0102);
        assert_eq!(hash.finish(), Fnv::of(*b"ab\0\x02\x01\0\0\0\0\0\0"));
    }

    #[test]
    fn a_larger_number_is_one_step() {
        assert_eq!(Fnv::of([0x1234_u16]), (Fnv::default().finish() ^ 0x1234).wrapping_mul(0x0000_0100_0000_01b3));
    }
}
