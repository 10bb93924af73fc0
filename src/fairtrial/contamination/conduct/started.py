"""Command lines that stand among the words of another command: of shells, multiplexers, containers, other machines.

What `fairtrial.checks` unwraps by itself (`sudo`, `env`, `timeout`, ...) is not repeated. Not covered: options of
container programs are not known one by one; the command is taken from the first program that fetches or interprets.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

_SHELL = re.compile(r"(?:^|/)(?:ba|z|k|da)?sh$")
_TAKES_TEXT_NAMES = (
    "parallel watch script su runuser tmux screen hyperfine flock entr ssh sshpass autossh docker podman nerdctl "
    "kubectl nsenter singularity apptainer srun sbatch at expect nohup xargs find sh bash zsh dash concurrently "
    "nodemon devbox nix-shell nix wsl cmd"
)
_TAKES_TEXT = frozenset(_TAKES_TEXT_NAMES.split())
_CONTAINER_NAMES = "docker podman nerdctl kubectl singularity apptainer srun nsenter screen docker-compose"
_CONTAINERS = frozenset(_CONTAINER_NAMES.split())
_PROGRAMS = re.compile(
    r"(?:^|/)(?:curl|wget|python[\d.]*|node|deno|bun|npx|uvx?|git|gh|hf|huggingface-cli|claude|codex|gemini|llm|aichat|"
    r"ollama|litellm|env|printenv|cat)$"
)
_GATEWAY = re.compile(r"(?:^|/)litellm(?:[-\w]*)(?:[:@].*)?$")
_SENTENCE = re.compile(r"\S\s+\S")


def inner_line(line: str) -> str:
    """Return the text that a line hands to a shell whole (`bash -lc '...'`), else the line.

    >>> inner_line("'bash' '-lc' 'env | sort'"), inner_line("bash run.sh")
    ('env | sort', 'bash run.sh')
    """
    if not re.match(r"\s*['\"]?[\w/]*sh\b", line):
        return line
    try:
        words = shlex.split(line)
    except ValueError:
        return line
    takes = len(words) == 3 and _SHELL.search(words[0]) and re.fullmatch(r"-\w*c", words[1])
    return words[2] if takes else line


def lines_in(words: Sequence[str]) -> tuple[str, ...]:
    """Return the command lines among the words of a command.

    >>> lines_in(("curl -s https://a.b {}",)), lines_in(("docker", "exec", "box", "curl", "a.b"))
    (('curl -s https://a.b {}',), ('curl a.b',))
    >>> lines_in(("docker", "run", "-d", "x/litellm:main", "--model", "m"))
    ('litellm --model m',)
    """
    if not words:
        return ()
    if _SENTENCE.search(words[0]):
        return (" ".join(words),)
    name = words[0].rpartition("/")[2]
    texts = [one for one in words[1:] if _SENTENCE.search(one)] if name in _TAKES_TEXT else []
    if name in _CONTAINERS:
        rest = list(words[1:])
        at = next((n for n, one in enumerate(rest) if _GATEWAY.search(one) or _PROGRAMS.search(one)), None)
        if at is not None:
            first = "litellm" if _GATEWAY.search(rest[at]) else rest[at]
            texts.append(shlex.join([first, *rest[at + 1 :]]))
    return tuple(texts)
