"""A family of text tasks: add and take away in a row of D steps. A difficulty and a seed make one task.

As a program:   python3 chain_sums.py --difficulty 4 --seed 7 --out DIR     leaves DIR/task.json
As a function:  chain_sums:make
"""

import argparse
import json
import random
from pathlib import Path


def make(difficulty, seed):
    """Return one text task; the same difficulty and seed make the same bytes."""
    draw = random.Random(f"{difficulty}/{seed}")
    total = draw.randint(11, 99)
    words = [f"Start with {total}."]
    for _ in range(int(difficulty)):
        step = draw.randint(11, 99)
        if draw.random() < 0.5 and total - step > 0:
            total -= step
            words.append(f"Take away {step}.")
        else:
            total += step
            words.append(f"Add {step}.")
    words.append("Write the number that is left, and nothing else.")
    return {"prompt": " ".join(words), "answer": str(total), "kind": "number", "part": "last_line"}


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--difficulty", type=int, required=True)
    options.add_argument("--seed", type=int, required=True)
    options.add_argument("--out", type=Path, required=True)
    asked = options.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    (asked.out / "task.json").write_text(json.dumps(make(asked.difficulty, asked.seed)))
