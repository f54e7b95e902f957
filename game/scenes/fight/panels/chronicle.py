"""The lines of a log, and the events that each tells: longer while a way goes on, shorter when some is taken back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from game.fight.storyline import Storyline, Strand
from game.widgets.story import Entry, Story
from rules.contract.events import Event


class Chronicle:
    """Keeps a log and its storyline in step.

    `tell` says an event in words, `make` lays out a line, `mark` hears of each new one before it is shown.
    """

    def __init__(
        self,
        story: Story,
        tell: Callable[[Event], str],
        make: Callable[[Strand], Entry],
        mark: Callable[[Entry, Strand], None],
    ) -> None:
        self.story, self._make, self._mark = story, make, mark
        self._line = Storyline(tell)

    def strand(self, line: int) -> Strand:
        """What a line tells."""
        return self._line.strands[line]

    def clear(self) -> None:
        """Forget all lines."""
        self.story.clear()
        self._line.strands.clear()
        self.cut(0)

    def changes(self, batch: Sequence[tuple[int, int, Event]]) -> list[Callable[[], None]]:
        """What each event does to the log once it is shown: given as `(end, deed, event)`, those of a deed together.

        All is made out at once, as things are now; call each in order.
        """
        made: list[Callable[[], None]] = []
        for place, (end, deed, event) in enumerate(batch):
            after = [each for _, other, each in batch[place + 1 :] if other == deed]
            known = len(self._line.strands)
            line = self._line.add(end, event, after)
            if line is None:
                made.append(_nothing)
                continue
            strand = self._line.strands[line]
            entry = self._make(strand)
            if line < known:
                made.append(partial(self._put, line, entry))
            else:
                self._mark(entry, strand)
                made.append(partial(self.story.append, entry))
        return made

    def tell(self, batch: Sequence[tuple[int, int, Event]]) -> None:
        """The same for what is shown already."""
        for change in self.changes(batch):
            change()

    def note(self, entry: Entry, end: int, rewind: int) -> None:
        """A line that tells of a rewind, after so many events."""
        self._line.note(end, rewind)
        self.story.append(entry)

    def cut(self, events: int, rewinds: int = 0) -> None:
        """Keep only what tells of so many events and rewinds; nothing may be waiting to be shown."""
        shorter = self._line.cut(events, rewinds)
        self.story.cut(len(self._line.strands))
        for line in shorter:
            self._put(line, self._make(self._line.strands[line]))

    def _put(self, line: int, entry: Entry) -> None:
        entry.asks = self.story.entries[line].asks
        self.story.replace(line, entry)


def _nothing() -> None:
    """What an event that no line tells does to the log."""
