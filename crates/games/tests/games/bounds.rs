//! Bounds of scores.

use polyply_core::game::Side;
use polyply_core::table;
use polyply_games::Bound;

#[test]
fn a_bound_changes_its_name_with_the_side_that_sees_it() {
    assert_eq!(Bound::of(table::Bound::Lower, Side::First), Bound::AtLeast);
    assert_eq!(Bound::of(table::Bound::Lower, Side::Second), Bound::AtMost);
    assert_eq!(Bound::of(table::Bound::Upper, Side::Second), Bound::AtLeast);
    assert_eq!(Bound::of(table::Bound::Exact, Side::Second), Bound::Exact);
}
