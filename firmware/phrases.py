"""What the other rooms say, in the language of those who read it.

A phrase (`engine.phrases`, `hal.phrases`) brings its English template, which is the message's id in the catalogues of
the domain `phrases`: English needs none, and a game brings its own. What foreign programs and libraries say is English
whole; what of it people meet at a table is taken apart by patterns, whose templates are in the catalogue too.
"""

import gettext
import re
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib.resources import files

from engine.game import games
from engine.phrases import said_by

_FILES = r"\[Errno (?P<number>\d+)\] (?P<why>[^:]+): (?P<file>'.*')"
FOREIGN = tuple(
    (re.compile(pattern, re.DOTALL), template)
    for pattern, template in (
        (_FILES, "[Errno {number}] {why}: {file}"),
        (
            r"(?:\[Errno \d+\] )?[Cc]ould not open port (?P<port>.+?): (?:\[Errno \d+\] )?(?P<why>.+?)(?:: '.*')?",
            "could not open port {port}: {why}",
        ),
        (r"\[Errno (?P<number>\d+)\] (?P<why>.+)", "[Errno {number}] {why}"),
        (r"Could not exclusively lock port (?P<port>.+?): (?P<why>.+)", "could not lock port {port}: {why}"),
        (r"Could not configure port: (?P<why>.+)", "could not configure the port: {why}"),
        (r"\((?P<number>\d+), '(?P<why>.+)'\)", "[Errno {number}] {why}"),
        (r"(?P<what>read|write) failed: (?P<why>.+)", "{what} failed: {why}"),
        (r"I2C device not found on address: (?P<address>.+)", "nothing answers at I2C address {address}"),
        (r"I2C device address invalid: (?P<address>.+)", "{address} is no I2C address"),
        (r"'(?P<why>[^']+)'", "{why}"),
        (r"found invalid character (?P<character>.+)", "found invalid character {character}"),
        (r"illegal character (?P<character>.+)", "illegal character {character}"),
        (r"expected (?P<mark>['\"])(?P<sign>.+)(?P=mark)", "{sign} is missing"),
        (r"cannot declare (?P<key>.+) twice", "cannot declare {key} twice"),
        (r"cannot redefine namespace (?P<key>.+)", "cannot redefine namespace {key}"),
        (r"cannot mutate immutable namespace (?P<key>.+)", "cannot mutate immutable namespace {key}"),
        (r"duplicate inline table key (?P<key>.+)", "duplicate inline table key {key}"),
        (
            r"'utf-8' codec can't encode character (?P<character>'.+') in position .+",
            "{character} cannot be written in UTF-8",
        ),
        (r"malformed database schema \((?P<name>.+?)\).*", "malformed database schema ({name})"),
        (r"no such (?P<what>table|column): (?P<name>.+)", "no such {what}: {name}"),
        (r"Could not decode to UTF-8 .+", "a text is not UTF-8"),
        (r"'utf-8' codec can't decode byte.+", "a text is not UTF-8"),
        (r"Invalid value for '?(?P<option>.+?)'?: (?P<why>.+)", "{option}: {why}"),
        (r"(?P<text>\S+) is not in the range (?P<range>.+)\.", "{text} is not in the range {range}"),
        (r"'(?P<text>.*)' is not a valid (?P<what>.+?)(?: range)?\.", "{text!r} is not a valid {what}"),
        (r"'(?P<text>.*)' is not one of (?P<listed>.+)\.", "{text!r} is not one of {listed}"),
        (r"No such option '(?P<option>.+?)'\..*", "no such option {option}"),
        (r"No such command '(?P<name>.+?)'\..*", "no such command {name}"),
        (r"Option '(?P<option>.+)' requires an argument\.", "{option} requires an argument"),
        (r"Option '(?P<option>.+)' does not take a value\.", "{option} does not take a value"),
        (r"Missing (?:argument|option|parameter) '(?P<name>.+?)'\..*", "missing {name}"),
        (r"Got unexpected extra arguments? \((?P<text>.+)\)", "unexpected extra arguments: {text}"),
        (r"seat (?P<seat>\d+) reader", "seat {seat} reader"),
        (r"i2c-(?P<bus>\d+)", "I²C bus {bus}"),
        (r"pin (?P<pin>\S+) is already in use by (?P<owner>.+)", "pin {pin} is already in use"),
    )
)
"""What foreign programs say that has parts, and names of devices; `why` and `what` are such words in their turn."""


def tell(said: object, language: str) -> str:
    """What somebody or something said, in a language; what is no phrase stays as it is."""
    if isinstance(said, BaseException):
        said = said_by(said)
    template, facts = getattr(said, "template", None), getattr(said, "facts", {})
    if template is None or language == "en":
        return str(said)
    catalogue = _catalogue(language)
    text = catalogue.gettext(template)
    if facts:
        return text.format_map({name: _fact(fact, language) for name, fact in facts.items()})
    return text if text != template else _foreign(template, language)


def told(facts: Mapping[str, object], language: str) -> dict[str, object]:
    """Facts with what is said among them in a language; all others are as they were."""
    return {name: _fact(fact, language) for name, fact in facts.items()}


def _fact(fact: object, language: str) -> object:
    return tell(fact, language) if hasattr(fact, "template") or isinstance(fact, BaseException) else fact


def _foreign(text: str, language: str) -> str:
    """What a foreign program said; as it is where nobody has met it."""
    catalogue = _catalogue(language)
    for pattern, template in FOREIGN:
        found = pattern.fullmatch(text)
        if found is not None:
            facts = found.groupdict()
            for name in {"why", "what"} & facts.keys():
                word = catalogue.gettext(facts[name])
                facts[name] = word if word != facts[name] else _foreign(facts[name], language)
            return catalogue.gettext(template).format_map(facts)
    return text


@cache
def _catalogue(language: str) -> gettext.NullTranslations:
    """The firmware's phrases, and behind them those that games bring."""
    found = _phrases("firmware", language)
    for game in games().values():
        with suppress(OSError, ModuleNotFoundError):
            found.add_fallback(_phrases(game.catalogue, language))
    return found


def _phrases(package: str, language: str) -> gettext.NullTranslations:
    return gettext.translation("phrases", str(files(package) / "locale"), [language], fallback=True)
