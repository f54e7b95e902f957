"""From one fight to the next: how heroes come out of a fight and its rest, and into another (docs/chains.md).

What lasts is what lasts from evening to evening (`rules.explore.again`); rest is each ruleset's own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import msgspec

from rules.board.left import Fate
from rules.contract.errors import BattlematError, RecordError
from rules.contract.ruleset import NO_REST, Rest, State, Traveller
from rules.contract.text import as_builtins, joined
from rules.contract.units import NO_CREATURE, NOWHERE, CreatureIx
from rules.core.dice import seeded
from rules.explore.again import Again


class Onward(ABC):
    """How a ruleset's heroes go on from fight to fight."""

    again: ClassVar[Again[Any]]
    rests: ClassVar[tuple[Rest, ...]]

    @abstractmethod
    def rest(self, resolution: Any, whom: Sequence[CreatureIx], rest: str, begun: State) -> None:
        """A rest of these, who are together; `begun`: how the fight stood at its beginning."""

    @abstractmethod
    def life(self, state: State, who: CreatureIx) -> tuple[int, int]:
        """What is left of all that keeps somebody in a fight, and the most of it."""

    @abstractmethod
    def ready(self, resolution: Any, who: CreatureIx) -> None:
        """Somebody is on its feet when the next fight begins."""

    def carried(self, state: State, begun: State, names: Sequence[str], rest: str, seed: int) -> tuple[Traveller, ...]:
        """How these come out of a fight that is over, after a rest thrown by `seed`. Raises BattlematError for a rest
        that the ruleset does not know."""
        if rest not in (NO_REST, *(each.word for each in self.rests)):
            known = joined(", ", (NO_REST, *(each.word for each in self.rests)))
            raise BattlematError("rest: {rest} is no rest of these rules; there are {known}", repr(rest), known)
        resolution = self.again.resolution(msgspec.structs.replace(state, rng=seeded(seed)))
        whom = [state.setup.index[name] for name in names]
        if rest != NO_REST:
            for who in whom:
                self.again.bring_back(resolution, who)
            self.rest(resolution, whom, rest, begun)
        after, found = resolution.done(), list[Traveller]()
        for name, who in zip(names, whom, strict=True):
            fate = self.again.fallen(after, who) or (Fate.GONE if getattr(after.figures[who], "fled", False) else "")
            if not fate:
                self.ready(resolution, who)
            kept = as_builtins(self.again.keep(resolution.done() if not fate else after, who))
            now, most = self.life(after, who)
            found.append(Traveller(name, kept, str(fate), now, most))
        return tuple(found)

    def taken_up(self, resolution: Any, carried: Mapping[str, Mapping[str, Any]], absent: Sequence[str]) -> None:
        """Everybody as the last fight left it; those who can't take part are nowhere. Raises RecordError."""
        index = resolution.setup.index
        for name, said in carried.items():
            where, who = f"carried.figures.{name}", index.get(name, NO_CREATURE)
            if who == NO_CREATURE:
                raise RecordError("{where}: no creature has this id", where)
            try:
                kept = msgspec.convert(said, self.again.kept)
            except msgspec.ValidationError as error:
                raise RecordError("{where}: {error}", where, str(error)) from None
            self.again.check(resolution.setup, who, kept, where)
            self.find(resolution, who, kept)
        for name in absent:
            if name not in index:
                raise RecordError("carried.absent: no creature has the id {name}", repr(name))
            resolution.change(index[name], cell=NOWHERE)

    def find(self, resolution: Any, who: CreatureIx, kept: Any) -> None:
        """Somebody is as it was left."""
        self.again.find(resolution, who, kept)
