"""What is said to people, as a value: an English template with named facts. This room knows no other language; whoever
does translates the template and puts the same facts in. `engine` and `hal` both have this module, word for word, for
neither may know the other.

>>> said = Phrase("{port} is no port; expected {expected}", port="COM3", expected=either(["/dev/ttyS0", "/dev/ttyS1"]))
>>> said
'COM3 is no port; expected /dev/ttyS0 or /dev/ttyS1'
>>> said.template
'{port} is no port; expected {expected}'
"""

from collections.abc import Callable, Iterable
from typing import TypeGuard


class Phrase(str):
    """As a string it is the English sentence. Facts that are phrases themselves can be translated in their turn; a
    template without facts is meant as it stands, braces too.
    """

    __slots__ = ("facts", "template")

    template: str
    facts: dict[str, object]

    def __new__(cls, template: str, /, **facts: object) -> "Phrase":
        """The sentence that `template`, in the manner of `str.format`, makes with these facts."""
        self = super().__new__(cls, template.format_map(facts) if facts else template)
        self.template, self.facts = template, facts
        return self

    def mapped(self, change: Callable[[str], str]) -> "Phrase":
        """The same with all texts among its facts changed."""
        return Phrase(self.template, **{name: _mapped(fact, change) for name, fact in self.facts.items()})


def _mapped(fact: object, change: Callable[[str], str]) -> object:
    if _is_phrase(fact):
        return fact.mapped(change)
    is_text = isinstance(fact, str) or hasattr(fact, "__fspath__")
    return change(str(fact)) if is_text else fact


def _is_phrase(said: object) -> TypeGuard[Phrase]:
    """Whether something is a phrase, of this room or of another."""
    return hasattr(said, "template")


def either(options: Iterable[str]) -> str:
    """One of these: "a or b or c"."""
    first, *others = options
    for option in others:
        first = Phrase("{first} or {second}", first=first, second=option)
    return first


def both(things: Iterable[str]) -> str:
    """All of these: "a and b and c"."""
    first, *others = things
    for thing in others:
        first = Phrase("{first} and {second}", first=first, second=thing)
    return first


def reason(error: BaseException) -> Phrase:
    """What an error says, without the number and the file that the system's errors add."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror if _is_phrase(error.strerror) else Phrase(error.strerror)
    return said_by(error)


def said_by(error: BaseException) -> Phrase:
    """All that an error says. The words of a foreign error are as they are, without facts."""
    said = getattr(error, "said", None) or (error.args[0] if len(error.args) == 1 else None)
    if _is_phrase(said):
        return said
    if isinstance(error, OSError) and error.errno is not None and error.strerror and error.filename2 is None:
        facts = {"number": error.errno, "why": reason(error)}
        if error.filename is None:
            return Phrase("[Errno {number}] {why}", **facts)
        return Phrase("[Errno {number}] {why}: {file!r}", file=error.filename, **facts)
    return Phrase(str(error))


def listing(things: Iterable[str]) -> str:
    """All of these with commas between them; empty when there are none."""
    first, *others = [*things] or [""]
    for thing in others:
        first = Phrase("{first}, {second}", first=first, second=thing)
    return first


def neither(things: Iterable[str]) -> str:
    """None of these, after a "no": "a and no b and no c"."""
    first, *others = things
    for thing in others:
        first = Phrase("{first} and no {second}", first=first, second=thing)
    return first
