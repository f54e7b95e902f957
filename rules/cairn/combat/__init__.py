"""Attacks, their exact odds, the damage ladder, scars and riders."""
