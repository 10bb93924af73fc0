"""What `fairtrial contamination identity` prints for people: verdict, why, evidence, layers, what was not measured."""

from __future__ import annotations

from typing import Any

from rich.table import Table
from rich.text import Text

from fairtrial.cli.output import print_whole, stdout
from fairtrial.contamination.identity import Identity

_WORDS = {
    "base_derived": "the base, trained",
    "different_model": "a different model",
    "untrained": "the base, not trained",
    "unknown": "unknown",
}
_MARKS = {True: "✓", False: "✗", None: "▢"}
_MOST_LAYERS = 40


def print_identity(found: Identity) -> None:
    """Print the whole result."""
    _line(f"{_MARKS[found.holds]} {found.submitted['name']}: {_WORDS[found.verdict]} ({found.verdict})")
    _line(f"  {found.why}")
    _line("")
    for one in (found.submitted, found.base, *found.known):
        formats = ", ".join(f"{count} {name}" for name, count in sorted(one["formats"].items()))
        size = f"{one['parameters']:,} numbers in {one['tensors']} tensors ({formats})"
        _line(f"  {one['name']}: {size}, {one['hash'][:19]}…")
    _line("")
    for evidence in found.evidence[1:]:
        _line(f"  · {evidence.claim}")
    if found.layers:
        _line("")
        _print_layers(found)
    _line("")
    for why in found.not_measured:
        _line(f"  ▢ not measured: {why}")


def _print_layers(found: Identity) -> None:
    names = [one["name"] for one in found.known if one["name"] in found.layers[0]["known"]]
    table = Table(box=None, padding=(0, 2, 0, 2))
    for name in ("layer", "numbers", "equal", "from base", *(f"from {n}" for n in names), *(f"of {n}" for n in names)):
        table.add_column(Text(name), justify="left" if name == "layer" else "right", no_wrap=True)
    shown = found.layers
    if len(shown) > _MOST_LAYERS:
        shown = (*shown[: _MOST_LAYERS // 2], *shown[-_MOST_LAYERS // 2 :])
    for row in shown:
        known = [row["known"][name] for name in names]
        table.add_row(
            Text(row["layer"]), f"{row['numbers']:,}", _share(row["equal"]), _share(row["distance"]),
            *(_share(one["distance"]) for one in known), *(_plain(one["coefficient"]) for one in known),
        )  # fmt: skip
    print_whole(table)
    if len(shown) < len(found.layers):
        _line(f"  {len(found.layers) - len(shown)} layers between are in the JSON document")
    _line("  distances are of the other's length" + ("; `of` is how much of its change is held" if names else ""))


def _share(value: Any) -> str:
    return "" if value is None else f"{value:.2%}"


def _plain(value: Any) -> str:
    return "" if value is None else f"{value:.2f}"


def _line(text: str) -> None:
    stdout.print(text, markup=False, soft_wrap=True)
