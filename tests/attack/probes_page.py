"""Write docs/probes.md from the catalogue: run `python tests/attack/probes_page.py` after a card has changed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from fairtrial.attack import Card, cards
from fairtrial.attack.classes import CLASSES, covering

PAGE = Path(__file__).resolve().parents[2] / "docs" / "probes.md"
TITLES = {"workspace": "Workspaces", "text": "Text graders", "judge": "Judges"}


def page() -> str:
    """Return the page: probes of each surface, rules of static reading, classes."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    every = cards()
    tried = [card for card in every if card.family != "static"]
    rules = [card for card in every if card.family == "static"]
    yield "# Probes"
    yield ""
    yield "Everything that is tried against a grader, as `fairtrial attack --list` shows it ([attack](attack.md))."
    yield "Written from the catalogue."
    for surface, title in TITLES.items():
        yield from (
            "",
            f"## {title}",
            "",
            "| probe | family | hands in | a sound grader | covers |",
            "|---|---|---|---|---|",
        )
        yield from (_row(card) for card in tried if card.surface == surface)
    yield from ("", "## Static reading", "", "| rule | reads the source for | covers |", "|---|---|---|")
    for card in rules:
        yield f"| `{card.id}` | {_cell(card.submits.partition(' source for ')[2])} | {', '.join(card.classes)} |"
    yield from ("", "## Classes", "", "| class | | covered by |", "|---|---|---|")
    for one in CLASSES:
        covered = ", ".join(f"`{name}`" for name in covering(one, tried))
        read = len(covering(one, rules))
        parts = [covered, f"{read} rule{'s' * (read > 1)} of static reading" if read else "", one.why_not]
        yield f"| {one.id} | {one.title} | {'; '.join(part for part in parts if part)} |"


def _row(card: Card) -> str:
    return f"| `{card.id}` | {card.family} | {_cell(card.submits)} | {_cell(card.sound)} | {', '.join(card.classes)} |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
