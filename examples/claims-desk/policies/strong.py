"""The strong policy: it does what POLICY.md says, and slips once in twenty times."""

from __future__ import annotations

import random
from typing import Any

from claims import approve, main, signs


def decide(opened: dict[str, Any], totals: list[int], draw: random.Random, may_ask: bool) -> dict[str, Any]:
    """Decide by the policy."""
    if draw.random() < 0.05:
        return {"action": "deny"}
    if may_ask and not totals:
        return {"action": "ask", "document": "invoice"}
    if opened and signs(opened, totals) >= 2:
        return {"action": "deny"}
    return approve(totals[-1] if totals else opened.get("claimed", 0))


if __name__ == "__main__":
    main("strong", decide)
