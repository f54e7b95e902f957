"""Attacks, the damage ladder, scars and morale."""
