"""From a trajectory to pieces: what was run with the programs it ran, what was only written, said, opened and shown.

Programs are those that the agent wrote in sight, with the modules of its own that they import. Not covered: programs
that were there before, whose text no step shows.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from fairtrial.attack.detectors import Act, Seen, see
from fairtrial.attack.detectors.programs import language_of
from fairtrial.attack.detectors.python_program import parsed
from fairtrial.checks.process.shell_syntax import is_python
from fairtrial.contamination.conduct.notebooks import cells_of
from fairtrial.contamination.conduct.pieces import Piece, State
from fairtrial.contamination.conduct.python_reading import Around
from fairtrial.contamination.conduct.recipes import file_of, goals_of, holds_recipes, recipes_of, variables_of
from fairtrial.contamination.conduct.scripts import readable
from fairtrial.contamination.conduct.shell_variables import variables_in, with_files
from fairtrial.contamination.conduct.started import inner_line, lines_in
from fairtrial.formats.atif import Trajectory

CODE_ENDINGS = (".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", ".vue", ".svelte", ".rb", ".go", ".php",
                ".pl", ".rs", ".java", ".kt", ".kts", ".scala", ".swift", ".cs", ".fs", ".lua", ".R", ".r",
                ".jl", ".ex", ".exs", ".dart", ".clj", ".hs", ".c", ".cc", ".cpp", ".zig", ".nim",
                ".ps1", ".psm1")  # fmt: skip
_ENV_FILE = re.compile(r"(?:^|/)(?:\.env(?:\.\w+)?|\.(?:bash|zsh)rc|\.(?:bash_)?profile|env\.sh|environment)$")
_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+\.?([\w.]+)[ \t]+import[ \t]+([\w, ]+)|import[ \t]+([\w., ]+))", re.MULTILINE
)
_SEARCHES = re.compile(r"search|google|bing|exa|tavily|duckduckgo|brave", re.IGNORECASE)
_ADDRESS = re.compile(r"https?://|^[\w-]+(?:\.[\w-]+)+(?:/|$)")
_TYPES = re.compile(r"stdin|send_?(?:keys|input|text)|terminal|console|session|repl", re.IGNORECASE)
_TYPED = re.compile(r"(?:^|\n)(?:chars|keys|input|text|data|stdin|content)\W{1,4}(.*)", re.DOTALL)
_FENCE = re.compile(
    r"^```(bash|sh|shell|console|python|py|mswea_bash_command|)[ \t]*\n(.*?)^```", re.DOTALL | re.MULTILINE
)
MOST_TYPED = 20_000
MOST_MODULES = 20


def pieces_of(trajectory: Trajectory, path: Path, task: str = "") -> tuple[tuple[Piece, ...], tuple[str, ...]]:
    """Return the pieces of a trajectory, and the places whose commands could not be read."""
    seen = see(trajectory, task)
    following = _Following(str(path), seen)
    pieces = (*following.pieces(), *following.said(trajectory))
    return pieces, (*seen.unread, *following.unread)


@dataclass(slots=True)
class _File:
    text: str
    step: int
    place: str
    has_run: bool = False


@dataclass(slots=True)
class _Following:
    """Follows one trajectory from act to act."""

    path: str
    seen: Seen
    files: dict[str, _File] = field(default_factory=dict)
    variables: dict[str, str] = field(default_factory=dict)
    shown: str = ""
    unread: list[str] = field(default_factory=list)
    input: str = ""

    def pieces(self) -> Iterator[Piece]:
        """Yield the pieces in order, then the programs that were never run."""
        for act in self.seen.acts:
            if not act.is_latent:
                yield from self.of_act(act)
        for name, file in self.files.items():
            if not file.has_run:
                yield from self.unrun(name, file)

    def of_act(self, act: Act) -> Iterator[Piece]:
        """Yield the pieces of one act, and keep in mind what it writes."""
        base = Piece(path=self.path, form="words", state="ran", text=act.text, step=act.step, place=act.place,
                     output=act.output, status=act.status, tool=act.tool)  # fmt: skip
        if act.kind in ("write", "edit", "delete"):
            self.keep(act)
        elif act.kind == "line":
            line = inner_line(act.text)
            self.variables |= variables_in(line, self.variables)
            yield replace(base, form="line", text=line, around=self.around())
        elif act.kind == "run":
            yield from self.run(act, base)
        elif act.kind == "read":
            for one in act.paths:
                yield replace(base, form="file", text=one, is_own=self.file(one) is not None)
        elif act.kind in ("fetch", "call") and not act.words:
            yield from self.asked(act, base)
        elif act.kind in ("say", "think"):
            yield replace(base, state="said", output="")
        if act.output and act.place != self.shown and act.kind not in ("say", "think"):
            self.shown = act.place
            yield replace(base, form="output", state="shown", text=act.output, output="",
                          tool="search" if self.is_search(act) else act.tool)  # fmt: skip

    def said(self, trajectory: Trajectory) -> Iterator[Piece]:
        """Yield commands in fences of messages that were answered: harnesses that call no tool run these."""
        for number, step in enumerate(trajectory.steps, 1):
            if step.source != "agent" or step.tool_calls or not step.observations:
                continue
            output = "\n".join(str(one.content) for one in step.observations)
            for language, text in _FENCE.findall(step.message if isinstance(step.message, str) else ""):
                base = Piece(path=self.path, form="line", state="ran", text=text, step=number, place=f"step {number}",
                             output=output, around=self.around())  # fmt: skip
                if language.startswith("py"):
                    yield replace(base, form="python", text=self.with_modules(text))
                else:
                    self.variables |= variables_in(text, self.variables)
                    yield from self.lines(base)

    def is_search(self, act: Act) -> bool:
        """Say whether an act is a search: by its tool, or by a query in the address."""
        if act.kind == "line":
            return bool(re.search(r"\bddgr\b|\bgoogler\b|duckduckgo|/search\?|\bgh search\b", act.text))
        return act.kind in ("fetch", "call") and bool(_SEARCHES.search(act.tool))

    def asked(self, act: Act, base: Piece) -> Iterator[Piece]:
        """Yield what a tool other than a shell was asked for: a page, a search, or words typed into a program."""
        yield from self.typed(act, base)
        for target in act.paths or (act.text,):
            is_page = bool(_ADDRESS.search(target)) and not self.is_search(act)
            yield replace(base, form="page" if is_page else "search" if act.kind == "fetch" or self.is_search(act)
                          else "words", text=target)  # fmt: skip

    def run(self, act: Act, base: Piece) -> Iterator[Piece]:
        """Yield a command, and the program that it runs."""
        around = replace(self.around(), words=act.words)
        if act.words and act.code.strip() != act.text.strip():
            words = tuple(with_files(one, around.file) for one in act.words)
            yield replace(base, form="command", words=words, around=around)
            yield from self.recipes(words, base)
            for line in lines_in(words) if not act.code else ():
                yield from self.lines(replace(base, form="line", text=line, around=self.around()))
        code, script = act.code, next((one for one in act.words[1:] if self.file(one) is not None), "")
        module = self.module_of(act.words)
        file = self.file(module or script or (act.words[0] if act.words else ""))
        if file is not None and script.endswith((".sh", ".env")):
            self.variables |= variables_in(file.text, self.variables)
        if file is not None and file.text.strip():
            name = module or script
            if name.endswith((".py", *CODE_ENDINGS, ".ipynb", ".sh")) or file.text == code:
                file.has_run = True
                code = code if name.endswith(".sh") or not name else file.text
        is_code = script.endswith(CODE_ENDINGS) or act.program in ("node", "deno", "bun", "tsx", "ruby", "perl", "php")
        if script.endswith(".ipynb") and file is not None:
            for cell in cells_of(file.text):
                yield replace(base, form="python", text=cell.code, around=around)
        elif code and is_code:
            yield replace(base, form="code", text=code, around=around)
        elif code and (is_python(act.program) or module or script.endswith(".py") or act.words[:1] == ("python",)
                       or _is_python_text(code)):  # fmt: skip
            yield replace(base, form="python", text=self.with_modules(code), around=around)

    def recipes(self, words: tuple[str, ...], base: Piece) -> Iterator[Piece]:
        """Yield what `make`, `npm run`, `docker compose` and the like start from a file that the agent wrote."""
        name = file_of(words, lambda path: self.file(path) is not None)
        file = self.file(name)
        if file is None:
            return
        given = {one.partition("=")[0]: one.partition("=")[2] for one in words[1:] if "=" in one}
        recipes = recipes_of(name, file.text, given)
        goals = goals_of(words, recipes, file.text)
        around = replace(self.around(), variables={**self.variables, **variables_of(name, file.text)})
        file.has_run = True
        for one in recipes:
            state: State = "ran" if one.goal in goals else "written"
            yield from self.lines(replace(base, form="line", state=state, text=one.text, around=around))

    def lines(self, piece: Piece) -> Iterator[Piece]:
        """Yield a shell text with its commands, and the programs of the agent's own that they run."""
        pieces, why = readable(piece)
        for one in pieces:
            yield one
            script = next((word for word in one.words[1:] if self.file(word) is not None), "")
            file = self.file(script)
            if one.form == "command" and file is not None and language_of(script, file.text) == "python":
                file.has_run = True
                yield replace(one, form="python", text=self.with_modules(file.text))
            elif one.form == "command" and file is not None and script.endswith(CODE_ENDINGS):
                file.has_run = True
                yield replace(one, form="code", text=file.text)
        if why:
            self.unread.append(piece.place)

    def typed(self, act: Act, base: Piece) -> Iterator[Piece]:
        """Yield what is typed into a program that runs: Python, or lines of a shell, with what was typed before."""
        found = _TYPED.search(act.text)
        if found is None or not _TYPES.search(act.tool):
            return
        self.input = f"{self.input}\n{found[1]}"[-MOST_TYPED:]
        if parsed(self.input) is not None:
            yield replace(base, form="python", text=self.input, around=self.around())
        else:
            self.input = self.input if parsed(found[1]) is None else found[1]
            yield from self.lines(replace(base, form="line", text=found[1], around=self.around()))

    def module_of(self, words: tuple[str, ...]) -> str:
        """Return the file of `python -m a.b` that the agent wrote; empty where there is none."""
        if "-m" not in words[:-1]:
            return ""
        name = words[words.index("-m") + 1].replace(".", "/")
        return next((one for one in (f"{name}.py", f"{name}/__main__.py") if self.file(one) is not None), "")

    def with_modules(self, code: str) -> str:
        """Return a program with the agent's own modules that it imports before it."""
        parts, todo, done = [code], [code], set[str]()
        while todo and len(parts) < MOST_MODULES:
            for one, names, plain in _IMPORT.findall(todo.pop()):
                wanted = [one, *(f"{one}.{name.strip()}" for name in names.split(","))] if one else plain.split(",")
                for name in (one.strip().split(" ")[0].replace(".", "/") for one in wanted):
                    file = self.file(f"{name}.py") if name and name not in done else None
                    done.add(name)
                    if file is not None and file.text not in parts:
                        file.has_run = True
                        parts.insert(0, file.text)
                        todo.append(file.text)
        return "\n".join(parts)

    def keep(self, act: Act) -> None:
        """Keep in mind what files hold."""
        for path in act.paths:
            held = self.file(path)
            if act.kind == "delete":
                self.files.pop(self.key(path) or path, None)
                continue
            text = act.text
            if act.kind == "edit" and held is not None:
                text = held.text.replace(act.old, act.text, 1) if act.old else f"{held.text}\n{act.text}"
            elif act.appends and held is not None:
                text = held.text + act.text
            self.files[self.key(path) or path] = _File(text, act.origin or act.step, act.origin_place or act.place)
            if _ENV_FILE.search(path):
                self.variables |= variables_in(text, self.variables)

    def key(self, path: str) -> str:
        """Return the name under which a file is kept: its own, or that of one path that ends like it."""
        plain = posixpath.normpath(path)
        if plain in self.files:
            return plain
        ends = [one for one in self.files if posixpath.normpath(one).endswith("/" + plain.lstrip("./"))
                or plain.endswith("/" + one.lstrip("./"))]  # fmt: skip
        return ends[-1] if ends else path if path in self.files else ""

    def file(self, path: str) -> _File | None:
        """Return a file that the agent wrote."""
        return self.files.get(self.key(path)) if path and len(path) < 500 else None

    def around(self) -> Around:
        """Return what is known at this time."""
        held = {name: file.text for name, file in self.files.items()}
        keys = self.key

        def text(path: str) -> str | None:
            return held.get(keys(path)) if path and len(path) < 500 else None

        return Around(variables=dict(self.variables), file=text)

    def unrun(self, name: str, file: _File) -> Iterator[Piece]:
        """Yield a file that was written and never run, as a program or as settings."""
        base = Piece(path=self.path, form="settings", state="written", text=file.text, step=file.step,
                     place=file.place, tool=name, around=replace(self.around(), is_module=True))  # fmt: skip
        if language_of(name, file.text) == "python":
            yield replace(base, form="python")
        elif name.endswith(CODE_ENDINGS):
            yield replace(base, form="code")
        elif name.endswith(".ipynb"):
            for cell in cells_of(file.text):
                yield replace(base, form="python", text=cell.code)
        elif name.endswith((".sh", ".bash")):
            pieces, why = readable(replace(base, form="line"))
            yield from pieces
            if why:
                self.unread.append(f"{file.place} {name}")
        elif holds_recipes(name) and len(file.text) < 200_000:
            around = replace(base.around, variables={**base.variables, **variables_of(name, file.text)})
            for one in recipes_of(name, file.text):
                pieces, why = readable(replace(base, form="line", text=one.text, around=around))
                yield from pieces
                if why:
                    self.unread.append(f"{file.place} {name}")
            yield replace(base, form="settings", state="said")
        elif file.text.strip() and len(file.text) < 200_000 and not name.endswith((".jsonl", ".csv", ".parquet")):
            yield replace(base, form="settings", state="said")


def _is_python_text(code: str) -> bool:
    return bool(re.search(r"^[ \t]*(?:import|from) \w+", code, re.MULTILINE)) and not code.lstrip().startswith(
        ("{", "<")
    )
