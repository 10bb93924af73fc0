// Keeps the page of a watched run fresh: asks every three seconds, and puts new content in the place of the old.

const EVERY_MS = 3000;
const fresh = document.getElementById("fresh");
let tag = "";

// Wide tables stay where they were scrolled to.
function put(fresh) {
  const main = document.querySelector("main");
  const left = [...main.querySelectorAll(".scroller")].map((one) => one.scrollLeft);
  const next = document.adoptNode(fresh);
  main.replaceWith(next);
  next.querySelectorAll(".scroller").forEach((one, at) => { one.scrollLeft = left[at] || 0; });
}

async function ask() {
  try {
    const answer = await fetch("/", { headers: tag ? { "If-None-Match": tag } : {}, cache: "no-store" });
    if (answer.status === 200) {
      tag = answer.headers.get("ETag") || "";
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      put(page.querySelector("main"));
      document.title = page.title;
      fresh.textContent = `so far, at ${new Date().toLocaleTimeString("en-GB")}`;
    } else if (answer.status !== 304) {
      fresh.textContent = `△ not read: ${(await answer.text()).trim().slice(0, 200)}`;
    }
  } catch {
    fresh.textContent = "△ the server does not answer; this is what it said last";
  }
  setTimeout(ask, EVERY_MS);
}

setTimeout(ask, EVERY_MS);
