"""Here-documents whose end mark also begins a line of their text, made plain before a shell line is read.

The grammar that reads shells takes `RSpec.describe` for the end of `<<R`. Such a mark gets a longer name.
"""

from __future__ import annotations

import re

MOST_MARKS = 50
_MARK = re.compile(r"<<(?P<dash>-?)[ \t]*(?P<quote>['\"]?)(?P<name>[A-Za-z_]\w*)(?P=quote)")
_LONGER = "_END_OF_TEXT"


def plain_marks(line: str) -> str:
    r"""Return a shell line with such end marks renamed.

    >>> plain_marks("cat > a.rb <<'R'\nRSpec.describe A\nR\nls")
    "cat > a.rb <<'R_END_OF_TEXT'\nRSpec.describe A\nR_END_OF_TEXT\nls"
    >>> plain_marks("cat <<E\nend\nE")
    'cat <<E\nend\nE'
    """
    for mark in list(_MARK.finditer(line))[:MOST_MARKS]:
        name, quote = mark["name"], mark["quote"]
        tabs = "\t*" if mark["dash"] else ""
        body_starts = re.search(rf"^{tabs}{name}(?=[^\n])", line[mark.end() :], re.MULTILINE)
        end = re.search(rf"^({tabs}){name}$", line[mark.end() :], re.MULTILINE)
        if body_starts is None or end is None or body_starts.start() > end.start():
            continue
        first = f"<<{mark['dash']}{quote}{name}{_LONGER}{quote}"
        rest = line[mark.end() :]
        return plain_marks(
            line[: mark.start()] + first + rest[: end.start()] + end[1] + name + _LONGER + rest[end.end() :]
        )
    return line
