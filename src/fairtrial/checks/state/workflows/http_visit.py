"""Act in an app over HTTP, as a browser without scripts would: follow links, fill in forms, press their buttons."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit, urlunsplit

from fairtrial.checks.reading import WorkError, said
from fairtrial.checks.state.workflows.page import Field, Form, Page, Target, fields_of, read_page, spaced
from fairtrial.checks.state.workflows.steps import Step
from fairtrial.checks.state.workflows.visitor import Seen, request_body
from fairtrial.checks.state.workflows.web import Answer, Web

_NAMED = 10


class HttpVisitor:
    """Acts over HTTP. Nothing changes by itself, so no fact is waited for."""

    patience_seconds = 0.0

    def __init__(self, base_url: str) -> None:
        self._web = Web(base_url)
        self._answer: Answer | None = None
        self._page = Page()

    def act(self, step: Step) -> None:
        """Do what one step says; see `Visitor`."""
        match step.action:
            case "open":
                self._came(self._web.ask("GET", step.value))
            case "fill":
                for name, value in step.value.items():
                    self._fill(name, value)
            case "click":
                self._click(self._target(step.value, step.within))
            case "submit":
                form = self._form(step.value)
                self._send(form, form.action, [])
            case "request":
                self._request(step.value)

    def seen(self) -> Seen:
        """Return what there is to see now."""
        if self._answer is None:
            return Seen()
        return Seen(
            url=_path(self._answer.url), status=self._answer.status, title=self._page.title,
            text=self._page.text, body=self._answer.body, fields=dict(fields_of(self._page)),
        )  # fmt: skip

    def evidence(self) -> list[dict[str, Any]]:
        """Return nothing: what was seen is told by the facts."""
        return []

    def close(self) -> None:
        """Leave the app; nothing is held open."""

    def _came(self, answer: Answer) -> None:
        self._answer = answer
        is_page = answer.kind in ("text/html", "application/xhtml+xml")
        self._page = read_page(answer.body) if is_page else Page(text=answer.body)

    def _request(self, value: dict[str, Any]) -> None:
        method = str(value.get("method", "GET" if {"json", "form", "body"}.isdisjoint(value) else "POST")).upper()
        headers = {str(name): str(one) for name, one in dict(value.get("headers", {})).items()}
        if "form" in value:
            kind, body = "application/x-www-form-urlencoded", urlencode(value["form"], doseq=True)
        else:
            kind, body = request_body(value)
        self._came(self._web.ask(method, value["path"], body, kind if body else "", headers))

    def _fill(self, name: str, value: Any) -> None:
        found = [one for form in self._page.forms for one in form.fields if name in (one.name, *one.names)]
        is_choice = bool(found) and all(one.kind == "radio" for one in found)
        if not found:
            known = ", ".join(one.name for form in self._page.forms for one in form.fields if one.name)
            raise WorkError(f"there is no field {said(name)} at {self.seen().url}; there are {said(known, 200)}")
        if is_choice:
            _choose(found, str(value), name)
            return
        if len(found) > 1:
            raise WorkError(f"there are {len(found)} fields {said(name)} at {self.seen().url}")
        _set(found[0], value, name)

    def _target(self, text: str, within: str) -> Target:
        wanted = spaced(text)
        found = [one for one in self._page.targets if wanted == one.text or text in one.names]
        if within:
            found = [one for one in found if any(spaced(within) in words for words in one.places)]
        distinct = {(one.href, one.form, one.field, one.action) for one in found}
        where = f" within {said(within)}" if within else ""
        if not found:
            known = ", ".join(said(one.text, 40) for one in self._page.targets[:_NAMED])
            raise WorkError(f"there is no link or button {said(text)}{where} at {self.seen().url}; there are {known}")
        if len(distinct) > 1:
            raise WorkError(f"there are {len(distinct)} links or buttons {said(text)}{where} at {self.seen().url}")
        if found[0].is_dead:
            raise WorkError(f"the button {said(text)}{where} does nothing without a script, or is disabled")
        return found[0]

    def _click(self, target: Target) -> None:
        if target.form < 0:
            if target.href.strip().lower().startswith(("javascript:", "#")):
                raise WorkError(f"the link {said(target.text)} does nothing without a script")
            self._came(self._web.ask("GET", self._absolute(target.href)))
            return
        form = self._page.forms[target.form]
        self._send(form, target.action or form.action, [target.field] if target.field[0] else [])

    def _form(self, name: str) -> Form:
        found = [form for form in self._page.forms if not name or name in form.names]
        if len(found) != 1:
            raise WorkError(f"there are {len(found)} forms {said(name)} at {self.seen().url}, and one is wanted")
        return found[0]

    def _send(self, form: Form, action: str, pressed: Sequence[tuple[str, str]]) -> None:
        pairs = [
            (one.name, one.value)
            for one in form.fields
            if one.name and one.is_sent and (one.kind not in ("checkbox", "radio") or one.is_checked)
        ]
        pairs += pressed
        url = self._absolute(action or (self._answer.url if self._answer else ""))
        if form.method != "post":
            address = urlsplit(url)
            self._came(self._web.ask("GET", urlunsplit((*address[:3], urlencode(pairs), ""))))
            return
        kind, body = _multipart(pairs) if "multipart" in form.encoding else (
            "application/x-www-form-urlencoded", urlencode(pairs))  # fmt: skip
        self._came(self._web.ask("POST", url, body, kind))

    def _absolute(self, url: str) -> str:
        here = self._answer.url if self._answer else ""
        try:
            return urljoin(urljoin(here, self._page.base), url)
        except ValueError:
            raise WorkError(f"the link to {said(url)} leads nowhere") from None


def _set(one: Field, value: Any, name: str) -> None:
    if one.is_fixed:
        raise WorkError(f"the field {said(name)} cannot be filled in: it is hidden, disabled or read-only")
    if one.kind == "checkbox":
        if not isinstance(value, bool):
            raise WorkError(f"the field {said(name)} is a box: it is filled in with true or false")
        one.is_checked = value
    elif one.kind == "select":
        choice = next((known for known, text in one.options if str(value) in (known, text)), None)
        if choice is None:
            known = ", ".join(text for _, text in one.options)
            raise WorkError(f"the field {said(name)} has no choice {said(value)}; it has {said(known, 200)}")
        one.value = choice
    elif one.kind == "file":
        raise WorkError(f"the field {said(name)} wants a file, which walks do not hand in")
    else:
        one.value = str(value)


def _choose(choices: Sequence[Field], value: str, name: str) -> None:
    chosen = [one for one in choices if value in (one.value, *one.names)]
    if len(chosen) != 1 or chosen[0].is_fixed:
        raise WorkError(f"the field {said(name)} has no one choice {said(value)} that can be made")
    for one in choices:
        one.is_checked = one is chosen[0]


def _multipart(pairs: Sequence[tuple[str, str]]) -> tuple[str, str]:
    mark = uuid.uuid4().hex
    parts = "".join(
        f'--{mark}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n' for name, value in pairs
    )
    return f"multipart/form-data; boundary={mark}", f"{parts}--{mark}--\r\n"


def _path(url: str) -> str:
    address = urlsplit(url)
    return (address.path or "/") + (f"?{address.query}" if address.query else "")
