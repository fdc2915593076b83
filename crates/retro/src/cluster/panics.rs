//! Messages of panics, kept instead of printed: the engine ends its threads by panics when a process is lost.

use std::panic::{PanicHookInfo, set_hook, take_hook};
use std::sync::{Arc, Mutex};

type Hook = Box<dyn Fn(&PanicHookInfo<'_>) + Send + Sync>;

/// Keeps messages back while it lives.
pub struct Kept {
    messages: Arc<Mutex<Vec<String>>>,
    before: Option<Hook>,
}

impl Kept {
    pub fn new() -> Self {
        let messages = Arc::new(Mutex::new(Vec::new()));
        let before = Some(take_hook());
        let list = Arc::clone(&messages);
        set_hook(Box::new(move |info| {
            let payload = info.payload();
            let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
            let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
            if let Ok(mut list) = list.lock() {
                list.push(text.unwrap_or_else(|| "a thread ended".into()));
            }
        }));
        Self { messages, before }
    }

    /// The first message.
    pub fn first(&self) -> Option<String> {
        self.messages.lock().ok()?.first().cloned()
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        if let Some(before) = self.before.take()
            && !std::thread::panicking()
        {
            set_hook(before);
        }
    }
}
