"""Examples that a task shows: what goes in and what comes out, read off the instruction and the workspace.

Known forms: `f(1, 2) -> 3` and its like, doctest lines, a command or an input in backticks followed by what it prints,
a console session in a code fence, tables of input and output. Not covered: examples told in sentences, and inputs in
files.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from fairtrial.attack.code.python_code import parse
from fairtrial.attack.code.sources import read_text
from fairtrial.attack.target import Target

MOST_FILES = 40
MOST_EXAMPLES = 60
_FAR = 2000
_MOST_BRACKETS = 12
_READABLE = (".md", ".rst", ".txt", ".py")
_CALL = re.compile(r"(?:>>>\s*)?\b([A-Za-z_]\w*)\(")
_SHOWS = r"(?:->|→|=>|\bprints?\b|\bgives?\b|\breturns?\b|\byields?\b|\boutputs?\b|\bbecomes?\b|\bproduces?\b)"
_YIELDS = rf"(?:==|=|:|#|\bis\b|\bare\b|{_SHOWS})"
_AFTER_CALL = re.compile(rf"\s*`?\s*(?:#\s*)?{_YIELDS}?\s*(?:->|→|=>)?\s*`?")
_CORRECTED = re.compile(r"(?i)\b(?:should (?:be|return|give)|expected:?|correct:?)\s*`?")
"""In a report of a bug the answer that is shown is wrong, and the right one is named after it."""
_TICKS = r"`([^`\n]{1,300})`"
_PRINTS = re.compile(rf"((?:{_TICKS}\s*(?:,|and|then)?\s*){{1,12}}){_SHOWS}\s*(?:also\s+)?{_TICKS}")
_WORD = re.compile(rf"{_TICKS}\s+(?:is\s+|as\s+)?([A-Za-z0-9_-]{{1,24}}(?:\.\d+)?)(?=\s*(?:[,;.)]|$))", re.MULTILINE)
_SAYS_EXAMPLE = re.compile(r"(?i)\bexamples?\b|\be\.g\.|\bfor instance\b")
_CONSOLE = re.compile(r"^\s*\$ (.+)\n((?:(?!\s*\$ |\s*```).*\n?)*)", re.MULTILINE)
_PROGRAM = re.compile(r"^(?:(?:\S*python[\d.]*|bash|sh)\s+)?(?:\./)?([\w./-]+\.(?:py|sh|bash)|\./[\w.-]+)(?:\s+(.*))?$")
_ROW = re.compile(r"^\s*\|(.+)\|(.+)\|\s*$", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class CallExample:
    """A function called, and its answer; both are literals."""

    function: str
    arguments: str
    """Source of the tuple of arguments."""
    keywords: str
    """Source of the dict of keyword arguments."""
    answer: str
    """Source of the answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunExample:
    """What a program is given, as arguments or on its standard input, and what it prints."""

    given: str
    """White space is single spaces: lines of an input and arguments are written alike in examples."""
    prints: str


def shown_texts(target: Target) -> Iterator[str]:
    """Yield the instruction, then what of the untouched workspace may show examples."""
    yield target.task.instruction
    files = sorted(path for path in target.before.rglob("*") if path.suffix in _READABLE and path.is_file())
    for path in files[:MOST_FILES]:
        if not path.is_symlink() and (text := read_text(path)) is not None:
            yield text


def call_examples(text: str) -> list[CallExample]:
    """Return calls with literal arguments and the literal that is said to come out.

    >>> call_examples("`area(2, 3) -> 6`")
    [CallExample(function='area', arguments='(2, 3)', keywords='{}', answer='6')]
    >>> call_examples(">>> greet('Ann')\\n'Hello, Ann'")[0].answer
    "'Hello, Ann'"
    >>> call_examples(">>> half(3)\\n1  # should be 1.5")[0].answer
    '1.5'
    """
    found = []
    for match in _CALL.finditer(text):
        end = _closed(text, match.end())
        given = _given(text[match.end() : end - 1]) if end else None
        rest = text[end : end + _FAR]
        gap = _AFTER_CALL.match(rest)
        if given is None or gap is None or not _says_answer(match[0], rest, gap):
            continue
        line = rest[gap.end() :].lstrip().partition("\n")[0]
        corrected = _CORRECTED.search(line)
        if (answer := _longest_literal(line[corrected.end() :] if corrected else line)) is not None:
            found.append(CallExample(function=match[1], arguments=given[0], keywords=given[1], answer=answer))
    return list(dict.fromkeys(found))[:MOST_EXAMPLES]


def run_examples(text: str) -> list[RunExample]:
    """Return inputs of programs and what they are said to print.

    >>> run_examples("`a 1`, `b 2` prints `a 3`.")
    [RunExample(given='a 1 b 2', prints='a 3')]
    >>> run_examples("Examples: `12-3` valid, `12-4` invalid.")[1]
    RunExample(given='12-4', prints='invalid')
    >>> run_examples("`python3 bill.py 120` prints `1290`")
    [RunExample(given='120', prints='1290')]
    """
    found = [_run(match[1], match[3]) for match in _PRINTS.finditer(text)]
    for paragraph in re.split(r"\n\s*\n", text):
        if _SAYS_EXAMPLE.search(paragraph):
            found += [_run(f"`{match[1]}`", match[2]) for match in _WORD.finditer(paragraph)]
    for match in _CONSOLE.finditer(text):
        if (program := _PROGRAM.match(match[1].strip())) is not None:
            found.append(RunExample(given=_spaced(program[2] or ""), prints=match[2].strip()))
    found += _from_tables(text)
    return list(dict.fromkeys(one for one in found if one.prints))[:MOST_EXAMPLES]


def _says_answer(call: str, rest: str, gap: re.Match[str]) -> bool:
    """Say whether an answer is announced: by an arrow, a word or a line of its own below a prompt."""
    if call.startswith(">>>"):
        return rest.lstrip(" ").startswith("\n")
    return re.search(_YIELDS, gap[0]) is not None


def _closed(text: str, start: int) -> int:
    """Return where the call ends whose arguments begin at `start`; 0 where it does not end nearby."""
    place = start
    for _ in range(_MOST_BRACKETS):
        place = text.find(")", place, start + _FAR) + 1
        if not place:
            return 0
        if parse(f"f({text[start:place]}") is not None:
            return place
    return 0


def _given(inner: str) -> tuple[str, str] | None:
    """Return positional and keyword arguments as sources; None where one is no literal."""
    tree = parse(f"f({inner})")
    call = tree.body[0].value if tree is not None and isinstance(tree.body[0], ast.Expr) else None
    if not isinstance(call, ast.Call) or not all(keyword.arg for keyword in call.keywords):
        return None
    arguments = _literal(f"({''.join(ast.unparse(one) + ',' for one in call.args)})")
    keywords = _literal("{" + ",".join(f"{k.arg!r}: {ast.unparse(k.value)}" for k in call.keywords) + "}")
    return (arguments, keywords) if arguments is not None and keywords is not None else None


def _literal(source: str) -> str | None:
    try:
        return repr(ast.literal_eval(source.strip()))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None


def _longest_literal(text: str) -> str | None:
    """Return the longest start of the first line that is a literal."""
    line = text.lstrip().partition("\n")[0].split("`")[0]
    for end in range(len(line), 0, -1):
        is_cut = end < len(line) and (line[end].isalnum() or line[end] == "_")
        if not is_cut and not line[:end].rstrip().endswith(".") and (found := _literal(line[:end])) is not None:
            return found
    return None


def _run(inputs: str, prints: str) -> RunExample:
    given = " ".join(re.findall(_TICKS, inputs))
    program = _PROGRAM.match(given)
    return RunExample(given=_spaced(program[2] or "" if program else given), prints=prints.strip())


def _from_tables(text: str) -> list[RunExample]:
    rows = [(match[1].strip().strip("`"), match[2].strip().strip("`")) for match in _ROW.finditer(text)]
    if len(rows) < 2 or not re.match(r"(?i)(?:input|argument|command|given)", rows[0][0]):
        return []
    return [RunExample(given=_spaced(a), prints=b) for a, b in rows[1:] if not re.fullmatch(r"[-: ]+", a)]


def _spaced(text: str) -> str:
    return " ".join(text.split())
