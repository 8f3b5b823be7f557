//! A process with all its children: a process group on Unix, a process tree on Windows. Elsewhere only the process
//! itself is killed.

pub use system::{has_ended, kill, separate};

#[cfg(unix)]
mod system {
    use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command};

    /// Gives the process a group of its own, so that Ctrl-C does not reach it.
    pub fn separate(command: &mut Command) {
        command.process_group(0);
    }

    /// Kills a process and its group, or what is left of them.
    pub fn kill(id: u32) {
        if let Some(group) = Pid::from_raw(id as i32) {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }

    /// Whether the process has exited. It is not reaped by this, so the id of its group can't be reused yet.
    pub fn has_ended(child: &mut Child) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let Some(pid) = Pid::from_raw(child.id() as i32) else { return true };
        // An error means that it was reaped already.
        waitid(WaitId::Pid(pid), options).map_or(true, |status| status.is_some())
    }
}

#[cfg(windows)]
mod system {
    use std::os::windows::process::CommandExt;
    use std::process::{Child, Command, Stdio};

    /// See the [flags of
    /// CreateProcess](https://learn.microsoft.com/en-us/windows/win32/procthread/process-creation-flags).
    const CREATE_NEW_PROCESS_GROUP: u32 = 0x0000_0200;

    /// Gives the process a group of its own, so that Ctrl-C does not reach it.
    pub fn separate(command: &mut Command) {
        command.creation_flags(CREATE_NEW_PROCESS_GROUP);
    }

    /// Kills a process and its children. Children of a process that has exited are not found.
    pub fn kill(id: u32) {
        let mut command = Command::new("taskkill");
        command.args(["/F", "/T", "/PID", &id.to_string()]);
        let _ = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    }

    /// Whether the process has exited. Its id is not reused before `child` is dropped.
    pub fn has_ended(child: &mut Child) -> bool {
        child.try_wait().map_or(true, |status| status.is_some())
    }
}

#[cfg(not(any(unix, windows)))]
mod system {
    use std::process::{Child, Command};

    /// There are no groups.
    pub fn separate(_: &mut Command) {}

    /// Does nothing: the owner of the [`Child`] kills it.
    pub fn kill(_: u32) {}

    /// Whether the process has exited.
    pub fn has_ended(child: &mut Child) -> bool {
        child.try_wait().map_or(true, |status| status.is_some())
    }
}
