"""The game master's hand under Count-Up: pools, conditions, checks, and what follows when somebody comes or goes
(countup.md §10 hand)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from rules.contract.errors import RecordError
from rules.contract.events import Check, Door, Healing, Injury
from rules.contract.hand import Pool, Trial
from rules.contract.ruleset import Step
from rules.contract.text import text
from rules.contract.units import INSTANT, NO_CREATURE, NOWHERE, Cell, CreatureIx, Seconds, numbered
from rules.core.base_ruleset import step_of
from rules.core.hand.base_hands import Refusal
from rules.core.hand.hands import Hands
from rules.core.validate import creature
from rules.countup import conditions as cond
from rules.countup import visibility as knowledge
from rules.countup.actions.objects import lay_ground
from rules.countup.clock import run_on
from rules.countup.combat.injury import befall, fall, status
from rules.countup.combat.wounds import mended, suffered
from rules.countup.explore.minutes import MINUTES
from rules.countup.goals import KEEPER
from rules.countup.joining import arrive
from rules.countup.manners import Stance
from rules.countup.penetration import Die, roll
from rules.countup.skills import MOST, SKILLS, skill_of
from rules.countup.statblock import StatBlock
from rules.countup.state import FOREVER, Being, CountState, Gait, Phase, Resolution
from rules.explore import goals
from rules.explore.course import around

MOST_COINS = 1_000_000
MOST_SHOTS = 200
BECAUSE = "the game master's hand"
HELPLESS_FOR = 30
"""Seconds of helplessness where the hand says nothing else."""
LAID = (cond.ASLEEP, cond.BLIND, cond.BLURRED, cond.BLESSED, cond.SWIFT, cond.ENFEEBLED, cond.OFF_BALANCE, cond.BOUND,
        cond.CHARMED, cond.PANICKED, cond.ENRAGED)  # fmt: skip
GIVEN = (cond.PRONE.name, cond.HELPLESS.name, *(each.name for each in LAID))
"""The conditions that the hand gives and takes."""
_STILL: Mapping[str, Any] = {
    "order": None, "gait": Gait.NONE, "carry": 0, "straight": 0, "heading": -1, "toil": False, "held_by": NO_CREATURE,
    "sprinted": INSTANT, "stance": Stance.NONE, "until": INSTANT, "set_since": Seconds(-1), "broke": False,
}  # fmt: skip
"""Of somebody who is put elsewhere: it stands there, and is about nothing."""


class CountUpHand(Hands[Resolution]):
    """What the hand of the game master does under Count-Up."""

    course, keeper = MINUTES, KEEPER

    def begin(self, state: CountState) -> Resolution:
        return Resolution(state)

    def go_on(self, resolution: Resolution) -> None:
        run_on(resolution)
        if resolution.setup.crawl and resolution.phase is Phase.DECLARE:
            MINUTES.come_in(resolution)
        if resolution.aims is not None:
            goals.follow(resolution, KEEPER)

    def finish(self, state: CountState, resolution: Resolution) -> Step:
        return step_of(state, resolution, resolution.setup.beings, knowledge.glance)

    def asked(self, state: CountState) -> bool:
        return bool(state.choices)

    def bodies(self, at: CountState | Resolution) -> Sequence[Being]:
        return at.setup.beings

    def with_body(self, resolution: Resolution, who: CreatureIx, **changes: str) -> None:
        beings = list(resolution.setup.beings)
        beings[who] = msgspec.structs.replace(beings[who], **changes)
        resolution.setup = resolution.setup.with_beings(tuple(beings))

    # -- coming and going

    def arrive(self, resolution: Resolution, entry: Mapping[str, Any], where: str) -> CreatureIx:
        return arrive(resolution, creature(StatBlock, entry, where), where)

    def depart(self, resolution: Resolution, who: CreatureIx) -> None:
        resolution.change(who, fled=True, cell=NOWHERE, casting=None, task=None)
        self.displaced(resolution, who)

    def displaced(self, resolution: Resolution, who: CreatureIx) -> None:
        """Orders and stances end, its own hold on others and theirs on it, and blows that were still to come."""
        resolution.change(who, **_STILL, contacts=(), fresh=())
        for other, figure in numbered(list(resolution.figures)):
            if figure.held_by == who:
                resolution.change(other, held_by=NO_CREATURE)
            if who in figure.contacts or who in figure.fresh:
                contacts = tuple(each for each in figure.contacts if each != who)
                fresh = tuple(each for each in figure.fresh if each != who)
                resolution.change(other, contacts=contacts, fresh=fresh)
        resolution.free = tuple(each for each in resolution.free if who not in (each.by, each.target))
        resolution.later = tuple(each for each in resolution.later if who not in (each[1].by, each[1].target))
        resolution.attacks = tuple(each for each in resolution.attacks if who not in (each.by, each.target))

    def gone(self, at: CountState | Resolution, who: CreatureIx) -> bool:
        return at.figures[who].fled

    def fallen(self, at: CountState | Resolution, who: CreatureIx) -> bool:
        return at.figures[who].dead

    def lift(self, resolution: Resolution, who: CreatureIx, points: int) -> None:
        figure, being = resolution.figures[who], resolution.being(who)
        was_dead, more = figure.dead, max(0, points - figure.hp)
        wounds = mended(figure.wounds, more)
        resolution.change(
            who, hp=points, dead=False, fled=False, prone=False, helpless=INSTANT, busy=INSTANT, wounds=wounds,
            burnt=min(figure.burnt, being.hp_max - points), casting=None, task=None,
        )  # fmt: skip
        self.displaced(resolution, who)
        if was_dead:
            cond.DEAD.tell(resolution, who, BECAUSE, gained=False)
        resolution.events.append(Healing(target=being.id, amount=more, now=points, because=BECAUSE))

    def room(self, resolution: Resolution, who: CreatureIx, cell: Cell) -> Cell:
        return around(resolution.terrain, cell, resolution.being(who).space, MINUTES.occupied(resolution, who))

    # -- pools

    def pools_of(self, at: CountState | Resolution, who: CreatureIx) -> tuple[Pool, ...]:
        figure, being = at.figures[who], at.setup.beings[who]
        found = [Pool("hp", "Hit points", figure.hp, 0, being.hp_max)]
        if being.spell_points:
            found.append(Pool("points", "Spell points", figure.points, 0, being.spell_points))
        found.append(Pool("coins", "Coins", figure.purse, 0, MOST_COINS))
        if figure.ammunition >= 0:
            found.append(Pool("shots", "Ammunition", figure.ammunition, 0, MOST_SHOTS))
        return tuple(found)

    def set_pool(self, resolution: Resolution, who: CreatureIx, name: str, value: int) -> None:
        if name != "hp":
            field = {"coins": "purse", "shots": "ammunition"}.get(name, name)
            resolution.change(who, **{field: value})
            return
        figure, being = resolution.figures[who], resolution.being(who)
        if value < figure.hp:
            amount = figure.hp - value
            resolution.change(who, hp=value, wounds=suffered(figure.wounds, amount))
            resolution.events.append(Injury(
                target=being.id, amount=amount, hp=value, status=status(resolution, who), because=BECAUSE,
            ))  # fmt: skip
            fall(resolution, who)
            return
        amount = value - figure.hp
        burnt = min(figure.burnt, being.hp_max - value)
        resolution.change(who, hp=value, wounds=mended(figure.wounds, amount), burnt=burnt)
        resolution.events.append(Healing(target=being.id, amount=amount, now=value, because=BECAUSE))

    # -- conditions

    def conditions_of(self, at: CountState | Resolution, who: CreatureIx) -> tuple[tuple[str, bool], ...]:
        figure = at.figures[who]
        flags = {cond.PRONE.name: figure.prone, cond.HELPLESS.name: figure.helpless > at.second}
        return tuple((name, flags.get(name, figure.under(name))) for name in GIVEN)

    def cannot_have(self, at: CountState | Resolution, who: CreatureIx, condition: str) -> Refusal:
        being = at.setup.beings[who]
        return text("target: {name} is dead; raise it first", being.name) if at.figures[who].dead else None

    def give(self, resolution: Resolution, who: CreatureIx, condition: str, lasts: int | None) -> None:
        """For so many seconds."""
        record = cond.condition_of(condition)
        if record.fells:
            resolution.change(who, order=None, casting=None, task=None)
        if condition == cond.PRONE.name:
            resolution.change(who, prone=True, order=None)
            cond.PRONE.tell(resolution, who, BECAUSE)
        elif condition == cond.HELPLESS.name:
            ends = Seconds(resolution.second + (HELPLESS_FOR if lasts is None else lasts))
            resolution.change(who, helpless=ends, prone=True, order=None, stance=Stance.NONE, until=INSTANT)
            cond.HELPLESS.tell(resolution, who, BECAUSE)
        else:
            ends = FOREVER if lasts is None else Seconds(resolution.second + lasts)
            befall(resolution, who, record, ends, BECAUSE)

    def take(self, resolution: Resolution, who: CreatureIx, condition: str) -> None:
        record = cond.condition_of(condition)
        if condition == cond.PRONE.name:
            resolution.change(who, prone=False)
        elif condition == cond.HELPLESS.name:
            resolution.change(who, helpless=INSTANT)
        else:
            left = tuple(each for each in resolution.figures[who].effects if each[0] != condition)
            resolution.change(who, effects=left, **record.leaves)
        record.tell(resolution, who, BECAUSE, gained=False)

    # -- doors, checks, hiding

    def set_door(self, resolution: Resolution, number: int, state: str) -> None:
        resolution.doors = (*resolution.doors[:number], state, *resolution.doors[number + 1 :])
        lay_ground(resolution)
        resolution.events.append(Door(door=resolution.setup.field.doors[number].id, state=state))

    def trials_of(self, at: CountState | Resolution, who: CreatureIx) -> tuple[Trial, ...]:
        being = at.setup.beings[who]
        names = sorted({*SKILLS, *being.skills})
        return tuple(Trial(name, name.capitalize(), 1, MOST, min(MOST, max(1, skill_of(being, name) + 40)))
                     for name in names)  # fmt: skip

    def test(self, resolution: Resolution, who: CreatureIx, trial: str, rating: int) -> None:
        """A d100 that must not exceed the rating: so many per cent."""
        name = resolution.being(who).id
        resolution.dice.thrower = name
        thrown = roll(resolution.dice, trial, (Die(1, MOST, False),), 0)
        asked = text("{skill}, called for ({percent} %)", trial, rating)
        resolution.events.append(Check(by=name, what=asked, roll=thrown, rating=rating, success=thrown.total <= rating))

    def lurks(self, at: CountState | Resolution, who: CreatureIx) -> bool:
        now = at.explore
        return now is not None and at.phase is Phase.EXPLORE and who < len(now.hides) and MINUTES.lurks(at, who)

    def unhide(self, resolution: Resolution, who: CreatureIx) -> None:
        now = resolution.explore
        if now is not None:
            MINUTES.note(resolution, spotted=now.spotted | 1 << who)

    def stat_block(self, entry: Any) -> None:
        if not isinstance(entry, Mapping):
            raise RecordError("creature: needs a stat block")
        creature(StatBlock, entry, "creature")


HAND = CountUpHand()
