//! Who may pass: on loopback requests must name a loopback host, so that no page from elsewhere can reach the server
//! under a name of its own (DNS rebinding); where there is a token they must carry it. A request names its host once, in
//! the `Host` header: two of them, or a target with a host of its own, may mean one thing here and another to a proxy.

use crate::fault::Fault;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// What is asked of requests.
pub struct Gate {
    token: Option<String>,
    /// The name of the cookie that carries the token. Browsers do not tell the ports of a host apart, so it does.
    cookie: String,
}

impl Gate {
    pub fn new(token: Option<String>, port: u16) -> Self {
        Self { token, cookie: format!("endspiel-{port}") }
    }

    /// Lets a request through, or says what it gets instead.
    pub fn admit(&self, request: &Request) -> Result<(), Box<Response>> {
        let refuse = |status, message: &str| Err(Box::new(Fault::new(status, message).into_response()));
        let headers = request.headers();
        let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
        let hosts = headers.get_all(header::HOST).iter().count();
        if hosts > 1 {
            return refuse(StatusCode::BAD_REQUEST, &format!("one Host header is taken, not {hosts}"));
        }
        if request.uri().authority().is_some() || request.uri().scheme().is_some() {
            let message = "the target must be a path, such as /api/games; the host goes into the Host header";
            return refuse(StatusCode::BAD_REQUEST, message);
        }
        let host = text(header::HOST).unwrap_or_default();
        if let Some(origin) = text(header::ORIGIN)
            && request.method() != Method::GET
            && origin.split_once("://").map(|(_, rest)| rest) != Some(host)
        {
            return refuse(StatusCode::FORBIDDEN, "requests from other pages are not served");
        }
        let Some(token) = &self.token else {
            return if names_loopback(host) {
                Ok(())
            } else {
                refuse(StatusCode::FORBIDDEN, "this server answers on loopback names only, such as localhost")
            };
        };
        // A token in the address is taken out of it, so that nobody hands it on with a link.
        let given =
            request.uri().query().and_then(|q| q.split('&').find_map(|part| part.strip_prefix("token=")));
        if request.uri().path() == "/" && given.is_some_and(|given| same(given, token)) {
            // Lax: a link from elsewhere leads in; what is posted must come from the page itself all the same.
            let cookie = format!("{}={token}; HttpOnly; SameSite=Lax; Path=/", self.cookie);
            let mut response = Redirect::to("/").into_response();
            if let Ok(cookie) = HeaderValue::from_str(&cookie) {
                response.headers_mut().insert(header::SET_COOKIE, cookie);
            }
            return Err(Box::new(response));
        }
        if self.presented(headers).iter().any(|given| same(given, token)) {
            return Ok(());
        }
        // What the page of a refusal looks like is no secret.
        if request.method() == Method::GET && matches!(request.uri().path(), "/style.css" | "/icon.svg") {
            return Ok(());
        }
        refuse(StatusCode::UNAUTHORIZED, "this server asks for its token: open the address that it printed")
    }

    /// The tokens that a request carries.
    fn presented<'a>(&self, headers: &'a HeaderMap) -> Vec<&'a str> {
        let texts = |name| headers.get_all(name).iter().filter_map(|v| v.to_str().ok());
        let bearer =
            texts(header::AUTHORIZATION).filter_map(|v| v.split_once(' ')).filter_map(|(scheme, token)| {
                scheme.eq_ignore_ascii_case("bearer").then_some(token.trim_start())
            });
        let cookies = texts(header::COOKIE)
            .flat_map(|v| v.split(';'))
            .filter_map(|c| c.trim().strip_prefix(self.cookie.as_str())?.strip_prefix('='));
        bearer.chain(cookies).collect()
    }
}

/// Compares in a time that tells nothing of where they differ.
fn same(given: &str, token: &str) -> bool {
    let differing = given.bytes().zip(token.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b));
    differing == 0 && given.len() == token.len()
}

/// Is this `Host` header a name of this machine's own loopback?
fn names_loopback(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    };
    let ip: Option<IpAddr> = match name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some(inner) => inner.parse::<Ipv6Addr>().ok().map(IpAddr::from),
        None => name.parse::<Ipv4Addr>().ok().map(IpAddr::from),
    };
    name.eq_ignore_ascii_case("localhost") || ip.is_some_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_and_tokens_are_told_apart() {
        for good in ["localhost", "LOCALHOST:80", "127.0.0.1:7373", "127.8.8.8", "[::1]", "[::1]:7373"] {
            assert!(names_loopback(good), "{good}");
        }
        for bad in [
            "",
            "evil.example",
            "localhost.evil.example",
            "10.0.0.1:7373",
            "127.0.0.1.evil.example:80",
            "[[[127.0.0.1]]]",
            "[127.0.0.1]",
            "[[::1]]",
            "::1",
        ] {
            assert!(!names_loopback(bad), "{bad}");
        }
        assert!(same("abc", "abc") && !same("abc", "abd") && !same("ab", "abc") && !same("", "abc"));
    }

    #[test]
    fn cookies_are_this_server_s_and_schemes_of_either_case() {
        let gate = Gate::new(Some("t".into()), 80);
        let presents = |name, value| {
            let headers = HeaderMap::from_iter([(name, HeaderValue::from_static(value))]);
            gate.presented(&headers).contains(&"t")
        };
        assert!(presents(header::COOKIE, "endspiel-81=u; endspiel-80=t"));
        assert!(!presents(header::COOKIE, "endspiel-81=t; endspiel=t; endspiel-808=t"));
        assert!(presents(header::AUTHORIZATION, "bearer t") && presents(header::AUTHORIZATION, "Bearer  t"));
        assert!(!presents(header::AUTHORIZATION, "Basic t"));
    }
}
