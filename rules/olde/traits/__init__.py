"""Traits of creatures: what a trait is (models.py), and each of them with all that it does (kinds.py)."""
