//! Refusals for people: who mistypes an address in a browser reads a page, not JSON. Programs, the page's own scripts among
//! them, do not ask for HTML and get what [`Fault`](crate::fault::Fault) says.

use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use serde_json::Value;

/// No refusal is longer.
const LONGEST: usize = 16 << 10;

const ONWARD: &str = r#"<p><a href="/">To the board</a></p>"#;

/// Does whoever asks read HTML, as a browser does that goes to an address?
pub fn is_for_people(headers: &HeaderMap) -> bool {
    let kinds = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    kinds
        .flat_map(|kinds| kinds.split(','))
        .any(|kind| kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("text/html")))
}

/// The same refusal as a page.
pub async fn page(response: Response) -> Response {
    let (mut parts, body) = response.into_parts();
    // A refusal that cannot be read has no words; its number says enough.
    let body = to_bytes(body, LONGEST).await.unwrap_or_default();
    let fault: Value = serde_json::from_slice(&body).unwrap_or_default();
    let says = fault["error"].as_str().unwrap_or_default();
    let reason = parts.status.canonical_reason().unwrap_or_default();
    let page = include_str!("../assets/refusal.html")
        // Who has no token is not led back here.
        .replace("ONWARD", if parts.status == StatusCode::UNAUTHORIZED { "" } else { ONWARD })
        .replace("STATUS", &escape(&format!("{} {reason}", parts.status.as_u16())))
        .replace("SAYS", &escape(says));
    parts.headers.remove(header::CONTENT_LENGTH);
    parts.headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    parts.headers.insert(header::VARY, HeaderValue::from_static("Accept"));
    Response::from_parts(parts, Body::from(page))
}

/// Text that stays text in HTML.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            sign => escaped.push(sign),
        }
    }
    escaped
}
