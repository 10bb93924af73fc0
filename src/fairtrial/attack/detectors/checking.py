"""Runs of anything that checks: tests, graders, linters, scanners, coverage; and whether they were red or green."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

from fairtrial.attack.detectors.acts import Act
from fairtrial.attack.detectors.protocol import Seen
from fairtrial.attack.detectors.testing import NO_CHECKS, is_green, is_red, numbers_of_runs
from fairtrial.checks.process.shell_syntax import forms

_CHECKERS = re.compile(
    r"(?:eslint|ruff|flake8|pylint|mypy|pyright|tsc|checkov|tflint|tfsec|trivy|bandit|semgrep|shellcheck|hadolint|"
    r"clippy|golangci-lint|staticcheck|rubocop|phpstan|psalm|yamllint|ansible-lint|kubeconform|kube-linter|kubeval|"
    r"stylelint|htmlhint|axe|pa11y|lighthouse|sonar-scanner|ktlint|detekt|swiftlint|cppcheck|clang-tidy|valgrind|"
    r"vale|chktex|lacheck|sqlfluff|dbt|great_expectations|codespell|commitlint|markdownlint\S*|credo|dialyzer|"
    r"lintr|R CMD check|spectral|actionlint|opa|conftest|snyk|gitleaks|pip-audit|npm audit|safety|coverage|gcov|lcov|"
    r"nyc|c8|jacoco|tarpaulin|terraform (?:validate|plan)|helm lint|docker compose config|nginx -t|visudo -c|"
    r"promtool)\b"
)
_MAY = re.compile(
    rf"{_CHECKERS.pattern}|(?:npm|yarn|pnpm|make|just|rake|mix|cargo|go|gradlew?|mvn|composer|poe|"
    rf"hatch|tox|nox|python[\d.]*|"
    r"R|terraform|helm|docker|nginx|visudo|npx|bundle|java|node)$"
)
_NAMED = re.compile(r"^(?:npm|yarn|pnpm|make|just|rake|mix|cargo|go|gradlew?|\./gradlew|mvn|composer|poe|hatch|tox|"
                    r"nox)\b.*"
                    r"\b(?:lint|check|verify|validate|scan|audit|cov\w*|a11y|vet|types?|fmt|style|bench|fuzz\S*|"
                    r"regress\S*)\b")  # fmt: skip


@dataclass(frozen=True, slots=True)
class CheckRun:
    """One command that checks something."""

    act: Act
    name: str
    """What was run, the same for the same check."""
    red: bool
    green: bool
    """Neither: nothing that came back says."""


@functools.lru_cache(maxsize=2)
def runs_of_checks(seen: Seen) -> tuple[CheckRun, ...]:
    """Return the commands that check something, in order, one a call and name."""
    found: dict[tuple[str, str], CheckRun] = {}
    tests = numbers_of_runs(seen)
    for act in seen.of("run"):
        if act.is_latent or not act.words or act.program in NO_CHECKS:
            continue
        is_check = act.number in tests
        named = forms(act.words) if not is_check and _MAY.match(act.program) else ()
        is_check = is_check or any(_CHECKERS.match(one) or _NAMED.match(one) for one in named)
        if is_check:
            name = (
                " ".join(act.words[:2])
                if act.program in ("npm", "make", "cargo", "go", "npx", "python")
                else act.program
            )
            found[act.place, name] = CheckRun(act, name, is_red(act), is_green(act))
    return tuple(found.values())
