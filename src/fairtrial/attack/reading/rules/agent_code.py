"""Rules on code of the agent's that runs where the verdict is given: imports, import paths, eval, unpickling."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from fairtrial.attack.reading.python_file import PythonFile, argument, constant, dotted
from fairtrial.attack.reading.rule import Found, Rule, static_card
from fairtrial.attack.reading.shell_file import ShellFile, row
from fairtrial.attack.reading.sources import Sources

_LOADERS = {
    "importlib.import_module",
    "import_module",
    "__import__",
    "spec_from_file_location",
    "SourceFileLoader",
    "run_path",
    "run_module",
    "exec_module",
}
_UNSAFE = {
    "pickle.load",
    "pickle.loads",
    "cPickle.load",
    "marshal.load",
    "marshal.loads",
    "shelve.open",
    "joblib.load",
    "dill.load",
    "dill.loads",
    "cloudpickle.load",
    "pd.read_pickle",
    "pandas.read_pickle",
    "yaml.unsafe_load",
    "yaml.full_load",
    "jsonpickle.decode",
    "torch.load",
    "np.load",
    "numpy.load",
    "yaml.load",
}


def imports_agent_code(file: PythonFile, _: Sources) -> Iterator[Found]:
    """Find modules of the agent's that a deciding file imports or runs."""
    if not file.decides:
        return
    for node in file.nodes:
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
        for name in names:
            if name.split(".")[0] in file.flow.agent_modules:
                yield node.lineno, f"The agent's module `{name}` runs in the process that gives the verdict."  # type: ignore[attr-defined]
    for call, name in file.calls:
        short = name.rpartition(".")[2]
        if (name in _LOADERS or short in _LOADERS) and _loads_agent(call, file):
            yield call.lineno, f"`{short}` runs the agent's code in the process that gives the verdict."


def agent_folder_on_path(file: PythonFile, _: Sources) -> Iterator[Found]:
    """Find the agent's folder, or the working folder, put on the import path of a deciding file."""
    for call, name in file.calls:
        if not file.decides or name not in ("sys.path.insert", "sys.path.append") or not call.args:
            continue
        place = call.args[-1]
        if file.flow.kind(place) == "path" or constant(place) in ("", ".") or "getcwd" in ast.dump(place):
            yield call.lineno, "Modules of the agent's can take the place of those that the grader imports."


def agent_folder_in_pythonpath(script: ShellFile, sources: Sources) -> Iterator[Found]:
    """Find PYTHONPATH set to the agent's folder."""
    for node in script.nodes("variable_assignment"):
        text = script.filled((node.text or b"").decode(errors="replace"))
        places = text.partition("=")[2].strip("\"'").split(":")
        if text.startswith("PYTHONPATH=") and any(p in (".", "", "$PWD") or _below(p, sources.roots) for p in places):
            yield row(node), "Modules of the agent's can take the place of those that the grader imports."


def evaluates_agent_text(file: PythonFile, _: Sources) -> Iterator[Found]:
    """Find eval or exec of what the agent wrote."""
    for call, name in file.calls:
        if name in ("eval", "exec", "compile") and call.args and file.decides and file.flow.is_work(call.args[0]):
            yield call.lineno, f"`{name}` runs what the agent wrote, in the grader's own process."


def sources_agent_file(script: ShellFile, sources: Sources) -> Iterator[Found]:
    """Find agent files that a script sources or evaluates."""
    for node, words in script.commands():
        if words[0] in ("source", ".") and len(words) > 1 and _agent_file(words[1], sources):
            yield row(node), f"`{words[1]}` is the agent's, and runs in the grader's own shell."
        if words[0] == "eval" and any(_agent_file(part, sources) for word in words[1:] for part in word.split()):
            yield row(node), "`eval` runs what the agent wrote, in the grader's own shell."


def loads_objects(file: PythonFile, _: Sources) -> Iterator[Found]:
    """Find formats that run code when they are read: pickle, YAML tags and their like."""
    for call, name in file.calls:
        if name not in _UNSAFE or not any(file.flow.kind(part) for part in call.args):
            continue
        loader = argument(call, "Loader") or (call.args[1] if len(call.args) > 1 else None)
        safe = (
            (name == "yaml.load" and loader is not None and "Safe" in dotted(loader))
            or (name == "torch.load" and constant(argument(call, "weights_only")) is True)
            or (name in ("np.load", "numpy.load") and constant(argument(call, "allow_pickle")) is not True)
        )
        if not safe:
            yield call.lineno, f"`{name}` runs code that a file of the agent's may hold."


def _loads_agent(call: ast.Call, file: PythonFile) -> bool:
    names = {constant(argument) for argument in call.args}
    return any(file.flow.kind(part) for part in call.args) or bool(names & file.flow.agent_modules)


def _below(place: str, roots: tuple[str, ...]) -> bool:
    return any(place == root or place.startswith(f"{root}/") for root in roots)


def _agent_file(word: str, sources: Sources) -> bool:
    plain = word.strip("\"'$()")
    relative = not plain.startswith(("/", "-", "$")) and "." in plain and plain != "."
    return _below(plain, sources.roots) or (relative and sources.is_folder)


RULES = (
    Rule(
        card=static_card(
            "imports_agent_code",
            "agent code that runs in the deciding process",
            ("BGW-102", "BGW-103", "BGW-105", "BGW-130", "TRACE-8"),
        ),
        python=imports_agent_code,
    ),
    Rule(
        card=static_card(
            "agent_folder_on_path", "the agent's folder on the import path", ("BGW-110", "BGW-131", "TRACE-8")
        ),
        python=agent_folder_on_path,
        shell=agent_folder_in_pythonpath,
    ),
    Rule(
        card=static_card(
            "evaluates_agent_text", "eval, exec and `source` of what the agent wrote", ("BGW-129", "TRACE-8")
        ),
        python=evaluates_agent_text,
        shell=sources_agent_file,
    ),
    Rule(
        card=static_card("loads_objects", "pickle, YAML tags and other formats that run code when read", ("BGW-129",)),
        python=loads_objects,
    ),
)
