"""What is in saved files is found out beside the loop: a list is there at once, and learns of one after the other."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from game.app.shutdown import wake
from game.storage import saves
from game.storage.saves import Save


class Lookout:
    """Looks into files in a thread of its own, and tells of each in the loop's, as long as it is not stopped."""

    def __init__(self, paths: Iterable[Path], look: Callable[[Path], Save], learn: Callable[[Save], None]) -> None:
        self._look, self._learn = look, learn
        self.looking = True
        threading.Thread(target=self._run, args=(list(paths),), name="lookout", daemon=True).start()

    def stop(self) -> None:
        """Nobody wants to know any more."""
        self.looking = False

    def _run(self, paths: list[Path]) -> None:
        for path in paths:
            if not self.looking:
                return
            try:
                save = self._look(path)
            except Exception as error:  # the list must come up whatever is in a file
                save = saves.glance(path)._replace(fault=f"cannot be read ({type(error).__name__})")
            if not wake(partial(self._tell, save)):
                return

    def _tell(self, save: Save) -> None:
        if self.looking:
            self._learn(save)
