//! A NATS server for tests, on a port and in a folder of its own.

use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A server that ends with the test.
pub struct Nats {
    process: Child,
    port: u16,
    folder: tempfile::TempDir,
}

impl Nats {
    /// Starts a server with JetStream.
    pub fn start() -> Nats {
        let folder = tempfile::tempdir().unwrap();
        // Somebody else may take the port in between; then the server ends, and the next port is tried.
        loop {
            let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
            if let Some(process) = begin(port, folder.path()) {
                return Nats { process, port, folder };
            }
        }
    }

    /// The address for `--fleet`.
    pub fn address(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Kills the server and starts it again on the same port, with what is on its disk.
    #[allow(dead_code, reason = "not every test needs this")]
    pub fn restart(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
        loop {
            if let Some(process) = begin(self.port, self.folder.path()) {
                self.process = process;
                return;
            }
        }
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A server that accepts connections; nothing if it can't have the port.
fn begin(port: u16, folder: &Path) -> Option<Child> {
    // Debian's is not in the path of every user.
    let programs = ["nats-server", "/usr/sbin/nats-server"];
    let spawn = |program: &str| {
        let mut command = Command::new(program);
        command.args(["-a", "127.0.0.1", "-p", &port.to_string(), "-js", "-sd"]).arg(folder);
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()
    };
    let process = programs.into_iter().find_map(spawn);
    let mut process = process.expect("the tests of the fleet need nats-server: `apt-get install nats-server` gets it");
    while process.try_wait().unwrap().is_none() {
        if TcpStream::connect(("127.0.0.1", port)).is_ok() {
            return Some(process);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    None
}
