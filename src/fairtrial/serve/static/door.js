// What changes something on the server goes through `send`: it carries the reader's CSRF token, and fetches a new one
// where the server was started anew meanwhile. Errors are told apart, because what is to be done about them differs.

/** The server cannot be reached, or broke; the same request may work later. */
export class Unreachable extends Error {}

/** The server refused: `status` and what it said. */
export class Refused extends Error {
  constructor(status, document) {
    super(document.what || `The server refused (${status}).`);
    this.status = status;
    this.document = document;
  }
}

const PLAIN = {
  401: "your link is not valid any longer; open the one that the server printed",
  403: "this page is not the server's own",
  404: "this row is not open to you any longer",
  413: "it is more than the server takes",
};

const meta = () => document.querySelector('meta[name="fairtrial"]');

/** Send `content` as JSON and return the JSON answer. Throws Unreachable or Refused. */
export async function send(method, url, content, { keepalive = false } = {}) {
  let answer = await asked(method, url, content, keepalive);
  if (answer.status === 403 && (await renewed())) answer = await asked(method, url, content, keepalive);
  if (answer.status >= 500) throw new Unreachable(`The server broke (${answer.status}).`);
  const text = await answer.text();
  let document = {};
  try {
    document = JSON.parse(text);
  } catch {
    document = { what: PLAIN[answer.status] || `the server refused (${answer.status})` };
  }
  if (!answer.ok) throw new Refused(answer.status, document);
  return document;
}

/** Return the text at `url`. Throws Unreachable or Refused. */
export async function read(url) {
  let answer;
  try {
    answer = await fetch(url, { credentials: "same-origin" });
  } catch (error) {
    throw new Unreachable(String(error));
  }
  if (answer.status >= 500) throw new Unreachable(`The server broke (${answer.status}).`);
  if (!answer.ok) throw new Refused(answer.status, { what: PLAIN[answer.status] });
  return answer.text();
}

async function asked(method, url, content, keepalive) {
  try {
    return await fetch(url, {
      method,
      keepalive,
      credentials: "same-origin",
      headers: { "Content-Type": "application/json", "X-Fairtrial": meta().content },
      body: JSON.stringify(content),
    });
  } catch (error) {
    throw new Unreachable(String(error));
  }
}

/** Take the CSRF token of this very page as the server gives it now; say whether it is another one. */
async function renewed() {
  const before = meta().content;
  const page = new DOMParser().parseFromString(await read(location.pathname), "text/html");
  const fresh = page.querySelector('meta[name="fairtrial"]');
  if (fresh) meta().content = fresh.content;
  return Boolean(fresh) && fresh.content !== before;
}
