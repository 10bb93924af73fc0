"""What makes a bad criterion: it should ask one thing, be answered by yes or no, and name what can be found.

The lint reads words alone. It cannot tell whether a question can be answered from what is shown.
"""

from __future__ import annotations

import re
from pathlib import Path

from fairtrial.checks.checks_file import read_checks

MOST_CHARACTERS = 2000
_SEVERAL = re.compile(r"\b(?:and(?:/or)?|as well as|or)\b|;|&", re.IGNORECASE)
_NUMBERED = re.compile(r"^\s*(?:\d+[.)]|[-*•])\s", re.MULTILINE)
_ENDS = re.compile(r"[.?!](?=\s+\S)")
_SCALE = re.compile(
    r"\b(?:rate|rank|score|grade|how (?:well|much|good|clear\w*|many)|to what (?:extent|degree)|on a scale"
    r"|from \d+ to \d+|out of \d+)\b",
    re.IGNORECASE,
)
_VAGUE = re.compile(
    r"\b(?:good|bad|nice|great|excellent|appropriate(?:ly)?|proper(?:ly)?|reasonable|reasonably|adequate(?:ly)?"
    r"|high[- ]quality|well[- ]written|professional(?:ly)?|clear(?:ly)?|suitable|suitably"
    r"|sufficient(?:ly)?|effective(?:ly)?)\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"\"[^\"\n]*\"|“[^”\n]*”|`[^`\n]*`|'[^'\n]*'(?!\w)")


def warnings_of(criterion: str) -> tuple[str, ...]:
    """Return why `criterion` may not be one question with the answers yes and no; empty where nothing is seen.

    >>> warnings_of("Does the memo state EBITDA for 2025?")
    ()
    >>> warnings_of("Is it right and complete?")
    ('asks several things (`and`): make each a criterion of its own',)
    """
    bare = _QUOTED.sub("…", criterion)
    found = []
    if several := _SEVERAL.search(bare):
        found.append(f"asks several things (`{several[0].lower()}`): make each a criterion of its own")
    elif len(_NUMBERED.findall(bare)) > 1 or len(_ENDS.findall(bare)) > 1 or bare.count("?") > 1:
        found.append("asks several things (more than one sentence): make each a criterion of its own")
    if scale := _SCALE.search(bare):
        found.append(f"asks how much (`{scale[0].lower()}`): ask whether a stated bar is met")
    if vague := _VAGUE.search(bare):
        found.append(f"says `{vague[0].lower()}` and not what makes it so: name what a reader can find")
    if len(criterion) > MOST_CHARACTERS:
        found.append(f"has {len(criterion)} characters: a question that long is several")
    return tuple(found)


def warnings_in(checks_toml: Path) -> list[tuple[str, str]]:
    """Return the name of each judged check in `checks_toml` with why its criterion may not be one question.

    Raise FormatError for what is no such file.
    """
    judged = (one for one in read_checks(checks_toml).checks if one.use == "judged")
    return [
        (one.name, warning)
        for one in judged
        if isinstance(asked := one.parameters.get("criterion"), str)
        for warning in warnings_of(asked)
    ]
