"""`fairtrial kit TESTS`: write the one file that lets a task's tests use the checks, with nothing installed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from fairtrial.checks.kit import NAME, TEST_SH, is_current, kit, packages_for
from fairtrial.checks.rewardkit import Translation
from fairtrial.checks.rewardkit.translation import WORKSPACE
from fairtrial.cli.kit_rewardkit import bring
from fairtrial.cli.output import DOES_NOT_HOLD, HOLDS, JsonFlag, note, print_document, stdout
from fairtrial.records import InputError, digest

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command("kit")
def kit_(
    tests: Annotated[Path, typer.Argument(help="A task's tests folder; it holds checks.toml.")],
    packages: Annotated[
        list[str] | None, typer.Option("--with", help="A pure Python package to take along; may be repeated.")
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Write nothing; say whether it is current.")] = False,
    from_rewardkit: Annotated[
        Path | None,
        typer.Option("--from-rewardkit", help="A rewardkit folder: write its checks.toml and grading.toml."),
    ] = None,
    workspace: Annotated[
        str, typer.Option("--workspace", help="Folder of the box that the rewardkit criteria look at.")
    ] = WORKSPACE,
    as_json: JsonFlag = False,
) -> None:
    """Write TESTS/fairtrial.pyz (and test.sh where there is none), with the packages that its checks.toml needs."""
    if not tests.is_dir():
        raise InputError("is no folder", path=tests, hint="Name the tests folder of a task.")
    if check and from_rewardkit is not None:
        raise InputError("writes, and --check writes nothing", field="--from-rewardkit")
    brought = bring(from_rewardkit, tests, workspace) if from_rewardkit is not None else None
    wanted = [*packages_for(tests), *(packages or [])]
    made, place, script = kit(wanted), tests / NAME, tests / "test.sh"
    was_current = is_current(place, wanted)
    has_script = script.exists()
    if not check:
        place.write_bytes(made)
        if not has_script:
            script.write_text(TEST_SH, encoding="utf-8")
            script.chmod(0o755)
    if as_json:
        print_document({"schema": "fairtrial.kit/1", "path": str(place), "hash": digest(made), "bytes": len(made),
                        "packages": wanted, "was_current": was_current, **_lacking(brought)})  # fmt: skip
    else:
        carried = f", with {', '.join(wanted)}" if wanted else ""
        verb = "is" if check else "written:"
        state = (" current" if was_current else " not current") if check else ""
        stdout.print(f"{place} {verb}{state} {len(made):,} bytes, {digest(made)[:19]}{carried}", markup=False)
        if not check and not has_script:
            note(f"written: {script}, which grades with it")
    if brought is not None and has_script and NAME.encode() not in script.read_bytes():
        note(f"note: {script} is kept as it was, and does not grade with {NAME}")
    is_short = brought is not None and bool(brought.untranslated)
    raise typer.Exit(DOES_NOT_HOLD if is_short or (check and not was_current) else HOLDS)


def _lacking(brought: Translation | None) -> dict[str, Any]:
    return {} if brought is None else {"untranslated": brought.untranslated, "differs": brought.differs}
