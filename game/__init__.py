"""Battlemat's window, files and command line: everything with a screen, a file or a clock."""

import os

# pygame greets on standard output when it is imported; that is where `battlemat replay` prints.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

__version__ = "0.1.0"
