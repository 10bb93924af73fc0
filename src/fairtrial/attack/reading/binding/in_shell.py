"""Find in shell graders the fields that jq reads and the titles that grep looks for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairtrial.attack.reading.binding.finding import Bound
from fairtrial.attack.reading.binding.stated import Told
from fairtrial.attack.reading.binding.wording import bare, is_title, titles_of_pattern
from fairtrial.attack.reading.shell_file import ShellFile, program, row

_JQ_FIELD = re.compile(r"""\.(?:\["([^"]+)"\]|"([^"]+)"|([A-Za-z_]\w*))""")


def bindings(script: ShellFile, told: Told) -> Iterator[Bound]:
    """Yield where `script` binds to a form that the agent was not told of."""
    for command, words in script.commands():
        name, rest = program(words), [word for word in words[1:] if not word.startswith("-")]
        if not rest:
            continue
        if name == "jq":
            for found in _JQ_FIELD.finditer(rest[0]):
                field = next(part for part in found.groups() if part)
                if not told.states(field):
                    yield Bound(script.name, row(command), "field", field)
        elif name in ("grep", "egrep", "fgrep", "rg"):
            wordings = {rest[0], *titles_of_pattern(rest[0])}
            for wording in sorted(wordings):
                if is_title(wording) and not told.states(bare(wording)):
                    yield Bound(script.name, row(command), "title", wording.strip())
