//! Messages that must arrive, whatever happens to the server in between.

use crate::FleetError;
use crate::names::Site;
use async_nats::jetstream::context::{PublishError, PublishErrorKind};
use bytes::Bytes;
use std::error::Error;
use std::time::Duration;

/// The pause before a message is sent again.
const PAUSE: Duration = Duration::from_millis(200);

/// What became of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Published {
    /// It is stored.
    New,
    /// There is one of this subject already, and it stays.
    Already,
}

/// Stores a message. As long as the server does not answer, it is sent again.
pub async fn publish(site: &Site, subject: String, payload: Bytes) -> Result<Published, FleetError> {
    loop {
        let sent = match site.context.publish(subject.clone(), payload.clone()).await {
            Ok(acknowledged) => acknowledged.await,
            Err(error) => Err(error),
        };
        let error = match sent {
            Ok(_) => return Ok(Published::New),
            Err(error) => error,
        };
        match judge(&error) {
            Judged::Already => return Ok(Published::Already),
            Judged::Refused(reason) => return Err(FleetError::server("the server does not take a message", reason)),
            Judged::Unanswered => tokio::time::sleep(PAUSE).await,
        }
    }
}

enum Judged {
    Already,
    Refused(String),
    Unanswered,
}

fn judge(error: &PublishError) -> Judged {
    let mut told = error.to_string();
    let mut cause: Option<&dyn Error> = error.source();
    while let Some(next) = cause {
        told += &format!(": {next}");
        cause = next.source();
    }
    if told.contains("maximum messages per subject") {
        return Judged::Already;
    }
    match error.kind() {
        // While a server starts, its streams are not there yet.
        PublishErrorKind::TimedOut | PublishErrorKind::BrokenPipe | PublishErrorKind::StreamNotFound => {
            Judged::Unanswered
        }
        PublishErrorKind::Other
            if ["timed out", "broken pipe", "no responders", "unavailable"].iter().any(|sign| told.contains(sign)) =>
        {
            Judged::Unanswered
        }
        _ => Judged::Refused(told),
    }
}
