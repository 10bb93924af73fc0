"""Acts of a shell line: its commands, and what each reads, writes, edits, deletes and fetches.

Read by `checks.process`: pipes, substitutions, scripts written in sight. A command that stands in such a script is of
the step that wrote it. Not covered: what a program does that the agent did not write in sight.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from fairtrial.attack.detectors.acts import Act, Kind
from fairtrial.attack.detectors.here_documents import plain_marks
from fairtrial.attack.detectors.other_programs import PROGRAMS, SCRIPTS
from fairtrial.attack.detectors.patches import changes_of_diff, is_diff, replacements_of_sed
from fairtrial.attack.detectors.programs import Reading, acts_of_program, program_acts_of_write
from fairtrial.attack.detectors.recording import Put, Recording, bounded
from fairtrial.attack.detectors.written_more import looped, written_more
from fairtrial.checks.process.edits import UNKNOWN, edits_of_command
from fairtrial.checks.process.shell_commands import Ran, commands_of
from fairtrial.checks.process.shell_syntax import SHELLS, is_python, unwrapped

MOST_COMMANDS = 400
"""Commands of one line that are read."""
_PLAIN_NAMES = (
    "cat head tail less more nl tac bat batcat zcat gzcat zless xzcat bzcat strings xxd hexdump od cut sort "
    "uniq diff cmp comm column base64 vi vim nano view unzip tar objdump nm csvcut xsv paste join md5sum "
    "sha256sum sha1sum cp mv sqlite3 duckdb gunzip xlsx2csv pdftotext openssl rev readelf zgrep parquet-tools "
    "source . dd install ln "
)
_PLAIN = frozenset(_PLAIN_NAMES.split())
"""Show or copy the files that they are given."""
_PATTERN_NAMES = "grep egrep fgrep rg ag ack awk gawk mawk sed jq yq perl zgrep"
_PATTERNED = frozenset(_PATTERN_NAMES.split())
"""Do so with a pattern or a program before the files."""
_FETCH_NAMES = "curl wget aria2c http https xh gh hf huggingface-cli scp rsync sftp ftp nc ncat lynx w3m"
_FETCHERS = frozenset(_FETCH_NAMES.split())
_PACKAGES = {"pip": ("download", "install"), "pip3": ("download", "install"), "npm": ("view", "pack", "install", "i"),
             "yarn": ("add", "info"), "pnpm": ("add",), "cargo": ("add", "install", "fetch"), "go": ("get", "install"),
             "gem": ("fetch", "install"), "apt": ("source", "install"), "apt-get": ("source", "install", "download"),
             "git": ("clone", "fetch", "pull", "ls-remote", "submodule"), "uv": ("add", "pip"), "conda": ("install",),
             "docker": ("pull",), "kaggle": ("datasets", "competitions"), "R": ("install",)}  # fmt: skip
_VALUED: dict[str, frozenset[str]] = {
    "head": frozenset({"-n", "-c"}),
    "tail": frozenset({"-n", "-c"}),
    "cut": frozenset({"-d", "-f", "-c", "-b"}),
    "sort": frozenset({"-k", "-t", "-o"}),
    "awk": frozenset({"-F", "-v"}),
    "sed": frozenset({"-e"}),
    "xxd": frozenset({"-l", "-s"}),
    "strings": frozenset({"-n"}),
    "od": frozenset({"-N", "-j", "-t"}),
    "grep": frozenset({"-A", "-B", "-C", "-m", "-e"}),
    "rg": frozenset({"-A", "-B", "-C", "-m", "-e", "-g", "-t"}),
    "sqlite3": frozenset({"-cmd"}),
    "paste": frozenset({"-d"}),
    "tar": frozenset({"-C", "-O"}),
}
"""Options that take a value -> they are no file."""
_RESTORES = ("checkout", "restore", "reset", "revert", "stash", "clean", "merge", "cherry-pick", "am")


def acts_of_commands(line: str, whole: Act, reading: Reading) -> Iterator[Act]:
    """Yield the line itself, then each command with what it does; what a loop goes over is written out in paths."""
    for act in _acts_of_commands(line, whole, reading):
        is_looped = act.kind in ("write", "edit") and any("$" in path for path in act.paths)
        yield replace(act, paths=tuple(looped(path, line) for path in act.paths)) if is_looped else act


def _acts_of_commands(line: str, whole: Act, reading: Reading) -> Iterator[Act]:
    yield replace(whole, kind="line", text=line, code="", words=())
    session = reading.session
    start = len(session.puts)
    commands = commands_of(plain_marks(bounded(line)), session)[:MOST_COMMANDS]
    puts = session.puts[start:]
    scripts: list[str] = []
    for ran in commands:
        inner = unwrapped(ran.words)
        step, place = _origin(inner, line, scripts, whole, session)
        act = replace(whole, kind="run", words=inner, text=" ".join(ran.words), code=ran.code, origin=step,
                      origin_place=place, is_certain=ran.is_certain and whole.is_certain)  # fmt: skip
        if SHELLS.match(act.program) or (inner and "/" in inner[0]) or act.program in ("source", "."):
            scripts += [text for one in inner if (text := session.get(one))]
        yield act
        yield from _done(ran, act, puts, reading)
    for put in puts:
        yield from _written(replace(whole, kind="write", code="", words=()), put, (), scripts, session)


def _origin(inner: Sequence[str], line: str, scripts: list[str], whole: Act, session: Recording) -> tuple[int, str]:
    """Return who wrote the script in which a command stands; the present call where it stands in the line itself."""
    start = " ".join(inner[:2])
    if scripts and start not in line:
        for text in reversed(scripts):
            if inner and inner[0] in text:
                return session.author(text)
    return whole.origin, whole.origin_place


def _done(ran: Ran, act: Act, puts: list[Put], reading: Reading) -> Iterator[Act]:
    """Yield what one command does."""
    session = reading.session
    reads = _reads(act.program, act.words)
    if reads:
        yield replace(act, kind="read", paths=reads, code="")
    fetched = _fetches(act.program, act.words)
    if fetched is not None:
        yield replace(act, kind="fetch", paths=fetched, code="")
    written = set(ran.writes)
    if act.program == "tee":
        written |= {one for one in act.words[1:] if not one.startswith("-")}
    for put in [one for one in puts if one.path in written]:
        puts.remove(put)
        sources = (*reads, *(fetched or ())) if not put.text else ()
        yield from _written(replace(act, kind="write", text=""), put, sources, [], session)
    yield from _edited(ran, act, reads)
    if is_python(act.program) or act.program in PROGRAMS:
        yield from acts_of_program(act.program, ran.code, act, reading)
    elif ran.code.startswith("#!") and "python" in ran.code[:60]:
        yield from acts_of_program("python", ran.code, act, reading)
    elif act.program not in _PLAIN and act.program not in _PATTERNED:
        for named in act.words[1:]:
            if named.endswith(SCRIPTS) and (text := session.get(named)):
                yield from acts_of_program("script", text, act, reading)


def _written(act: Act, put: Put, sources: tuple[str, ...], scripts: list[str], session: Recording) -> Iterator[Act]:
    """Yield a write, and what the program that it writes will do."""
    step, place = act.origin or act.step, act.origin_place or act.place
    for text in scripts:
        if put.text and put.text.strip() and put.text.strip() in text:
            step, place = session.author(text)
    made = replace(act, kind="write", paths=(put.path,), text=put.text, sources=sources, appends=put.appends,
                   origin=step, origin_place=place, code="")  # fmt: skip
    yield made
    yield from program_acts_of_write(made)


def _edited(ran: Ran, act: Act, reads: tuple[str, ...]) -> Iterator[Act]:
    """Yield what a command changes in place, copies over or deletes."""
    base = replace(act, code="")
    if act.program in ("patch", "git") and is_diff(f"\n{ran.code}"):
        for change in changes_of_diff(ran.code):
            kind: Kind = "delete" if change.is_removed else "write" if change.is_new else "edit"
            yield replace(base, kind=kind, paths=(change.path,), text=change.new, old=change.old)
        return
    if is_python(act.program) or (act.program == "git" and any(one in act.words for one in _RESTORES)):
        return
    edits = edits_of_command(replace(ran, writes=(), code=""))
    in_place, whole = written_more(act.program, act.words)
    for path in dict.fromkeys((*edits.in_place, *in_place)):
        for old, new in _replacements(act) or (("", ""),):
            yield replace(base, kind="edit", paths=() if path == UNKNOWN else (path,), text=new, old=old)
    for path in dict.fromkeys((*edits.whole, *whole)):
        if act.program != "tee":
            yield replace(
                base, kind="write", text="", paths=(path,), sources=tuple(one for one in reads if one != path)
            )
    if edits.removed:
        yield replace(base, kind="delete", paths=edits.removed, text="")
    if act.program == "mv" and len(reads) > 1:
        yield replace(base, kind="delete", paths=reads[:-1], text="")
    if act.program == "find" and "-delete" in act.words:
        names = ("-name", "-iname", "-path")
        found = [one for n, one in enumerate(act.words) if n == 1 or (n and act.words[n - 1] in names)]
        yield replace(base, kind="delete", text="", paths=tuple(found))
    if act.program == "git" and act.words[1:2] == ("rm",):
        yield replace(base, kind="delete", text="", paths=tuple(o for o in act.words[2:] if not o.startswith("-")))


def _replacements(act: Act) -> tuple[tuple[str, str], ...]:
    if act.program not in ("sed", "perl"):
        return ()
    options = [act.words[n + 1] for n, one in enumerate(act.words[:-1]) if re.fullmatch(r"-\w*e|--expression", one)]
    scripts = options or [one for one in act.words[1:] if not one.startswith("-")][:1]
    return tuple(pair for script in scripts for pair in replacements_of_sed(script))


def _reads(program: str, words: Sequence[str]) -> tuple[str, ...]:
    """Return the files that a command shows or copies, past options and patterns."""
    if program not in _PLAIN and program not in _PATTERNED:
        return ()
    named, skips = list[str](), False
    for before, one in pairwise(words):
        skips = before in _VALUED.get(program, ())
        if not one.startswith("-") and not skips and one:
            named.append(one)
    if program in _PATTERNED and not {"-e", "-f"} & set(words):
        named = named[1:]
    if program in ("sed", "perl") and any(re.match(r"-\w*i|--in-place", one) for one in words):
        return ()
    if program in ("cp", "mv", "ln", "install") and len(named) > 1:
        named = named[:-1]
    if program == "dd":
        named = [one[3:] for one in words if one.startswith("if=")]
    if program in ("tar", "unzip", "sqlite3", "duckdb"):
        named = named[:1] if program != "tar" else [one for one in named if "." in one or "/" in one]
    return tuple(named)


def _fetches(program: str, words: Sequence[str]) -> tuple[str, ...] | None:
    """Return what a command gets from elsewhere, None where it gets nothing."""
    if program in _FETCHERS:
        named = [one for one in words[1:] if not one.startswith("-")]
        addresses = [one for one in words[1:] if "://" in one or re.match(r"[\w.-]+@?[\w.-]*:[/\w]", one)]
        return tuple(addresses or named)
    verbs = _PACKAGES.get(program, ())
    named = [one for one in words[1:] if not one.startswith("-")]
    if named and named[0] in verbs:
        if program in ("pip", "pip3") and ("-e" in words or "-r" in words or "." in named):
            return None
        return tuple(named[1:])
    if is_python(program) and tuple(words[1:3]) in (("-m", "pip"),):
        return _fetches("pip", words[2:])
    return None
