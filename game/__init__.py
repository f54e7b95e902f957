"""Battlemat's window, files and command line: everything with a screen, a file or a clock."""

import atexit
import gc
import os

# pygame greets on standard output when it is imported; that is where `battlemat replay` prints.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
# Without this pydantic looks through all that is installed for plugins; at the start that costs more than it does.
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")

# What is imported and read at the start stays: to look through it for rubbish again and again, and once more at the
# end, is a tenth of the cost.
gc.set_threshold(100_000, 10, 20)
atexit.register(gc.freeze)


def loaded() -> None:
    """What there is by now stays; from now on rubbish is looked for in small portions, which nobody notices."""
    gc.freeze()
    gc.set_threshold(20_000, 10, 20)


__version__ = "0.2.0"
