"""What moves on the board: motions of events, dice, sparks of spells."""
