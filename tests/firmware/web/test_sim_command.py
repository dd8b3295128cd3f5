"""`tableref sim --web`: what the command says reaches the table in the browser."""

import pytest
from click.testing import CliRunner

from firmware.command import main
from firmware.web import commands
from firmware.web.played import PlayedTable


class Kept(PlayedTable):
    """The table that the command has set up."""

    now: "Kept"

    def __init__(self, *given: object) -> None:
        super().__init__(*given)  # type: ignore[arg-type]
        Kept.now = self


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
