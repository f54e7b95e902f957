"""A creature's situation while it decides, and what all kinds of action have in common (countup.md §1 DECLARE).

A kind of action has its home in this folder: its button, when it is legal, its odds, how it is ordered, what it comes
to when time moves, how long the order stands. `ACTION_KINDS` (table.py) names them all; whoever must know something of
a kind asks an attribute or a method of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from rules.board.path import Reach, reach
from rules.contract.actions import Action, Description
from rules.contract.text import text
from rules.contract.units import EMPTY, Bitboard, Cell, CreatureIx, Seconds, numbered
from rules.core.action_kinds import ActionKind, nothing_for
from rules.countup import conditions
from rules.countup.combat.reach import in_contact, in_reach
from rules.countup.conditions import Doing
from rules.countup.gear import UNARMED, Weapon
from rules.countup.manners import Stance
from rules.countup.state import CountState, Figure, Order, PreparedAttack, Resolution, Setup, open_order
from rules.countup.visibility import sees

AHEAD = 8
"""Spaces that are thought of at once: a way is offered for as many whole seconds as that takes."""


EXPOSED_WHY = "an aggressive attack leaves one open: no other manoeuvre until the next attack"


class Context:
    """A creature's situation while it decides, read once; what many kinds of action ask is found once as well."""

    __slots__ = (
        "state",
        "setup",
        "who",
        "being",
        "figure",
        "order",
        "terrain",
        "_weapon",
        "_crowd",
        "_engaged",
        "_others",
    )

    def __init__(self, state: CountState, who: CreatureIx) -> None:
        self.state = state
        self.setup = state.setup
        self.who = who
        self.being = state.setup.beings[who]
        self.figure = state.figures[who]
        self.order = open_order(self.figure)
        self.terrain = state.terrain
        self._weapon: Weapon | None = None
        self._crowd: Bitboard | None = None
        self._engaged: bool | None = None
        self._others: list[CreatureIx] | None = None

    @property
    def actor(self) -> str:
        return self.being.id

    @property
    def place(self) -> Cell:
        """Where it will stand after the movement it has ordered."""
        return self.order.path[-1] if self.order.path else self.figure.cell

    @property
    def weapon(self) -> Weapon:
        """What it strikes with next."""
        weapon = self._weapon
        if weapon is None:
            weapon = self._weapon = self.state.weapon(self.who)
        return weapon

    @property
    def facing(self) -> int:
        """Where it looks, or is bidden to look."""
        return self.figure.facing if self.order.facing < 0 else self.order.facing

    @property
    def tired(self) -> bool:
        """Whether a spell has left it with no strength but to walk."""
        return self.figure.fatigue > self.state.second

    def names(self) -> list[str]:
        """What it can strike with as it is."""
        if self.being.sequence:
            return [self.weapon.name]
        held = [self.figure.hand] if self.figure.hand else []
        return [*held, *(w.name for w in self.being.natural)] or [UNARMED.name]

    def crowd(self) -> Bitboard:
        """Bitboard of all others whom its side sees: the way leads around them. In fog nobody knows of the rest; who
        stands unseen in the way stops a movement on the space before."""
        board = self._crowd
        if board is None:
            board = self._crowd = self._crowded()
        return board

    def _crowded(self) -> Bitboard:
        board, side = EMPTY, self.being.side
        hidden = self.setup.fog and not self.state.viewer
        seen = sees(self.state, side) if hidden else 0
        for i in self.others():
            spaces = self.state.footprint(i)
            if not hidden or self.setup.beings[i].side == side or spaces & seen:
                board |= spaces
        if self.state.aims is not None:  # a prisoner stands in the way as anybody does
            board |= self.state.aims.spaces
        return board

    def ways(self, limit: int = AHEAD) -> Reach:
        return reach(self.terrain, self.figure.cell, limit, size=self.being.space, blocked=self.crowd())

    def others(self) -> list[CreatureIx]:
        """All who are in the fight besides."""
        found = self._others
        if found is None:
            who = self.who
            found = self._others = [i for i, other in numbered(self.state.figures) if i != who and other.present]
        return found

    def find(self, name: str | None) -> CreatureIx | None:
        """The number of a creature on the board by its id, or None."""
        who = self.state.find(name)
        return who if who is not None and self.state.figures[who].present else None

    def engaged(self) -> bool:
        """Whether somebody whom it has met still reaches it, or is reached."""
        met = self._engaged
        if met is None:
            met = self._engaged = any(in_contact(self.state, self.who, other) for other in self.figure.contacts)
        return met

    def action_open(self) -> str | None:
        """Why no action may be ordered beside what is ordered already, or None."""
        action = self.order.action
        told = "{do} is ordered already (order anew, by clear, to change it)"
        return text(told, action.do) if action is not None else None

    def manoeuvre_open(self) -> str | None:
        """Why nothing that guards one may be ordered, or None."""
        return self.action_open() or (EXPOSED_WHY if self.figure.exposed else None)

    def held_back(self) -> str | None:
        """Why it may attack nobody at all, or None."""
        if self.tired:
            return "spell fatigue: no attacks"
        return "held at bay: knock the weapon aside first" if self.figure.held_by >= 0 else None

    def begun(self) -> bool:
        """Whether anything is ordered that may be taken back."""
        return bool(self.order.path or self.order.action or self.order.facing >= 0)


def give(resolution: Resolution, who: CreatureIx, order: Order) -> None:
    """A creature's order as it is by now; whole, it stands until something makes its owner think again."""
    resolution.change(who, order=replace(order, given=resolution.second) if order.done else order)


def way_left(figure: Figure) -> Order | None:
    """What is left of an order when its deed is done: its way, if it has one."""
    return replace(figure.order, action=None) if figure.order is not None and figure.path else None


class OrderKind(ActionKind[Context]):
    """A kind of action: how it is ordered, what it comes to when time moves, how long it stands."""

    doing = Doing.REST
    """What it is to conditions."""
    rank = 3
    """How soon its button earns a place where room is scarce."""
    shown = True
    """Whether it has a button of its own."""
    of_orders = False
    """Whether it is about the order itself: nothing that lies on a creature forbids it."""
    idles = False
    """Whether it is no better than waiting."""
    any_weapon = False
    """Whether it may name a weapon that is not in hand."""
    faces = False
    """Whether one keeps one's face to its target, in every second (countup.md §3)."""
    at_the_end = False
    """Whether it is done at the end of a way ordered with it."""

    explores = False
    """Whether it is done in an exploration as well."""
    aimed = False
    """Whether it is there for one's own side alone."""
    searches = False
    """Whether it looks for what is hidden."""
    disturbed = False
    """Whether one thinks again when any foe comes close."""

    # -- ordered

    def why_not(self, context: Context) -> str | None:
        return context.action_open()

    def nothing(self, context: Context) -> str:
        """Why there is no instance where nothing stands against the kind."""
        return nothing_for(self.face.needs)

    def awaited(self, context: Context) -> Iterator[Action]:
        """Instances at foes who are yet to come within reach."""
        return iter(())

    def button(
        self, label: str = "", cost: str = "", *, notes: tuple[str, ...] | None = None, slot: Seconds | None = None
    ) -> Description:
        """Its button, with a label, cost and notes that are not the kind's own, and the second of one's next slot."""
        own = self.face.described(cost or None)
        return replace(own, label=label or own.label, notes=own.notes if notes is None else notes, slot=slot)

    def planned(self, action: Action) -> str:
        """The word by which the order is shown on the board."""
        return action.item or action.option or self.do

    def ordered(self, resolution: Resolution, who: CreatureIx, order: Order, action: Action) -> None:
        """Add it to an order; most kinds make it whole."""
        give(resolution, who, replace(order, action=action, done=True))

    # -- when time moves

    def keeps(self, action: Action) -> Stance:
        """The stance that the order keeps up."""
        return Stance.NONE

    def follows(self, setup: Setup, who: CreatureIx, figure: Figure, action: Action) -> bool:
        """Whether it waits for the end of the way that was ordered with it."""
        return self.at_the_end

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        """It takes hold, the moment that time moves; nothing for what comes in its own phase of the second."""

    def prepared(self, resolution: Resolution, who: CreatureIx, action: Action) -> PreparedAttack | None:
        """The attack that falls in this second by the order of who is free to strike, or None."""
        return None

    def holds(self, resolution: Resolution, who: CreatureIx, order: Order, action: Action) -> bool:
        """Whether a standing order still has something to do when its way is gone."""
        return self.at_the_end and not resolution.figures[who].fresh and self.lawful(resolution, who, action)

    def ended(self, state: CountState, who: CreatureIx, order: Order, action: Action) -> str:
        """Why the order holds no longer, in words."""
        figure, name = state.figures[who], state.named(who)
        target = state.find(action.target)
        if target is None:
            return text("{name} is free again", name)
        foe = state.named(target)
        if not state.figures[target].present:
            return text("{foe} is out of the fight; {name} is free again", foe, name)
        near = [other for other in figure.fresh if state.figures[other].present]
        if near and (self.disturbed or target not in near):
            return text("{foe} comes close to {name}", state.named(near[0]), name)
        if 0 < order.awaits <= state.second:
            return text("{name} has waited", name)
        weapon = state.struck_with(who, action)
        if not weapon.ranged and not in_reach(state, who, target, weapon):
            return text("{foe} is out of {name}'s reach", foe, name)
        return text("{name} is free again", name)

    def lawful(self, resolution: Resolution, who: CreatureIx, action: Action) -> bool:
        """Whether it may still be done where the way to it has led."""
        state = resolution.done()
        refused = self.refusal(Context(state, who), action) is not None
        return not refused and conditions.why_not_this(state, who, self.doing, action) is None
