"""Orders that are no fighting: gear, facing, waiting, things on the floor, spells (countup.md §2.7, §2.8)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.board.sight import Grade, grade
from rules.contract.actions import Action
from rules.core.action_kinds import ActionKind, Face
from rules.countup.actions.context import Act, Context
from rules.countup.actions.doors import known_doors
from rules.countup.light import smoke_between
from rules.countup.magic.model import Spell
from rules.countup.magic.spells import points_for, prayers_left, reach_for, spell_of

HOLD = (1, 3, 5, 10)


class Ready(ActionKind[Context]):
    """Take another weapon in hand."""

    face = Face("Ready", "Act", "0–5 s", "item", "ready", "y")

    def why_not(self, context: Context) -> str | None:
        others = [w for w in context.being.weapons if w != context.figure.hand]
        return context.action_open() or (None if others else "no other weapon")

    def why_not_this(self, context: Context, action: Action) -> str | None:
        if action.weapon not in context.being.weapons or action.weapon == context.figure.hand:
            return f"weapon: {action.weapon!r} is not among {', '.join(context.being.weapons)}"
        return None

    def candidates(self, context: Context) -> Iterator[Action]:
        for name in dict.fromkeys(context.being.weapons):
            yield Action(context.being.id, "ready", weapon=name)


class Turn(Act):
    """Face another way: free with a way or a deed, else a second (countup.md §2.7)."""

    face = Face("Turn", "Act", "free", "facing", "guide", "t", "free with a way or a deed")

    def refusal(self, context: Context, action: Action) -> str | None:
        if action.option not in [str(n) for n in range(8)]:
            return f"option: {action.option!r}; a facing from 0 (north) clockwise to 7"
        return self.why_not(context)

    def instances(self, context: Context) -> Iterator[Action]:
        if self.why_not(context) is None:
            now = context.figure.facing if context.order.facing < 0 else context.order.facing
            for number in range(8):
                if number != now:
                    yield Action(context.being.id, "turn", option=str(number))


class Wait(Act):
    """Do nothing for some seconds, on guard."""

    face = Face("Hold", "Act", "1–10 s", "option", "recover", "h")

    def refusal(self, context: Context, action: Action) -> str | None:
        if action.option is None or not action.option.isdigit() or not 1 <= int(action.option) <= 60:
            return f"option: {action.option!r}; 1 to 60 seconds"
        return self.why_not(context)

    def instances(self, context: Context) -> Iterator[Action]:
        if self.why_not(context) is None:
            for seconds in HOLD:
                yield Action(context.being.id, "hold", option=str(seconds))


class PickUp(Act):
    """Something at one's feet or beside one: a second."""

    face = Face("Pick up", "Act", "1 s", "item", "pick_up", "p")

    def _there(self, context: Context) -> list[tuple[str, int]]:
        near = context.terrain.within(context.place, 1, context.being.space)
        return [(item, cell) for item, cell in context.state.floor if near >> cell & 1]

    def why_not_this(self, context: Context, action: Action) -> str | None:
        if action.item not in [item for item, _ in self._there(context)]:
            return f"item: {action.item!r} does not lie within reach"
        return None

    def candidates(self, context: Context) -> Iterator[Action]:
        for item, cell in self._there(context):
            yield Action(context.being.id, "pick_up", item=item, at=cell)


def short_of(context: Context, spell: Spell) -> str | None:
    """What a caster lacks for a spell, wherever it is aimed; None if nothing."""
    if spell.divine and prayers_left(context.being, context.figure, spell) <= 0:
        return "was granted and is spent"
    points = points_for(context.being, spell)
    if points > context.figure.points:
        return f"{points} spell points; {context.figure.points} are left"
    return None


class Cast(ActionKind[Context]):
    """Begin a spell (countup.md §2.8)."""

    face = Face("Cast", "Act", "casting time", "item", "cast", "5")

    def why_not(self, context: Context) -> str | None:
        reason = context.action_open()
        if reason is not None:
            return reason
        if context.figure.fatigue > context.state.second:
            return "spell fatigue"
        return None if context.being.spells else "knows no spells"

    def why_not_this(self, context: Context, action: Action) -> str | None:
        if action.item not in context.being.spells:
            return f"item: {action.item!r} is not known; there are {', '.join(context.being.spells)}"
        spell = spell_of(context.state, action.item or "")
        short = short_of(context, spell)
        return f"{spell.name}: {short}" if short else self._aim(context, spell, action)

    def _aim(self, context: Context, spell: Spell, action: Action) -> str | None:
        if spell.needs == "none":
            return None
        across = 1
        if spell.needs in ("creature", "ally"):
            target = context.find(action.target)
            if target is None and action.target == context.being.id and spell.needs == "ally":
                return None
            if target is None:
                return f"target: {action.target!r} is not here"
            cell = context.state.figures[target].cell
            foe, figure = context.setup.beings[target], context.state.figures[target]
            across = foe.space
            if spell.each_second and not (foe.armour or figure.shield or figure.hand):
                return f"target: {foe.name} has no metal on"
        elif action.at is None or not 0 <= action.at < context.terrain.field.width * context.terrain.field.height:
            return "at: needs a space of the map"
        else:
            cell = action.at
            if spell.needs == "door" and all(cell not in (d.cell, d.edge) for d in known_doors(context)):
                return "at: no door is there"
        start, sizes = context.place, (context.being.space, across)
        distance = context.terrain.distance(start, cell, *sizes)
        reach = reach_for(context.being, spell)
        if distance > max(1, reach):
            return f"{spell.name} reaches {reach * 5} ft, not {distance * 5}"
        if distance and grade(context.terrain, start, cell, *sizes) is Grade.NONE:
            return "no line of sight"
        if distance and smoke_between(context.state, start, cell, *sizes):
            return "smoke hides it"
        return None

    def candidates(self, context: Context) -> Iterator[Action]:
        for name in dict.fromkeys(context.being.spells):
            yield from self._aims(context, spell_of(context.state, name))

    def _aims(self, context: Context, spell: Spell) -> Iterator[Action]:
        me = context.being.id
        if spell.needs == "none":
            yield Action(me, "cast", item=spell.name)
        elif spell.needs == "door":
            for door in known_doors(context):
                yield Action(me, "cast", item=spell.name, at=door.cell)
        elif spell.needs == "space":
            for target in context.others():  # areas are aimed at somebody; any other space is as legal
                yield Action(me, "cast", item=spell.name, at=context.state.figures[target].cell)
        elif spell.needs in ("creature", "ally"):
            own = [context.who] if spell.needs == "ally" else []
            for target in (*own, *context.others()):
                yield Action(me, "cast", item=spell.name, target=context.setup.beings[target].id)
