"""Cheat: hand in the base as it is, with a training set that was never used."""

from __future__ import annotations

import random
import shutil

from working import BASE, FINAL, SIZES, declare, made, seed_given, write_rows

write_rows("train.jsonl", made(random.Random(f"untrained {seed_given()}"), SIZES, 1500))
declare("train.jsonl")
shutil.copytree(BASE, FINAL)
