// The laboratory: every experiment with what was published and what was found, and those that run with their progress.

import { get, post, remove } from "./api.js";
import { progress } from "./analysis.js";
import { plot, table } from "./report.js";
import "./theme.js";
import { trouble } from "./trouble.js";

const element = (id) => document.getElementById(id);
// The card of each experiment, and the report it shows.
const cards = new Map();

function fail(error) { trouble(error, () => show().catch(fail)); }

function make({ name, about, published, source, effort }) {
  const card = element("experiment").content.firstElementChild.cloneNode(true);
  const part = (kind) => card.querySelector(kind);
  card.id = name;
  part("legend").textContent = name;
  part(".about").textContent = about;
  part(".published").textContent = published;
  part(".source").textContent = `${source}. Takes ${effort}.`;
  part(".run").addEventListener("click", () => post("jobs", { kind: "lab", experiment: name, keep: true }).then(show).catch(fail));
  part(".stop").addEventListener("click", () => remove(`jobs/${card.dataset.job}`).then(show).catch(fail));
  return card;
}

// Shows rows, unless they are there already.
function report(card, rows, key) {
  if (card.dataset.shown === key || !rows.length) return;
  card.dataset.shown = key;
  const svg = card.querySelector(".plot");
  card.querySelector("details").hidden = false;
  table(card.querySelector("table"), rows);
  const drawn = plot(svg, rows);
  svg.toggleAttribute("hidden", !drawn);
  card.querySelector(".scale").hidden = !drawn;
}

async function update(one) {
  const { name, job, report: last } = one;
  if (!cards.has(name)) {
    cards.set(name, make(one));
    element("experiments").append(cards.get(name));
  }
  const card = cards.get(name);
  card.dataset.job = job || "";
  card.querySelector(".run").hidden = Boolean(job);
  card.querySelector(".stop").hidden = !job;
  if (job) {
    const news = await get(`jobs/${job}`);
    card.querySelector(".progress").textContent = `${progress(news)} · ${news.rows.length} row${news.rows.length === 1 ? "" : "s"} so far`;
    report(card, news.rows, `${job} ${news.rows.length}`);
    return;
  }
  card.querySelector(".progress").textContent = "";
  if (!last) return;
  const { result, seconds, error } = last.job;
  card.querySelector(".found").textContent = `${result.found} (${seconds.toFixed(1)} s${error ? `; ${error}` : ""})`;
  report(card, result.rows, last.job.id);
}

async function show() {
  const all = await get("lab");
  await Promise.all(all.map(update));
  fail(null);
  return all.some((one) => one.job);
}

// Again and again, sooner while something runs.
async function watch() {
  let busy = false;
  if (!document.hidden) busy = await show().catch((error) => { fail(error); return false; });
  if (!document.documentElement.dataset.ready && cards.size) {
    document.documentElement.dataset.ready = "yes";
    const chosen = cards.get(decodeURIComponent(location.hash.slice(1)));
    if (chosen) { chosen.querySelector("details").open = true; chosen.scrollIntoView(); }
  }
  setTimeout(watch, busy ? 700 : 3000);
}

watch();
