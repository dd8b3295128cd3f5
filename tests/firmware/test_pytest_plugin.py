"""What authors of games get in pytest: table scripts as tests, and simulated tables to order."""

import re
from pathlib import Path

import pytest

pytest_plugins = "pytester"

GUIDE = Path(__file__).parents[2] / "docs" / "table-script.md"
SCRIPT = "seats 2\nhands concealed\nreaders none\ndealer 2\nchoose 2 dealt\nexpect turn 1\n"


def test_a_script_is_collected_as_a_test(pytester: pytest.Pytester) -> None:
    pytester.makefile(".table", dealing=SCRIPT)
    result = pytester.runpytest("-v")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["*dealing.table::dealing PASSED*"])


def test_a_failing_script_says_its_line_and_shows_no_traceback(pytester: pytest.Pytester) -> None:
    pytester.makefile(".table", dealing=SCRIPT + "expect turn 2\n")
    result = pytester.runpytest()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["*table script dealing.table*", "*dealing.table:7: expect turn 2: to act: 1"],
    )
    result.stdout.no_fnmatch_line("*Traceback*")
    result.stdout.no_fnmatch_line("*script_expectations.py*")


def test_a_script_that_cannot_be_read_fails_with_its_line(pytester: pytest.Pytester) -> None:
    pytester.makefile(".table", dealing=SCRIPT + "dance\n")
    result = pytester.runpytest()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*dealing.table:7: no word 'dance'; expected one of*"])


def test_a_script_finds_its_table_file_beside_it(pytester: pytest.Pytester) -> None:
    folder = pytester.mkdir("tables")
    table = "\n".join(
        ["[game]", "name = 'pepper'", "hands = 'concealed'"]
        + [
            f"[[seat]]\nnumber = {seat}\nbuttons = {{ left = {seat}4, ok = {seat}5, right = {seat}6 }}"
            for seat in (1, 2)
        ]
    )
    (folder / "two.toml").write_text(table, encoding="utf-8")
    (folder / "one.table").write_text("table two.toml\nexpect turn nobody\n", encoding="utf-8")
    pytester.runpytest().assert_outcomes(passed=1)


def test_the_fixture_makes_tables_and_switches_them_off(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        made = []

        def test_two_tables(simulated_table):
            one = simulated_table("pepper", seats=2, tracked=False, dealer=2, readers="none")
            other = simulated_table("pepper", seats=3, rules="bowers", seed=7)
            one.choose(2, "dealt")
            assert one.loop.lines == ["deal 2"]
            assert other.loop.lines == []
            assert one.journal_file != other.journal_file
            made.extend([one, other])

        def test_they_are_dark_now():
            assert [table.picture(1).getbbox() for table in made] == [None, None]
        """
    )
    pytester.runpytest().assert_outcomes(passed=2)


def test_an_order_that_cannot_be_had_fails_the_test(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_table(simulated_table):\n    simulated_table('whist', seats=2)\n")
    result = pytester.runpytest()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*no game 'whist'; expected pepper*"])


def test_the_example_of_the_guide_is_true(pytester: pytest.Pytester) -> None:
    found = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(found) == 1
    pytester.makepyfile(found[0])
    pytester.runpytest().assert_outcomes(passed=1)


def test_a_table_raises_no_warning_where_warnings_are_errors(pytester: pytest.Pytester) -> None:
    pytester.makefile(".table", dealing=SCRIPT)
    pytester.makeini("[pytest]\nfilterwarnings = error\n")
    pytester.runpytest().assert_outcomes(passed=1)


def test_other_files_are_left_alone(pytester: pytest.Pytester) -> None:
    pytester.makefile(".txt", notes=SCRIPT)
    pytester.runpytest().assert_outcomes()
