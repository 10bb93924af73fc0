// Steps load in parts as one scrolls, long parts open in place, and `#s7` leads to its step even where it is not there
// yet. Without script the same links lead to pages of their own. What is far away is let go: memory stays bounded.

const MOST_WINDOWS = 12;

const all = document.querySelector("[data-steps]");

if (all) {
  const base = all.dataset.steps;
  const earlier = document.querySelector("[data-earlier]");
  const later = document.querySelector("[data-later]");
  let loading = false;

  const windows = () => [...all.querySelectorAll(":scope > .window")];
  const edges = () => {
    const there = windows();
    return { first: Number(there[0].dataset.first), last: Number(there.at(-1).dataset.last), total: Number(there[0].dataset.total) };
  };

  /** Say what is not on the page, and where it is. */
  function told() {
    const { first, last, total } = edges();
    earlier.hidden = first <= 1;
    earlier.textContent = `Earlier steps: 1 to ${first - 1}`;
    earlier.href = `?at=${Math.max(first - 40, 1)}`;
    later.hidden = last >= total;
    later.textContent = `Steps ${last + 1} to ${total} load as you scroll`;
    later.href = `?at=${last + 1}`;
  }

  async function fetched(query) {
    const words = new URLSearchParams(location.search).get("q");
    const answer = await fetch(`${base}/steps?${query}${words ? `&q=${encodeURIComponent(words)}` : ""}`);
    if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
    const made = document.createElement("template");
    made.innerHTML = await answer.text(); // escaped by the server; the policy lets no script run in it
    return made.content.querySelector(".window");
  }

  async function more(back) {
    const { first, last, total } = edges();
    if (loading || (back ? first <= 1 : last >= total)) return;
    loading = true;
    try {
      const found = await fetched(back ? `to=${first - 1}` : `from=${last + 1}`);
      const height = document.documentElement.scrollHeight;
      if (back) all.prepend(found);
      else all.append(found);
      if (back && scrollY > 0) scrollBy({ top: document.documentElement.scrollHeight - height, behavior: "instant" });
      const there = windows();
      if (there.length > MOST_WINDOWS) (back ? there.at(-1) : there[0]).remove();
      told();
    } catch (error) {
      (back ? earlier : later).textContent = `Could not load more (${error.message}); select to try again`;
    } finally {
      loading = false;
    }
  }

  /** Bring step `number` to the page and go there. */
  async function goTo(number) {
    let step = document.getElementById(`s${number}`);
    if (!step) {
      all.replaceChildren(await fetched(`from=${Math.max(number - 3, 1)}`));
      told();
      step = document.getElementById(`s${number}`);
    }
    if (!step) return;
    for (const other of all.querySelectorAll(".is-here")) other.classList.remove("is-here");
    step.classList.add("is-here");
    step.scrollIntoView({ behavior: "instant" });
    requestAnimationFrame(() => step.scrollIntoView({ behavior: "instant" })); // once more, with true heights
    here(number);
  }

  /** Mark where one is on the rail. */
  function here(number) {
    for (const entry of document.querySelectorAll(".rail a")) {
      const within = number >= Number(entry.dataset.first) && number <= Number(entry.dataset.last);
      if (within) {
        entry.setAttribute("aria-current", "true");
        const rail = entry.parentElement;
        rail.scrollLeft = entry.offsetLeft - rail.offsetLeft - rail.clientWidth / 2;
      } else entry.removeAttribute("aria-current");
    }
  }

  const numberOf = (hash) => Number((/^#s(\d+)$/.exec(hash) || [0, 0])[1]);

  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries) if (entry.isIntersecting) more(entry.target === earlier);
  }, { rootMargin: "1200px" });
  if (later) seen.observe(later);
  earlier?.addEventListener("click", (event) => { event.preventDefault(); more(true); });
  later?.addEventListener("click", (event) => { event.preventDefault(); more(false); });
  addEventListener("scroll", () => {
    if (later && !later.hidden && later.getBoundingClientRect().top < innerHeight + 1200) more(false);
  }, { passive: true });

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const to = new URL(link.href, location.href);
    const number = numberOf(to.hash);
    if (!number || to.pathname !== location.pathname) return;
    event.preventDefault();
    history.pushState(null, "", to.hash);
    goTo(number);
  });
  // A page with keys of its own asks for a step by an event, and is told when it is there.
  all.addEventListener("go", (event) => goTo(event.detail.number).then(event.detail.done, event.detail.done));
  addEventListener("popstate", () => { if (numberOf(location.hash)) goTo(numberOf(location.hash)); });
  if (numberOf(location.hash)) goTo(numberOf(location.hash));

  /** The step that stands at the top of the screen. */
  const current = () => [...all.querySelectorAll(".step")].find((step) => step.getBoundingClientRect().bottom > 120);
  const typing = (target) => target.closest("input, textarea, select, [contenteditable]");
  const keys = {
    j: () => goTo(Number((all.querySelector(".is-here") || current())?.dataset.step || 0) + 1),
    k: () => goTo(Math.max(Number((all.querySelector(".is-here") || current())?.dataset.step || 2) - 1, 1)),
    "/": () => document.querySelector(".search input")?.focus(),
    o: () => unfold(),
  };
  // A page with keys of its own (review) says so, and these stay out of its way.
  if (!all.hasAttribute("data-own-keys")) addEventListener("keydown", (event) => {
    if (typing(event.target) || event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });

  function unfold() {
    const folds = [...all.querySelectorAll("details.fold")];
    const open = folds.some((fold) => !fold.open);
    for (const fold of folds) fold.open = open;
    const button = document.querySelector("[data-unfold]");
    if (button) button.firstChild.textContent = open ? "fold all " : "unfold all ";
  }
  document.querySelector("[data-unfold]")?.addEventListener("click", unfold);
  if (earlier && later) told();
}

// A long part: its next slice, in place of the link that leads to it.
document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[data-part]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const told = link.closest("p");
  try {
    const answer = await fetch(`${link.href}&fragment`);
    if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
    const made = document.createElement("template");
    made.innerHTML = await answer.text();
    told.replaceWith(made.content);
  } catch (error) {
    told.textContent = `Could not load it (${error.message}).`;
  }
});
