"""Watch a training run: silent outages, graders that break, hacks, collapse; over its log or a ledger with steps."""

from fairtrial.train.watch.document import SCHEMA, of_runs
from fairtrial.train.watch.from_ledger import watch_ledger
from fairtrial.train.watch.from_log import is_log, watch_log
from fairtrial.train.watch.known import Attempted, Known, Shape
from fairtrial.train.watch.live import LiveWatch
from fairtrial.train.watch.result import Alarm, AlarmKind, Watched, WatchedStep
from fairtrial.train.watch.watcher import Watcher

__all__ = [
    "SCHEMA",
    "Alarm",
    "AlarmKind",
    "Attempted",
    "Known",
    "LiveWatch",
    "Shape",
    "Watched",
    "WatchedStep",
    "Watcher",
    "is_log",
    "of_runs",
    "watch_ledger",
    "watch_log",
]
