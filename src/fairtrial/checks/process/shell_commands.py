"""What a command line really runs: its simple commands in order, through pipes, substitutions, `bash -c`, scripts.

Comments, texts that are only printed and here-documents that are only written down run nothing. What stands behind
`false &&`, `true ||` or `exit` is dead. A script whose text the agent wrote in sight is read where it is run. What
may run besides (an alias, a `trap`, what the text of a program plainly starts) is not certain. Not covered: scripts
that are downloaded, ciphered or computed.
"""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import tree_sitter

from fairtrial.checks.process.shell_redirects import redirects_of
from fairtrial.checks.process.shell_scripts import code_of, said_by, script_of, started_by
from fairtrial.checks.process.shell_session import CHARACTERS_A_NODE, Session
from fairtrial.checks.process.shell_syntax import SAYING, SHELLS, parsed, raw, unwrapped, word

DEEPEST = 120
"""Levels of a syntax tree; what lies deeper is kept as text."""
MOST_NESTED = 8
"""Shells within shells."""
MOST_OF_AN_ERROR = 1000
"""Bytes of what is no shell, that are read as words."""
MOST_ROUNDS = 50
"""Values of a `for` that are tried one by one."""
_BRACES = str.maketrans("{},", "   ")
_EXPANDS = re.compile(r"^\"?[$`]|\$\{?IFS\b|@\]")
_MAYBE = ("else_clause", "elif_clause", "case_item")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """One simple command."""

    words: tuple[str, ...]
    code: str = ""
    """Program text or input that it was given: `-c`, a here-document, a pipe from echo, a script written in sight."""
    writes: tuple[str, ...] = ()
    """Session that its output goes to."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Within:
    """Where in a line a command stands."""

    is_certain: bool = True
    is_shown: bool = True
    is_whole: bool = True
    given: str | None = None
    """What comes in by standard input, where that is known."""
    depth: int = 0


def commands_of(line: str, session: Session) -> tuple[Ran, ...]:
    """Return the simple commands of a command line, in order; files that it writes are remembered in `session`."""
    reading = _Reading(session)
    found = list(reading.script(line, _Within()))
    last = max((n for n, one in enumerate(found) if one.is_whole), default=-1)
    return tuple(one if n == last == len(found) - 1 else replace(one, is_whole=False) for n, one in enumerate(found))


@dataclass(slots=True)
class _Reading:
    session: Session
    nested: int = 0
    functions: dict[str, tree_sitter.Node] = field(default_factory=dict)
    called: int = 0  # functions within functions
    ended: str = ""
    """An `exit` or a `return` was passed: what follows is dead, in the shell or in the function."""

    def script(self, text: str, within: _Within, is_called: bool = False) -> Iterator[Ran]:
        """Yield what a script runs."""
        if self.nested >= MOST_NESTED:
            yield Ran(words=("sh", "-c"), code=text, is_certain=within.is_certain)
            return
        self.nested += 1
        self.session.charge(len(text) // CHARACTERS_A_NODE // 2)
        root = parsed(text)
        self.session.charge(root.descendant_count * self.nested)
        self.called += is_called
        yield from self._apart(root, replace(within, depth=0))
        self.called -= is_called
        self.nested -= 1

    def _apart(self, node: tree_sitter.Node, within: _Within) -> Iterator[Ran]:
        """Yield what runs in a shell of its own: an `exit` in it ends that one."""
        ended, self.ended = self.ended, ""
        yield from self.node(node, within)
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
                self.functions[raw(name)] = self.session.functions[raw(name)] = body
        elif kind == "variable_assignment":
            yield from self._assignment(node, within)
        elif kind == "negated_command":
            yield from self._children(node, replace(within, is_whole=False))
        elif kind == "for_statement":
            yield from self._rounds(node, within)
        elif kind == "subshell":
            ended = self.ended
            yield from self._children(node, within)
            self.ended = ended
        elif kind == "ERROR" and node.end_byte - node.start_byte < MOST_OF_AN_ERROR:
            yield Ran(words=tuple(raw(node).translate(_BRACES).split()), is_certain=False, is_whole=False)
            yield from self._children(node, within)
        elif kind not in ("comment", "raw_string", "heredoc_body"):
            yield from self._children(node, within)

    def _children(self, node: tree_sitter.Node, within: _Within) -> Iterator[Ran]:
        every = node.children
        places = [n for n, child in enumerate(every) if child.is_named and child.type != "comment"]
        for n in places:
            is_behind = n + 1 < len(every) and every[n + 1].type == "&"
            read = self._apart if is_behind else self.node
            yield from read(every[n], within if n == places[-1] else replace(within, is_whole=False))

    def _assignment(self, node: tree_sitter.Node, within: _Within) -> Iterator[Ran]:
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is not None and value is not None:
            yield from self._substitutions(value, within)
            self.session.assign(raw(name), word(value, self.session.variables))

    def _rounds(self, node: tree_sitter.Node, within: _Within) -> Iterator[Ran]:
        """Yield what a `for` does with each of its values, where they stand there; else once, for any."""
        name, body = node.child_by_field_name("variable"), node.child_by_field_name("body")
        held = [child for child in node.named_children if child != name and child != body]
        for child in held:
            yield from self._substitutions(child, within)
        values = [one for child in held for one in word(child, self.session.variables).split()]
        if name is None or body is None or not 0 < len(values) <= MOST_ROUNDS:
            yield from self.node(body, within) if body is not None else self._children(node, within)
            return
        for value in values:
            self.session.charge(body.descendant_count)
            self.session.assign(raw(name), value)
            yield from self.node(body, replace(within, is_whole=within.is_whole and value is values[-1]))

    def _list(self, node: tree_sitter.Node, within: _Within) -> Iterator[Ran]:
        left, right = node.named_children[0], node.named_children[-1]
        sign = next((child.type for child in node.children if child.type in ("&&", "||")), "&&")
        yield from self.node(left, replace(within, is_whole=within.is_whole and sign == "&&"))
        always = _always(left, self.session.functions)
        if always is (sign == "||"):
            return
        forgives = sign == "||"
        ended = self.ended
        yield from self.node(right, replace(within, is_certain=within.is_certain and not forgives,
                                            is_whole=within.is_whole and not forgives))  # fmt: skip
        if always is None:
            self.ended = ended  # it may not have come to that

    def _pipeline(self, node: tree_sitter.Node, within: _Within) -> Iterator[Ran]:
        parts = [child for child in node.children if child.is_named and child.type != "comment"]
        given: str | None = None
        for number, part in enumerate(parts):
            is_last = number == len(parts) - 1
            made = list(self._apart(part, replace(within, given=given, is_whole=within.is_whole and is_last)))
            given = _said(made[-1], given) if made else None
            yield from made

    def _redirected(self, node: tree_sitter.Node, within: _Within) -> Iterator[Ran]:
        body = node.child_by_field_name("body")
        found = redirects_of(node, within.given, within.is_shown, self.session)
        if body is None:
            found.write(self.session, found.given)
            return
        made = list(self.node(body, replace(within, given=found.given, is_shown=found.is_shown)))
        if made:
            kept = found.write(self.session, _said(made[-1], found.given))
            made[-1] = replace(made[-1], writes=(*made[-1].writes, *kept))
        yield from made
        for child in node.named_children:
            if child.type == "heredoc_redirect":
                yield from self._piped_on(child, made, found.given, within)

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

    def _branches(self, node: tree_sitter.Node, within: _Within) -> Iterator[Ran]:
        """Yield the commands of `if`, `while` and `case`: the first condition runs, the rest may."""
        in_condition, is_dead, inner = True, False, replace(within, is_whole=False)
        for child in node.children:
            if child.type in ("then", "do", "do_group", "in"):
                in_condition = False
            if not child.is_named or child.type == "comment":
                continue
            is_sure = in_condition and child.type not in _MAYBE and child.type != "do_group"
            if in_condition and _always(child, self.session.functions) is node.children[0].type.startswith("until"):
                is_dead = node.type != "case_statement"
            if is_dead and not in_condition and child.type not in _MAYBE:
                continue
            yield from self.node(child, inner if is_sure else replace(inner, is_certain=False))
            self.ended = self.ended if is_sure else ""

    def _substitutions(self, node: tree_sitter.Node, within: _Within) -> Iterator[Ran]:
        """Yield what the substitutions within words run; their output is not shown."""
        if within.depth > DEEPEST:
            return
        quiet = replace(within, is_shown=False, is_whole=False, given=None, depth=within.depth + 1)
        if node.type in ("command_substitution", "process_substitution"):
            ended, self.ended = self.ended, ""
            yield from self._children(node, quiet)
            self.ended = ended
            return
        for child in node.children:
            yield from self._substitutions(child, quiet)

    def _command(self, node: tree_sitter.Node, within: _Within) -> Iterator[Ran]:
        words, given = list[str](), within.given
        for child in node.children:
            yield from self._substitutions(child, within)
            if child.type == "herestring_redirect":
                given = word(child.named_children[-1], self.session.variables)
            elif child.type not in ("variable_assignment", "comment", "file_redirect", "heredoc_redirect"):
                text = word(child, self.session.variables)
                self.session.charge(len(text) // CHARACTERS_A_NODE)
                words += text.split() if child.type == "command_name" and _EXPANDS.search(raw(child)) else [text]
        if not words:
            return
        inner = unwrapped(words)
        if given is not None and "xargs" in words[: len(words) - len(inner)]:
            inner = _with_input(inner, given)
            words = [*words[: len(words) - len(unwrapped(words))], *inner]
        ran = Ran(words=tuple(words), is_certain=within.is_certain, is_shown=within.is_shown, is_whole=within.is_whole)
        yield from self._started(ran, inner, replace(within, given=given))

    def _started(self, ran: Ran, inner: Sequence[str], within: _Within) -> Iterator[Ran]:
        """Yield a command, or what it hands to a shell."""
        name = posixpath.basename(inner[0]) if inner else ""
        body = self.functions.get(name)
        if body is not None:
            yield from self._called(name, body, within)
            return
        yield from self._meant(name, inner, within)
        given = within.given
        if SHELLS.match(name) and (said := next((one for one in inner[1:] if one.startswith("<(")), "")):
            made = list(self.script(said[2:-1], replace(within, is_shown=False, is_whole=False, given=None)))
            given, inner = (_said(made[-1], None) if made else None), inner[:1]
        script = script_of(name, inner, given, self.session)
        if script is not None:
            in_words = name in ("eval", "ssh", "su") or script in inner[1:]
            yield replace(ran, words=(*ran.words[: len(ran.words) - len(inner)], inner[0])) if in_words else ran
            yield from self.script(script, replace(within, given=None), is_called=name in ("source", "."))
            return
        code = code_of(name, inner, within.given, self.session)
        for line in started_by(code):
            yield from self.script(line, _aside(within))
        yield replace(ran, code=code)
        if name == "tee":
            for path in (one for one in inner[1:] if not one.startswith("-")):
                self.session.put(path, within.given or "", appends="-a" in inner)
        if within.is_certain and ran.words[0] == name and (name == "exit" or (name == "return" and self.called)):
            self.ended = name
        if name == "find" and (started := _by_find(inner)):
            yield from self._started(replace(ran, words=started), unwrapped(started), replace(within, given=None))

    def _called(self, name: str, body: tree_sitter.Node, within: _Within) -> Iterator[Ran]:
        """Yield what a function runs; one that calls itself is read once."""
        del self.functions[name]
        self.session.charge(body.descendant_count)
        self.called += 1
        yield from self.node(body, within)
        self.called -= 1
        if self.ended == "return":
            self.ended = ""
        self.functions[name] = body

    def _meant(self, name: str, inner: Sequence[str], within: _Within) -> Iterator[Ran]:
        """Yield what a command may mean besides: an alias, a function of an earlier call, what `trap` is told."""
        if name == "alias":
            self.session.aliases |= dict(one.split("=", 1) for one in inner[1:] if "=" in one)
        elif name == "trap" and len(inner) > 2:
            yield from self.script(inner[1], _aside(within))
        elif name in self.session.aliases:
            line = f"{self.session.aliases.pop(name)} {shlex.join(inner[1:])}"
            yield from self.script(line, _aside(within))
            self.session.aliases[name] = line[: len(line) - len(shlex.join(inner[1:])) - 1]
        elif (body := self.session.functions.pop(name, None)) is not None:
            self.session.charge(body.descendant_count)
            yield from self._apart(body, _aside(within))
            self.session.functions[name] = body


def _always(node: tree_sitter.Node, functions: Mapping[str, tree_sitter.Node]) -> bool | None:
    """Say whether a command can but succeed, or but fail; None where that is open."""
    text = raw(node).strip()
    return None if text in functions else {"true": True, ":": True, "false": False}.get(text)


def _by_find(inner: Sequence[str]) -> tuple[str, ...]:
    """Return the command that find starts, empty where it starts none."""
    start = next((n for n, one in enumerate(inner) if one in ("-exec", "-execdir")), len(inner))
    return tuple(one for one in inner[start + 1 :] if one not in (";", "+"))


def _aside(within: _Within) -> _Within:
    """Return the place of what is only perhaps run, and shows nothing."""
    return replace(within, is_certain=False, is_shown=False, is_whole=False, given=None)


def _with_input(inner: Sequence[str], given: str) -> tuple[str, ...]:
    """Return what xargs makes of a command and its input."""
    words = given.split()[:MOST_ROUNDS]
    if any("{}" in one for one in inner):
        return tuple(one.replace("{}", " ".join(words)) for one in inner)
    return (*inner, *words)


def _said(ran: Ran, given: str | None) -> str | None:
    return said_by(ran.program, unwrapped(ran.words), given)
