"""Look-ups of the benchmark itself: its repository, leaderboard, traces fetched, opened or searched for.

What a tool or a command fetches is a look-up; a name among the results of another search is incidental until it is
opened; a name in words is a mention; a name in the instruction is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from fairtrial.contamination.conduct.decoding import hidden_texts
from fairtrial.contamination.conduct.leads import MOST_LEADS, Certainty, Lead, Leads, gathered
from fairtrial.contamination.conduct.pieces import Piece, line_at, line_with
from fairtrial.contamination.conduct.python_reading import Called, read_program
from fairtrial.contamination.conduct.python_values import texts_of
from fairtrial.contamination.conduct.scripts import readable
from fairtrial.contamination.conduct.shell_variables import expanded
from fairtrial.contamination.conduct.sources import Conduct, read_conduct
from fairtrial.contamination.lookup.names import BenchmarkNames, Seen
from fairtrial.contamination.usage.other_code import SENDS_CODE
from fairtrial.contamination.usage.programs import NETWORK, commands_of_program, quoted

_FETCH_NAMES = (
    "curl wget git gh http https xh aria2c axel lynx w3m links svn hg hf huggingface-cli kaggle modelscope rsync "
    "scp gsutil aws s3cmd rclone pip pip3 uv uvx pipx npm npx yarn pnpm conda mamba poetry cargo go docker podman "
    "dvc git-lfs degit glab gitingest ddgr googler playwright chromium google-chrome firefox httpie curlie harbor "
    "inspect"
)
FETCHERS = frozenset(_FETCH_NAMES.split())
_NAMING = frozenset({"-o", "-O", "--output", "-d", "--dir", "--local-dir", "-P", "--target", "-C", "--data", "-H",
                     "--name", "-n", "--project", "--network", "-t", "--tag", "-v", "-w", "-e", "--env", "--header",
                     "-A", "--user-agent", "-b", "--branch", "--cache-dir", "--prefix", "-u"})  # fmt: skip
"""Options whose value names something here, not what is fetched."""
_GIT_READS = frozenset({"clone", "fetch", "pull", "ls-remote", "submodule", "remote", "archive"})
_SAYS_NOTHING = frozenset({"commit", "push", "config", "init", "add", "log", "status", "diff", "tag"})
_LOADS = re.compile(
    r"(?:^|\.)(?:load_dataset|load_dataset_builder|get_dataset_config_names|get_dataset_split_names|snapshot_download|"
    r"hf_hub_download|dataset_info|list_repo_files|list_repo_tree|list_datasets|repo_info|space_info|model_info|"
    r"dataset_download|competition_download\w*|dataset_download_files|MsDataset\.load|clone_from|Repo\.clone_from|"
    r"read_parquet|read_csv|read_json|scan_parquet|scan_csv|HfFileSystem|hf_hub_url|cached_download|get_repo|"
    r"urlretrieve|urlopen|goto|download|sql|query|execute|fetch|Client|get|post|request|Request|load_from_hub|open|ls|glob|find)$"
)
_LIBRARIES = re.compile(
    r"^(?:datasets|huggingface_hub|kaggle|kagglehub|modelscope|git|github|pandas|polars|pd|pl|playwright|selenium|"
    r"gradio_client|fsspec|wandb|mlflow|dvc|tensorflow_datasets|tfds|duckdb|bs4|inspect_ai|inspect_evals|webbrowser|"
    r"page|driver|browser|subprocess|load_dataset)\b"
)
_CODE_FETCHES = re.compile(
    r"\b(?:fetch|axios|got|https?\.get|Net::HTTP|http\.Get|git clone|"
    r"simpleGit|octokit|curl|wget|exec\w*)\b|['\"]git['\"]\s*,\s*['\"]clone['\"]"
)
_LINE_FETCHES = re.compile(r"\b(?:git|curl|wget|gh|hf|huggingface-cli|pip3?|python\d?|aria2c|node)\b")
_PAYLOAD = frozenset({"headers", "cookies", "auth", "json", "data", "timeout", "cache_dir", "local_dir", "output_dir"})
"""Arguments that say nothing of where a request goes."""
_SEARCHING = re.compile(r"/search\b|[?&](?:q|query|search|p|text)=|\bgh search\b|\bddgr\b|\bgoogler\b|\bpip search\b|"
                        r"search_(?:datasets|repos\w*|code)|list_datasets", re.IGNORECASE)  # fmt: skip


class Lookups(Leads):
    """What `lookups_of` found: leads of the kinds `repository`, `leaderboard`, `traces` and `name`."""


def lookups_of(paths: Sequence[Path], names: BenchmarkNames) -> Lookups:
    """Look for look-ups of the benchmark in trajectories, files and folders of both.

    Raise InputError for a path that is not there. Without any name nothing is measured.
    """
    return lookups_in(read_conduct(paths), names)


def lookups_in(conduct: Conduct, names: BenchmarkNames) -> Lookups:
    """Look for the same in what was read already."""
    leads = gathered(lead for piece in conduct.pieces for lead in _of_piece(piece, names))
    left = (f"{len(leads) - MOST_LEADS} more leads were left out",) if len(leads) > MOST_LEADS else ()
    empty = ("the rules name nothing of the benchmark that could be looked up",) if names.is_empty else ()
    nothing = () if conduct.read else ("no trajectory and no file that a rule reads was given",)
    return Lookups(findings=leads[:MOST_LEADS], read=tuple(conduct.read), unreadable=tuple(conduct.unreadable),
                   not_measured=(*empty, *left, *nothing), left_out=conduct.left_out,
                   subject_hash=conduct.hash)  # fmt: skip


def _of_piece(piece: Piece, names: BenchmarkNames) -> Iterator[Lead]:
    if piece.form == "python":
        yield from _of_python(piece, names)
    elif piece.form == "command":
        yield from _of_command(piece, names)
    elif piece.form == "page":
        for seen in names.seen(piece.text):
            if seen.is_address or _SEARCHING.search(piece.text):
                yield _lead(piece, seen, "opens", piece.text)
            else:
                yield _lead(piece, seen, "opens a page that names", piece.text)
    elif piece.form == "search":
        for seen in names.seen(piece.text):
            yield _lead(piece, seen, "searches for", piece.text)
    elif piece.form == "code":
        yield from _of_code(piece, names)
    elif piece.form == "output":
        yield from _of_output(piece, names)
    elif piece.form in ("words", "settings", "log"):
        yield from _mentions(piece, names, "names")
    elif piece.form == "line":
        yield from _of_line(piece, names)


def _lead(piece: Piece, seen: Seen, how: str, quote: str, certainty: Certainty | None = None, line: int = 1) -> Lead:
    owner = ", under another owner" if seen.is_copy else ""
    what = {"repository": "the benchmark's repository", "leaderboard": "the benchmark's leaderboard",
            "traces": "the benchmark's traces", "name": f"the benchmark's name `{seen.name}`"}[seen.kind]  # fmt: skip
    return piece.lead(seen.kind, f"{how} {what}{owner}", quote, host=seen.name, certainty=certainty, line=line)


def _mentions(piece: Piece, names: BenchmarkNames, how: str, certainty: Certainty = "mention") -> Iterator[Lead]:
    for seen in names.seen(piece.text):
        if not seen.is_copy:
            yield _lead(piece, seen, how, line_with(piece.text, seen.start, min(seen.end, seen.start + 200)), certainty,
                        line_at(piece.text, seen.start))  # fmt: skip


def _of_output(piece: Piece, names: BenchmarkNames) -> Iterator[Lead]:
    """Yield names in what came back: incidental among the results of a search, else a mention."""
    if piece.tool == "search":
        yield from _mentions(piece, names, "results of a search name", "incidental")
    else:
        yield from _mentions(piece, names, "what came back names")


def _of_command(piece: Piece, names: BenchmarkNames) -> Iterator[Lead]:
    """Yield what one command fetches."""
    text = " ".join(piece.words)
    name = piece.program
    for word in piece.words[1:] if name in FETCHERS and name != "git" else ():
        for seen in names.seen(piece.around.file(word) or "") if len(word) < 300 else ():
            if seen.is_address and not seen.is_copy:
                yield _lead(piece, seen, "fetches by a list", text)
    verb = next((one for one in piece.words[1:] if not one.startswith("-")), "")
    is_fetch = name in FETCHERS or piece.words[1:3] == ("-m", "pip")
    if name == "git":
        is_fetch = bool(_GIT_READS & set(piece.words)) and verb not in _SAYS_NOTHING
    for seen in names.seen(text):
        if not is_fetch or (seen.is_copy and not _is_remote(piece.words, seen)):
            if not seen.is_copy and name not in ("cat", "echo", "printf"):
                yield _lead(piece, seen, "a command names", text, "mention")
            continue
        if not seen.is_address and not _points_at(piece.words, seen, names, text):
            yield _lead(piece, seen, "a command names", text, "mention")
            continue
        yield _lead(piece, seen, "searches for" if _SEARCHING.search(text) else "fetches", text)


def _is_remote(words: Sequence[str], seen: Seen) -> bool:
    """Say whether a name that another owner has stands in an address, or in the id of a repository."""
    own = seen.name.rstrip("/").removesuffix(".git").rpartition("/")[2].lower()
    return any(
        own in one.lower() and (re.match(r"\w+://|git@", one) or re.fullmatch(r"[\w-][\w.-]*/[\w.-]+", one))
        for one in words[1:]
    )


def _points_at(words: Sequence[str], seen: Seen, names: BenchmarkNames, text: str) -> bool:
    """Say whether a plain name is what a command fetches: a package, part of an address, words of a search."""
    if _SEARCHING.search(text):
        return True
    return any(
        words[n - 1] not in _NAMING
        and not one.startswith(("/", "./", "~", "-"))
        and ("://" in one or n <= 4)
        and any(held.name == seen.name for held in names.seen(one))
        for n, one in enumerate(words)
        if n
    )


def _of_line(piece: Piece, names: BenchmarkNames) -> Iterator[Lead]:
    """Yield names that are hidden in a line by their spelling."""
    plain = {seen.name for seen in names.seen(piece.text)}
    is_fetching = bool(_LINE_FETCHES.search(piece.text)) and len(piece.text) < 20_000
    hidden = [(piece.text, expanded(piece.text, piece.variables)), *hidden_texts(piece.text)] if is_fetching else []
    for code, text in hidden:
        for seen in names.seen(text):
            if seen.name not in plain and seen.is_address and not seen.is_copy:
                plain.add(seen.name)
                yield _lead(piece, seen, "hides by its spelling", code[:150])


def _of_python(piece: Piece, names: BenchmarkNames) -> Iterator[Lead]:
    """Yield what one program fetches, and what it only names."""
    program = read_program(piece.text, piece.around)
    if not program.is_read:
        yield from _of_code(piece, names)
        return
    asked: set[str] = set()
    for called in program.calls:
        if not _fetches(called):
            continue
        aimed = [*called.given, *(value for key, value in called.named.items() if key not in _PAYLOAD)]
        for text in (one for value in aimed for one in texts_of(value)):
            for seen in names.seen(text):
                asked.add(seen.name)
                quote = quoted(piece, called.line)
                quote = quote if seen.name in quote or text in quote else f"{quote} [{text}]"
                sure: Certainty = "mention" if called.is_dormant else piece.certainty()
                how = "searches for" if _SEARCHING.search(f"{called.name} {text}") else "fetches"
                yield _lead(piece, seen, how, quote, sure, called.line)
    for text, line in program.texts:
        for seen in names.seen(text):
            if seen.name not in asked and not seen.is_copy:
                yield _lead(piece, seen, "a program names", quoted(piece, line), "mention", line)
    for seen in names.seen(piece.text):
        if seen.name not in asked and not seen.is_copy:
            yield _lead(piece, seen, "a program names", line_with(piece.text, seen.start, seen.end), "mention",
                        line_at(piece.text, seen.start))  # fmt: skip
    if piece.state == "written" or piece.step is None:
        for command, line in commands_of_program(program):
            for one in readable(replace(piece, form="line", text=command, line=(piece.line or 1) + line - 1))[0]:
                if one.form == "command":
                    yield from _of_command(one, names)


def _fetches(called: Called) -> bool:
    name = called.name
    if NETWORK.match(name):
        return True
    return bool(_LOADS.search(name)) and bool(_LIBRARIES.match(name) or called.last.startswith(
        ("load_dataset", "snapshot_download", "hf_hub_download", "clone_from", "dataset_info", "goto")))  # fmt: skip


def _of_code(piece: Piece, names: BenchmarkNames) -> Iterator[Lead]:
    """Yield names in programs of other languages: fetched where the program fetches, else named."""
    fetches = bool(_CODE_FETCHES.search(piece.text) or SENDS_CODE.search(piece.text))
    for seen in names.seen(piece.text[:500_000]):
        line = line_with(piece.text, seen.start, min(seen.end, seen.start + 200))
        is_said = line.lstrip().startswith(("//", "#", "*", "/*"))
        if fetches and seen.is_address and not is_said:
            yield _lead(piece, seen, "fetches", line, None, line_at(piece.text, seen.start))
        elif not seen.is_copy:
            yield _lead(piece, seen, "a program names", line, "mention", line_at(piece.text, seen.start))
