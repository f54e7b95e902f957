"""Roofs: which spaces lie under the same one, and how far each is lifted for who stands under it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import pygame

from game.view.ground.stack import LayerStack, Level, Sprite, bounds

FADE = 0.22
"""Seconds in which a roof goes or comes back."""


class Roofs:
    """The roofs of a map by the spaces under them. Spaces side by side lie under the same roof."""

    def __init__(self, stack: LayerStack | None) -> None:
        self.stack = stack
        self.over: dict[int, int] = {}
        """Space -> the number of its roof."""
        self.lifted: dict[int, float] = {}
        """How far each roof is gone, 0 to 1; those that lie as they were drawn are left out."""
        self._wanted: frozenset[int] = frozenset()
        if stack is not None and stack.roofs:
            self._join({cell for level in stack.roofs for cell in self._under_all(level)})

    def _under_all(self, level: Level) -> set[int]:
        """The spaces under a roof layer."""
        found, stack = set(level.tiles.cells), level.stack
        wide = {art for art in level.tiles.arts() if any(stack.reach(art, level.layer))}
        steps: dict[tuple[int, bool], tuple[range, range]] = {}
        for tile in level.tiles.only(wide):
            row, column = divmod(tile.cell, stack.width)
            kind = (tile.tile, tile.diagonal)
            if kind not in steps:
                columns, rows = self._covered(stack.sprite(level.layer, tile))
                steps[kind] = (_moved(columns, -column), _moved(rows, -row))
            found |= self._cells(_moved(steps[kind][0], column), _moved(steps[kind][1], row))
        if level.layer.figures or level.layer.backdrop is not None:
            for sprite in level.over(pygame.Rect(0, 0, stack.width, stack.height)):
                if sprite.cell < 0:
                    found |= self._under(sprite)
        return found

    def _covered(self, sprite: Sprite) -> tuple[range, range]:
        """The columns and rows whose middle a sprite covers, also beside the map."""
        assert self.stack is not None
        left, top, wide, high = (part / self.stack.side for part in bounds(sprite))
        return (
            range(math.ceil(left - 0.5), math.ceil(left + wide - 0.5)),
            range(math.ceil(top - 0.5), math.ceil(top + high - 0.5)),
        )

    def _cells(self, columns: range, rows: range) -> set[int]:
        """The spaces of columns and rows that are on the map."""
        stack = self.stack
        assert stack is not None
        columns = range(max(0, columns.start), min(stack.width, columns.stop))
        rows = range(max(0, rows.start), min(stack.height, rows.stop))
        return {row * stack.width + column for row in rows for column in columns}

    def _under(self, sprite: Sprite) -> set[int]:
        """The spaces under something that stands on none: at least the one nearest to its middle."""
        stack = self.stack
        assert stack is not None
        found = self._cells(*self._covered(sprite))
        if found:
            return found
        left, top, wide, high = (part / stack.side for part in bounds(sprite))
        column = min(stack.width - 1, max(0, math.floor(left + wide / 2)))
        row = min(stack.height - 1, max(0, math.floor(top + high / 2)))
        return {row * stack.width + column}

    def _join(self, cells: set[int]) -> None:
        assert self.stack is not None
        width, number = self.stack.width, -1
        for first in sorted(cells):
            if first in self.over:
                continue
            number += 1
            self.over[first] = number
            front = [first]
            while front:
                cell = front.pop()
                beside = [cell - width, cell + width]
                beside += [cell - 1] if cell % width else []
                beside += [cell + 1] if (cell + 1) % width else []
                for other in beside:
                    if other in cells and other not in self.over:
                        self.over[other] = number
                        front.append(other)

    # -- lifting

    def stand(self, cells: Iterable[int]) -> None:
        """Somebody who is shown stands on these spaces, and nobody anywhere else."""
        if self.over:
            self._wanted = frozenset(self.over[cell] for cell in cells if cell in self.over)

    def settle(self) -> bool:
        """At once as it should be; whether that changed anything."""
        settled = dict.fromkeys(self._wanted, 1.0)
        changed, self.lifted = settled != self.lifted, settled
        return changed

    def update(self, seconds: float) -> bool:
        """Let time pass; whether a roof looks otherwise now."""
        if not self.moving:
            return False
        step = seconds / FADE
        for roof in set(self.lifted) | self._wanted:
            share = self.lifted.get(roof, 0.0) + (step if roof in self._wanted else -step)
            self.lifted[roof] = min(1.0, share)
            if share <= 0:
                del self.lifted[roof]
        return True

    @property
    def moving(self) -> bool:
        """Whether any is on its way."""
        return self.lifted.keys() != self._wanted or any(share < 1 for share in self.lifted.values())

    def closed(self, cell: int) -> bool:
        """Whether a space is hidden by its roof."""
        return cell in self.over and self.lifted.get(self.over[cell], 0.0) < 0.5

    def near(self, area: pygame.Rect) -> tuple[int, ...]:
        """The roofs of which something may be seen on a part of the map, in columns and rows."""
        if self.stack is None or not self.over:
            return ()
        found = {self.of(each) for level in self.stack.roofs for each in level.over(area)}
        return tuple(sorted(found))

    def of(self, sprite: Sprite) -> int:
        """The roof that a sprite is a part of."""
        return self.over[sprite.cell if sprite.cell >= 0 else min(self._under(sprite))]

    def parts(self, level: Level, area: pygame.Rect, away: Sequence[int]) -> list[Sprite]:
        """What of a layer lies over a part of the map, but for the roofs that are away."""
        return [sprite for sprite in level.over(area) if self.of(sprite) not in away]


def _moved(spaces: range, by: int) -> range:
    return range(spaces.start + by, spaces.stop + by)
