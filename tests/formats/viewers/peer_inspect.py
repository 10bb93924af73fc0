"""Run by an interpreter that holds inspect_ai: `log FOLDER` makes a log; `score FOLDER FILE...` scores it anew.

Prints one JSON line: of each sample the value that each file gave it, null where it was left unscored.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any


def made(folder: Path) -> list[str]:
    """Run an evaluation of two samples in two epochs with a scripted model."""
    from inspect_ai import Task, eval
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelOutput, ModelUsage, get_model
    from inspect_ai.scorer import includes

    def said() -> ModelOutput:
        output = ModelOutput.from_content("mockllm/model", "4")
        output.usage = ModelUsage(input_tokens=5, output_tokens=2, total_tokens=7)  # else it would be counted online
        return output

    samples = [Sample(id="sum", input="2+2", target="4"), Sample(id="late", input="3+3", target="6")]
    eval(Task(name="sums", dataset=samples, scorer=includes(), epochs=2), log_dir=str(folder), display="none",
         model=get_model("mockllm/model", custom_outputs=(said() for _ in range(9))))  # fmt: skip
    return [str(file) for file in folder.glob("*.eval")]


def scored(folder: Path, files: list[str]) -> list[list[dict[str, Any]]]:
    """Score the log with each file."""
    from inspect_ai import score
    from inspect_ai.log import read_eval_log
    from inspect_ai.scorer import precomputed_scores

    (log,) = folder.glob("*.eval")
    told = []
    for file in files:
        new = score(read_eval_log(str(log)), precomputed_scores(file), action="overwrite", display="none")
        found = {(one.id, one.epoch): (one.scores or {}).get("precomputed_scores") for one in new.samples or ()}
        told.append([
            {"id": name, "epoch": epoch, "value": one.value if one else None,
             "explanation": one.explanation if one else None, "metadata": one.metadata if one else None}
            for (name, epoch), one in found.items()
        ])  # fmt: skip
    return told


if __name__ == "__main__":
    place = Path(sys.argv[2])
    print(json.dumps(made(place) if sys.argv[1] == "log" else scored(place, sys.argv[3:])))
