"""The evaluation of a model on the decoys of a track: the same evaluator, with a folder of the bench laid over it.

One seed, the first: what is compared with it is the evaluation on the items at that seed. Not covered: the comparison
(`judging.gap`).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from fairtrial.posttrain.bench import Bench
from fairtrial.posttrain.evaluating.contract import evaluate_once
from fairtrial.posttrain.evaluating.outcome import Evaluation, read_evaluation
from fairtrial.posttrain.folder import write_document
from fairtrial.sandbox import Sandbox


def evaluate_decoys(
    bench: Bench, track: str, model: Path, into: Path, sandbox: Sandbox, progress: Callable[[str], None]
) -> Evaluation:
    """Evaluate the model in a folder on the decoys of a track and keep it beside the others; what is there stays.

    Raise SandboxError where the sandbox fails, InputError where the evaluator cannot be copied.
    """
    held = read_decoys(bench, into)
    if held is None:
        progress(f"evaluation on the decoys of {track}")
        held = evaluate_once(bench, track, model, bench.toml.evaluation.seeds[0], sandbox, decoys=True)
        write_document(_file(bench, into), held.document())
    return held


def read_decoys(bench: Bench, folder: Path) -> Evaluation | None:
    """Return the evaluation on decoys that is kept in a folder of evaluations, None where there is none."""
    return read_evaluation(_file(bench, folder))


def _file(bench: Bench, folder: Path) -> Path:
    return folder / f"decoys-{bench.toml.evaluation.seeds[0]}.json"
