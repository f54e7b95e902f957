"""Battlemat's window, files and command line: everything with a screen, a file or a clock."""

__version__ = "0.1.0"
