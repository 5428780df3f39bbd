"""Writes a whole file, or leaves the one that was there."""

from __future__ import annotations

import os
import stat
from typing import Any


def write_file(path: Any, data: Any) -> None:
    """Writes bytes to a new file beside the path, and gives it its name when it is complete.

    Devices and pipes are written as they are. A symbolic link is followed.
    """
    target = os.path.realpath(os.fspath(path))
    try:
        before = os.stat(target)
    except FileNotFoundError:
        before = None
    if before is not None and not stat.S_ISREG(before.st_mode):
        with open(target, "wb") as file:
            file.write(data)
        return
    ending = f".{os.getpid()}.unfinished"
    beside = target + (ending if isinstance(target, str) else os.fsencode(ending))
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666 if before is None else stat.S_IMODE(before.st_mode))
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, target)
    except BaseException:
        os.unlink(beside)
        raise
