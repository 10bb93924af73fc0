"""Run the pristine evaluator on one model: `python evaluate.py --model-path /model --limit N --json-output-file FILE`.

Each seed has a fresh box: no network, the evaluator's own copy, the model read-only. A sandbox that fails raises
SandboxError, and is tried again by the next call; what the evaluator does wrong is kept, as a reason. Not covered: what
the evaluator executes of a model: it is the bench's own, and models come without code.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from fairtrial.posttrain.attempt import mounts_of, variables_of
from fairtrial.posttrain.attempt.world import shown
from fairtrial.posttrain.bench import EVALUATOR, Bench
from fairtrial.posttrain.evaluating.copying import copy_evaluator
from fairtrial.posttrain.evaluating.outcome import (
    MOST_BYTES,
    Evaluated,
    Evaluation,
    Reason,
    read_evaluation,
    read_result,
)
from fairtrial.posttrain.folder import write_document
from fairtrial.records import Environment, FormatError, Limits
from fairtrial.sandbox import Box, Command, Completed, Killed, Prepared, Sandbox, scratch_folder

FOLDER, MODEL, RESULT = "/evaluator", "/model", "/result/result.json"
START = 'exec "$(command -v python || command -v python3)" "$@"'
MOST_SAID = 2_000
OUTPUT_BYTES = 16 << 20
KILLS: dict[Killed, Reason] = {
    "timeout": "evaluator_timeout", "memory": "evaluator_memory", "output": "evaluator_output",
}  # fmt: skip


def evaluate(
    bench: Bench, track: str, model: Path, into: Path, sandbox: Sandbox, progress: Callable[[str], None],
    items: Sequence[str] = (),
) -> Evaluated:  # fmt: skip
    """Evaluate the model in a folder at every seed of the bench, and keep each at INTO/SEED.json; what is there stays.

    `items` are those that its base model was asked. Raise SandboxError where the sandbox fails, InputError where the
    evaluator cannot be copied.
    """
    seeds = bench.toml.evaluation.seeds
    found: list[Evaluation] = []
    for number, seed in enumerate(seeds, 1):
        held = read_evaluation(into / f"{seed}.json")
        if held is None:
            progress(f"evaluation {number} of {len(seeds)} on {track}")
            held = _as_asked(evaluate_once(bench, track, model, seed, sandbox), found, items)
            write_document(into / f"{seed}.json", held.document())
        found.append(held)
    return Evaluated(tuple(found))


def _as_asked(one: Evaluation, found: list[Evaluation], items: Sequence[str]) -> Evaluation:
    """Return an evaluation, ungraded where its items are not those of the base model and of the seeds before."""
    first = next((each for each in found if each.accuracy is not None), None)
    if one.accuracy is None:
        return one
    if items and _names(one) != set(items):
        why = f"at seed {one.seed} its items are not those that its base model was asked"
    elif first is not None and _names(one) != _names(first):
        why = f"at seed {one.seed} its items are not those of seed {first.seed}: every seed should ask the same"
    else:
        return one
    return replace(one, accuracy=None, items=None, reason="items_differ", why=why)


def _names(one: Evaluation) -> set[str] | None:
    return None if one.items is None else set(one.items)


def evaluate_once(
    bench: Bench, track: str, model: Path, seed: int, sandbox: Sandbox, *, decoys: bool = False
) -> Evaluation:
    """Evaluate the model in a folder at one seed, on the decoys if asked. Raise as `evaluate` does."""
    told = bench.toml.evaluation
    limits = Limits(seconds=told.minutes * 60, memory_mb=told.memory_mb, output_bytes=OUTPUT_BYTES)
    prepared = sandbox.prepare(Environment(workdir=FOLDER, limits=limits))
    with scratch_folder() as scratch:
        copy_evaluator(bench, track, scratch / "evaluator", decoys=decoys)
        (scratch / "result").mkdir()
        (scratch / "empty").touch(0o444)
        with _opened(bench, model, scratch, sandbox, prepared) as box:
            box.put(scratch / "evaluator", FOLDER)
            box.put(scratch / "result", str(Path(RESULT).parent))
            done = box.run(_command(bench, track, seed, limits))
            taken = box.take([RESULT], scratch / "taken", MOST_BYTES)
        result = scratch / "taken" / RESULT.lstrip("/")
        data = result.read_bytes() if result.is_file() and not result.is_symlink() else None
        left_out = next((why for path, why in taken.left_out if path == RESULT), "")
    return read(seed, done, data, left_out)


def _opened(bench: Bench, model: Path, scratch: Path, sandbox: Sandbox, prepared: Prepared) -> Box:
    return sandbox.open(prepared, (*mounts_of(bench, scratch / "empty"), *shown(model, MODEL)))


def _command(bench: Bench, track: str, seed: int, limits: Limits) -> Command:
    arguments = ("--model-path", MODEL, "--limit", str(bench.benchmark(track).limit), "--json-output-file", RESULT)
    variables = {"FAIRTRIAL_SEED": str(seed), "PYTHONHASHSEED": str(seed), "PYTHONDONTWRITEBYTECODE": "1"}
    return Command(("/bin/sh", "-c", START, "sh", EVALUATOR, *arguments), cwd=FOLDER,
                   variables=variables_of(bench) | variables, limits=limits)  # fmt: skip


def read(seed: int, done: Completed, data: bytes | None, left_out: str = "") -> Evaluation:
    """Return what an evaluator said of a model, by how it ended and what it wrote; None where it wrote nothing."""
    held = Evaluation(seed=seed, accuracy=None, seconds=round(done.seconds, 3), exit_code=done.exit_code,
                      said=done.output[-MOST_SAID:], evaluated_at=datetime.now(UTC).isoformat(timespec="seconds"),
                      )  # fmt: skip
    if done.killed in KILLS:
        return replace(held, reason=KILLS[done.killed], why=f"the evaluator was ended by its limit ({done.killed})")
    if done.exit_code != 0:
        said = (done.output.strip().splitlines() or ["nothing printed"])[-1][:300]
        return replace(held, reason="evaluator_exit", why=f"the evaluator ended with {done.exit_code}: {said}")
    if data is None:
        why = f"the evaluator's result was not taken: {left_out}" if left_out else "the evaluator wrote no result"
        return replace(held, reason="result_missing", why=why)
    try:
        accuracy, items = read_result(data)
    except FormatError as error:
        return replace(held, reason=_reason(error), why=error.what)
    return replace(held, accuracy=accuracy, items=items)


def _reason(error: FormatError) -> Reason:
    match error.field:
        case "accuracy_invalid":
            return "accuracy_invalid"
        case "items_invalid":
            return "items_invalid"
        case "items_disagree":
            return "items_disagree"
        case _:
            return "result_invalid"
