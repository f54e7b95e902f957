"""What is worth knowing of a map that can be read: gathered, so that a thousand of a kind are one line."""

from __future__ import annotations

from dataclasses import dataclass, field

from game.maps.limits import Place
from game.maps.lines import one_line, shown

MOST = 20
"""Lines of notes beyond which the rest is only counted."""
_KINDS = 200
"""Different classes, elements and the like beyond which no further ones are told apart."""


@dataclass(slots=True)
class _Kind:
    first: str
    count: int = 0


@dataclass(slots=True)
class Notes:
    """Gathers the notes on one map; ``file`` is its name, which the notes leave out."""

    file: str
    ours: frozenset[str] = frozenset()
    """The classes that mean something to Battlemat."""
    _gathered: dict[tuple[str, str], _Kind] = field(default_factory=dict)

    def unknown_class(self, name: str, place: Place) -> None:
        """An object of a class that Battlemat does not know."""
        self._gather("class", name, place)

    def no_class(self, place: Place) -> None:
        """A shape without a class."""
        self._gather("shape", "", place)

    def unknown_element(self, tag: str, place: Place, count: int = 1) -> None:
        """Elements of the file that no Tiled map has."""
        self._gather("element", tag, place, count)

    def say(self, text: str, place: Place) -> None:
        """Anything else: said once, however often it comes."""
        self._gather("", f"{_where(place, self.file)}{text}", place)

    def lines(self) -> tuple[str, ...]:
        """All notes in the order in which they came up."""
        found = [self._line(*key, kind) for key, kind in self._gathered.items()]
        if len(found) > MOST:
            rest = len(found) - MOST + 1
            found[MOST - 1 :] = [f"and {rest} more notes"]
        return tuple(one_line(line) for line in found)

    def _gather(self, what: str, name: str, place: Place, count: int = 1) -> None:
        key = (what, name)
        if key not in self._gathered and len(self._gathered) >= _KINDS:
            key = (what, "…")
        if key not in self._gathered:
            self._gathered[key] = _Kind(place.inside(self.file))
        self._gathered[key].count += count

    def _line(self, what: str, name: str, kind: _Kind) -> str:
        n, first = kind.count, kind.first
        if what == "class":
            ours = next((each for each in sorted(self.ours) if each.casefold() == name.casefold()), "")
            meant = f"; Battlemat's own is {ours}" if ours else ""
            if n == 1:
                return f"class {shown(name)} unknown: 1 object is kept but does nothing ({first}){meant}"
            return f"class {shown(name)} unknown: {n} objects are kept but do nothing (first: {first}){meant}"
        if what == "shape":
            if n == 1:
                return f"1 object has no class and does nothing ({first}); choose one in Tiled"
            return f"{n} objects have no class and do nothing (first: {first}); choose one in Tiled"
        if what == "element":
            return f"element <{one_line(name, 40)}> unknown: {n} left out"
        return name


def _where(place: Place, file: str) -> str:
    where = place.inside(file)
    return f"{where}: " if where else ""
