"""The files of one grader, parsed: a task's tests folder, or one text.

A Python file decides where test.sh runs it or a deciding file imports it; one that is only started apart (its name
stands as a text in another file) is read too, but does not decide. Python in a here-document of a script is read with
the script's line numbers. What is in another language, too large or malformed is listed as unread.
"""

from __future__ import annotations

import ast
import itertools
import re
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from fairtrial.attack.reading.flow import flow_of
from fairtrial.attack.reading.python_file import PythonFile
from fairtrial.attack.reading.shell_file import ShellFile, imports_from_here, parse_shell, program, row, says
from fairtrial.records import FormatError
from fairtrial.tasks import Key
from fairtrial.tasks.dockerfile import read_dockerfile, world_of

AGENT_ROOTS = ("/app", "/workspace", "/workdir", "/testbed", "/repo", "/submission", "/solution", "/output", "/outputs")
"""Where agents usually work, besides the workdir that the Dockerfile names."""
MOST_BYTES = 400_000
OTHER_LANGUAGES = {".js", ".ts", ".mjs", ".rb", ".pl", ".go", ".rs", ".java", ".c", ".cpp", ".r", ".jl", ".lua", ".php"}
KNOWN_MODULES = frozenset(
    [
        "pytest",
        "_pytest",
        "numpy",
        "pandas",
        "scipy",
        "requests",
        "yaml",
        "toml",
        "tomli",
        "sklearn",
        "torch",
        "tensorflow",
        "PIL",
        "cv2",
        "matplotlib",
        "lxml",
        "bs4",
        "httpx",
        "pydantic",
        "sympy",
        "networkx",
        "rapidfuzz",
        "jsonschema",
        "psutil",
        "openai",
        "anthropic",
        "litellm",
        "datasets",
        "transformers",
        "inspect_ai",
        "verifiers",
        "math_verify",
        "latex2sympy2",
        "hypothesis",
        "attr",
        "attrs",
        "dateutil",
        "docx",
        "openpyxl",
        "pypdf",
        "psycopg2",
        "redis",
        "flask",
        "fastapi",
        "sqlalchemy",
        "tqdm",
        "rich",
        "click",
        "pexpect",
        "paramiko",
        "cryptography",
        "pyarrow",
        "duckdb",
        "polars",
        "statsmodels",
        "jiwer",
        "nltk",
        "spacy",
        "datatest",
        "tabulate",
        "rewardkit",
        "reward_kit",
        "hud",
        "onnxruntime",
        "onnx",
        "xgboost",
        "lightgbm",
        "jax",
        "flax",
        "keras",
        "mlflow",
        "mteb",
        "rdkit",
        "Bio",
        "shapely",
        "geopandas",
        "plotly",
        "seaborn",
        "nbformat",
        "nbconvert",
        "jinja2",
        "markdown",
        "PyPDF2",
        "pdfplumber",
        "reportlab",
        "pytesseract",
        "skimage",
        "librosa",
        "soundfile",
        "selenium",
        "playwright",
        "websockets",
        "websocket",
        "grpc",
        "boto3",
        "pymysql",
        "pymongo",
        "chess",
        "gymnasium",
        "gym",
        "sentence_transformers",
        "accelerate",
        "peft",
        "safetensors",
        "tokenizers",
        "einops",
        "numba",
        "setuptools",
        "pkg_resources",
        "git",
        "docker",
        "dotenv",
        "freezegun",
        "responses",
        "faker",
        "mpmath",
        "fasttext",
        "google",
        "azure",
        "kafka",
        "h5py",
        "netCDF4",
        "xarray",
        "astropy",
        "pysam",
        "joblib",
        "dill",
        "cloudpickle",
    ]
)
_SET_PATH = re.compile(r"sys\.path\.(insert|append|extend)|PYTHONPATH")


@dataclass(frozen=True, kw_only=True)
class Sources:
    """All that was read of one grader."""

    python: tuple[PythonFile, ...] = ()
    shell: tuple[ShellFile, ...] = ()
    unread: tuple[tuple[str, str], ...] = ()
    """File -> why it was not read."""
    roots: tuple[str, ...] = AGENT_ROOTS
    workdir: str = "/app"
    instruction: str = ""
    dockerfile: str = ""
    workspace: tuple[str, ...] = ()
    """Paths below environment/."""
    is_folder: bool = False
    """A task's tests folder, rather than one text."""


@dataclass(slots=True)
class _Gathered:
    """Texts of a tests folder, before they are parsed."""

    python: dict[str, str] = field(default_factory=dict)
    shell: dict[str, str] = field(default_factory=dict)
    unread: list[tuple[str, str]] = field(default_factory=list)
    roots: tuple[str, ...] = AGENT_ROOTS
    agent_modules: frozenset[str] = frozenset()


def sources_of(key: Key) -> Sources:
    """Read the tests folders of a task. Nothing that cannot be read is raised: it is listed as unread."""
    gathered = _Gathered()
    for tests in sorted({step.tests for step in key.steps}):
        _gather(tests, key.path, gathered)
    workdir, dockerfile = _environment(key.path)
    gathered.roots = tuple(dict.fromkeys((workdir, *AGENT_ROOTS))) if workdir != "/" else AGENT_ROOTS
    workspace = tuple(sorted(_names(key.path / "environment")))
    scripts = tuple(parse_shell(name, text) for name, text in sorted(gathered.shell.items()))
    deciding = _deciding(gathered, scripts)
    gathered.agent_modules = _agent_modules(gathered, scripts, workspace)
    python: list[PythonFile] = []
    for name, text in sorted(gathered.python.items()):
        python += _parse(name, text, gathered, decides=name in deciding)
    for script in scripts:
        for first, body in embedded(script):
            python += _parse(script.name, script.text, gathered, before=first, part=body)
    return Sources(
        python=tuple(python),
        shell=scripts,
        unread=tuple(gathered.unread),
        roots=gathered.roots,
        workdir=workdir,
        instruction=_instructions(key.path),
        dockerfile=dockerfile,
        workspace=workspace,
        is_folder=True,
    )


def source_of(text: str, name: str = "grader") -> Sources:
    """Parse one text: Python unless its name or first line says shell. Raise FormatError where it is not Python."""
    if name.endswith((".sh", ".bash")) or re.match(r"#!.*\b(ba|da)?sh\b", text):
        return Sources(shell=(parse_shell(name, text),))
    gathered = _Gathered()
    parsed = _parse(name, text, gathered, replies=True)
    if gathered.unread:
        raise FormatError(f"cannot be read as Python: {gathered.unread[0][1]}", path=name)
    return Sources(python=tuple(parsed))


def embedded(script: ShellFile) -> Iterator[tuple[int, str]]:
    """Yield (lines before it, text) of each Python program in a here-document or after `-c`."""
    for statement in script.nodes("redirected_statement", "command"):
        command = statement if statement.type == "command" else statement.child(0)
        if command is None or command.type != "command" or not program(script.words(command)).startswith("python"):
            continue
        for child in statement.children:
            if child.type == "heredoc_redirect":
                yield from ((row(body) - 1, says(body)) for body in child.children if body.type == "heredoc_body")
        parts = command.children
        for flag, body in itertools.pairwise(parts):
            if says(flag) == "-c" and body.type in ("string", "raw_string"):
                yield row(body) - 1, says(body)[1:-1].replace('\\"', '"')


def _gather(tests: Path, root: Path, gathered: _Gathered) -> None:
    for path in sorted(tests.rglob("*")):
        if path.is_symlink() or not path.is_file():
            continue
        name = path.relative_to(root).as_posix() if path.is_relative_to(root) else path.name
        if path.suffix in OTHER_LANGUAGES:
            gathered.unread.append((name, f"{path.suffix[1:]} is a language that no rule reads"))
        if path.suffix not in ("", ".py", ".sh", ".bash"):
            continue
        if path.stat().st_size > MOST_BYTES:
            gathered.unread.append((name, f"is larger than {MOST_BYTES:,} bytes"))
            continue
        text = path.read_bytes().decode(errors="replace")
        first = text.partition("\n")[0]
        if path.suffix == ".py" or re.match(r"#!.*python", first):
            gathered.python[name] = text
        elif path.suffix in (".sh", ".bash") or re.match(r"#!.*sh\b", first):
            gathered.shell[name] = text


def _parse(
    name: str,
    text: str,
    gathered: _Gathered,
    *,
    part: str | None = None,
    before: int = 0,
    decides: bool = True,
    replies: bool = False,
) -> list[PythonFile]:
    """Parse a file, or `part` of it that begins after `before` lines; list it as unread where that cannot be done."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            tree = ast.parse(text if part is None else part)
        ast.increment_lineno(tree, before)
        flow = flow_of(tree, gathered.roots, replies=replies, agent_modules=gathered.agent_modules)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        gathered.unread.append((name, f"{type(error).__name__}: {str(error)[:100]}"))
        return []
    return [PythonFile(name=name, text=text, tree=tree, flow=flow, decides=decides)]


def _deciding(gathered: _Gathered, scripts: tuple[ShellFile, ...]) -> set[str]:
    """Return the Python files that scripts run, and those that such files import; all where none is named."""
    stems = {Path(name).stem: name for name in gathered.python}
    found: set[str] = set()
    for script in scripts:
        for _, words in script.commands():
            found |= {name for name in gathered.python for word in words if Path(word).name == Path(name).name}
            if program(words) in ("pytest", "py.test") or {"pytest", "unittest"} & set(words):
                found |= {name for stem, name in stems.items() if stem.startswith("test_") or stem.endswith("_test")}
    found = found or set(gathered.python)
    waiting = list(found)
    while waiting:
        names = re.findall(r"^\s*(?:from|import)\s+([\w.]+)", gathered.python[waiting.pop()], re.MULTILINE)
        new = {stems[part] for name in names for part in (name.split(".")[0],) if part in stems} - found
        found |= new
        waiting += new
    return found


def _agent_modules(gathered: _Gathered, scripts: tuple[ShellFile, ...], workspace: tuple[str, ...]) -> frozenset[str]:
    """Return the modules that graders import and that can only be the agent's."""
    own = {part for name in gathered.python for part in (Path(name).stem, *Path(name).parts)}
    seeded = {part.removesuffix(".py") for name in workspace for part in Path(name).parts}
    texts = [*gathered.python.values(), *(script.text for script in scripts)]
    extended = any(_SET_PATH.search(text) for text in texts) or any(
        imports_from_here(words) for script in scripts for _, words in script.commands()
    )
    names = {
        name.split(".")[0]
        for text in texts
        for name in re.findall(
            r"^\s*(?:from|import)\s+([A-Za-z_]\w*)[\w.]*(?:\s+import|\s+as|\s*$|\s*[,#;])", text, re.MULTILINE
        )
    }
    foreign = names - own - sys.stdlib_module_names - KNOWN_MODULES
    return frozenset(name for name in foreign if extended or name in seeded)


def _environment(task: Path) -> tuple[str, str]:
    path = task / "environment" / "Dockerfile"
    try:
        return world_of(read_dockerfile(path), path).workdir, path.read_text(encoding="utf-8", errors="replace")
    except (FormatError, OSError):
        return "/app", ""


def _names(folder: Path) -> Iterator[str]:
    return (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def _instructions(task: Path) -> str:
    paths = [task / "instruction.md", *sorted(task.glob("steps/*/instruction.md"))]
    return "\n".join(path.read_text(encoding="utf-8", errors="replace") for path in paths if path.is_file())
