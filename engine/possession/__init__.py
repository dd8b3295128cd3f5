"""Possession (Владение): building up and down on one pile, or melding. Rules: `docs/rules/possession.md`."""

from engine.possession.game import Possession

GAME = Possession()
