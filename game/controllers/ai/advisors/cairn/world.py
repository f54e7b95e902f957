"""What holds in a position whatever is planned in it: found when first asked for, and kept while that position is
planned in. Sealed plans change none of it, so that a whole side shares it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rules.cairn.state import CairnState

if TYPE_CHECKING:
    from game.controllers.ai.advisors.planning import Merit, Piece, Swing, Threat
    from rules.cairn.combat.attack import Pool
    from rules.contract.units import Bitboard, CreatureIx

Pair = tuple[int, int]


class World:
    """A position without its plans."""

    def __init__(self, state: CairnState) -> None:
        self.key = _key(state)
        self.targets: dict[CreatureIx, object] = {}
        """All that matters of a target for what blows on it come to."""
        self.best: dict[Pair, Swing | None] = {}
        """The best attack of one on another in clear sight."""
        self.stands: dict[Pair, list[Any]] = {}
        """Spaces from which one's attacks on another are alike (`prospect.Stand`)."""
        self.pools: dict[object, Pool] = {}
        """What is planned against a target, by the plans."""
        self.numbers: dict[tuple[CreatureIx, int], tuple[Pool, int]] = {}
        """The number of what is planned against a target, by the pool's identity (`prospect._pool_number`)."""
        self.strikes: dict[CreatureIx, tuple[Bitboard, bool, bool]] = {}
        """(spaces that somebody could strike, whether it can act, whether it shoots)."""
        self.threats: dict[CreatureIx, tuple[Threat, ...]] = {}
        self.frail: dict[CreatureIx, tuple[Merit, ...]] = {}
        self.falls: dict[CreatureIx, Any] = {}
        """What lying on the floor costs (`prospect.Tumble`)."""
        self.pieces: list[tuple[CreatureIx, Piece]] | None = None


def _key(state: CairnState) -> tuple[Any, ...]:
    return state.setup, state.figures, state.terrain, state.zones, state.round


_kept: list[World | None] = [None]


def world_of(state: CairnState) -> World:
    """What is kept of a position; of the latest alone, another thread's in between costs finding it again."""
    world = kept(state)
    if world is None:
        world = _kept[0] = World(state)
    return world


def kept(state: CairnState) -> World | None:
    """The same, if anything is kept: for who asks about a position that is only thought of."""
    world = _kept[0]
    if world is not None:
        setup, figures, terrain, zones, turn = world.key
        if figures is state.figures and terrain is state.terrain and zones is state.zones:
            if setup is state.setup and turn == state.round:
                return world
    return None


def forget() -> None:
    """Keep nothing."""
    _kept[0] = None
