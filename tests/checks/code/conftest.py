"""Small projects for the checks of code: a tree of texts becomes a folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

Lay = Callable[..., str]


@pytest.fixture
def lay(tmp_path: Path) -> Lay:
    """Return a function that writes files into a folder of its own and returns its path."""

    def laid(name: str, *trees: Mapping[str, str | bytes | None]) -> str:
        top = tmp_path / name
        top.mkdir(exist_ok=True)
        for path, text in {path: text for tree in trees for path, text in tree.items()}.items():
            if text is None:
                continue
            place = top / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(top)

    return laid
