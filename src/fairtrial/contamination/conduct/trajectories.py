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
from fairtrial.checks.process.shell_syntax import is_python
from fairtrial.contamination.conduct.notebooks import cells_of
from fairtrial.contamination.conduct.pieces import Piece
from fairtrial.contamination.conduct.python_reading import Around
from fairtrial.contamination.conduct.scripts import readable
from fairtrial.contamination.conduct.shell_variables import variables_in, with_files
from fairtrial.formats.atif import Trajectory

CODE_ENDINGS = (".js", ".mjs", ".cjs", ".ts", ".tsx", ".rb", ".go", ".php", ".pl", ".rs", ".java", ".lua", ".R", ".jl")
_ENV_FILE = re.compile(r"(?:^|/)(?:\.env(?:\.\w+)?|\.(?:bash|zsh)rc|\.(?:bash_)?profile|env\.sh|environment)$")
_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+\.?([\w.]+)[ \t]+import[ \t]+([\w, ]+)|import[ \t]+([\w., ]+))", re.MULTILINE
)
_SEARCHES = re.compile(r"search|google|bing|exa|tavily|duckduckgo|brave", re.IGNORECASE)
_ADDRESS = re.compile(r"https?://|^[\w-]+(?:\.[\w-]+)+(?:/|$)")
MOST_MODULES = 20


def pieces_of(trajectory: Trajectory, path: Path, task: str = "") -> tuple[tuple[Piece, ...], tuple[str, ...]]:
    """Return the pieces of a trajectory, and the places whose commands could not be read."""
    seen = see(trajectory, task)
    following = _Following(str(path), seen)
    pieces = tuple(following.pieces())
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
            self.variables |= variables_in(act.text, self.variables)
            yield replace(base, form="line", around=self.around())
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

    def is_search(self, act: Act) -> bool:
        """Say whether an act is a search: by its tool, or by a query in the address."""
        if act.kind == "line":
            return bool(re.search(r"\bddgr\b|\bgoogler\b|duckduckgo|/search\?|\bgh search\b", act.text))
        return act.kind in ("fetch", "call") and bool(_SEARCHES.search(act.tool))

    def asked(self, act: Act, base: Piece) -> Iterator[Piece]:
        """Yield what a tool other than a shell was asked for: a page, or a search."""
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
        elif file.text.strip() and len(file.text) < 200_000 and not name.endswith((".jsonl", ".csv", ".parquet")):
            yield replace(base, form="settings", state="said")


def _is_python_text(code: str) -> bool:
    return bool(re.search(r"^[ \t]*(?:import|from) \w+", code, re.MULTILINE)) and not code.lstrip().startswith(
        ("{", "<")
    )
