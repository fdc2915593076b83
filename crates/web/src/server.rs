//! The server: sockets, limits on connections and time, the token, and the headers of every answer.
//!
//! It listens on loopback unless told otherwise. There, requests must name a loopback host, so that no page
//! from elsewhere can reach it under a name of its own (DNS rebinding); off loopback they must carry the token.

use crate::api::{Shared, router};
use crate::fault::Fault;
use crate::jobs::{Jobs, Limits, random_name};
use crate::proofs::Proofs;
use crate::store::{Store, StoreError};
use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Redirect, Response};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

/// How a server is set up.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where to listen.
    pub address: IpAddr,
    /// The port; 0 takes any.
    pub port: u16,
    /// The token that requests must carry; off loopback one is made if there is none.
    pub token: Option<String>,
    /// Where saved games, finished jobs and certificates are kept; without it they go with the server.
    pub data: Option<PathBuf>,
    /// Where endgame databases are looked for.
    pub databases: Option<PathBuf>,
    /// What jobs may take.
    pub limits: Limits,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            address: Ipv4Addr::LOCALHOST.into(),
            port: 7373,
            token: None,
            data: None,
            databases: None,
            limits: Limits::default(),
        }
    }
}

/// Why a server cannot start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The address is taken or not ours.
    #[error("cannot listen on {0}: {1}")]
    Listen(SocketAddr, io::Error),
    /// The store cannot be opened.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The token cannot stand in an address.
    #[error("a token has letters, digits and the signs - . _ ~ only, and at least one of them")]
    Token,
    /// The system refuses threads or randomness.
    #[error("cannot start: {0}")]
    System(String),
}

/// So many connections are served at once; more wait until one is free.
const CONNECTIONS: usize = 512;
/// A request's head must be there in this time ...
const HEAD_TIME: Duration = Duration::from_secs(5);
/// ... and it must be answered in this.
const ANSWER_TIME: Duration = Duration::from_secs(30);
/// So many certificates are received at once; more wait.
const UPLOADS: usize = 4;
/// When the server stops, jobs have so long to stop as well, ...
const CLOSING_TIME: Duration = Duration::from_millis(700);
/// ... and then requests that are being answered so long to be done.
const LAST_TIME: Duration = Duration::from_millis(200);
/// The longest head of a request.
const HEAD: usize = 64 << 10;

const HEADERS: [(header::HeaderName, &str); 5] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (header::HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
];

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    router: Router,
    jobs: Arc<Jobs>,
    address: SocketAddr,
    token: Option<String>,
}

impl Server {
    /// Opens the store and the socket.
    pub async fn bind(options: Options) -> Result<Self, StartError> {
        if let Some(token) = &options.token
            && (token.is_empty() || !token.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._~".contains(&b)))
        {
            return Err(StartError::Token);
        }
        let store = Arc::new(Store::open(options.data.as_deref())?);
        let asked = SocketAddr::new(options.address, options.port);
        let listener = TcpListener::bind(asked).await.map_err(|e| StartError::Listen(asked, e))?;
        let address = listener.local_addr().map_err(|e| StartError::Listen(asked, e))?;
        let token = match options.token {
            None if !address.ip().is_loopback() => {
                Some(random_name().map_err(|e| StartError::System(e.message().into()))?)
            }
            token => token,
        };
        let jobs = Jobs::new(options.limits, store.clone());
        let shared = Shared {
            jobs: jobs.clone(),
            proofs: Arc::new(Proofs::new(&options.limits, store.clone())),
            store,
            databases: options.databases.map(Arc::from),
            checking: Arc::new(Semaphore::new(options.limits.workers.max(1))),
            uploads: Arc::new(Semaphore::new(UPLOADS)),
        };
        let router = router(shared)
            .fallback(file)
            .method_not_allowed_fallback(not_allowed)
            .layer(from_fn_with_state(token.clone().map(Arc::from), guard));
        Ok(Self { listener, router, jobs, address, token })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The page's address, with the token if one is needed.
    pub fn url(&self) -> String {
        match &self.token {
            Some(token) => format!("http://{}/?token={token}", self.address),
            None => format!("http://{}/", self.address),
        }
    }

    /// Serves until `stop` is done, and a little longer if something does not stop at once.
    pub async fn run(self, stop: impl Future<Output = ()>) {
        let room = Arc::new(Semaphore::new(CONNECTIONS));
        let mut sweep = tokio::time::interval(Duration::from_secs(1));
        tokio::pin!(stop);
        loop {
            let accept = async {
                let permit = room.clone().acquire_owned().await;
                (self.listener.accept().await, permit)
            };
            tokio::select! {
                () = &mut stop => break,
                _ = sweep.tick() => self.jobs.sweep(),
                (accepted, permit) = accept => {
                    let Ok((stream, _)) = accepted else {
                        // Out of file handles, or a connection that is already gone: a pause, then on.
                        tokio::time::sleep(Duration::from_millis(20)).await;
                        continue;
                    };
                    let router = self.router.clone();
                    tokio::spawn(async move {
                        // What goes wrong on a connection is the client's to notice.
                        let _ = connection(stream, router).await;
                        drop(permit);
                    });
                }
            }
        }
        // Stopping waits for the workers, which is not for the network's threads.
        let _ = tokio::task::spawn_blocking(move || self.jobs.close(CLOSING_TIME)).await;
    }
}

async fn connection(stream: tokio::net::TcpStream, router: Router) -> Result<(), hyper::Error> {
    let _ = stream.set_nodelay(true);
    let service = hyper_util::service::TowerToHyperService::new(router);
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_buf_size(HEAD)
        .serve_connection(TokioIo::new(stream), service)
        .await
}

/// Serves until Ctrl-C; `listening` is told the page's address first.
pub fn serve(options: Options, listening: impl FnOnce(&str)) -> Result<(), StartError> {
    serve_until(options, listening, async {
        // Without a signal handler the server stops when it is killed.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}

/// Serves until `stop` is done. It returns within about a second then, whatever is going on: threads that have not
/// come to an end by then are left alone, and end with the process.
pub fn serve_until(
    options: Options,
    listening: impl FnOnce(&str),
    stop: impl Future<Output = ()>,
) -> Result<(), StartError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(16)
        .enable_all()
        .build()
        .map_err(|e| StartError::System(e.to_string()))?;
    let served = runtime.block_on(async {
        let server = Server::bind(options).await?;
        listening(&server.url());
        server.run(stop).await;
        Ok(())
    });
    runtime.shutdown_timeout(LAST_TIME);
    served
}

async fn file(uri: Uri) -> Response {
    crate::assets::find(uri.path()).unwrap_or_else(|| Fault::missing("page").into_response())
}

async fn not_allowed() -> Fault {
    Fault::new(StatusCode::METHOD_NOT_ALLOWED, "this address takes another method")
}

type Token = Option<Arc<str>>;

/// Lets a request through if it may pass, within its time, and dresses the answer.
async fn guard(State(token): State<Token>, request: Request, next: Next) -> Response {
    let api = request.uri().path().starts_with("/api/");
    let mut response = match admit(token.as_deref(), &request) {
        Err(response) => *response,
        Ok(()) => tokio::time::timeout(ANSWER_TIME, next.run(request)).await.unwrap_or_else(|_| {
            Fault::new(StatusCode::REQUEST_TIMEOUT, "the request took too long").into_response()
        }),
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if api && !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    response
}

fn admit(token: Option<&str>, request: &Request) -> Result<(), Box<Response>> {
    let refuse = |status, message: &str| Err(Box::new(Fault::new(status, message).into_response()));
    let headers = request.headers();
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let host = text(header::HOST).unwrap_or_default();
    if let Some(origin) = text(header::ORIGIN)
        && request.method() != Method::GET
        && origin.split_once("://").map(|(_, rest)| rest) != Some(host)
    {
        return refuse(StatusCode::FORBIDDEN, "requests from other pages are not served");
    }
    let Some(token) = token else {
        return if names_loopback(host) {
            Ok(())
        } else {
            refuse(StatusCode::FORBIDDEN, "this server answers on loopback names only, such as localhost")
        };
    };
    // A token in the address is taken out of it, so that nobody hands it on with a link.
    let given = request.uri().query().and_then(|q| q.split('&').find_map(|part| part.strip_prefix("token=")));
    if request.uri().path() == "/" && given.is_some_and(|given| same(given, token)) {
        // Lax: a link from elsewhere leads in; what is posted must come from the page itself all the same.
        let cookie = format!("endspiel={token}; HttpOnly; SameSite=Lax; Path=/");
        let mut response = Redirect::to("/").into_response();
        if let Ok(cookie) = HeaderValue::from_str(&cookie) {
            response.headers_mut().insert(header::SET_COOKIE, cookie);
        }
        return Err(Box::new(response));
    }
    if presented(headers).iter().any(|given| same(given, token)) {
        return Ok(());
    }
    refuse(StatusCode::UNAUTHORIZED, "this server asks for its token: open the address that it printed")
}

/// The tokens that a request carries.
fn presented(headers: &HeaderMap) -> Vec<&str> {
    let bearer = headers
        .get_all(header::AUTHORIZATION)
        .iter()
        .filter_map(|v| v.to_str().ok()?.strip_prefix("Bearer "));
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|v| v.to_str().ok());
    let cookies = cookies.flat_map(|v| v.split(';')).filter_map(|c| c.trim().strip_prefix("endspiel="));
    bearer.chain(cookies).collect()
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
    let bare = name.trim_start_matches('[').trim_end_matches(']');
    name.eq_ignore_ascii_case("localhost") || bare.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_and_tokens_are_told_apart() {
        for good in ["localhost", "LOCALHOST:80", "127.0.0.1:7373", "127.8.8.8", "[::1]", "[::1]:7373"] {
            assert!(names_loopback(good), "{good}");
        }
        for bad in
            ["", "evil.example", "localhost.evil.example", "10.0.0.1:7373", "127.0.0.1.evil.example:80"]
        {
            assert!(!names_loopback(bad), "{bad}");
        }
        assert!(same("abc", "abc") && !same("abc", "abd") && !same("ab", "abc") && !same("", "abc"));
    }
}
