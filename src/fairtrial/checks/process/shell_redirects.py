"""Where the input of a command of a shell comes from, and where its output goes: `<`, `>`, here-documents."""

from __future__ import annotations

from dataclasses import dataclass, field

import tree_sitter

from fairtrial.checks.process.shell_session import Session
from fairtrial.checks.process.shell_syntax import raw, word


@dataclass(slots=True)
class Redirects:
    """What the redirections of one statement come to."""

    given: str | None
    """What comes in, where that is known."""
    is_shown: bool
    writes: list[str] = field(default_factory=list)
    appends: bool = False

    def write(self, session: Session, text: str | None) -> tuple[str, ...]:
        """Remember `text` as what the files hold, and return their paths; devices hold nothing."""
        kept = tuple(path for path in self.writes if not path.startswith("/dev/"))
        for path in kept:
            session.put(path, text or "", appends=self.appends)
        return kept


def redirects_of(node: tree_sitter.Node, given: str | None, is_shown: bool, session: Session) -> Redirects:
    """Return the redirections of a statement, for which `given` comes in otherwise."""
    found = Redirects(given, is_shown)
    for child in node.named_children:
        if child.type == "heredoc_redirect":
            found.given = next((raw(one) for one in child.named_children if one.type == "heredoc_body"), "")
            for one in child.named_children:
                if one.type == "file_redirect":
                    found.writes += _target(one, session)
                    found.appends = found.appends or raw(one).lstrip("&012").startswith(">>")
                    found.is_shown = found.is_shown and raw(one).startswith("2")
        elif child.type == "herestring_redirect":
            found.given = word(child.named_children[-1], session.variables)
        elif child.type == "file_redirect" and ">" in raw(child):
            target = _target(child, session)
            found.writes += target
            found.appends = found.appends or ">>" in raw(child)[:4]
            found.is_shown = found.is_shown and not (target and not raw(child).startswith("2"))
        elif child.type == "file_redirect" and raw(child).startswith("<"):
            found.given = session.get(word(child.named_children[-1], session.variables))
    return found


def _target(redirect: tree_sitter.Node, session: Session) -> list[str]:
    destination = redirect.child_by_field_name("destination")
    if destination is None or raw(redirect).rstrip("-0123456789").endswith("&"):
        return []
    return [word(destination, session.variables)]
