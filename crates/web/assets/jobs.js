// The jobs of the server: what runs with its progress, what waits, and what came out of the latest.

import { get, remove } from "./api.js";
import { progress, words } from "./analysis.js";
import { trouble } from "./trouble.js";
import "./theme.js";

const element = (id) => document.getElementById(id);

function cell(...parts) {
  const td = document.createElement("td");
  td.append(...parts);
  return td;
}

// Where the question was asked.
function place(ask) {
  const link = document.createElement("a");
  if (ask.kind === "lab") return Object.assign(link, { href: `lab#${encodeURIComponent(ask.experiment)}`, textContent: ask.experiment });
  const query = new URLSearchParams({ game: ask.game });
  if (ask.position) query.set("position", ask.position);
  if (ask.moves) query.set("moves", ask.moves);
  link.href = `./#${query}`;
  link.textContent = ask.game + (ask.position ? ` at ${ask.position}` : "") + (ask.moves ? ` after ${ask.moves}` : "");
  return link;
}

const asked = (ask) => `${ask.kind}${ask.method && ask.method !== "auto" ? `, ${ask.method}` : ""}`;

function atWork({ ask, job }) {
  const row = document.createElement("tr");
  const stop = document.createElement("button");
  stop.textContent = "Stop";
  stop.addEventListener("click", () => remove(`jobs/${job.id}`).then(show).catch(fail));
  row.append(cell(place(ask)), cell(asked(ask)), cell(progress(job)), cell(stop));
  return row;
}

// Brings a table up to date. A row stays in its place as long as what it is about, so that a button can be pressed.
function update(table, entries, make, renew, name = ({ job }) => job.id) {
  const body = table.tBodies[0];
  const rows = new Map([...body.rows].map((row) => [row.dataset.id, row]));
  const wanted = entries.map((entry) => {
    const known = rows.get(name(entry));
    if (known) renew(known, entry);
    const row = known || make(entry);
    row.dataset.id = name(entry);
    return row;
  });
  if (wanted.length !== body.rows.length || wanted.some((row, i) => row !== body.rows[i])) body.replaceChildren(...wanted);
}

// How a job ended that has not done all it was asked for.
const ENDED = { cancelled: "stopped" };

// What came out of a job, and for whom that is; of one that was stopped, what it had proven by then.
function outcome({ state, result: report, error }) {
  const ended = ENDED[state] || state;
  if (!report) return error && error.startsWith(ended) ? error : [ended, error].filter(Boolean).join(": ");
  const nothing = state === "cancelled" && report.status === "unknown";
  const told = report.found || (nothing ? "nothing was proven" : `${report.player}: ${words(report, report.score !== null)}`);
  return state === "done" ? told : `${ended}: ${told}`;
}

function finished({ ask, job }) {
  const row = document.createElement("tr");
  const report = job.result;
  const verdict = cell(outcome(job));
  if (report && report.value) verdict.className = report.value;
  else if (report && report.estimate) verdict.className = "guess";
  const time = document.createElement("span");
  time.className = "time";
  time.textContent = `${job.seconds.toFixed(1)} s`;
  const proof = cell(time);
  if (report && report.certificate) {
    const link = document.createElement("a");
    link.href = `./#${new URLSearchParams({ game: ask.game, position: report.position, proof: report.certificate.file })}`;
    link.textContent = "walk its proof";
    proof.append(" ", link);
  }
  row.append(cell(place(ask)), cell(asked(ask)), verdict, proof);
  return row;
}

const many = new Intl.NumberFormat("en");

// A certificate that is kept: walk through it, fetch it, delete it.
function certificate({ digest, game, position, records, bytes, used }) {
  const row = document.createElement("tr");
  const link = (href, text) => Object.assign(document.createElement("a"), { href, textContent: text });
  const forget = Object.assign(document.createElement("button"), { textContent: "Delete" });
  forget.addEventListener("click", () => remove(`certificates/${digest}`).then(show).catch(fail));
  const time = Object.assign(document.createElement("span"), { className: "time", textContent: new Date(1000 * used).toLocaleString() });
  const about = cell(link(`./#${new URLSearchParams({ game, position, proof: digest })}`, game), ` ${position}`);
  row.append(about, cell(`${many.format(records)} positions`), cell(link(`api/certificates/${digest}`, `${many.format(bytes)} bytes`)), cell(time), cell(forget));
  return row;
}

function fail(error) { trouble(error, () => show().catch(fail)); }

async function show() {
  const [load, jobs, certificates] = await Promise.all([get("status"), get("jobs"), get("certificates")]);
  fail(null);
  element("load").textContent = `${load.running} running, ${load.waiting} waiting; ${load.workers} worker${load.workers === 1 ? "" : "s"}, at most ${load.seconds} s (an experiment ${Math.round(load.laboratory / 360) / 10} h) and ${Math.round(load.share / 2 ** 20)} MiB a job`;
  element("idle").hidden = jobs.open.length > 0;
  element("idle").textContent = jobs.passing ? "Nothing but hints and moves of methods, which are not listed." : "Nothing runs.";
  element("nothing").hidden = jobs.over.length > 0;
  update(element("running"), jobs.open, atWork, (row, { job }) => { row.cells[2].textContent = progress(job); });
  update(element("finished"), jobs.over, finished, () => {});
  element("nocertificates").hidden = certificates.length > 0;
  update(element("certificates"), certificates, certificate, () => {}, ({ digest }) => digest);
  document.documentElement.dataset.ready = "yes";
}

// Again and again, each a second after the last has come.
async function watch() {
  if (!document.hidden) await show().catch(fail);
  setTimeout(watch, 1000);
}

watch();
