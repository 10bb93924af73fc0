"""What a command line really runs: its simple commands in order, through pipes, substitutions, `bash -c`, scripts.

Comments, texts that are only printed and here-documents that are only written down run nothing. What stands behind
`false &&`, `true ||` or `exit` is dead. A script whose text the agent wrote in sight is read where it is run. Not
covered: programs that decode what they run (base64, a download), aliases, commands that a Python program starts.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import tree_sitter

from fairtrial.checks.process.shell_syntax import SAYING, SHELLS, TEXT_TOOLS, is_python, parser, raw, unwrapped, word

DEEPEST = 120
"""Levels of a syntax tree; what lies deeper is kept as text."""
MOST_NESTED = 8
"""Shells within shells."""
_CODE_OPTIONS = ("-c", "-e", "--eval", "-E", "--command", "-r")
_MAYBE = ("else_clause", "elif_clause", "case_item")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """One simple command."""

    words: tuple[str, ...]
    code: str = ""
    """Program text or input that it was given: `-c`, a here-document, a pipe from echo, a script written in sight."""
    writes: tuple[str, ...] = ()
    """Files that its output goes to."""
    is_certain: bool = True
    """False where something else decides whether it runs: the right of `||`, a branch, a case."""
    is_shown: bool = True
    """False where its output goes elsewhere."""
    is_whole: bool = True
    """The line's exit status is its own: the last command, neither in the middle of a pipe nor forgiven."""

    @property
    def program(self) -> str:
        """Return the bare name of what is started."""
        inner = unwrapped(self.words)
        return posixpath.basename(inner[0]) if inner else ""

    @property
    def text(self) -> str:
        """Return what a matcher may search: the words, unless they are only printed; the code; the files written."""
        words = self.words[:1] if self.program in SAYING else self.words
        return "\n".join([" ".join(words), *([self.code] if self.code else []), *(f"> {path}" for path in self.writes)])


@dataclass(slots=True)
class Files:
    """Texts of files that were written in sight."""

    texts: dict[str, str] = field(default_factory=dict)

    def put(self, path: str, text: str, *, appends: bool = False) -> None:
        """Remember what a file holds."""
        path = posixpath.normpath(path)
        self.texts[path] = (self.texts.get(path, "") if appends else "") + text

    def get(self, path: str) -> str | None:
        """Return the text of a file, by its path or by the end of it, as folders may have been changed."""
        path = posixpath.normpath(path)
        if path in self.texts:
            return self.texts[path]
        ends = [text for held, text in self.texts.items() if held.endswith(f"/{path}") or path.endswith(f"/{held}")]
        return ends[-1] if ends else None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Within:
    """Where in a line a command stands."""

    is_certain: bool = True
    is_shown: bool = True
    is_whole: bool = True
    given: str | None = None
    """What comes in by standard input, where that is known."""
    depth: int = 0


def commands_of(line: str, files: Files) -> tuple[Ran, ...]:
    """Return the simple commands of a command line, in order; files that it writes are remembered in `files`."""
    reading = _Reading(files)
    found = list(reading.script(line, _Within()))
    last = max((n for n, one in enumerate(found) if one.is_whole), default=-1)
    return tuple(one if n == last == len(found) - 1 else replace(one, is_whole=False) for n, one in enumerate(found))


@dataclass(slots=True)
class _Reading:
    files: Files
    nested: int = 0
    variables: dict[str, str] = field(default_factory=dict)
    functions: dict[str, tree_sitter.Node] = field(default_factory=dict)
    ended: bool = False
    """An `exit` was passed: what follows is dead."""

    def script(self, text: str, within: _Within) -> Iterator[Ran]:
        """Yield what a script runs."""
        if self.nested >= MOST_NESTED:
            yield Ran(words=("sh", "-c"), code=text, is_certain=within.is_certain)
            return
        self.nested += 1
        ended, self.ended = self.ended, False
        yield from self.node(parser().parse(text.encode(errors="replace")).root_node, replace(within, depth=0))
        self.nested -= 1
        self.ended = ended

    def node(self, node: tree_sitter.Node, within: _Within) -> Iterator[Ran]:
        """Yield what a node of the syntax tree runs."""
        if self.ended:
            return
        if within.depth > DEEPEST:
            yield Ran(words=tuple(raw(node).split()[:1]), code=raw(node), is_certain=False)
            return
        within = replace(within, depth=within.depth + 1)
        kind = node.type
        if kind == "command":
            yield from self._command(node, within)
        elif kind == "list":
            yield from self._list(node, within)
        elif kind == "pipeline":
            yield from self._pipeline(node, within)
        elif kind == "redirected_statement":
            yield from self._redirected(node, within)
        elif kind in ("if_statement", "while_statement", "case_statement"):
            yield from self._branches(node, within)
        elif kind == "function_definition":
            name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
            if name is not None and body is not None:
                self.functions[raw(name)] = body
        elif kind == "variable_assignment":
            yield from self._assignment(node, within)
        elif kind == "negated_command":
            yield from self._children(node, replace(within, is_whole=False))
        elif kind == "subshell":
            yield from self._children(node, within)
            self.ended = False
        elif kind not in ("comment", "raw_string", "heredoc_body"):
            yield from self._children(node, within)

    def _children(self, node: tree_sitter.Node, within: _Within) -> Iterator[Ran]:
        children = [child for child in node.children if child.is_named and child.type != "comment"]
        for number, child in enumerate(children):
            is_last = number == len(children) - 1
            yield from self.node(child, within if is_last else replace(within, is_whole=False))

    def _assignment(self, node: tree_sitter.Node, within: _Within) -> Iterator[Ran]:
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is not None and value is not None:
            yield from self._substitutions(value, within)
            self.variables[raw(name)] = word(value, self.variables)

    def _list(self, node: tree_sitter.Node, within: _Within) -> Iterator[Ran]:
        left, right = node.named_children[0], node.named_children[-1]
        sign = next((child.type for child in node.children if child.type in ("&&", "||")), "&&")
        yield from self.node(left, replace(within, is_whole=within.is_whole and sign == "&&"))
        always = raw(left).strip()
        if (sign == "&&" and always == "false") or (sign == "||" and always in ("true", ":")):
            return
        forgives = sign == "||"
        yield from self.node(right, replace(within, is_certain=within.is_certain and not forgives,
                                            is_whole=within.is_whole and not forgives))  # fmt: skip

    def _pipeline(self, node: tree_sitter.Node, within: _Within) -> Iterator[Ran]:
        parts = [child for child in node.children if child.is_named and child.type != "comment"]
        given: str | None = None
        for number, part in enumerate(parts):
            is_last = number == len(parts) - 1
            made = list(self.node(part, replace(within, given=given, is_whole=within.is_whole and is_last)))
            given = _said(made[-1], given) if made else None
            yield from made

    def _redirected(self, node: tree_sitter.Node, within: _Within) -> Iterator[Ran]:
        body = node.child_by_field_name("body")
        writes: list[str] = []
        appends, given, is_shown = False, within.given, within.is_shown
        for child in node.named_children:
            if child.type == "heredoc_redirect":
                given = _here(child)
                for one in child.named_children:
                    if one.type == "file_redirect":
                        writes += self._target(one)
                        appends = appends or raw(one).lstrip("&012").startswith(">>")
                        is_shown = is_shown and raw(one).startswith("2")
            elif child.type == "herestring_redirect":
                given = word(child.named_children[-1], self.variables)
            elif child.type == "file_redirect" and ">" in raw(child):
                target = self._target(child)
                writes += target
                appends = appends or ">>" in raw(child)[:4]
                is_shown = is_shown and not (target and not raw(child).startswith("2"))
            elif child.type == "file_redirect" and raw(child).startswith("<"):
                given = self.files.get(word(child.named_children[-1], self.variables))
        if body is None:
            self._write(writes, given, appends=appends)
            return
        made = list(self.node(body, replace(within, given=given, is_shown=is_shown)))
        if made:
            last = made[-1]
            kept = tuple(path for path in writes if not path.startswith("/dev/"))
            self._write(list(kept), _said(last, given), appends=appends)
            made[-1] = replace(last, writes=(*last.writes, *kept))
        yield from made
        for child in node.named_children:
            if child.type == "heredoc_redirect":
                yield from self._piped_on(child, made, given, within)

    def _piped_on(self, here: tree_sitter.Node, made: list[Ran], given: str | None, within: _Within) -> Iterator[Ran]:
        """Yield what stands behind a here-document on its first line: `cat <<E | sh`, `python - <<E && pytest`."""
        for child in here.named_children:
            if child.type == "pipeline":
                said = _said(made[-1], given) if made else None
                for part in child.named_children:
                    more = list(self.node(part, replace(within, given=said)))
                    said = _said(more[-1], said) if more else None
                    yield from more
            elif child.type in ("command", "list", "redirected_statement"):
                yield from self.node(child, within)

    def _target(self, redirect: tree_sitter.Node) -> list[str]:
        destination = redirect.child_by_field_name("destination")
        if destination is None or raw(redirect).rstrip("-0123456789").endswith("&"):
            return []
        return [word(destination, self.variables)]

    def _write(self, paths: Sequence[str], text: str | None, *, appends: bool) -> None:
        for path in paths:
            self.files.put(path, text or "", appends=appends)

    def _branches(self, node: tree_sitter.Node, within: _Within) -> Iterator[Ran]:
        """Yield the commands of `if`, `while` and `case`: the first condition runs, the rest may."""
        in_condition, inner = True, replace(within, is_whole=False)
        for child in node.children:
            if child.type in ("then", "do", "do_group", "in"):
                in_condition = False
            if not child.is_named or child.type == "comment":
                continue
            is_sure = in_condition and child.type not in _MAYBE and child.type != "do_group"
            if in_condition and raw(child).strip() == "false" and node.type != "case_statement":
                return
            yield from self.node(child, inner if is_sure else replace(inner, is_certain=False))
            self.ended = self.ended and is_sure

    def _substitutions(self, node: tree_sitter.Node, within: _Within) -> Iterator[Ran]:
        """Yield what the substitutions within words run; their output is not shown."""
        if within.depth > DEEPEST:
            return
        quiet = replace(within, is_shown=False, is_whole=False, given=None, depth=within.depth + 1)
        if node.type in ("command_substitution", "process_substitution"):
            yield from self._children(node, quiet)
            return
        for child in node.children:
            yield from self._substitutions(child, quiet)

    def _command(self, node: tree_sitter.Node, within: _Within) -> Iterator[Ran]:
        words: list[str] = []
        given = within.given
        for child in node.children:
            yield from self._substitutions(child, within)
            if child.type == "herestring_redirect":
                given = word(child.named_children[-1], self.variables)
            elif child.type not in ("variable_assignment", "comment", "file_redirect", "heredoc_redirect"):
                text = word(child, self.variables)
                words += text.split() if child.type == "command_name" and raw(child).startswith("$") else [text]
        if not words:
            return
        ran = Ran(words=tuple(words), is_certain=within.is_certain, is_shown=within.is_shown, is_whole=within.is_whole)
        yield from self._started(ran, unwrapped(words), replace(within, given=given))

    def _started(self, ran: Ran, inner: Sequence[str], within: _Within) -> Iterator[Ran]:
        """Yield a command, or what it hands to a shell."""
        name = posixpath.basename(inner[0]) if inner else ""
        body = self.functions.get(name)
        if body is not None:
            del self.functions[name]  # a function that calls itself is read once
            yield from self.node(body, within)
            self.functions[name] = body
            return
        script = self._script(name, inner, within.given)
        if script is not None:
            in_words = name in ("eval", "ssh", "su") or script in inner[1:]
            yield replace(ran, words=(*ran.words[: len(ran.words) - len(inner)], inner[0])) if in_words else ran
            yield from self.script(script, replace(within, given=None))
            return
        yield replace(ran, code=self._code(name, inner, within.given))
        if name == "tee":
            self._write([one for one in inner[1:] if not one.startswith("-")], within.given, appends="-a" in inner)
        if name in ("exit", "return") and within.is_certain:
            self.ended = True
        if name == "find" and ("-exec" in inner or "-execdir" in inner):
            start = next(n for n, one in enumerate(inner) if one in ("-exec", "-execdir"))
            started = tuple(one for one in inner[start + 1 :] if one not in (";", "+"))
            if started:
                yield from self._started(replace(ran, words=started), unwrapped(started), replace(within, given=None))

    def _script(self, name: str, inner: Sequence[str], given: str | None) -> str | None:
        """Return the shell script that a command runs, where it is in sight; None where it runs none."""
        if name == "eval":
            return " ".join(inner[1:])
        if name == "ssh":
            rest = [one for one in inner[1:] if not one.startswith("-")]
            return " ".join(rest[1:]) if len(rest) > 1 else None
        if name in ("source", "."):
            return self.files.get(inner[1]) if len(inner) > 1 else None
        if name == "su" and "-c" in inner[:-1]:
            return inner[inner.index("-c") + 1]
        if SHELLS.match(name):
            return self._shell_script(inner, given)
        if inner and "/" in inner[0]:
            text = self.files.get(inner[0])
            first = (text or "").partition("\n")[0]
            is_shell = not first.startswith("#!") or bool(SHELLS.match(posixpath.basename(first.split()[-1])))
            return text if text is not None and is_shell else None
        return None

    def _shell_script(self, inner: Sequence[str], given: str | None) -> str | None:
        """Return what a shell is told to run: `-c`, a file written in sight, its standard input."""
        for place, one in enumerate(inner[1:], start=1):
            if one.startswith("-") and not one.startswith("--") and "c" in one:
                return inner[place + 1] if place + 1 < len(inner) else ""
            if not one.startswith(("-", "+")):
                return self.files.get(one)
        return given

    def _code(self, name: str, inner: Sequence[str], given: str | None) -> str:
        """Return the program text that a command acts by: `-c`, a script written in sight, its standard input."""
        if not inner or name in TEXT_TOOLS or name in SAYING:
            return ""
        pieces = [inner[n + 1] for n, one in enumerate(inner[:-1]) if one in _CODE_OPTIONS]
        named = [one for one in inner[1:] if not one.startswith("-")]
        if not pieces and (is_python(name) or name in ("node", "ruby", "perl", "php", "Rscript")) and named:
            pieces = [self.files.get(named[0]) or ""]
        if "/" in inner[0] and (text := self.files.get(inner[0])):
            pieces.append(text)
        return "\n".join(piece for piece in (*pieces, given or "") if piece)


def _here(redirect: tree_sitter.Node) -> str:
    """Return the text of a here-document."""
    return next((raw(child) for child in redirect.named_children if child.type == "heredoc_body"), "")


def _said(ran: Ran, given: str | None) -> str | None:
    """Return what a command prints, where that is known: echo, printf, and cat of what it was given."""
    if ran.program in ("echo", "printf"):
        words = [one for one in ran.words[1:] if one not in ("-n", "-e", "-ne", "-E")]
        if ran.program == "printf" and len(words) > 1 and "%" in words[0]:
            words = words[1:]
        return " ".join(words).replace("\\n", "\n") + "\n"
    return given if ran.program in ("cat", "tee") else None
