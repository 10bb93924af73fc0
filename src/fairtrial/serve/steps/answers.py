"""What every page of steps answers beneath its own address: more steps, one long part in slices, a picture.

    BASE/steps?from=41     the next window      BASE/steps?to=40   the one before
    BASE/part?place=...    one part, `from` an offset; with `fragment`, for a script
    BASE/picture/SHA256    an image of this very trajectory

`place` and numbers come from the address and are not trusted. Not covered: who may ask; that is the area's business.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from fairtrial.formats.atif import Trajectory
from fairtrial.formats.atif_parts import Part, parts_of
from fairtrial.ledger import Ledger
from fairtrial.records import Citation
from fairtrial.serve.pages import page
from fairtrial.serve.steps.hostile import shown
from fairtrial.serve.steps.needles import Needle, marks
from fairtrial.serve.steps.view import size_of, window, window_before

SLICE = 48_000
"""Characters of a long part in one answer."""
_IMAGES = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg", b"GIF8": "image/gif",
           b"RIFF": "image/webp"}  # fmt: skip
"""What is sent as an image, by its first bytes; the type that a trajectory states is not believed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice:
    """A stretch of one part."""

    place: str
    step: int
    html: Markup
    told: str
    next: int = 0
    before: int | None = None


def steps_answer(request: Request, trajectory: Trajectory, base: str, *, needles: Sequence[Needle] = (),
                 with_costs: bool = True) -> Response:  # fmt: skip
    """Return a window of steps as a fragment of a page."""
    to = number_of(request, "to", 0)
    if to:
        found = window_before(trajectory, to, needles=needles, with_costs=with_costs)
    else:
        found = window(trajectory, number_of(request, "from", 1), needles=needles, with_costs=with_costs)
    return page(request, "steps_fragment.html.j2", window=found, base=base)


def part_answer(request: Request, trajectory: Trajectory, base: str, *, needles: Sequence[Needle] = ()) -> Response:
    """Return one part in slices, as a page or as a fragment of one; 404 where there is no such part."""
    part = _part(trajectory, request.query_params.get("place", ""))
    if part is None:
        raise HTTPException(404)
    start = min(number_of(request, "from", 0), max(len(part.text) - 1, 0))
    end = min(start + SLICE, len(part.text))
    line = part.text.rfind("\n", start + SLICE // 2, end) + 1  # whole lines where there are some
    end = line if line and end < len(part.text) else end
    spans = marks(part.text[start:end], part.place, needles)
    slice_ = Slice(
        place=part.place, step=part.step, html=shown(part.text[start:end], marks=spans),
        told=f"characters {start + 1:,} to {end:,} of {len(part.text):,} ({size_of(part.text)})",
        next=end if end < len(part.text) else 0, before=max(start - SLICE, 0) if start else None,
    )  # fmt: skip
    template = "part_fragment.html.j2" if "fragment" in request.query_params else "part.html.j2"
    return page(request, template, slice=slice_, base=base, query=request.query_params.get("q", ""))


def picture_answer(ledger: Ledger, trajectory: Trajectory, name: str) -> Response:
    """Return an image that the trajectory shows; 404 for any other blob, and for what is no image."""
    address = f"sha256:{name}"
    shown_here = {
        picture.path
        for step in trajectory.steps
        for picture in (*step.pictures, *(one for output in step.observations for one in output.pictures))
    }
    if address not in shown_here:
        raise HTTPException(404)
    data = ledger.get_blob(address)
    kind = next((kind for opening, kind in _IMAGES.items() if data.startswith(opening)), "")
    if not kind:
        raise HTTPException(404)
    return Response(data, media_type=kind, headers={"Cache-Control": "private, max-age=86400"})


def number_of(request: Request, name: str, otherwise: int) -> int:
    """Return a number of the address that is not negative, `otherwise` where it states none."""
    text = request.query_params.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 12 else otherwise


def _part(trajectory: Trajectory, place: str) -> Part | None:
    step = Citation(place, "").step
    if step is None or not 1 <= step <= len(trajectory.steps):
        return None
    return next((part for part in parts_of(step, trajectory.steps[step - 1]) if part.place == place), None)
