"""Checks with stats and skills, attempts and their odds, and what maps hide, lock and put in the way.

What somebody does about it is a kind of action, in `actions`.
"""
