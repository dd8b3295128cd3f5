"""Vazhushal (Стереть): melds, and a line of discards to wipe. Rules, rulings and worked examples: its rules page."""

from engine.vazhushal.game import Vazhushal

GAME = Vazhushal()
