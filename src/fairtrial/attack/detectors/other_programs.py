"""What programs of other languages than Python do, by their plain calls: JavaScript, Ruby, Perl, PHP, R, Go.

By patterns, with names followed to the literal they are given. Not covered: what is computed, and order.
"""

from __future__ import annotations

import functools
import re

from fairtrial.attack.detectors.effects import Effect, EffectKind

MOST_CODE = 50_000
MOST_EFFECTS = 100
_TEXT = r"(?:\"((?:[^\"\\\n]|\\.){0,2000})\"|'((?:[^'\\\n]|\\.){0,2000})'|`([^`]{0,4000})`|([A-Za-z_$][\w$]*))"
_CALLS: tuple[tuple[EffectKind, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern))  # type: ignore[misc]
    for kind, pattern in (
        ("write", rf"\b(?:writeFile(?:Sync)?|appendFile(?:Sync)?|File\.write|IO\.write|file_put_contents|writeLines|"
                  rf"WriteFile|createWriteStream|writeTextFile(?:Sync)?|Bun\.write|File\.write!|spit|write_file|"
                  rf"writefile|writeString|"
                  rf"write_to_file|fwrite|saveRDS|write\.csv)\s*\(?\s*{_TEXT}(?:\s*,\s*{_TEXT})?"),
        ("write", rf"\b(?:File\.)?open\s*\(?\s*{_TEXT}\s*,\s*[\"'][wa]b?\+?[\"']"),
        ("read", rf"\b(?:readFile(?:Sync)?|File\.read(?:lines)?|IO\.read|file_get_contents|readLines|read\.csv|"
                 rf"ReadFile|readRDS|read_csv|readTextFile(?:Sync)?|read_to_string|require|File\.read!|slurp|read_file)"
                 rf"\s*\(?\s*{_TEXT}"),
        ("delete", rf"\b(?:unlink(?:Sync)?|rmSync|rm_rf?|File\.delete|os\.Remove(?:All)?|file\.remove|remove_file)"
                   rf"\s*\(?\s*{_TEXT}"),
        ("shell", rf"\b(?:exec(?:Sync)?|execFileSync|spawnSync|system|shell_exec|popen|passthru)\s*\(?\s*{_TEXT}"),
        ("fetch", rf"\b(?:fetch|axios(?:\.\w+)?|https?\.get|Net::HTTP\.get|http\.Get|open-uri|download\.file|curl_init)"
                  rf"\s*\(\s*{_TEXT}"),
    )
)  # fmt: skip
_COPIES = re.compile(rf"\b(?:copyFile(?:Sync)?|cpSync|rename(?:Sync)?|FileUtils\.(?:cp|mv)|File\.rename|symlinkSync|"
                     rf"file\.copy)\s*\(\s*{_TEXT}\s*,\s*{_TEXT}")  # fmt: skip
_CHANGES = re.compile(
    r"(?:\.(?:replace(?:All|_all|first)?|g?sub!?)|String\.replace|Regex\.replace|str_replace|"
    r"re_replace)\s*\(\s*(?:[^,()]{1,60}(?:\([^()]*\))?,\s*)?(?:/((?:[^/\\\n]|\\.){1,400})/\w*|"
    + _TEXT
    + r")\s*,\s*"
    + _TEXT
)
_KNOWN = re.compile(
    r"\b(?:const|let|var|my|our)?\s*[$@]?([A-Za-z_]\w*)\s*(?::?=|<-)\s*(?:[\w.]+\(\s*)?[\"'`]([^\"'`\n]{1,300})[\"'`]"
)
PROGRAMS = ("node", "deno", "bun", "ruby", "perl", "php", "Rscript", "lua", "julia", "go", "tsx", "ts-node")
"""Interpreters whose programs are read so."""
SCRIPTS = (
    ".exs",
    ".ex",
    ".jl",
    ".lua",
    ".groovy",
    ".kts",
    ".swift",
    ".scala",
    ".fsx",
    ".csx",
    ".tcl",
    ".R",
    ".go",
    ".rs",
    ".ts",
    ".tsx",
    ".mjs",
    ".js",
    ".rb",
    ".pl",
    ".php",
    ".m",
    ".hs",
    ".clj",
    ".rkt",
    ".ml",
    ".dart",
    ".nim",
)
"""Endings of programs that some runner takes by their path."""


@functools.lru_cache(maxsize=256)
def other_effects(code: str) -> tuple[Effect, ...]:
    """Return what a program does, kind by kind.

    >>> [(e.kind, e.path, e.text) for e in other_effects("fs.writeFileSync('a.json', '{}'); fs.unlinkSync('b')")]
    [('write', 'a.json', '{}'), ('delete', 'b', '')]
    """
    code = code[:MOST_CODE]
    if "(" not in code and "open" not in code:
        return ()
    known = dict(_KNOWN.findall(code))
    found: list[Effect] = []
    for kind, pattern in _CALLS:
        for match in pattern.finditer(code):
            first, second = _text(match.groups()[:4], known), _text(match.groups()[4:8], known)
            if kind == "shell":
                found.append(Effect(kind=kind, text=first))
            else:
                found.append(Effect(kind=kind, path=first, text=second if kind == "write" else "",
                                    appends="append" in match[0]))  # fmt: skip
    for match in _COPIES.finditer(code):
        source, target = _text(match.groups()[:4], known), _text(match.groups()[4:8], known)
        found.append(Effect(kind="read", path=source))
        found.append(Effect(kind="write", path=target, sources=(source,)))
    return tuple(_as_edits(found, code, known))[:MOST_EFFECTS]


def _as_edits(found: list[Effect], code: str, known: dict[str, str]) -> list[Effect]:
    """Return the effects; a file that is read, changed by replacements and written back is edited."""
    changes = [(m[1] or _text(m.groups()[1:5], known), _text(m.groups()[5:9], known)) for m in _CHANGES.finditer(code)]
    read = {one.path for one in found if one.kind == "read"}
    made: list[Effect] = []
    for one in found:
        if one.kind == "write" and one.path in read and changes and not one.sources:
            made += [Effect(kind="edit", path=one.path, text=new, old=old) for old, new in changes]
        else:
            made.append(one)
    return made


def _text(groups: tuple[str | None, ...], known: dict[str, str]) -> str:
    """Return the literal of a match, or what a name stands for."""
    literal = next((one for one in groups[:3] if one is not None), None)
    if literal is not None:
        return literal.replace("\\n", "\n").replace("\\'", "'").replace('\\"', '"')
    return known.get(groups[3] or "", "") if groups[3:] else ""
