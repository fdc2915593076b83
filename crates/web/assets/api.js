// Talks to the server: JSON in and out, and jobs with their stream of news.

async function answer(response) {
  const text = await response.text();
  let value = text;
  if ((response.headers.get("content-type") || "").startsWith("application/json")) value = JSON.parse(text);
  if (response.ok) return value;
  const error = new Error(value.error || `${response.status} ${response.statusText}`);
  throw Object.assign(error, { status: response.status });
}

export async function get(path, query = {}) {
  const words = new URLSearchParams(Object.entries(query).filter(([, v]) => v !== "" && v !== false));
  return answer(await fetch(`api/${path}?${words}`));
}

export async function post(path, body) {
  return answer(await fetch(`api/${path}`, {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body),
  }));
}

export async function send(path, bytes) {
  return answer(await fetch(`api/${path}`, {
    method: "POST", headers: { "content-type": "application/octet-stream" }, body: bytes,
  }));
}

export async function remove(path) {
  return answer(await fetch(`api/${path}`, { method: "DELETE" }));
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
// Closing the tab stops the job as well.
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
      cancel();
      resolve(null);
    };
    const end = (settle, value) => { state = "over"; source.close(); settle(value); };
    start(ask, () => state === "wanted", news).then((begun) => {
      id = begun.id;
      if (state !== "wanted") cancel();
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
      source.onerror = () => end(reject, new Error("the connection to the server is lost"));
    }).catch(reject);
  });
  return { done, stop, drop };
}
