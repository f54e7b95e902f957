"""Attacks: what is added to them, how they are rolled, what follows a hit or a miss, injury, reflexes."""
