"""A table is started, and started anew when what kept it from starting is mended."""

import asyncio
import os
import traceback
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from firmware.errors import TableError
from firmware.failures import Failure, speak
from firmware.last_good import kept_copy
from firmware.output import complain, log
from firmware.plugged import look_for_games
from firmware.run import until_stopped
from firmware.safe_start import Ending, SafeMode, files_of, open_displays, readable_wiring, say_trouble, stay
from firmware.supervisor import Supervisor
from firmware.tablefile import readable_web
from firmware.trouble import Trouble, trouble_of
from firmware.web_option import wanted_web
from firmware.web_part import Web
from firmware.wiring_words import WiringWords
from hal.clock import Clock, SteadyClock
from hal.errors import TablerefHardwareError
from hal.wires import RealWires, Wires
from hal.wiring import Wiring

EARLY = 60.0
"""Seconds within which a fault of the program itself is one of the start, that another start would only meet again."""


class Order(NamedTuple):
    """What is to be started."""

    table_file: Path
    journal: Path
    simulated: bool = False
    lang: str | None = None
    web: str | None = None
    """What was said of --web."""


def stays(asked: bool | None, environment: "os._Environ[str] | dict[str, str]") -> bool:
    """Whether a table that cannot start stays up and says so: as was asked, else where a supervisor waits for it."""
    return bool(environment.get("NOTIFY_SOCKET")) if asked is None else asked


def keep_starting(
    order: Order, once: Callable[[], None], clock: Clock | None = None, supervisor: Supervisor | None = None
) -> None:
    """Have the table run `once`, which ends when it is stopped. While it cannot start it says so
    (`firmware.safe_start`) and is tried again when something was mended.
    """
    clock, supervisor = clock or SteadyClock(), supervisor or Supervisor(os.environ)
    said: Trouble | None = None
    while True:
        began = clock.now()
        try:
            once()
            return
        except (Failure, TableError, TablerefHardwareError) as error:
            trouble = _trouble(error, order.table_file)
        except (Exception, SystemExit) as error:  # a game of others may want to leave: the table stays
            if clock.now() - began > EARLY:
                raise  # it has played: the supervisor starts it anew, with all that was accepted
            complain(traceback.format_exc().rstrip())
            trouble = trouble_of(error, order.table_file)
        if trouble != said:
            say_trouble(trouble, speak(order.lang, order.table_file))
        said = trouble
        if _wait(order, trouble, clock, supervisor) is Ending.STOPPED:
            return
        look_for_games()


def _trouble(error: BaseException, table_file: Path) -> Trouble:
    """What a start has failed with; a `Failure` was raised because of something that says more."""
    cause = error.__context__ if isinstance(error, Failure) else error
    if cause is None or not isinstance(cause, TableError | TablerefHardwareError | OSError):
        return Trouble(str(error), trouble_of(error, table_file).todo)
    return trouble_of(cause, table_file)


def _wait(order: Order, trouble: Trouble, clock: Clock, supervisor: Supervisor) -> Ending:
    """Say what is wrong until something is mended."""
    language = speak(order.lang, order.table_file)

    async def wait(close: ExitStack) -> Ending:
        copy = kept_copy(order.journal)
        hardware = open_displays(readable_wiring(order.table_file, copy), _wires(order), close)
        mode = SafeMode(trouble, language, files_of(order.table_file, order.journal), hardware, clock.now())
        address = close.enter_context(_page(order, mode, language))
        if address:
            log(WiringWords(language).say("log.web", url=address))
        stopped = asyncio.Event()
        with until_stopped(stopped.set):
            return await stay(mode, clock, supervisor, stopped, lambda: None)

    with ExitStack() as close:
        return asyncio.run(wait(close))


def _wires(order: Order) -> Callable[[Wiring], Wires]:
    if not order.simulated:
        return lambda wiring: RealWires()
    from hal.sim.board import SimulatedWires

    return SimulatedWires


@contextmanager
def _page(order: Order, mode: SafeMode, language: str) -> Iterator[str]:
    """The page that says the same, if one is wanted and can be had; its address, or nothing."""
    try:
        seen: Web | None = wanted_web(order.web, readable_web(order.table_file))
    except Failure:
        seen = None
    served = import_module("firmware.web.trouble_page").served_trouble if seen is not None else None
    with served(seen, language, mode.title, mode.texts) if served is not None else nullcontext() as address:
        yield address.url if address is not None else ""
