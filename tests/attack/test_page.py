"""The page of probes says what the catalogue holds."""

from __future__ import annotations

from attack.probes_page import PAGE, page


def test_the_page_is_written_from_the_catalogue() -> None:
    again = "a card has changed: run `python tests/attack/probes_page.py`"
    assert PAGE.read_text(encoding="utf-8") == page(), again
