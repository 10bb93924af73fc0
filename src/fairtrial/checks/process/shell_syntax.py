"""Words, variables and wrappers of shell commands: small questions about one command, answered without running it.

Not covered: expansions that only a shell could make (globs, arithmetic, substitutions keep their text).
"""

from __future__ import annotations

import functools
import posixpath
import re
from collections.abc import Mapping, Sequence

import tree_sitter
import tree_sitter_bash

SHELLS = re.compile(r"^(ba|da|z|k|a)?sh$")
TEXT_TOOLS = frozenset({"cat", "tee", "grep", "egrep", "wc", "head", "tail", "sort", "uniq", "cut", "tr", "less",
                        "more", "nl", "column", "rg", "diff", "base64", "md5sum",
                        "sha256sum", "xxd", "fold"})  # fmt: skip
"""They pass on what they read, and do nothing by it."""
SAYING = frozenset({"echo", "printf", ":", "true", "#"})
WRAPPERS: Mapping[str, frozenset[str]] = {
    "sudo": frozenset({"-u", "-g", "-h", "-p", "-C"}),
    "env": frozenset({"-u", "-C"}),
    "timeout": frozenset({"-k", "-s", "--signal", "--kill-after"}),
    "nice": frozenset({"-n"}),
    "ionice": frozenset({"-c", "-n"}),
    "stdbuf": frozenset({"-i", "-o", "-e"}),
    "xargs": frozenset({"-I", "-n", "-P", "-L", "-d", "-a", "-s"}),
    "nohup": frozenset(),
    "setsid": frozenset(),
    "time": frozenset({"-f", "-o"}),
    "command": frozenset(),
    "builtin": frozenset(),
    "exec": frozenset({"-a"}),
    "xvfb-run": frozenset({"-s", "-n"}),
    "uvx": frozenset({"--with", "--from", "-p", "--python"}),
    "npx": frozenset({"-p", "--package"}),
}
"""Programs that start another -> their options that take a value."""
RUNNERS_OF = {("uv", "run"), ("poetry", "run"), ("pipenv", "run"), ("hatch", "run"), ("pdm", "run"), ("bundle", "exec"),
              ("pnpm", "exec"), ("npm", "exec"), ("conda", "run"), ("coverage", "run")}  # fmt: skip
_VALUED = frozenset({"--with", "-p", "--python", "-n", "--extra", "--group", "--source", "--rcfile", "--include"})
_ASSIGNMENT = re.compile(r"^\w+=")
_DURATION = re.compile(r"^[\d.]+[smhd]?$")


@functools.cache
def parser() -> tree_sitter.Parser:
    """Return the parser of bash."""
    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language()))


def raw(node: tree_sitter.Node) -> str:
    """Return the text of a node as it stands."""
    return (node.text or b"").decode(errors="replace")


def word(node: tree_sitter.Node, variables: Mapping[str, str]) -> str:
    """Return what a shell makes of a word: quotes and escapes taken off, known variables filled in."""
    kind, text = node.type, raw(node)
    if kind == "raw_string":
        return text[1:-1]
    if kind == "ansi_c_string":
        return re.sub(r"\\(.)", lambda m: {"n": "\n", "t": "\t"}.get(m[1], m[1]), text[2:-1])
    if kind in ("simple_expansion", "expansion"):
        plain = re.fullmatch(r"\$\{?(\w+)(?::?-([^}]*))?\}?", text)
        return variables.get(plain[1], plain[2] or text) if plain else text
    if kind == "string":
        return _joined(node, variables, quoted=True)
    if kind in ("concatenation", "command_name") and node.children:
        return _joined(node, variables, quoted=False)
    return re.sub(r"\\(.)", r"\1", text, flags=re.DOTALL) if kind == "word" else text


def _joined(node: tree_sitter.Node, variables: Mapping[str, str], *, quoted: bool) -> str:
    """Return the parts of a word together; text between them, which the grammar leaves out, is kept."""
    whole, start = node.text or b"", node.start_byte
    parts, at = [], 0
    for child in node.children:
        parts.append(whole[at : child.start_byte - start].decode(errors="replace"))
        if child.type == "string_content" or (quoted and child.type not in _EXPANDED):
            text = raw(child)
            parts.append("" if text == '"' else re.sub(r'\\(["\\$`])', r"\1", text))
        else:
            parts.append(word(child, variables))
        at = child.end_byte - start
    return "".join(parts) + whole[at:].decode(errors="replace")


_EXPANDED = ("simple_expansion", "expansion")


def unwrapped(words: Sequence[str]) -> tuple[str, ...]:
    """Return the command that is really started, past `sudo`, `env`, `timeout`, `xargs`, `uv run` and their options.

    >>> unwrapped(["sudo", "-u", "app", "timeout", "60", "env", "A=1", "pytest", "-q"])
    ('pytest', '-q')
    """
    rest = list(words)
    while rest:
        if _ASSIGNMENT.match(rest[0]):
            del rest[0]
            continue
        name = posixpath.basename(rest[0])
        if name in WRAPPERS:
            valued, start = WRAPPERS[name], 1
        elif (name, *rest[1:2]) in RUNNERS_OF:
            valued, start = _VALUED, 2
        else:
            break
        rest = _past_options(rest[start:], valued)
        if name == "timeout" and rest and _DURATION.match(rest[0]):
            del rest[0]
    return tuple(rest)


def _past_options(rest: list[str], valued: frozenset[str]) -> list[str]:
    while rest and rest[0].startswith("-") and rest[0] != "-m":
        takes = rest[0] in valued
        rest = rest[2:] if takes else rest[1:]
    return rest


def forms(words: Sequence[str]) -> tuple[str, ...]:
    """Return how one command may be named: as written, past its wrappers, by its bare name, past `python -m`.

    >>> forms(["timeout", "9", "/usr/bin/python3", "-m", "pytest", "-q"])[1:]
    ('/usr/bin/python3 -m pytest -q', 'python3 -m pytest -q', 'pytest -q')
    """
    inner = unwrapped(words)
    found = [" ".join(words), " ".join(inner)]
    if inner:
        found.append(" ".join((posixpath.basename(inner[0]), *inner[1:])))
        modules = [n for n, one in enumerate(inner[:-1]) if one == "-m" and n <= 4]
        if modules and (inner[0] == "-m" or is_python(inner[0])):
            found.append(" ".join(inner[modules[0] + 1 :]))
    return tuple(dict.fromkeys(found))


def is_python(program: str) -> bool:
    """Say whether a program is a Python interpreter.

    >>> is_python("/usr/bin/python3.11"), is_python("pythonic")
    (True, False)
    """
    return re.fullmatch(r"(python|pypy)[\d.]*", posixpath.basename(program)) is not None
