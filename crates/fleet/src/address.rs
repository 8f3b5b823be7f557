//! Where the NATS server of a fleet is, and how it is reached.

use crate::FleetError;
use async_nats::{Client, ConnectOptions};
use std::net::IpAddr;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// The port of NATS.
const PORT: u16 = 4222;
/// How long the first connection may take.
const CONNECTING: Duration = Duration::from_secs(3);
/// The longest pause between attempts to reach a server that was lost.
const LONGEST_PAUSE: Duration = Duration::from_secs(2);
/// The longest name and password.
const LONGEST: usize = 1000;

/// The variable with the path of an nkey seed or of a `.creds` file.
pub const KEY_VARIABLE: &str = "POLYPLY_FLEET_KEY";
/// The variable with the path of the certificate of the authority that signed the server's.
pub const AUTHORITY_VARIABLE: &str = "POLYPLY_FLEET_CA";

/// The address of a fleet: `nats://127.0.0.1:4222`, `tls://user:password@host` or `tls://token@host`.
#[derive(Clone, PartialEq, Eq)]
pub struct Address {
    host: String,
    port: u16,
    tls: bool,
    login: Login,
}

#[derive(Clone, PartialEq, Eq)]
enum Login {
    Nobody,
    Token(String),
    User(String, String),
}

impl std::fmt::Display for Address {
    /// Without the secrets.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let scheme = if self.tls { "tls" } else { "nats" };
        write!(f, "{scheme}://{}:{}", self.host, self.port)
    }
}

impl std::fmt::Debug for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

impl FromStr for Address {
    type Err = FleetError;

    fn from_str(text: &str) -> Result<Address, FleetError> {
        let refuse = || {
            FleetError::Address("the address of a fleet is nats://HOST:PORT, or tls://USER:PASSWORD@HOST:PORT".into())
        };
        let (scheme, rest) = text.split_once("://").unwrap_or(("nats", text));
        let tls = match scheme {
            "nats" => false,
            "tls" => true,
            _ => return Err(refuse()),
        };
        let (login, place) = rest.rsplit_once('@').map_or((None, rest), |(login, place)| (Some(login), place));
        let login = match login.map(|login| (login, login.split_once(':'))) {
            None => Login::Nobody,
            Some((login, _)) if login.is_empty() || login.len() > LONGEST => return Err(refuse()),
            Some((_, Some((user, password)))) => Login::User(user.to_owned(), password.to_owned()),
            Some((token, None)) => Login::Token(token.to_owned()),
        };
        let place = place.strip_suffix('/').unwrap_or(place);
        let (host, port) = match place.rsplit_once(':') {
            // The colons of an IPv6 address are in brackets.
            Some((host, port)) if !port.ends_with(']') => (host, port.parse().map_err(|_| refuse())?),
            _ => (place, PORT),
        };
        let is_letter = |letter: char| letter.is_ascii_alphanumeric() || "-._:[]".contains(letter);
        if host.is_empty() || !host.chars().all(is_letter) {
            return Err(refuse());
        }
        Ok(Address { host: host.to_owned(), port, tls, login })
    }
}

impl Address {
    /// Only this machine reaches it.
    fn is_local(&self) -> bool {
        let host = self.host.trim_matches(['[', ']']);
        host == "localhost" || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
    }

    /// Refuses to send anything over a network without encryption or without saying who we are.
    fn check(&self, has_key: bool) -> Result<(), FleetError> {
        if self.is_local() || (self.tls && (has_key || self.login != Login::Nobody)) {
            return Ok(());
        }
        let host = &self.host;
        Err(FleetError::Address(format!(
            "{host} is not this machine, so the fleet needs TLS and credentials: tls://USER:PASSWORD@{host}, \
             tls://TOKEN@{host}, or a key file in {KEY_VARIABLE}"
        )))
    }

    /// Connects within a few seconds. A connection that is lost later is made again, whatever that takes.
    pub(crate) async fn connect(&self, name: &str) -> Result<Client, FleetError> {
        let key = std::env::var_os(KEY_VARIABLE).map(PathBuf::from);
        self.check(key.is_some())?;
        let mut options = ConnectOptions::new()
            .name(name)
            .connection_timeout(CONNECTING)
            .request_timeout(Some(Duration::from_secs(5)))
            .reconnect_delay_callback(|attempts| {
                let attempts = u32::try_from(attempts).unwrap_or(u32::MAX).min(8);
                LONGEST_PAUSE.min(Duration::from_millis(20) * 2u32.pow(attempts))
            })
            .require_tls(self.tls);
        options = match &self.login {
            Login::Nobody => options,
            Login::Token(token) => options.token(token.clone()),
            Login::User(user, password) => options.user_and_password(user.clone(), password.clone()),
        };
        if let Some(path) = key {
            let unreadable = |error: &dyn std::fmt::Display| {
                FleetError::Address(format!("the key file {}: {error}", path.display()))
            };
            let text = tokio::fs::read_to_string(&path).await.map_err(|error| unreadable(&error))?;
            options = match text.contains("BEGIN") {
                true => options.credentials(&text).map_err(|error| unreadable(&error))?,
                false => options.nkey(text.trim().to_owned()),
            };
        }
        if let Some(authority) = std::env::var_os(AUTHORITY_VARIABLE) {
            options = options.add_root_certificates(authority.into());
        }
        let scheme = if self.tls { "tls" } else { "nats" };
        let url = format!("{scheme}://{}:{}", self.host, self.port);
        let connected = tokio::time::timeout(CONNECTING, options.connect(url.as_str())).await;
        let reason = match connected {
            Ok(Ok(client)) => return Ok(client),
            Ok(Err(error)) => error.to_string(),
            Err(_) => "no answer".to_owned(),
        };
        Err(FleetError::Server(format!("there is no fleet at {self}: {reason}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Address {
        text.parse().unwrap()
    }

    #[test]
    fn an_address_has_a_host_and_may_have_a_port_and_a_login() {
        assert_eq!(read("nats://127.0.0.1:4300").to_string(), "nats://127.0.0.1:4300");
        assert_eq!(read("localhost").to_string(), "nats://localhost:4222");
        assert_eq!(read("nats://[::1]:4300").to_string(), "nats://[::1]:4300");
        assert!(read("tls://me:p@ss:word@host").login == Login::User("me".into(), "p@ss:word".into()));
        assert!(read("tls://secret@host").login == Login::Token("secret".into()));
        for text in ["", "http://host", "nats://", "nats://host:port", "nats://@host", "nats://a b"] {
            assert!(text.parse::<Address>().is_err(), "{text}");
        }
    }

    #[test]
    fn secrets_are_not_shown() {
        let address = read("tls://me:secret@host");
        assert!(!format!("{address} {address:?}").contains("secret"));
    }

    #[test]
    fn other_machines_are_reached_only_with_encryption_and_credentials() {
        for (text, has_key, allowed) in [
            ("nats://127.0.0.1", false, true),
            ("nats://localhost", false, true),
            ("nats://[::1]", false, true),
            ("nats://10.0.0.1", false, false),
            ("nats://me:word@10.0.0.1", false, false),
            ("tls://10.0.0.1", false, false),
            ("tls://10.0.0.1", true, true),
            ("tls://token@10.0.0.1", false, true),
        ] {
            assert_eq!(read(text).check(has_key).is_ok(), allowed, "{text}");
        }
    }
}
