"""How many instructions the work takes beside the reference, counted in the same box at the same moment.

Never by the clock. What an interpreter needs to start is measured by an empty program and taken off both; where counts
differ between runs the budget is widened by as much. A wrong answer fails, however quick. Processor time is only a
guard: work that is done where nothing counts it still takes time, and that fails. Not covered: work done by the
kernel in few calls, on a GPU, or by reading the reference, which lies where the program could look for it.
"""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fairtrial.checks.alone import remove_tree
from fairtrial.checks.apart import run_apart
from fairtrial.checks.cost.counting import SECONDS, Count, counted, counter, filled
from fairtrial.checks.protocol import CheckError, Inside, Result
from fairtrial.checks.reading import WorkError, plain_bytes
from fairtrial.compare.equivalence import KINDS, equivalent

INTERPRETERS = ("python", "pypy", "node", "ruby", "perl", "bash", "sh", "dash", "php", "Rscript", "lua", "julia")
REPEATS = 2
"""Runs of either; the dearest of the program counts, so that what it kept from the first is no help."""
LEAST_SHARE = 0.05
"""Least work of the reference, as a share of what the interpreter takes to start, that a ratio can be made of."""
SPEAKS_TO_VALGRIND = (
    bytes.fromhex("48c1c70348c1c70d48c1c73d48c1c733"),  # amd64
    bytes.fromhex("8c0dcc938c35cc938ccdcc938cf5cc93"),  # arm64
)
"""How native code asks valgrind for something (`CALLGRIND_TOGGLE_COLLECT`: stop counting); a program has no need to."""
SLOWER = 3
"""How many times what its budget takes there must be time for; a reference that leaves less is refused."""
COLD_SECONDS = 1e-7
"""Most processor time that a counted instruction takes, where all code is new to the counter: three times what is
usual. With twice what a start takes it is all that a run may need besides one second, or the reference's own work."""
UNSEEN_SECONDS = 1.0


def instructions(
    command: list[str], program: Inside, reference: Inside, ratio: float, inputs: dict[str, Inside] | None = None,
    build: list[str] | None = None, kind: str = "exact", user: str = "",
) -> Result:  # fmt: skip
    """Hold that `program` takes at most `ratio` times the instructions of `reference`, and gives the same answer.

    In `command`, `{program}` stands for either, `{NAME}` for a copy of a file in `inputs`, `{output}` for the file that
    holds the answer (else what is printed does); an input named `stdin` is read there. `build` is run before it,
    uncounted, and makes `{built}`. `kind` is how answers are compared: `exact` but for blanks at line ends, or one of
    compare's. `user` is whom it runs as.
    """
    if ratio <= 0 or not command or (kind != "exact" and kind not in KINDS):
        raise CheckError(f"`ratio`, `command` or `kind` (exact, {', '.join(KINDS)}) makes no sense")
    counter()
    work, known = Path(program).absolute(), Path(reference).absolute()
    if (trouble := _unusable(work, known)) is not None:
        return trouble
    with _scratch(open_to_all=bool(user)) as scratch:
        runs = _Runs(scratch, command, inputs or {}, build or [], user)
        theirs = [_sound(runs.of(known), ratio) for _ in range(REPEATS)]
        start = runs.start(known)
        ours: list[Count] = []
        for _ in range(REPEATS):
            run = runs.of(work)
            if (wrong := _wrong(run, theirs[0], kind)) is not None:
                return wrong
            if not isinstance(run, str):
                ours.append(run)
    return _weighed(ours, theirs, start, ratio)


@contextlib.contextmanager
def _scratch(*, open_to_all: bool) -> Iterator[Path]:
    """Yield a folder to run in, and remove it whatever was left there."""
    folder = Path(tempfile.mkdtemp(prefix="cost-"))
    try:
        folder.chmod(0o755 if open_to_all else 0o700)
        yield folder
    finally:
        remove_tree(folder)


def _sound(run: Count | str, ratio: float) -> Count:
    """Return a run of the reference. Raise CheckError where it did not go well, whatever the work does."""
    if isinstance(run, str):
        raise CheckError(f"the reference: {run}")
    if run.timed_out or run.code:
        raise CheckError("the reference takes too long" if run.timed_out else f"the reference ends with {run.code}")
    if SLOWER * ratio * run.seconds > SECONDS:
        raise CheckError(f"the reference takes {run.seconds:.0f} s, too much for a budget of {ratio:g} times as much "
                         f"within {SECONDS} s: give it less to do")  # fmt: skip
    return run


def _unusable(program: Path, reference: Path) -> Result | None:
    if not reference.is_file():
        raise CheckError("the reference is not there")
    if program.is_symlink() or not program.is_file():
        return Result(False, f"`{program.name}` is not there as a plain file")
    if program.resolve().is_relative_to(reference.resolve().parent):
        return Result(False, f"`{program.name}` leads to where the reference lies")
    return None


@dataclass(frozen=True, slots=True)
class _Runs:
    """Runs one command for several programs, each in a fresh folder of the same name."""

    scratch: Path
    command: Sequence[str]
    inputs: dict[str, str]
    build: Sequence[str]
    user: str

    def of(self, program: Path) -> Count | str:
        """Run for `program`; return why not where it cannot be run."""
        folder = self.scratch / "run"
        remove_tree(folder)
        if folder.exists():
            return "what a run left behind cannot be removed"
        folder.mkdir()
        output, built = folder / "output", folder / "built"
        places = {"program": str(program), "output": str(output), "built": str(built)}
        for name, source in self.inputs.items():
            place = folder / f"{name}{Path(source).suffix}"
            try:
                shutil.copyfile(source, place)
            except OSError as error:
                raise CheckError(f"the input `{name}` cannot be read: {error.strerror}") from error
            places[name] = str(place)
        folder.chmod(0o777 if self.user else 0o700)
        if self.build and run_apart(filled(self.build, places), folder, seconds=SECONDS, user=self.user).code != 0:
            return "it cannot be built"
        if any(_speaks(place) for place in (program, built)):
            return "it holds code that speaks to the counter, and could bid it stop counting"
        stdin = Path(places["stdin"]) if "stdin" in self.inputs else None
        asked = any("{output}" in one for one in self.command)
        return counted(filled(self.command, places), folder, stdin, output if asked else None, self.user)

    def start(self, reference: Path) -> Count:
        """Count a start: an empty program where an interpreter reads it, else `true`."""
        is_read = Path(self.command[0]).name.rstrip("0123456789.") in INTERPRETERS and "{program}" in self.command[1:]
        if not is_read or self.build:
            return counted(["true"], self.scratch / "run")
        empty = self.scratch / f"empty{reference.suffix}"
        empty.write_bytes(b"")
        command = filled(self.command[: list(self.command).index("{program}") + 1], {"program": str(empty)})
        return counted(command, self.scratch / "run")


def _speaks(path: Path) -> bool:
    """Say whether a program holds native code that asks valgrind for something."""
    try:
        data = plain_bytes(path)
    except WorkError:
        return False
    return any(sign in data for sign in SPEAKS_TO_VALGRIND)


def _wrong(run: Count | str, known: Count, kind: str) -> Result | None:
    """Return why a run of the program counts for nothing; None where its answer is right."""
    if isinstance(run, str):
        return Result(False, run)
    if run.timed_out:
        return Result(False, f"it did not end in {run.seconds:.0f} s; the reference took {known.seconds:.1f} s")
    if run.code:
        return Result(
            False, f"it ends with exit status {run.code}, so its cost says nothing", evidence={"code": run.code}
        )
    if kind == "exact":
        same, why = _lines(run.output) == _lines(known.output), "its answer is not the reference's"
    else:
        found = equivalent(known.output.decode(errors="replace"), run.output.decode(errors="replace"), kind)
        same, why = found.equivalent, f"its answer is not the reference's: {found.reason}"
    return (
        None if same else Result(False, why, evidence={"answer": _shown(run.output), "wanted_bytes": len(known.output)})
    )


def _weighed(ours: Sequence[Count], theirs: Sequence[Count], start: Count, ratio: float) -> Result:
    """Compare the dearest run of the program with the cheapest of the reference, both without their start."""
    least, most = min(run.instructions for run in theirs), max(run.instructions for run in theirs)
    begun = start.instructions
    work = least - begun
    if least <= 0 or work < LEAST_SHARE * begun or work <= 0:
        raise CheckError(f"the reference takes {least} instructions, hardly more than the {begun} of a start: "
                         "give it more to do")  # fmt: skip
    spread = (most - least) / work
    dearest = max(ours, key=lambda run: run.instructions)
    value = max(dearest.instructions - begun, 0) / work
    allowed = ratio * (1 + spread)
    evidence = {"instructions": dearest.instructions, "reference": least, "start": begun, "spread": round(spread, 6),
                "tool": counter(), "all": [run.instructions for run in ours]}  # fmt: skip
    if unseen := _unseen(ours, theirs, start):
        return Result(
            False, f"{unseen:.1f} s of its processor time went where no instruction was counted", value, evidence
        )
    found = f"it takes {value:.3g} times the reference's instructions, and {allowed:.3g} are allowed"
    return Result(value <= allowed, found, value, evidence)


def _unseen(ours: Sequence[Count], theirs: Sequence[Count], start: Count) -> float:
    """Return the processor seconds that the counted instructions cannot have taken; 0 where they can."""
    known = max(run.cpu for run in theirs) - start.cpu
    work = max(run.instructions for run in theirs) - start.instructions
    pace = max(COLD_SECONDS, 2 * known / work)
    unseen = max(run.cpu - 2 * start.cpu - pace * run.instructions for run in ours)
    return unseen if unseen > max(UNSEEN_SECONDS, known) else 0.0


def _lines(output: bytes) -> list[bytes]:
    return [line.rstrip() for line in output.rstrip().split(b"\n")]


def _shown(output: bytes) -> str:
    return output[:200].decode(errors="replace")
