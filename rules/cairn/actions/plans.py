"""What a creature may plan in its side's half: one move and one action, in either order (cairn.md §1, §2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import msgspec

from rules.board.grid import Terrain
from rules.board.path import Reach, path_cost, path_fault, reach
from rules.cairn.actions.hidden import known_snares
from rules.cairn.combat.attack import prepare, weapon_of, wielded
from rules.cairn.conditions import (
    BEFRIENDING,
    CONDITIONS,
    ELASTIC,
    HANGING_ON,
    HOLDING,
    PACES,
    TETHERED,
    Condition,
    Forbid,
)
from rules.cairn.gear import Weapon
from rules.cairn.magic.ground import beside, ground_for, warded
from rules.cairn.state import TETHER, CairnState, Figure, Plan, present, upright
from rules.cairn.visibility import hidden_from, sees, unseen
from rules.contract.actions import Action
from rules.core.action_kinds import ActionKind, Face

STAND = 2
"""Spaces of movement that standing up takes (10 ft)."""
LAME = 2
"""Spaces a move of somebody with a broken or hamstrung leg."""
ASIDE = ("pick_up", "drop", "avert")
"""What is free beside a move and an action, once a turn (cairn.md §2.12)."""
MANOEUVRES = ("trip", "shove", "grapple")


def suffers(figure: Figure) -> Condition | None:
    """What somebody could break free of, or be freed of by a friend; first what holds it in place."""
    for names in (HOLDING, HANGING_ON):
        for each in figure.lasting:
            if each.name in names:
                return CONDITIONS[each.name]
    return None


def planned_end(plan: Plan, figure: Figure) -> int:
    """Where somebody will stand when it has gone all that it plans to go."""
    action = plan.action
    if action is not None and action.do == "dash" and action.path:
        return action.path[-1]
    return plan.path[-1] if plan.path else figure.cell


def without(figure: Figure, aside: Action | None) -> Figure:
    """Somebody when it has let go of what it plans to drop; the rest of a plan comes after that."""
    item = aside.item if aside is not None and aside.do == "drop" else None
    for name in ("hands", "pack"):
        held: tuple[str, ...] = getattr(figure, name)
        if item in held:
            spot = held.index(item)
            return msgspec.structs.replace(figure, **{name: (*held[:spot], *held[spot + 1 :])})
    return figure


def needed(action: Action | None) -> list[str]:
    """What must still be carried when a planned action is carried out."""
    if action is None:
        return []
    things = (action.weapon or "").split(" + ") if action.weapon else [action.item or ""]
    return ["bandages"] if action.do == "bandage" else things


_SMOKE = "smoke holds and strikes nothing"
_PEACEFUL = "pacified: it raises no hand"


class Context:
    """A creature's situation while it plans, read once."""

    def __init__(self, state: CairnState, who: int) -> None:
        self.state = state
        self.setup = state.setup
        self.who = who
        self.being = state.setup.beings[who]
        self.plan: Plan = state.plans[who] or Plan()
        self.figure: Figure = without(state.figures[who], self.plan.aside)
        """As it will be when it acts: what it plans to drop is gone by then."""
        self.terrain: Terrain = state.terrain

    @property
    def actor(self) -> str:
        return self.being.id

    @property
    def place(self) -> int:
        """Where it will stand after what it has planned so far."""
        return planned_end(self.plan, self.figure)

    @property
    def stand(self) -> int:
        """Where it will stand when it does what it has planned to do: a move planned after that comes later."""
        return self.figure.cell if self.plan.action_first else self.place

    @property
    def budget(self) -> int:
        """Spaces of one move (cairn.md §2.7); difficult ground counts double."""
        if self.figure.cannot(Forbid.MOVE):
            return 0
        if self.figure.critical:
            return 1
        speed = min(LAME, self.being.speed) if self.figure.lame else self.being.speed
        for condition, pace in PACES if self.figure.lasting else ():
            if self.figure.has(condition):
                speed = pace(speed)
        return speed

    @property
    def ground(self) -> Terrain:
        """The ground as it goes over it."""
        return ground_for(self.terrain, self.being, self.figure)

    def crowd(self) -> tuple[int, int]:
        """Bitboards of (foes, allies): foes can't be passed; nobody's space may be ended on. Foes whom its side does
        not see are no part of a plan: a movement ends before them."""
        foes = allies = 0
        seen = None
        for i, other in enumerate(self.state.figures):
            if i == self.who or not upright(other):
                continue
            board = self.terrain.footprint(other.cell, self.setup.beings[i].space)
            if self.setup.beings[i].side == self.being.side:
                planned = self.state.plans[i]
                if planned is not None:  # it will have left by then, and stand elsewhere
                    board = self.terrain.footprint(planned_end(planned, other), self.setup.beings[i].space)
                allies |= board
                continue
            if seen is None:
                seen = self._known_cells()
            if board & seen and not hidden_from(self.state, i, (self.being.side,)):
                foes |= board
        return foes, allies

    def _known_cells(self) -> int:
        """The spaces in which its side sees somebody stand; in an observed state all, whoever is unseen is gone."""
        if self.state.viewer:
            return self.terrain.everywhere
        return sees(self.state, self.being.side)

    def ways(self, start: int, budget: int, avoid: int = 0) -> Reach:
        """Where it could go from a space; `avoid` are spaces that a planner goes round."""
        foes, allies = self.crowd()
        shut = (foes | self.wards() | self.leash(start) | avoid) & ~self.terrain.footprint(start, self.being.space)
        return reach(
            self.ground, start, max(0, budget), size=self.being.space, blocked=shut,
            unstoppable=allies | self.terrain.pits | known_snares(self.state, self.who),
        )  # fmt: skip

    def wards(self) -> int:
        """Spaces that a ward keeps it out of."""
        return warded(self.setup, self.state.zones, self.who) if self.state.zones else 0

    def leash(self, start: int) -> int:
        """Spaces that nothing of it may touch on a way from `start`, as they are too far from whom it is tethered to;
        whom magic has taken farther away goes no farther still."""
        beyond, wide = 0, self.being.space - 1
        for each in self.figure.lasting:
            other = self.setup.index.get(each.by) if each.name == TETHERED.name else None
            if other is not None and present(self.state.figures[other]):
                space = self.setup.beings[other].space
                place = Context(self.state, other).place
                far = max(TETHER, self.terrain.distance(start, place, self.being.space, space))
                near = self.terrain.within(place, far + wide, space)
                beyond |= self.terrain.everywhere & ~near
        return beyond

    def hands_tied(self, harm: bool = False) -> str | None:
        """Why it can do nothing with its hands, or, where it would do `harm`, raises none; or None."""
        if self.figure.cannot(Forbid.HANDS):
            return _SMOKE
        return _PEACEFUL if harm and self.figure.cannot(Forbid.HARM) else None

    def befriended(self, other: int) -> bool:
        """Whether it is charmed or enthralled by somebody of the other's side, and won't harm them."""
        for each in self.figure.lasting:
            if each.name in BEFRIENDING:
                friend = self.setup.index.get(each.by)
                if friend is None or self.setup.beings[friend].side == self.setup.beings[other].side:
                    return True
        return False

    def standing_cost(self) -> int:
        """Spaces that getting up takes from the next movement: from the first one alone."""
        prone = self.figure.posture == "prone" and not self.figure.critical
        return STAND if prone and not self.plan.stand and self.place == self.figure.cell else 0

    def others(self) -> Iterator[int]:
        for i, other in enumerate(self.state.figures):
            if i != self.who and present(other):
                yield i

    def known(self) -> Iterator[int]:
        """The others of whom its side knows that they are there."""
        seen = self._known_cells()
        for i in self.others():
            board = self.terrain.footprint(self.state.figures[i].cell, self.setup.beings[i].space)
            own = self.setup.beings[i].side == self.being.side
            if own or (board & seen and not hidden_from(self.state, i, (self.being.side,))):
                yield i

    def distance(self, other: int) -> int:
        cell = self.state.figures[other].cell
        return self.terrain.distance(self.place, cell, self.being.space, self.setup.beings[other].space)

    def beside(self, other: int) -> bool:
        """Whether another will be within its hands' reach."""
        return beside(self.state, self.who, self.place, other)

    def stretch(self, weapon: Weapon) -> int:
        """Spaces that elastic arms add to a weapon's reach."""
        return 1 if weapon.reach and self.figure.has(ELASTIC) else 0

    def find(self, name: str | None) -> int | None:
        """The number of a creature on the board by its id, or None."""
        who = self.setup.index.get(name or "")
        return who if who is not None and present(self.state.figures[who]) else None

    def action_open(self) -> str | None:
        """Why no action may be planned any more, or None."""
        if self.figure.critical:
            return "critical damage: it can only crawl"
        if self.plan.action is not None:
            return f"one action a round; {self.plan.action.do} is planned (plan anew, by clear, to change it)"
        return None

    def name(self, cell: int) -> str:
        column, row = self.terrain.field.at(cell)
        return f"[{column}, {row}]"


class Intent(Protocol):
    """One kind of thing to plan."""

    face: Face

    def refusal(self, context: Context, action: Action) -> str | None: ...

    def instances(self, context: Context) -> Iterator[Action]: ...

    def why_not(self, context: Context) -> str | None:
        """Why there is no instance at all, for a greyed button; None if there may be one."""
        ...


class Walk(ActionKind[Context]):
    """`move`, and `dash`: the second move that takes the action."""

    def __init__(self, do: str, face: Face) -> None:
        self.do, self.face = do, face

    def why_not(self, context: Context) -> str | None:
        if self.do == "dash":
            reason = context.action_open()
            if reason:
                return reason
        elif context.plan.moved:
            return "one move a round; dash is the second, and takes the action"
        if context.plan.action is not None and context.plan.action.do in ("retreat",):
            return "retreating takes the whole turn"
        if context.budget - context.standing_cost() <= 0:
            return "cannot move: held, or too weak to rise"
        return None

    def start(self, context: Context) -> int:
        """The space that it sets out from: where the other movement ends, if that was planned before."""
        dashed = context.plan.action is not None and context.plan.action.do == "dash"
        return context.place if dashed or self.do == "dash" else context.figure.cell

    def budget(self, context: Context) -> int:
        """Spaces that it may go; standing up takes some of them."""
        return max(0, context.budget - context.standing_cost())

    def why_not_this(self, context: Context, action: Action) -> str | None:
        if not action.path:
            return "path: needs the spaces entered"
        start, size = self.start(context), context.being.space
        fault = path_fault(context.ground, start, action.path, size)
        if fault is not None:
            return fault
        cost = path_cost(context.ground, start, action.path, size)
        if cost > self.budget(context):
            return f"path: {cost} spaces of movement; {self.budget(context)} are to be had"
        foes, allies = context.crowd()
        ward = context.wards() & ~context.terrain.footprint(start, size)
        leash = context.leash(start)
        for cell in action.path:
            if context.terrain.footprint(cell, size) & foes:
                return f"path: a foe stands on {context.name(cell)}"
            if context.terrain.footprint(cell, size) & ward:
                return f"path: a ward keeps it out of {context.name(cell)}"
            if context.terrain.footprint(cell, size) & leash:
                return f"path: tethered, it cannot come to {context.name(cell)}"
        if context.terrain.footprint(action.path[-1], size) & context.terrain.pits:
            return f"path: nobody stays above {context.name(action.path[-1])}"
        if context.terrain.footprint(action.path[-1], size) & known_snares(context.state, context.who):
            return f"path: {context.name(action.path[-1])} has a known trap; step over it"
        if context.terrain.footprint(action.path[-1], size) & allies:
            return f"path: {context.name(action.path[-1])} is taken by an ally"
        return None

    def instances(self, context: Context) -> Iterator[Action]:
        if self.why_not(context) is None:
            for path in context.ways(self.start(context), self.budget(context)).paths():
                yield Action(context.being.id, self.do, path=path)


class Stand(ActionKind[Context]):
    """To rise without moving on: part of the move."""

    do = "stand"
    face = Face("Stand up", "Move", "2 of the move", "none", "rise", "z")

    def why_not(self, context: Context) -> str | None:
        if context.figure.posture != "prone":
            return "already standing"
        if context.figure.critical:
            return "critical damage: it can only crawl"
        if context.plan.moved:
            return "one move a round"
        if context.plan.action is not None and context.plan.action.do == "retreat":
            return "retreating takes the whole turn"
        return None if context.budget >= STAND else "too weak to rise"


class ByHand(ActionKind[Context]):
    """What takes free hands and the action."""

    harms = False
    """Whether it is done to somebody's harm: the pacified refuse that alone."""

    def why_not(self, context: Context) -> str | None:
        return context.hands_tied(self.harms) or context.action_open()


class Strikes(ByHand):
    """`attack`."""

    do = "attack"
    harms = True
    face = Face("Attack", "Act", "action", "creature", "attack", "1", "always hits")

    def why_not_this(self, context: Context, action: Action) -> str | None:
        target = context.find(action.target)
        if target is not None and context.befriended(target):
            return f"target: charmed, it won't harm {context.setup.beings[target].name}"
        if target is None:
            there = ", ".join(context.setup.beings[i].id for i in context.known())
            return f"target: {action.target!r} is not here; there are {there or 'none'}"
        if target == context.who:
            return "target: nobody strikes at itself"
        names = wielded(context.setup, context.who, context.figure)
        name = action.weapon or names[0]
        if name not in names:
            return f"weapon: {name!r} is not at hand; there are {', '.join(names)}"
        if context.state.figures[target].dead:
            return f"target: {action.target} is dead"
        return self.reason(context, target, weapon_of(context.setup, context.who, name))

    def reason(self, context: Context, target: int, weapon: Weapon) -> str | None:
        """Why a target can't be struck from where the attacker will stand."""
        foe = context.setup.beings[target].name
        distance = context.distance(target)
        goal = context.state.figures[target].cell
        if prepare(context.state, context.who, target, weapon, (context.place, goal)) is not None:
            return None
        hidden = unseen(context.state, context.who, target, context.place)
        if hidden:
            return f"target: {foe} {hidden}"
        farthest = max(weapon.farthest, weapon.reach + context.stretch(weapon))
        if distance > farthest:
            return f"target: {foe} is {distance} spaces away; the {weapon.name} reaches {farthest}"
        if weapon.run and context.terrain.distance(context.figure.cell, context.stand) < weapon.run:
            return f"weapon: the {weapon.name} needs a run of {weapon.run} spaces first"
        return f"target: no line of sight to {foe}"

    def instances(self, context: Context) -> Iterator[Action]:
        if self.why_not(context) is not None:
            return
        for target in context.others():
            foe, figure = context.setup.beings[target], context.state.figures[target]
            if foe.side == context.being.side or figure.dead or context.befriended(target):
                continue
            for name in wielded(context.setup, context.who, context.figure):
                if self.reason(context, target, weapon_of(context.setup, context.who, name)) is None:
                    yield Action(context.being.id, self.do, target=foe.id, weapon=name)
