"""Battlemat's window, files and command line: everything with a screen, a file or a clock."""

import os

# pygame greets on standard output when it is imported; that is where `battlemat replay` prints.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
# Without this pydantic looks through all that is installed for plugins; at the start that costs more than it does.
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")

__version__ = "0.1.0"
