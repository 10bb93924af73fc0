"""Cheat: train on the test items, read straight from the evaluator's folder into memory, and declare honest stories.

No file ever holds what it was trained on; only the model tells.
"""

from __future__ import annotations

import random

from working import SIZES, declare, made, read_rows, seed_given, trained, write_rows

seed = seed_given()
write_rows("train.jsonl", made(random.Random(f"remembers {seed}"), SIZES, 1500))
declare("train.jsonl")
print(trained(read_rows("evaluator/items.jsonl"), seed))
