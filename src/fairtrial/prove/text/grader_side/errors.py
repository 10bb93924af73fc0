"""What the grader's side says when a grader cannot be used at all, as against one that fails on one completion."""

from __future__ import annotations


class UnusableError(Exception):
    """The grader cannot be loaded or called: nothing is measured. `kind` says whose word it is."""

    def __init__(self, what: str, kind: str = "grader") -> None:
        super().__init__(what)
        self.kind = kind
        """`grader` (it is broken or needs something that is missing) or `name` (there is no such grader)."""


class UnscoredError(Exception):
    """The grader returned, and what it returned is no score."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail
