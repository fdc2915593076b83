//! The server: sockets, limits on connections and time, and the headers of every answer. It listens on loopback unless
//! told otherwise; off loopback requests must carry a token.

use crate::api::{Client, Shared, router};
use crate::databases::Shelf;
use crate::fault::Fault;
use crate::gate::Gate;
use crate::impatient::Impatient;
use crate::jobs::{Jobs, Limits, random_name};
use crate::proofs::Proofs;
use crate::refusal;
use crate::store::{Store, StoreError};
use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use hyper::server::conn::http1;
use hyper::service::Service;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::future::poll_fn;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::AsyncWriteExt;
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
/// So many of them may listen to jobs, which they do for long; the others are for questions.
const LISTENERS: usize = 384;
/// A request's head must be there in this time ...
const HEAD_TIME: Duration = Duration::from_secs(5);
/// ... and it must be answered in this.
const ANSWER_TIME: Duration = Duration::from_secs(30);
/// What is written must be taken in this time, part by part.
const TAKEN_IN: Duration = Duration::from_secs(30);
/// So many certificates are received at once; more wait.
const UPLOADS: usize = 4;
/// When the server stops, jobs have so long to stop as well, ...
const CLOSING_TIME: Duration = Duration::from_millis(700);
/// ... and then requests that are being answered so long to be done.
const LAST_TIME: Duration = Duration::from_millis(200);
/// The longest head of a request.
const HEAD: usize = 64 << 10;

/// How a request of HTTP/2 begins. It is not spoken here.
const PREFACE: &[u8] = b"PRI * HTTP/2.0";

/// An answer to what is not read as a request.
fn refusal(status: StatusCode, error: &str) -> String {
    let body = serde_json::json!({"error": error, "status": status.as_u16()}).to_string();
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )
}

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
    store: Arc<Store>,
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
        let store = Arc::new(Store::open(options.data.as_deref(), options.limits.certificates)?);
        let asked = SocketAddr::new(options.address, options.port);
        let listener = TcpListener::bind(asked).await.map_err(|e| StartError::Listen(asked, e))?;
        let address = listener.local_addr().map_err(|e| StartError::Listen(asked, e))?;
        let token = match options.token {
            None if !address.ip().is_loopback() => {
                Some(random_name().map_err(|e| StartError::System(e.message().into()))?)
            }
            token => token,
        };
        let jobs = Jobs::new(options.limits, store.clone(), options.databases.clone());
        let shared = Shared {
            jobs: jobs.clone(),
            proofs: Arc::new(Proofs::new(&options.limits, store.clone())),
            store: store.clone(),
            databases: Arc::new(Shelf::new(options.databases)),
            glances: Arc::default(),
            checking: Arc::new(Semaphore::new(options.limits.workers.max(1))),
            reading: Arc::new(Semaphore::new(options.limits.workers.max(1))),
            uploads: Arc::new(Semaphore::new(UPLOADS)),
            listening: Arc::new(Semaphore::new(LISTENERS)),
        };
        let router = router(shared)
            .fallback(file)
            .method_not_allowed_fallback(not_allowed)
            .layer(from_fn_with_state(Arc::new(Gate::new(token.clone(), address.port())), guard));
        Ok(Self { listener, router, jobs, store, address, token })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The page's address for a browser on this machine, with the token if one is needed.
    pub fn url(&self) -> String {
        self.url_at(match self.address.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
            ip => ip,
        })
    }

    /// The page's address for browsers on other machines, if that is another one and this machine knows it.
    pub fn url_elsewhere(&self) -> Option<String> {
        self.address.ip().is_unspecified().then(outward).flatten().map(|ip| self.url_at(ip))
    }

    fn url_at(&self, ip: IpAddr) -> String {
        let address = SocketAddr::new(ip, self.address.port());
        match &self.token {
            Some(token) => format!("http://{address}/?token={token}"),
            None => format!("http://{address}/"),
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
                    let Ok((stream, peer)) = accepted else {
                        // Out of file handles, or a connection that is already gone: a pause, then on.
                        tokio::time::sleep(Duration::from_millis(20)).await;
                        continue;
                    };
                    let router = self.router.clone();
                    tokio::spawn(async move {
                        // What goes wrong on a connection is the client's to notice.
                        let _ = connection(stream, Client(peer.ip()), router).await;
                        drop(permit);
                    });
                }
            }
        }
        // Stopping waits for the workers, which is not for the network's threads.
        let closing = move || {
            self.jobs.close(CLOSING_TIME);
            self.store.close();
        };
        let _ = tokio::task::spawn_blocking(closing).await;
    }
}

/// The address that this machine has in its network. Nothing is sent to the one that is looked for, which is nobody's
/// (RFC 5737, RFC 3849).
fn outward() -> Option<IpAddr> {
    let towards = |here: SocketAddr, there: SocketAddr| {
        let socket = UdpSocket::bind(here).ok()?;
        socket.connect(there).ok()?;
        Some(socket.local_addr().ok()?.ip()).filter(|ip| !ip.is_loopback() && !ip.is_unspecified())
    };
    let four = (Ipv4Addr::UNSPECIFIED, Ipv4Addr::new(192, 0, 2, 1));
    let six = (Ipv6Addr::UNSPECIFIED, Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1));
    towards((four.0, 0).into(), (four.1, 9).into()).or_else(|| towards((six.0, 0).into(), (six.1, 9).into()))
}

async fn connection(
    stream: tokio::net::TcpStream,
    client: Client,
    router: Router,
) -> Result<(), hyper::Error> {
    let _ = stream.set_nodelay(true);
    let service = hyper_util::service::TowerToHyperService::new(router);
    // Boxed, so that the connection can be taken apart.
    let service = hyper::service::service_fn(move |mut request: hyper::Request<hyper::body::Incoming>| {
        request.extensions_mut().insert(client);
        Box::pin(service.call(request))
    });
    let mut connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_buf_size(HEAD)
        .serve_connection(TokioIo::new(Impatient::new(stream, TAKEN_IN)), service);
    let ended = poll_fn(|context| connection.poll_without_shutdown(context)).await;
    let http1::Parts { io, read_buf, .. } = connection.into_parts();
    let mut stream = io.into_inner();
    // Who has begun a request and does not come to its end is told; who is silent is not.
    let told = match &ended {
        Err(error) if error.is_timeout() && !read_buf.is_empty() => {
            let late = format!("the head of a request must come in {} s", HEAD_TIME.as_secs());
            refusal(StatusCode::REQUEST_TIMEOUT, &late)
        }
        Err(error) if error.is_parse() && read_buf.starts_with(PREFACE) => {
            refusal(StatusCode::BAD_REQUEST, "this server speaks HTTP/1.1")
        }
        _ => String::new(),
    };
    let _ = stream.write_all(told.as_bytes()).await;
    let _ = stream.shutdown().await;
    ended
}

/// Serves until Ctrl-C, or until the system asks the process to end; `listening` is told of the server first.
pub fn serve(options: Options, listening: impl FnOnce(&Server)) -> Result<(), StartError> {
    serve_until(options, listening, async {
        let interrupted = async {
            // Without a signal handler the server stops when it is killed.
            if tokio::signal::ctrl_c().await.is_err() {
                std::future::pending::<()>().await;
            }
        };
        tokio::select! {
            () = interrupted => (),
            () = terminated() => (),
        }
    })
}

/// The system asks for the end, as a service manager does.
#[cfg(unix)]
async fn terminated() {
    use tokio::signal::unix::{SignalKind, signal};
    let Ok(mut end) = signal(SignalKind::terminate()) else { return std::future::pending().await };
    end.recv().await;
}

#[cfg(not(unix))]
async fn terminated() {
    std::future::pending().await
}

/// Serves until `stop` is done. It returns within about a second then, whatever is going on: threads that have not
/// come to an end by then are left alone, and end with the process.
pub fn serve_until(
    options: Options,
    listening: impl FnOnce(&Server),
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
        // Signals are listened to before anybody is told where the server is.
        let mut stop = std::pin::pin!(stop);
        tokio::select! {
            biased;
            () = &mut stop => return Ok(()),
            () = std::future::ready(()) => (),
        }
        listening(&server);
        server.run(stop).await;
        Ok(())
    });
    runtime.shutdown_timeout(LAST_TIME);
    served
}

async fn file(method: Method, uri: Uri) -> Response {
    let Some(found) = crate::assets::find(uri.path()) else { return Fault::missing("page").into_response() };
    if method == Method::GET || method == Method::HEAD {
        return found;
    }
    let mut response = not_allowed().await.into_response();
    response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET,HEAD"));
    response
}

async fn not_allowed() -> Fault {
    Fault::new(StatusCode::METHOD_NOT_ALLOWED, "this address takes another method")
}

/// A request with this header is refused with the status 200 and the true one in [`STATUS`]: what a person mistypes is
/// no error of the page, and browsers write any other status to the console as one.
const QUIET: &str = "endspiel-quiet";
/// The status that a refusal would have had.
const STATUS: header::HeaderName = header::HeaderName::from_static("endspiel-status");

/// Lets a request through if it may pass, within its time, and dresses the answer.
async fn guard(State(gate): State<Arc<Gate>>, request: Request, next: Next) -> Response {
    let api = request.uri().path().starts_with("/api/");
    let quiet = api && request.headers().contains_key(QUIET);
    let read_by_people = refusal::is_for_people(request.headers());
    let mut response = match gate.admit(&request) {
        Err(response) => *response,
        Ok(()) => tokio::time::timeout(ANSWER_TIME, next.run(request)).await.unwrap_or_else(|_| {
            Fault::new(StatusCode::REQUEST_TIMEOUT, "the request took too long").into_response()
        }),
    };
    let status = response.status();
    let failed = status.is_client_error() || status.is_server_error();
    if failed && read_by_people {
        response = refusal::page(response).await;
    }
    if quiet && failed {
        response.headers_mut().insert(STATUS, status.as_u16().into());
        *response.status_mut() = StatusCode::OK;
    }
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if api && !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    response
}
