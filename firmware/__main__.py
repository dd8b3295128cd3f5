"""`python -m firmware` is the command `tableref`."""

from firmware.command import main

main(prog_name="tableref")
