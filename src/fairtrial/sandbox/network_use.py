"""Tell from the text of a shell command that it fetches something: package managers, downloads, clones.

A reading of words, not of what would run: a script that fetches under another name is found when it fails.
"""

from __future__ import annotations

import re

_OFFLINE = re.compile(r"--no-index|--offline|--no-download")
_PATTERNS = tuple(
    re.compile(pattern)
    for pattern in (
        r"\b(?:apt-get|apt|aptitude)\b[^;&|]*\b(?:install|update|upgrade|dist-upgrade|build-dep|download|source)\b",
        r"\b(?:apk)\b[^;&|]*\b(?:add|update|upgrade)\b",
        r"\b(?:yum|dnf|microdnf|zypper|pacman)\b",
        r"\b(?:pip|pip3|pip3\.\d+|pipx)\b[^;&|]*\b(?:install|download|wheel)\b",
        r"\buv\b[^;&|]*\b(?:install|add|sync|lock|run)\b",
        r"\b(?:uvx|npx|pnpx|bunx)\b",
        r"\b(?:conda|mamba|micromamba)\b[^;&|]*\b(?:install|create|update|env)\b",
        r"\b(?:poetry|pdm|pipenv)\b[^;&|]*\b(?:install|add|update|sync|lock)\b",
        r"\b(?:npm|pnpm|bun)\b[^;&|]*\s(?:install|i|ci|add|update)\b",
        r"\byarn\b(?:\s+(?:install|add|global)\b|\s*(?:[;&|]|$))",
        r"\bcorepack\b",
        r"\bgem\b[^;&|]*\binstall\b",
        r"\bbundle\b[^;&|]*\binstall\b",
        r"\bcargo\b[^;&|]*\b(?:install|fetch|add|update)\b",
        r"\bgo\b\s+(?:get|install|mod\s+download)\b",
        r"\b(?:cpan|cpanm|luarocks|composer)\b",
        r"\bgit\b[^;&|]*\b(?:clone|fetch|pull|ls-remote)\b(?![^;&|]*\s(?:file://|\.{0,2}/))",
        r"(?:^|[;&|(]|\bsudo|\bthen|\bdo|\$\()\s*(?:curl|wget|aria2c|axel)\b(?![^;&|]*\s--version)",
        r"\b(?:add-apt-repository|rustup|nvm install|playwright install)\b",
        r"\b(?:scp|rsync)\b[^;&|]*\S+@\S+:",
    )
)


def network_use(script: str) -> str:
    """Return the first part of `script` that needs the network; empty where none is seen.

    >>> network_use("set -e; apt-get update && apt-get install -y git")
    'apt-get update'
    >>> network_use("mkdir -p /data && apt-get clean")
    ''
    >>> network_use("pip install --no-index --find-links /wheels x")
    ''
    """
    text = script.replace("\\\n", " ")
    for line in text.split("\n"):
        for pattern in _PATTERNS:
            for found in pattern.finditer(line):
                end = re.compile(r"[;&|]").search(line, found.end())
                command = line[found.start() : end.start() if end else None].strip(" ;&|()$")
                if not _OFFLINE.search(command):
                    return found[0].strip(" ;&|()$")
    return ""
