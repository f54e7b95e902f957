"""The hand of the game master, as far as all rulesets share it."""
