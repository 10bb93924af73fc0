// What the pages of reviewers do alike: a toast, the dialog of a conflict, citing, submitting, skipping.

import { listCitations, markCitations, selected, stepOf, written } from "/static/citing.js";
import { Refused, send, Unreachable } from "/static/door.js";

/** Say something for a few seconds, where one looks. */
export function toast(text) {
  const place = document.getElementById("toast");
  place.textContent = text;
  place.hidden = !text;
  clearTimeout(toast.timer);
  toast.timer = setTimeout(() => (place.hidden = true), 6000);
}

/** Ask the reader which of two versions to go on with; resolves to "theirs" or "mine". */
export function choose(theirs, mine, rows) {
  const dialog = document.getElementById("conflict");
  const at = new Date(theirs.saved_at);
  const clock = Number.isNaN(at.getTime()) ? "meanwhile" : `at ${at.toLocaleTimeString("en-GB")}`;
  document.getElementById("conflict-told").textContent =
    `Another window on this row saved ${clock}. Neither is overwritten: choose which to go on with.`;
  summary(document.getElementById("conflict-theirs"), rows(theirs.content || {}));
  summary(document.getElementById("conflict-mine"), rows(mine));
  dialog.returnValue = "";
  dialog.oncancel = (event) => event.preventDefault();
  if (!dialog.open) dialog.showModal();
  return new Promise((resolve) => {
    for (const button of dialog.querySelectorAll("button[value]")) button.onclick = () => dialog.close(button.value);
    dialog.onclose = () => {
      if (dialog.returnValue) resolve(dialog.returnValue);
      else dialog.showModal(); // a second Escape closes it all the same, and that is no answer
    };
  });
}

function summary(list, rows) {
  list.replaceChildren(
    ...rows.flatMap(([name, value]) => [
      Object.assign(document.createElement("dt"), { textContent: name }),
      Object.assign(document.createElement("dd"), { textContent: value || "nothing" }),
    ]),
  );
}

/** Cite what is selected, or the part that one is in as a whole, after the server has found that it stands. */
export async function cite(url, decision, fallback) {
  const found = selected() || fallback();
  if (!found) return toast("Select the text that shows it, then press c.");
  if (found.why) return toast(found.why);
  const text = written(found);
  try {
    const answer = await send("POST", url, { citation: text });
    if (answer.why_not) return toast(`Not cited: that ${answer.why_not}.`);
    decision.cite(text);
    getSelection().removeAllRanges();
    toast(`Cited: ${found.place}`);
  } catch (error) {
    if (error instanceof Unreachable) {
      decision.cite(text); // checked again when the review is submitted
      return toast("Cited; it is checked when the server can be reached.");
    }
    toast(`Not cited: ${error.message}`);
  }
}

/** Draw the citations of `held`, in the list, in the text and on the rail. */
export function drawCitations(held, decision) {
  listCitations(document.getElementById("cites"), held.citations, (at) => decision.uncite(at));
  markCitations(held.citations);
  const steps = held.citations.map(stepOf).filter(Boolean);
  for (const entry of document.querySelectorAll(".rail a")) {
    const within = (step) => step >= Number(entry.dataset.first) && step <= Number(entry.dataset.last);
    entry.classList.toggle("is-marked", steps.some(within));
  }
}

/** Let the button that cites follow the selection, for those without a keyboard. */
export function followSelection(act) {
  const button = document.getElementById("cite-pop");
  document.addEventListener("selectionchange", () => {
    const found = selected();
    button.hidden = !found || Boolean(found.why);
    if (button.hidden) return;
    const box = getSelection().getRangeAt(0).getBoundingClientRect();
    const below = Math.min(box.bottom + 6, innerHeight - (innerWidth <= 760 ? 112 : 44));
    button.style.top = `${Math.max(below, 56)}px`;
    button.style.left = `${Math.max(8, Math.min(box.left, innerWidth - button.offsetWidth - 8))}px`;
  });
  button.addEventListener("mousedown", (event) => event.preventDefault()); // the selection stays
  button.addEventListener("click", act);
}

/** Submit, and go on to the next row; what is lacking is shown beside its field. Never twice at once. */
export function submitter({ url, decision, saver, button }) {
  let busy = false;
  return async () => {
    if (busy || saver.conflict) return;
    busy = true;
    button.setAttribute("aria-busy", "true");
    try {
      if (saver.running) await saver.running;
      const answer = await send("POST", url, { base: saver.version, content: decision.content() });
      saver.close();
      location.assign(answer.next);
      return;
    } catch (error) {
      if (error instanceof Unreachable) toast("Not submitted: the server cannot be reached. It is kept on this computer.");
      else if (error instanceof Refused && error.document.lacks) {
        reveal(decision.form);
        decision.lacks(error.document.lacks);
      }
      else if (error instanceof Refused && error.document.current) {
        await saver.disagree(error.document.current, decision.content());
      } else toast(`Not submitted: ${error.message}`);
    }
    busy = false;
    button.removeAttribute("aria-busy");
  };
}

/** Put the row off, and go on to the next. */
export function skipper(saver, decision, next) {
  return async () => {
    saver.skipped = true;
    saver.content = decision.content();
    saver.changes += 1;
    await saver.flush();
    if (!saver.changes) location.assign(next);
    else toast("Not skipped: the server cannot be reached.");
  };
}

/** On a narrow screen the form, and the queue, lie over the work and are opened by a button that names them. */
export function drawers() {
  const buttons = [...document.querySelectorAll("[data-drawer]")];
  const set = (button, open) => {
    button.setAttribute("aria-expanded", String(open));
    document.querySelector(button.dataset.drawer).classList.toggle("is-open", open);
  };
  for (const button of buttons) {
    button.addEventListener("click", () => {
      const open = button.getAttribute("aria-expanded") !== "true";
      for (const other of buttons) set(other, other === button && open);
    });
  }
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") for (const button of buttons) set(button, false);
  });
}

/** Open the drawer that `element` lies in, where it is shut. */
export function reveal(element) {
  const button = [...document.querySelectorAll("[data-drawer]")].find((one) => element.closest(one.dataset.drawer));
  if (button?.offsetWidth && button.getAttribute("aria-expanded") !== "true") button.click();
}

/** Bring the current row of a queue to sight within the queue; the page itself stays where it is. */
export function showCurrent(queue) {
  const link = queue.querySelector('a[aria-current="page"]');
  if (link) queue.scrollTop = link.offsetTop - queue.offsetTop - queue.clientHeight / 2;
}
