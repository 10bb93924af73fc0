"""HTML: one self-contained file from the report's data, by templates that a live server can share. No script.

Everything that came from outside is escaped by jinja; only our own charts and style sheet are marked safe.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from fairtrial.report.charts import Drawing, draw_figure
from fairtrial.report.data import Report

TEMPLATES = Path(__file__).parent / "templates"
_UNBROKEN = re.compile(
    r"`[^`\s](?:[^`\n]*[^`\s])?`|\[[^\[\]\s]+, [^\[\]\s]+\]|\b[nkGp] = [\d,]+|[≤≥<] [\d.,]+%?|\d [×→] \d"
)
_UNBROKEN_SPAN = Markup('<span class="unbroken">{}</span>')
_SEPARATORS = re.compile(r"(?<=[_\-/@:])(?=[^\s])|(?<=\.)(?=[^\s\d])")
_LONG_WORD = re.compile(r"\S{24,}")


def html(report: Report) -> str:
    """Return the report as one HTML page."""
    drawings: dict[str, tuple[Drawing, ...]] = {
        figure.key: draw_figure(figure)
        for section in report.sections
        for block in section.blocks
        for figure in block.figures
    }
    return environment().get_template("report.html.j2").render(report=report, drawings=drawings, style=style())


@cache
def environment() -> Environment:
    """Return the templates' environment with the filters `fit`, `name` and `place`."""
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {"fit": fit, "name": breakable, "place": place}
    return made


@cache
def style() -> str:
    """Return the style sheet."""
    return (TEMPLATES / "style.css").read_text(encoding="utf-8")


def fit(text: str) -> Markup:
    """Return escaped text: intervals and `n = 80` never broken across lines, long names breakable, `code` as code.

    >>> str(fit("17.8% [12.3, 24.7] <b>"))
    '17.8% <span class="unbroken">[12.3, 24.7]</span> &lt;b&gt;'
    >>> str(fit("runs `cp a b` and ` no`"))
    'runs <code>cp a b</code> and ` no`'
    """
    parts, last = [], 0
    for found in _UNBROKEN.finditer(text):
        whole, is_code = found.group(), found.group().startswith("`")
        kept = Markup("<code>{}</code>").format(breakable(whole[1:-1])) if is_code else _UNBROKEN_SPAN.format(whole)
        parts += [_long_words(text[last : found.start()]), kept]
        last = found.end()
    return Markup("").join([*parts, _long_words(text[last:])])


def breakable(name: str) -> Markup:
    """Return an escaped name that may be broken after its separators.

    >>> str(breakable("a_b"))
    'a_<wbr>b'
    """
    return Markup("<wbr>").join(escape(piece) for piece in _SEPARATORS.split(name))


def place(share: float) -> str:
    """Return a share as a position in percent, within the scale.

    >>> place(0.12345), place(1.2)
    ('12.35%', '100.00%')
    """
    return f"{min(max(share, 0.0), 1.0) * 100:.2f}%"


def _long_words(text: str) -> Markup:
    """Return escaped text with break opportunities in words of 24 characters and more."""
    parts, last = [], 0
    for found in _LONG_WORD.finditer(text):
        parts += [escape(text[last : found.start()]), breakable(found.group())]
        last = found.end()
    return Markup("").join([*parts, escape(text[last:])])
