"""How a command ends: its status, and the one line that it fails with, in the language that the command speaks."""

import itertools
import re
from collections.abc import Sequence
from pathlib import Path

import click

from engine.phrases import Phrase, reason
from firmware.output import OutputError, complain
from firmware.phrases import tell

OK, REFUSED, UNREADABLE = 0, 1, 2

LANG_OPTION = click.option("--lang", type=click.Choice(["en", "ru"]), help="Default: the language of the table file.")

_SPOKEN = f"{__name__}.language"
_LANGUAGE = re.compile(r"^[^#\n]*\blanguage\b[\"']?\s*[=: ]\s*[\"']?(?P<language>en|ru)\b", re.MULTILINE)


class Failure(click.ClickException):
    """A one-line error with status 2. `problem` is a phrase, or words of no language."""

    exit_code = UNREADABLE

    def __init__(self, problem: str) -> None:
        super().__init__(tell(problem, spoken()))

    def show(self, file: object = None) -> None:
        """Print the line on standard error."""
        complain(self.message)


class Speaking(click.Group):
    """A group whose mistakes in the words of a command line are told in the language that these ask for."""

    def invoke(self, ctx: click.Context) -> object:
        """Run a command of the group; raises `Failure` for words that it does not take, unless in English."""
        language = asked_for([*ctx._protected_args, *ctx.args])  # what was not parsed yet
        try:
            return super().invoke(ctx)
        except click.UsageError as error:
            if language == "en":
                raise
            problem, command = Phrase(error.format_message()), (error.ctx or ctx).command_path
            said = Phrase("{problem}; see {command} --help", problem=problem, command=command)
            raise Failure(Phrase(tell(said, language))) from None


def asked_for(words: Sequence[str]) -> str:
    """The language that the words of a command line ask for, else English; for what is said outside of a command."""
    pairs = itertools.pairwise(words)
    asked = [value for key, value in pairs if key == "--lang"] + [
        word.partition("=")[2] for word in words if word.startswith("--lang=")
    ]
    return "ru" if "ru" in asked else "en"


def spoken() -> str:
    """The language of the running command: the one that was asked for, else that of its file, else English."""
    context = click.get_current_context(silent=True)
    if context is None:
        return "en"
    asked: str | None = context.meta.get(_SPOKEN) or context.params.get("lang")
    return asked or "en"


def speak(asked: str | None, path: Path) -> str:
    """Have the running command speak the language that was asked for, else that of a table file or a script, which may
    be wrong in all else; gives the language.
    """
    language = asked or _written(path)
    context = click.get_current_context(silent=True)
    if context is not None:
        context.meta[_SPOKEN] = language
    return language


def _written(path: Path) -> str:
    from hal.small_files import read_small  # only here: a record is judged without anything of the wires

    try:
        found = _LANGUAGE.search(read_small(path).decode(errors="replace"))
    except (OSError, ValueError):
        return "en"
    return found["language"] if found is not None else "en"


def unforeseen(error: OSError | OutputError) -> Phrase:
    """What is said of a file that a command could not have, or of an output that takes nothing."""
    name = getattr(error, "filename", None)
    if isinstance(error, PermissionError) and name is not None:
        return Phrase("{file}: Permission denied; as the user of the table: sudo -u tableref tableref …", file=name)
    if name is not None:
        return Phrase("{file}: {why}", file=name, why=reason(error))
    return Phrase("tableref: {why}", why=reason(error))
