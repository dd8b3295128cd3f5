"""Pepper (Перец): an auction, then tricks. Rules, rulings and worked examples: `docs/pepper.md`."""

from engine.pepper.game import Pepper

GAME = Pepper()
