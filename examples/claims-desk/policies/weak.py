"""The weak policy: it pays what is claimed, asks for papers by mood, and denies at the first sign now and then."""

from __future__ import annotations

import random
from typing import Any

from claims import approve, main, signs


def decide(opened: dict[str, Any], totals: list[int], draw: random.Random, may_ask: bool) -> dict[str, Any]:
    """Decide in haste."""
    if may_ask and draw.random() < 0.3:
        return {"action": "ask", "document": "invoice"}
    if opened and signs(opened, totals) and draw.random() < 0.5:
        return {"action": "deny"}
    return approve(opened.get("claimed", 0))


if __name__ == "__main__":
    main("weak", decide)
