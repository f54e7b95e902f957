"""What else a creature may plan: held blows, readiness, trips and grips, bandages, retreat, doors (cairn.md §2)."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from rules.board.bitboard import board_of, cells_of
from rules.board.grid import Door
from rules.cairn.actions.hidden import door_named, door_state
from rules.cairn.actions.manoeuvres import better
from rules.cairn.actions.plans import MANOEUVRES, ByHand, Context, Strikes, planned_end, suffers
from rules.cairn.combat.attack import prepare, strike_all, weapon_of, wielded
from rules.cairn.combat.injury import clock
from rules.cairn.conditions import PANICKED, STUCK, Condition
from rules.cairn.gear import Weapon
from rules.cairn.magic.casting import cast
from rules.cairn.magic.deeds import Cast, source
from rules.cairn.magic.ground import in_hand
from rules.cairn.state import CairnState, Figure, Resolution, able, present
from rules.cairn.visibility import eyes, unseen
from rules.contract.actions import Action
from rules.contract.events import Event, Moved
from rules.core.action_kinds import ActionKind, Face


class Daring(Strikes):
    """A blow out of a daring manoeuvre: a DEX save makes it enhanced; failed, one lies there and strikes nothing
    (cairn.md §2.2, §2.12)."""

    do = "daring"
    face = Face("Daring blow", "Act", "action", "creature", "rushed_attack", "6", "DEX save: a d12, or a fall")

    def reason(self, context: Context, target: int, weapon: Weapon) -> str | None:
        """Hand to hand alone: from afar there would be no risk in it."""
        if not weapon.reach or context.distance(target) > weapon.reach + context.stretch(weapon):
            return f"target: {context.setup.beings[target].name} is out of reach; daring is for hand to hand"
        return super().reason(context, target, weapon)


class Manoeuvre(ByHand):
    """Trip, shove or grapple a neighbour: the actor is most at risk and saves (cairn.md §2.12)."""

    harms = True
    face = Face(
        "Manoeuvre",
        "Act",
        "action",
        "creature",
        "guide",
        "7",
        "trip, shove or grapple; STR save, a trip by DEX too",
    )

    def why_not_this(self, context: Context, action: Action) -> str | None:
        if action.option not in MANOEUVRES:
            return f"option: needs one of {', '.join(MANOEUVRES)}, got {action.option!r}"
        target = context.find(action.target)
        if target is None or context.state.figures[target].dead:
            return f"target: {action.target!r} is not here"
        if target == context.who:
            return "target: that takes two"
        if not context.beside(target):
            return f"target: {context.setup.beings[target].name} is not adjacent"
        hidden = unseen(context.state, context.who, target, context.place)
        if hidden:
            return f"target: {context.setup.beings[target].name} {hidden}"
        if context.befriended(target):
            return f"target: charmed, it won't harm {context.setup.beings[target].name}"
        return None

    def candidates(self, context: Context) -> Iterator[Action]:
        for target in context.others():
            foe = context.setup.beings[target]
            if foe.side != context.being.side and context.distance(target) <= 1:
                for option in MANOEUVRES:
                    yield Action(context.being.id, "manoeuvre", target=foe.id, option=option)


class Aid(ByHand):
    """Bandages stop the hour's clock of a neighbour's critical damage or mortal wound (cairn.md §2.6)."""

    face = Face("Bandage", "Act", "action", "creature", "first_aid", "9", "stops the clock of the dying")

    def why_not(self, context: Context) -> str | None:
        return super().why_not(context) or (None if bandages(context) else "no bandages left")

    def why_not_this(self, context: Context, action: Action) -> str | None:
        target = context.find(action.target)
        if target is None:
            return f"target: {action.target!r} is not here"
        if not clock(context.state.figures[target]):
            return f"target: {context.setup.beings[target].name} has no critical damage and no mortal wound to stop"
        return None if context.beside(target) else f"target: {context.setup.beings[target].name} is not adjacent"

    def candidates(self, context: Context) -> Iterator[Action]:
        for target in context.others():
            if context.setup.beings[target].side == context.being.side:
                yield Action(context.being.id, "bandage", target=context.setup.beings[target].id)


def bandages(context: Context) -> int:
    """Uses of bandages left: three to a roll."""
    carried = (*context.figure.hands, *context.figure.pack)
    if "bandages" not in carried:
        return 0
    used = dict(context.figure.used).get("bandages", 0)
    return 3 * carried.count("bandages") - used


class BreakFree(ActionKind[Context]):
    """Out of a web, a sack, a grip or a maw, or rid of stingers, by a STR or DEX save (cairn.md §2.12)."""

    do = "break_free"
    face = Face("Break free", "Act", "action", "none", "force", "b", "STR or DEX save, the better")

    def why_not(self, context: Context) -> str | None:
        return context.action_open() or (None if suffers(context.figure) else "not held")


class Help(ByHand):
    """Two act together: a neighbour is got out of what holds it, or out of its panic (cairn.md §2.12)."""

    face = Face("Help", "Act", "action", "creature", "help", "h", "a friend is freed, or takes heart")

    def why_not_this(self, context: Context, action: Action) -> str | None:
        target = context.find(action.target)
        if target is None or context.setup.beings[target].side != context.being.side:
            return f"target: {action.target!r} is no friend here"
        if target == context.who:
            return "target: nobody is its own help; break free"
        figure, name = context.state.figures[target], context.setup.beings[target].name
        if not needs_help(figure):
            return f"target: {name} is neither held nor panicked"
        return None if context.beside(target) else f"target: {name} is not adjacent"

    def candidates(self, context: Context) -> Iterator[Action]:
        for target in context.others():
            yield Action(context.being.id, "help", target=context.setup.beings[target].id)


def breaks_by(figure: Figure) -> str:
    """The attribute that breaks what holds somebody: STR alone out of a sticky floor, else the better of STR and DEX
    (cairn.md §2.12, §5.5)."""
    return "str" if suffers(figure) is STUCK else better(figure)


def needs_help(figure: Figure) -> Condition | None:
    """The condition that a friend can help somebody out of, or None."""
    return suffers(figure) or (PANICKED if figure.has(PANICKED) else None)


class Steady(ActionKind[Context]):
    """Overcome panic by a WIL save."""

    do = "steady"
    face = Face("Steady", "Act", "action", "none", "recover", "v", "WIL save against panic")

    def why_not(self, context: Context) -> str | None:
        return context.action_open() or (None if context.figure.has(PANICKED) else "not panicked")


class Retreat(ActionKind[Context]):
    """Leave the fight for good: the whole turn, a DEX save while foes are about (cairn.md §2.8)."""

    do = "retreat"
    face = Face("Retreat", "Act", "whole turn", "none", "run", "x", "DEX save, or the turn is lost")

    def why_not(self, context: Context) -> str | None:
        reason = context.action_open()
        if reason is not None:
            return reason
        if context.plan.moved:
            return "retreating takes the whole turn"
        if context.budget <= 0:
            return "cannot move"
        if refuge(context):
            return None
        return "no safe place to run to: a space at the map's edge or out of every foe's sight"


def refuge(context: Context) -> bool:
    """Whether it can get to the map's edge, or to where no able foe sees any of it, within two moves."""
    budget, size = 2 * context.budget - context.standing_cost(), context.being.space
    field, seen = context.terrain.field, _overseen(context)
    last = field.width * (field.height - 1)
    edge = board_of(
        (*range(field.width), *range(last, last + field.width), *range(0, last + 1, field.width),
         *range(field.width - 1, last + field.width, field.width))
    )  # fmt: skip
    found = context.ways(context.figure.cell, budget).cells | 1 << context.figure.cell
    return any(
        there & edge or not there & seen
        for there in (context.terrain.footprint(cell, size) for cell in cells_of(found))
    )


def _overseen(context: Context) -> int:
    """The spaces that able foes see."""
    seen = 0
    for i in _foes(context):
        seen |= eyes(context.state, i)
    return seen


def _foes(context: Context) -> list[int]:
    """The foes who are able to do something."""
    return [
        i
        for i in context.others()
        if context.setup.beings[i].side != context.being.side and able(context.state.figures[i])
    ]


def watched(context: Context) -> bool:
    """Whether an able foe sees it where it stands: then who retreats has to save (cairn.md §2.8)."""
    here = context.terrain.footprint(context.figure.cell, context.being.space)
    return any(
        eyes(context.state, i) & here and not unseen(context.state, i, context.who, context.state.figures[i].cell)
        for i in _foes(context)
    )


def held_shut(door: Door, state: str) -> bool:
    """Whether it takes strength to open a door: a lock, a bar, or a portcullis' own weight."""
    return state in ("locked", "barred") or (door.kind == "portcullis" and state == "closed")


def door_cells(door: Door) -> int:
    """The spaces from beside which a hand reaches a door: its own, or both that it stands between."""
    return 1 << door.cell | (1 << door.edge if door.edge is not None else 0)


def in_doorway(state: CairnState, door: Door) -> bool:
    """Whether anybody stands or lies where a door would close."""
    return any(
        present(figure) and state.terrain.footprint(figure.cell, being.space) & 1 << door.cell
        for figure, being in zip(state.figures, state.setup.beings, strict=True)
    )


class AtDoor(ByHand):
    """A deed at a door within reach of a hand that its side knows of."""

    do: str

    def fault(self, context: Context, number: int, door: Door, state: str) -> str | None:
        """Why this door won't do, or None."""
        raise NotImplementedError

    def why_not_this(self, context: Context, action: Action) -> str | None:
        number = door_named(context.state, context.being.side, action.target)
        if number is None:
            return f"target: no door is called {action.target!r}"
        door = context.terrain.field.doors[number]
        if not in_hand(context.state, context.who, context.place, door_cells(door)):
            return "target: the door is not within reach"
        return self.fault(context, number, door, door_state(context.state, context.being.side, number))

    def candidates(self, context: Context) -> Iterator[Action]:
        for door in context.terrain.field.doors:
            yield Action(context.being.id, self.do, target=door.id, at=door.cell)


class Force(AtDoor):
    """A locked or barred door broken open, or a portcullis lifted, by a STR save (cairn.md §2.12)."""

    do = "force"
    face = Face("Force", "Act", "action", "door", "force", "f", "STR save against lock, bar or weight")

    def fault(self, context: Context, number: int, door: Door, state: str) -> str | None:
        return None if held_shut(door, state) else "target: nothing holds that door shut"


class Doors(AtDoor):
    """`open` or `close` a door next to where one will stand."""

    def __init__(self, do: str, face: Face) -> None:
        self.do, self.face = do, face

    def fault(self, context: Context, number: int, door: Door, state: str) -> str | None:
        if state != ("closed" if self.do == "open" else "open"):
            return f"target: the door is {state}"
        if self.do == "open" and held_shut(door, state):
            return "target: a portcullis is too heavy to be opened; force it"
        if self.do == "close" and door.edge is None and self._taken(context, door):
            return "target: somebody stands in the doorway"
        return None

    @staticmethod
    def _taken(context: Context, door: Door) -> bool:
        """Whether somebody of whom its side knows will stand in the doorway by then, itself among them."""
        ends = [(context.who, context.place)]
        for i in context.known():
            plan, figure = context.state.plans[i], context.state.figures[i]
            own = context.setup.beings[i].side == context.being.side
            ends.append((i, planned_end(plan, figure) if own and plan is not None else figure.cell))
        beings = context.setup.beings
        return any(context.terrain.footprint(cell, beings[i].space) & 1 << door.cell for i, cell in ends)


TRIGGERS = ("comes", "acts")
"""What a thing can be held ready for: a foe that comes within reach, or one within reach that does something."""
WORDS = {"comes": "when a foe comes within reach", "acts": "before a foe within reach acts"}
_USES = {do: Cast(do, Face(do, "Act", "", "item", "", "")) for do in ("cast", "use")}


class Ready(ByHand):
    """A blow, or a power for one creature, held for the first foe that springs the trigger."""

    harms = True
    face = Face("Ready", "Act", "action", "item", "aimed_shot", "y", "held for the first foe that comes, or acts")

    def why_not_this(self, context: Context, action: Action) -> str | None:
        if action.option not in (None, *TRIGGERS):
            return f"option: needs one of {', '.join(TRIGGERS)}, got {action.option!r}"
        if action.item is not None:
            if action.item in held_powers(context):
                return None
            return f"item: {action.item!r} can't be held ready; there are {', '.join(held_powers(context)) or 'none'}"
        names = wielded(context.setup, context.who, context.figure)
        if action.weapon not in names:
            return f"weapon: {action.weapon!r} is not at hand; there are {', '.join(names)}"
        return None

    def instances(self, context: Context) -> Iterator[Action]:
        if self.why_not(context) is not None:
            return
        for trigger in TRIGGERS:
            for name in wielded(context.setup, context.who, context.figure):
                yield Action(context.being.id, "ready", weapon=name, option=trigger)
            for name in held_powers(context):
                yield Action(context.being.id, "ready", item=name, option=trigger)


def held_powers(context: Context) -> list[str]:
    """What harms one creature and could be held ready: books, scrolls, other things, own powers."""
    out = []
    for use in _USES.values():
        if use.why_not(context) is None:
            for name in use.names(context):
                found = source(context, name)
                if found is not None and found[0].needs == "creature" and found[0].harmful and not found[0].onto:
                    out.append(name)
    return out


def spring(resolution: Resolution, begun: int, trigger: str, side: str, actors: tuple[int, ...] = ()) -> None:
    """Let go what is held for a trigger by those of other sides than `side`: foes that moved since the event `begun`
    (`comes`), or `actors`, who are about to do something (`acts`)."""
    kept, blows, powers = [], [], []
    for who, held in resolution.readied:
        if (
            resolution.being(who).side == side
            or not able(resolution.figures[who])
            or (held.option or "comes") != trigger
        ):
            kept.append((who, held))
            continue
        foes = (
            [resolution.setup.index[name] for name in _movers(resolution.events[begun:])]
            if trigger == "comes"
            else [*actors]
        )
        let_go = next((found for foe in foes if (found := _aimed(resolution, who, held, foe)) is not None), None)
        if let_go is None:
            kept.append((who, held))
        elif let_go.do == "attack":
            blows.append((who, let_go))
        else:
            powers.append((who, let_go))
    resolution.readied = tuple(kept)
    if blows:
        strike_all(resolution, blows)
    for who, action in powers:
        if able(resolution.figures[who]):
            cast(resolution, who, action)


def spring_own(resolution: Resolution, begun: int) -> None:
    """What was held ready in this very half, for foes that friends have pushed, pulled or frightened within reach."""
    side = resolution.setup.sides[resolution.half]
    for other in resolution.setup.sides:
        if other != side:
            spring(resolution, begun, "comes", other)


def _movers(events: list[Event]) -> list[str]:
    """Who moved, in order."""
    return list(dict.fromkeys(event.by for event in events if isinstance(event, Moved)))


def _aimed(resolution: Resolution, who: int, held: Action, foe: int) -> Action | None:
    """What is held, aimed at a foe; None where it does not reach."""
    if resolution.being(foe).side == resolution.being(who).side or not present(resolution.figures[foe]):
        return None
    state, target = resolution.done(), resolution.being(foe).id
    if held.item is not None:
        for do, use in _USES.items():
            action = Action(held.by, do, item=held.item, target=target)
            free = msgspec.structs.replace(state, plans=(None,) * len(state.plans))  # what was planned is done
            if use.refusal(Context(free, who), action) is None:
                return action
        return None
    weapon = weapon_of(resolution.setup, who, held.weapon or "")
    start, goal = resolution.figures[who].cell, resolution.figures[foe].cell
    if prepare(state, who, foe, weapon, (start, goal)) is None:
        return None
    return msgspec.structs.replace(held, do="attack", target=target, option=None)
