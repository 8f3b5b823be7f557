//! What a sequential test refuses.

polyply_core::refusals! {
    /// A sequential test that was not understood.
    sequential_form(text) = "a sequential test is elo0,elo1[,alpha,beta][,normalised], as in 0,5, not `{text}`";
    /// Hypotheses that are none.
    sequential_elo() = "a sequential test needs two finite Elo differences, the smaller one first, as in 0,5";
    /// Errors that a test can't have.
    sequential_errors() = "alpha and beta of a sequential test are above 0 and below 1 together";
}
