"""The Drowned Abbey played by the computer, many times over."""
