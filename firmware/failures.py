"""How a command ends: its status, and the one line that it fails with."""

import click

from firmware.output import complain

OK, REFUSED, UNREADABLE = 0, 1, 2


class Failure(click.ClickException):
    """A one-line error with status 2."""

    exit_code = UNREADABLE

    def show(self, file: object = None) -> None:
        """Print the line on standard error."""
        complain(self.message)
