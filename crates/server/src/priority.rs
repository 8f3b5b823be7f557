//! Priorities of threads. What answers requests goes before what searches, so that a server whose processors all search still
//! answers at once.

/// Lowers the priority of this thread and those that it starts by so many steps, where the system can. A failure does no
/// harm.
pub fn lower(steps: i32) {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(Some(rustix::thread::gettid()), steps);
    #[cfg(not(target_os = "linux"))]
    let _ = steps;
}
