//! Messages of panics, kept instead of printed: the engine ends its threads by panics when a process is lost, some of them after
//! the others have returned.

use std::panic::{set_hook, take_hook};
use std::sync::{Mutex, Once, PoisonError};

/// The engine's threads have names that begin so.
const THREADS: &str = "timely:";

static INSTALLED: Once = Once::new();
static FIRST: Mutex<Option<String>> = Mutex::new(None);

/// Keeps the messages of the engine's threads back from now on; those of others are told as before.
pub fn keep_back() {
    INSTALLED.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |info| {
            if !std::thread::current().name().is_some_and(|name| name.starts_with(THREADS)) {
                return before(info);
            }
            let payload = info.payload();
            let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
            let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
            let mut first = FIRST.lock().unwrap_or_else(PoisonError::into_inner);
            first.get_or_insert_with(|| text.unwrap_or_else(|| "a thread ended".into()));
        }));
    });
    take();
}

/// The first message since it was last asked for.
pub fn take() -> Option<String> {
    FIRST.lock().unwrap_or_else(PoisonError::into_inner).take()
}
