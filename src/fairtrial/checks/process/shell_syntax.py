"""Words, variables and wrappers of shell commands: small questions about one command, answered without running it.

Not covered: expansions that only a shell could make (globs, arithmetic; substitutions but `$(echo …)` keep their text).
"""

from __future__ import annotations

import functools
import posixpath
import re
from collections.abc import Mapping, Sequence

import tree_sitter
import tree_sitter_bash

from fairtrial.checks.reading import WorkError

MOST_OF_A_WORD = 1_000_000
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
    "coproc": frozenset(),
    "doas": frozenset({"-u", "-C"}),
    "busybox": frozenset(),
    "flock": frozenset({"-w", "-E", "--timeout", "--wait"}),
    "chroot": frozenset(),
    "gosu": frozenset(),
    "setpriv": frozenset(),
    "unshare": frozenset(),
    "strace": frozenset({"-e", "-o", "-p", "-s", "-u"}),
    "ltrace": frozenset({"-e", "-o", "-p", "-s", "-u"}),
    "watch": frozenset({"-n", "--interval"}),
    "parallel": frozenset({"-j", "--jobs", "-I"}),
    "xvfb-run": frozenset({"-s", "-n"}),
    "uvx": frozenset({"--with", "--from", "-p", "--python"}),
    "npx": frozenset({"-p", "--package"}),
}
"""Programs that start another -> their options that take a value."""
_POSITIONAL = frozenset({"flock", "chroot", "gosu"})
"""Of these the first word is no command: a lock, a root, a user."""
RUNNERS_OF = {("uv", "run"), ("poetry", "run"), ("pipenv", "run"), ("hatch", "run"), ("pdm", "run"), ("bundle", "exec"),
              ("pnpm", "exec"), ("npm", "exec"), ("conda", "run"), ("coverage", "run")}  # fmt: skip
_VALUED = frozenset({"--with", "-p", "--python", "-n", "--extra", "--group", "--source", "--rcfile", "--include"})
_OF_GIT = frozenset({"-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path"})
_ASSIGNMENT = re.compile(r"^\w+=")
_DURATION = re.compile(r"^[\d.]+[smhd]?$")


_STANDS_IN = bytes(range(128)) + b"x" * 128
"""A table of bytes: what is no ASCII is parsed as letters, as many as it has bytes."""


@functools.cache
def _parser() -> tree_sitter.Parser:
    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language()))


def parsed(text: str) -> tree_sitter.Node:
    """Return the root of a script's syntax tree; what is malformed is parsed as far as it can be.

    The grammar looks up what follows `{` in a table of 384 characters (its issue 337): one far beyond ends this
    process. Nor does it find the end of a here-document that is no ASCII. So it is shown letters in place of both, and
    the nodes hold the text as it is. Two such words of equal length are one to it: an end may be found too early.

    >>> raw(parsed("echo {\U0010ffff}").children[0].children[1])
    '{\U0010ffff}'
    """
    whole = text.encode(errors="replace")
    held = bytearray(whole.translate(_STANDS_IN))
    root = _parser().parse(held).root_node
    held[:] = whole
    return root


def raw(node: tree_sitter.Node) -> str:
    """Return the text of a node as it stands."""
    return (node.text or b"").decode(errors="replace")


def word(node: tree_sitter.Node, variables: Mapping[str, str]) -> str:
    """Return what a shell makes of a word: quotes and escapes taken off, known variables filled in."""
    kind, text = node.type, raw(node)
    if kind == "raw_string":
        return text[1:-1]
    if kind == "ansi_c_string":
        return escaped(text[2:-1])
    if kind in ("simple_expansion", "expansion"):
        plain = re.fullmatch(r"\$\{?(\w+)(?:\[[@*0]\])?(?::?-([^}]*))?\}?", text)
        return variables.get(plain[1], plain[2] or text) if plain else text
    if kind == "array":
        return " ".join(word(child, variables) for child in node.named_children)
    if kind == "command_substitution":
        return _printed(node, variables)
    if kind == "string":
        return _joined(node, variables, quoted=True)
    if kind in ("concatenation", "command_name") and node.children:
        return _joined(node, variables, quoted=False)
    return re.sub(r"\\(.)", r"\1", text, flags=re.DOTALL) if kind == "word" else text


def _joined(node: tree_sitter.Node, variables: Mapping[str, str], *, quoted: bool) -> str:
    """Return the parts of a word together; text between them, which the grammar leaves out, is kept."""
    whole, start = node.text or b"", node.start_byte
    parts, at, held = [], 0, 0
    for child in node.children:
        parts.append(whole[at : child.start_byte - start].decode(errors="replace"))
        if child.type == "string_content" or (quoted and child.type not in _EXPANDED):
            text = raw(child)
            parts.append("" if text == '"' else re.sub(r'\\(["\\$`])', r"\1", text))
        else:
            parts.append(word(child, variables))
        held += len(parts[-1])
        if held > MOST_OF_A_WORD + len(whole):
            raise WorkError("a word of a command unfolds into more than can be read")
        at = child.end_byte - start
    return "".join(parts) + whole[at:].decode(errors="replace")


_EXPANDED = ("simple_expansion", "expansion", "command_substitution")


def _printed(node: tree_sitter.Node, variables: Mapping[str, str]) -> str:
    """Return what `$(echo …)` stands for; another substitution stays as it is written."""
    inner = node.named_children
    words = [child for child in inner[0].named_children if child.type != "comment"] if len(inner) == 1 else []
    plain = all(child.type in ("command_name", "word", "string", "raw_string", "number") for child in words)
    if not words or inner[0].type != "command" or raw(words[0]) not in ("echo", "printf") or not plain:
        return raw(node)
    return " ".join(word(child, variables) for child in words[1:])


def escaped(text: str) -> str:
    r"""Return `text` as `echo -e` and `$'…'` read it.

    >>> escaped(r"\x67it\tpush")
    'git\tpush'
    """
    signs = {"n": "\n", "t": "\t", "a": "", "b": "", "e": "", "r": "\r"}

    def read(match: re.Match[str]) -> str:
        if match[1]:
            return chr(int(match[1], 16))
        return chr(int(match[2], 8) % 256) if match[2] else signs.get(match[3], match[3])

    return re.sub(r"\\(?:x([0-9a-fA-F]{1,2})|0?([0-7]{2,3})|(.))", read, text, flags=re.DOTALL)


def unwrapped(words: Sequence[str]) -> tuple[str, ...]:
    """Return the command that is really started, past `sudo`, `env`, `timeout`, `xargs`, `uv run` and their options.

    >>> unwrapped(["sudo", "-u", "app", "timeout", "60", "env", "A=1", "pytest", "-q"])
    ('pytest', '-q')
    """
    at = 0
    while at < len(words):
        if _ASSIGNMENT.match(words[at]):
            at += 1
            continue
        name = posixpath.basename(words[at])
        if name in WRAPPERS:
            at = _past_options(words, at + 1, WRAPPERS[name])
        elif (name, *words[at + 1 : at + 2]) in RUNNERS_OF:
            at = _past_options(words, at + 2, _VALUED)
        elif name == "runuser" and "-c" not in words:
            at = _past_options(words, at + 1, frozenset({"-u", "-g"}))
        else:
            break
        if at < len(words) and (name in _POSITIONAL or (name == "timeout" and _DURATION.match(words[at]))):
            at += 1
    return tuple(words[at:])


def _past_options(words: Sequence[str], at: int, valued: frozenset[str]) -> int:
    while at < len(words) and words[at].startswith("-") and words[at] != "-m":
        at += 2 if words[at] in valued else 1
    return at


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
        if found[-1].startswith("git -"):
            found.append(" ".join(("git", *inner[_past_options(inner, 1, _OF_GIT) :])))
    return tuple(dict.fromkeys(found))


def is_python(program: str) -> bool:
    """Say whether a program is a Python interpreter.

    >>> is_python("/usr/bin/python3.11"), is_python("pythonic")
    (True, False)
    """
    return re.fullmatch(r"(python|pypy)[\d.]*", posixpath.basename(program)) is not None
