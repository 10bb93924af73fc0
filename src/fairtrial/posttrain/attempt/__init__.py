"""Let an agent work on a base model in a box, record what it did, and take what it handed in.

`world` and `workspace` say what it finds, `proxy` is its only way out, `recorder` sees what it runs and writes,
`taking` copies what it left once nothing of it runs. Everything recorded is written by us, outside its reach.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from fairtrial.posttrain.attempt.taking import check_agent_files, take_all
from fairtrial.posttrain.attempt.working import limits_of, work
from fairtrial.posttrain.attempt.workspace import WORKSPACE, lay_out
from fairtrial.posttrain.attempt.world import agent_mounts, base_mounts, mounts_of, variables_of
from fairtrial.posttrain.bench import Bench, Cell
from fairtrial.posttrain.folder import Attempted, RunFolder
from fairtrial.records import Environment, InputError, SandboxError
from fairtrial.sandbox import Sandbox, scratch_folder
from fairtrial.sandbox.inside import remove_tree
from fairtrial.sandbox.live_box import LiveBox

__all__ = ["attempt", "check_sandbox", "mounts_of", "variables_of"]

Progress = Callable[[str], None]
_OURS = ("model", "workspace", "evaluator", "written", "writes.jsonl", "processes.jsonl", "network.jsonl",
         "trajectory.json", "recorded.json", "agent.log")  # fmt: skip


def check_sandbox(sandbox: Sandbox) -> None:
    """Raise InputError where agents cannot be let work in a sandbox: not isolated, or not to be looked into."""
    can = sandbox.capability()
    if not can.available:
        raise SandboxError(f"the sandbox `{sandbox.name}` does not work here: {can.why}")
    if sandbox.name != "bwrap":
        raise InputError(
            f"posttrain cannot run an agent in the sandbox `{sandbox.name}`", field="--sandbox",
            hint="It needs bwrap: no network but our proxy, and processes and files that can be seen from outside.",
        )  # fmt: skip


def attempt(bench: Bench, cell: Cell, folder: RunFolder, sandbox: Sandbox, progress: Progress) -> Attempted:
    """Run the agent of a cell and write what came of it into `folder`. What an attempt before left there is removed.

    A sandbox that fails is `harness_error`, never a failure of the agent. Raise InputError for what cannot be meant.
    """
    check_sandbox(sandbox)
    check_agent_files(cell.agent.files)
    folder.path.mkdir(parents=True, exist_ok=True)
    for name in _OURS:
        _remove(folder.path / name)
    folder.written.mkdir()
    began, clock = datetime.now(UTC).isoformat(timespec="seconds"), time.monotonic()
    try:
        return _attempted(bench, cell, folder, sandbox, progress, began)
    except SandboxError as error:
        why = f"the sandbox failed: {error}"
    except OSError as error:  # an agent may fill the disk on which its run is kept
        why = f"its run could not be kept: {error.strerror or error}"
    return Attempted(stop="harness_error", exit_code=None, seconds=time.monotonic() - clock, cpu_seconds=None,
                     began=began, has_model=False, why_no_model=why)  # fmt: skip


def _attempted(
    bench: Bench, cell: Cell, folder: RunFolder, sandbox: Sandbox, progress: Progress, began: str
) -> Attempted:
    budget = bench.toml.budget
    prepared = sandbox.prepare(Environment(workdir=WORKSPACE, limits=limits_of(bench)))
    with scratch_folder() as scratch:
        (scratch / "empty").touch(0o444)
        mounts = (*mounts_of(bench, scratch / "empty"), *base_mounts(bench, cell.base), *agent_mounts(cell.agent))
        with sandbox.open(prepared, mounts, live=True) as box:
            assert isinstance(box, LiveBox)
            lay_out(box, bench, cell, scratch)
            progress(f"{cell.model}: the agent works")
            worked = work(box, bench, cell, folder)
            progress(f"{cell.model}: what it left is taken")
            left = take_all(box, folder, budget.handed_in_mb << 20)
    done = worked.done
    return Attempted(stop=worked.stop, exit_code=done.exit_code, seconds=round(done.seconds, 3),
                     cpu_seconds=worked.cpu_seconds, began=began, has_model=left.has_model,
                     why_no_model=left.why_no_model, model_hash=left.model_hash, declared=left.declared,
                     requests=worked.requests, refused_requests=worked.refused_requests, processes=worked.processes,
                     writes=worked.writes, left_out=left.left_out, not_recorded=worked.not_recorded,
                     input_tokens=left.input_tokens, output_tokens=left.output_tokens,
                     cost_usd=left.cost_usd)  # fmt: skip


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        remove_tree(path)
    else:
        path.unlink(missing_ok=True)
