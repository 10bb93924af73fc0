"""Files that a command writes in ways that no redirection shows: options for the output, editors in place, loops.

`gen --output a.json` writes `a.json`; in a loop over `cases/*.in`, `${f%.in}.out` stands for `cases/*.out`. Not
covered: programs that write to a place of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

MOST_WORDS = 400
_OUT = re.compile(
    r"-o|--?out(?:put|file|put-file|-file|path|put-path)?|--save(?:-to|-as)?|--dest(?:ination)?|--write-to"
)
_OUT_IS = re.compile(rf"(?:{_OUT.pattern})=(?P<path>\S+)")
_BUILDS = re.compile(
    r"(?:.*-)?(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|ld|rustc|go|nvcc|javac|tsc|ar|as|swiftc|ghc|gfortran|zig|"
    r"dmd)(?:-\d+)?|"
    r"curl|wget|pytest|py\.test|ssh|scp|docker|kubectl|systemctl|ps|grep|rg|find|mount|sort|set|test|git"
)
"""Programs whose `-o` is a build, an option of another kind, or read elsewhere."""
_EDITS = re.compile(r"-\w*i(?:\.\w+)?")
_IN_PLACE = {"perl": _EDITS, "ruby": _EDITS, "yq": re.compile(r"-\w*i|--inplace"), "gawk": re.compile("inplace"),
             "awk": re.compile("inplace"), "jq": re.compile(r"--in-place|-i")}  # fmt: skip
_LAST = frozenset({"sd", "sponge", "rsync", "rename", "prename"})
_SUFFIX = re.compile(r"\$\{(?P<name>\w+)(?:%%?(?P<cut>[^}/]*)|/(?P<old>[^}/]+)/(?P<new>[^}]*))\}")
_BASENAME = re.compile(r"\$\(basename \"?\$\{?(?P<name>\w+)\}?\"?(?: \"?(?P<cut>[\w.-]+)\"?)?\)")
_LOOP = r"\bfor {name} in (?P<over>\S+)"
_PIPED = re.compile(r"(?:\bls|\bfind) (?P<over>\S{1,300})[^|;\n]{0,200}\| *while (?:IFS= ?)?read (?:-r )?(?P<name>\w+)")


def written_more(program: str, words: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the files that a command changes in place, and those that it writes whole, by its options.

    >>> written_more("gen", ("gen", "--output", "a.json")), written_more("perl", ("perl", "-0pi", "s/a/b/", "a.t"))
    (((), ('a.json',)), (('a.t',), ()))
    """
    given = words[1:MOST_WORDS]
    named = [one for one in given if not one.startswith("-")]
    pattern = _IN_PLACE.get(program)
    if pattern is not None:
        is_in_place = any(pattern.fullmatch(one) for one in given)
        return (tuple(named[1:]), ()) if is_in_place else ((), ())
    if program in _LAST:
        return (tuple(named[-1:]), ()) if program != "sponge" else ((), tuple(named[-1:]))
    return (), tuple(dict.fromkeys(_by_option(words))) if not _BUILDS.fullmatch(program) else ()


def _by_option(words: Sequence[str]) -> Iterator[str]:
    for before, one in pairwise(words[:MOST_WORDS]):
        if _OUT.fullmatch(before) and not one.startswith("-") and ("." in one or "/" in one):
            yield one
        elif found := _OUT_IS.fullmatch(one):
            yield found["path"]


def looped(path: str, line: str) -> str:
    """Return a path with the name of a loop's file written out as the pattern that the loop goes over.

    >>> looped("${f%.in}.out", "for f in cases/*.in; do ./p < $f > ${f%.in}.out; done")
    'cases/*.out'
    """
    found = _SUFFIX.search(path) or _BASENAME.search(path)
    if found is None:
        return path
    name = found["name"]
    loop = re.search(_LOOP.format(name=re.escape(name)), line)
    over = (
        loop["over"].rstrip(";")
        if loop
        else next((one["over"] for one in _PIPED.finditer(line) if one["name"] == name), "")
    )
    if not over:
        return path
    parts = found.groupdict()
    if parts.get("old"):
        made = over.replace(parts["old"], parts["new"] or "")
    else:
        made = over.removesuffix((parts["cut"] or "").replace("*", "")) if parts["cut"] else over
    if found.re is _BASENAME:
        made = made.rsplit("/", 1)[-1]
    return path[: found.start()] + made + path[found.end() :]
