"""Commands and programs of a shell script that a file holds, or that a program would start."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from fairtrial.attack.detectors.here_documents import plain_marks
from fairtrial.attack.detectors.recording import Recording, bounded
from fairtrial.checks.process.shell_commands import Ran, commands_of
from fairtrial.checks.process.shell_syntax import is_python, unwrapped
from fairtrial.checks.reading import WorkError
from fairtrial.contamination.conduct.pieces import Piece
from fairtrial.contamination.conduct.started import inner_line, lines_in

MOST_COMMANDS = 2000
MOST_NESTED = 2


def command_pieces(piece: Piece, nested: int = 0) -> Iterator[Piece]:
    """Yield a shell text as a whole, then its commands, the programs that stand in them and the lines that they start.

    Raise WorkError where it unfolds into more than is read.
    """
    piece = replace(piece, text=inner_line(piece.text))
    yield piece
    session = Recording()
    session.variables.update(piece.variables)
    for ran in commands_of(plain_marks(bounded(piece.text)), session)[:MOST_COMMANDS]:
        words = unwrapped(ran.words)
        if not words:
            continue
        line = (piece.line or 1) + _line(piece.text, ran) - 1
        around = replace(piece.around, words=words)
        yield replace(piece, form="command", text=" ".join(ran.words), words=words, line=line, around=around)
        if ran.code and (is_python(words[0]) or words[0] in ("torchrun", "accelerate")):
            yield replace(piece, form="python", text=ran.code, line=line, around=around)
        elif ran.code and words[0] in ("node", "deno", "bun", "ruby", "perl", "php"):
            yield replace(piece, form="code", text=ran.code, line=line, around=around)
        for one in lines_in(words) if nested < MOST_NESTED and not ran.code else ():
            yield from command_pieces(replace(piece, text=one, line=line, around=piece.around), nested + 1)


def readable(piece: Piece) -> tuple[tuple[Piece, ...], str]:
    """Return the pieces of a script, and why a part of it could not be read."""
    try:
        return tuple(command_pieces(piece)), ""
    except WorkError as error:
        return (piece,), str(error)


def _line(text: str, ran: Ran) -> int:
    """Return the line of a command: the first that holds its longest word, as far as that can be told."""
    longest = max(ran.words, key=len, default="")
    at = text.find(longest)
    return text.count("\n", 0, max(at, 0)) + 1
