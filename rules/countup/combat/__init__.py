"""Blows and shots by the second: who reaches whom, dice, shields, wounds."""
