//! Three ways to find what flips, on the same positions: four directions at a time with AVX2 (what [`Board::flips`] does
//! where it can), carries and leading zeros ([`Portable`]), and tables of lines that are gathered by BMI2's `pext`.
//! `cargo bench -p polyply-othello` prints the time of each.

use polyply_core::random::Random;
use polyply_othello::board::{Board, Cpu};
use polyply_othello::{Portable, Square};
use std::hint::black_box;
use std::time::Instant;

/// Positions that are gone through again and again.
const POSITIONS: usize = 4096;
const ROUNDS: usize = 300;

fn main() {
    let mut random = Random::new(1);
    let boards: Vec<(Board, Square)> = (0..POSITIONS)
        .map(|_| {
            let (own, taken, square) = (random.next(), random.next() | random.next(), random.below(64));
            let taken = taken & !(1 << square);
            (Board { own: own & taken, other: !own & taken }, Square::new(square))
        })
        .collect();
    measure("Board::flips (AVX2 where there is)", &boards, |board, square| board.flips(square));
    measure("carries and leading zeros", &boards, |board, square| {
        Portable::flips(board.own, board.other, square.index())
    });
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("bmi2") {
        let lines = pext::Lines::new();
        measure("tables by pext", &boards, |board, square| lines.flips(board, square.index()));
    }
}

fn measure(name: &str, boards: &[(Board, Square)], flips: impl Fn(Board, Square) -> u64) {
    for &(board, square) in boards {
        assert_eq!(flips(board, square), Portable::flips(board.own, board.other, square.index()), "{name}");
    }
    let began = Instant::now();
    for _ in 0..ROUNDS {
        for &(board, square) in boards {
            black_box(flips(black_box(board), square));
        }
    }
    let each = began.elapsed().as_secs_f64() / (ROUNDS * boards.len()) as f64;
    println!("{:6.2} ns  {name}", each * 1e9);
}

#[cfg(target_arch = "x86_64")]
mod pext {
    use polyply_othello::board::Board;
    use std::arch::x86_64::{_pdep_u64, _pext_u64};

    /// The four lines through every square, and what flips on a line by the place played on and both sides' discs.
    pub struct Lines {
        masks: Vec<[(u64, usize); 4]>,
        ends: Vec<[u8; 256]>,
        between: Vec<[u8; 256]>,
    }

    impl Lines {
        pub fn new() -> Lines {
            let masks = (0..64_i32).map(|square| {
                [(0, 1), (1, 0), (1, 1), (1, -1)].map(|(down, right)| {
                    let on_line = |&other: &i32| {
                        let (rows, columns) = (other / 8 - square / 8, other % 8 - square % 8);
                        rows * right == columns * down
                            && (rows * down).abs() == rows.abs()
                            && (columns * right).abs() == columns.abs()
                    };
                    let mask = (0..64).filter(on_line).fold(0_u64, |mask, other| mask | 1 << other);
                    (mask, (mask & ((1 << square) - 1)).count_ones() as usize)
                })
            });
            // Where a run of the opponent's beside a place would have to end, and what lies between.
            let table = |value: fn(usize, u8) -> u8| {
                (0..8).map(|place| std::array::from_fn(|discs| value(place, discs as u8))).collect()
            };
            Lines { masks: masks.collect(), ends: table(ends), between: table(between) }
        }

        pub fn flips(&self, board: Board, square: usize) -> u64 {
            let mut flips = 0;
            for &(mask, place) in &self.masks[square] {
                // SAFETY: only made where the processor has BMI2.
                let (own, other) = unsafe { (_pext_u64(board.own, mask) as u8, _pext_u64(board.other, mask) as u8) };
                let line = self.between[place][usize::from(self.ends[place][usize::from(other)] & own)];
                // SAFETY: as above.
                flips |= unsafe { _pdep_u64(line.into(), mask) };
            }
            flips
        }
    }

    fn ends(place: usize, other: u8) -> u8 {
        let mut ends = 0;
        let mut at = place + 1;
        while at < 8 && other >> at & 1 != 0 {
            at += 1;
        }
        if at < 8 && at > place + 1 {
            ends |= 1 << at;
        }
        let mut at = place;
        while at > 0 && other >> (at - 1) & 1 != 0 {
            at -= 1;
        }
        if at > 0 && at < place {
            ends |= 1 << (at - 1);
        }
        ends
    }

    fn between(place: usize, ends: u8) -> u8 {
        let above = (place + 1..8).find(|at| ends >> at & 1 != 0);
        let below = (0..place).rev().find(|at| ends >> at & 1 != 0);
        let run = |from: usize, to: usize| (from..to).fold(0, |run, at| run | 1 << at);
        above.map_or(0, |end| run(place + 1, end)) | below.map_or(0, |end| run(end + 1, place))
    }
}
