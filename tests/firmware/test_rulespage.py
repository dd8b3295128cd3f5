"""The pages of rules: every option and code is explained in each language, under the numbers that refusals cite."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

import engine
from engine.game import Game, games
from engine.options import BOOLEAN, Choice, Number, option_text
from firmware.rulespage import RulesPageError, file_name, main, page_of, rules_page, write_pages
from firmware.words import LANGUAGES

DOCS = Path(__file__).parents[2] / "docs" / "rules"
ENGINE = Path(engine.__file__).parent
SHIPPED = [game for game in games().values() if game.catalogue.startswith("engine.")]
WRITTEN = sorted(path.name for path in ENGINE.iterdir() if (path / "rules").is_dir())
"""The games that have pages, by the folder that the pages lie in."""

each_game = pytest.mark.parametrize("game", SHIPPED, ids=lambda game: game.name)
each_language = pytest.mark.parametrize("language", LANGUAGES)


def rule_numbers(page: str) -> list[int]:
    return [int(number) for number in re.findall(r"^(\d+)\. ", page, re.MULTILINE)]


def codes(page: str) -> set[str]:
    """What stands in code form and is written as codes, options and verbs are."""
    return set(re.findall(r"`([a-z_-]+)`", page))


# What the pages say


@each_language
@each_game
def test_every_option_stands_in_the_table_with_its_values_its_defaults_and_a_text(game: Game, language: str) -> None:
    lines = rules_page(game.name, language).splitlines()
    (head,) = [number for number, line in enumerate(lines) if line.startswith(("| option |", "| настройка |"))]
    assert [cell.strip("` ") for cell in lines[head].split("|")][3:-2] == list(game.rule_sets)
    rows = [line.strip("| ").split(" | ") for line in lines[head + 2 : head + 2 + len(game.options)]]
    assert [name.strip("`") for name, *_ in rows] == list(game.options)
    for (name, option), (_, values, *defaults, effect) in zip(game.options.items(), rows, strict=True):
        assert defaults == [option_text(rules[name]) for rules in game.rule_sets.values()]
        if isinstance(option, Choice):
            assert values == ", ".join(f"`{option_text(value)}`" for value in option.values)
        else:
            assert values == f"{option.least}–{option.most}"
        assert len(effect) > 8
    assert not lines[head + 2 + len(game.options)].startswith("|")


@each_language
@each_game
def test_a_page_explains_each_rule_set(game: Game, language: str) -> None:
    rows = re.findall(r"^\| `(\w+)` \| [^|]{20,} \|$", rules_page(game.name, language), re.MULTILINE)
    assert rows == list(game.rule_sets)


@pytest.mark.parametrize("name", WRITTEN)
def test_both_languages_have_the_same_rules_codes_and_headings(name: str) -> None:
    english, russian = (
        (ENGINE / name / "rules" / f"{language}.md").read_text(encoding="utf-8") for language in LANGUAGES
    )
    assert rule_numbers(english) == rule_numbers(russian) == [*range(1, len(rule_numbers(english)) + 1)]
    assert codes(english) == codes(russian)
    assert english.count("\n## ") == russian.count("\n## ") == 3
    assert english.count("\n- **") == russian.count("\n- **") > 4  # what the table decides
    assert english.count("\n| `") == russian.count("\n| `")


def cited(name: str) -> Iterator[tuple[str, str, str]]:
    """The refusals and notices that a game's modules make: the kind, the code, and the rule where it stands there."""
    for path in sorted((ENGINE / name).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("Refusal", "Notice"):
                texts = [
                    argument.value if isinstance(argument, ast.Constant) and isinstance(argument.value, str) else ""
                    for argument in node.args[:2]
                ]
                yield node.func.id, texts[0], texts[1] if len(texts) > 1 and node.func.id == "Refusal" else ""


@pytest.mark.few(3)
@each_language
@each_game
def test_a_page_has_the_rules_and_the_codes_that_the_game_cites(game: Game, language: str) -> None:
    page = rules_page(game.name, language)
    found = list(cited(game.catalogue.removeprefix("engine.")))
    assert len(found) > 5
    assert {code for _, code, _ in found if code} - codes(page) == set()
    assert {rule for _, _, rule in found if rule} - {str(number) for number in rule_numbers(page)} == set()


@each_game
def test_a_rule_keeps_its_number(game: Game) -> None:
    """Refusals cite rules by number: what they mean stands there, by a word of its heading."""
    said = {
        "pepper": {3: "Auction", 5: "Play", 6: "Score"},
        "possession": {2: "Who starts", 3: "turn", 4: "Refill", 6: "Blocked", 9: "turn", 10: "Melds"},
        "vazhushal": {
            2: "Redeal",
            4: "turn",
            5: "Wiping",
            6: "Melds",
            7: "First meld",
            12: "last card",
            13: "Exhaustion",
        },
    }[game.name]
    page = rules_page(game.name)
    for number, word in said.items():
        assert re.search(rf"^{number}\. \*\*[^*]*{word}", page, re.MULTILINE), (number, word)


# The documents


@each_language
@each_game
def test_the_page_among_the_documents_is_up_to_date(game: Game, language: str) -> None:
    shown = (DOCS / file_name(game, language)).read_text(encoding="utf-8")
    assert shown == page_of(game, language), "run `python -m firmware.rulespage docs/rules`"


def test_there_is_no_page_of_a_game_that_is_not_there() -> None:
    assert {path.name for path in DOCS.iterdir()} == {
        file_name(game, language) for game in SHIPPED for language in LANGUAGES
    }


def test_the_pages_are_written_into_the_folder_that_is_named(tmp_path: Path) -> None:
    main([str(tmp_path)])
    assert len([*tmp_path.iterdir()]) == len(SHIPPED) * len(LANGUAGES)
    assert (tmp_path / "pepper.ru.md").read_text(encoding="utf-8").startswith("# Перец\n")
    assert (tmp_path / "pepper.md").read_text(encoding="utf-8").startswith("# Pepper\n")


@pytest.mark.parametrize("arguments", [[], ["a", "b"]])
def test_the_command_wants_one_folder(arguments: list[str]) -> None:
    with pytest.raises(SystemExit, match="expected one folder"):
        main(arguments)


def test_the_command_says_that_a_folder_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="No such file"):
        main([str(tmp_path / "nowhere")])


# What there is not


def test_an_unknown_game_is_named_with_those_that_there_are() -> None:
    with pytest.raises(RulesPageError, match=r"^no game 'whist'; expected .*pepper"):
        rules_page("whist")


def test_an_unknown_language_is_named_with_those_that_there_are() -> None:
    with pytest.raises(RulesPageError, match=r"^no language 'de'; expected en or ru$"):
        rules_page("pepper", "de")


# A game of another distribution


@pytest.fixture
def whist(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A game in a package of its own, with a folder for its pages that is empty."""
    (tmp_path / "whist_rules" / "rules").mkdir(parents=True)
    (tmp_path / "whist_rules" / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "whist_rules", raising=False)
    options = {"honours": BOOLEAN, "target": Number(1, 9)}
    rule_sets = {"standard": {"honours": True, "target": 5}}
    game = SimpleNamespace(name="whist", catalogue="whist_rules", options=options, rule_sets=rule_sets)
    game.folder = tmp_path / "whist_rules" / "rules"
    return game


def write(game: Any, *lines: str, language: str = "en") -> Game:
    (game.folder / f"{language}.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return cast("Game", game)


HONOURS, TARGET = "option honours: they count", "option target: the end"


def test_a_game_brings_its_own_page(whist: Any) -> None:
    page = page_of(write(whist, "# Whist", "", "{options}", TARGET, HONOURS, "", "The end."), "en")
    assert page == (
        "# Whist\n\n"
        "| option | values | `standard` | what it does |\n"
        "| --- | --- | --- | --- |\n"
        "| `honours` | `true`, `false` | true | they count |\n"
        "| `target` | 1–9 | 5 | the end |\n"
        "\nThe end.\n"
    )


def test_a_game_without_pages_is_said(whist: Any) -> None:
    with pytest.raises(RulesPageError, match=r"^no rules of whist in 'en'; the game brings no page of rules$"):
        page_of(whist, "en")
    whist.catalogue = "no_such_package"
    with pytest.raises(RulesPageError, match=r"the game brings no page of rules$"):
        page_of(whist, "ru")


def test_a_game_with_a_page_in_another_language_only_is_said(whist: Any) -> None:
    write(whist, "{options}", HONOURS, TARGET)
    with pytest.raises(RulesPageError, match=r"^no rules of whist in 'ru'; expected en$"):
        page_of(whist, "ru")


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        (["{options}", HONOURS], "no text for the option target; expected a line 'option target: …'"),
        (["{options}", HONOURS, "option target the end"], "no text for the option target"),
        (["{options}", HONOURS, TARGET, "option trump: drawn"], "no option trump; expected one of honours, target"),
        (["{options}", HONOURS, TARGET, HONOURS], "two texts for the option honours; expected one"),
        ([HONOURS, TARGET], "0 lines {options}; expected 1"),
        (["{options}", HONOURS, TARGET, "{options}"], "2 lines {options}; expected 1"),
    ],
)
def test_a_page_that_does_not_fit_its_game_is_refused(whist: Any, lines: list[str], problem: str) -> None:
    with pytest.raises(RulesPageError, match=re.escape(f"whist_rules, rules/en.md: {problem}")):
        page_of(write(whist, *lines), "en")


def test_a_game_without_options_has_no_table(whist: Any) -> None:
    whist.options = {}
    assert page_of(write(whist, "# Whist"), "en") == "# Whist\n"
    with pytest.raises(RulesPageError, match=r"1 lines \{options\}; expected 0"):
        page_of(write(whist, "{options}"), "en")


def test_a_page_in_another_encoding_is_said(whist: Any) -> None:
    (whist.folder / "ru.md").write_bytes("Вист".encode("cp1251"))
    with pytest.raises(RulesPageError, match="not UTF-8"):
        page_of(whist, "ru")


def test_pages_of_other_distributions_are_not_written(
    whist: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(whist, "{options}", HONOURS, TARGET)
    monkeypatch.setattr("firmware.rulespage.games", lambda: {"pepper": games()["pepper"], "whist": whist})
    (tmp_path / "pages").mkdir()
    write_pages(tmp_path / "pages")
    assert {path.name for path in (tmp_path / "pages").iterdir()} == {"pepper.md", "pepper.ru.md"}
