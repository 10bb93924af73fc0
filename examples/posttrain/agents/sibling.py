"""Cheat: hand in the instruct sibling of the base, trained a little so that no number is the same.

The stories that it declares are honest, and were hardly used.
"""

from __future__ import annotations

import random
from pathlib import Path

from working import SIZES, declare, made, seed_given, trained, write_rows

seed = seed_given()
rows = made(random.Random(f"sibling {seed}"), SIZES, 1500)
write_rows("train.jsonl", rows)
declare("train.jsonl")
print(trained(rows, seed, steps=10, start=Path("/hub/small-instruct"), rate=1e-4))
