"""Markdown of a scan's page: the report's, with the pairs and clusters after the sections that tell of them."""

from __future__ import annotations

from fairtrial.report.contamination.data import Group, Pair, ScanPage, Side
from fairtrial.report.markdown import escape
from fairtrial.report.markdown import markdown as report_markdown


def markdown(page: ScanPage) -> str:
    """Return the page as Markdown."""
    more = {
        "pairs": [line for pair in page.pairs for line in _pair(pair)],
        "clusters": [line for group in page.groups for line in _group(group)],
    }
    return report_markdown(page.report, more)


def _pair(pair: Pair) -> list[str]:
    return [f"#### △ {escape(pair.label)}", "", *_side(pair.train), *_side(pair.item)]


def _side(side: Side) -> list[str]:
    lines = [f"{escape(side.title)} ({escape(side.where)})" if side.where else escape(side.title), ""]
    if side.missing:
        return [*lines, f"☐ {escape(side.missing)}", ""]
    return [*lines, *_fenced(side.before + "".join(piece.text for piece in side.pieces) + side.after)]


def _group(group: Group) -> list[str]:
    lines = [f"#### {escape(group.title)}", "", escape(group.about), ""]
    if group.item:
        lines += ["The item:", "", *_fenced(group.item)]
    for skeleton in group.skeletons:
        lines += [
            f"Template of {escape(skeleton.explains)}:",
            "",
            *_fenced("".join(part.text for part in skeleton.parts)),
        ]
    for name, text in group.examples:
        lines += [f"Row {escape(name)}:", "", *_fenced(text)]
    return lines


def _fenced(text: str) -> list[str]:
    """Return text as an indented block, which nothing in it can end."""
    return [*(f"    {line}".rstrip() for line in text.split("\n")), ""]
