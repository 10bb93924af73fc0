"""Usage of external models and reads of credentials, from trajectories and from files that an agent left."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from fairtrial.contamination.conduct.leads import MOST_LEADS, Lead, Leads, UnreadFile, gathered, questions
from fairtrial.contamination.conduct.pieces import Piece, line_at, line_with
from fairtrial.contamination.conduct.python_reading import read_program
from fairtrial.contamination.conduct.scripts import readable
from fairtrial.contamination.conduct.sources import Conduct, read_conduct
from fairtrial.contamination.usage import credentials
from fairtrial.contamination.usage.commands import leads_of_command, leads_of_line
from fairtrial.contamination.usage.configured import leads_of_gateway
from fairtrial.contamination.usage.credentials_code import reads_of_code
from fairtrial.contamination.usage.hosts import ExternalHosts
from fairtrial.contamination.usage.other_code import leads_of_code
from fairtrial.contamination.usage.outputs import leads_of_output
from fairtrial.contamination.usage.programs import commands_of_program, leads_of_program

_FORWARDS = re.compile(r"\bproxy_pass\b|\breverse_proxy\b|^\s*connect\s*=|\bupstream\b|\bserver\s+\S+:443\b")
MOST_OF_A_PROGRAM = 100_000
"""Characters of Python that are read."""


class Usage(Leads):
    """What `usage_of` found: leads of the kinds `model_api`, `credential_read` and `key`."""


def usage_of(paths: Sequence[Path], hosts: ExternalHosts) -> Usage:
    """Look for calls of external models and reads of credentials in trajectories, files and folders of both.

    Raise InputError for a path that is not there. Files that cannot be read are named in the result.
    """
    return usage_in(read_conduct(paths), hosts)


def usage_in(conduct: Conduct, hosts: ExternalHosts) -> Usage:
    """Look for the same in what was read already."""
    unread: list[UnreadFile] = []
    found: list[Lead] = []
    for piece in conduct.pieces:
        found += _of_piece(piece, hosts, unread)
    leads = gathered(found)
    left = (f"{len(leads) - MOST_LEADS} more leads were left out",) if len(leads) > MOST_LEADS else ()
    unreadable = (*conduct.unreadable, *dict.fromkeys(unread))
    nothing = () if conduct.read else ("no trajectory and no file that a rule reads was given",)
    return Usage(findings=leads[:MOST_LEADS], read=tuple(conduct.read), unreadable=unreadable,
                 not_measured=(*questions(leads), *left, *nothing), left_out=conduct.left_out,
                 subject_hash=conduct.hash)  # fmt: skip


def _of_piece(piece: Piece, hosts: ExternalHosts, unread: list[UnreadFile]) -> Iterator[Lead]:
    """Yield the leads of one piece; what of it cannot be read is added to `unread`."""
    if piece.form == "python":
        yield from _of_python(piece, hosts, unread)
    elif piece.form == "code":
        yield from leads_of_code(piece, hosts)
        yield from reads_of_code(piece)
        yield from _settings(piece, hosts) if piece.state == "said" else ()
    elif piece.form == "command":
        yield from leads_of_command(piece, hosts)
        yield from credentials.reads_of_command(piece)
    elif piece.form == "line":
        yield from leads_of_line(piece, hosts)
        yield from credentials.reads_of_line(piece)
    elif piece.form == "file":
        yield from credentials.reads_of_file(piece)
    elif piece.form == "page":
        for _, _, host in hosts.found(piece.text):
            yield piece.lead("model_api", f"opens a page of {host}", piece.text, host=host)
    elif piece.form in ("output", "log"):
        yield from leads_of_output(piece, hosts)
    elif piece.form in ("settings", "words"):
        yield from _settings(piece, hosts)
    if piece.form in ("python", "code", "line", "settings"):
        yield from credentials.keys_of(piece)


def _of_python(piece: Piece, hosts: ExternalHosts, unread: list[UnreadFile]) -> Iterator[Lead]:
    if len(piece.text) > MOST_OF_A_PROGRAM:
        unread.append(UnreadFile(piece.path, f"a program of more than {MOST_OF_A_PROGRAM:,} characters is not read"))
        return
    program = read_program(piece.text, piece.around)
    if not program.is_read:
        if (piece.state == "ran" and not piece.output) or piece.step is None:
            unread.append(UnreadFile(piece.path, f"{piece.place or 'the file'}: is no Python that can be read"))
        yield from leads_of_code(piece, hosts)
        return
    yield from leads_of_program(piece, program, hosts)
    yield from credentials.reads_of_program(piece, program)
    if piece.state == "written" or piece.step is None:
        for line, at in commands_of_program(program):
            within, _ = readable(replace(piece, form="line", text=line, line=(piece.line or 1) + at - 1))
            for one in within:
                if one.form != "python":
                    yield from _of_piece(one, hosts, unread)


def _settings(piece: Piece, hosts: ExternalHosts) -> Iterator[Lead]:
    """Yield external hosts that words or settings name, and ways to them that settings open."""
    if piece.form == "settings":
        yield from leads_of_gateway(replace(piece, state="written"), piece.text, hosts)
    for start, end, host in hosts.found(piece.text[:2_000_000]):
        line = line_with(piece.text, start, end)
        if piece.form == "settings" and _FORWARDS.search(line):
            yield piece.lead("model_api", f"opens a way to a model at {host}", line, host=host, certainty="written",
                             line=line_at(piece.text, start))  # fmt: skip
            continue
        yield piece.lead("model_api", f"names {host}", line, host=host,
                         certainty="mention", line=line_at(piece.text, start))  # fmt: skip
