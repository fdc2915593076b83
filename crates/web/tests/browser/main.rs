//! The page in a real Chromium. These tests run only with `ENDSPIEL_BROWSER=1`, since they need Debian's
//! `chromium` and `chromium-driver` (or the like).

mod address;
mod analysis;
#[path = "../common/mod.rs"]
mod common;
mod driver;
mod pages;
mod play;
mod proofs;
mod screenshots;

use common::Running;
use driver::Browser;
use std::path::Path;

/// The address of a page.
pub fn page(server: &Running, rest: &str) -> String {
    format!("http://localhost:{}/{rest}", server.address.port())
}

/// Clicks on the first place of this name, and waits for the position to change.
pub fn press(browser: &Browser, place: &str) {
    let before = browser.text("#status");
    browser.click(&format!("#board .spot[data-place=\"{place}\"]"));
    browser.until(&format!("document.getElementById('status').textContent !== {before:?}"));
}

/// Waits until so many jobs run on the server.
pub fn wait_for(server: &Running, number: u64) {
    let running = || server.get("/api/status").json()["running"].as_u64().unwrap_or(0);
    let begun = std::time::Instant::now();
    while running() != number {
        assert!(begun.elapsed().as_secs() < 20, "{} jobs run, not {number}", running());
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
}

/// Small databases to look into, in the usual metric of a game.
pub fn build_databases(directory: &Path, game: &str, slices: &str) {
    use endspiel_catalog::databases::{Workers, databases};
    let store = databases(game, directory).expect("the game has databases");
    let with = Workers { threads: 1, stop: endspiel_game::Stop::default(), watch: &() };
    store.build(slices, store.usual_metric(), &with, &mut |_| ()).expect("built");
}
