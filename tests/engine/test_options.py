"""Options of a rule set: each alone, each value, and what is said of a wrong one."""

import pytest

from engine.game import games
from engine.match import lay_table
from engine.options import BOOLEAN, Choice, Number, OptionError, option_text, parse_option

PEPPER = games()["pepper"]

TABLE = {
    "partners": ("true", "true", "true false"),
    "left_bower": ("false", "true", "true false"),
    "small_table_cards": ("6", "8", "6 8"),
    "rebid": ("false", "true", "true false"),
    "failed": ("bid", "all", "bid all"),
    "defenders_score": ("true", "true", "true false"),
    "big_pepper_alone": ("false", "true", "true false"),
    "target": ("30", "30", "1 30 500 999"),
    "revoke_penalty": ("none", "none", "none fail-bid"),
}
"""The table of the rules: the value in `standard` and in `bowers`, and values that the option takes."""


@pytest.mark.parametrize("name", TABLE)
def test_a_rule_set_is_a_column_of_the_table(name: str) -> None:
    standard, bowers, _ = TABLE[name]
    assert option_text(PEPPER.rule_sets["standard"][name]) == standard
    assert option_text(PEPPER.rule_sets["bowers"][name]) == bowers


def test_a_rule_set_is_nothing_but_the_table() -> None:
    assert set(PEPPER.options) == set(TABLE)
    assert set(PEPPER.rule_sets) == {"standard", "bowers"}
    assert all(set(values) == set(TABLE) for values in PEPPER.rule_sets.values())


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, row in TABLE.items() for text in row[2].split()])
def test_an_option_takes_each_of_its_values_and_writes_it_so(name: str, text: str) -> None:
    assert option_text(parse_option(PEPPER.options, name, text)) == text


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("rule_set", ["standard", "bowers"])
@pytest.mark.parametrize("name", TABLE)
def test_every_option_works_alone(name: str, rule_set: str, seats: int) -> None:
    for text in TABLE[name][2].split():
        options = {name: parse_option(PEPPER.options, name, text)}
        assert lay_table(PEPPER, seats, rule_set, True, options).options == tuple(options.items())


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("partners", "yes", "true or false"),
        ("partners", "True", "true or false"),
        ("partners", '"true"', "true or false"),
        ("small_table_cards", "7", "6 or 8"),
        ("small_table_cards", "06", "6 or 8"),
        ("failed", "none", "bid or all"),
        ("target", "0", "1 to 999"),
        ("target", "1000", "1 to 999"),
        ("target", "-5", "1 to 999"),
        ("target", "030", "1 to 999"),
        ("target", "thirty", "1 to 999"),
        ("target", "٣٠", "1 to 999"),
        ("target", "9999999999999999999", "1 to 999"),
        ("revoke_penalty", "fail", "none or fail-bid"),
        ("colour", "red", "no option 'colour'"),
    ],
)
def test_a_wrong_value_is_refused_with_the_options_name_and_the_values_that_it_takes(
    name: str, text: str, expected: str
) -> None:
    with pytest.raises(OptionError, match=expected) as caught:
        parse_option(PEPPER.options, name, text)
    assert name in str(caught.value)


@pytest.mark.parametrize(
    ("seats", "rule_set", "options", "piece"),
    [
        (1, "standard", {}, "no 1 seats"),
        (5, "standard", {}, "no 5 seats"),
        (4, "iowa", {}, "no rule set 'iowa'"),
        (4, "standard", {"colour": True}, "no option 'colour'"),
    ],
)
def test_a_table_that_the_game_does_not_have_is_refused(
    seats: int, rule_set: str, options: dict[str, bool], piece: str
) -> None:
    with pytest.raises(OptionError, match=piece):
        lay_table(PEPPER, seats, rule_set, True, options)


def test_the_values_are_said_in_words() -> None:
    assert BOOLEAN.expected == "true or false"
    assert Choice((6, 8)).expected == "6 or 8"
    assert Number(1, 9).expected == "a whole number from 1 to 9"
