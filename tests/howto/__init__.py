"""Follows the pages of docs/how-to step by step in a copy of the program."""
