"""What a ruleset says of exploring, and what explorations ask of creatures (olde.md §8)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import msgspec

from rules.board.sight import ARM, Grade, Lamp, dark, grade, lit
from rules.contract.ruleset import PARTY
from rules.contract.text import Creature
from rules.contract.units import Bitboard, Cell, CreatureIx
from rules.explore.goals import Aims
from rules.explore.position import Changing, Position
from rules.explore.state import Exploring, rows_of


class Manner(msgspec.Struct, frozen=True, gc=False):
    """How somebody moves or works, as far as ears are concerned."""

    word: str
    earshot: int  # spaces within which it can be heard
    rating: int  # what hearing it must reach, by the ruleset's own scale; 0 = as quiet as it sneaks

    @property
    def sneaks(self) -> bool:
        """Whether it takes care not to be noticed."""
        return not self.rating


class Body(Protocol):
    """What never changes about a creature, as far as explorations ask."""

    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def side(self) -> str: ...
    @property
    def space(self) -> int: ...
    @property
    def controller(self) -> str: ...
    @property
    def patrol(self) -> tuple[tuple[int, int], ...]: ...
    @property
    def duty(self) -> str: ...
    @property
    def warns(self) -> str: ...
    @property
    def group(self) -> str: ...
    @property
    def threat(self) -> int: ...
    @property
    def reserve(self) -> str: ...


class Sensed(Protocol):
    """How one watcher might notice somebody on a way."""

    @property
    def step(self) -> int: ...
    @property
    def watcher(self) -> CreatureIx: ...


class At(Position, Protocol):
    """A ruleset's state, or its resolution under way."""

    @property
    def explore(self) -> Exploring | None: ...
    @property
    def aims(self) -> Aims | None: ...


class Resolving(Changing, At, Protocol):
    """A ruleset's action being resolved."""

    explore: Exploring | None

    def done(self) -> Any: ...


R = TypeVar("R", bound=Resolving)


class Procedure(ABC, Generic[R]):
    """What a ruleset says of exploring: its times, senses and checks."""

    turn: ClassVar[str]
    """What a turn of exploration is called by the event that begins it."""
    tile: ClassVar[int]
    """Spaces that one crosses openly in a turn."""
    sneaking: ClassVar[Manner]
    hidden: ClassVar[Manner]
    """Still hidden by its last attempt to sneak."""
    still: ClassVar[Manner]
    """Openly, but without a sound and on the spot."""
    openly: ClassVar[Manner]
    noisy: ClassVar[Manner]

    # -- who is who

    @abstractmethod
    def bodies(self, at: Any) -> Sequence[Body]:
        """All creatures, in the record's order."""

    @abstractmethod
    def able(self, at: Any, who: CreatureIx) -> bool:
        """Whether somebody on the board can act."""

    @abstractmethod
    def up(self, at: Any, who: CreatureIx) -> bool:
        """Whether somebody is still to be reckoned with, wherever it is: neither fallen nor gone."""

    @abstractmethod
    def asleep(self, at: Any, who: CreatureIx) -> bool:
        """Whether somebody sleeps."""

    @abstractmethod
    def looks(self, at: Any, who: CreatureIx) -> bool:
        """Whether somebody has open eyes and uses them."""

    def named(self, at: Any, who: CreatureIx) -> Creature:
        """A creature in a sentence."""
        body = self.bodies(at)[who]
        return Creature(body.name, body.id)

    def is_hero(self, at: Any, who: CreatureIx) -> bool:
        """Whether somebody explores: the players' characters do, everybody else keeps watch."""
        return self.bodies(at)[who].side == PARTY

    # -- noticing

    def in_view(self, state: Any, watcher: CreatureIx, who: CreatureIx, cell: Cell) -> Grade:
        """A watcher's line of sight to somebody standing on `cell`: none in the dark; a light betrays its bearer."""
        terrain, own, other = state.terrain, self.bodies(state)[watcher].space, self.bodies(state)[who].space
        start = state.figures[watcher].cell
        found = grade(terrain, start, cell, own, other)
        if found is Grade.NONE or not state.setup.darkness or self.sees_in_dark(state, watcher) or not dark(terrain):
            return found
        if terrain.distance(start, cell, own, other) <= ARM or self.bears_light(state, who):
            return found
        return found if terrain.footprint(cell, other) & lit(terrain, self.lamps(state)) else Grade.NONE

    @abstractmethod
    def sees_in_dark(self, state: Any, who: CreatureIx) -> bool:
        """Whether somebody needs no light."""

    @abstractmethod
    def bears_light(self, state: Any, who: CreatureIx) -> bool:
        """Whether a light of somebody's own burns."""

    @abstractmethod
    def lamps(self, state: Any) -> tuple[Lamp, ...]:
        """The lights that are carried or made."""

    @abstractmethod
    def senses(self, state: Any, who: CreatureIx, way: Sequence[Cell], manner: Manner) -> Sequence[Sensed]:
        """How each watcher might notice somebody on a way, by space of the way, then in the record's order."""

    @abstractmethod
    def tries(self, resolution: R, who: CreatureIx, sense: Sensed) -> bool:
        """One watcher's attempt to notice a hero: thrown and told. Whether it does."""

    @abstractmethod
    def needed(self, resolution: R, who: CreatureIx, sense: Sensed) -> int:
        """What an attempt has to reach: the smaller, the more easily the hero is noticed."""

    @abstractmethod
    def sneak(self, resolution: R, who: CreatureIx) -> None:
        """Throw for how quietly somebody goes from now on."""

    @abstractmethod
    def hide(self, resolution: R, who: CreatureIx) -> int:
        """How well somebody lies in hiding, at least 1: thrown, and told to nobody."""

    @abstractmethod
    def finds(self, resolution: R, who: CreatureIx, total: int) -> bool:
        """A hero's chance to find somebody who hides so well; told only if it succeeds."""

    @abstractmethod
    def pounce(self, state: Any, other: CreatureIx) -> int:
        """Spaces at which somebody in hiding springs."""

    @abstractmethod
    def alarms(self, resolution: R, watcher: CreatureIx) -> bool:
        """Whether a watcher who has just noticed somebody did so well enough to alarm everybody awake."""

    # -- what changes

    @abstractmethod
    def move(self, resolution: R, who: CreatureIx, way: Sequence[Cell], mode: str) -> None:
        """Put a miniature on the last space of a way, with its event."""

    @abstractmethod
    def occupied(self, at: Any, but: int = -1) -> Bitboard:
        """The spaces where somebody stands whom nobody passes, `but` one."""

    @abstractmethod
    def wake(self, resolution: R, who: CreatureIx) -> None:
        """A sleeper wakes by a sound."""

    @abstractmethod
    def set_out(self, resolution: R) -> None:
        """The exploration begins, or goes on after a fight: the ruleset's phase, and its own rows of what it minds."""

    @abstractmethod
    def open_fight(self, resolution: R, caught: Sequence[CreatureIx]) -> None:
        """It comes to blows among those on the board; `caught` are unaware."""

    @abstractmethod
    def end(self, resolution: R, winner: str) -> None:
        """It is all over."""

    @abstractmethod
    def exploring_now(self, at: Any) -> bool:
        """Whether this is a turn of exploration, not of a fight."""

    @abstractmethod
    def is_over(self, resolution: R) -> bool:
        """Whether at most one side has anybody left."""

    @abstractmethod
    def pass_turn(self, resolution: R) -> None:
        """What a turn's time does to everybody: wounds, effects, lights."""

    @abstractmethod
    def observed(self, state: Any, side: str) -> Any:
        """The state as a side knows it."""

    @abstractmethod
    def fog(self, at: Any) -> bool:
        """Whether each side knows only what its own creatures see."""

    def first_round(self, resolution: R) -> None:
        """What comes between the call to arms and the first decision of a fight."""

    def rows(self, resolution: R, first: int) -> dict[str, tuple[int, ...]]:
        """What the exploration remembers of the creatures from a number on, before their first turn."""
        figures = resolution.figures[first:]
        return rows_of(figures, [figure.cell for figure in figures])
