// Search the steps of a trajectory: the server says where the words stand, Enter goes from one to the next, and what is
// on the page is marked through the highlight registry, so that the text is not touched.

import { read } from "/static/door.js";

const WAIT = 200; // ms of quiet before the server is asked

/** Search below `base`; `go(step)` brings a step to the page. */
export function searching(input, told, base, go) {
  let hits = [];
  let total = 0;
  let at = -1;
  let timer = 0;
  let asked = 0;

  async function ask() {
    const query = input.value.trim();
    const turn = ++asked;
    hits = [];
    at = -1;
    if (query) {
      try {
        const found = JSON.parse(await read(`${base}/search?q=${encodeURIComponent(query)}`));
        if (turn !== asked) return;
        ({ hits, total } = found);
      } catch (error) {
        told.textContent = "search failed";
        return;
      }
    }
    mark(query);
    tell();
  }

  function tell() {
    if (!input.value.trim()) told.textContent = "";
    else told.textContent = hits.length ? `${at < 0 ? "" : `${at + 1} of `}${total.toLocaleString("en")}` : "none";
  }

  async function next(by) {
    if (!hits.length) return;
    at = (at + by + hits.length) % hits.length;
    tell();
    await go(hits[at].step);
    const part = document.querySelector(`[data-place="${CSS.escape(hits[at].place)}"]`);
    if (part?.tagName === "DETAILS") part.open = true;
    mark(input.value.trim());
    const same = hits.slice(0, at).filter((hit) => hit.place === hits[at].place).length;
    const range = part && ranges(part, input.value.trim())[same];
    if (CSS.highlights && range) {
      CSS.highlights.set("found-here", new Highlight(range));
      range.startContainer.parentElement.scrollIntoView({ block: "center", behavior: "instant" });
    }
  }

  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(ask, WAIT);
  });
  input.addEventListener("keydown", async (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    clearTimeout(timer);
    if (at < 0 && !hits.length) await ask();
    next(event.shiftKey ? -1 : 1);
  });
}

function mark(query) {
  if (!CSS.highlights) return;
  const found = query ? [...document.querySelectorAll("[data-steps] [data-place]")].flatMap((part) => ranges(part, query)) : [];
  CSS.highlights.set("found", new Highlight(...found.slice(0, 2000)));
  if (!query) CSS.highlights.delete("found-here");
}

/** Where the words stand in one part, case aside; hits that run over coloured pieces are found, too. */
function ranges(part, query) {
  const nodes = [];
  const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
  let text = "";
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.parentElement.closest("[data-extra], sup, .ln, .sg, summary, .vh")) continue;
    nodes.push([text.length, node]);
    text += node.data;
  }
  const words = query.split(/\s+/).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("\\s+");
  const place = (offset) => {
    const [start, node] = nodes.findLast(([from]) => from <= offset);
    return [node, offset - start];
  };
  return [...text.matchAll(new RegExp(words, "gi"))].map((match) => {
    const range = document.createRange();
    range.setStart(...place(match.index));
    const [node, offset] = place(match.index + match[0].length - 1);
    range.setEnd(node, offset + 1);
    return range;
  });
}
