//! The API: one function a route. Every answer is JSON but for a certificate's bytes and a record's text;
//! what can take longer than a moment runs off the threads that serve the network.

use crate::databases::{Figures, Shelf};
use crate::download;
use crate::fault::Fault;
use crate::glance::Glances;
use crate::job::{Ask, Job, News, Watch};
use crate::jobs::Jobs;
use crate::laboratory;
use crate::names::plain;
use crate::place::Where;
use crate::position::{View, view};
use crate::proofs::{CERTIFICATE as NO_CERTIFICATE, Proofs};
use crate::record::{self, Record, Told};
use crate::store::{Store, StoreError};
use axum::extract::rejection::QueryRejection;
use axum::extract::{FromRequestParts, Path, Query, Request, State};
use axum::http::request::Parts;
use axum::http::{Method, StatusCode, header};
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use bytes::{Bytes, BytesMut};
use endspiel_catalog::{Accepted, AnyProof, GAMES, METHODS, Station};
use endspiel_game::Stop;
use futures_util::stream::{StreamExt, once, unfold};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;

/// The largest body of a question.
pub const BODY: usize = 128 << 10;
/// The largest certificate.
pub const CERTIFICATE: usize = 64 << 20;
/// A body must be there in this time, ...
const BODY_TIME: Duration = Duration::from_secs(5);
/// ... a certificate in this.
const CERTIFICATE_TIME: Duration = Duration::from_secs(25);
/// A watcher is told at least so often.
const TICK: Duration = Duration::from_millis(125);

/// The address that a request came from.
#[derive(Clone, Copy, Debug)]
pub struct Client(pub IpAddr);

/// What all requests share.
#[derive(Clone)]
pub struct Shared {
    pub jobs: Arc<Jobs>,
    pub proofs: Arc<Proofs>,
    pub store: Arc<Store>,
    pub databases: Arc<Shelf>,
    pub glances: Arc<Glances>,
    /// What takes the machine for a moment, such as checking a certificate, is done a few at a time.
    pub checking: Arc<Semaphore>,
    /// Databases are read a few at a time.
    pub reading: Arc<Semaphore>,
    /// Certificates are received a few at a time.
    pub uploads: Arc<Semaphore>,
    /// For those who listen to jobs.
    pub listening: Arc<Semaphore>,
}

/// The routes.
pub fn router(shared: Shared) -> Router {
    Router::new()
        .route("/api/games", get(games))
        .route("/api/methods", get(methods))
        .route("/api/position", get(position))
        .route("/api/glance", get(seen))
        .route("/api/status", get(status))
        .route("/api/jobs", get(jobs).post(start))
        .route("/api/jobs/{id}", get(job).delete(cancel))
        .route("/api/jobs/{id}/events", get(events))
        .route("/api/lab", get(experiments))
        .route("/api/certificates", get(certificates).post(upload))
        .route("/api/certificates/{digest}", get(fetch).delete(discard))
        .route("/api/certificates/{digest}/proof", get(proof))
        .route("/api/records", get(records).post(save))
        .route("/api/records/{id}", get(saved).delete(forget))
        .route("/api/record", get(write_record).post(read_record))
        .route("/api/databases", get(list_databases))
        .route("/api/databases/stats", get(stats))
        .route("/api/databases/probe", get(probe))
        .with_state(shared)
}

type Answer<T = Json<Value>> = Result<T, Fault>;

/// Asks work to stop when it is dropped: with the request, whose client has gone or whose time is up.
struct Gone(Stop);

impl Drop for Gone {
    fn drop(&mut self) {
        self.0.now();
    }
}

/// Runs what may take a moment, or panic, away from the network's threads; it is told when nobody waits for it.
async fn apart<T: Send + 'static>(work: impl FnOnce(&Stop) -> Answer<T> + Send + 'static) -> Answer<T> {
    let stop = Stop::default();
    let _gone = Gone(stop.clone());
    spawn_blocking(move || work(&stop)).await.map_err(|_| Fault::internal("this is a bug"))?
}

/// The same, a few at a time: for what takes the machine for a moment.
async fn checked<T: Send + 'static>(
    room: Arc<Semaphore>,
    work: impl FnOnce(&Stop) -> Answer<T> + Send + 'static,
) -> Answer<T> {
    let permit = room.acquire_owned().await.map_err(Fault::internal)?;
    apart(move |stop| {
        let done = work(stop);
        drop(permit);
        done
    })
    .await
}

/// A part of the path, such as a job's number.
struct Part(String);

impl<S: Send + Sync> FromRequestParts<S> for Part {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Answer<Self> {
        let part = Path::<String>::from_request_parts(parts, state).await;
        part.map(|Path(text)| Self(text)).map_err(|e| Fault::new(e.status(), e.body_text()))
    }
}

fn query<T>(query: Result<Query<T>, QueryRejection>) -> Answer<T> {
    query.map(|Query(value)| value).map_err(|e| Fault::bad(e.body_text()))
}

/// The body, of at most `most` bytes, received within `time`.
async fn body(request: Request, most: usize, time: Duration) -> Answer<Bytes> {
    let too_large = || Fault::new(StatusCode::PAYLOAD_TOO_LARGE, format!("at most {most} bytes are taken"));
    let announced = request.headers().get(header::CONTENT_LENGTH).and_then(|n| n.to_str().ok()?.parse().ok());
    if announced.is_some_and(|n: usize| n > most) {
        return Err(too_large());
    }
    let late =
        |_| Fault::new(StatusCode::REQUEST_TIMEOUT, format!("the body must come in {} s", time.as_secs()));
    let receive = async {
        let (mut parts, mut bytes) = (request.into_body().into_data_stream(), BytesMut::new());
        while let Some(part) = parts.next().await {
            let part =
                part.map_err(|_| Fault::bad("the body breaks off, or its parts are not as they announce"))?;
            if bytes.len() + part.len() > most {
                return Err(too_large());
            }
            bytes.extend_from_slice(&part);
        }
        Ok(bytes.freeze())
    };
    tokio::time::timeout(time, receive).await.map_err(late)?
}

/// The body as JSON.
async fn read<T: DeserializeOwned>(request: Request) -> Answer<T> {
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let kind = kind.and_then(|kind| kind.split(';').next());
    if !kind.is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json")) {
        let message = "the body must be JSON, with the content type application/json";
        return Err(Fault::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
    }
    let bytes = body(request, BODY, BODY_TIME).await?;
    // A list would be read as the fields in their order, which are nobody's to know.
    if bytes.trim_ascii_start().first() != Some(&b'{') {
        return Err(Fault::bad("the body must be a JSON object: {\"name\": value, ...}"));
    }
    serde_json::from_slice(&bytes).map_err(|e| Fault::bad(format!("the body cannot be read: {e}")))
}

async fn games() -> Json<Value> {
    let game = |about: &endspiel_game::About| {
        json!({
            "name": about.name, "title": about.title, "summary": about.summary, "rules": about.rules,
            "variants": about.variants, "examples": about.examples, "players": about.players,
            "notation": about.notation,
        })
    };
    Json(GAMES.iter().map(|entry| game(entry.about())).collect())
}

async fn methods() -> Json<Value> {
    let method =
        |m: &endspiel_catalog::AboutMethod| json!({"name": m.name, "summary": m.summary, "source": m.source});
    Json(METHODS.iter().map(method).collect())
}

async fn position(asked: Result<Query<Where>, QueryRejection>) -> Answer<Json<View>> {
    let asked = query(asked)?;
    apart(move |stop| view(&asked, stop).map(Json)).await
}

async fn seen(State(shared): State<Shared>, asked: Result<Query<Where>, QueryRejection>) -> Answer {
    let asked = Where { prefix: false, ..query(asked)? };
    if let Some(known) = shared.glances.known(&asked) {
        return Ok(Json(known));
    }
    checked(shared.checking, move |stop| shared.glances.look(&asked, stop).map(Json)).await
}

async fn status(State(shared): State<Shared>) -> Json<Value> {
    Json(shared.jobs.load())
}

async fn start(State(shared): State<Shared>, request: Request) -> Answer<(StatusCode, Json<News>)> {
    let client = request.extensions().get::<Client>().map(|client| client.0);
    let ask: Ask = read(request).await?;
    apart(move |stop| {
        let job = shared.jobs.add(ask, client, stop)?;
        Ok((StatusCode::ACCEPTED, Json(shared.jobs.news(&job, 0))))
    })
    .await
}

/// So many finished jobs are listed.
const LISTED: usize = 100;

async fn jobs(State(shared): State<Shared>) -> Answer {
    apart(move |_| {
        let (open, passing) = shared.jobs.open();
        let kept = shared.store.jobs(LISTED).map_err(Fault::internal)?;
        let over: Vec<Value> = kept.iter().filter_map(|text| serde_json::from_str(text).ok()).collect();
        Ok(Json(json!({"open": open, "passing": passing, "over": over})))
    })
    .await
}

async fn experiments(State(shared): State<Shared>) -> Answer {
    apart(move |_| {
        let mut all = laboratory::list();
        for one in &mut all {
            let name = one["name"].as_str().unwrap_or_default().to_string();
            let kept = shared.store.report(&name).map_err(Fault::internal)?;
            one["report"] = kept.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
            one["job"] = json!(shared.jobs.experimenting(&name));
        }
        Ok(Json(all.into()))
    })
    .await
}

/// The last news of a finished job that is not at hand any more.
fn kept_job(store: &Store, id: &str) -> Answer<Value> {
    let kept = store.job(id).map_err(Fault::internal)?;
    let mut kept: Value = kept.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    match kept.get_mut("job") {
        Some(job) => Ok(job.take()),
        None => Err(Fault::missing("job")),
    }
}

async fn job(State(shared): State<Shared>, Part(id): Part) -> Answer<Response> {
    match shared.jobs.find(&id) {
        Some(job) => Ok(Json(shared.jobs.news(&job, 0)).into_response()),
        None => Ok(Json(kept_job(&shared.store, &id)?).into_response()),
    }
}

async fn cancel(State(shared): State<Shared>, Part(id): Part) -> Answer<Response> {
    // What is over needs no stop.
    if let Some(job) = shared.jobs.find(&id) {
        job.cancel();
    }
    job(State(shared), Part(id)).await
}

/// Who listens to a job, and what he has heard.
struct Listener {
    jobs: Arc<Jobs>,
    job: Arc<Job>,
    heard: u64,
    _watch: Watch,
    _room: OwnedSemaphorePermit,
}

async fn events(State(shared): State<Shared>, method: Method, Part(id): Part) -> Answer<Response> {
    let Some(job) = shared.jobs.find(&id) else {
        let last = Event::default().event("over").json_data(kept_job(&shared.store, &id)?);
        return Ok(Sse::new(once(async { last })).into_response());
    };
    if method == Method::HEAD {
        // Who asks for the head alone does not watch, and so does not stop it by going.
        return Ok([(header::CONTENT_TYPE, "text/event-stream")].into_response());
    }
    let room = shared.listening.try_acquire_owned();
    let room =
        room.map_err(|_| Fault::busy("the server is busy: as many listen as may; ask for the job itself"))?;
    let listener = Listener { jobs: shared.jobs, _watch: job.watch(), _room: room, job, heard: 0 };
    let next = |listener: Option<Listener>| async move {
        let listener = listener?;
        if listener.heard > 0 {
            tokio::time::sleep(TICK).await;
        }
        let news = listener.jobs.news(&listener.job, listener.heard);
        let over = news.state.is_over();
        if over && listener.jobs.closes() {
            // The server goes, and that is what the listener is to notice: nobody has stopped the job.
            return None;
        }
        let heard = news.version;
        let event = Event::default().event(if over { "over" } else { "news" });
        let event = event.json_data(&news).unwrap_or_else(|_| Event::default().event("over"));
        Some((Ok::<_, Infallible>(event), (!over).then_some(Listener { heard, ..listener })))
    };
    Ok(Sse::new(unfold(Some(listener), next)).into_response())
}

fn describe(digest: &str, proof: &dyn AnyProof) -> Value {
    json!({"certificate": digest, "accepted": proof.accepted(), "claims": proof.claims()})
}

async fn upload(State(shared): State<Shared>, request: Request) -> Answer {
    // Certificates are large: a few are received at a time.
    let _room = shared.uploads.acquire().await.map_err(Fault::internal)?;
    let bytes = body(request, CERTIFICATE, CERTIFICATE_TIME).await?;
    checked(shared.checking.clone(), move |stop| {
        let (digest, proof) = shared.proofs.take(&bytes, stop)?;
        Ok(Json(describe(&digest, &*proof)))
    })
    .await
}

/// So many certificates are listed.
const CERTIFICATES: usize = 200;

async fn certificates(State(shared): State<Shared>) -> Answer {
    checked(shared.reading, move |_| {
        let kept = shared.store.certificates.list(CERTIFICATES).map_err(Fault::internal)?;
        Ok(Json(json!(kept)))
    })
    .await
}

async fn fetch(State(shared): State<Shared>, Part(digest): Part) -> Answer<Response> {
    let file = shared.store.certificates.find(&digest).ok_or_else(|| Fault::missing(NO_CERTIFICATE))?;
    apart(move |_| download::send(&file, &format!("{digest}.cert"))).await
}

async fn discard(State(shared): State<Shared>, Part(digest): Part) -> Answer<StatusCode> {
    apart(move |_| {
        let there = shared.proofs.remove(&digest)?;
        if there { Ok(StatusCode::NO_CONTENT) } else { Err(Fault::missing("certificate")) }
    })
    .await
}

/// A place in a proof.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Walk {
    claim: usize,
    moves: String,
}

async fn proof(
    State(shared): State<Shared>,
    Part(digest): Part,
    walk: Result<Query<Walk>, QueryRejection>,
) -> Answer {
    let walk = query(walk)?;
    checked(shared.checking.clone(), move |stop| {
        let proof = shared.proofs.get(&digest, stop)?;
        let Accepted { game, position, .. } = proof.accepted();
        Where { game, position, moves: walk.moves.clone(), ..Where::default() }.find(stop)?;
        let station: Station = proof.walk(walk.claim, &walk.moves)?;
        let mut answer = describe(&digest, &*proof);
        answer["station"] = serde_json::to_value(station).map_err(Fault::internal)?;
        Ok(Json(answer))
    })
    .await
}

/// A game to be saved.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Saving {
    name: String,
    text: String,
}

async fn save(State(shared): State<Shared>, request: Request) -> Answer<(StatusCode, Json<Value>)> {
    let Saving { name, text } = read(request).await?;
    let name = plain(&name);
    if name.chars().count() > 100 {
        return Err(Fault::bad("a name has at most 100 characters"));
    }
    apart(move |stop| {
        let record = Record::check(&text, "", stop)?;
        let entry = json!({"name": name, "text": text, "game": record.game});
        let id = shared.store.put_record(&entry.to_string()).map_err(|error| match error {
            StoreError::Full(_) => Fault::new(StatusCode::INSUFFICIENT_STORAGE, error.to_string()),
            other => Fault::internal(other),
        })?;
        Ok((StatusCode::CREATED, Json(json!({"id": id}))))
    })
    .await
}

async fn records(State(shared): State<Shared>) -> Answer {
    apart(move |_| {
        let all = shared.store.records(1000).map_err(Fault::internal)?;
        let short = |(id, text): (u64, String)| {
            let entry: Value = serde_json::from_str(&text).unwrap_or_default();
            let name = plain(entry["name"].as_str().unwrap_or_default());
            json!({"id": id, "name": name, "game": entry["game"]})
        };
        Ok(Json(all.into_iter().map(short).collect()))
    })
    .await
}

fn number(id: &str) -> Answer<u64> {
    id.parse().map_err(|_| Fault::missing("saved game"))
}

async fn saved(State(shared): State<Shared>, Part(id): Part) -> Answer {
    let id = number(&id)?;
    apart(move |_| {
        let text = shared.store.record(id).map_err(Fault::internal)?;
        let entry = text.and_then(|text| serde_json::from_str(&text).ok());
        let mut entry: Value = entry.ok_or_else(|| Fault::missing("saved game"))?;
        entry["id"] = id.into();
        Ok(Json(entry))
    })
    .await
}

async fn forget(State(shared): State<Shared>, Part(id): Part) -> Answer<StatusCode> {
    let id = number(&id)?;
    apart(move |_| {
        let there = shared.store.remove_record(id).map_err(Fault::internal)?;
        if there { Ok(StatusCode::NO_CONTENT) } else { Err(Fault::missing("saved game")) }
    })
    .await
}

/// A game to be written down.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Writing {
    game: String,
    position: String,
    moves: String,
    first: String,
    second: String,
    /// The clock, such as `180+2`.
    clock: String,
    /// How the game ended, if not by the rules, ...
    ended: String,
    /// ... and who won then.
    winner: String,
    /// When it was played, such as `2024.02.29`.
    date: String,
    /// The tags of the record that it was read from, such as `[White "Anderssen"]`.
    tags: String,
}

async fn write_record(asked: Result<Query<Writing>, QueryRejection>) -> Answer<String> {
    let Writing { game, position, moves, first, second, clock, ended, winner, date, tags } = query(asked)?;
    let place = Where { game, position, moves, ..Where::default() };
    let told = Told { players: [first, second], clock, ended, winner, date, tags };
    apart(move |stop| record::write(&place, &told, stop)).await
}

async fn list_databases(State(shared): State<Shared>) -> Answer {
    match shared.databases.known() {
        Some(list) => Ok(Json(list)),
        None => checked(shared.reading, move |stop| shared.databases.list(stop).map(Json)).await,
    }
}

async fn stats(State(shared): State<Shared>, asked: Result<Query<Figures>, QueryRejection>) -> Answer {
    let asked = query(asked)?;
    checked(shared.reading, move |stop| shared.databases.stats(&asked, stop).map(Json)).await
}

/// In which metric a position is looked up.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Measure {
    metric: String,
}

async fn probe(
    State(shared): State<Shared>,
    asked: Result<Query<Where>, QueryRejection>,
    measure: Result<Query<Measure>, QueryRejection>,
) -> Answer {
    let asked = Where { prefix: false, ..query(asked)? };
    let Measure { metric } = query(measure)?;
    checked(shared.reading, move |stop| shared.databases.probe(&asked, &metric, stop).map(Json)).await
}

/// What is known of a record before it is read.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Reading {
    /// The game, if the record names none.
    game: String,
}

async fn read_record(
    asked: Result<Query<Reading>, QueryRejection>,
    request: Request,
) -> Answer<Json<Record>> {
    let Reading { game } = query(asked)?;
    let bytes = body(request, record::LONGEST, BODY_TIME).await?;
    let text = String::from_utf8(bytes.into()).map_err(|_| Fault::bad("a record is UTF-8 text"))?;
    apart(move |stop| Record::check(&text, &game, stop).map(Json)).await
}
