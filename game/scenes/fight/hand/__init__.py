"""The game master's hand over the board."""
