"""Attacks: deliverables with links, odd names, several steps, no text; keys with attacks; archives that lead out."""

from __future__ import annotations

import gzip
import io
import tarfile
from pathlib import Path

import pytest

from fairtrial.audit.citations import why_not
from fairtrial.audit.judging.cases import Work
from fairtrial.audit.judging.evidence import Evidence, opened
from fairtrial.audit.judging.keys import read_keys
from fairtrial.models.scripted import Asked, Line, call
from fairtrial.records import Citation
from fairtrial.sandbox import default

from .judging_world import World, honest, opinion, packed, saying, stage_of, text_of, world

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 20


@pytest.fixture
def court(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    monkeypatch.setenv("FAIRTRIAL_CACHE", str(tmp_path / "cache"))
    return world(tmp_path)


def tar_of(*entries: tuple[tarfile.TarInfo, bytes]) -> bytes:
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w") as tar:
        for entry, data in entries:
            entry.size = len(data)
            tar.addfile(entry, io.BytesIO(data))
    return gzip.compress(raw.getvalue(), mtime=0)


def link(name: str, target: str) -> tuple[tarfile.TarInfo, bytes]:
    entry = tarfile.TarInfo(name)
    entry.type, entry.linkname = tarfile.SYMTYPE, target
    return entry, b""


def test_of_several_steps_each_is_listed_and_the_last_is_the_box(court: World) -> None:
    data = tar_of(*((tarfile.TarInfo(f"step-{n}/app/total.txt"), f"{n}\n".encode()) for n in (0, 1, 10)))
    work = Work(rollout="r", task="total", deliverable=court.book.put_blob(data), answer="x")
    with opened(court.book, work, None) as evidence:
        assert isinstance(evidence, Evidence)
        assert evidence.deliverable.names() == (
            "/after step 1/app/total.txt", "/after step 2/app/total.txt", "/after step 3/app/total.txt")  # fmt: skip
        assert evidence.handed_in is not None
        assert (evidence.handed_in / "app" / "total.txt").read_text() == "10\n"
        assert why_not(Citation("artifact /after step 3/app/total.txt line 1", "10"), evidence.citable()) == ""


@pytest.mark.parametrize("entry", [link("step-0/app/out", "/etc/passwd"), link("step-0/app/up", "../../../x")])
def test_an_archive_that_leads_out_is_not_unpacked_and_that_is_told(
    court: World, entry: tuple[tarfile.TarInfo, bytes]
) -> None:
    court.add(deliverable=court.book.put_blob(tar_of(entry)))
    cited = [{"claim": "x", "citations": [{"place": "step 2 call 1", "quote": "echo 42"}]}]
    asked = court.judge(lambda one: saying(opinion(one, claims=cited)))
    assert "what was handed in is not at hand" in text_of(asked[0])
    assert "what was handed in is not at hand" in court.reviews()[0].note


def test_what_has_no_text_is_named_and_images_are_shown(court: World) -> None:
    files = {"app/total.txt": b"42\n", "app/plot.png": PNG, "app/data.bin": b"\0\1\2", "app/\xc3\xa9 odd.txt": b"odd"}
    court.add(deliverable=court.book.put_blob(packed(files)))

    def looking(asked: Asked) -> Line:
        tools = [m for m in asked.messages if m["role"] == "tool"]
        places = ("artifact /app/data.bin", "artifact /app/plot.png", "artifact /etc/passwd", "key ../../secret")
        if stage_of(asked) == "informed" or len(tools) == len(places):
            return honest(asked)
        return call("read_file", place=places[len(tools)])

    asked = court.judge(looking)
    last = [one for one in asked if stage_of(one) == "blind"][-1]
    told = [str(m["content"]) for m in last.messages if m["role"] == "tool"]
    assert "no text: 3 bytes" in told[0]
    assert "image 1" in told[1]
    assert all("There is no such file" in text for text in told[2:])
    shown = [m for m in last.messages if isinstance(m["content"], list)]
    assert shown[-1]["content"][-1]["type"] == "image_url"


def test_attacks_kept_beside_a_task_are_no_part_of_its_key(court: World) -> None:
    task = court.suite / "total"
    for folder in ("attacks", ".git"):
        (task / folder).mkdir()
        (task / folder / "attacks.toml").write_text('why = "it passes though it is wrong"')
    (task / "tests" / "link").symlink_to("test.sh")
    keys = read_keys([court.suite])
    (keyed,) = keys.by_name["total"]
    with opened(court.book, Work(rollout="r", task="total", answer="x"), keyed) as evidence:
        assert isinstance(evidence, Evidence)
        assert "tests/test.sh" in evidence.key.names()
        assert [n for n in evidence.key.names() if "attacks" in n or ".git" in n or "link" in n] == []


def test_every_file_is_read_by_the_name_that_is_listed_and_none_hides_another(court: World) -> None:
    names = ["new\nline.txt", "new␊line.txt", f"{'d' * 200}/{'e' * 200}/deep.txt", "attacks/hidden.sh", "[id].tsx",
             "\u202etxt.exe"]  # fmt: skip
    entries = [(tarfile.TarInfo(f"step-0/app/{name}"), f"text {n}\n".encode()) for n, name in enumerate(names)]
    entries += [(tarfile.TarInfo("step-0/app/.git/HEAD"), b"ref"), link("step-0/app/lnk", "attacks/hidden.sh")]
    work = Work(rollout="r", task="total", deliverable=court.book.put_blob(tar_of(*entries)), answer="x")
    with opened(court.book, work, None) as evidence:
        assert isinstance(evidence, Evidence)
        listed = evidence.deliverable.listing().split("\n")
        places = [line.rpartition(" (")[0].removeprefix("artifact ") for line in listed if line.startswith("artifact ")]
        assert sorted(evidence.deliverable.text(place) or "" for place in places) == [f"text {n}" for n in range(6)]
        assert all(why_not(Citation(f"artifact {place}", "text"), evidence.citable()) == "" for place in places)
        assert "not read: /app/.git, a folder with 1 files" in listed
        assert "not read: /app/lnk, a link to attacks/hidden.sh" in listed


def test_what_lies_beside_a_task_and_is_no_part_of_it_stays_out_of_the_box_too(court: World) -> None:
    if not default()[0].capability().isolated:
        pytest.skip("no sandbox here isolates")
    for name in ("ledger/verdicts/part.txt", "attacks/attacks.toml", "results.json"):
        (court.suite / "total" / name).parent.mkdir(parents=True, exist_ok=True)
        (court.suite / "total" / name).write_text("GRADERSAID passed")
    court.add()

    def looking(asked: Asked) -> Line:
        if stage_of(asked) == "informed" or any(m["role"] == "tool" for m in asked.messages):
            return honest(asked)
        return call("run", command="grep -r GRADERSAID /key; find /key -type f; bash /key/tests/test.sh; echo end")

    asked = court.judge(looking)
    told = "".join(text_of(one) for one in asked)
    assert "/key/tests/test.sh" in told
    assert "GRADERSAID passed" not in told
    assert "results.json" not in told


@pytest.mark.extra
def test_a_long_listing_comes_in_parts_and_long_files_too(court: World) -> None:
    files = {f"app/{number:04}-{'n' * 60}.txt": b"x" for number in range(900)} | {"app/total.txt": b"42\n"}
    files["app/long.txt"] = b"".join(b"line %d\n" % number for number in range(9000))
    court.add(deliverable=court.book.put_blob(packed(files)))
    wanted = [("list_files", {"part": n}) for n in (1, 2, 3, 4, 5)]
    wanted += [("read_file", {"place": "artifact /app/long.txt", "part": n}) for n in range(1, 8)]
    wanted.append(("read_file", {"place": "artifact /app/long.txt", "part": 99}))

    def reading(asked: Asked) -> Line:
        tools = [m for m in asked.messages if m["role"] == "tool"]
        if stage_of(asked) == "informed" or len(tools) == len(wanted):
            return honest(asked)
        name, arguments = wanted[len(tools)]
        return call(name, **arguments)

    asked = court.judge(reading, "--context-tokens", "300000")
    last = [one for one in asked if stage_of(one) == "blind"][-1]
    told = "\n".join(str(m["content"]) for m in last.messages if m["role"] == "tool")
    assert [number for number in range(900) if f"/app/{number:04}-" not in told] == []
    assert [number for number in range(9000) if f"| line {number}\n" not in f"{told}\n"] == []
    assert "It has the parts 1 to" in told
