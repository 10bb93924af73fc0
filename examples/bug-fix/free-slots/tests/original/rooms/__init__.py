"""When meeting rooms are taken, and when they are free. Times are minutes from midnight."""

from rooms.slots import free, merge
from rooms.usage import minutes_taken, share_taken

__all__ = ["free", "merge", "minutes_taken", "share_taken"]
