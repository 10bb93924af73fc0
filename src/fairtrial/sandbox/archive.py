"""Unpack a tar archive that somebody else made, so that nothing is written outside the folder it goes to.

Files, folders, links that stay inside, and hard links (as copies) are taken; owners and times are not. Anything else is
refused by name. Written out here because the standard library's own filters are younger than Python 3.11.2, which
Debian 12 has. Covers tar in any compression that Python reads; not other archives.
"""

from __future__ import annotations

import lzma
import os
import shutil
import tarfile
import zlib
from pathlib import Path

_MOST_BYTES = 4 << 30


class ArchiveError(Exception):
    """The archive is damaged, or holds what must not be unpacked."""


def unpack(source: Path, into: Path) -> None:
    """Unpack the archive at `source` into the empty folder `into`. Raise ArchiveError naming what is wrong with it."""
    try:
        with tarfile.open(source) as archive:
            left = _MOST_BYTES
            for member in archive:
                left -= member.size
                if left < 0:
                    raise ArchiveError(f"holds more than {_MOST_BYTES >> 30} GB")
                _take(archive, member, into.resolve())
            # The checksum of the compression stands at the very end, past where the archive itself ends.
            while archive.fileobj is not None and archive.fileobj.read(1 << 20):
                pass
    except (tarfile.TarError, zlib.error, lzma.LZMAError, EOFError, OSError, KeyError) as error:
        raise ArchiveError(f"cannot be unpacked: {error}") from error


def _take(archive: tarfile.TarFile, member: tarfile.TarInfo, root: Path) -> None:
    """Write one member below `root`."""
    target = root / os.path.normpath(member.name.lstrip("/"))
    if target == root and member.isdir():
        return
    # Links that were unpacked before may stand in the path: where they really lead is what counts.
    if not target.parent.resolve().is_relative_to(root) or not target.is_relative_to(root):
        raise ArchiveError(f"`{member.name}` leads out of the archive")
    target.parent.mkdir(parents=True, exist_ok=True)
    if member.isdir():
        target.mkdir(exist_ok=True)
    elif member.issym():
        _link(member, target, root)
    elif member.isfile() or member.islnk():
        _write(archive, member, target)
    else:
        raise ArchiveError(f"`{member.name}` is neither a file, a folder nor a link")


def _link(member: tarfile.TarInfo, target: Path, root: Path) -> None:
    leads_to = target.parent / member.linkname
    if Path(member.linkname).is_absolute() or not leads_to.resolve().is_relative_to(root):
        raise ArchiveError(f"the link `{member.name}` leads out of the archive, to {member.linkname}")
    target.unlink(missing_ok=True)
    target.symlink_to(member.linkname)


def _write(archive: tarfile.TarFile, member: tarfile.TarInfo, target: Path) -> None:
    content = archive.extractfile(member)
    if content is None:
        raise ArchiveError(f"`{member.name}` has no content")
    target.unlink(missing_ok=True)
    with content, target.open("xb") as file:
        shutil.copyfileobj(content, file)
    target.chmod(0o755 if member.mode & 0o100 else 0o644)
