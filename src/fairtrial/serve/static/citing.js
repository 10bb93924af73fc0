// Citations: the place is that of the nearest part (`data-place`), the quote is what is selected, as it was before
// hidden characters were made visible. Where two works stand beside each other, the side (`data-side`) comes first. The
// server checks each; one that does not stand is refused with its reason.

const LONGEST = 4000;

/** Return what is selected as {place, quote}, or {why} where it cannot be cited, or null where nothing is selected. */
export function selected() {
  const selection = getSelection();
  if (!selection.rangeCount || selection.isCollapsed) return null;
  const range = selection.getRangeAt(0);
  const from = part(range.startContainer);
  const to = part(range.endContainer);
  const quote = textOf(range.cloneContents()).trim();
  if (!quote || (!from && !to)) return null;
  if (from !== to && !endsBefore(range, from)) return { why: "Select within one message, call, output or file." };
  if (!from) return null;
  if (quote.length > LONGEST) return { why: `A quote is at most ${LONGEST} characters; select less.` };
  return { place: placeOf(from), quote };
}

/** The place of a part, its side before it where there are two. */
export function placeOf(element) {
  const side = element.closest("[data-side]");
  return side ? `${side.dataset.side} ${element.dataset.place}` : element.dataset.place;
}

/** The part that a place names, where it is on the page. */
export function partAt(place) {
  const side = /^(first|second) (.*)$/s.exec(place);
  const within = side && document.querySelector(`[data-side="${side[1]}"]`);
  return (within || document).querySelector(`[data-place="${CSS.escape(within ? side[2] : place)}"]`);
}

/** A selection that was drawn to the end of a part stops at the very start of the next one. */
function endsBefore(range, from) {
  const to = part(range.endContainer);
  if (!from) return false;
  if (range.endOffset !== 0 && to) return false;
  const rest = document.createRange();
  rest.selectNodeContents(from);
  rest.setStart(range.startContainer, range.startOffset);
  return textOf(rest.cloneContents()).trim() === textOf(range.cloneContents()).trim();
}

function part(node) {
  const element = node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement;
  return element?.closest("[data-place]") || null;
}

/** The text of a piece of the page as the rollout has it: no line numbers or signs, hidden characters as they were. */
export function textOf(fragment) {
  for (const extra of fragment.querySelectorAll("[data-extra], sup, .ln, .sg, summary, .vh")) extra.remove();
  for (const hidden of fragment.querySelectorAll("[data-codes]")) {
    const times = Number(hidden.dataset.times || 1);
    const codes = hidden.dataset.codes.split(/[ ,]+/).filter(Boolean);
    hidden.replaceWith(String.fromCodePoint(...codes.map((code) => parseInt(code, 16))).repeat(times));
  }
  for (const line of fragment.querySelectorAll("br, .tx, tr, p, li, div")) line.append("\n");
  return fragment.textContent;
}

/** Write a citation as records have it, and read it back. */
export function written({ place, quote }) {
  if (!place) return quote;
  const plain = `[${place}] ${quote}`;
  return readCitation(plain).place === place ? plain : `[${place.replace(/[[\]]/g, "\\$&")}] ${quote}`;
}

// Names of files and of checks hold brackets, `[id].tsx` and `test_sum[1-2]`: read as `Citation.read` of records does.
const character = String.raw`[^\]\[\\\n]|\\(?![\]\[])|\\[\]\[]`;
const pair = String.raw`\[(?:${character}|\[(?:${character})*\])*\]`;
const nested = new RegExp(String.raw`^\[((?:${character}|${pair})*)\] ?([\s\S]*)$`);

export function readCitation(text) {
  const whole = nested.exec(text);
  if (whole) return { place: whole[1].replace(/\\([\]\[])/g, "$1"), quote: whole[2] };
  const found = /^\[([^\n]*?)\] ?([\s\S]*)$/.exec(text);
  return found ? { place: found[1], quote: found[2] } : { place: "", quote: text };
}

/** Return the number of the step that a place is in, 0 where it is in none. */
export const stepOf = (place) => Number((/\bstep (\d+)\b/.exec(place) || [0, 0])[1]);

/** Draw the citations into `list`; `remove(at)` is called for the one to be taken out. */
export function listCitations(list, citations, remove) {
  const items = citations.map((text, at) => {
    const { place, quote } = readCitation(text);
    const item = document.createElement("li");
    const number = Object.assign(document.createElement("b"), { textContent: String(at + 1) });
    const said = document.createElement("span");
    const where = (place || "anywhere").replace(/^first /, "left, ").replace(/^second /, "right, ");
    const link = Object.assign(document.createElement("a"), { textContent: where, href: target(place) });
    link.dataset.of = place;
    const words = Object.assign(document.createElement("code"), { textContent: quote || "as a whole" });
    said.append(link, words);
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: "remove" });
    button.setAttribute("aria-label", `Remove citation ${at + 1}`);
    button.addEventListener("click", () => remove(at));
    item.append(number, said, button);
    return item;
  });
  list.replaceChildren(...items);
}

/** Where a citation leads: its step, else the work. */
export function target(place) {
  const step = stepOf(place);
  const side = /^(first|second) /.exec(place);
  return step ? `#${side ? `${side[1]}-` : ""}s${step}` : "#work";
}

/** Mark what is cited in the page, through the highlight registry: the text itself is not touched. */
export function markCitations(citations) {
  if (!CSS.highlights) return;
  const ranges = citations.map(readCitation).map(({ place, quote }) => rangeOf(place, quote)).filter(Boolean);
  CSS.highlights.set("cited", new Highlight(...ranges));
}

function rangeOf(place, quote) {
  const part = partAt(place);
  if (!part || !quote) return null;
  const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
  const at = [];
  let text = "";
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.parentElement.closest("[data-extra], sup, .ln, .sg, summary, .vh")) continue;
    for (let offset = 0; offset < node.length; offset += 1) {
      if (/\s/.test(node.data[offset])) continue;
      text += node.data[offset];
      at.push([node, offset]);
    }
  }
  const wanted = quote.replace(/\s/g, "");
  const start = text.indexOf(wanted);
  if (start < 0) return null;
  const range = document.createRange();
  range.setStart(...at[start]);
  const [node, offset] = at[start + wanted.length - 1];
  range.setEnd(node, offset + 1);
  return range;
}
