"""A director's token, and who came in by it, when the simulated table is another one, or was switched off and on."""

from pathlib import Path

from at_console import API, Console, console

from firmware.furnish import furnish
from firmware.web import deeds


def another_table(table: Console) -> None:
    """The simulated table is switched off for another one."""
    before = table.played.act(lambda bench: bench.table.loop).result()
    table.played.begin(furnish("pepper", 4, dealer=4), ())
    for _ in range(1000):
        if table.played.act(lambda bench: bench.table.loop).result() is not before:
            return
    raise AssertionError("there is no other table")


def test_the_token_and_who_came_in_by_it_are_let_in_at_another_table(tmp_path: Path) -> None:
    with console(tmp_path) as table:
        browser = table.log_in()
        before = table.send("GET", f"{API}/director/journal", headers=browser).json
        another_table(table)
        assert table.send("GET", f"{API}/director/files", headers=browser).status == 200
        assert table.send("GET", f"{API}/director/files", headers=table.bearer).status == 200
        assert table.log_in()
        assert before["lines"]
        assert table.send("GET", f"{API}/director/journal", headers=browser).json["lines"] == []


def test_a_token_can_be_made_at_a_place_of_another_table_and_of_one_that_was_switched_on_again(tmp_path: Path) -> None:
    with console(tmp_path) as table:
        for change in (another_table, switched_off_and_on):
            change(table)
            assert table.played.act(lambda bench: bench.table.loop.new_token).result() is not None


def switched_off_and_on(table: Console) -> None:
    table.played.play(lambda playing: playing.do(deeds.Restart(), 1)).result()
    for _ in range(3):
        table.played.act(lambda bench: None).result()
