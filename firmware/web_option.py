"""The option of commands whose table can be seen in a browser; the server is imported only where it is wanted."""

from importlib import import_module
from typing import TYPE_CHECKING

import click

from engine.phrases import Phrase, said_by
from firmware.failures import Failure

if TYPE_CHECKING:
    from firmware.web_part import Web

WEB_OPTION = click.option(
    "--web",
    is_flag=False,
    flag_value="",
    metavar="[HOST:PORT]",
    help="In a browser; without an address: of this machine alone, at port 8042. Needs the extra `web`.",
)


def wanted_web(text: str | None, by_file: "Web") -> "Web | None":
    """Where a table is to be seen: as the option says, else as its file does; None: nowhere. Raises `Failure`."""
    from firmware.web_address import Address, address_of

    if text is None and by_file.address is None:
        return None
    try:
        import_module("firmware.web.server")
    except ImportError:
        problem = Phrase("the extra `web` is not here; expected it for --web and [web]: pip install 'tableref[web]'")
        raise Failure(problem) from None
    if not text:
        return by_file if text is None or by_file.address is not None else by_file._replace(address=Address())
    try:
        return by_file._replace(address=address_of(text))
    except ValueError as error:
        raise Failure(Phrase("--web: {problem}", problem=said_by(error))) from None
