"""The command `tableref bundle`: what a report of a fault needs, in one file."""

from pathlib import Path

import click

from engine.phrases import Phrase, reason
from firmware.failures import LANG_OPTION, Failure, speak, unforeseen
from firmware.output import complain
from firmware.phrases import tell
from firmware.wiring_commands import FILE_ARGUMENT

LINES = "2000"
"""Lines of the service's log."""
SECONDS = 20.0
"""For which the log is waited."""


@click.command()
@FILE_ARGUMENT
@click.option("--journal", metavar="FILE", help="Journal (default: in the service's state folder, else ./tableref.db).")
@click.option("--to", "out", default="tableref-bundle.zip", show_default=True, metavar="FILE", help="Where it goes.")
@click.option("--log", "log_file", metavar="FILE", help="The log (default: what journalctl has of the service).")
@click.option("--capture", "captures", multiple=True, metavar="FILE", help="A capture: only its outline goes in.")
@click.option("--simulated", is_flag=True, help="The doctor looks at simulated wires; for a try on a PC.")
@LANG_OPTION
def bundle(
    file: str, journal: str | None, out: str, log_file: str | None, captures: tuple[str, ...], simulated: bool,
    lang: str | None,
) -> None:  # fmt: skip
    """Collect what a bug report needs into one ZIP file: versions, wiring, the doctor's report, log, journal.

    No card, no name, no tag, no PIN and no token is in it. A table may be running, and a table file may be broken. What
    may not be read is told, and is not in it.
    """
    from firmware.bundle import Sources
    from firmware.bundle import bundle as made
    from firmware.doctor import this_system
    from firmware.storage import journal_file
    from firmware.whole import write_whole

    language = speak(lang, Path(file))
    book = journal_file(journal)
    system = this_system()
    sources = Sources(
        Path(file),
        book,
        lambda: _doctor(Path(file), book, simulated),
        lambda: Path(log_file).read_text(encoding="utf-8", errors="replace") if log_file else _service_log(),
        tuple(Path(name) for name in captures),
    )
    try:
        write_whole(Path(out), made(sources, system))
    except OSError as error:
        raise Failure(
            Phrase("{name}: {why}; expected a file that can be written", name=out, why=reason(error))
        ) from None
    for path in (Path(file), book, *sources.captures):
        refused = _refused(path)
        if refused is not None:
            complain(tell(unforeseen(refused), language))
    click.echo(tell(Phrase("{file}: no cards, names or tags are in it", file=out), language))


def _refused(path: Path) -> OSError | None:
    """That a file may not be read by who is asking."""
    try:
        path.open("rb").close()
    except PermissionError as error:
        return error
    except OSError:  # it is not there, or no file: the bundle says so
        return None
    return None


def _doctor(table_file: Path, journal: Path, simulated: bool) -> str:
    """The doctor's report, in English; of the devices only where no table runs."""
    from itertools import chain

    from firmware.deck_check import check_table_file
    from firmware.doctor import fail, report
    from firmware.doctor_commands import this_machine
    from firmware.doctor_devices import DEVICE_CHECKS, table_runs
    from firmware.doctor_system import SYSTEM_CHECKS
    from firmware.safe_start import readable_wiring
    from firmware.wiring_words import WiringWords

    lines: list[str] = []
    words, wiring = WiringWords(), readable_wiring(table_file)
    if wiring is None:
        report(check_table_file(table_file), words, lines.append)
        return "\n".join(lines) + "\n"
    with this_machine(wiring, simulated) as (system, wires):
        findings = [check(system, wiring, journal.parent.resolve()) for check in SYSTEM_CHECKS]
        if table_runs(wiring, wires):
            findings.append(iter([fail("in-use")]))
        else:
            findings += [check(system, wiring, wires) for check in DEVICE_CHECKS]
        findings.append(check_table_file(table_file))
        report(chain.from_iterable(findings), words, lines.append)
    return "\n".join(lines) + "\n"


def _service_log() -> str:
    """What the system's log has of the service."""
    import shutil
    import subprocess

    program = shutil.which("journalctl")
    if program is None:
        return "no journalctl here; --log FILE names a log\n"
    command = [program, "--unit=tableref", f"--lines={LINES}", "--no-pager", "--output=short-monotonic"]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=SECONDS, check=False)
    return done.stdout + done.stderr
