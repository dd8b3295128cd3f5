"""The `[web]` of a table file: where the table can be seen in a browser, and what is shown there."""

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from engine.phrases import Phrase, either, said_by
from firmware.errors import FileError
from firmware.web_address import Address, address_of
from hal.toml_lines import TomlFile
from hal.toml_types import shown

MOST_TITLE = 60
"""Letters of a table's name."""


class Reveal(StrEnum):
    """When a deal's hands may be told."""

    NEVER = "never"
    AFTER_DEAL = "after-deal"


class WebPart(Struct, frozen=True, forbid_unknown_fields=True):
    """`[web]`. Without an address there is no server, unless the command asks for one."""

    address: str = ""
    title: str = ""
    reveal: str = Reveal.NEVER.value
    hosts: tuple[str, ...] = ()


class Web(NamedTuple):
    """What it says. `hosts` are further names by which browsers may call this machine; `table` and `captures` are files
    that directors can fetch.
    """

    address: Address | None = None
    title: str = ""
    reveal: Reveal = Reveal.NEVER
    hosts: tuple[str, ...] = ()
    table: Path | None = None
    captures: tuple[Path, ...] = ()


EXPECTED: Mapping[str, str] = {
    "web": Phrase("address, title, reveal or hosts"),
    "address": Phrase('HOST:PORT, such as "0.0.0.0:8042"'),
    "title": Phrase("what the table is called"),
    "reveal": Phrase('"never" or "after-deal"'),
    "hosts": Phrase('a list of names of this machine, such as ["cards.example.org"]'),
}
"""What is to be there, by key."""


def web_of(file: TomlFile, part: WebPart) -> Web:
    """What the part of a file says; raises `FileError`."""
    address = None
    if part.address:
        try:
            address = address_of(part.address)
        except ValueError as error:
            raise FileError(file.name, file.line(("web", "address")), said_by(error)) from None
    if len(part.title) > MOST_TITLE or not part.title.isprintable():
        problem = Phrase("no such title; expected at most {most} letters", most=MOST_TITLE)
        raise FileError(file.name, file.line(("web", "title")), problem)
    if part.reveal not in [*Reveal]:
        problem = Phrase("reveal is {reveal}; expected {listed}", reveal=shown(part.reveal), listed=either([*Reveal]))
        raise FileError(file.name, file.line(("web", "reveal")), problem)
    return Web(address, part.title, Reveal(part.reveal), part.hosts)
