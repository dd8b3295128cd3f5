"""The page that explains the mutants which no test notices, and what a difference says of one."""

import re
from typing import NamedTuple

NOTHING = "(nothing)"


class Mutant(NamedTuple):
    """A line as it is, and as it was made."""

    module: str
    line: str
    instead: str

    def __str__(self) -> str:
        return f"engine/{self.module}.py\n  - {self.line}\n  + {self.instead}"


def mutant(diff: str) -> Mutant:
    """What a difference says, as `diff -u` writes it: the lines that went, and what came for them."""
    module = re.search(r"engine/(\w+)\.py", diff)
    assert module is not None, diff
    return Mutant(module[1], _changed(diff, "-"), _changed(diff, "+"))


def _changed(diff: str, mark: str) -> str:
    lines = [line[1:].strip() for line in diff.splitlines() if line.startswith(mark) and not line.startswith(mark * 3)]
    return "; ".join(filter(None, lines)) or NOTHING


def explained(page: str) -> set[Mutant]:
    """The mutants that stand in the page: below a heading that names a module, code with - and + before it."""
    found, module, line = set(), "", ""
    for text in page.splitlines():
        if heading := re.match(r"## .*engine/(\w+)\.py", text):
            module = heading[1]
        elif text.startswith("    - "):
            line = text[6:].strip()
        elif text.startswith("    + "):
            found.add(Mutant(module, line, text[6:].strip()))
    return found
