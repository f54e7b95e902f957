"""Exploration: minutes in which each hero does one thing, until somebody notices somebody."""
