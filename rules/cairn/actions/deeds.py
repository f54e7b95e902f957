"""What else a creature may plan: held blows, readiness, trips and grips, bandages, retreat, doors (cairn.md §2)."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from rules.board.bitboard import board_of, cells_of
from rules.board.grid import Door
from rules.cairn.actions.hidden import door_named, door_state
from rules.cairn.actions.manoeuvres import better
from rules.cairn.actions.plans import MANOEUVRES, ByHand, Look, Strikes, planned_end, suffers
from rules.cairn.combat.attack import prepare, strike_all, weapon_of, wielded
from rules.cairn.combat.injury import clock
from rules.cairn.gear import Weapon
from rules.cairn.magic.casting import cast
from rules.cairn.magic.deeds import Cast, source
from rules.cairn.magic.ground import in_hand
from rules.cairn.state import CairnState, Figure, Work, able, present
from rules.cairn.visibility import eyes, unseen
from rules.contract.actions import Action
from rules.contract.events import Event, Moved
from rules.core.action_kinds import Aimed, Face, Plain


class Daring(Strikes):
    """A blow out of a daring manoeuvre: a DEX save makes it enhanced; failed, one lies there and strikes nothing
    (cairn.md §2.2, §2.12)."""

    do = "daring"
    face = Face(
        "Daring blow", "Act", "action", "creature", "rushed_attack", "6", "DEX save: a d12, or a fall"
    )

    def reason(self, look: Look, target: int, weapon: Weapon) -> str | None:
        """Hand to hand alone: from afar there would be no risk in it."""
        if not weapon.reach or look.distance(target) > weapon.reach + look.stretch(weapon):
            return f"target: {look.setup.beings[target].name} is out of reach; daring is for hand to hand"
        return super().reason(look, target, weapon)


class Manoeuvre(ByHand, Aimed[Look]):
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

    def flaw(self, look: Look, action: Action) -> str | None:
        if action.option not in MANOEUVRES:
            return f"option: needs one of {', '.join(MANOEUVRES)}, got {action.option!r}"
        target = look.find(action.target)
        if target is None or look.state.figures[target].dead:
            return f"target: {action.target!r} is not here"
        if target == look.who:
            return "target: that takes two"
        if not look.beside(target):
            return f"target: {look.setup.beings[target].name} is not adjacent"
        hidden = unseen(look.state, look.who, target, look.place)
        if hidden:
            return f"target: {look.setup.beings[target].name} {hidden}"
        if look.befriended(target):
            return f"target: charmed, it won't harm {look.setup.beings[target].name}"
        return None

    def aims(self, look: Look) -> Iterator[Action]:
        for target in look.others():
            foe = look.setup.beings[target]
            if foe.side != look.being.side and look.distance(target) <= 1:
                for option in MANOEUVRES:
                    yield Action(look.being.id, "manoeuvre", target=foe.id, option=option)


class Aid(ByHand, Aimed[Look]):
    """Bandages stop the hour's clock of a neighbour's critical damage or mortal wound (cairn.md §2.6)."""

    face = Face("Bandage", "Act", "action", "creature", "first_aid", "9", "stops the clock of the dying")

    def hindrance(self, look: Look) -> str | None:
        return super().hindrance(look) or (None if bandages(look) else "no bandages left")

    def flaw(self, look: Look, action: Action) -> str | None:
        target = look.find(action.target)
        if target is None:
            return f"target: {action.target!r} is not here"
        if not clock(look.state.figures[target]):
            return (
                f"target: {look.setup.beings[target].name} has no critical damage and no mortal wound to stop"
            )
        return None if look.beside(target) else f"target: {look.setup.beings[target].name} is not adjacent"

    def aims(self, look: Look) -> Iterator[Action]:
        for target in look.others():
            if look.setup.beings[target].side == look.being.side:
                yield Action(look.being.id, "bandage", target=look.setup.beings[target].id)


def bandages(look: Look) -> int:
    """Uses of bandages left: three to a roll."""
    carried = (*look.figure.hands, *look.figure.pack)
    if "bandages" not in carried:
        return 0
    used = dict(look.figure.used).get("bandages", 0)
    return 3 * carried.count("bandages") - used


class BreakFree(Plain[Look]):
    """Out of a web, a sack, a grip or a maw, or rid of stingers, by a STR or DEX save (cairn.md §2.12)."""

    do = "break_free"
    face = Face("Break free", "Act", "action", "none", "force", "b", "STR or DEX save, the better")

    def hindrance(self, look: Look) -> str | None:
        return look.action_open() or (None if suffers(look.figure) else "not held")


class Help(ByHand, Aimed[Look]):
    """Two act together: a neighbour is got out of what holds it, or out of its panic (cairn.md §2.12)."""

    face = Face("Help", "Act", "action", "creature", "help", "h", "a friend is freed, or takes heart")

    def flaw(self, look: Look, action: Action) -> str | None:
        target = look.find(action.target)
        if target is None or look.setup.beings[target].side != look.being.side:
            return f"target: {action.target!r} is no friend here"
        if target == look.who:
            return "target: nobody is its own help; break free"
        figure, name = look.state.figures[target], look.setup.beings[target].name
        if not needs_help(figure):
            return f"target: {name} is neither held nor panicked"
        return None if look.beside(target) else f"target: {name} is not adjacent"

    def aims(self, look: Look) -> Iterator[Action]:
        for target in look.others():
            yield Action(look.being.id, "help", target=look.setup.beings[target].id)


def breaks_by(figure: Figure) -> str:
    """The attribute that breaks what holds somebody: STR alone out of a sticky floor, else the better of STR and DEX
    (cairn.md §2.12, §5.5)."""
    return "str" if suffers(figure) == "stuck" else better(figure)


def needs_help(figure: Figure) -> str:
    """The condition that a friend can help somebody out of, or nothing."""
    return suffers(figure) or ("panicked" if figure.has("panicked") else "")


class Steady(Plain[Look]):
    """Overcome panic by a WIL save."""

    do = "steady"
    face = Face("Steady", "Act", "action", "none", "recover", "v", "WIL save against panic")

    def hindrance(self, look: Look) -> str | None:
        return look.action_open() or (None if look.figure.has("panicked") else "not panicked")


class Retreat(Plain[Look]):
    """Leave the fight for good: the whole turn, a DEX save while foes are about (cairn.md §2.8)."""

    do = "retreat"
    face = Face("Retreat", "Act", "whole turn", "none", "run", "x", "DEX save, or the turn is lost")

    def hindrance(self, look: Look) -> str | None:
        reason = look.action_open()
        if reason is not None:
            return reason
        if look.plan.moved:
            return "retreating takes the whole turn"
        if look.budget <= 0:
            return "cannot move"
        if refuge(look):
            return None
        return "no safe place to run to: a space at the map's edge or out of every foe's sight"


def refuge(look: Look) -> bool:
    """Whether it can get to the map's edge, or to where no able foe sees any of it, within two moves."""
    budget, size = 2 * look.budget - look.standing_cost(), look.being.space
    field, seen = look.terrain.field, _overseen(look)
    last = field.width * (field.height - 1)
    edge = board_of(
        (*range(field.width), *range(last, last + field.width), *range(0, last + 1, field.width),
         *range(field.width - 1, last + field.width, field.width))
    )  # fmt: skip
    found = look.ways(look.figure.cell, budget).cells | 1 << look.figure.cell
    return any(
        there & edge or not there & seen
        for there in (look.terrain.footprint(cell, size) for cell in cells_of(found))
    )


def _overseen(look: Look) -> int:
    """The spaces that able foes see."""
    seen = 0
    for i in _foes(look):
        seen |= eyes(look.state, i)
    return seen


def _foes(look: Look) -> list[int]:
    """The foes who are able to do something."""
    return [
        i
        for i in look.others()
        if look.setup.beings[i].side != look.being.side and able(look.state.figures[i])
    ]


def watched(look: Look) -> bool:
    """Whether an able foe sees it where it stands: then who retreats has to save (cairn.md §2.8)."""
    here = look.terrain.footprint(look.figure.cell, look.being.space)
    return any(
        eyes(look.state, i) & here and not unseen(look.state, i, look.who, look.state.figures[i].cell)
        for i in _foes(look)
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


class AtDoor(ByHand, Aimed[Look]):
    """A deed at a door within reach of a hand that its side knows of."""

    do: str

    def fault(self, look: Look, number: int, door: Door, state: str) -> str | None:
        """Why this door won't do, or None."""
        raise NotImplementedError

    def flaw(self, look: Look, action: Action) -> str | None:
        number = door_named(look.state, look.being.side, action.target)
        if number is None:
            return f"target: no door is called {action.target!r}"
        door = look.terrain.field.doors[number]
        if not in_hand(look.state, look.who, look.place, door_cells(door)):
            return "target: the door is not within reach"
        return self.fault(look, number, door, door_state(look.state, look.being.side, number))

    def aims(self, look: Look) -> Iterator[Action]:
        for door in look.terrain.field.doors:
            yield Action(look.being.id, self.do, target=door.id, at=door.cell)


class Force(AtDoor):
    """A locked or barred door broken open, or a portcullis lifted, by a STR save (cairn.md §2.12)."""

    do = "force"
    face = Face("Force", "Act", "action", "door", "force", "f", "STR save against lock, bar or weight")

    def fault(self, look: Look, number: int, door: Door, state: str) -> str | None:
        return None if held_shut(door, state) else "target: nothing holds that door shut"


class Doors(AtDoor):
    """`open` or `close` a door next to where one will stand."""

    def __init__(self, do: str, face: Face) -> None:
        self.do, self.face = do, face

    def fault(self, look: Look, number: int, door: Door, state: str) -> str | None:
        if state != ("closed" if self.do == "open" else "open"):
            return f"target: the door is {state}"
        if self.do == "open" and held_shut(door, state):
            return "target: a portcullis is too heavy to be opened; force it"
        if self.do == "close" and door.edge is None and self._taken(look, door):
            return "target: somebody stands in the doorway"
        return None

    @staticmethod
    def _taken(look: Look, door: Door) -> bool:
        """Whether somebody of whom its side knows will stand in the doorway by then, itself among them."""
        ends = [(look.who, look.place)]
        for i in look.known():
            plan, figure = look.state.plans[i], look.state.figures[i]
            own = look.setup.beings[i].side == look.being.side
            ends.append((i, planned_end(plan, figure) if own and plan is not None else figure.cell))
        beings = look.setup.beings
        return any(look.terrain.footprint(cell, beings[i].space) & 1 << door.cell for i, cell in ends)


TRIGGERS = ("comes", "acts")
"""What a thing can be held ready for: a foe that comes within reach, or one within reach that does something."""
WORDS = {"comes": "when a foe comes within reach", "acts": "before a foe within reach acts"}
_USES = {do: Cast(do, Face(do, "Act", "", "item", "", "")) for do in ("cast", "use")}


class Ready(ByHand):
    """A blow, or a power for one creature, held for the first foe that springs the trigger."""

    harms = True
    face = Face(
        "Ready", "Act", "action", "item", "aimed_shot", "y", "held for the first foe that comes, or acts"
    )

    def flaw(self, look: Look, action: Action) -> str | None:
        if action.option not in (None, *TRIGGERS):
            return f"option: needs one of {', '.join(TRIGGERS)}, got {action.option!r}"
        if action.item is not None:
            if action.item in held_powers(look):
                return None
            return f"item: {action.item!r} can't be held ready; there are {', '.join(held_powers(look)) or 'none'}"
        names = wielded(look.setup, look.who, look.figure)
        if action.weapon not in names:
            return f"weapon: {action.weapon!r} is not at hand; there are {', '.join(names)}"
        return None

    def instances(self, look: Look) -> Iterator[Action]:
        if self.hindrance(look) is not None:
            return
        for trigger in TRIGGERS:
            for name in wielded(look.setup, look.who, look.figure):
                yield Action(look.being.id, "ready", weapon=name, option=trigger)
            for name in held_powers(look):
                yield Action(look.being.id, "ready", item=name, option=trigger)


def held_powers(look: Look) -> list[str]:
    """What harms one creature and could be held ready: books, scrolls, other things, own powers."""
    out = []
    for use in _USES.values():
        if use.hindrance(look) is None:
            for name in use.names(look):
                found = source(look, name)
                if (
                    found is not None
                    and found[0].needs == "creature"
                    and found[0].harmful
                    and not found[0].onto
                ):
                    out.append(name)
    return out


def spring(work: Work, begun: int, trigger: str, side: str, actors: tuple[int, ...] = ()) -> None:
    """Let go what is held for a trigger by those of other sides than `side`: foes that moved since the event `begun`
    (`comes`), or `actors`, who are about to do something (`acts`)."""
    kept, blows, powers = [], [], []
    for who, held in work.readied:
        if work.being(who).side == side or not able(work.figures[who]) or (held.option or "comes") != trigger:
            kept.append((who, held))
            continue
        foes = (
            [work.setup.index[name] for name in _movers(work.events[begun:])]
            if trigger == "comes"
            else [*actors]
        )
        let_go = next((found for foe in foes if (found := _aimed(work, who, held, foe)) is not None), None)
        if let_go is None:
            kept.append((who, held))
        elif let_go.do == "attack":
            blows.append((who, let_go))
        else:
            powers.append((who, let_go))
    work.readied = tuple(kept)
    if blows:
        strike_all(work, blows)
    for who, action in powers:
        if able(work.figures[who]):
            cast(work, who, action)


def spring_own(work: Work, begun: int) -> None:
    """What was held ready in this very half, for foes that friends have pushed, pulled or frightened within reach."""
    side = work.setup.sides[work.half]
    for other in work.setup.sides:
        if other != side:
            spring(work, begun, "comes", other)


def _movers(events: list[Event]) -> list[str]:
    """Who moved, in order."""
    return list(dict.fromkeys(event.by for event in events if isinstance(event, Moved)))


def _aimed(work: Work, who: int, held: Action, foe: int) -> Action | None:
    """What is held, aimed at a foe; None where it does not reach."""
    if work.being(foe).side == work.being(who).side or not present(work.figures[foe]):
        return None
    state, target = work.done(), work.being(foe).id
    if held.item is not None:
        for do, use in _USES.items():
            action = Action(held.by, do, item=held.item, target=target)
            free = msgspec.structs.replace(
                state, plans=(None,) * len(state.plans)
            )  # what was planned is done
            if use.refusal(Look(free, who), action) is None:
                return action
        return None
    weapon = weapon_of(work.setup, who, held.weapon or "")
    start, goal = work.figures[who].cell, work.figures[foe].cell
    if prepare(state, who, foe, weapon, start, goal) is None:
        return None
    return msgspec.structs.replace(held, do="attack", target=target, option=None)
