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
from rules.core.action_kinds import Face, Plain
from rules.olde.actions.deeds import Deed, Look
from rules.olde.actions.legal import DEEDS
from rules.olde.actions.movement import Walk, shunned
from rules.olde.actions.obstacles import Search, spring, walk_into
from rules.olde.creation.camp import TIMES
from rules.olde.explore.care import Bind, Meal, Sort, Torch
from rules.olde.explore.minutes import danger, go, heed, know, slip_away, spend_minutes, spot
from rules.olde.explore.notice import LOUD, OPEN, SNEAKING, Manner, in_view
from rules.olde.explore.state import is_hero, lurkers, up
from rules.olde.magic.deeds import CastSpell, UseItem
from rules.olde.state import Chance, OldeState, Work


def seen_foes(look: Look) -> list[int]:
    """The watchers whom some hero sees."""
    state, out = look.state, []
    heroes = [i for i, figure in enumerate(state.figures) if is_hero(look.setup, i) and up(figure)]
    for i, figure in enumerate(state.figures):
        if is_hero(look.setup, i) or figure.cell < 0 or figure.hp <= 0:
            continue
        if any(in_view(state, hero, i, figure.cell) is not Grade.NONE for hero in heroes):
            out.append(i)
    return out


class Choice(Plain[Look]):
    """Something to settle on; it takes no time."""

    minutes = 0

    def __init__(self, do: str, face: Face) -> None:
        self.do, self.face = do, face


class Ambush(Choice):
    """Fall upon those in sight: the fight begins, and whoever has noticed nothing is caught unaware."""

    def hindrance(self, look: Look) -> str | None:
        return None if seen_foes(look) else "no adversary is in sight"

    def resolve(self, work: Work, look: Look, action: Action) -> None:
        danger(work)


class Shout(Choice):
    """Call the adversaries out: the fight begins, and nobody awake is caught unaware."""

    def resolve(self, work: Work, look: Look, action: Action) -> None:
        danger(work, loud=True)


class Leave(Choice):
    """Slip out by an exit, once every hero who can go stands on one: nobody has to be fought."""

    def hindrance(self, look: Look) -> str | None:
        if not look.field.exits:
            return "this map has no exit"
        for i, figure in enumerate(look.state.figures):
            fighter = look.setup.fighters[i]
            if is_hero(look.setup, i) and up(figure):
                if not look.terrain.footprint(figure.cell, fighter.space) & look.field.exits:
                    return f"{fighter.name} does not stand at an exit"
        return None

    def resolve(self, work: Work, look: Look, action: Action) -> None:
        slip_away(work)


class Wait(Choice):
    """Let the minute pass."""

    minutes = 1

    def resolve(self, work: Work, look: Look, action: Action) -> None:
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

    def hindrance(self, look: Look) -> str | None: ...

    def refusal(self, look: Look, action: Action) -> str | None: ...

    def instances(self, look: Look) -> Iterator[Action]: ...

    def resolve(self, work: Work, look: Look, action: Action) -> None: ...


def look_of(state: OldeState, who: int) -> Look:
    """A hero's situation: with all the AP of a round to spend, and without those who lie in hiding."""
    figures = list(state.figures)
    figures[who] = msgspec.structs.replace(figures[who], ap=AP, ap_start=AP)
    for other in sorted(lurkers(state, (state.setup.fighters[who].side,))):
        figures[other] = msgspec.structs.replace(figures[other], cell=-1)
    return Look(msgspec.structs.replace(state, figures=tuple(figures)), Chance(who))


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

    def budget(self, look: Look) -> int:
        return self.limit

    def hindrance(self, look: Look) -> str | None:
        blocked = look.move_open()
        if blocked is None and look.figure.posture != "standing":
            blocked = f"{look.figure.posture}: Rise first"
        return blocked

    @staticmethod
    def _crowded(look: Look, path: tuple[int, ...]) -> str | None:
        if look.terrain.footprint(path[-1], look.fighter.space) & look.crowd.foes:
            return f"path: {look.name(path[-1])} is an enemy's; nobody goes there unnoticed"
        return Walk._crowded(look, path)

    def instances(self, look: Look) -> Iterator[Action]:
        if self.hindrance(look):
            return iter(())
        crowd = look.crowd
        ways = reach(
            look.terrain, look.figure.cell, self.limit, size=look.fighter.space, blocked=crowd.foes,
            unstoppable=crowd.allies,
        )  # fmt: skip
        nearer = shunned(look) if look.figure.effects else 0
        by, do = look.fighter.id, self.do
        return iter([Action(by, do, path=path) for path in ways.paths() if not nearer >> path[-1] & 1])

    def resolve(self, work: Work, look: Look, action: Action) -> None:
        who, start = look.who, look.figure.cell
        way, trap = (action.path, -1) if not work.state.challenges else walk_into(work, who, action.path)
        gone, noticed, sprung = go(work, who, way, self.manner)
        stop = gone
        while stop and stop < len(action.path) and look.crowd.allies >> way[stop - 1] & 1:
            stop -= 1  # nobody stays where an ally stands
        if stop:
            work.change(who, cell=way[stop - 1])
            path = tuple(map(work.space, way[:stop]))
            work.events.append(
                Moved(by=action.by, mode=self.do, start=work.space(start), path=path, cost=self.minutes)
            )
        if noticed or sprung:
            danger(work, noticed, sprung)
        elif trap >= 0 and gone == len(way):
            spring(work, who, trap)


# -- deeds of a fight -------------------------------------------------------------------------------------


class Borrowed:
    """A deed of a fight, done in a minute or beside what else is done in it."""

    def __init__(self, do: str, deed: Deed, minutes: int) -> None:
        self.do, self.deed, self.minutes = do, deed, minutes
        self.face = deed.face._replace(
            cost=_label(minutes), note="" if "AP" in deed.face.note else deed.face.note
        )

    def hindrance(self, look: Look) -> str | None:
        return self.deed.hindrance(look)

    def refusal(self, look: Look, action: Action) -> str | None:
        return self.deed.refusal(look, action)

    def instances(self, look: Look) -> Iterator[Action]:
        return self.deed.instances(look)

    def resolve(self, work: Work, look: Look, action: Action) -> None:
        self.deed.perform(work, action, 0)


class Magic(Borrowed):
    """A spell, blessing or item for one of one's own: what strikes adversaries waits for the fight (R)."""

    def refusal(self, look: Look, action: Action) -> str | None:
        found = self.deed.refusal(look, action)
        if found is None and not self._own(look, action):
            return "target: needs one of one's own; whoever strikes at adversaries begins the fight first"
        return found

    @staticmethod
    def _own(look: Look, action: Action) -> bool:
        who = look.setup.index.get(action.target or "")
        return who is not None and look.setup.fighters[who].side == look.fighter.side

    def instances(self, look: Look) -> Iterator[Action]:
        return (action for action in self.deed.instances(look) if self._own(look, action))

    def inside(self, look: Look, actions: tuple[Action, ...]) -> tuple[Offer, ...]:
        """An offer for each spell or item, with minutes in place of AP."""
        assert isinstance(self.deed, (CastSpell, UseItem))
        return tuple(
            msgspec.structs.replace(offer, description=in_minutes(offer.description))
            for offer in self.deed.inside(look, actions)
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
    def known(look: Look) -> bool:
        """Always: nobody knows beforehand whether anything is hidden."""
        return True

    def resolve(self, work: Work, look: Look, action: Action) -> None:
        super().perform(work, action, 0)
        total = next(e.rolls[0].total for e in reversed(work.events) if hasattr(e, "rolls"))
        around = work.terrain.within(look.figure.cell, SEARCHED, look.fighter.space)
        for other, hides in enumerate(know(work).hides):
            if 0 < hides <= total and not know(work).spotted >> other & 1:
                there = work.terrain.footprint(work.figures[other].cell, work.fighter(other).space)
                if (
                    there & around
                    and in_view(work.done(), other, look.who, look.figure.cell) is not Grade.NONE
                ):
                    spot(work, look.who, other)


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
        for do, deed in DEEDS.items()
        if do not in _FIGHT_ONLY
    },
    "cast": Magic("cast", DEEDS["cast"], 1),
    "use": Magic("use", DEEDS["use"], 1),
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


def carry_out(work: Work, look: Look, action: Action) -> None:
    """Do something in an exploration, with the time that it takes, and with whoever hears or sees it."""
    timed, who, count = EXPLORING[action.do], look.who, len(work.events)
    work.chance = Chance(who)
    timed.resolve(work, look, action)
    work.chance = None
    if work.phase != "explore":
        return
    spend_minutes(work, who, timed.minutes)
    if isinstance(timed, Borrowed) or work.state.challenges:
        sprung = any(isinstance(e, Told) and e.state == "sprung" for e in work.events[count:])
        moved = isinstance(timed, Borrowed) and work.figures[who].cell != look.figure.cell
        loud = sprung or (isinstance(timed, Borrowed) and action.option in LOUDLY)
        if loud or moved:
            _, noticed, ambushers = go(work, who, (work.figures[who].cell,), LOUD if loud else OPEN)
            if noticed or ambushers:
                danger(work, noticed, ambushers)
    if work.phase == "explore":
        heed(work, range(len(work.figures)))
