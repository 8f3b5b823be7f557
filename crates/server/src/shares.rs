//! What each peer may have and do: how often it asks, how much it sends, and how many games, seats and reviews it has.
//!
//! The operator has no limits here. Everybody else has an account, which is forgotten when nothing is in it any more.

use crate::error::ApiError;
use crate::peer::Peer;
use crate::refusals;
use polyply_core::lock::lock;
use polyply_engine::Refusal;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Requests at once, and more for every second.
const REQUESTS: Rate = Rate { burst: 600.0, a_second: 30.0 };
/// Bytes of bodies at once, and more for every second.
const BYTES: Rate = Rate { burst: 8e6, a_second: 128e3 };
/// New games, seats and reviews at once, and more for every second.
const CREATIONS: Rate = Rate { burst: 30.0, a_second: 0.1 };
/// Beyond so many accounts, those that are as good as new are forgotten.
const ACCOUNTS: usize = 10_000;

/// How much may come at once, and how much more every second.
#[derive(Clone, Copy)]
pub struct Rate {
    /// The most that is saved up.
    pub burst: f64,
    /// What comes back every second.
    pub a_second: f64,
}

/// What is left of a rate (a token bucket).
pub struct Allowance {
    rate: Rate,
    left: f64,
    counted: Instant,
}

impl Allowance {
    /// All of it.
    pub fn new(rate: Rate, now: Instant) -> Allowance {
        Allowance { rate, left: rate.burst, counted: now }
    }

    /// Takes some, or says when there will be enough.
    pub fn take(&mut self, amount: f64, now: Instant) -> Result<(), Duration> {
        self.refill(now);
        if self.left < amount {
            return Err(Duration::from_secs_f64((amount - self.left) / self.rate.a_second));
        }
        self.left -= amount;
        Ok(())
    }

    fn refill(&mut self, now: Instant) {
        let earned = self.rate.a_second * now.saturating_duration_since(self.counted).as_secs_f64();
        (self.left, self.counted) = ((self.left + earned).min(self.rate.burst), now);
    }

    fn is_full(&mut self, now: Instant) -> bool {
        self.refill(now);
        self.left >= self.rate.burst
    }
}

/// Something of which a peer has so many at a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Thing {
    /// A seat in an unfinished game, or the whole game.
    Seat,
    /// A game between engines.
    EngineGame,
    /// A review that is being made.
    Review,
    /// A file to read or a picture to draw.
    Aside,
}

impl Thing {
    const COUNT: usize = 4;

    /// How many a peer may have at a time, and how many all peers may have together.
    fn most(self) -> (usize, usize) {
        match self {
            Thing::Seat => (64, 50_000),
            Thing::EngineGame => (4, 256),
            Thing::Review => (4, 16),
            Thing::Aside => (8, 64),
        }
    }

    fn refusal(self, most: usize) -> Refusal {
        match self {
            Thing::Seat => refusals::too_many_games(most),
            Thing::EngineGame => refusals::too_many_engine_games(most),
            Thing::Review => refusals::too_many_reviews(most),
            Thing::Aside => refusals::too_much_to_read(),
        }
    }

    /// When it is worth trying again.
    fn patience(self) -> Duration {
        Duration::from_secs(if self == Thing::Aside { 1 } else { 30 })
    }
}

struct Account {
    requests: Allowance,
    bytes: Allowance,
    creations: Allowance,
    held: [usize; Thing::COUNT],
}

impl Account {
    fn new(now: Instant) -> Account {
        let [requests, bytes, creations] = [REQUESTS, BYTES, CREATIONS].map(|rate| Allowance::new(rate, now));
        Account { requests, bytes, creations, held: [0; Thing::COUNT] }
    }

    fn is_new(&mut self, now: Instant) -> bool {
        let mut allowances = [&mut self.requests, &mut self.bytes, &mut self.creations];
        self.held == [0; Thing::COUNT] && allowances.iter_mut().all(|allowance| allowance.is_full(now))
    }
}

/// The accounts of all peers.
#[derive(Clone, Default)]
pub struct Shares {
    inner: Arc<Mutex<Accounts>>,
}

#[derive(Default)]
struct Accounts {
    by_peer: HashMap<u64, Account>,
    /// What all peers have together, the operator's included.
    held: [usize; Thing::COUNT],
}

impl Accounts {
    fn of(&mut self, peer: Peer, now: Instant) -> &mut Account {
        if self.by_peer.len() >= ACCOUNTS && !self.by_peer.contains_key(&peer.number()) {
            self.by_peer.retain(|_, account| !account.is_new(now));
        }
        self.by_peer.entry(peer.number()).or_insert_with(|| Account::new(now))
    }
}

impl Shares {
    /// Counts a request with a body of so many bytes.
    pub fn request(&self, peer: Peer, bytes: u64) -> Result<(), ApiError> {
        self.take(peer, |account, now| {
            account.requests.take(1.0, now).and_then(|()| account.bytes.take(bytes as f64, now))
        })
    }

    /// Counts something new: a game, a seat, a review.
    pub fn create(&self, peer: Peer) -> Result<(), ApiError> {
        self.take(peer, |account, now| account.creations.take(1.0, now))
    }

    fn take(
        &self,
        peer: Peer,
        from: impl FnOnce(&mut Account, Instant) -> Result<(), Duration>,
    ) -> Result<(), ApiError> {
        if peer.is_operator() {
            return Ok(());
        }
        let now = Instant::now();
        let taken = from(lock(&self.inner).of(peer, now), now);
        taken.map_err(|wait| {
            let seconds = wait.as_secs() + 1;
            ApiError::too_many(refusals::too_often(seconds), Duration::from_secs(seconds))
        })
    }

    /// A peer gets one more of something, until the holding is dropped.
    pub fn hold(&self, peer: Peer, thing: Thing) -> Result<Holding, ApiError> {
        let (of_peer, of_all) = thing.most();
        let at = thing as usize;
        let mut accounts = lock(&self.inner);
        if !peer.is_operator() {
            let held = &mut accounts.of(peer, Instant::now()).held[at];
            if *held >= of_peer {
                return Err(ApiError::too_many(thing.refusal(of_peer), thing.patience()));
            }
        }
        // Strangers do not keep the operator from playing.
        if accounts.held[at] >= of_all && !(peer.is_operator() && thing == Thing::Seat) {
            return Err(ApiError::unavailable(refusals::server_full()));
        }
        accounts.held[at] += 1;
        if !peer.is_operator() {
            accounts.of(peer, Instant::now()).held[at] += 1;
        }
        Ok(Holding { shares: self.clone(), peer, thing })
    }
}

/// One of the things that a peer has.
pub struct Holding {
    shares: Shares,
    peer: Peer,
    thing: Thing,
}

impl Drop for Holding {
    fn drop(&mut self) {
        let mut accounts = lock(&self.shares.inner);
        accounts.held[self.thing as usize] -= 1;
        let account = accounts.by_peer.get_mut(&self.peer.number());
        // An operator may have the same address as a stranger, but has no account.
        if let Some(account) = account.filter(|_| !self.peer.is_operator()) {
            account.held[self.thing as usize] -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_allowance_comes_back_with_time() {
        let start = Instant::now();
        let mut allowance = Allowance::new(Rate { burst: 2.0, a_second: 0.5 }, start);
        assert_eq!(allowance.take(1.0, start), Ok(()));
        assert_eq!(allowance.take(1.0, start), Ok(()));
        assert_eq!(allowance.take(1.0, start), Err(Duration::from_secs(2)));
        let later = start + Duration::from_secs(2);
        assert_eq!(allowance.take(1.0, later), Ok(()));
        assert!(!allowance.is_full(later) && allowance.is_full(later + Duration::from_secs(4)));
    }

    fn peer(number: u8, operator: bool) -> Peer {
        Peer::at([192, 0, 2, number].into(), operator)
    }

    #[test]
    fn a_peer_has_its_share_and_takes_nothing_from_others() {
        let shares = Shares::default();
        let most = Thing::EngineGame.most().0;
        let mut held: Vec<_> = (0..most).map(|_| shares.hold(peer(1, false), Thing::EngineGame).unwrap()).collect();
        assert!(shares.hold(peer(1, false), Thing::EngineGame).is_err());
        assert!(shares.hold(peer(1, false), Thing::Review).is_ok());
        assert!(shares.hold(peer(2, false), Thing::EngineGame).is_ok());
        held.pop();
        assert!(shares.hold(peer(1, false), Thing::EngineGame).is_ok());
    }

    #[test]
    fn all_peers_together_have_no_more_than_the_server_can_bear() {
        let shares = Shares::default();
        let (of_peer, of_all) = Thing::Review.most();
        let peers = (0..of_all).map(|number| peer((number / of_peer) as u8, false));
        let held: Vec<_> = peers.map(|peer| shares.hold(peer, Thing::Review).unwrap()).collect();
        assert!(shares.hold(peer(200, false), Thing::Review).is_err_and(|error| error.is_temporary()));
        drop(held);
        assert!(shares.hold(peer(200, false), Thing::Review).is_ok());
    }

    #[test]
    fn the_operator_may_ask_and_create_without_end() {
        let shares = Shares::default();
        let refused = |operator: bool| (0..10_000).any(|_| shares.create(peer(1, operator)).is_err());
        assert!(!refused(true) && refused(false));
        assert!(shares.request(peer(2, false), 9_000_000).is_err());
        assert!(shares.request(peer(2, true), 9_000_000).is_ok());
    }

    #[test]
    fn accounts_that_are_as_good_as_new_are_forgotten() {
        let shares = Shares::default();
        let of = |number: u32| Peer::at(std::net::Ipv4Addr::from_bits(number).into(), false);
        let kept = shares.hold(of(0), Thing::Seat).unwrap();
        for number in 0..2 * ACCOUNTS as u32 {
            drop(shares.hold(of(number), Thing::Aside).unwrap());
        }
        assert!(lock(&shares.inner).by_peer.len() <= ACCOUNTS);
        assert_eq!(lock(&shares.inner).by_peer[&of(0).number()].held, [1, 0, 0, 0]);
        drop(kept);
    }
}
