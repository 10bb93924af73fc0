"""The check `judged`: does one criterion, a question with the answers yes and no, hold of the work?"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from fairtrial.checks.judged.criterion import warnings_of
from fairtrial.checks.judged.judges import Judges
from fairtrial.checks.judged.prompt import Question
from fairtrial.checks.judged.sources import MOST_FILES, Source, artifacts_of, steps_of
from fairtrial.checks.judged.voting import judge
from fairtrial.checks.protocol import CheckError, Inside, Result
from fairtrial.records.errors import InputError

MOST_CHARACTERS = 1_000_000


def judged(
    judges: Judges,
    criterion: str,
    artifacts: list[Inside] | None = None,
    reference: list[Inside] | None = None,
    trajectory: bool = False,
    votes: int = 3,
    margin: int = 1,
    passes_on: Literal["yes", "no"] = "yes",
) -> Result:
    """Ask a language model whether `criterion` holds of `artifacts` (files, folders) or the `trajectory`.

    The check passes where `passes_on` leads by `margin` among `votes`; the value is the share of yes. `reference` are
    files beside the checks.toml to judge by. Raise CheckError where votes break or disagree, InputError for paths
    that do not fit.
    """
    if not criterion.strip():
        raise InputError("is empty: ask one question with the answers yes and no", field="criterion")
    if not artifacts and not trajectory:
        raise InputError("there is nothing to look at: name `artifacts`, or set `trajectory`", field="artifacts")
    sources, missing = artifacts_of(judges.root, _of_the_work(judges, artifacts or []))
    if why := _unfit(sources, missing, bool(artifacts)):
        return Result(False, why)
    if sources and all(s.unshown for s in sources) and not judges.shows_images:
        raise CheckError(f"`{sources[0].title}` is an image, and the judge is shown none")
    if trajectory:
        sources += _steps(judges)
    question = Question(
        asks=f"The criterion: {criterion.strip()}", sources=tuple(sources), reference=_given(judges, reference or [])
    )
    found = judge(judges, question, votes, margin)
    decided = found.decided
    if decided is None:
        raise CheckError(found.why_undecided())
    verdict = "yes" if decided else "no"
    reasons = found.reasons(verdict)
    evidence = {
        "criterion": criterion,
        "model": judges.model.spec.name,
        "reasons": reasons,
        "sources": [{"name": s.name, "path": s.title, "hash": s.hash} for s in sources if not s.name.startswith("S")],
        "warnings": list(warnings_of(criterion)),
    }
    why = f"{found.count(verdict)} of {votes} votes say {verdict}: {reasons[0]['claim']}"
    return Result(verdict == passes_on, why[:400], value=found.share, evidence=evidence | found.spread())


def _of_the_work(judges: Judges, paths: list[str]) -> list[str]:
    """Return `paths`. Raise InputError for one that is not the agent's: what it shows would be judged as its work."""
    for path in paths:
        if not Path(path).is_relative_to(judges.root):
            raise InputError(f"`{path}` is not in the deliverable: start it with `/`", field="artifacts")
    return paths


def _given(judges: Judges, paths: list[str]) -> tuple[Source, ...]:
    """Return the author's files. Raise InputError for one of the agent's, CheckError for one that cannot be shown."""
    given: list[Source] = []
    for path in map(Path, paths):
        if judges.root != Path("/") and path.is_relative_to(judges.root):
            raise InputError(f"`{path}` is the agent's: a reference lies beside the checks.toml", field="reference")
        found, missing = artifacts_of(path.parent, [path], letter="R")
        if missing or any(source.unshown for source in found):
            raise CheckError(f"the reference `{path.name}` is not there, or is no text")
        given += found
    return tuple(Source(f"R{n}", source.title, source.lines) for n, source in enumerate(given, 1))


def _unfit(sources: list[Source], missing: list[str], is_of_files: bool) -> str:
    """Return why the work cannot be what is asked about, whatever a judge would say of it."""
    if missing:
        return f"`{missing[0]}` is not there"
    if is_of_files and not sources:
        return "there is no file in what should be looked at"
    if len(sources) > MOST_FILES:
        return f"there are more than {MOST_FILES} files, and so many are not read"
    if sources and all(source.unshown and source.image is None for source in sources):
        return f"`{sources[0].title}` cannot be read as text ({sources[0].unshown})"
    held = sum(source.characters for source in sources)
    return f"it has {held} characters, and at most {MOST_CHARACTERS} are read" if held > MOST_CHARACTERS else ""


def _steps(judges: Judges) -> list[Source]:
    if judges.trajectory is None:
        raise CheckError("the criterion is about the trajectory, and there is none here")
    steps = steps_of(judges.trajectory)
    held = sum(step.characters for step in steps)
    if held > MOST_CHARACTERS:
        raise CheckError(f"the trajectory has {held} characters, and at most {MOST_CHARACTERS} are read")
    return steps
