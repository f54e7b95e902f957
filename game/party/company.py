"""Who goes with whom: marching order, leader, who was taken out of the group, and how they move."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec


class Company(msgspec.Struct, frozen=True):
    """How a seat's heroes go about an exploration: the window's preference, of which no rule knows."""

    order: tuple[str, ...] = ()
    """The marching order, the leader first; whoever isn't named goes behind, as the record has them."""
    apart: tuple[str, ...] = ()
    """Who was taken out of the group and is moved alone."""
    manner: str = ""
    """The word of the movement that they take, `sneak` or `walk`; empty: the first that the rules offer."""

    def marching(self, names: Iterable[str]) -> list[str]:
        """These heroes in marching order, those who were taken out included."""
        known = list(names)
        return [n for n in self.order if n in known] + [n for n in known if n not in self.order]

    def group(self, names: Iterable[str]) -> list[str]:
        """These heroes in marching order without those who were taken out; the first leads."""
        return [name for name in self.marching(names) if name not in self.apart]

    def with_apart(self, name: str, apart: bool) -> Company:
        """The same with somebody taken out of the group, or put back."""
        others = tuple(each for each in self.apart if each != name)
        return msgspec.structs.replace(self, apart=(*others, name) if apart else others)

    def led_by(self, name: str, names: Sequence[str]) -> Company:
        """The same with somebody at the head."""
        rest = [each for each in self.marching(names) if each != name]
        return msgspec.structs.replace(self, order=(name, *rest))

    def moved(self, name: str, by: int, names: Sequence[str]) -> Company:
        """The same with somebody so many places further back (below 0: further ahead) in the marching order."""
        order = self.marching(names)
        at = order.index(name)
        order.remove(name)
        order.insert(max(0, min(len(order), at + by)), name)
        return msgspec.structs.replace(self, order=tuple(order))
