"""The rules: states in, rulings out. Standard library only; no I/O, no clock, no chance of its own."""
