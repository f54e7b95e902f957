"""The game master's hand under Dungeons of Olde: pools, conditions, checks, and what follows when somebody comes or
goes (olde.md §14 hand)."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from rules.contract.errors import RecordError
from rules.contract.events import Condition as Told
from rules.contract.events import Healing, Injury, Points
from rules.contract.hand import Pool, Trial
from rules.contract.ruleset import Step
from rules.contract.text import text
from rules.contract.units import NOWHERE, Cell, CreatureIx
from rules.core.base_ruleset import step_of
from rules.core.hand.base_hands import Refusal
from rules.core.hand.hands import Hands
from rules.core.validate import creature
from rules.explore import goals
from rules.explore.course import around
from rules.olde import conditions as cond
from rules.olde import skills
from rules.olde import visibility as knowledge
from rules.olde.actions.calls import HIGHEST_RATING
from rules.olde.actions.hands import set_door
from rules.olde.challenges.checks import EASY, STATS, follow, terms_of
from rules.olde.effects import ENDLESS
from rules.olde.explore.minutes import MINUTES
from rules.olde.goals import KEEPER
from rules.olde.joining import arrive
from rules.olde.statblock import StatBlock
from rules.olde.state import STANDING, Fighter, OldeState, Phase, Resolution, Status, occupied, status
from rules.olde.turns import run_on

MOST_POINTS = 60
"""Action points and free steps that the hand gives at most."""
MOST_COINS = 1_000_000
MOST_SHOTS = 60
BECAUSE = "the game master's hand"
GIVEN = (*(each.name for each in (*cond.FLAGGED, *cond.LAID)), cond.ASLEEP.name, cond.STUNNED.name, *cond.LYING)
"""The conditions and postures that the hand gives and takes."""


class OldeHand(Hands[Resolution]):
    """What the hand of the game master does under Dungeons of Olde."""

    course, keeper = MINUTES, KEEPER

    def begin(self, state: OldeState) -> Resolution:
        return Resolution(state)

    def go_on(self, resolution: Resolution) -> None:
        if resolution.setup.crawl and resolution.phase is Phase.ACTION:
            MINUTES.come_in(resolution)
        run_on(resolution)
        if resolution.aims is not None:
            goals.follow(resolution, KEEPER)

    def finish(self, state: OldeState, resolution: Resolution) -> Step:
        return step_of(state, resolution, resolution.setup.fighters, knowledge.glance)

    def asked(self, state: OldeState) -> bool:
        return state.question is not None or bool(state.pending)

    def bodies(self, at: OldeState | Resolution) -> Sequence[Fighter]:
        return at.setup.fighters

    def with_body(self, resolution: Resolution, who: CreatureIx, **changes: str) -> None:
        fighters = list(resolution.setup.fighters)
        fighters[who] = msgspec.structs.replace(fighters[who], **changes)
        resolution.setup = dataclasses.replace(resolution.setup, fighters=tuple(fighters))

    # -- coming and going

    def arrive(self, resolution: Resolution, entry: Mapping[str, Any], where: str) -> CreatureIx:
        return arrive(resolution, creature(StatBlock, entry, where), where)

    def depart(self, resolution: Resolution, who: CreatureIx) -> None:
        resolution.change(who, cell=NOWHERE, gone=True, ap=0, free=0)
        resolution.setup = dataclasses.replace(resolution.setup)  # what is remembered of who is up is forgotten

    def displaced(self, resolution: Resolution, who: CreatureIx) -> None:
        """Who is put on dry land swims no longer; nobody's plans lie in wait under these rules."""
        cond.end_condition(resolution, who, cond.SUBMERGED.name, BECAUSE)
        if resolution.figures[who].posture == cond.POSTURES["swimming"].name:
            cond.lie_down(resolution, who, STANDING)

    def gone(self, at: OldeState | Resolution, who: CreatureIx) -> bool:
        return at.figures[who].gone or bool(at.aims is not None and at.aims.away >> who & 1)

    def fallen(self, at: OldeState | Resolution, who: CreatureIx) -> bool:
        return at.figures[who].hp <= 0

    def lift(self, resolution: Resolution, who: CreatureIx, points: int) -> None:
        figure, most = resolution.figures[who], resolution.fighter(who).hp_max
        was = status(figure.hp, most)
        resolution.change(
            who, hp=points, gone=False, dying=False, bleeding=False, stunned=0, posture=STANDING,
            effects=tuple(each for each in figure.effects if each.lasting.condition != cond.ASLEEP.name),
        )  # fmt: skip
        name = resolution.fighter(who).id
        resolution.events.append(Healing(target=name, amount=max(0, points - figure.hp), now=points, because=BECAUSE))
        if was in (Status.DEAD, Status.INCAPACITATED):
            resolution.events.append(Told(target=name, condition=was.value, gained=False))
        resolution.setup = dataclasses.replace(resolution.setup)

    def room(self, resolution: Resolution, who: CreatureIx, cell: Cell) -> Cell:
        return around(resolution.terrain, cell, resolution.fighter(who).space, occupied(resolution, who))

    # -- pools

    def pools_of(self, at: OldeState | Resolution, who: CreatureIx) -> tuple[Pool, ...]:
        figure, fighter = at.figures[who], at.setup.fighters[who]
        found = [Pool("hp", "Hit points", figure.hp, -fighter.hp_max, fighter.hp_max)]
        if fighter.spells or fighter.mana_max:
            found.append(Pool("mana", "Mana", figure.mana, 0, fighter.mana_max))
        if fighter.spells or fighter.faith_max:
            found.append(Pool("faith", "Faith", figure.faith, 0, fighter.faith_max))
        if at.phase is not Phase.EXPLORE:
            found.append(Pool("ap", "Action points", figure.ap, 0, MOST_POINTS))
            found.append(Pool("free", "Free steps", figure.free, 0, MOST_POINTS))
        found.append(Pool("coins", "Coins", figure.purse, 0, MOST_COINS))
        if figure.ammunition >= 0:
            found.append(Pool("shots", "Ammunition", figure.ammunition, 0, MOST_SHOTS))
        return tuple(found)

    def set_pool(self, resolution: Resolution, who: CreatureIx, name: str, value: int) -> None:
        if name == "hp":
            self._set_points(resolution, who, value)
            return
        field = {"coins": "purse", "shots": "ammunition"}.get(name, name)
        resolution.change(who, **{field: value})
        if name in ("ap", "mana", "faith"):
            resolution.events.append(Points(by=resolution.fighter(who).id, now=value, what=name, because=BECAUSE))

    def _set_points(self, resolution: Resolution, who: CreatureIx, hp: int) -> None:
        """It is no wound: nobody is stunned by it. Who comes to 0 goes down; who comes above 0 lies prone."""
        figure, fighter = resolution.figures[who], resolution.fighter(who)
        before, now = status(figure.hp, fighter.hp_max), status(hp, fighter.hp_max)
        if hp < figure.hp:
            resolution.events.append(
                Injury(target=fighter.id, amount=figure.hp - hp, hp=hp, status=now.value, because=BECAUSE)
            )
        else:
            resolution.events.append(Healing(target=fighter.id, amount=hp - figure.hp, now=hp, because=BECAUSE))
        resolution.change(who, hp=hp)
        if hp > 0:
            cond.DYING.end(resolution, who, BECAUSE)
        else:
            resolution.change(who, **cond.dropped(figure, dead=now is Status.DEAD))
        if before is now:
            return
        down = {Status.DEAD: cond.DEAD, Status.INCAPACITATED: cond.INCAPACITATED}
        if before in down:
            down[before].tell(resolution, who, BECAUSE, gained=False)
        if now in down:
            down[now].tell(resolution, who, BECAUSE, gained=True)

    # -- conditions

    def conditions_of(self, at: OldeState | Resolution, who: CreatureIx) -> tuple[tuple[str, bool], ...]:
        figure = at.figures[who]
        return tuple((name, cond.CONDITIONS[name].holds(figure)) for name in GIVEN)

    def cannot_have(self, at: OldeState | Resolution, who: CreatureIx, condition: str) -> Refusal:
        figure, fighter = at.figures[who], at.setup.fighters[who]
        if condition in fighter.traits.immune:
            return text("option: {name} can't be {condition}", fighter.name, condition)
        if figure.hp <= 0 and condition != cond.BLEEDING.name:
            return text("target: {name} has fallen; raise it first", fighter.name)
        if cond.CONDITIONS[condition].refused(figure):
            return text("option: who is stunned can't be {condition} besides", condition)
        return None

    def give(self, resolution: Resolution, who: CreatureIx, condition: str, lasts: int | None) -> None:
        """For so many resets; of a stun it is the rating of the check that ends it."""
        turns = ENDLESS if lasts is None else lasts
        record = cond.CONDITIONS[condition]
        match condition:
            case cond.BLEEDING.name:
                cond.BLEEDING.gain(resolution, who, BECAUSE)
            case cond.STUNNED.name:
                cond.STUNNED.strike(resolution, who, min(HIGHEST_RATING, EASY if lasts is None else lasts), BECAUSE)
            case cond.ASLEEP.name:
                sleep = cond.ASLEEP.at_first(who)
                lasting = msgspec.structs.replace(sleep.lasting, turns=turns)
                cond.lay(resolution, who, msgspec.structs.replace(sleep, turns=turns, lasting=lasting), proof=True)
            case name if name in cond.LYING:
                cond.lie_down(resolution, who, condition)
            case _:
                cond.lay(resolution, who, record.effect(turns), proof=True)

    def take(self, resolution: Resolution, who: CreatureIx, condition: str) -> None:
        cond.end_condition(resolution, who, condition, BECAUSE)
        record = cond.CONDITIONS[condition]
        if condition in cond.LYING:
            cond.lie_down(resolution, who, STANDING if resolution.figures[who].hp > 0 else cond.PRONE.name)
        elif isinstance(record, cond.Flagged):
            record.end(resolution, who, BECAUSE)

    # -- doors, checks, hiding

    def set_door(self, resolution: Resolution, number: int, state: str) -> None:
        set_door(resolution, number, state, "")

    def trials_of(self, at: OldeState | Resolution, who: CreatureIx) -> tuple[Trial, ...]:
        fighter = at.setup.fighters[who]
        usable = (name for name in sorted(skills.CHECK_STATS)
                  if skills.family(name) not in skills.TRAINED_ONLY or name in fighter.skills)  # fmt: skip
        return tuple(
            Trial(name, skills.spelled(name).capitalize(), 1, HIGHEST_RATING, EASY + 3) for name in (*STATS, *usable)
        )

    def test(self, resolution: Resolution, who: CreatureIx, trial: str, rating: int) -> None:
        terms = terms_of(resolution, who, trial)
        chance = terms.chance(rating)
        result = terms.check(resolution.dice, rating)
        asked = text("{spelled}, called for ({percent} %)", skills.spelled(trial).capitalize(), round(100 * chance))
        resolution.events.append(result.event(terms.by, asked))
        follow(resolution, who, result.ranks)

    def lurks(self, at: OldeState | Resolution, who: CreatureIx) -> bool:
        now = at.explore
        return now is not None and at.phase is Phase.EXPLORE and who < len(now.hides) and MINUTES.lurks(at, who)

    def unhide(self, resolution: Resolution, who: CreatureIx) -> None:
        MINUTES.note(resolution, spotted=resolution.exploring.spotted | 1 << who)

    def stat_block(self, entry: Any) -> None:
        if not isinstance(entry, Mapping):
            raise RecordError("creature: needs a stat block")
        creature(StatBlock, entry, "creature")


HAND = OldeHand()
