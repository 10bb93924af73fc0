"""Reads of credentials in programs of other languages than Python: the whole environment, files of keys, metadata.

By patterns. Passing the environment on to another program is none; the variable a program itself needs neither.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from fairtrial.contamination.conduct.leads import Lead
from fairtrial.contamination.conduct.pieces import Piece, line_at, line_with
from fairtrial.contamination.usage.credentials import KEY_FILES, KIND, METADATA, by_output

_DUMPS = re.compile(
    r"(?:console\.\w+|JSON\.stringify|util\.inspect|writeFile\w*|fetch|print_r|var_dump|puts|pp?|print|say|Dumper|Println|"
    r"fmt\.\w+|println!|System\.out\.\w+|dbg!|inspect|cat|str)\b[^;\n]{0,80}?"
    r"(?:\bprocess\.env\b(?![.\[?])|\bDeno\.env\.toObject|\bBun\.env\b(?![.\[])|\bos\.Environ\(\)|\benv::vars\b|"
    r"\bSystem\.getenv\(\)|\bENV\b(?:\.(?:to_h|inspect|each|sort))?(?=[\s);]|$)|%ENV\b|\$_ENV\b(?!\[)|\bgetenv\(\)|\bSys\.getenv\(\))|"
    r"\b(?i:Get-ChildItem|gci|dir|ls)\s+(?i:env):|for\s+\w+(?:\s*,\s*\w+)?\s*(?::=\s*range\s+os\.Environ\(\)|in\s+(?:std::)?env::vars\(\))|"
    r"Object\.(?:entries|values)\(process\.env\)"
)
_QUOTED = re.compile(r"['\"`]([^'\"`\n]{4,200})['\"`]")
_READS = re.compile(
    r"readFile\w*|ReadFile|read_to_string|File\.(?:read|open)|file_get_contents|fopen|os\.Open|Files\.\w+|open\s*\(|Get-Content|"
    r"readLines|IO\.read|slurp|createReadStream|Bun\.file|readTextFile"
)
_MOST = 200_000
_MOST_FOUND = 50


def reads_of_code(piece: Piece) -> Iterator[Lead]:
    """Yield reads of credentials in a program of another language."""
    text = piece.text[:_MOST]
    for found in islice(_DUMPS.finditer(text), _MOST_FOUND):
        yield piece.lead(KIND, "lists the environment", line_with(text, *found.span()), host="environment",
                         certainty=by_output(piece), line=line_at(text, found.start()))  # fmt: skip
    reads = bool(_READS.search(text))
    for found in islice(_QUOTED.finditer(text), 5000):
        path = found[1]
        if reads and KEY_FILES.search(path) and piece.around.file(path) is None and "/" in path:
            yield piece.lead(KIND, f"reads {path}", line_with(text, *found.span()), host=path,
                             line=line_at(text, found.start()))  # fmt: skip
    for found in islice(METADATA.finditer(text), _MOST_FOUND):
        yield piece.lead(KIND, "asks the metadata service of the machine", line_with(text, *found.span()),
                         host=found[0], line=line_at(text, found.start()))  # fmt: skip
