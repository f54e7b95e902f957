"""The screen of a fight. What is decided there goes through `game.fight`; its panels are in `panels`."""
