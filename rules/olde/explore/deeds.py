"""What a hero may do with a minute of exploration, and how the exploration ends by choice (olde.md §8).

Deeds of a fight serve here as they are, for minutes instead of AP; walking, sneaking, care and the choice to fight are
ours. What takes no time worth counting (a door, a thing in hand) may be done beside it (R).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import msgspec

from rules.board.path import reach
from rules.board.sight import Grade
from rules.contract.actions import Action, Description, Offer
from rules.contract.events import Challenge as Told
from rules.contract.events import Moved
from rules.core.action_kinds import ActionKind, Face
from rules.olde.actions.context import Context, Deed
from rules.olde.actions.movement import Walk, shunned
from rules.olde.actions.obstacles import Search, spring, walk_into
from rules.olde.actions.table import ACTION_KINDS
from rules.olde.creation.camp import TIMES
from rules.olde.explore.care import Bind, Meal, Sort, Torch
from rules.olde.explore.minutes import danger, go, heed, know, slip_away, spend_minutes, spot
from rules.olde.explore.notice import LOUD, OPEN, SNEAKING, Manner, in_view
from rules.olde.explore.state import is_hero, lurkers, up
from rules.olde.magic.deeds import CastSpell, UseItem
from rules.olde.state import STANDING, Chance, OldeState, Resolution


def seen_foes(context: Context) -> list[int]:
    """The watchers whom some hero sees."""
    state, out = context.state, []
    heroes = [i for i, figure in enumerate(state.figures) if is_hero(context.setup, i) and up(figure)]
    for i, figure in enumerate(state.figures):
        if is_hero(context.setup, i) or figure.cell < 0 or figure.hp <= 0:
            continue
        if any(in_view(state, hero, i, figure.cell) is not Grade.NONE for hero in heroes):
            out.append(i)
    return out


class Choice(ActionKind[Context]):
    """Something to settle on; it takes no time."""

    minutes = 0

    def __init__(self, do: str, face: Face) -> None:
        self.do, self.face = do, face


class Ambush(Choice):
    """Fall upon those in sight: the fight begins, and whoever has noticed nothing is caught unaware."""

    def why_not(self, context: Context) -> str | None:
        return None if seen_foes(context) else "no adversary is in sight"

    def resolve(self, resolution: Resolution, who: int, action: Action) -> None:
        danger(resolution)


class Shout(Choice):
    """Call the adversaries out: the fight begins, and nobody awake is caught unaware."""

    def resolve(self, resolution: Resolution, who: int, action: Action) -> None:
        danger(resolution, loud=True)


class Leave(Choice):
    """Slip out by an exit, once every hero who can go stands on one: nobody has to be fought."""

    def why_not(self, context: Context) -> str | None:
        if not context.field.exits:
            return "this map has no exit"
        for i, figure in enumerate(context.state.figures):
            fighter = context.setup.fighters[i]
            if is_hero(context.setup, i) and up(figure):
                if not context.terrain.footprint(figure.cell, fighter.space) & context.field.exits:
                    return f"{fighter.name} does not stand at an exit"
        return None

    def resolve(self, resolution: Resolution, who: int, action: Action) -> None:
        slip_away(resolution)


class Wait(Choice):
    """Let the minute pass."""

    minutes = 1

    def resolve(self, resolution: Resolution, who: int, action: Action) -> None:
        return None


TILE = 6
"""Spaces that one crosses in a minute; half of it sneaking (R)."""
SEARCHED = 4
"""Spaces around oneself that a minute's search covers."""
AP = 3
"""What a deed of a fight may cost at most: a minute pays for each of them."""


class Timed(Protocol):
    """One kind of thing to do with a minute."""

    face: Face
    minutes: int

    def why_not(self, context: Context) -> str | None: ...

    def refusal(self, context: Context, action: Action) -> str | None: ...

    def instances(self, context: Context) -> Iterator[Action]: ...

    def resolve(self, resolution: Resolution, who: int, action: Action) -> None: ...


def look_of(state: OldeState, who: int) -> Context:
    """A hero's situation: with all the AP of a round to spend, and without those who lie in hiding."""
    figures = list(state.figures)
    figures[who] = msgspec.structs.replace(figures[who], ap=AP, ap_start=AP)
    for other in sorted(lurkers(state, (state.setup.fighters[who].side,))):
        figures[other] = msgspec.structs.replace(figures[other], cell=-1)
    return Context(msgspec.structs.replace(state, figures=tuple(figures)), Chance(who))


def _label(minutes: int) -> str:
    return "no time" if not minutes else "1 minute" if minutes == 1 else f"{minutes} minutes"


# -- ways -------------------------------------------------------------------------------------------------


class Stroll(Walk):
    """Cross a tile, openly or sneaking: a way of up to so many spaces."""

    minutes = TIMES["cross a tile"]
    span = "in this minute"

    def __init__(self, do: str, spaces: int, manner: Manner, face: Face) -> None:
        super().__init__(do, face)
        self.limit, self.manner = spaces, manner

    def budget(self, context: Context) -> int:
        return self.limit

    def why_not(self, context: Context) -> str | None:
        blocked = context.move_open()
        if blocked is None and context.figure.posture != STANDING:
            blocked = f"{context.figure.posture}: Rise first"
        return blocked

    @staticmethod
    def _crowded(context: Context, path: tuple[int, ...]) -> str | None:
        if context.terrain.footprint(path[-1], context.fighter.space) & context.crowd.foes:
            return f"path: {context.name(path[-1])} is an enemy's; nobody goes there unnoticed"
        return Walk._crowded(context, path)

    def instances(self, context: Context) -> Iterator[Action]:
        if self.why_not(context):
            return iter(())
        crowd = context.crowd
        ways = reach(
            context.terrain, context.figure.cell, self.limit, size=context.fighter.space, blocked=crowd.foes,
            unstoppable=crowd.allies,
        )  # fmt: skip
        nearer = shunned(context) if context.figure.effects else 0
        by, do = context.fighter.id, self.do
        return iter([Action(by, do, path=path) for path in ways.paths() if not nearer >> path[-1] & 1])

    def resolve(self, resolution: Resolution, who: int, action: Action) -> None:
        start, allies = resolution.figures[who].cell, look_of(resolution.state, who).crowd.allies
        way, trap = (action.path, -1) if not resolution.state.challenges else walk_into(resolution, who, action.path)
        gone, noticed, sprung = go(resolution, who, way, self.manner)
        stop = gone
        while stop and stop < len(action.path) and allies >> way[stop - 1] & 1:
            stop -= 1  # nobody stays where an ally stands
        if stop:
            resolution.change(who, cell=way[stop - 1])
            path = tuple(map(resolution.space, way[:stop]))
            resolution.events.append(
                Moved(by=action.by, mode=self.do, start=resolution.space(start), path=path, cost=self.minutes)
            )
        if noticed or sprung:
            danger(resolution, noticed, sprung)
        elif trap >= 0 and gone == len(way):
            spring(resolution, who, trap)


# -- deeds of a fight -------------------------------------------------------------------------------------


class Borrowed:
    """A deed of a fight, done in a minute or beside what else is done in it."""

    def __init__(self, do: str, deed: Deed, minutes: int) -> None:
        self.do, self.deed, self.minutes = do, deed, minutes
        self.face = deed.face._replace(cost=_label(minutes), note="" if "AP" in deed.face.note else deed.face.note)

    def why_not(self, context: Context) -> str | None:
        return self.deed.why_not(context)

    def refusal(self, context: Context, action: Action) -> str | None:
        return self.deed.refusal(context, action)

    def instances(self, context: Context) -> Iterator[Action]:
        return self.deed.instances(context)

    def resolve(self, resolution: Resolution, who: int, action: Action) -> None:
        self.deed.perform(resolution, action, 0)


class Magic(Borrowed):
    """A spell, blessing or item for one of one's own: what strikes adversaries waits for the fight (R)."""

    def refusal(self, context: Context, action: Action) -> str | None:
        found = self.deed.refusal(context, action)
        if found is None and not self._own(context, action):
            return "target: needs one of one's own; whoever strikes at adversaries begins the fight first"
        return found

    @staticmethod
    def _own(context: Context, action: Action) -> bool:
        who = context.setup.index.get(action.target or "")
        return who is not None and context.setup.fighters[who].side == context.fighter.side

    def instances(self, context: Context) -> Iterator[Action]:
        return (action for action in self.deed.instances(context) if self._own(context, action))

    def inside(self, context: Context, actions: tuple[Action, ...]) -> tuple[Offer, ...]:
        """An offer for each spell or item, with minutes in place of AP."""
        assert isinstance(self.deed, (CastSpell, UseItem))
        return tuple(
            msgspec.structs.replace(offer, description=in_minutes(offer.description))
            for offer in self.deed.inside(context, actions)
        )


def in_minutes(described: Description) -> Description:
    """A description with a minute in place of its AP: `1 minute · 2 Faith`."""
    price = described.cost.partition(" · ")[2]
    cost = " · ".join(part for part in (_label(1), price) if part)
    return msgspec.structs.replace(described, cost=cost, points=0, left=0, next_by=None)


class Searching(Search):
    """Search 4 spaces around oneself, for those in hiding as well."""

    minutes = TIMES["search 4 spaces"]
    radius = SEARCHED

    @staticmethod
    def known(context: Context) -> bool:
        """Always: nobody knows beforehand whether anything is hidden."""
        return True

    def resolve(self, resolution: Resolution, who: int, action: Action) -> None:
        super().perform(resolution, action, 0)
        total = next(e.rolls[0].total for e in reversed(resolution.events) if hasattr(e, "rolls"))
        cell = resolution.figures[who].cell
        around = resolution.terrain.within(cell, SEARCHED, resolution.fighter(who).space)
        for other, hides in enumerate(know(resolution).hides):
            if 0 < hides <= total and not know(resolution).spotted >> other & 1:
                there = resolution.terrain.footprint(resolution.figures[other].cell, resolution.fighter(other).space)
                if there & around and in_view(resolution.done(), other, who, cell) is not Grade.NONE:
                    spot(resolution, who, other)


# -- the table ------------------------------------------------------------------------------------------------

_FIGHT_ONLY = (
    "free_steps", "step", "run", "drop", "flop", "attack", "rushed_attack", "all_out_attack", "aimed_shot",
    "shield_block", "cast", "use", "recover", "guide", "call_for_help", "intimidate", "search",
)  # fmt: skip
_AT_ONCE = (
    "open",
    "close",
    "lock",
    "unlock",
    "take_key",
    "ready",
    "drop_item",
    "pick_up",
    "rise",
    "reset_crossbow",
)
"""Takes no time worth counting."""
LOUDLY = ("Burst", "Lift/Shift")
"""Skills that are heard far off."""

EXPLORING: dict[str, Timed] = {
    "sneak": Stroll("sneak", TILE // 2, SNEAKING, Face("Sneak", "Move", "1 minute", "path", "sneak", "1",
                                                       "3 spaces, Sneak against Alertness")),
    "walk": Stroll("walk", TILE, OPEN, Face("Walk", "Move", "1 minute", "path", "step", "2",
                                            "6 spaces, seen by all in whose view it leads")),
    "ambush": Ambush("ambush", Face("Ambush", "Act", "the fight begins", "none", "attack", "4",
                          "whoever noticed nothing is caught unaware: 1 AP")),
    "search": Searching(Face("Search", "Act", "1 minute", "none", "eye", "e",
                             "4 spaces around: secret doors, traps, those in hiding")),
    **{
        do: Borrowed(do, deed, 0 if do in _AT_ONCE else 1)
        for do, deed in ACTION_KINDS.items()
        if do not in _FIGHT_ONLY
    },
    "cast": Magic("cast", ACTION_KINDS["cast"], 1),
    "use": Magic("use", ACTION_KINDS["use"], 1),
    "bind": Bind(Face("Bind wounds", "Act", _label(Bind.minutes), "creature", "heart", "b", "once: 1 or 2 HP back")),
    "sort": Sort(Face("Sort chest", "Act", _label(Sort.minutes), "item", "pick_up", "shift+n", "an open chest beside")),
    "meal": Meal("meal", Face("Quick meal", "Act", _label(TIMES["quick meal"]), "none", "recover", "v",
                              "once: 5 Mana and 5 Faith back")),
    "camp": Meal("camp", Face("Camp", "Act", _label(TIMES["camp"]), "none", "stable", "shift+v",
                              "Mana and Faith in full")),
    "light": Torch("light", Face("Light up", "Act", "1 minute", "none", "light", "5", "the light that one carries")),
    "douse": Torch("douse", Face("Put out light", "Act", "no time", "none", "dark", "6", "the light that one carries")),
    "shout": Shout("shout", Face("Challenge", "Act", "the fight begins", "none", "call", "3",
                                "nobody awake is caught unaware")),
    "leave": Leave("leave", Face("Slip away", "Act", "the end", "none", "door", "q", "by an exit, all together")),
    "end": Wait("end", Face("Wait", "End", "1 minute", "none", "hourglass", "ctrl+enter", "let this minute pass")),
}  # fmt: skip


def carry_out(resolution: Resolution, context: Context, action: Action) -> None:
    """Do something in an exploration, with the time that it takes, and with whoever hears or sees it."""
    timed, who, count = EXPLORING[action.do], context.who, len(resolution.events)
    resolution.chance = Chance(who)
    timed.resolve(resolution, who, action)
    resolution.chance = None
    if resolution.phase != "explore":
        return
    spend_minutes(resolution, who, timed.minutes)
    if isinstance(timed, Borrowed) or resolution.state.challenges:
        sprung = any(isinstance(e, Told) and e.state == "sprung" for e in resolution.events[count:])
        moved = isinstance(timed, Borrowed) and resolution.figures[who].cell != context.figure.cell
        loud = sprung or (isinstance(timed, Borrowed) and action.option in LOUDLY)
        if loud or moved:
            _, noticed, ambushers = go(resolution, who, (resolution.figures[who].cell,), LOUD if loud else OPEN)
            if noticed or ambushers:
                danger(resolution, noticed, ambushers)
    if resolution.phase == "explore":
        heed(resolution, range(len(resolution.figures)))
