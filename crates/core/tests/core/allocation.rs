//! The searching thread allocates nothing below the root.

use crate::counting::allocations;
use crate::lattice::{Lattice, Noise, Rules};
use crate::oracle::{exact, searcher};
use polyply_core::Task;
use polyply_core::clock::Limits;

#[test]
fn nothing_is_allocated_between_the_first_and_the_last_report() {
    let position = Lattice::<false>::start(Rules::large(3));
    for params in [Default::default(), exact::<Lattice<false>>()] {
        for multipv in [1, 3] {
            let mut searcher = searcher(Noise, 1 << 20);
            searcher.set_params(params.clone());
            let task = Task { multipv, ..Task::new(Limits::nodes(200_000)) };
            assert_eq!(allocations(&mut searcher, &position, &task), 0, "{multipv} lines");
        }
    }
}
