"""The files that pages are made of: read once, and found by their names alone, so that no request leads to a path."""

from importlib.resources import files
from typing import NamedTuple

KINDS = {
    "html": "text/html",
    "css": "text/css",
    "js": "text/javascript",
    "svg": "image/svg+xml",
    "png": "image/png",
    "woff2": "font/woff2",
}


class Asset(NamedTuple):
    """A file as it is sent."""

    kind: str
    data: bytes


def assets() -> dict[str, Asset]:
    """All of them by name."""
    folder = files("firmware.web") / "static"
    found = {}
    for entry in folder.iterdir():
        kind = KINDS.get(entry.name.rpartition(".")[2])
        if kind is not None:
            found[entry.name] = Asset(kind, entry.read_bytes())
    return found
