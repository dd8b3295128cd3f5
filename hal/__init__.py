"""The wires: readers, buttons, displays and cues. This room has never heard of a card game."""
