"""The allow list of environment variables: all that a command in a box is given, in one place.

A command gets `BASE_VARIABLES`, what the environment itself sets (ENV of its Dockerfile, `env` of task.toml), what the
agent sets for its own command, and what a person lets through by name (`--pass-env`). Nothing else of this process's
environment enters a box of any sandbox. What is named like a credential, or looks like one, is not let through: an
agent that needs one is not on trial alone. Not covered: what a task's author writes into the Dockerfile.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from fairtrial.records import InputError

BASE_VARIABLES = {
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "HOME": "/root",
    "LANG": "C.UTF-8",
    "HOSTNAME": "box",
}
PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "FTP_PROXY", "ALL_PROXY", "NO_PROXY")
"""Container programs hand these on by themselves, in both cases, with the passwords that they may hold."""
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_IS_CREDENTIAL = re.compile(
    r"KEY|TOKEN(?!IZ)|SECRET|PASSW|PASSPHRASE|\bPASS\b|_PASS(?:_|$)|ASKPASS|_PWD(?:_|$)|CREDENTIAL|AUTH(?!OR(?!ITY))|COOKIE|"
    r"SESSION|SIGNATURE|_PAT(?:_|$)|_DSN(?:_|$)|_JWT(?:_|$)|BEARER|WEBHOOK|CONNECTION_STRING|_SOCK(?:_|$)|DBUS_|"
    r"^DOCKER_HOST$|^KUBECONFIG$|^NETRC$|^PGPASS|^KRB5CCNAME$|^GPG_AGENT_INFO$",
    re.IGNORECASE,
)
_LOOKS_SECRET = re.compile(
    r"\bsk-[\w-]{16,}|\bhf_\w{16,}|\bgh[pousr]_\w{16,}|\bgithub_pat_\w+|\bgsk_\w{16,}|\b(?:AKIA|ASIA)[A-Z0-9]{12,}|"
    r"\bAIza[\w-]{20,}|\b[rs]k_(?:live|test)_\w{16,}|\br8_\w{16,}|\bxai-\w{16,}|\bpplx-\w{16,}|\bnvapi-[\w-]{16,}|"
    r"\bglpat-[\w-]{16,}|\bnpm_\w{20,}|\bpypi-[\w-]{20,}|\bdckr_pat_\w+|hooks\.slack\.com/services/|"
    r"(?i:\bauthorization\s*[:=]|\b(?:bearer|basic)[ \t]+[\w.+/=~-]{12,})|\bxox[abprs]-|\beyJ[\w-]{10,}\.eyJ|PRIVATE KEY-----|://[^/\s:@]+:[^/\s@]+@"
)
_SETS = re.compile(
    r"^[ \t]*(?:export\s+|setenv\s+)?[\"']?([\w./:@-]*?\w+)[\"']?\s*[=:]\s*[\"']?([^\s\"'#;]{6,})", re.MULTILINE
)
_SETS_KEY = re.compile(
    r"(?:^|[\W_]|(?<=[a-z]))(?:api_?key|access_?key(?:_?id)?|secret(?:_?(?:access_?)?key)?|(?:auth_?)?token|password|passwd|pwd|"
    r"_auth|pat|credentials?)$",
    re.IGNORECASE,
)
_HOLDS_NO_KEY = re.compile(r"^[$<{(]|^(?:true|false|none|null|always|never|required|basic|digest|/\S*)$", re.IGNORECASE)
_OURS = frozenset((*BASE_VARIABLES, "TMPDIR", "LD_PRELOAD", "LD_LIBRARY_PATH", "BASH_ENV", "ENV", "PYTHONPATH"))
CREDENTIAL_FILES = (
    ".aws", ".azure", ".config", ".docker", ".env", ".git-credentials", ".gnupg", ".huggingface", ".kaggle", ".kube",
    ".netrc", ".npmrc", ".pgpass", ".pypirc", ".ssh", ".vault-token", "credentials.json",
)  # fmt: skip
"""What holds keys in a home or beside a project; a folder with one of them is not shown to a box."""


_KEY_FILE = re.compile(
    r"^(?:\.env\.(?!example$|sample$|template$|dist$)\w+|\.envrc|id_(?:rsa|dsa|ecdsa|ed25519)|\.\w+_history|\.s3cfg|\.boto|"
    r"service[_-]account\w*\.json|kubeconfig)$"
)
_NOT_SEARCHED = frozenset({".git", "node_modules", ".venv", "venv", "site-packages", "__pycache__"})
_MOST_SEEN = 20_000


def passed_variables(names: Sequence[str], variables: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the variables that a person lets through, sorted by name.

    Raise InputError for a name that is none, is not set, is the box's own, or is a credential by its name or value.

    >>> passed_variables(["REGION"], {"REGION": "eu", "OPENAI_API_KEY": "x"})
    {'REGION': 'eu'}
    """
    held = os.environ if variables is None else variables
    return {name: _let_through(name, held) for name in sorted(set(names))}


def _let_through(name: str, held: Mapping[str, str]) -> str:
    if not _NAME.fullmatch(name):
        raise InputError(f"`{name}` is no name of a variable", field="--pass-env", hint="Give the name alone.")
    if name in _OURS:
        raise InputError(f"`{name}` is set by the box itself", field="--pass-env")
    if name not in held:
        raise InputError(f"the variable `{name}` is not set here", field="--pass-env", hint="Set it, or leave it out.")
    if is_credential(name):
        raise InputError(f"`{name}` is named like a credential, and is not let into a box", field="--pass-env",
                         hint="An agent's commands get no keys. If it holds none, give it another name.")  # fmt: skip
    if _LOOKS_SECRET.search(held[name]):
        raise InputError(f"what `{name}` holds looks like a credential, and is not let into a box", field="--pass-env")
    return held[name]


def is_credential(name: str) -> bool:
    """Say whether a variable is named as those are that hold keys, or lead to something that does.

    >>> [is_credential(one) for one in ("HF_TOKEN", "SSH_AUTH_SOCK", "AWS_PROFILE", "REGION", "TOKENIZERS_PARALLELISM")]
    [True, True, False, False, False]
    """
    return bool(_IS_CREDENTIAL.search(name))


def holds_secret(text: str) -> bool:
    """Say whether a file of settings holds what looks like a credential, or gives a value to the name of one.

    >>> holds_secret("//host/:_authToken=0a1b2c3d4e"), holds_secret("export GITHUB_PAT=0a1b2c3d4e")
    (True, True)
    >>> holds_secret("prefix = /usr/local"), holds_secret("# AUTH_TOKEN=0a1b2c3d4e"), holds_secret("KEY=$OTHER")
    (False, False, False)
    """
    plain = "\n".join(line for line in text.split("\n") if not line.lstrip().startswith(("#", ";", "//#")))
    return bool(_LOOKS_SECRET.search(plain)) or any(
        _SETS_KEY.search(name) and not _HOLDS_NO_KEY.search(value) for name, value in _SETS.findall(plain)
    )


def credential_names(variables: Mapping[str, str] | None = None) -> list[str]:
    """Return the names of the variables of this process that are credentials by name or value."""
    held = os.environ if variables is None else variables
    return sorted(
        name for name, value in held.items() if value and (is_credential(name) or _LOOKS_SECRET.search(value))
    )


def credentials_beside(folder: Path) -> list[str]:
    """Return what below a folder holds keys by its name, and settings of git with a password in an address.

    Such a folder is not to be shown to a box. Installed packages and histories are not looked through.
    """
    found: list[str] = []
    seen = 0
    for at, folders, names in os.walk(folder):
        here = Path(at)
        for name in sorted((*folders, *names)):
            seen += 1
            path = here / name
            if name in CREDENTIAL_FILES or (_KEY_FILE.search(name) and name in names) or _is_leaking_git(path):
                found.append(str(path.relative_to(folder)))
        folders[:] = sorted(one for one in folders if one not in _NOT_SEARCHED and one not in CREDENTIAL_FILES)
        if seen > _MOST_SEEN:
            break
    return found


def _is_leaking_git(path: Path) -> bool:
    if path.name != ".git" or not path.is_dir():
        return False
    try:
        return bool(_LOOKS_SECRET.search((path / "config").read_text("utf-8", "replace")))
    except OSError:
        return False
