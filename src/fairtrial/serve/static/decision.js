// The form of a decision: what it shows and what it holds are always the same. It knows nothing of saving or of keys.

const LISTS = ["behaviour", "failure", "citations"];

export class Decision {
  /** `failsWith` is the answer that opens the tags of failure; `changed()` is called when the reader changes something. */
  constructor(form, { failsWith, hasVerdict, changed, drawn }) {
    Object.assign(this, { form, failsWith, hasVerdict, changed, drawn });
    this.held = empty();
    this.clock = clock();
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("change", (event) => {
      if (event.target.name === "answer") this.answer(event.target.value);
    });
    form.addEventListener("input", (event) => {
      if (event.target.id === "note") this.set({ note: event.target.value });
    });
    form.addEventListener("click", (event) => {
      const chip = event.target.closest(".chip");
      if (chip) this.press(chip.dataset.group, chip.dataset.value);
    });
  }

  /** Show a version that was saved before, or elsewhere. */
  take(content) {
    this.held = { ...empty(), ...content };
    for (const name of LISTS) this.held[name] = [...(this.held[name] || [])];
    this.clock.begin(Number(this.held.seconds) || 0);
    this.draw();
  }

  /** What is to be saved. */
  content() {
    return { ...this.held, seconds: Math.round(this.clock.seconds() * 10) / 10 };
  }

  /** Give an answer; tags of failure that no longer fit are taken off. */
  answer(value) {
    const open = value === this.failsWith;
    const closing = [...this.form.querySelectorAll('.chip[data-opens="no"]')].map((chip) => chip.dataset.value);
    const failure = open ? this.held.failure : this.held.failure.filter((tag) => !closing.includes(tag));
    this.set({ answer: value, failure });
  }

  press(group, value) {
    const before = this.held[group];
    if (group === "hack") return this.set({ hack: before === value ? "" : value });
    this.set({ [group]: before.includes(value) ? before.filter((one) => one !== value) : [...before, value] });
  }

  cite(text) {
    if (!this.held.citations.includes(text)) this.set({ citations: [...this.held.citations, text] });
  }

  uncite(at) {
    this.set({ citations: this.held.citations.filter((_, place) => place !== at) });
  }

  set(values) {
    Object.assign(this.held, values);
    this.draw();
    this.lacks([]);
    this.changed();
  }

  draw() {
    for (const radio of this.form.querySelectorAll("input[name=answer]")) radio.checked = radio.value === this.held.answer;
    for (const chip of this.form.querySelectorAll(".chip")) {
      const held = this.held[chip.dataset.group];
      const pressed = Array.isArray(held) ? held.includes(chip.dataset.value) : held === chip.dataset.value;
      chip.setAttribute("aria-pressed", String(pressed));
      chip.disabled = !pressed && !this.opens(chip.dataset.opens);
    }
    const note = this.form.querySelector("#note");
    if (note.value !== this.held.note) note.value = this.held.note;
    this.drawn(this.held);
  }

  opens(when) {
    if (when === "no") return this.held.answer === this.failsWith;
    return when === "verdict" ? this.hasVerdict : true;
  }

  /** Show what keeps it from being submitted, beside the field; go to the first. */
  lacks(found) {
    for (const place of this.form.querySelectorAll("[data-lack]")) {
      const mine = found.filter((lack) => lack.field === place.dataset.lack).map((lack) => lack.what);
      place.textContent = mine.join(" ");
      place.hidden = !mine.length;
    }
    const first = found.length && this.form.querySelector(`[data-field="${CSS.escape(found[0].field)}"]`);
    if (!first) return;
    first.scrollIntoView({ block: "nearest" });
    first.querySelector("input, textarea, button:not(:disabled)")?.focus({ preventScroll: true });
  }
}

function empty() {
  return { answer: "", hack: "", behaviour: [], failure: [], citations: [], note: "" };
}

/** Counts the seconds for which the page is looked at. */
function clock() {
  const looking = () => (document.visibilityState === "visible" ? performance.now() : 0);
  let total = 0;
  let since = looking();
  const seconds = () => total + (since ? (performance.now() - since) / 1000 : 0);
  document.addEventListener("visibilitychange", () => {
    total = seconds();
    since = looking();
  });
  return {
    seconds,
    begin(before) {
      total = before;
      since = looking();
    },
  };
}
