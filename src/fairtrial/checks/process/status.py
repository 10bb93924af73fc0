"""How a shell action ended, as its harness wrote it into what came back; never as a command's own output says it.

Our terminal agent notes every failure at the end. Another harness's form is believed only where every shell action
of the trajectory carries it in the same place, since one output that looks like it may be the agent's own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

OURS = "terminal"
NOT_RUN = 126
_FORMS = (
    re.compile(r"\A\s*<returncode>(-?\d+)</returncode>"),
    re.compile(
        r"\A\s*(?:Process exited with|Exit|Return|Returned)[ _-]?(?:code|status)?[ :=]+(-?\d+)\s*(?:\n|\Z)", re.I
    ),
    re.compile(r"\[Command finished with exit code (-?\d+)\]\s*\Z"),
    re.compile(r"(?:\A|\n)[\[(<]?(?:exit[ _]?(?:code|status)|returncode|rc)[ :=]+(-?\d+)[\])>]?\s*\Z", re.IGNORECASE),
)


def statuses(agent: str, outputs: Sequence[str]) -> list[int | None]:
    """Return the exit status of each shell action from what came back of it; None where it is not recorded.

    >>> statuses("terminal", ["ok", "bad\\n[exit code 2]"]), statuses("x", ["a\\n(exit code 0)", "b"])
    ([0, 2], [None, None])
    """
    if agent == OURS:
        return [_ours(output) for output in outputs]
    for form in _FORMS:
        found = [form.search(output) for output in outputs]
        if found and all(found):
            return [int(match[1]) for match in found if match is not None]
    return [None] * len(outputs)


def _ours(output: str) -> int:
    last = output.rstrip("\n").rpartition("\n")[2]
    code = re.fullmatch(r"\[(?:killed by a signal, )?exit code (-?\d+)\]", last)
    if code:
        return int(code[1])
    return NOT_RUN if re.match(r"\[(killed|not run)[ :]", last) else 0
