"""Watch a training run: silent outages, graders that break, hacks, collapse; over its log or a ledger with steps."""

from fairtrial.train.watch.result import Alarm, AlarmKind, Watched, WatchedStep

__all__ = ["Alarm", "AlarmKind", "Watched", "WatchedStep"]
