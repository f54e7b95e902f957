"""The game master's hand under Cairn: pools, conditions, saves, and what follows when somebody comes or goes
(cairn.md §9 hand)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from rules.cairn import conditions as cond
from rules.cairn import visibility as knowledge
from rules.cairn.explore.turns import TURNS
from rules.cairn.gear import SLOTS
from rules.cairn.goals import KEEPER
from rules.cairn.joining import arrive
from rules.cairn.magic.ground import set_door
from rules.cairn.statblock import StatBlock
from rules.cairn.state import EXPLORE_PHASE, STANDING, WORDS, Being, CairnState, Resolution, save_chance
from rules.cairn.turns import run_on
from rules.contract.errors import RecordError
from rules.contract.events import Healing, Injury
from rules.contract.events import Posture as Told
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

MOST_COINS = 1_000_000
BECAUSE = "the game master's hand"
REMOVED = "removed"
"""How somebody left the board whom the game master took off it."""
_ENDS = (cond.OUT, cond.BLEEDING_OUT, cond.RISING, cond.ASLEEP, cond.PARALYSED, cond.UNCONSCIOUS, cond.PETRIFIED,
         cond.DELIRIOUS)  # fmt: skip
"""What ends when somebody is raised."""
_FLAGS: Mapping[str, str] = {"doomed": "doomed", "lame": "lame", "one-armed": "one_armed"}
"""Conditions that stand in a field of the figure."""
GIVEN = (
    cond.PRONE, cond.ASLEEP, cond.PARALYSED, cond.UNCONSCIOUS, cond.PETRIFIED, cond.WINDED, cond.FRIGHTENED,
    cond.FRENZIED, cond.PANICKED, cond.CALM, cond.RESTRAINED, cond.STUCK, cond.ROOTED, cond.HASTED, cond.SLOWED,
    cond.HOVERING, cond.BLIND, cond.DEAF, cond.SILENCED, cond.INVISIBLE, cond.DISPLACED, cond.TRUE_SIGHT, cond.GLOWING,
    cond.SNUFFED, cond.SHIELDED, cond.DRAINED, cond.PACIFIED, cond.DEPRIVED, cond.INFECTED, cond.POISONED, cond.DOOMED,
    cond.LAME, cond.ONE_ARMED,
)  # fmt: skip
"""The conditions that the hand gives and takes."""


class CairnHand(Hands[Resolution]):
    """What the hand of the game master does under Cairn."""

    course, keeper = TURNS, KEEPER

    def begin(self, state: CairnState) -> Resolution:
        return Resolution(state)

    def go_on(self, resolution: Resolution) -> None:
        run_on(resolution)
        if resolution.setup.crawl and resolution.phase == "plan":
            TURNS.come_in(resolution)
        if resolution.aims is not None:
            goals.follow(resolution, KEEPER)

    def finish(self, state: CairnState, resolution: Resolution) -> Step:
        return step_of(state, resolution, resolution.setup.beings, knowledge.glance)

    def asked(self, state: CairnState) -> bool:
        return bool(state.choices)

    def bodies(self, at: CairnState | Resolution) -> Sequence[Being]:
        return at.setup.beings

    def with_body(self, resolution: Resolution, who: CreatureIx, **changes: str) -> None:
        beings = list(resolution.setup.beings)
        beings[who] = msgspec.structs.replace(beings[who], **changes)
        resolution.setup = resolution.setup.with_beings(tuple(beings))

    # -- coming and going

    def arrive(self, resolution: Resolution, entry: Mapping[str, Any], where: str) -> CreatureIx:
        return arrive(resolution, creature(StatBlock, entry, where), where)

    def depart(self, resolution: Resolution, who: CreatureIx) -> None:
        resolution.change(who, fled=True, gone=REMOVED, cell=NOWHERE)
        self.displaced(resolution, who)

    def displaced(self, resolution: Resolution, who: CreatureIx) -> None:
        """What it had planned began elsewhere: it plans anew. What it held ready is let go."""
        resolution.plans[who] = None
        resolution.declared = [other for other in resolution.declared if other != who]
        resolution.readied = tuple(held for held in resolution.readied if held[0] != who)

    def gone(self, at: CairnState | Resolution, who: CreatureIx) -> bool:
        return at.figures[who].fled

    def fallen(self, at: CairnState | Resolution, who: CreatureIx) -> bool:
        figure = at.figures[who]
        return figure.cell >= 0 and not figure.fighting

    def lift(self, resolution: Resolution, who: CreatureIx, points: int) -> None:
        figure, being = resolution.figures[who], resolution.being(who)
        ended = {each.name for each in _ENDS}
        kept = tuple(each for each in figure.lasting if each.name not in ended)
        up = {f"{name}_now": max(1, getattr(figure, f"{name}_now")) for name in WORDS if getattr(figure, f"{name}_max")}
        was_dead, was_down = figure.dead, figure.critical
        resolution.change(
            who, hp=min(points, figure.hp_max), dead=False, critical=False, stable=False, fled=False, gone="",
            posture=STANDING, lasting=kept, heads=max(figure.heads, int(figure.heads > 0)), **up,
        )  # fmt: skip
        if was_dead:
            resolution.tell_of(who, cond.DEAD, gained=False)
        elif was_down:
            resolution.tell_of(who, cond.CRITICAL, gained=False)
        now = resolution.figures[who].hp
        resolution.events.append(Healing(target=being.id, amount=max(0, now - figure.hp), now=now, because=BECAUSE))
        self.displaced(resolution, who)

    def room(self, resolution: Resolution, who: CreatureIx, cell: Cell) -> Cell:
        return around(resolution.terrain, cell, resolution.being(who).space, TURNS.occupied(resolution, who))

    # -- pools

    def pools_of(self, at: CairnState | Resolution, who: CreatureIx) -> tuple[Pool, ...]:
        figure = at.figures[who]
        scores = (
            Pool(name, word, getattr(figure, f"{name}_now"), 0, getattr(figure, f"{name}_max"))
            for name, word in WORDS.items()
        )
        return (
            Pool("hp", "Hit Protection", figure.hp, 0, figure.hp_max), *scores,
            Pool("fatigue", "Fatigue", figure.fatigue, 0, SLOTS), Pool("coins", "Coins", figure.purse, 0, MOST_COINS),
        )  # fmt: skip

    def set_pool(self, resolution: Resolution, who: CreatureIx, name: str, value: int) -> None:
        figure, being = resolution.figures[who], resolution.being(who)
        if name in ("fatigue", "coins"):
            resolution.change(who, **{"purse" if name == "coins" else name: value})
            return
        was = figure.score(name)
        resolution.change(who, **{name if name == "hp" else f"{name}_now": value})
        if name == "str" and value == 0 and not figure.dead and figure.str_max:
            resolution.mark(who, cond.DEAD, because=BECAUSE, dead=True, posture="prone")
        if name in ("dex", "wil") or figure.cell < 0:
            return
        now, through = resolution.figures[who], name == "str"
        if value < was:
            resolution.events.append(Injury(
                target=being.id, amount=was - value, hp=now.hp, status=now.status, because=BECAUSE,
                through=was - value if through else 0, second=value if through else None,
            ))  # fmt: skip
        else:
            resolution.events.append(
                Healing(target=being.id, amount=value - was, now=value, what=WORDS.get(name, name), because=BECAUSE)
            )

    # -- conditions

    def conditions_of(self, at: CairnState | Resolution, who: CreatureIx) -> tuple[tuple[str, bool], ...]:
        figure = at.figures[who]

        def held(one: cond.Condition) -> bool:
            if one is cond.PRONE:
                return figure.posture == cond.PRONE.name
            flag = _FLAGS.get(one.name)
            return bool(getattr(figure, flag)) if flag else figure.has(one)

        return tuple((one.name, held(one)) for one in GIVEN)

    def cannot_have(self, at: CairnState | Resolution, who: CreatureIx, condition: str) -> Refusal:
        being, figure = at.setup.beings[who], at.figures[who]
        if condition in being.immune:
            return text("option: {name} can't be {condition}", being.creature, condition)
        if figure.dead:
            return text("target: {name} is dead; raise it first", being.creature)
        return None

    def give(self, resolution: Resolution, who: CreatureIx, condition: str, lasts: int | None) -> None:
        """For so many rounds."""
        record, flag = cond.condition_named(condition), _FLAGS.get(condition)
        if flag is not None:
            resolution.change(who, **{flag: True})
            resolution.tell_of(who, record, because=BECAUSE)
            return
        resolution.afflict(who, record, lasts or 0, BECAUSE, save="str" if record.holds else "")
        if record is cond.PRONE or cond.Forbid.PLAN in record.forbids or cond.Forbid.ACT in record.forbids:
            self.displaced(resolution, who)

    def take(self, resolution: Resolution, who: CreatureIx, condition: str) -> None:
        record, flag = cond.condition_named(condition), _FLAGS.get(condition)
        if flag is not None:
            resolution.change(who, **{flag: False})
            resolution.tell_of(who, record, gained=False, because=BECAUSE)
        elif record is cond.PRONE:
            resolution.change(who, posture=STANDING)
            resolution.events.append(Told(by=resolution.being(who).id, posture=STANDING, because=BECAUSE))
        else:
            resolution.relieve(who, record, BECAUSE)

    # -- doors, saves, hiding

    def set_door(self, resolution: Resolution, number: int, state: str) -> None:
        set_door(resolution, None, number, state)

    def trials_of(self, at: CairnState | Resolution, who: CreatureIx) -> tuple[Trial, ...]:
        figure = at.figures[who]
        return tuple(Trial(name, word, 1, 20, max(1, figure.score(name))) for name, word in WORDS.items())

    def test(self, resolution: Resolution, who: CreatureIx, trial: str, rating: int) -> None:
        """A save against any score, its own or another."""
        chance = save_chance(rating)
        percent = 100 * chance.numerator // chance.denominator
        resolution.save_roll(who, trial, text("called for ({percent} %)", percent), rating)

    def lurks(self, at: CairnState | Resolution, who: CreatureIx) -> bool:
        if at.figures[who].has(cond.INVISIBLE):
            return True
        now = at.explore
        return now is not None and at.phase == EXPLORE_PHASE and who < len(now.hides) and TURNS.lurks(at, who)

    def unhide(self, resolution: Resolution, who: CreatureIx) -> None:
        resolution.relieve(who, cond.INVISIBLE, BECAUSE)
        now = resolution.explore
        if now is not None:
            TURNS.note(resolution, spotted=now.spotted | 1 << who)

    def stat_block(self, entry: Any) -> None:
        if not isinstance(entry, Mapping):
            raise RecordError("creature: needs a stat block")
        creature(StatBlock, entry, "creature")


HAND = CairnHand()
