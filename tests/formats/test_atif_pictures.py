"""Attacks: images lost on the way in or out, moved within the text, taken from elsewhere on this machine."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.formats import Options, atif_import, harbor
from fairtrial.formats.atif import AtifStep, Observation, Trajectory, document, read_trajectory
from fairtrial.formats.atif_content import Picture, content_read, content_written
from fairtrial.formats.atif_parts import parts_of
from fairtrial.formats.atif_pictures import with_pictures
from fairtrial.records import digest

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 20
GIF = b"GIF89a" + b"\0" * 20


def image(path: str, kind: str = "image/png") -> dict[str, Any]:
    return {"type": "image", "source": {"media_type": kind, "path": path}}


def told(*contents: Any) -> bytes:
    steps = [{"step_id": n, "source": "user", "message": content} for n, content in enumerate(contents, 1)]
    return orjson.dumps({"schema_version": "ATIF-v1.8", "agent": {"name": "a", "version": "1"}, "steps": steps})


_parts = st.lists(
    st.one_of(
        st.text("ab\n", max_size=4).map(lambda text: {"type": "text", "text": text}),
        st.sampled_from(["x.png", "y.png"]).map(image),
    ),
    max_size=6,
)


@given(_parts)
def test_text_and_pictures_survive_the_way_out_and_back(parts: list[dict[str, Any]]) -> None:
    text, pictures = content_read(parts)
    assert content_read(content_written(text, pictures)) == (text, pictures)
    assert [picture.path for picture in pictures] == [p["source"]["path"] for p in parts if p["type"] == "image"]


def test_steps_outputs_and_parts_carry_their_pictures() -> None:
    shot = Picture(media_type="image/png", path="s.png")
    step = AtifStep(source="agent", pictures=(shot,), observations=(Observation(content="", pictures=(shot,)),))
    found = read_trajectory(orjson.dumps(document(Trajectory(agent="a", steps=(step,)))))
    assert found.steps == (step,)
    assert [(part.place, part.pictures) for part in parts_of(1, step)] == [
        ("step 1 message", (shot,)),
        ("step 1 output 1", (shot,)),
    ]


def test_a_kind_of_image_that_the_format_forbids_is_not_written() -> None:
    odd = Picture(media_type="image/svg+xml", path="s.svg")
    assert content_written("see", (odd,)) == "see"


def test_files_become_blobs_and_the_trajectory_names_their_addresses(tmp_path: Path) -> None:
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "1.png").write_bytes(PNG)
    inline = "data:image/png;base64," + base64.b64encode(GIF).decode()
    (tmp_path / "t__1.json").write_bytes(told([{"type": "text", "text": "see"}, image("images/1.png"), image(inline)]))
    (batch,) = atif_import.read(tmp_path, Options())
    blobs = {digest(blob): blob for blob in batch.blobs}
    (address,) = batch.rollouts.column("trajectory").to_pylist()
    (step,) = read_trajectory(blobs[address]).steps
    assert [(picture.media_type, blobs[picture.path]) for picture in step.pictures] == [
        ("image/png", PNG),
        ("image/gif", GIF),
    ]
    assert not batch.skipped


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("images/none.png", "is not there"),
        ("../secret.png", "outside"),
        ("link.png", "outside"),
        ("https://example.org/1.png", "nothing is fetched"),
        ("notes.txt", "is not a JPEG"),
        ("data:image/png;base64,??", "not base64"),
        ("a\0b", "cannot be read"),
    ],
)
def test_what_cannot_be_taken_is_told_and_stays_as_it_was(tmp_path: Path, path: str, why: str) -> None:
    (tmp_path / "secret.png").write_bytes(PNG)
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "link.png").symlink_to(tmp_path / "secret.png")
    (folder / "notes.txt").write_text("no image")
    data = told([image(path)])
    found = with_pictures(data, folder)
    assert (found.document, found.blobs) == (data, ())
    (missing,) = found.missing
    assert why in missing


def test_a_trial_of_harbor_keeps_its_images_too(tmp_path: Path) -> None:
    trial = tmp_path / "t__x"
    for folder, picture in (("one", PNG), ("two", GIF)):
        agent = trial / "steps" / folder / "agent"
        agent.mkdir(parents=True)
        (agent / "s.png").write_bytes(picture)
        (agent / "trajectory.json").write_bytes(told([image("s.png")], [image("gone.png")]))
    steps = [{"step_name": "one"}, {"step_name": "two"}]
    result = {"trial_name": "t__x", "task_name": "t", "step_results": steps}
    (trial / "result.json").write_bytes(orjson.dumps(result))
    (batch,) = harbor.read(tmp_path, Options())
    blobs = {digest(blob): blob for blob in batch.blobs}
    (address,) = batch.rollouts.column("trajectory").to_pylist()
    kept = [picture.path for step in read_trajectory(blobs[address]).steps for picture in step.pictures]
    assert [blobs.get(path) for path in kept] == [PNG, None, GIF, None]
    assert [skip.where.split("/")[-3] for skip in batch.skipped] == ["one", "two"]
