//! Random names for games, reviews and matches, and secrets for seats.

/// So many random letters and digits, none of which look alike. Each carries five bits.
pub fn random_id(length: usize) -> String {
    const SIGNS: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz023456789";
    let mut bytes = vec![0; length];
    getrandom::fill(&mut bytes).expect("the system has random numbers");
    bytes.iter().map(|byte| char::from(SIGNS[usize::from(byte % 32)])).collect()
}
