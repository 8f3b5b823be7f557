//! WebSockets within bounds: their number, the length of messages, and how many messages come.

use crate::App;
use crate::access::PROTOCOL;
use crate::error::{ApiError, ErrorBody};
use crate::refusals;
use crate::shares::{Allowance, Rate};
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::response::Response;
use polyply_engine::Refusal;
use std::time::Duration;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at, timeout};

/// How many are open at a time.
pub const MAX_SOCKETS: usize = 4096;
/// The longest message.
const LONGEST_MESSAGE: usize = 64 * 1024;
/// How many messages may come at once, and how many more every second.
const MESSAGES: Rate = Rate { burst: 1000.0, a_second: A_SECOND as f64 };
const A_SECOND: u32 = 100;
/// A message that can't be sent within this time ends the connection.
const SEND_TIMEOUT: Duration = Duration::from_secs(10);
/// How often clients are pinged. A client that says nothing until the next ping is gone.
const PING: Duration = Duration::from_secs(30);

/// Accepts a WebSocket if there are not too many.
pub fn open<F>(
    app: &App,
    upgrade: WebSocketUpgrade,
    serve: impl FnOnce(WebSocket) -> F + Send + 'static,
) -> Result<Response, ApiError>
where
    F: Future<Output = ()> + Send + 'static,
{
    let permit =
        app.sockets.clone().try_acquire_owned().map_err(|_| ApiError::unavailable(refusals::too_many_connections()))?;
    let mut closing = app.closing.clone();
    // A browser that shows the operator token wants to see its protocol accepted.
    let upgrade = upgrade.protocols([PROTOCOL]).max_message_size(LONGEST_MESSAGE).max_frame_size(LONGEST_MESSAGE);
    Ok(upgrade.on_upgrade(async move |socket| {
        metrics::gauge!("polyply_sockets").increment(1.0);
        tokio::select! {
            () = serve(socket) => {}
            _ = closing.wait_for(|closing| *closing) => {}
        }
        metrics::gauge!("polyply_sockets").decrement(1.0);
        drop(permit);
    }))
}

/// A WebSocket for text messages.
pub struct TextSocket {
    socket: WebSocket,
    messages: Allowance,
    ping: Interval,
    answered: bool,
}

impl TextSocket {
    /// Wraps a socket.
    pub fn new(socket: WebSocket) -> TextSocket {
        let mut ping = interval_at(Instant::now() + PING, PING);
        ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
        TextSocket { socket, messages: Allowance::new(MESSAGES, Instant::now().into()), ping, answered: true }
    }

    /// The next message; `None` when the connection has ended.
    pub async fn receive(&mut self) -> Option<String> {
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
            if self.messages.take(1.0, Instant::now().into()).is_err() {
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

    /// Sends a message; false if that failed.
    pub async fn send(&mut self, text: String) -> bool {
        self.deliver(Message::Text(text.into())).await
    }

    /// Ends the connection with a reason.
    pub async fn close(&mut self, refusal: &Refusal) {
        let frame = CloseFrame { code: close_code::POLICY, reason: close_reason(refusal).into() };
        self.deliver(Message::Close(Some(frame))).await;
    }

    async fn deliver(&mut self, message: Message) -> bool {
        matches!(timeout(SEND_TIMEOUT, self.socket.send(message)).await, Ok(Ok(())))
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
