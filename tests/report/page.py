"""Read a page as a browser's parser would: balance of tags, ids, links, the text alternative of each drawing."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"meta", "br", "wbr", "link", "img", "hr", "input"}


@dataclass
class Page(HTMLParser):
    """What was found on a page."""

    text: str
    ids: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    drawings: list[dict[str, str | None]] = field(default_factory=list)
    attributes: list[tuple[str, str, str]] = field(default_factory=list)
    headings: list[str] = field(default_factory=list)
    _open: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.feed(self.text)
        self.close()
        self.problems += [f"<{tag}> left open" for tag in self._open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if named.get("id"):
            self.ids.append(str(named["id"]))
        if tag == "svg" and "svg" not in self._open:
            self.drawings.append(named)
        if tag in ("h1", "h2", "h3", "h4"):
            self.headings.append(tag)
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open[-1] != tag:
            self.problems.append(f"</{tag}> closes {self._open[-1:]}")
        else:
            self._open.pop()
