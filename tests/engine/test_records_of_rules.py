"""Records with their expected answers, written from the rules alone: each line is answered as the record says.

`#= ok`, `#= ok CODE,…` (these are among the notices), `#= refused CODE`; `#result {…}`: these keys of the result.
A record named `bad-…` cannot be read.
"""

import json
import re
from pathlib import Path

import pytest

from engine.answers import answer_values, check_record, result_values
from engine.notation import RecordError
from engine.record import read_record

FOLDER = Path(__file__).parent.parent / "records"
RECORDS = sorted(FOLDER.glob("*/*.ctr"))
GOOD = [path for path in RECORDS if not path.name.startswith("bad-")]
BAD = [path for path in RECORDS if path.name.startswith("bad-")]
_EXPECTED = re.compile(r"#=\s*(ok|refused)\s*(\S*)\s*$")


def name(path: Path) -> str:
    return f"{path.parent.name}-{path.stem}"


def expectations(text: str) -> dict[int, tuple[str, str]]:
    found = ((number, _EXPECTED.search(line)) for number, line in enumerate(text.split("\n"), 1))
    return {number: (match[1], match[2]) for number, match in found if match is not None}


def test_there_are_records_of_every_game() -> None:
    games = {path.parent.name for path in GOOD}
    assert games == {"pepper", "possession", "vazhushal"}
    assert all(sum(path.parent.name == game for path in GOOD) > 100 for game in games)


@pytest.mark.parametrize("path", GOOD, ids=name)
def test_a_record_is_answered_as_the_rules_say(path: Path) -> None:
    text = path.read_bytes().decode("utf-8")
    referee, answers = check_record(read_record(text))
    given = {answer.line: answer_values(referee, answer, None) for answer in answers}
    wrong = {}
    expected = expectations(text)
    results = [json.loads(line[7:]) for line in text.split("\n") if line.startswith("#result")]
    assert expected or results
    for line, (verdict, codes) in expected.items():
        answer = given[line]
        brought = {notice["code"] for notice in answer["notices"]}
        right = answer["verdict"] == verdict and (
            answer["code"] == codes if verdict == "refused" else set(filter(None, codes.split(","))) <= brought
        )
        if not right:
            wrong[line] = (verdict, codes, answer["code"], brought)
    assert wrong == {}
    result = result_values(referee)
    for values in results:
        assert {key: result[key] for key in values} == values


@pytest.mark.parametrize("path", BAD, ids=name)
def test_a_record_that_cannot_be_read_is_refused_as_a_whole(path: Path) -> None:
    with pytest.raises((RecordError, UnicodeDecodeError)):
        read_record(path.read_bytes().decode("utf-8"))
