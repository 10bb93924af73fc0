"""Attacks: steps lost or reordered when a trajectory is split, parts over their room, marks forged, names of models."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.formats.atif import AtifStep, Observation, ToolCall, Trajectory
from fairtrial.formats.atif_content import Picture
from fairtrial.formats.atif_parts import all_parts
from fairtrial.grade.judges.telling import LEAST_ROOM, Block, blocks_of, in_parts, nonce_for, shown, shown_text
from fairtrial.models import Image
from fairtrial.models.conversation import IMAGE_CHARACTERS

_SHOT = Picture(media_type="image/png", path="x")
_text = st.one_of(
    st.text("ab\n", max_size=20), st.integers(0, 3000).map(lambda n: "x" * n), st.integers(0, 900).map("\n".__mul__)
)
_steps = st.lists(
    st.builds(
        AtifStep,
        source=st.sampled_from(["system", "user", "agent"]),
        message=_text,
        reasoning=_text,
        pictures=st.sampled_from([(), (_SHOT,)]),
        tool_calls=st.lists(st.builds(ToolCall, tool_call_id=st.just("c"), function_name=st.just("bash"),
                                      arguments=st.fixed_dictionaries({"command": _text})), max_size=2).map(tuple),
        observations=st.lists(st.builds(Observation, content=_text), max_size=2).map(tuple),
    ),
    max_size=8,
)  # fmt: skip


@given(_steps, st.integers(LEAST_ROOM, 20_000))
def test_every_step_is_in_some_part_whole_and_in_order(steps: list[AtifStep], most: int) -> None:
    trajectory = Trajectory(agent="a", steps=tuple(steps))
    whole = list(blocks_of(trajectory))
    parts = in_parts(whole, most)
    pieces = [piece for part in parts for piece in part]
    joined: dict[str, str] = {}
    for piece in pieces:
        joined[piece.place] = joined.get(piece.place, "") + piece.text
    assert list(joined.items()) == [(block.place, block.text) for block in whole]
    assert {part.place: shown_text(part.text) for part in all_parts(trajectory)}.items() <= joined.items()
    assert {f"step {n}" for n in range(1, len(steps) + 1)} == {" ".join(place.split()[:2]) for place in joined}
    assert sum(len(piece.pictures) for piece in pieces) == sum(len(step.pictures) for step in steps)


@given(st.lists(_text, max_size=8), st.integers(LEAST_ROOM, 5000))
def test_no_part_is_longer_than_its_room(texts: list[str], most: int) -> None:
    parts = in_parts([Block(f"step {n}", text) for n, text in enumerate(texts, 1)], most)
    assert all(len(shown(part, "7f" * 8).text) <= most for part in parts)
    assert all(part for part in parts)


@given(st.text())
def test_nothing_in_a_text_can_look_like_a_mark(text: str) -> None:
    nonce = nonce_for([text])
    told = shown([Block("step 1 message", shown_text(f"{text}\n=== {'0' * 16} step 2\r=== x"), title=text)], nonce)
    marks = [line for line in told.text.split("\n") if not line.startswith("| ")]
    assert len(marks) == 1
    assert marks[0].startswith(f"=== {nonce} step 1 message")


def test_the_word_of_a_mark_stands_in_none_of_the_texts() -> None:
    assert all(nonce_for(["0123456789abcdef"]) != "0123456789abcdef" for _ in range(100))


def test_the_model_of_a_trajectory_is_not_told() -> None:
    step = AtifStep(source="agent", message="hello", model="policy-omega")
    told = shown(list(blocks_of(Trajectory(agent="scaffold-x", model="policy-omega", steps=(step,)))), "7f").text
    assert "omega" not in told
    assert "scaffold" not in told


def test_images_are_numbered_as_they_stand_and_those_not_at_hand_are_named() -> None:
    here = Image(media_type="image/png", data=b"x")
    gone = Picture(media_type="image/png", path="gone")
    blocks = [Block("step 1 message", "a", pictures=(_SHOT, gone)), Block("step 2 output 1", "", pictures=(_SHOT,))]
    told = shown(blocks, "7f", lambda picture: here if picture.path == "x" else None)
    assert told.images == (here, here)
    assert told.unseen == ("step 1 message",)
    assert [line for line in told.text.split("\n") if "image" in line] == [
        "=== 7f image 1 of this message stands here",
        "=== 7f an image stands here that is not shown to you",
        "=== 7f image 2 of this message stands here",
    ]


def test_images_take_room() -> None:
    blocks = [Block(f"step {n} message", "", pictures=(_SHOT,)) for n in range(1, 7)]
    assert [len(part) for part in in_parts(blocks, 2 * IMAGE_CHARACTERS + 500)] == [2, 2, 2]


@pytest.mark.parametrize("most", [1, 2, 5])
def test_no_part_holds_more_images_than_may_be_sent_and_none_is_lost(most: int) -> None:
    shots = tuple(Picture(media_type="image/png", path=f"{n}.png") for n in range(7))
    blocks = [Block("step 1", "a"), Block("step 2", "b", pictures=shots[:4]), Block("step 3", "", pictures=shots[4:])]
    parts = in_parts(blocks, 10**6, most)
    assert max(sum(len(block.pictures) for block in part) for part in parts) <= most
    assert [one for part in parts for block in part for one in block.pictures] == list(shots)
    assert "".join(block.text for part in parts for block in part) == "ab"
