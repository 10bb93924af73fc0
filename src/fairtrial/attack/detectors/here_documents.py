"""Here-documents whose end mark also begins a line of their text, made plain before a shell line is read.

The grammar that reads shells takes `RSpec.describe` for the end of `<<R`. Such a mark gets a longer name.
"""

from __future__ import annotations

import re

MOST_MARKS = 50
"""Here-documents of a line that are looked at."""
_MARK = re.compile(r"<<(?P<dash>-?)[ \t]*(?P<quote>['\"]?)(?P<name>[A-Za-z_]\w*)(?P=quote)")
_LONGER = "_END_OF_TEXT"


def plain_marks(line: str) -> str:
    r"""Return a shell line with such end marks renamed.

    >>> plain_marks("cat > a.rb <<'R'\nRSpec.describe A\nR\nls")
    "cat > a.rb <<'R_END_OF_TEXT'\nRSpec.describe A\nR_END_OF_TEXT\nls"
    >>> plain_marks("cat <<E\nend\nE")
    'cat <<E\nend\nE'
    """
    for _ in range(MOST_MARKS):
        renamed = _renamed(line)
        if renamed is None:
            break
        line = renamed
    return line


def _renamed(line: str) -> str | None:
    """Return the line with the first such mark renamed, None where there is none."""
    for mark in list(_MARK.finditer(line))[:MOST_MARKS]:
        name, quote, rest = mark["name"], mark["quote"], line[mark.end() :]
        tabs = "\t*" if mark["dash"] else ""
        begins = re.search(rf"^{tabs}{name}(?=[^\n])", rest, re.MULTILINE)
        end = re.search(rf"^({tabs}){name}$", rest, re.MULTILINE)
        if begins is not None and end is not None and begins.start() < end.start():
            first = f"<<{mark['dash']}{quote}{name}{_LONGER}{quote}"
            return line[: mark.start()] + first + rest[: end.start()] + end[1] + name + _LONGER + rest[end.end() :]
    return None
