"""What a reading of a Python program keeps in mind: names, imports, options, variables, and the calls it has seen."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from fairtrial.contamination.conduct.python_values import UNKNOWN, Made, Table, Texts, Value, one_of, texts_of

MOST_VISITS = 30_000
DEEPEST = 60


@dataclass(slots=True, kw_only=True)
class Called:
    """One call of a program."""

    name: str
    """Dotted, imports followed: `openai.OpenAI`; a method of what a call gave: `openai.OpenAI().chat.create`."""
    given: tuple[Value, ...] = ()
    named: Mapping[str, Value] = field(default_factory=dict)
    line: int = 1
    is_used: bool = True
    """False for what is made and never looked at again."""
    is_dormant: bool = False
    """It stands in a function that nothing in the program names."""
    number: int = 0

    @property
    def last(self) -> str:
        """Return the last part of the name."""
        return self.name.rpartition(".")[2]

    @property
    def texts(self) -> tuple[str, ...]:
        """Return every text among the arguments."""
        return tuple(text for one in (*self.given, *self.named.values()) for text in texts_of(one))


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """What is known around a program."""

    variables: Mapping[str, str] = field(default_factory=dict)
    words: tuple[str, ...] = ()
    """Of the command that starts it."""
    file: Callable[[str], str | None] = lambda _: None
    """Returns what a file holds, where that is in sight."""
    is_module: bool = False
    """Others may call its functions: none of them is dormant."""


class Scope:
    """The state of one reading."""

    def __init__(self, around: Around, arguments: Mapping[str, Mapping[str, Value]] | None = None,
                 tables: Mapping[str, Value] | None = None, nested: int = 0) -> None:  # fmt: skip
        self.around = around
        self.arguments = arguments or {}
        self.names: dict[str, Value] = {}
        self.imported: dict[str, str] = {}
        self.variables: dict[str, str] = dict(around.variables)
        self.options: dict[str, Value] = dict(tables or {})
        self.functions: dict[str, ast.FunctionDef | ast.AsyncFunctionDef] = {}
        self.passed: dict[str, dict[str, Value]] = {}
        self.calls: list[Called] = []
        self.imports: list[tuple[str, int]] = []
        self.texts: list[tuple[str, int]] = []
        self.bound: dict[int, str] = {}
        self.classes: set[str] = set()
        self.settings: dict[str, Value] = {}
        self.loose: set[int] = set()
        self.branches = self.depth = self.visits = 0
        self.nested = nested

    def dotted(self, node: ast.expr) -> str:
        """Return the dotted name of an expression, imports and what calls gave followed."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            held = self.names.get(f".{node.attr}")
            if isinstance(held, Made):
                return ".".join([held.dotted, *reversed(parts)])
            parts.append(node.attr)
            node = node.value
        if isinstance(node, ast.Name):
            made = self.names.get(node.id)
            root = made.dotted if isinstance(made, Made) else self.imported.get(node.id, node.id)
        elif isinstance(node, ast.Call):
            root = f"{self.dotted(node.func)}()"
        else:
            root = ""
        return ".".join([root, *reversed(parts)])

    def argument(self, number: int) -> Value:
        """Return a word that follows the script in the command that starts it."""
        script = next((n for n, one in enumerate(self.around.words) if one.endswith(".py") or one == "-c"), None)
        words = () if script is None else self.around.words[script:]
        return Texts((words[number],)) if number < len(words) else UNKNOWN

    def variable(self, names: tuple[str, ...], default: Value) -> Value:
        """Return an environment variable in sight, else the default."""
        known = [self.variables[name] for name in names if name in self.variables]
        return Texts((known[0],)) if known else default

    def stated(self, flag: str, default: Value) -> Value:
        """Return what the starting command says of an option, else its default."""
        words = self.around.words
        for number, word in enumerate(words):
            if word == flag and isinstance(default, Texts) and default.options in (("False",), ("True",)):
                return Texts((str(default.options == ("False",)),))
            if word == flag and number + 1 < len(words):
                return Texts((words[number + 1],))
            if word.startswith(f"{flag}="):
                return Texts((word.partition("=")[2],))
        return default

    def learn(self, called: Called) -> None:
        """Take in what a call sets: an option of a command line, variables of the environment."""
        if called.last in ("add_argument", "option", "Option"):
            flags = [text for one in called.given for text in texts_of(one)]
            default = called.named.get("default", UNKNOWN)
            if called.named.get("action") in (Texts(("store_true",)), Texts(("store_false",))):
                default = Texts((str(called.named["action"] == Texts(("store_false",))),))
            for flag in flags:
                self.options[flag.lstrip("-").replace("-", "_")] = self.stated(flag, default)
        elif called.name in ("os.environ.setdefault", "os.putenv", "os.environ.update"):
            pairs = called.given[0].entries.items() if called.given and isinstance(called.given[0], Table) else ()
            stated = {key: texts_of(value) for key, value in pairs} | {k: texts_of(v) for k, v in called.named.items()}
            if called.name != "os.environ.update" and len(called.given) > 1:
                stated |= {key: texts_of(called.given[1]) for key in texts_of(called.given[0])}
            self.variables |= {key: texts[0] for key, texts in stated.items() if texts}

    def pass_on(self, function: ast.FunctionDef | ast.AsyncFunctionDef, given: list[Value],
                named: Mapping[str, Value]) -> None:  # fmt: skip
        """Remember what a function of the program is called with."""
        every = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
        every = every[1:] if every[:1] in (["self"], ["cls"]) else every
        held = self.passed.setdefault(function.name, {})
        for key, value in (*zip(every, given, strict=False), *named.items()):
            held[key] = one_of([held.get(key, UNKNOWN), value])
