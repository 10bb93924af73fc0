// The page of a pair: puts the choice, saving, citing and keys together, as the review page does.

import { placeOf } from "/static/citing.js";
import { Decision } from "/static/decision.js";
import { choose, cite, drawCitations, drawers, followSelection, skipper, submitter, toast } from "/static/desk.js";
import { read } from "/static/door.js";
import { listen } from "/static/keys.js";
import { Saver, showState } from "/static/saving.js";

const desk = document.getElementById("desk");
const { base, row } = desk.dataset;
const draft = JSON.parse(desk.dataset.draft);
const bar = document.querySelector(".quick");

const decision = new Decision(document.getElementById("decision"), {
  failsWith: "",
  hasVerdict: false,
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

function told(content) {
  const words = { first: "Left is better", second: "Right is better", tie: "A tie", cannot_tell: "Cannot tell" };
  return [
    ["Answer", words[content.answer]],
    ["Citations", (content.citations || []).join("\n")],
    ["Notes", content.note],
  ];
}

const submit = submitter({ url: `${base}/submit`, decision, saver, button: document.getElementById("submit") });
const citing = () => cite(`${base}/citation`, decision, whole);

/** With nothing selected: the part that holds the focus, as a whole. */
function whole() {
  const part = document.activeElement?.closest?.("[data-side] [data-place]");
  return part ? { place: placeOf(part), quote: "" } : null;
}

function unfold() {
  const folds = [...document.querySelectorAll(".columns details.fold")];
  const open = folds.some((fold) => !fold.open);
  for (const fold of folds) fold.open = open;
}

/** More steps of one side, and long parts, in place of what leads to them. */
document.addEventListener("click", async (event) => {
  const more = event.target.closest("[data-more], a[data-part]");
  if (!more || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const place = more.closest("p");
  const made = document.createElement("template");
  try {
    made.innerHTML = await read(more.dataset.more || `${more.href}&fragment`); // escaped by the server
    place.replaceWith(made.content);
    drawCitations(decision.held, decision);
  } catch (error) {
    toast(`Could not load it: ${error.message}`);
  }
});

document.getElementById("submit").addEventListener("click", submit);
document.getElementById("skip").addEventListener("click", skipper(saver, decision, desk.dataset.next));
document.querySelector("[data-unfold]").addEventListener("click", unfold);
document.addEventListener("toggle", () => drawCitations(decision.held, decision), true);
bar.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button?.dataset.answer) decision.answer(button.dataset.answer);
  else if (button?.matches("[data-submit]")) submit();
});

drawers();
followSelection(citing);
listen({ c: citing, o: unfold, "?": () => document.getElementById("all-keys").showModal() });
decision.take(draft.content);
saver.begin().catch((error) => toast(error.message));
