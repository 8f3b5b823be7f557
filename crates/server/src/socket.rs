//! WebSockets, within bounds: how many there are, how long a message is, and how many come.

use crate::App;
use crate::error::Refusal;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::http::StatusCode;
use axum::response::Response;
use std::time::Duration;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at, timeout};

/// Sockets at a time.
pub const MOST_SOCKETS: usize = 1024;
/// The longest message.
const LONGEST_MESSAGE: usize = 64 * 1024;
/// Messages that may come at once, and how many more every second.
const BURST: f64 = 1000.0;
const A_SECOND: f64 = 100.0;
/// A message that can't be delivered for so long ends the connection.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often a silent client is asked whether it is still there; one that does not answer until the next time is not.
const PING: Duration = Duration::from_secs(30);

/// Accepts a WebSocket, if there is room for another.
pub fn open<F>(
    app: &App,
    upgrade: WebSocketUpgrade,
    life: impl FnOnce(WebSocket) -> F + Send + 'static,
) -> Result<Response, Refusal>
where
    F: Future<Output = ()> + Send + 'static,
{
    let permit = app.sockets.clone().try_acquire_owned().map_err(|_| {
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "there are too many open connections; try again later")
    })?;
    let mut closing = app.closing.clone();
    Ok(upgrade.max_message_size(LONGEST_MESSAGE).max_frame_size(LONGEST_MESSAGE).on_upgrade(async move |socket| {
        metrics::gauge!("polyply_sockets").increment(1.0);
        tokio::select! {
            () = life(socket) => {}
            _ = closing.wait_for(|closing| *closing) => {}
        }
        metrics::gauge!("polyply_sockets").decrement(1.0);
        drop(permit);
    }))
}

/// One end of a WebSocket, which hears text and says text.
pub struct Listener {
    socket: WebSocket,
    /// How many messages may still come.
    allowance: f64,
    counted: Instant,
    ping: Interval,
    answered: bool,
}

impl Listener {
    /// The end of a socket.
    pub fn new(socket: WebSocket) -> Listener {
        let mut ping = interval_at(Instant::now() + PING, PING);
        ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Listener { socket, allowance: BURST, counted: Instant::now(), ping, answered: true }
    }

    /// The next text; `None` when there will be no more.
    pub async fn hear(&mut self) -> Option<String> {
        loop {
            let message = tokio::select! {
                message = self.socket.recv() => message?.ok()?,
                _ = self.ping.tick() => {
                    if !std::mem::take(&mut self.answered) {
                        return None;
                    }
                    self.deliver(Message::Ping(Default::default())).await.then_some(())?;
                    continue;
                }
            };
            self.answered = true;
            let now = Instant::now();
            let earned = A_SECOND * (now - self.counted).as_secs_f64();
            (self.allowance, self.counted) = ((self.allowance + earned).min(BURST) - 1.0, now);
            if self.allowance < 0.0 {
                self.close("too many messages: at most 100 a second are read").await;
                return None;
            }
            match message {
                Message::Text(text) => return Some(text.to_string()),
                Message::Close(_) => return None,
                Message::Binary(_) => {
                    self.close("messages are text").await;
                    return None;
                }
                Message::Ping(_) | Message::Pong(_) => {}
            }
        }
    }

    /// Says something; false when nobody hears it.
    pub async fn send(&mut self, text: String) -> bool {
        self.deliver(Message::Text(text.into())).await
    }

    /// Says why the connection ends, and ends it.
    pub async fn close(&mut self, reason: &'static str) {
        self.deliver(Message::Close(Some(CloseFrame { code: close_code::POLICY, reason: reason.into() }))).await;
    }

    async fn deliver(&mut self, message: Message) -> bool {
        matches!(timeout(PATIENCE, self.socket.send(message)).await, Ok(Ok(())))
    }
}
