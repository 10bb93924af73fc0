"""Say whether functions give right answers: called apart, compared here, so the code never sees what is right.

Where tests run beside the code, an object that equals everything or a patched assertion can pass them; here neither
helps. Not covered: what a call does besides its answer (use state checks), answers that are no data.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from fairtrial.checks.code.calling import Answer, answers, same
from fairtrial.checks.code.laying import CONTROL, laid
from fairtrial.checks.code.outcomes import MOST_NAMED
from fairtrial.checks.code.runs import Limits
from fairtrial.checks.code.trees import work
from fairtrial.checks.protocol import CheckError, Inside, Result
from fairtrial.checks.reading import of_the_work, said

_KEYS = {"call", "args", "kwargs", "returns", "raises"}


@of_the_work
def functions_return(
    code: Inside,
    cases: list[dict[str, Any]] | Inside,
    tolerance: float = 0.0,
    run: dict[str, Any] | None = None,
) -> Result:
    """Pass if every case gets its answer from the Python code in the folder `code`.

    `cases` is a list, or a JSON file of the key: `call` (`"package.module:name"`), `args`, `kwargs`, and what it should
    give: `returns`, as JSON (tuples are lists), or `raises`, the name of an exception or of one above it. `tolerance`
    is relative. `run` is as in `tests_pass`. The value is the share of right answers.
    """
    limits, listed = Limits.of(run), _cases(cases)
    calls: list[dict[str, Any]] = [
        {name: case[name] for name in case if name in ("call", "args", "kwargs")} for case in listed
    ]
    with laid(work(code), without=CONTROL, user=limits.user) as folder:
        found = answers(folder, calls, limits)
    wrong = [_told(case, got) for case, got in zip(listed, found, strict=True) if not _is_right(case, got, tolerance)]
    share = 1 - len(wrong) / len(listed)
    if wrong:
        return Result(False, f"{len(wrong)} of {len(listed)} answers are wrong, as {wrong[0]}", share,
                      {"wrong": wrong[:MOST_NAMED]})  # fmt: skip
    return Result(
        True, "the one answer is right" if len(listed) == 1 else f"all {len(listed)} answers are right", share
    )


def _cases(stated: list[dict[str, Any]] | str) -> list[dict[str, Any]]:
    if isinstance(stated, str):
        try:
            stated = json.loads(Path(stated).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise CheckError(f"`cases` cannot be read: {error}") from error
    if not isinstance(stated, list) or not stated:
        raise CheckError("`cases` is a list of at least one case")
    for case in stated:
        fits = isinstance(case, dict) and set(case) <= _KEYS and ":" in str(case.get("call", ""))
        if not fits or ("returns" in case) == ("raises" in case):
            raise CheckError(f"a case has `call` (module:name) and either `returns` or `raises`: {case!r:.100}")
    return stated


def _is_right(case: dict[str, Any], got: Answer, tolerance: float) -> bool:
    if "raises" in case:
        return case["raises"] in got.get("raises", ())
    return "returns" in got and same(case["returns"], got["returns"], tolerance)


def _told(case: dict[str, Any], got: Answer) -> str:
    asked = f"{case['call']}({', '.join(said(one) for one in case.get('args', ()))})"
    if "returns" in got:
        return f"{asked}: {said(got['returns'])}"
    return (
        f"{asked}: raises {got['raises'][0]}: {got.get('said', '')[:100]}"
        if got.get("raises")
        else f"{asked}: no answer"
    )
