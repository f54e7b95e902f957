"""Heroes: how they are made and grow, and what they do between fights."""
