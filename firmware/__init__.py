"""The referee at the table: the only room that knows both the rules and the wires."""
