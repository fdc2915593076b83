// Talks to the server: JSON in and out, and jobs with their stream of news.

// The server is not there; one may try again.
export function lost() {
  return Object.assign(new Error("The server does not answer: it may have been stopped, or the connection is cut."), { lost: true });
}

// Refusals come quietly, with the status 200 and the true one in a header: a browser would write others to its console
// as errors of the page.
async function call(path, options = {}) {
  let response;
  let text;
  try {
    response = await fetch(`api/${path}`, { ...options, headers: { "endspiel-quiet": "1", ...options.headers } });
    text = await response.text();
  } catch {
    throw lost();
  }
  let value = text;
  if ((response.headers.get("content-type") || "").startsWith("application/json")) value = JSON.parse(text);
  const status = Number(response.headers.get("endspiel-status") || response.status);
  if (status < 400) return value;
  throw Object.assign(new Error(value.error || `${status} ${response.statusText}`), { status });
}

export function get(path, query = {}) {
  const words = new URLSearchParams(Object.entries(query).filter(([, v]) => v !== "" && v !== false));
  return call(`${path}?${words}`);
}

export function post(path, body) {
  return call(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
}

export function send(path, bytes) {
  return call(path, { method: "POST", headers: { "content-type": "application/octet-stream" }, body: bytes });
}

// Is sent even if the page goes at this moment.
export function remove(path) {
  return call(path, { method: "DELETE", keepalive: true });
}

const BUSY = 503;
const ATTEMPTS = 5;

// Starts a job, and tries again for a while if the server is busy and `wanted` says so.
async function start(ask, wanted, news) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await post("jobs", ask);
    } catch (error) {
      if (error.status !== BUSY || attempt > ATTEMPTS || !wanted()) throw error;
      news({ state: "waiting", before: "many", seconds: 0, moves: [] });
      await new Promise((resolve) => setTimeout(resolve, 2000));
    }
  }
}

// Runs a job; `news` gets each message, the last one too, and `done` resolves with the last. `stop` asks for the
// end: what is known by then still comes. `drop` is for what nobody wants any more: `done` gives null at once.
// Closing the tab stops the job as well, unless it was asked to be kept.
export function run(ask, news) {
  let id = null;
  let source = null;
  let state = "wanted";
  let drop;
  const cancel = () => { if (id) remove(`jobs/${id}`).catch(() => {}); };
  const stop = () => { if (state === "wanted") { state = "stopped"; cancel(); } };
  const done = new Promise((resolve, reject) => {
    drop = () => {
      if (state === "over") return;
      state = "dropped";
      if (source) source.close();
      if (!ask.keep) cancel();
      resolve(null);
    };
    const end = (settle, value) => { state = "over"; source.close(); settle(value); };
    start(ask, () => state === "wanted", news).then((begun) => {
      id = begun.id;
      if (state === "stopped" || (state === "dropped" && !ask.keep)) cancel();
      if (state === "dropped") return;
      source = new EventSource(`api/jobs/${id}/events`);
      source.addEventListener("news", (event) => news(JSON.parse(event.data)));
      source.addEventListener("over", (event) => {
        const last = JSON.parse(event.data);
        news(last);
        if (last.state === "failed") end(reject, new Error(last.error));
        else end(resolve, last);
      });
      // Where a job was lost it is not asked for again and again.
      source.onerror = () => { if (state !== "dropped") end(reject, lost()); };
    }).catch(reject);
  });
  return { kind: ask.kind, done, stop, drop };
}
