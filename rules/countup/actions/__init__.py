"""Kinds of action, each with its one home; `table.py` names them all."""
