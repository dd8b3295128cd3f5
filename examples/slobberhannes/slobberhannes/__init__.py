"""Slobberhannes for tableref. The rules are in `rules/en.md`."""

from slobberhannes.game import Slobberhannes

GAME = Slobberhannes()
