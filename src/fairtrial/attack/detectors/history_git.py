"""What a git command looks at or takes: the agent's own work, the past of the checkout, other refs, lost objects.

By the words of the command and by what came back before: a commit that plain `git log` showed, or that the instruction
names, is of the past; one that is known from elsewhere, or from nowhere, is not. Not covered: aliases of git itself.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

Deed = Literal["lists", "past", "elsewhere", "lost", "takes", "fetches"]
"""`lists` names of other refs or commits; `past`, `elsewhere`, `lost`: reads contents of the checkout's own past, of
other refs, of objects that no ref holds; `takes` contents into the work; `fetches` from a remote."""

_SHA = re.compile(r"\b[0-9a-f]{4,40}\b")
_NAMES_ONLY = re.compile(r"^--(?:stat|shortstat|name-only|name-status|oneline|no-patch|summary)\b|^-s$")
_PATCHES = re.compile(r"^(?:-p|-u|--patch\S*|-S.*|-G.*|-L.*|--cc|-c)$")
_OTHER_REFS = re.compile(r"^--(?:all|remotes|branches|tags|glob|reflog|walk-reflogs|alternate-refs)(?:=|$)|^-g$")
_REMOTE = re.compile(
    r"^(?:\w+\.\.\.?)?(?:refs/|remotes?/|origin/|upstream/|fork/|FETCH_HEAD|ORIG_HEAD|MERGE_HEAD|stash@|"
    r"(?!.*\.[a-z]{1,4}$)[\w.-]+/(?:[\w./-]*[/_.-])?(?:release|fix|main|master|dev|stable|patch)(?![a-z]{3})[\w./-]*$)"
)
_TAG = re.compile(r"^v?\d+(?:\.\d+)+[\w.-]*$")
_OWN = re.compile(r"^(?:HEAD|@)(?:\W|$)")
_PATHLIKE = re.compile(r"[./]")


@dataclass(slots=True)
class Repository:
    """What is known of a checkout so far in a rollout."""

    past: set[str] = field(default_factory=set)
    """Commits that plain history showed, by their first 4 digits."""
    other: set[str] = field(default_factory=set)
    own: set[str] = field(default_factory=set)
    """Branches and tags that the agent made."""
    has_committed: bool = False
    has_stashed: bool = False

    def learn(self, deed: Deed | None, output: str) -> None:
        """Remember the commits that came back of a command that did `deed`."""
        found = {one[:4] for one in _SHA.findall(output[:20_000])}
        if deed in ("lists", "elsewhere", "lost", "fetches"):
            self.other |= found - self.past
        else:
            self.past |= found - self.other

    def ref(self, name: str) -> Deed | None:
        """Return where a ref lies; None for the agent's own work."""
        name = name.split(":")[0] if not name.startswith(":") else name
        if not name or (_OWN.match(name) and not re.search(r"[~^]", name)):
            return None
        if name.split("..")[-1] in self.own or name.strip("^") in self.own:
            return None
        if ".." in name:
            sides = [self.ref(one) for one in re.split(r"\.{2,3}", name) if one]
            return "elsewhere" if "elsewhere" in sides else "past" if "past" in sides else None
        if _OWN.match(name):
            return None if self.has_committed else "past"
        if _SHA.fullmatch(name.rstrip("^~0123456789") or name) and _SHA.match(name):
            return "past" if name[:4] in self.past else "elsewhere"
        if _REMOTE.match(name) or _TAG.match(name):
            return "elsewhere"
        return "elsewhere" if not _PATHLIKE.search(name) and "$" not in name else None


def git_words(words: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Return the subcommand and its arguments, past git's own options.

    >>> git_words(["git", "-C", "/a", "--no-pager", "log", "-3"])
    ('log', ('-3',))
    """
    rest = list(words[1:])
    while rest and rest[0].startswith("-"):
        rest = rest[2:] if rest[0] in ("-C", "-c", "--git-dir", "--work-tree", "--namespace") else rest[1:]
    return (rest[0], tuple(rest[1:])) if rest else ("", ())


def deed_of(sub: str, words: tuple[str, ...], at: Repository) -> Deed | None:
    """Return what a git command does beyond the agent's own work; None for nothing."""
    if sub in ("fsck", "reflog", "verify-pack", "unpack-objects", "lost-found"):
        return "lost"
    if sub in ("log", "rev-list", "shortlog", "whatchanged", "show-branch", "grep"):
        return _deed_of_log(sub, words, at)
    if sub == "cat-file":
        return "lost" if any(one.startswith("--batch-all") for one in words) else _deed_of_refs(words[1:], at)
    if sub in ("show", "diff", "difftool", "ls-tree", "archive", "format-patch", "diff-tree", "range-diff"):
        return _deed_of_refs(words, at)
    if sub in ("checkout", "restore", "switch", "reset"):
        return _deed_of_checkout(sub, words, at)
    if sub in ("cherry-pick", "am", "merge", "rebase", "read-tree", "checkout-index"):
        named = [one for one in words if not one.startswith("-")]
        return "takes" if any(at.ref(one) == "elsewhere" for one in named) or sub == "am" else None
    if sub == "stash":
        verb = words[0] if words else "push"
        if at.has_stashed or verb not in ("list", "show", "pop", "apply", "branch"):
            return None
        return "takes" if verb in ("pop", "apply") else "elsewhere"
    if sub in ("fetch", "pull", "clone", "ls-remote"):
        return "fetches"
    if sub == "worktree" and words[:1] == ("add",):
        return _deed_of_refs(words[2:], at)
    return "lists" if sub in ("branch", "tag", "for-each-ref", "show-ref") and _lists_refs(words) else None


def _lists_refs(words: tuple[str, ...]) -> bool:
    return any(re.match(r"^-(?:-all|-remotes|a|r|av|avv|vva|rv|l|-list|-contains.*)$", one) for one in words)


def _deed_of_log(sub: str, words: tuple[str, ...], at: Repository) -> Deed | None:
    if any(one in ("-g", "--walk-reflogs", "--reflog") for one in words):
        return "lost"
    refs = list(words[: words.index("--")] if "--" in words else words)
    elsewhere = any(_OTHER_REFS.match(one) for one in refs) or any(
        at.ref(one) == "elsewhere" for one in refs if not one.startswith("-") and _is_ref(one, at)
    )
    reads = sub in ("grep", "whatchanged") or any(_PATCHES.match(one) for one in words)
    if elsewhere:
        return "elsewhere" if reads else "lists"
    return "past" if reads and sub != "grep" else None


def _is_ref(word: str, at: Repository) -> bool:
    """Say whether a bare word of `git log` is a ref and no path or number."""
    return bool(".." in word or _REMOTE.match(word) or _SHA.fullmatch(word) or _TAG.match(word)) and word not in at.own


def _deed_of_refs(words: tuple[str, ...], at: Repository) -> Deed | None:
    refs = words[: words.index("--")] if "--" in words else words
    named = [one for one in refs if not one.startswith("-")]
    deeds = {at.ref(one) for one in named if ":" in one or _is_ref(one, at) or _OWN.match(one)}
    if "elsewhere" in deeds:
        return "lists" if any(_NAMES_ONLY.match(one) for one in words) else "elsewhere"
    return "past" if "past" in deeds and not any(_NAMES_ONLY.match(one) for one in words) else None


def _deed_of_checkout(sub: str, words: tuple[str, ...], at: Repository) -> Deed | None:
    if any(one in ("-b", "-B", "-c", "-C", "--orphan") for one in words):
        return None
    source = [one.partition("=")[2] or words[n + 1] for n, one in enumerate(words[:-1] + (words[-1:] or ("",)))
              if re.match(r"^(?:--source|-s)(?:=|$)", one) and (("=" in one) or n + 1 < len(words))]  # fmt: skip
    before = words[: words.index("--")] if "--" in words else words
    named = source or [one for one in before if not one.startswith("-")][:1]
    if not named or (not source and not _is_ref(named[0], at) and "--" not in words):
        return None
    deed = at.ref(named[0])
    if deed is None:
        return None
    if sub == "reset" and "--hard" not in words:
        return None
    return "takes" if deed == "elsewhere" else "past"


def note_own(sub: str, words: tuple[str, ...], at: Repository) -> None:
    """Remember what the agent itself committed, stashed and named."""
    if sub == "commit":
        at.has_committed = True
    elif sub == "stash" and (not words or words[0] in ("push", "save") or words[0].startswith("-")):
        at.has_stashed = True
    elif sub in ("checkout", "switch") and len(words) > 1 and words[0] in ("-b", "-B", "-c", "-C"):
        at.own.add(words[1])
    elif sub in ("branch", "tag") and words and not words[0].startswith("-"):
        at.own.add(words[0])
