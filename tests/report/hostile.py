"""The fixed measurement with names that try to be markup, to hide, and to be longer than any column."""

from __future__ import annotations

from dataclasses import replace

from tests.report.fixed import fixed_measurement
from tests.report.suites import HOSTILE

from fairtrial.measure.result import Measurement

__all__ = ["HOSTILE", "hostile_measurement"]


def hostile_measurement() -> Measurement:
    """Return the fixed measurement under hostile names."""
    plain = fixed_measurement()
    names = {m.model: m.model + HOSTILE for m in plain.models}
    assert plain.bins is not None
    worse = replace(plain.bins.reversed_tasks[0], name=HOSTILE, task=HOSTILE)
    return replace(
        plain,
        suites=(HOSTILE,),
        models=tuple(
            replace(
                m,
                model=names[m.model],
                name=names[m.model],
                ungraded_reasons={HOSTILE: 1},
                stops={HOSTILE: m.stops["finished"]},
            )
            for m in plain.models
        ),
        bins=replace(plain.bins, strong=names[plain.bins.strong], weak=names[plain.bins.weak], reversed_tasks=(worse,)),
        suspects=tuple(replace(s, task=HOSTILE, reasons=(HOSTILE,)) for s in plain.suspects),
        comparisons=tuple(replace(c, a=names[c.a], b=names[c.b]) for c in plain.comparisons),
        front_cost=tuple(replace(p, model=names[p.model]) for p in plain.front_cost),
        front_tokens=tuple(replace(p, model=names[p.model]) for p in plain.front_tokens),
        never_passed=(HOSTILE,),
        consistency=tuple(replace(c, claim=HOSTILE, detail=HOSTILE) for c in plain.consistency),
    )
