"""`python -m firmware` is the command `tableref`."""

from firmware.command import entry

entry()
