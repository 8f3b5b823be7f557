//! Who sends a request.
//!
//! A peer is known by its network address; of an IPv6 address by the network, for everybody has many of those. A proxy on this
//! machine says for whom it asks. The operator is a peer without limits: everybody, as long as the server is not exposed, and
//! then whoever has the operator token ([`crate::access`]).

use crate::engine_pool::Priority;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use std::hash::{BuildHasher, RandomState};
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::LazyLock;

/// What a peer may have waiting for the engine, by class.
const WAITING: [usize; 3] = [16, 4, 4];

/// Who sends a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Peer {
    number: u64,
    operator: bool,
}

impl Peer {
    /// The peer at this network address.
    pub fn at(address: IpAddr, operator: bool) -> Peer {
        Peer::of(network(address), operator)
    }

    /// The server itself, on behalf of a game or a review whose owner is not known any more. It takes turns like a peer.
    pub fn server(on_behalf_of: &str) -> Peer {
        Peer::of(on_behalf_of, true)
    }

    fn of(name: impl std::hash::Hash, operator: bool) -> Peer {
        // Nobody can choose an address that is taken for another one.
        static KEYS: LazyLock<RandomState> = LazyLock::new(RandomState::new);
        Peer { number: KEYS.hash_one(name), operator }
    }

    /// The number that tells peers apart.
    pub fn number(self) -> u64 {
        self.number
    }

    /// It may do everything, and has no limits.
    pub fn is_operator(self) -> bool {
        self.operator
    }

    /// How much of a class may wait for the engine.
    pub fn waiting(self, class: Priority) -> usize {
        if self.operator { usize::MAX } else { WAITING[class as usize] }
    }
}

/// The address that a request comes from: the client's, or if a proxy on this machine passes it on, the one that it names.
pub fn address(connection: SocketAddr, headers: &HeaderMap) -> IpAddr {
    let from = connection.ip().to_canonical();
    let forwarded = headers.get_all("x-forwarded-for").iter().next_back().and_then(|value| value.to_str().ok());
    // A proxy appends the address it sees; what stands before it anybody can make up.
    let last = forwarded.and_then(|list| list.rsplit(',').next()?.trim().parse::<IpAddr>().ok());
    if from.is_loopback() { last.map_or(from, |last| last.to_canonical()) } else { from }
}

/// What an address counts as: itself, or the network that an IPv6 address is in.
pub fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX))),
        address => address,
    }
}

/// The guard has found out who it is.
impl<S: Sync> FromRequestParts<S> for Peer {
    type Rejection = StatusCode;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Peer, StatusCode> {
        parts.extensions.get().copied().ok_or(StatusCode::INTERNAL_SERVER_ERROR)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(connection: &str, forwarded: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append("x-forwarded-for", value.parse().unwrap());
        }
        address(connection.parse().unwrap(), &headers).to_string()
    }

    #[test]
    fn only_a_proxy_on_this_machine_says_for_whom_it_asks() {
        assert_eq!(seen("198.51.100.7:99", &[]), "198.51.100.7");
        assert_eq!(seen("198.51.100.7:99", &["203.0.113.1"]), "198.51.100.7");
        assert_eq!(seen("127.0.0.1:99", &["203.0.113.1"]), "203.0.113.1");
        assert_eq!(seen("[::ffff:127.0.0.1]:99", &["6.6.6.6, 203.0.113.1"]), "203.0.113.1");
        assert_eq!(seen("127.0.0.1:99", &["203.0.113.1", "203.0.113.2"]), "203.0.113.2");
        assert_eq!(seen("127.0.0.1:99", &["nonsense"]), "127.0.0.1");
    }

    #[test]
    fn addresses_of_one_ipv6_network_are_one_peer() {
        let peer = |text: &str| Peer::at(text.parse().unwrap(), false);
        assert_eq!(peer("2001:db8::1"), peer("2001:db8::ffff:1"));
        assert_ne!(peer("2001:db8::1"), peer("2001:db8:0:1::1"));
        assert_eq!(peer("::ffff:192.0.2.1"), peer("192.0.2.1"));
        assert_ne!(peer("192.0.2.1"), peer("192.0.2.2"));
    }
}
