"""Deliverables as reviewers see them: texts whole, images told by their bytes, the rest by name; nothing cut unsaid."""

from __future__ import annotations

import gzip
import io
import random
import tarfile
from pathlib import Path

import pytest
from tests.serve.review.setting import packed

from fairtrial.ledger import Ledger
from fairtrial.serve.review import handed_in as area
from fairtrial.serve.review.handed_in import handed_in, image_of

PNG = b"\x89PNG\r\n\x1a\n rest"


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return Ledger.open(tmp_path / "ledger", create=True)


def test_texts_are_whole_and_others_are_named_with_their_size(ledger: Ledger) -> None:
    held = handed_in(ledger, ledger.put_blob(packed({"app/a.py": "é = 1\n".encode(), "app/x": b"\0", "p.png": PNG})))
    assert [(one.path, one.size, one.text, one.is_image) for one in held.files] == [
        ("app/a.py", 7, "é = 1\n", False), ("app/x", 1, None, False), ("p.png", len(PNG), None, True)]  # fmt: skip
    assert held.texts == {"app/a.py": "é = 1\n"}
    assert held.why == ""


def test_an_image_is_given_by_its_path_and_no_other_file_is(ledger: Ledger) -> None:
    address = ledger.put_blob(packed({"p.png": PNG, "a.txt": b"x"}))
    assert image_of(ledger, address, "p.png") == (PNG, "image/png")
    assert image_of(ledger, address, "a.txt") is None
    assert image_of(ledger, address, "../p.png") is None


def test_what_stands_in_the_page_is_bounded_and_the_rest_is_fetched(ledger: Ledger) -> None:
    files = {f"{number}.txt": b"x" * 90_000 for number in range(4)}
    held = handed_in(ledger, ledger.put_blob(packed(files)))
    assert [one.is_inline for one in held.files] == [True, True, False, False]
    assert all(one.text == "x" * 90_000 for one in held.files)


@pytest.mark.parametrize(
    ("address", "told"), [("", "No deliverable"), ("sha256:" + "0" * 64, "not kept")], ids=["none", "lost"]
)
def test_what_is_not_there_is_said(ledger: Ledger, address: str, told: str) -> None:
    held = handed_in(ledger, address)
    assert told in held.why
    assert held.files == ()


HALF = packed({"a": random.Random(0).randbytes(20_000)})[:9_000]


@pytest.mark.parametrize(
    "data", [b"", b"no gzip", gzip.compress(b"no tar" * 200), HALF], ids=["empty", "no gzip", "no tar", "half"]
)
def test_what_cannot_be_unpacked_is_said(ledger: Ledger, data: bytes) -> None:
    assert "cannot be unpacked" in handed_in(ledger, ledger.put_blob(data)).why


def test_too_many_and_too_large_are_said(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    address = ledger.put_blob(packed({str(number): b"xx" for number in range(5)}))
    monkeypatch.setattr(area, "MOST_FILES", 3)
    held = handed_in(ledger, address)
    assert len(held.files) == 3
    assert "Only the first 3 files" in held.why
    monkeypatch.setattr(area, "MOST_FILES", 99)
    monkeypatch.setattr(area, "MOST_BYTES", 5)
    held = handed_in(ledger, address)
    assert len(held.files) == 2
    assert "larger than" in held.why


def test_links_lead_nowhere_and_odd_names_are_printable(ledger: Ledger) -> None:
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", errors="surrogateescape") as tar:
        link = tarfile.TarInfo("step-0/link")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        tar.addfile(link)
        odd = tarfile.TarInfo("step-0/caf\udce9.txt")
        odd.size = 1
        tar.addfile(odd, io.BytesIO(b"x"))
    held = handed_in(ledger, ledger.put_blob(gzip.compress(raw.getvalue())))
    assert [one.path for one in held.files] == ["caf\\udce9.txt"]
    held.files[0].path.encode()


def test_several_steps_keep_their_folders(ledger: Ledger) -> None:
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w") as tar:
        for name in ("step-0/a", "step-1/a"):
            entry = tarfile.TarInfo(name)
            entry.size = 1
            tar.addfile(entry, io.BytesIO(b"x"))
    held = handed_in(ledger, ledger.put_blob(gzip.compress(raw.getvalue())))
    assert [one.path for one in held.files] == ["step-0/a", "step-1/a"]
