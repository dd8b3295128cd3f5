"""The command `tableref dark`: what the service runs when the table has ended, however it ended."""

import click

from engine.phrases import Phrase, said_by
from firmware.doctor_commands import this_machine
from firmware.failures import LANG_OPTION, Failure
from firmware.wiring_commands import FILE_ARGUMENT, read_wiring_file


@click.command()
@FILE_ARGUMENT
@LANG_OPTION
@click.option("--simulated", is_flag=True, help="On simulated wires; for a try on a PC.")
def dark(file: str, lang: str | None, simulated: bool) -> None:
    """Clear all displays of the table in FILE (table.toml), and switch lights and sounds off.

    For a table that was killed: what its displays still show is no longer so. One that runs is left alone, for its
    lines are its own.

    Status 0: all is dark; 2: a table file or lines that cannot be used.
    """
    from firmware.wiring_words import WiringWords
    from hal.errors import TablerefHardwareError
    from hal.gpio import LineBusyError
    from hal.hardware import Hardware

    wiring, language = read_wiring_file(file, lang)
    with this_machine(wiring, simulated) as (_, wires):
        try:
            Hardware(wiring, wires).close()
        except LineBusyError as error:
            problem = WiringWords(language).say("doctor.in-use")
            raise Failure(Phrase("{problem} ({why})", problem=problem, why=said_by(error))) from None
        except TablerefHardwareError as error:
            raise Failure(said_by(error)) from None
