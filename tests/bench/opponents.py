"""Reference players with one idea each, for the ladder: whoever plays well has an answer to each of them.

They know a fight through its contract alone, and answer questions inside an action as the computer does, so that they
differ from it in their chances only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from game.controllers.ai import AiController
from game.controllers.ai.advisors import advisor_of
from rules.board.grid import Terrain
from rules.board.path import reach
from rules.contract.actions import CHANCE, Action, Decision
from rules.contract.display import Miniature, System
from rules.contract.ruleset import LegalActions, Odds, State
from rules.contract.units import EMPTY, Cell

FARTHEST = 200
"""Spaces that are looked over for a way."""
SAFE = 7
"""Spaces from a foe at which who keeps away is content."""
NEIGHBOURS = ((-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1))


class Chance:
    """A creature's decision: who it is, whom it faces, what it could strike now and where it could go."""

    def __init__(self, ruleset: System, state: State, decision: Decision, legal: LegalActions) -> None:
        self.ruleset, self.state = ruleset, state
        self.actions = list(legal)
        self.terrain: Terrain = ruleset.terrain(state)
        minis = ruleset.board(state).miniatures
        self.me: Miniature | None = next((mini for mini in minis if mini.id == decision.by), None)
        self.band: list[Miniature] = [mini for mini in minis if mini.side == decision.side and not mini.out]
        self.foes: list[Miniature] = [mini for mini in minis if mini.side != decision.side and not mini.out]
        self.blows: list[tuple[Action, Odds]] = []
        names = {foe.id for foe in self.foes}
        for action in self.actions:
            odds = ruleset.odds(state, action) if action.target in names else None
            if odds is not None and odds.mean > 0.0:
                self.blows.append((action, odds))

    @property
    def end(self) -> Action:
        """The end of the chance: rulesets list it last."""
        return self.actions[-1]

    def hardest(self, target: str | None = None) -> Action | None:
        """The blow with the highest mean damage, on anybody or on one; the first of equals."""
        found = [(odds.mean, action) for action, odds in self.blows if target in (None, action.target)]
        most = max((mean for mean, _ in found), default=0.0)
        return next((action for mean, action in found if mean == most), None)

    def shoots(self) -> bool:
        """Whether its attacks are made from afar."""
        if self.me is None:
            return False
        targets = advisor_of(self.ruleset).targets(self.state, self.me.id, EMPTY)
        return any(target.far for target in targets)

    def moves(self) -> list[tuple[Cell, Action]]:
        """Where movements lead that strike nobody."""
        return [(action.path[-1], action) for action in self.actions if action.path and action.target is None]

    def ways(self, foe: Miniature) -> Mapping[Cell, int]:
        """How far it is from each space to a foe on foot."""
        size = self.me.size if self.me is not None else 1
        return reach(self.terrain, foe.cell, FARTHEST, size=size, blocked=EMPTY).cost

    def towards(self, foes: Sequence[Miniature]) -> Action | None:
        """The movement that ends nearest to one of some foes on foot; None if none ends nearer than here."""
        if self.me is None or not foes:
            return None
        ways = [self.ways(foe) for foe in foes]

        def far(cell: Cell) -> int:
            return min(cost.get(cell, FARTHEST + self.apart(cell, foe)) for cost, foe in zip(ways, foes, strict=True))

        best, near = None, far(self.me.cell)
        for cell, action in self.moves():
            if (gap := far(cell)) < near:
                best, near = action, gap
        return best

    def apart(self, cell: Cell, foe: Miniature) -> int:
        """Spaces from a space to a foe, through walls."""
        return self.terrain.distance(cell, foe.cell, self.me.size if self.me is not None else 1, foe.size)

    def nearest(self, cell: Cell) -> int:
        """Spaces from a space to the nearest foe, through walls."""
        return min((self.apart(cell, foe) for foe in self.foes), default=0)


class Reference:
    """A player with one idea."""

    def __init__(self) -> None:
        self._answers = AiController("cunning")

    def choose(self, ruleset: System, state: State, decision: Decision, legal: LegalActions) -> Action:
        """One action out of `legal`; ties go to the first."""
        if decision.kind != CHANCE:
            return self._answers.choose(ruleset, state, decision, legal)
        chance = Chance(ruleset, state, decision, legal)
        if chance.me is None or not chance.foes:
            return self._answers.choose(ruleset, state, decision, legal)
        return self.act(chance) or chance.end

    def act(self, chance: Chance) -> Action | None:
        """What it does in its chance; None ends it."""
        raise NotImplementedError


class Kiter(Reference):
    """Who shoots keeps away from foes and shoots; who can't fights like anybody."""

    def act(self, chance: Chance) -> Action | None:
        blow = chance.hardest()
        assert chance.me is not None
        if not chance.shoots():
            return blow or chance.towards(chance.foes)
        here = min(SAFE, chance.nearest(chance.me.cell))
        if blow is not None and here > 1:
            return blow
        best = None
        for cell, action in chance.moves():
            if (gap := min(SAFE, chance.nearest(cell))) > here:
                best, here = action, gap
        return best or blow or (chance.towards(chance.foes) if here == SAFE else None)


class Turtle(Reference):
    """Goes into a corner, and lets everybody come."""

    def act(self, chance: Chance) -> Action | None:
        blow = chance.hardest()
        assert chance.me is not None
        if blow is not None:
            return blow
        best, most = None, cover(chance.terrain, chance.me.cell)
        near = chance.nearest(chance.me.cell)
        for cell, action in chance.moves():
            if chance.nearest(cell) >= near and (covered := cover(chance.terrain, cell)) > most:
                best, most = action, covered
        return best


def cover(terrain: Terrain, cell: Cell) -> int:
    """How many of the eight spaces around one nobody can come from."""
    field, room = terrain.field, terrain.steps(1).fit
    x, y = field.at(cell)
    around = [(x + right, y + down) for right, down in NEIGHBOURS]
    return sum(
        not (0 <= ax < field.width and 0 <= ay < field.height and room >> field.cell(ax, ay) & 1) for ax, ay in around
    )


class FocusFire(Reference):
    """The whole band goes for one foe: who has fewest hit points left, of equals who is nearest to all of them."""

    def act(self, chance: Chance) -> Action | None:
        quarry = min(chance.foes, key=lambda foe: (foe.life, sum(chance.apart(each.cell, foe) for each in chance.band)))
        return chance.hardest(quarry.id) or chance.hardest() or chance.towards([quarry]) or chance.towards(chance.foes)
