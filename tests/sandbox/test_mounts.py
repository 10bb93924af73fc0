"""What is shown in a box: read-only, and in place where it is too large to be copied."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairtrial.records import Environment
from fairtrial.sandbox import Command, Mount
from fairtrial.sandbox.bubblewrap import Bubblewrap

SANDBOX = Bubblewrap()
pytestmark = pytest.mark.skipif(not SANDBOX.capability().available, reason="bubblewrap does not work here")


@pytest.fixture
def shown(tmp_path: Path) -> Path:
    folder = tmp_path / "shut" / "shown"
    folder.mkdir(parents=True)
    (folder / "a.txt").write_text("a\n")
    folder.parent.chmod(0o700)  # as the home of root is
    return folder


def test_what_is_mounted_in_place_is_the_folder_itself_and_read_only(shown: Path) -> None:
    mounts = [Mount(shown, "/shown", in_place=True), Mount(shown / "a.txt", "/alone.txt", in_place=True)]
    with SANDBOX.open(SANDBOX.prepare(Environment()), mounts) as box:
        (shown / "late.txt").write_text("late\n")
        done = box.run(Command(("sh", "-c", "cat /shown/late.txt /alone.txt; echo x > /shown/b || echo refused")))
    assert done.output.startswith("late\na\n")
    assert "refused" in done.output
    assert not (shown / "b").exists()


def test_a_copied_mount_cannot_change_under_the_box(shown: Path) -> None:
    with SANDBOX.open(SANDBOX.prepare(Environment()), [Mount(shown, "/shown")]) as box:
        done = box.run(Command(("cat", "/shown/a.txt")))
    assert done.output == "a\n"
