"""Pepper (Перец): an auction, then tricks. Rules and options: `docs/rules/pepper.md`."""

from engine.pepper.game import Pepper

GAME = Pepper()
