"""What a user without scripts sees of an HTML page: its text, links, and forms with their fields and buttons.

Hidden elements, scripts and styles are no text. Not read: style sheets, frames, images, what scripts would add.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from dataclasses import field as made
from html.parser import HTMLParser
from typing import Any

from fairtrial.checks.limits import limited

SECONDS = 10.0
BLOCKS = frozenset({
    "address", "article", "aside", "blockquote", "br", "caption", "dd", "div", "dl", "dt", "fieldset",
    "figcaption", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "legend", "li", "main",
    "nav", "ol", "option", "p", "pre", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr",
    "ul",
})  # fmt: skip
UNSEEN = frozenset({"script", "title", "style", "template", "head", "noscript", "object", "svg", "iframe"})
VOID = frozenset({
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
})  # fmt: skip
ENDED_BY: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    "li": (frozenset({"li"}), frozenset({"ul", "ol"})),
    "tr": (frozenset({"tr"}), frozenset({"table"})),
    "td": (frozenset({"td", "th"}), frozenset({"tr", "table"})),
    "th": (frozenset({"td", "th"}), frozenset({"tr", "table"})),
    "dt": (frozenset({"dt", "dd"}), frozenset({"dl"})),
    "dd": (frozenset({"dt", "dd"}), frozenset({"dl"})),
    "option": (frozenset({"option"}), frozenset({"select"})),
    "body": (frozenset({"head"}), frozenset()),
}
"""Elements that a start tag ends though their end tag is left out, and those that it does not reach beyond."""
OF_HEAD = frozenset({
    "base", "link", "meta", "noscript", "script", "style", "template", "title",
})  # fmt: skip
NOT_BEYOND = frozenset({"button", "table", "td", "th", "caption", "body", "html", "form", "div", "li"})
PLACES = frozenset({"tr", "li", "article", "section", "form", "fieldset", "dl"})
"""Elements whose words tell one button from another of the same name."""
_HIDING = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)


@dataclass(slots=True)
class Field:
    """A field of a form."""

    name: str
    kind: str
    value: str = ""
    is_checked: bool = False
    is_fixed: bool = False
    """Disabled or read-only."""
    is_sent: bool = True
    """False where it is disabled."""
    options: list[tuple[str, str]] = made(default_factory=list)
    """Value and text of each choice of a list."""
    names: list[str] = made(default_factory=list)
    """Id, label, placeholder: what else it is called."""


@dataclass(slots=True)
class Form:
    """A form."""

    action: str
    method: str
    encoding: str
    names: list[str]
    fields: list[Field] = made(default_factory=list)


@dataclass(slots=True)
class Target:
    """A link or a button."""

    text: str
    names: list[str]
    href: str = ""
    form: int = -1
    """Number of its form; -1 for a link."""
    field: tuple[str, str] = ("", "")
    """What a button sends: name and value."""
    action: str = ""
    """What a button says instead of its form's action."""
    is_dead: bool = False
    """Disabled, or a button that does nothing without a script."""
    places: list[str] = made(default_factory=list)
    """Words of the rows, items and forms that it is in."""


@dataclass(slots=True)
class Page:
    """An HTML page as a user sees it."""

    title: str = ""
    text: str = ""
    base: str = ""
    forms: list[Form] = made(default_factory=list)
    targets: list[Target] = made(default_factory=list)


def spaced(text: str) -> str:
    """Return `text` with runs of white space as one space.

    >>> spaced(" a\\n b ")
    'a b'
    """
    return " ".join(text.split())


def read_page(html: str) -> Page:
    """Return what a user sees of `html`. Raise WorkError where that takes too long.

    >>> read_page("<title>T</title><p>Hello <b>you</b><p hidden>not this<script>x</script>").text
    'Hello you'
    """
    found = limited(lambda: asdict(_parsed(html)), "the page", seconds=SECONDS)
    return Page(
        title=found["title"], text=found["text"], base=found["base"],
        forms=[Form(**{**form, "fields": [_field(one) for one in form["fields"]]}) for form in found["forms"]],
        targets=[Target(**{**one, "field": tuple(one["field"])}) for one in found["targets"]],
    )  # fmt: skip


def _field(found: dict[str, Any]) -> Field:
    return Field(**{**found, "options": [(value, text) for value, text in found["options"]]})


def _parsed(html: str) -> Page:
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return reader.finished()


@dataclass(slots=True)
class _Element:
    tag: str
    attributes: dict[str, str]
    is_unseen: bool
    begins: int
    """Number of pieces of text before it."""
    targets: list[Target] = made(default_factory=list)
    fields: list[Field] = made(default_factory=list)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.page = Page()
        self.open: list[_Element] = []
        self.pieces: list[str] = []
        self.titles: list[str] = []
        self.labels: list[tuple[str, str]] = []
        """What each label is for, and its words."""
        self.form = -1

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self._end_what_is_implied(tag)
        hides = tag in UNSEEN or "hidden" in given or bool(_HIDING.search(given.get("style", "")))
        unseen = hides or (bool(self.open) and self.open[-1].is_unseen)
        if tag in BLOCKS:
            self.pieces.append("\n")
        element = _Element(tag, given, unseen, len(self.pieces))
        if tag == "base":
            self.page.base = self.page.base or given.get("href", "")
        if tag == "form":
            self._form(given)
        elif tag in ("input", "textarea", "select"):
            self._field(element)
        elif tag == "option" and self.form >= 0:
            self._option(given)
        elif tag == "a" and "href" in given and not unseen:
            element.targets.append(Target("", _names(given), href=given["href"]))
        elif tag == "button" and not unseen:
            element.targets.append(self._button(given, given.get("type", "submit").lower(), ""))
        if tag not in VOID:
            self.open.append(element)
        else:
            self._added(element)

    def handle_endtag(self, tag: str) -> None:
        if not any(element.tag == tag for element in self.open[-100:]):
            return
        while self.open:
            element = self.open.pop()
            self._closed(element)
            if element.tag == tag:
                break
        if tag in BLOCKS:
            self.pieces.append("\n")

    def _end_what_is_implied(self, tag: str) -> None:
        """Close elements whose end tag may be left out, as browsers do."""
        if tag not in OF_HEAD and self.open and self.open[-1].tag == "head":
            self.handle_endtag("head")
        ended, bounds = ENDED_BY.get(tag, (frozenset[str](), frozenset[str]()))
        if tag in BLOCKS and not ended:
            ended, bounds = frozenset({"p"}), NOT_BEYOND
        for element in reversed(self.open[-50:]):
            if element.tag in ended:
                self.handle_endtag(element.tag)
                return
            if element.tag in bounds:
                return

    def handle_data(self, data: str) -> None:
        inner = self.open[-1] if self.open else None
        if inner is not None and inner.tag == "title" and not any(one.tag == "svg" for one in self.open):
            self.titles.append(data)
        if inner is not None and inner.tag == "option":
            self._option_text(data)
            return
        if inner is None or not inner.is_unseen:
            self.pieces.append(data)

    def finished(self) -> Page:
        """Return the page."""
        while self.open:
            self._closed(self.open.pop())
        self.page.title = spaced("".join(self.titles))
        lines = (spaced(line) for line in "".join(self.pieces).split("\n"))
        self.page.text = "\n".join(line for line in lines if line)
        for one in (one for form in self.page.forms for one in form.fields):
            if one.kind == "select":
                _settle(one)
            one.names += [words for target, words in self.labels if target and target in one.names]
        return self.page

    def _words(self, element: _Element) -> str:
        return spaced("".join(self.pieces[element.begins :]))

    def _closed(self, element: _Element) -> None:
        if element.tag == "form":
            self.form = -1
        if element.tag == "label":
            self.labels.append((element.attributes.get("for", ""), self._words(element)))
            for one in element.fields:
                one.names.append(self._words(element))
        if element.tag == "textarea" and (area := self._last_field()) is not None and area.kind == "textarea":
            area.value = "".join(self.pieces[element.begins :]).removeprefix("\n")
            del self.pieces[element.begins :]
        if element.tag in ("a", "button"):
            for target in element.targets:
                target.text = target.text or self._words(element)
        if element.tag in PLACES and element.targets:
            words = self._words(element)
            for target in element.targets:
                target.places.append(words)
        self._added(element)

    def _added(self, element: _Element) -> None:
        """Hand the targets of a closed element to the one around it, or to the page."""
        if self.open:
            self.open[-1].targets += element.targets
        else:
            self.page.targets += element.targets

    def _form(self, given: dict[str, str]) -> None:
        names = [given[key] for key in ("id", "name", "aria-label") if given.get(key)]
        method = given.get("method", "get").lower()
        self.page.forms.append(Form(given.get("action", ""), method, given.get("enctype", ""), names))
        self.form = len(self.page.forms) - 1

    def _last_field(self) -> Field | None:
        fields = self.page.forms[self.form].fields if self.form >= 0 else []
        return fields[-1] if fields else None

    def _field(self, element: _Element) -> None:
        given = element.attributes
        kind = given.get("type", "text").lower() if element.tag == "input" else element.tag
        if kind in ("submit", "image", "button", "reset"):
            if not element.is_unseen:
                element.targets.append(self._button(given, kind, given.get("value", "Submit")))
            return
        if self.form < 0:
            return
        value = given.get("value", "on" if kind in ("checkbox", "radio") else "")
        is_dead = "disabled" in given
        is_fixed = is_dead or "readonly" in given or kind == "hidden"
        names = _names(given)
        found = Field(given.get("name", ""), kind, value, "checked" in given, is_fixed, not is_dead, names=names)
        self.page.forms[self.form].fields.append(found)
        if label := next((one for one in reversed(self.open) if one.tag == "label"), None):
            label.fields.append(found)

    def _option(self, given: dict[str, str]) -> None:
        found = self._last_field()
        if found is not None and found.kind == "select":
            found.options.append((given.get("value", "\0"), given.get("label", "")))
            if "selected" in given:
                found.value = f"\0{len(found.options) - 1}"

    def _option_text(self, data: str) -> None:
        found = self._last_field()
        if found is not None and found.options:
            value, text = found.options[-1]
            found.options[-1] = (value, text + data)

    def _button(self, given: dict[str, str], kind: str, text: str) -> Target:
        is_dead = "disabled" in given or kind in ("button", "reset") or self.form < 0
        sends = (given.get("name", ""), given.get("value", ""))
        names = _names(given)
        return Target(text, names, form=self.form, field=sends, action=given.get("formaction", ""), is_dead=is_dead)


def _settle(choice: Field) -> None:
    """Give options without a value their text as value, and the list the value that is chosen."""
    chosen = int(choice.value[1:]) if choice.value.startswith("\0") else 0
    choice.options = [(spaced(text) if value == "\0" else value, spaced(text)) for value, text in choice.options]
    choice.value = choice.options[chosen][0] if choice.options else ""


def _names(given: dict[str, str]) -> list[str]:
    named = [given[key] for key in ("id", "aria-label", "placeholder", "title", "alt") if given.get(key)]
    return [*named, f"#{given['id']}"] if given.get("id") else named


def fields_of(page: Page) -> Iterator[tuple[str, str]]:
    """Yield name and value of each field that has a name, unchecked boxes left out."""
    for one in (one for form in page.forms for one in form.fields):
        if one.name and (one.kind not in ("checkbox", "radio") or one.is_checked):
            yield one.name, one.value
