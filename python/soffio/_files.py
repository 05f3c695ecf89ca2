"""Writes files atomically, which means either completely or not at all."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO


@contextmanager
def replacing(path: str) -> Iterator[BinaryIO]:
    """Opens a new file for writing. At the end of the ``with`` block, it replaces the file at ``path`` and keeps its permissions.

    If an exception is raised, the new file is removed and an existing file is unchanged. Devices and pipes are not replaced but
    written directly. An ``OSError`` contains the path.
    """
    target = os.path.realpath(path)
    part = f"{target}.{secrets.token_hex(4)}.part"
    mode = None
    try:
        with suppress(FileNotFoundError):
            mode = os.stat(target).st_mode
        if mode is not None and not stat.S_ISREG(mode):
            with open(target, "wb") as file:
                yield file
            return
        with open(part, "xb") as file:
            if mode is not None:
                os.chmod(part, stat.S_IMODE(mode))
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, target)
    except BaseException as error:
        with suppress(OSError):
            os.unlink(part)
        if isinstance(error, OSError):
            raise OSError(error.errno, error.strerror, path) from error
        raise
