"""The command `tableref`. Each command imports what it needs when it is called, so that `check` is quick to start."""

import io
import os
import sys

import click

from firmware.backup_command import backup, idle
from firmware.bundle_commands import bundle
from firmware.capture_commands import capture, replay
from firmware.dark_command import dark
from firmware.deck_commands import deck
from firmware.doctor_commands import bind, doctor
from firmware.failures import OK, UNREADABLE, Speaking, asked_for, unforeseen
from firmware.history_commands import history
from firmware.output import Output, OutputError, complain, speaking
from firmware.playing_commands import demo, script, sim
from firmware.record_commands import check, legal, rules
from firmware.run_command import run
from firmware.wiring_commands import wiring


def entry() -> None:
    """What the shell starts: `main`, with streams that may be closed, full, or of another encoding."""
    sys.stdout = sys.stdout or io.StringIO()
    sys.stdin = sys.stdin or io.TextIOWrapper(io.BytesIO())
    if isinstance(sys.stderr, io.TextIOWrapper):
        sys.stderr.reconfigure(errors="replace")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout = _output(sys.stdout)
    status: object = OK
    try:
        try:
            main(prog_name="tableref")
        except SystemExit as end:
            status = end.code
        sys.stdout.flush()
    except (OSError, OutputError) as error:
        with speaking(asked_for(sys.argv[1:])):
            complain(unforeseen(error))
        nothing = os.open(os.devnull, os.O_WRONLY)
        for descriptor in (1, 2):  # what is still to be flushed must not fail once more
            os.dup2(nothing, descriptor)
        status = UNREADABLE
    sys.exit(status if isinstance(status, int) else OK)


def _output(stream: io.TextIOWrapper) -> io.TextIOWrapper:
    """Standard output over bytes that tell by `OutputError` that they cannot be written."""
    encoding, lines = stream.encoding, stream.line_buffering or stream.write_through
    stream.flush()
    buffer = stream.detach()
    raw = buffer.detach() if isinstance(buffer, io.BufferedWriter) else buffer
    assert isinstance(raw, io.RawIOBase)
    return io.TextIOWrapper(Output(raw), encoding, "replace", line_buffering=lines)


@click.group(cls=Speaking, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="tableref")
def main() -> None:
    """A referee for card games played with real cards at a real table."""


for command in (
    check, legal, rules, demo, script, sim, run,
    bundle, capture, replay, wiring, deck, doctor, bind, dark, history, backup, idle,
):  # fmt: skip
    main.add_command(command)
