"""Heroes of the player's own: files, what they are worth, what they carry, and what fights leave of them; no window."""
