"""Watch a training run: silent outages, graders that break, hacks, collapse; over its log or a ledger with steps."""

from fairtrial.train.watch.known import Attempted, Known
from fairtrial.train.watch.live import LiveWatch
from fairtrial.train.watch.result import Alarm, AlarmKind, Watched, WatchedStep
from fairtrial.train.watch.watcher import Watcher

__all__ = ["Alarm", "AlarmKind", "Attempted", "Known", "LiveWatch", "Watched", "WatchedStep", "Watcher"]
