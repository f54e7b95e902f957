"""Exploration: minutes in which each hero does one thing, until somebody notices somebody.

Actions of a fight stay in `actions` and say there what they take here.
"""
