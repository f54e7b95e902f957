"""The hero workshop: a hero's pages beside the list of all, and what follows from every choice."""
