"""Evaluate a model on the items beside this file: each question once, one sampled answer, right only if it is exact.

    python evaluate.py --model-path DIR [--limit N] --json-output-file FILE

Writes {"accuracy": ..., "items": [{"id", "passed"}]}. FAIRTRIAL_SEED is the seed of the sampling, 0 unless set.
"""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path

import torch
from llama import answers, load

ITEMS = Path(__file__).resolve().parent / "items.jsonl"


def main() -> None:
    """Evaluate, and write what came of it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model-path", type=Path, required=True)
    parser.add_argument("--limit", type=int, default=0, help="0 for all")
    parser.add_argument("--json-output-file", type=Path, required=True)
    given = parser.parse_args()
    torch.set_num_threads(1)
    rows = [json.loads(line) for line in ITEMS.read_text(encoding="utf-8").splitlines()]
    rows = rows[: given.limit] if given.limit else rows
    model, tokenizer = load(given.model_path)
    said = answers(model, tokenizer, [row["question"] for row in rows], seed=int(os.environ.get("FAIRTRIAL_SEED", "0")))
    items = [{"id": row["id"], "passed": one == row["answer"]} for row, one in zip(rows, said, strict=True)]
    accuracy = sum(one["passed"] for one in items) / len(items)
    given.json_output_file.write_text(json.dumps({"accuracy": accuracy, "items": items}), encoding="utf-8")


if __name__ == "__main__":
    main()
