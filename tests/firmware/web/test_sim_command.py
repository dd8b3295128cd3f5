"""`tableref sim --web`: what the command says reaches the table in the browser."""

import pytest
from click.testing import CliRunner

from firmware.command import main
from firmware.furnish import furnish
from firmware.loop import Loop
from firmware.tokens import TOKEN, is_token
from firmware.web import commands, deeds
from firmware.web.played import PlayedTable
from firmware.web.world import EVERYBODY


class Kept(PlayedTable):
    """The table that the command has set up."""

    now: "Kept"

    def __init__(self, *given: object) -> None:
        super().__init__(*given)  # type: ignore[arg-type]
        Kept.now = self


def test_the_token_is_good_for_another_table_and_after_a_power_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[tuple[str, bool]] = []

    def look(loop: Loop) -> tuple[str, bool]:
        return loop.settings.get(TOKEN), loop.new_token is not None

    def until_stopped() -> None:
        table = Kept.now
        kept.append(table.act(lambda bench: look(bench.table.loop)).result())
        table.play(lambda playing: playing.do(deeds.Restart(), EVERYBODY)).result()
        table.act(lambda bench: bench).result()  # what was wanted at the start has been done
        kept.append(table.act(lambda bench: look(bench.table.loop)).result())
        table.begin(furnish("possession", 2), ())
        while table.act(
            lambda bench: bench.table.loop.table.game.name != "possession" or not look(bench.table.loop)[1]
        ).result():
            pass
        kept.append(table.act(lambda bench: look(bench.table.loop)).result())

    monkeypatch.setattr(commands, "PlayedTable", Kept)
    monkeypatch.setattr(commands, "_until_stopped", until_stopped)
    done = CliRunner().invoke(main, ["sim", "--web", "127.0.0.1:0"])
    assert done.exit_code == 0, done.output
    tokens = [line.split()[1] for line in done.output.splitlines() if line.startswith("/director: ")]
    assert len({*tokens}) == 1
    assert [is_token(tokens[0], hashed) for hashed, _ in kept] == [True] * 3
    assert [makes for _, makes in kept] == [True] * 3


@pytest.mark.few(1)
@pytest.mark.parametrize(("said", "share"), [([], 0.05), (["--mistakes", "0.4"], 0.4), (["--mistakes", "0"], 0.0)])
def test_the_bots_make_as_many_mistakes_as_were_asked_for(
    monkeypatch: pytest.MonkeyPatch, said: list[str], share: float
) -> None:
    found: dict[int, float] = {}

    def until_stopped() -> None:
        found.update(Kept.now.act(lambda bench: {seat: bot.mistakes for seat, bot in bench.bots.items()}).result())

    monkeypatch.setattr(commands, "PlayedTable", Kept)
    monkeypatch.setattr(commands, "_until_stopped", until_stopped)
    done = CliRunner().invoke(main, ["sim", "--web", "127.0.0.1:0", "--bots", "2,4", *said])
    assert done.exit_code == 0, done.output
    assert found == {2: share, 4: share}
