// Saves a draft at every change: to this computer at once, to the server a moment later. A lost connection, a reload
// and a restart of the server lose nothing. Two windows on one row never overwrite each other: the reader chooses.
//
// States: saved (at a time), saving, offline (kept on this computer), conflict (both versions kept), stuck (refused).

import { Refused, send, Unreachable } from "/static/door.js";

const WAIT = 350; // ms of quiet before a change is sent
const AGAIN = [1000, 2000, 5000, 10000, 20000]; // ms between tries while the server cannot be reached

export class Saver {
  /**
   * `row` names the draft, `version` and `content` are what the server has; `take(content)` puts a version into the
   * page, `tell(state, detail)` shows the state, `choose(theirs, mine)` resolves to "theirs" or "mine".
   */
  constructor({ url, row, version, content, savedAt, take, tell, choose }) {
    Object.assign(this, { url, row, version, take, tell, choose, content, savedAt });
    this.key = `fairtrial ${row}`;
    this.skipped = false;
    this.changes = 0;
    this.tries = 0;
    this.timer = 0;
    this.running = null;
    this.closed = false;
    addEventListener("online", () => this.soon(0));
    addEventListener("pagehide", () => this.leave());
    document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && this.leave());
  }

  /** Take up what an earlier visit left on this computer. */
  async begin() {
    const left = this.kept();
    if (!left) {
      this.tell(this.version ? "saved" : "fresh", this.savedAt);
    } else if (left.base === this.version) {
      this.take(left.content);
      this.content = left.content;
      this.changes += 1;
      this.soon(0);
    } else if (same(left.content, this.content)) {
      this.forget();
      this.tell("saved", this.savedAt);
    } else {
      await this.disagree({ version: this.version, content: this.content, saved_at: this.savedAt }, left.content);
    }
  }

  /** The page has changed: keep it here now, send it soon. */
  change(content) {
    if (same(content, this.content) && !this.changes) return;
    this.content = content;
    this.changes += 1;
    this.keep();
    this.tell("saving");
    this.soon(WAIT);
  }

  soon(wait) {
    clearTimeout(this.timer);
    if (this.closed || !this.changes || this.conflict) return;
    this.timer = setTimeout(() => this.flush(), wait);
  }

  /** Send what is not saved yet; resolves when it is, or when it cannot be. Never two at once. */
  async flush() {
    clearTimeout(this.timer);
    if (this.running) await this.running;
    if (this.closed || !this.changes || this.conflict) return;
    this.running = this.put();
    await this.running;
    this.running = null;
    if (this.changes && !this.tries) this.soon(WAIT);
  }

  async put() {
    const sent = this.changes;
    this.tell("saving");
    try {
      const saved = await send("PUT", this.url, this.body());
      this.version = saved.version;
      this.savedAt = saved.saved_at;
      this.changes -= sent;
      this.tries = 0;
      if (this.changes) this.keep();
      else this.forget(), this.tell("saved", saved.saved_at);
    } catch (error) {
      await this.failed(error);
    }
  }

  body() {
    return { base: this.version, content: this.content, skipped: this.skipped };
  }

  async failed(error) {
    if (error instanceof Refused && error.status === 409 && error.document.current) {
      await this.disagree(error.document.current, this.content);
    } else if (error instanceof Unreachable) {
      this.tell("offline");
      const wait = AGAIN[Math.min(this.tries, AGAIN.length - 1)];
      this.tries += 1;
      this.timer = setTimeout(() => this.flush(), wait);
    } else {
      this.tell("stuck", error.message);
    }
  }

  /** Both versions are kept; go on with the one that the reader chooses. */
  async disagree(theirs, mine) {
    this.conflict = true;
    this.keep(mine);
    this.tell("conflict", theirs.saved_at);
    const chosen = await this.choose(theirs, mine);
    this.version = theirs.version;
    this.savedAt = theirs.saved_at;
    this.content = chosen === "mine" ? mine : theirs.content;
    this.conflict = false;
    this.tries = 0;
    this.take(this.content);
    this.changes = chosen === "mine" ? 1 : 0;
    if (chosen === "mine") this.keep(), this.soon(0);
    else this.forget(), this.tell("saved", theirs.saved_at);
  }

  /** The row is done here: what was submitted needs no draft. */
  close() {
    this.closed = true;
    clearTimeout(this.timer);
    this.forget();
  }

  /** The page goes away: send what is left without waiting for an answer; this computer has it in any case. */
  leave() {
    if (this.closed || !this.changes || this.conflict || this.running) return;
    send("PUT", this.url, this.body(), { keepalive: true }).then(
      (saved) => {
        this.version = saved.version;
        this.changes = 0;
        this.forget();
        this.tell("saved", saved.saved_at);
      },
      () => this.keep(),
    );
  }

  keep(content = this.content) {
    try {
      localStorage.setItem(this.key, JSON.stringify({ base: this.version, content }));
    } catch {
      this.tell("stuck", "This browser keeps nothing: do not leave the page before it says “saved”.");
    }
  }

  kept() {
    try {
      return JSON.parse(localStorage.getItem(this.key));
    } catch {
      return null;
    }
  }

  forget() {
    try {
      localStorage.removeItem(this.key);
    } catch {
      // nothing was kept
    }
  }
}

/** Say whether two decisions are the same: the time spent, the order of tags and what is empty make no difference. */
export function same(one, other) {
  const plain = ([name, value]) => [name, Array.isArray(value) && name !== "citations" ? [...value].sort() : value];
  const bare = (content) => JSON.stringify(
    Object.entries(content || {}).filter(([name, value]) => name !== "seconds" && value?.length).map(plain).sort(),
  );
  return bare(one) === bare(other);
}

const SHAPES = { saved: "●", saving: "◐", offline: "△", conflict: "◆", stuck: "◆", fresh: "○" };

/** Show a state in `place`: a shape and a word, always both. */
export function showState(place, state, detail) {
  const at = detail ? new Date(detail) : null;
  const clock = at && !Number.isNaN(at.getTime()) ? at.toLocaleTimeString("en-GB") : "";
  const words = {
    saved: `Saved ${clock}`,
    saving: "Saving",
    offline: "Offline, kept on this computer",
    conflict: "Conflict, both versions kept",
    stuck: `Not saved: ${detail || "the server refused"}`,
    fresh: "Nothing to save yet",
  };
  place.dataset.state = state;
  place.replaceChildren(mark(SHAPES[state]), document.createTextNode(` ${words[state]}`));
}

function mark(shape) {
  const element = document.createElement("span");
  element.className = "shape-mark";
  element.setAttribute("aria-hidden", "true");
  element.textContent = shape;
  return element;
}
