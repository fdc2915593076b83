// Talks to the server: JSON in and out, and jobs with their stream of news.

async function answer(response) {
  const text = await response.text();
  let value = text;
  if ((response.headers.get("content-type") || "").startsWith("application/json")) value = JSON.parse(text);
  if (!response.ok) throw new Error(value.error || `${response.status} ${response.statusText}`);
  return value;
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

// Starts a job; `news` gets each message, the last one too. Resolves with the last message.
// `job.stop()` stops it; closing the tab does as well.
export function run(ask, news) {
  const job = { stopped: false, source: null, id: null };
  job.stop = () => {
    job.stopped = true;
    if (job.id) fetch(`api/jobs/${job.id}`, { method: "DELETE" }).catch(() => {});
  };
  job.done = (async () => {
    let begun;
    for (let attempt = 0; ; attempt++) {
      try {
        begun = await post("jobs", ask);
        break;
      } catch (error) {
        if (attempt >= 5 || !error.message.includes("busy") || job.stopped) throw error;
        news({ state: "waiting", before: "many", seconds: 0, moves: [] });
        await new Promise((resolve) => setTimeout(resolve, 2000));
      }
    }
    job.id = begun.id;
    if (job.stopped) job.stop();
    return new Promise((resolve, reject) => {
      const source = new EventSource(`api/jobs/${begun.id}/events`);
      job.source = source;
      source.addEventListener("news", (event) => news(JSON.parse(event.data)));
      source.addEventListener("over", (event) => {
        source.close();
        const last = JSON.parse(event.data);
        news(last);
        if (last.state === "failed") reject(new Error(last.error));
        else resolve(last);
      });
      source.onerror = () => { source.close(); reject(new Error("the connection to the server is lost")); };
    });
  })();
  return job;
}
