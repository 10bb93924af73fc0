"""Act in an app in a browser: the system's Chromium through Playwright (extra `browser`), a screenshot after each step.

Asks the app's host alone: what a page wants from elsewhere is not loaded. Dialogs are accepted.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode, urljoin, urlsplit

from fairtrial.checks.protocol import CheckError
from fairtrial.checks.reading import WorkError, said
from fairtrial.checks.state.workflows.steps import Step
from fairtrial.checks.state.workflows.visitor import Seen, request_body

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page, Route

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MILLISECONDS = 10_000
WAIT_MILLISECONDS = 100
PATIENCE_SECONDS = 5.0
HANGS_SECONDS = 40.0
"""A script without end keeps a browser from answering at all."""
NOWHERE = "http://127.0.0.1:9"
"""A proxy that does not answer: all that leads away from the app goes there, redirects too, which are not routed."""
SWITCHES = ("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", f"--proxy-server={NOWHERE}")
PLACES = "tr, li, article, section, form, fieldset, dl"
_FIELDS = """() => Object.fromEntries([...document.querySelectorAll("input[name], select[name], textarea[name]")]
  .filter(f => !["checkbox", "radio"].includes(f.type) || f.checked).map(f => [f.name, f.value]))"""

GIVEN = (
    "PATH",
    "HOME",
    "LANG",
    "TMPDIR",
    "TZ",
    "XDG_CONFIG_HOME",
    "XDG_CACHE_HOME",
    "FONTCONFIG_PATH",
    "FONTCONFIG_FILE",
)
"""Variables that the browser gets: it shows pages that an agent made."""
_NAMED = """all => all.map((f, at) => ({at, name: f.name, value: f.value, kind: f.type || "",
  options: [...(f.options || [])].map(o => [o.value, o.text.trim()]),
  names: [f.id, f.placeholder, f.getAttribute("aria-label"), ...[...(f.labels || [])].map(l => {
    const bare = l.cloneNode(true);
    bare.querySelectorAll("select, textarea, button, script").forEach(inner => inner.remove());
    return bare.textContent.trim().replace(/\\s+/g, " "); })].filter(Boolean)}))"""
"""Each field with all that it is called by."""


class BrowserVisitor:
    """Acts in Chromium. What scripts do takes its time, so a fact is waited for."""

    patience_seconds = PATIENCE_SECONDS

    def __init__(self, base_url: str, screenshots: str = "") -> None:
        try:
            from playwright.sync_api import sync_playwright
        except ModuleNotFoundError:
            raise CheckError("a browser needs the package `playwright` (extra `browser`)") from None
        program = next((found for name in PROGRAMS if (found := shutil.which(name))), None)
        if program is None:
            raise CheckError(f"there is no browser here: none of {', '.join(PROGRAMS)}")
        self._base_url, self._folder = base_url, screenshots
        self._status, self._taken = 0, list[dict[str, Any]]()
        self._body: str | None = None
        self._url, self._is_killed = "", False
        self._mark = f"--fairtrial-walk={secrets.token_hex(8)}"
        self._playwright = sync_playwright().start()
        try:
            with _broken("the browser does not start"):
                self._start(program)
        except CheckError:
            self._playwright.stop()
            raise

    def _start(self, program: str) -> None:
        address = urlsplit(self._base_url)
        port = address.port or (443 if address.scheme == "https" else 80)
        self._browser = self._playwright.chromium.launch(
            executable_path=program,
            env={name: os.environ[name] for name in GIVEN if name in os.environ},
            args=[*SWITCHES, self._mark, f"--proxy-bypass-list=<-loopback>;{address.hostname}:{port}"],
        )
        self._context = self._browser.new_context(
            viewport={"width": 1280, "height": 800}, locale="en-US", timezone_id="UTC", service_workers="block",
            reduced_motion="reduce", accept_downloads=False,
        )  # fmt: skip
        self._context.set_default_timeout(MILLISECONDS)
        self._context.route("**/*", self._routed)
        self._page: Page = self._context.new_page()
        self._page.on("dialog", lambda dialog: dialog.accept())
        self._page.on("response", self._responded)

    def act(self, step: Step) -> None:
        """Do what one step says; see `Visitor`."""
        try:
            with self._acting():
                self._act(step)
                if step.action != "request":
                    self._body = None
                    self._settle()
        finally:
            self._photograph(step.said)

    def _act(self, step: Step) -> None:
        match step.action:
            case "open":
                self._page.goto(urljoin(f"{self._base_url}/", step.value))
            case "fill":
                for name, value in step.value.items():
                    self._fill(name, value)
            case "click":
                self._shown(self._targets(step.value, step.within), step.value).click()
            case "submit":
                named = f'form[id="{step.value}"], form[name="{step.value}"]' if step.value else "form"
                form = self._shown(self._page.locator(named), step.value or "form")
                form.evaluate("form => form.requestSubmit()")
            case "request":
                self._request(step.value)

    def seen(self) -> Seen:
        """Return what there is to see now."""
        with self._acting():
            address = urlsplit(self._page.url)
            url = (address.path or "/") + (f"?{address.query}" if address.query else "")
            if self._body is not None:
                return Seen(url=self._url, status=self._status, text=self._body, body=self._body)
            lines = (" ".join(line.split()) for line in self._page.locator("body").inner_text().split("\n"))
            text = "\n".join(line for line in lines if line)
            fields = self._page.evaluate(_FIELDS)
            return Seen(url=url, status=self._status, title=self._page.title(), text=text, body=text, fields=fields)

    def evidence(self) -> list[dict[str, Any]]:
        """Return each screenshot: the step, its hash, its file where a folder keeps them."""
        return list(self._taken)

    def close(self) -> None:
        """Close the browser."""
        try:
            if not self._is_killed:
                with _broken("the browser does not close"):
                    self._browser.close()
        finally:
            self._playwright.stop()

    @contextmanager
    def _acting(self) -> Iterator[None]:
        """Say as a WorkError what could not be done in the app; end a browser that a page keeps from answering."""
        from playwright.sync_api import Error

        watch = threading.Timer(HANGS_SECONDS, self._kill)
        watch.start()
        try:
            yield
        except Error as error:
            first = str(error).strip().split("\n")[0]
            why = f"did not answer for {HANGS_SECONDS:g} s" if self._is_killed else f"cannot do it: {said(first, 200)}"
            raise WorkError(f"the browser {why}") from None
        finally:
            watch.cancel()
            watch.join()

    def _kill(self) -> None:
        """End the browser, known by its mark: only its driver knows its number."""
        self._is_killed = True
        for folder in Path("/proc").iterdir():
            try:
                if folder.name.isdigit() and self._mark.encode() in (folder / "cmdline").read_bytes():
                    os.kill(int(folder.name), signal.SIGKILL)
            except OSError:
                continue

    def _routed(self, route: Route) -> None:
        there, here = urlsplit(route.request.url), urlsplit(self._base_url)
        if there.scheme in ("data", "blob") or (there.hostname, there.port) == (here.hostname, here.port):
            route.continue_()
        else:
            route.abort()

    def _responded(self, response: Any) -> None:
        if response.request.is_navigation_request() and response.frame == self._page.main_frame:
            self._status = response.status

    def _settle(self) -> None:
        """Wait until nothing is loaded any more, but not for a page that never stops."""
        from playwright.sync_api import TimeoutError as Late

        try:
            self._page.wait_for_load_state("networkidle", timeout=MILLISECONDS / 2)
        except Late:
            return

    def _photograph(self, said_of: str) -> None:
        try:
            with self._acting():
                data = self._page.screenshot(animations="disabled", caret="hide")
        except WorkError as fault:
            self._taken.append({"step": said_of, "missing": str(fault)})
            return
        row = {"step": said_of, "sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}
        if self._folder:
            path = Path(self._folder) / f"{len(self._taken) + 1:02d}.png"
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
            except OSError as error:
                raise CheckError(f"a screenshot cannot be kept: {error}") from error
            row["file"] = path.name
        self._taken.append(row)

    def _targets(self, text: str, within: str) -> Locator:
        inside = self._page.locator(PLACES).filter(has_text=within).last if within else self._page.locator("body")
        if text.startswith("#"):
            return inside.locator(text)
        named = inside.get_by_role("button", name=text, exact=True)
        return named.or_(inside.get_by_role("link", name=text, exact=True))

    def _fill(self, name: str, value: Any) -> None:
        fields = self._page.locator("input, select, textarea")
        known = self._known(fields, name)
        if known and all(one["kind"] == "radio" for one in known):
            known = [one for one in known if str(value) in (one["value"], *one["names"])]
        one = self._one([fields.nth(one["at"]) for one in known], name)
        kind = known[0]["kind"]
        if kind == "radio":
            one.check()
        elif kind == "checkbox":
            one.set_checked(bool(value))
        elif kind.startswith("select"):
            choice = next((known for known, text in known[0]["options"] if str(value) in (known, text)), None)
            if choice is None:
                raise WorkError(f"the field {said(name)} has no choice {said(value)}")
            one.select_option(value=choice)
        else:
            one.fill(str(value))

    def _known(self, fields: Locator, name: str) -> list[dict[str, Any]]:
        """Return the fields called `name`, waited for."""
        end = time.monotonic() + PATIENCE_SECONDS
        while True:
            known = [one for one in fields.evaluate_all(_NAMED) if name in (one["name"], *one["names"])]
            if known or time.monotonic() >= end:
                return known
            self._page.wait_for_timeout(WAIT_MILLISECONDS)

    def _shown(self, found: Locator, name: str) -> Locator:
        """Return the one visible element of `found`, waited for."""
        end = time.monotonic() + PATIENCE_SECONDS
        while not any(one.is_visible() for one in found.all()) and time.monotonic() < end:
            self._page.wait_for_timeout(WAIT_MILLISECONDS)
        return self._one(found.all(), name)

    @staticmethod
    def _one(found: Sequence[Locator], name: str) -> Locator:
        """Return the one visible element of `found`. Raise WorkError where there is not one."""
        visible = [one for one in found if one.is_visible()]
        if len(visible) != 1:
            raise WorkError(f"there are {len(visible)} elements {said(name)} to be seen, and one is wanted")
        return visible[0]

    def _request(self, value: dict[str, Any]) -> None:
        if "form" in value:
            kind, body = "application/x-www-form-urlencoded", urlencode(value["form"], doseq=True)
        else:
            kind, body = request_body(value)
        method = str(value.get("method", "POST" if body else "GET")).upper()
        headers = {**({"Content-Type": kind} if body else {}), **dict(value.get("headers", {}))}
        url = urljoin(f"{self._base_url}/", value["path"])
        there, here = urlsplit(url), urlsplit(self._base_url)
        if (there.hostname, there.port) != (here.hostname, here.port):
            raise WorkError(f"{said(url)} leads away from the app at {self._base_url}")
        answer = self._context.request.fetch(url, method=method, headers=headers, data=body or None, max_redirects=0)
        self._status, self._body = answer.status, answer.text()
        self._url = there.path + (f"?{there.query}" if there.query else "")


@contextmanager
def _broken(what: str) -> Iterator[None]:
    from playwright.sync_api import Error

    try:
        yield
    except Error as error:
        raise CheckError(f"{what}: {str(error).strip()[:200]}") from None
