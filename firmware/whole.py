"""Files that are written whole or not at all."""

import os
from pathlib import Path
from tempfile import NamedTemporaryFile


def write_whole(path: Path, text: str | bytes) -> None:
    """Write a file so that after a crash the old or the new one is there, never a part; raises OSError.

    A link is followed; what is there and is no regular file (a pipe, a device) is written to as it is. The ends of
    lines stay as they are in the text.
    """
    path, data = path.resolve(), text.encode() if isinstance(text, str) else text
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    with NamedTemporaryFile("wb", dir=path.parent, prefix=path.name, delete=False) as new:
        try:
            new.write(data)
            new.flush()
            Path(new.name).chmod(path.stat().st_mode if path.exists() else 0o644)
            os.fsync(new.fileno())
            Path(new.name).replace(path)
            _sync_folder(path.parent)
        except BaseException:
            Path(new.name).unlink(missing_ok=True)
            raise


def _sync_folder(folder: Path) -> None:
    """Have a rename on disk."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
