"""Simulated wires: the chips and lines that the true drivers talk to on a PC."""
