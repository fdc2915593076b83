//! The page's files, inside the binary. A path is looked up in this table and nowhere else.

use axum::http::header;
use axum::response::{IntoResponse, Response};

const FILES: &[(&str, &str, &str)] = &[
    ("/", "text/html; charset=utf-8", include_str!("../assets/index.html")),
    ("/style.css", "text/css; charset=utf-8", include_str!("../assets/style.css")),
    ("/main.js", "text/javascript; charset=utf-8", include_str!("../assets/main.js")),
    ("/api.js", "text/javascript; charset=utf-8", include_str!("../assets/api.js")),
    ("/board.js", "text/javascript; charset=utf-8", include_str!("../assets/board.js")),
    ("/analysis.js", "text/javascript; charset=utf-8", include_str!("../assets/analysis.js")),
    ("/clock.js", "text/javascript; charset=utf-8", include_str!("../assets/clock.js")),
    ("/theme.js", "text/javascript; charset=utf-8", include_str!("../assets/theme.js")),
    ("/proof.js", "text/javascript; charset=utf-8", include_str!("../assets/proof.js")),
    ("/form.js", "text/javascript; charset=utf-8", include_str!("../assets/form.js")),
    ("/graph.js", "text/javascript; charset=utf-8", include_str!("../assets/graph.js")),
    ("/keys.js", "text/javascript; charset=utf-8", include_str!("../assets/keys.js")),
    ("/records.js", "text/javascript; charset=utf-8", include_str!("../assets/records.js")),
    ("/state.js", "text/javascript; charset=utf-8", include_str!("../assets/state.js")),
    ("/jobs", "text/html; charset=utf-8", include_str!("../assets/jobs.html")),
    ("/jobs.js", "text/javascript; charset=utf-8", include_str!("../assets/jobs.js")),
    ("/databases", "text/html; charset=utf-8", include_str!("../assets/databases.html")),
    ("/databases.js", "text/javascript; charset=utf-8", include_str!("../assets/databases.js")),
    ("/icon.svg", "image/svg+xml", include_str!("../assets/icon.svg")),
    ("/api/openapi.json", "application/json", crate::OPENAPI),
];

/// The file at `path`, if there is one.
pub fn find(path: &str) -> Option<Response> {
    let (_, kind, text) = FILES.iter().find(|(name, ..)| *name == path)?;
    Some(([(header::CONTENT_TYPE, *kind), (header::CACHE_CONTROL, "no-cache")], *text).into_response())
}

/// The bytes of all pages together: more than a browser loads to show the first one.
#[cfg(test)]
pub fn weight() -> usize {
    FILES.iter().filter(|(name, ..)| !name.starts_with("/api/")).map(|(_, _, text)| text.len()).sum()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_first_page_is_light_and_asks_for_nothing_from_elsewhere() {
        assert!(super::weight() < 300_000, "{}", super::weight());
        for (name, _, text) in super::FILES {
            let outside = text.replace("http://www.w3.org/", "").matches("http").count();
            assert!(name.starts_with("/api/") || outside == 0, "{name}");
        }
    }
}
