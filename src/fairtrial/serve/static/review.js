// The review page: puts the form, saving, citing, search and keys together.

import { partAt, stepOf } from "/static/citing.js";
import { Decision } from "/static/decision.js";
import { choose, cite, drawCitations, drawers, followSelection, showCurrent, skipper, submitter, toast } from "/static/desk.js";
import { searching } from "/static/finding.js";
import { listen } from "/static/keys.js";
import { Saver, showState } from "/static/saving.js";

const desk = document.getElementById("desk");
const { base, row, failsWith, stage } = desk.dataset;
const draft = JSON.parse(desk.dataset.draft);
const steps = document.querySelector("[data-steps]");
const bar = document.querySelector(".quick");

const decision = new Decision(document.getElementById("decision"), {
  failsWith,
  hasVerdict: stage === "informed",
  changed: () => saver.change(decision.content()),
  drawn: (held) => {
    drawCitations(held, decision);
    for (const button of bar.querySelectorAll("[data-answer]")) {
      button.setAttribute("aria-pressed", String(button.dataset.answer === held.answer));
    }
  },
});

const saver = new Saver({
  url: `${base}/draft`,
  row,
  version: draft.version,
  content: draft.content,
  savedAt: draft.saved_at,
  take: (content) => decision.take(content),
  tell: (state, detail) => showState(document.getElementById("saved"), state, detail),
  choose: (theirs, mine) => choose(theirs, mine, told),
});

/** A version of the decision in a few lines, for the dialog of a conflict. */
function told(content) {
  const words = { yes: "Yes", no: "No", cannot_tell: "Cannot tell" };
  const tags = [...(content.behaviour || []), ...(content.failure || [])].map((tag) => tag.replaceAll("_", " "));
  return [
    ["Answer", words[content.answer]],
    ["Tags", tags.join(", ")],
    ["Hack", content.hack],
    ["Citations", (content.citations || []).join("\n")],
    ["Notes", content.note],
  ];
}

const submit = submitter({ url: `${base}/submit`, decision, saver, button: document.getElementById("submit") });
const citing = () => cite(`${base}/citation`, decision, whole);

/** With nothing selected: the part that holds the focus, else the step that one is at, as a whole. */
function whole() {
  const part = document.activeElement?.closest?.("[data-place]");
  if (part) return { place: part.dataset.place, quote: "" };
  const step = steps?.querySelector(".is-here");
  return step ? { place: `step ${step.dataset.step}`, quote: "" } : null;
}

/** Bring a step to the page; `steps.js` loads it where it is not there. */
async function go(number) {
  const total = Number(steps?.querySelector(".window")?.dataset.total || 0);
  if (number < 1 || number > total) return;
  await new Promise((done) => steps.dispatchEvent(new CustomEvent("go", { detail: { number, done } })));
}

function move(by) {
  if (!steps) return;
  const here = steps.querySelector(".is-here") || atTop();
  const marked = here?.classList.contains("is-here");
  go(here ? Number(here.dataset.step) + (marked ? by : 0) : 1);
}

/** The step at the top of the screen, below what sticks there. */
const atTop = () => [...steps.querySelectorAll(".step")].find((one) => one.getBoundingClientRect().bottom > 140);

document.getElementById("submit").addEventListener("click", submit);
document.getElementById("skip").addEventListener("click", skipper(saver, decision, desk.dataset.next));
document.querySelector(".others")?.addEventListener("click", (event) => {
  const button = event.target.closest("[data-use]");
  if (button) decision.cite(button.dataset.use);
});
bar.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button?.dataset.answer) decision.answer(button.dataset.answer);
  else if (button?.matches("[data-submit]")) submit();
});
document.getElementById("cites").addEventListener("click", (event) => {
  const link = event.target.closest("a");
  const part = link && partAt(link.dataset.of);
  if (part?.tagName === "DETAILS") part.open = true;
  if (part && !stepOf(link.dataset.of)) {
    event.preventDefault();
    part.scrollIntoView({ block: "center" });
  }
});
document.addEventListener("toggle", () => drawCitations(decision.held, decision), true);
if (steps) new MutationObserver(() => drawCitations(decision.held, decision)).observe(steps, { childList: true });

drawers();
followSelection(citing);
const search = document.getElementById("search");
if (search) searching(search, document.getElementById("search-told"), base, go);

listen({
  j: () => move(1),
  k: () => move(-1),
  c: citing,
  o: () => document.querySelector("[data-unfold]")?.click(),
  "/": () => search?.focus(),
  "?": () => document.getElementById("all-keys").showModal(),
});

decision.take(draft.content);
saver.begin().catch((error) => toast(error.message));
showCurrent(document.querySelector(".queue"));
