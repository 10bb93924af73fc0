"""See what is written in a box from outside it: each file that is closed or moved is copied before it can be deleted.

One thread follows the kernel's queue and opens what was written at once; another copies from what was opened, so that
deleting or replacing it changes nothing. In the end all that is left is walked over once more. Not covered: data that
never becomes a file (pipes, memory), and a file that is made and gone before the queue is read.
"""

from __future__ import annotations

import os
import queue
import stat
import threading
from collections import OrderedDict
from pathlib import Path

from fairtrial.posttrain.attempt.below import MOST_DEPTH, folders_below, joined, open_file_in, open_folder_below
from fairtrial.posttrain.attempt.recorder import inotify
from fairtrial.posttrain.attempt.recorder.inotify import Event, Inotify
from fairtrial.posttrain.attempt.recorder.kept import Kept

MOST_FOLDERS = 50_000
MOST_HELD = 96
MOST_WAITING = 96
"""Files that are held open for each tree, as a process may often hold 1,024 and the proxy needs some too."""
CHANGED = "files that were closed were written to again before they could be copied"
_State = tuple[int, int] | None
"""Size and time of writing of a file when it was closed; None where it was not."""
POLL_SECONDS = 0.2
WALK_SECONDS = 1.0


class Files:
    """Watches one tree of a box: `root` is a descriptor of it, `at` where it lies in the box (`dev`, or empty)."""

    def __init__(self, root: int, at: bytes, kept: Kept, lock: threading.Lock) -> None:
        self.notes: set[str] = set()
        self._root = root
        self._at = at
        self._kept = kept
        self._lock = lock
        self._events = _queue()
        self._folders: dict[int, bytes] = {}
        self._held: OrderedDict[bytes, int] = OrderedDict()
        self._devices: set[bytes] = set()
        """Places at which devices are shown: plain empty files once the box has ended."""
        self._copies: queue.Queue[tuple[bytes, int, _State] | None] = queue.Queue(MOST_WAITING)
        self._stop = threading.Event()
        self._watcher = threading.Thread(target=self._watch, name="fairtrial-files", daemon=True)
        self._copier = threading.Thread(target=self._copy, name="fairtrial-copies", daemon=True)

    def start(self) -> None:
        """Watch every folder that is there, hold what they hold as laid out by us, and begin."""
        self._devices = {name for name in _names(self._root) if not self._is_plain(name)}
        self._add(b"", is_ours=True)
        if self._events is None:
            self.notes.add("the kernel's notices of writes could not be had: files were looked for every second")
        self._watcher.start()
        self._copier.start()

    def stop(self) -> None:
        """Take what is left and end. Nothing may write any more."""
        self._stop.set()
        if self._watcher.ident is None:
            return
        self._watcher.join()
        self._copies.put(None)
        self._copier.join()
        self._walk(is_last=True)
        if self._events is not None:
            self._events.close()

    def _watch(self) -> None:
        if self._events is not None:
            self._follow(self._events)
        while self._events is None and not self._stop.wait(WALK_SECONDS):
            self._walk()

    def _follow(self, notices: Inotify) -> None:
        while True:
            is_over = self._stop.is_set()
            events = list(notices.events(0 if is_over else POLL_SECONDS))
            for event in events:
                self._take(event)
            if is_over and not events:
                break
        for path, opened in self._held.items():
            self._copies.put((path, opened, None))

    def _take(self, event: Event) -> None:
        if event.mask & inotify.OVERFLOW:
            self.notes.add("so much was written at once that the kernel told only a part of it; "
                           "what was still there a moment later was copied")  # fmt: skip
            self._add(b"")
            return
        folder = self._folders.get(event.watch)
        if event.mask & inotify.IGNORED:
            self._folders.pop(event.watch, None)
            return
        if folder is None:
            return
        path = joined(folder, event.name)
        if event.mask & inotify.IS_FOLDER:
            if event.mask & (inotify.CREATED | inotify.MOVED_TO):
                self._add(path)
        elif event.mask & inotify.CREATED:
            self._hold(folder, event.name, path)
        elif event.mask & (inotify.CLOSED | inotify.MOVED_TO):
            self._written(folder, event.name, path)
        elif event.mask & inotify.GONE and path in self._held:
            # It may be written on without a name: it stays open until it is closed, or the end.
            self._copies.put((path, os.dup(self._held[path]), None))
        elif event.mask & inotify.MOVED_FROM and path in self._held:
            os.close(self._held.pop(path))

    def _add(self, path: bytes, *, is_ours: bool = False) -> None:
        """Watch a folder and all below it, and take the files that are there already."""
        for inside, here in folders_below(self._root, path, MOST_FOLDERS, self._passed):
            number = self._number(here)
            if number is None:
                self.notes.add("there were more folders than can be watched: of files that were written and deleted in "
                               "them nothing is known")  # fmt: skip
                return
            if number:
                self._folders[number] = inside
            for name in _names(here):
                opened = open_file_in(here, name)
                if opened is not None and is_ours:
                    with self._lock:
                        self._kept.forget(self._inside(joined(inside, name)), opened)
                    os.close(opened)
                elif opened is not None:
                    self._copies.put((joined(inside, name), opened, None))

    def _passed(self) -> None:
        self.notes.add(f"what was written deeper than {MOST_DEPTH} folders, or past {MOST_FOLDERS:,}, was not seen")

    def _number(self, here: int) -> int | None:
        """Watch an open folder; return its number, None where no more can be watched, 0 where nothing is."""
        if self._events is None:
            return 0
        return self._events.watch(here) if len(self._folders) < MOST_FOLDERS else None

    def _hold(self, folder: bytes, name: bytes, path: bytes) -> None:
        """Open a file that was made just now, so that it can be read after it was deleted."""
        opened = self._open(folder, name)
        if opened is None:
            return
        old = self._held.pop(path, None)
        self._held[path] = opened
        spare = [old] if old is not None else []
        if len(self._held) > MOST_HELD:
            spare.append(self._held.popitem(last=False)[1])
        for one in spare:
            os.close(one)

    def _written(self, folder: bytes, name: bytes, path: bytes) -> None:
        held = self._held.pop(path, None)
        opened = self._open(folder, name)
        if opened is None and held is not None:
            opened, held = held, None
        if held is not None:
            os.close(held)
        if opened is not None:
            self._copies.put((path, opened, _state(opened)))
        elif not self._is_other(folder, name):
            with self._lock:
                self._kept.note(self._inside(path), 0, None, "gone before it could be read")

    def _is_other(self, folder: bytes, name: bytes) -> bool:
        """Say whether what lies there is a link, a pipe or the like, which is noted nowhere."""
        try:
            here = open_folder_below(self._root, folder)
        except OSError:
            return False
        try:
            os.stat(name, dir_fd=here, follow_symlinks=False)
        except OSError:
            return False
        finally:
            os.close(here)
        return True

    def _is_plain(self, name: bytes) -> bool:
        """Say whether a file of the root is one, and no device that is mounted on one."""
        return stat.S_ISREG(os.stat(name, dir_fd=self._root, follow_symlinks=False).st_mode)

    def _open(self, folder: bytes, name: bytes) -> int | None:
        try:
            here = open_folder_below(self._root, folder)
        except OSError:
            return None
        try:
            return open_file_in(here, name)
        finally:
            os.close(here)

    def _copy(self) -> None:
        while (job := self._copies.get()) is not None:
            path, opened, was = job
            if was is not None and was != _state(opened):
                with self._lock:
                    self._kept.passed[CHANGED] += 1
            self._keep(path, opened)

    def _walk(self, *, is_last: bool = False) -> None:
        """Take every file that is there and was not seen yet."""
        for inside, here in folders_below(self._root, b"", MOST_FOLDERS, self._passed):
            for name in _names(here):
                is_device = not inside and name in self._devices
                opened = None if is_device else open_file_in(here, name)
                if opened is not None:
                    self._keep(joined(inside, name), opened, is_last=is_last)

    def _keep(self, path: bytes, opened: int, *, is_last: bool = False) -> None:
        """Copy a version and close it. A disk of ours that is full ends the copies, not the watching."""
        try:
            with self._lock:
                self._kept.take(self._inside(path), opened, is_last=is_last)
        except OSError as error:
            self.notes.add(f"files that were written could not be copied: {error.strerror}")
        finally:
            os.close(opened)

    def _inside(self, path: bytes) -> bytes:
        return joined(self._at, path)


def _state(opened: int) -> _State:
    state = os.fstat(opened)
    return state.st_size, state.st_mtime_ns


def _queue() -> Inotify | None:
    try:
        return Inotify()
    except OSError:
        return None


def _names(here: int) -> list[bytes]:
    try:
        with os.scandir(here) as entries:
            return sorted(os.fsencode(one.name) for one in entries if one.is_file(follow_symlinks=False))
    except OSError:
        return []


def open_root(path: Path) -> int:
    """Return a descriptor of a tree of a box. Raise OSError where it cannot be opened."""
    return os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
