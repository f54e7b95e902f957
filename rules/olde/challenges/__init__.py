"""Challenges: checks with skills, their critical outcomes, and what maps put in the way."""
