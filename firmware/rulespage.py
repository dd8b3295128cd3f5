"""A game's page of rules: what its package says for its players, with the table of its options put in.

A game keeps its pages in the folder `rules` of its `catalogue` package, one a language. In a page the line `{options}`
is replaced by the table; a line `option NAME: TEXT` says what an option does and stands nowhere else.
`python -m firmware.rulespage FOLDER` writes the pages of the games that are shipped with the table.
"""

import re
import sys
from importlib.resources import files
from pathlib import Path

from engine.game import Game, games
from engine.options import Number, Option, option_text
from engine.phrases import Phrase, either
from firmware.errors import TableError
from firmware.words import LANGUAGES

_MARK = "{options}"
_TEXT = re.compile(r"option (\w+): (.+)")
_HEADS = {"en": ("option", "values", "what it does"), "ru": ("настройка", "значения", "что меняет")}


class RulesPageError(TableError, ValueError):
    """A page that there is not, or one that does not fit its game; the text says what was expected."""


def rules_page(name: str, language: str = "en") -> str:
    """The page of an installed game in a language, as Markdown; raises `RulesPageError`."""
    if name not in games():
        raise RulesPageError(Phrase("no game {name!r}; expected {listed}", name=name, listed=either(games())))
    return page_of(games()[name], language)


def page_of(game: Game, language: str) -> str:
    """A game's page in a language; raises `RulesPageError`."""
    if language not in LANGUAGES:
        raise RulesPageError(
            Phrase("no language {language!r}; expected {listed}", language=language, listed=either(LANGUAGES))
        )
    source = _source(game, language)
    if source is None:
        others = [other for other in LANGUAGES if _source(game, other) is not None]
        found = (
            Phrase("expected {listed}", listed=either(others)) if others else Phrase("the game brings no page of rules")
        )
        raise RulesPageError(
            Phrase("no rules of {name} in {language!r}; {found}", name=game.name, language=language, found=found)
        )
    return _filled(game, language, source)


def _source(game: Game, language: str) -> str | None:
    try:
        return (files(game.catalogue) / "rules" / f"{language}.md").read_text(encoding="utf-8")
    except (OSError, ModuleNotFoundError):
        return None
    except UnicodeDecodeError:
        raise RulesPageError(
            Phrase("{place}: not UTF-8; expected a text file in UTF-8", place=_place(game, language))
        ) from None


def _place(game: Game, language: str) -> str:
    return f"{game.catalogue}, rules/{language}.md"


def _filled(game: Game, language: str, source: str) -> str:
    """The page with its table; every option has one text, and every text an option."""
    place = _place(game, language)
    said: dict[str, str] = {}
    lines = []
    for line in source.splitlines():
        text = _TEXT.fullmatch(line)
        if text is None:
            lines.append(line)
        elif text[1] in said:
            raise RulesPageError(
                Phrase("{place}: two texts for the option {text}; expected one", place=place, text=text[1])
            )
        else:
            said[text[1]] = text[2]
    for name in [*game.options, *said]:
        if name not in said:
            raise RulesPageError(
                Phrase(
                    "{place}: no text for the option {name}; expected a line 'option {name}: …'", place=place, name=name
                )
            )
        if name not in game.options:
            raise RulesPageError(
                Phrase(
                    "{place}: no option {name}; expected one of {listed}",
                    place=place,
                    name=name,
                    listed=", ".join(game.options),
                )
            )
    if lines.count(_MARK) != bool(game.options):
        raise RulesPageError(
            Phrase(
                "{place}: {count} lines {mark}; expected {wanted}",
                place=place,
                count=lines.count(_MARK),
                mark=_MARK,
                wanted=int(bool(game.options)),
            )
        )
    table = _table(game, language, said)
    return "\n".join(table if line == _MARK else line for line in lines) + "\n"


def _table(game: Game, language: str, said: dict[str, str]) -> str:
    option, values, effect = _HEADS[language]
    rows = [
        [option, values, *(f"`{name}`" for name in game.rule_sets), effect],
        ["---"] * (3 + len(game.rule_sets)),
    ]
    for name, kind in game.options.items():
        defaults = (option_text(rules[name]) for rules in game.rule_sets.values())
        rows.append([f"`{name}`", _values(kind), *defaults, said[name]])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _values(kind: Option) -> str:
    if isinstance(kind, Number):
        return f"{kind.least}–{kind.most}"
    return ", ".join(f"`{option_text(value)}`" for value in kind.values)


def file_name(game: Game, language: str) -> str:
    """The name of a page among the documents: the first language has no mark of its own."""
    return f"{game.name}.md" if language == LANGUAGES[0] else f"{game.name}.{language}.md"


def write_pages(folder: Path) -> None:
    """Write the pages of the shipped games into a folder; raises `RulesPageError`, and `OSError` as files do."""
    for game in games().values():
        if game.catalogue.startswith("engine."):
            for language in LANGUAGES:
                (folder / file_name(game, language)).write_text(page_of(game, language), encoding="utf-8")


def main(arguments: list[str]) -> None:
    """The command of this module."""
    if len(arguments) != 1:
        sys.exit("expected one folder, such as docs/rules")
    try:
        write_pages(Path(arguments[0]))
    except (RulesPageError, OSError) as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main(sys.argv[1:])
