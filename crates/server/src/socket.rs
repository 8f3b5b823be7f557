//! WebSockets, within bounds: how many there are, how long a message is, and how many come.

use crate::App;
use crate::error::{ApiError, ErrorBody};
use crate::refusals;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::response::Response;
use polyply_engine::Refusal;
use std::time::Duration;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at, timeout};

/// Sockets at a time.
pub const MOST_SOCKETS: usize = 1024;
/// The longest message.
const LONGEST_MESSAGE: usize = 64 * 1024;
/// Messages that may come at once, and how many more every second.
const BURST: f64 = 1000.0;
const A_SECOND: u32 = 100;
/// A message that can't be delivered for so long ends the connection.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often a silent client is asked whether it is still there; one that does not answer until the next time is not.
const PING: Duration = Duration::from_secs(30);

/// Accepts a WebSocket, if there is room for another.
pub fn open<F>(
    app: &App,
    upgrade: WebSocketUpgrade,
    life: impl FnOnce(WebSocket) -> F + Send + 'static,
) -> Result<Response, ApiError>
where
    F: Future<Output = ()> + Send + 'static,
{
    let permit =
        app.sockets.clone().try_acquire_owned().map_err(|_| ApiError::unavailable(refusals::too_many_connections()))?;
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
            let earned = f64::from(A_SECOND) * (now - self.counted).as_secs_f64();
            (self.allowance, self.counted) = ((self.allowance + earned).min(BURST) - 1.0, now);
            if self.allowance < 0.0 {
                self.close(&refusals::too_many_messages(A_SECOND)).await;
                return None;
            }
            match message {
                Message::Text(text) => return Some(text.to_string()),
                Message::Close(_) => return None,
                Message::Binary(_) => {
                    self.close(&refusals::message_not_text()).await;
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
    pub async fn close(&mut self, refusal: &Refusal) {
        let frame = CloseFrame { code: close_code::POLICY, reason: close_reason(refusal).into() };
        self.deliver(Message::Close(Some(frame))).await;
    }

    async fn deliver(&mut self, message: Message) -> bool {
        matches!(timeout(PATIENCE, self.socket.send(message)).await, Ok(Ok(())))
    }
}

/// A refusal as the reason of a close frame, which has room for 123 bytes.
fn close_reason(refusal: &Refusal) -> String {
    serde_json::to_string(&ErrorBody::from(refusal)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reasons_to_close_a_connection_fit_into_a_frame() {
        let reasons = [refusals::too_many_messages(A_SECOND), refusals::message_not_text(), refusals::too_many_lines()];
        for refusal in reasons {
            let reason = close_reason(&refusal);
            assert!(reason.len() <= 123, "{reason}");
        }
    }
}
