"""The option of commands whose table can be seen in a browser; the server is imported only where it is wanted."""

import click

WEB_OPTION = click.option(
    "--web",
    is_flag=False,
    flag_value="",
    metavar="[HOST:PORT]",
    help="In a browser; without an address: of this machine alone, at port 8042. Needs the extra `web`.",
)
