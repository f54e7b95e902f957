"""Orders that are no fighting: gear, facing, waiting, things on the floor, spells (countup.md §2.7, §2.8)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.board.sight import Grade, grade
from rules.contract.actions import Action
from rules.core.action_kinds import Aimed, Face
from rules.countup.actions.context import Act, Look
from rules.countup.actions.doors import known_doors
from rules.countup.light import smoke_between
from rules.countup.magic.model import Spell
from rules.countup.magic.spells import points_for, prayers_left, reach_for, spell_of

HOLD = (1, 3, 5, 10)


class Ready(Aimed[Look]):
    """Take another weapon in hand."""

    face = Face("Ready", "Act", "0–5 s", "item", "ready", "y")

    def hindrance(self, look: Look) -> str | None:
        others = [w for w in look.being.weapons if w != look.figure.hand]
        return look.action_open() or (None if others else "no other weapon")

    def flaw(self, look: Look, action: Action) -> str | None:
        if action.weapon not in look.being.weapons or action.weapon == look.figure.hand:
            return f"weapon: {action.weapon!r} is not among {', '.join(look.being.weapons)}"
        return None

    def aims(self, look: Look) -> Iterator[Action]:
        for name in dict.fromkeys(look.being.weapons):
            yield Action(look.being.id, "ready", weapon=name)


class Turn(Act):
    """Face another way: free with a way or a deed, else a second (countup.md §2.7)."""

    face = Face("Turn", "Act", "free", "facing", "guide", "t", "free with a way or a deed")

    def refusal(self, look: Look, action: Action) -> str | None:
        if action.option not in [str(n) for n in range(8)]:
            return f"option: {action.option!r}; a facing from 0 (north) clockwise to 7"
        return self.hindrance(look)

    def instances(self, look: Look) -> Iterator[Action]:
        if self.hindrance(look) is None:
            now = look.figure.facing if look.order.facing < 0 else look.order.facing
            for number in range(8):
                if number != now:
                    yield Action(look.being.id, "turn", option=str(number))


class Wait(Act):
    """Do nothing for some seconds, on guard."""

    face = Face("Hold", "Act", "1–10 s", "option", "recover", "h")

    def refusal(self, look: Look, action: Action) -> str | None:
        if action.option is None or not action.option.isdigit() or not 1 <= int(action.option) <= 60:
            return f"option: {action.option!r}; 1 to 60 seconds"
        return self.hindrance(look)

    def instances(self, look: Look) -> Iterator[Action]:
        if self.hindrance(look) is None:
            for seconds in HOLD:
                yield Action(look.being.id, "hold", option=str(seconds))


class PickUp(Act, Aimed[Look]):
    """Something at one's feet or beside one: a second."""

    face = Face("Pick up", "Act", "1 s", "item", "pick_up", "p")

    def _there(self, look: Look) -> list[tuple[str, int]]:
        near = look.terrain.within(look.place, 1, look.being.space)
        return [(item, cell) for item, cell in look.state.floor if near >> cell & 1]

    def flaw(self, look: Look, action: Action) -> str | None:
        if action.item not in [item for item, _ in self._there(look)]:
            return f"item: {action.item!r} does not lie within reach"
        return None

    def aims(self, look: Look) -> Iterator[Action]:
        for item, cell in self._there(look):
            yield Action(look.being.id, "pick_up", item=item, at=cell)


def short_of(look: Look, spell: Spell) -> str | None:
    """What a caster lacks for a spell, wherever it is aimed; None if nothing."""
    if spell.divine and prayers_left(look.being, look.figure, spell) <= 0:
        return "was granted and is spent"
    points = points_for(look.being, spell)
    if points > look.figure.points:
        return f"{points} spell points; {look.figure.points} are left"
    return None


class Cast(Aimed[Look]):
    """Begin a spell (countup.md §2.8)."""

    face = Face("Cast", "Act", "casting time", "item", "cast", "5")

    def hindrance(self, look: Look) -> str | None:
        reason = look.action_open()
        if reason is not None:
            return reason
        if look.figure.fatigue > look.state.second:
            return "spell fatigue"
        return None if look.being.spells else "knows no spells"

    def flaw(self, look: Look, action: Action) -> str | None:
        if action.item not in look.being.spells:
            return f"item: {action.item!r} is not known; there are {', '.join(look.being.spells)}"
        spell = spell_of(look.state, action.item or "")
        short = short_of(look, spell)
        return f"{spell.name}: {short}" if short else self._aim(look, spell, action)

    def _aim(self, look: Look, spell: Spell, action: Action) -> str | None:
        if spell.needs == "none":
            return None
        across = 1
        if spell.needs in ("creature", "ally"):
            target = look.find(action.target)
            if target is None and action.target == look.being.id and spell.needs == "ally":
                return None
            if target is None:
                return f"target: {action.target!r} is not here"
            cell = look.state.figures[target].cell
            foe, figure = look.setup.beings[target], look.state.figures[target]
            across = foe.space
            if spell.each_second and not (foe.armour or figure.shield or figure.hand):
                return f"target: {foe.name} has no metal on"
        elif action.at is None or not 0 <= action.at < look.terrain.field.width * look.terrain.field.height:
            return "at: needs a space of the map"
        else:
            cell = action.at
            if spell.needs == "door" and all(cell not in (d.cell, d.edge) for d in known_doors(look)):
                return "at: no door is there"
        start, sizes = look.place, (look.being.space, across)
        distance = look.terrain.distance(start, cell, *sizes)
        reach = reach_for(look.being, spell)
        if distance > max(1, reach):
            return f"{spell.name} reaches {reach * 5} ft, not {distance * 5}"
        if distance and grade(look.terrain, start, cell, *sizes) is Grade.NONE:
            return "no line of sight"
        if distance and smoke_between(look.state, start, cell, *sizes):
            return "smoke hides it"
        return None

    def aims(self, look: Look) -> Iterator[Action]:
        for name in dict.fromkeys(look.being.spells):
            yield from self._aims(look, spell_of(look.state, name))

    def _aims(self, look: Look, spell: Spell) -> Iterator[Action]:
        me = look.being.id
        if spell.needs == "none":
            yield Action(me, "cast", item=spell.name)
        elif spell.needs == "door":
            for door in known_doors(look):
                yield Action(me, "cast", item=spell.name, at=door.cell)
        elif spell.needs == "space":
            for target in look.others():  # areas are aimed at somebody; any other space is as legal
                yield Action(me, "cast", item=spell.name, at=look.state.figures[target].cell)
        elif spell.needs in ("creature", "ally"):
            own = [look.who] if spell.needs == "ally" else []
            for target in (*own, *look.others()):
                yield Action(me, "cast", item=spell.name, target=look.setup.beings[target].id)
