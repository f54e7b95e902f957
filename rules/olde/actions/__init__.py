"""Kinds of action: when each is legal, what it works on, what it does; and the table of them.

How attacks and spells are resolved belongs into `combat` and `magic`.
"""
