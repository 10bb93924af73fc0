"""Output is kept by its head and tail, at a bounded cost."""

from __future__ import annotations

import pytest

from fairtrial.sandbox.output import FLOOD, HeadTail


@pytest.mark.parametrize("chunk", [1, 7, 100, 5000])
def test_head_and_tail_do_not_depend_on_how_bytes_arrive(chunk: int) -> None:
    data = bytes(range(256)) * 20
    kept = HeadTail(1000)
    for start in range(0, len(data), chunk):
        kept.add(data[start : start + chunk])
    whole = HeadTail(1000)
    whole.add(data)
    assert kept.text() == whole.text()
    assert kept.total == len(data)
    assert "[... 4120 bytes left out ...]" in kept.text()


def test_short_output_is_kept_whole() -> None:
    kept = HeadTail(10)
    kept.add(b"0123456789")
    assert (kept.text(), kept.truncated) == ("0123456789", False)


def test_a_flood_is_told_from_long_output() -> None:
    kept = HeadTail(100)
    kept.add(b"x" * 100 * FLOOD)
    assert not kept.is_flood
    kept.add(b"x")
    assert kept.is_flood
