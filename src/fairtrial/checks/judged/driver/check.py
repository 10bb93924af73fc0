"""The check `judged_workflow`: a workflow whose facts may be asked for in words, on an app that runs."""

from __future__ import annotations

import hashlib
from urllib.parse import urlsplit

from fairtrial.checks.judged.driver.reading import reader
from fairtrial.checks.judged.judges import Judges
from fairtrial.checks.protocol import CheckError, Inside, Result
from fairtrial.checks.reading import WorkError
from fairtrial.checks.state.workflows import BrowserVisitor, HttpVisitor, Visitor, Walks, answers, told, workflow_of
from fairtrial.records.errors import InputError


def judged_workflow(
    judges: Judges,
    walks: Walks,
    file: Inside,
    walk: str,
    expect: str = "",
    base_url: str = "",
    browser: bool = False,
    votes: int = 3,
) -> Result:
    """Walk through an app that runs at `base_url` and check facts, a model reading those that are asked for in words.

    As `workflow`, which see; the app is not started here, unless `judges` says that it may be. Raise CheckError where
    none answers, or the model cannot be asked.
    """
    read = walks.file(file)
    wanted = workflow_of(read, walk, expect)
    base = (base_url or read.base_url).rstrip("/")
    if urlsplit(base).scheme not in ("http", "https"):
        raise InputError(f"`{base}` is no http(s) address", field="base_url")
    shots = (
        ""
        if judges.evidence is None
        else str(judges.evidence / hashlib.sha256(f"{file} {walk}".encode()).hexdigest()[:8])
    )

    def opened() -> Visitor:
        return BrowserVisitor(base, shots) if browser else HttpVisitor(base)

    try:
        if judges.may_start and not base_url:
            walks.started(file)
        elif not answers(base):
            raise CheckError(f"no app answers at {base}, and it is not started outside a box")
        found = walks.walked(("judged", file, walk, base, str(browser)), wanted, opened, reader(judges, votes))
    except WorkError as fault:
        return Result(False, str(fault))
    return told(found, wanted, expect)
