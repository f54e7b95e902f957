"""Weapons and things: another taken in hand, something picked up (countup.md §2.7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from rules.contract.actions import Action, Description
from rules.contract.events import Item, Note, Roll
from rules.contract.text import joined, text
from rules.core.action_kinds import Face
from rules.countup.actions.context import Context, OrderKind, way_left
from rules.countup.combat.melee import speed_of
from rules.countup.conditions import Doing
from rules.countup.penetration import Die, roll
from rules.countup.state import Figure, Resolution, Setup, present, weapon_of

STOWED = 5
"""Seconds to ready a weapon that is packed away (countup.md §2.7)."""
DRAWN = 2
"""Weapons that take no longer are drawn on the way; for others one stands (OURS)."""
_BY_SIZE: Mapping[str, int] = MappingProxyType({"S": 0, "M": 1, "L": 2})
"""Seconds to draw a weapon."""


def drawn_in(setup: Setup, who: int, figure: Figure, name: str) -> int:
    """Seconds until a weapon is in hand, a shield's strap not counted."""
    weapon = weapon_of(setup, who, name)
    if name in setup.beings[who].stowed and name not in figure.drawn:
        return STOWED
    if weapon.ranged:
        return 0 if weapon.thrown and weapon.knife else 1
    return _BY_SIZE.get(weapon.size, 1)


class Ready(OrderKind):
    """Take another weapon in hand."""

    do = "ready"
    face = Face("Ready", "Act", "0–5 s", "item", "ready", "y")
    doing = Doing.ARM
    rank = 2
    any_weapon = True
    at_the_end = True

    def why_not(self, context: Context) -> str | None:
        others = [w for w in context.being.weapons if w != context.figure.hand]
        return context.action_open() or (None if others else "no other weapon")

    def why_not_this(self, context: Context, action: Action) -> str | None:
        if action.weapon not in context.being.weapons or action.weapon == context.figure.hand:
            return text(
                "weapon: {weapon} is not among {weapons}",
                weapon=repr(action.weapon),
                weapons=joined(", ", context.being.weapons),
            )
        return None

    def candidates(self, context: Context) -> Iterator[Action]:
        for name in dict.fromkeys(context.being.weapons):
            yield Action(context.being.id, self.do, weapon=name)

    def describe(self, context: Context, action: Action | None = None) -> Description:
        if action is None or action.weapon is None:
            return self.button()
        figure = context.figure
        seconds = text("{n} s", n=drawn_in(context.setup, context.who, figure, action.weapon))
        two = weapon_of(context.setup, context.who, action.weapon).hands == 2
        if two and figure.shield is not None:
            seconds = text("{seconds}, and d4p s for the shield", seconds=seconds)
        elif not two and figure.slung is not None:
            seconds = text("{seconds}, and d4p+1 s for the shield", seconds=seconds)
        return self.button(cost=seconds)

    def follows(self, setup: Setup, who: int, figure: Figure, action: Action) -> bool:
        """Not simply drawn on the way: it is packed away, or a shield has to be strapped on or off for it."""
        name = action.weapon or ""
        straps = figure.shield if weapon_of(setup, who, name).hands == 2 else figure.slung
        return straps is not None or drawn_in(setup, who, figure, name) > DRAWN

    def resolve(self, resolution: Resolution, who: int, action: Action) -> None:
        """Small 0, medium 1, large 2 seconds, a bow 1, what is stowed 5, a shield from the back d4p + 1 more, one that
        both hands must be freed of d4p. In a fight the full speed of the new weapon is waited besides (B32)."""
        figure, name = resolution.figures[who], action.weapon or ""
        if name == figure.hand:
            return
        setup, weapon = resolution.setup, weapon_of(resolution.setup, who, name)
        takes = drawn_in(setup, who, figure, name)
        if takes == STOWED:
            resolution.change(who, drawn=(*figure.drawn, name))
        thrown = self._straps(resolution, who, two=weapon.hands == 2)
        ready = resolution.second + takes + sum(one.total for one in thrown)
        figure = resolution.figures[who]
        way = way_left(figure)
        busy = figure.busy if way is not None else max(figure.busy, ready)
        # in a melee the new weapon's whole time; away from it a blow's own time runs on, whatever is drawn meanwhile
        melee = any(present(resolution.figures[other]) for other in figure.contacts)
        anew = ready + speed_of(resolution.done(), who, weapon)
        due = anew if melee else max(figure.due, ready)
        resolution.change(who, hand=name, ready_at=ready, busy=busy, due=due, order=way, nocked=("", 0))
        resolution.events.append(
            Note(text=text("takes the {name} in hand", name=name), by=resolution.being(who).id, rolls=thrown)
        )

    def _straps(self, resolution: Resolution, who: int, *, two: bool) -> tuple[Roll, ...]:
        """A shield goes on the back for a weapon of two hands, and comes from there for one of one."""
        figure = resolution.figures[who]
        shield, slung = (None, figure.shield) if two else (figure.slung, None)
        if (slung if two else shield) is None:
            return ()
        resolution.dice.thrower = resolution.being(who).id
        thrown = roll(resolution.dice, "shield", (Die(1, 4),), 0 if two else 1)
        resolution.change(who, shield=shield, slung=slung)
        return (thrown,)


class PickUp(OrderKind):
    """Something at one's feet or beside one: a second."""

    do = "pick_up"
    face = Face("Pick up", "Act", "1 s", "item", "pick_up", "p")
    at_the_end = True

    def _there(self, context: Context) -> list[tuple[str, int]]:
        near = context.terrain.within(context.place, 1, context.being.space)
        return [(item, cell) for item, cell in context.state.floor if near >> cell & 1]

    def why_not_this(self, context: Context, action: Action) -> str | None:
        if action.item not in [item for item, _ in self._there(context)]:
            return text("item: {item} does not lie within reach", item=repr(action.item))
        return None

    def candidates(self, context: Context) -> Iterator[Action]:
        for item, cell in self._there(context):
            yield Action(context.being.id, self.do, item=item, at=cell)

    def resolve(self, resolution: Resolution, who: int, action: Action) -> None:
        near = resolution.terrain.within(resolution.figures[who].cell, 1, resolution.being(who).space)
        for number, (name, cell) in enumerate(resolution.floor):
            if name == action.item and near >> cell & 1:
                resolution.floor = (*resolution.floor[:number], *resolution.floor[number + 1 :])
                resolution.events.append(Item(by=resolution.being(who).id, item=name, how="picked_up"))
                if not resolution.figures[who].hand:
                    resolution.change(who, hand=name)
                break
        resolution.change(who, busy=resolution.second + 1, order=None)


READY_WEAPON, PICK_UP = Ready(), PickUp()
