"""Challenges that maps place, as deeds: search, chests, traps and rubble (olde.md §3, §8).

Costs in a fight are our ruling where the rules name none: all of them 3/Only, as `force`.
"""

from __future__ import annotations

from collections.abc import Iterator

from rules.board.bitboard import board_of
from rules.board.grid import Challenge
from rules.contract.actions import Action, Adjustment
from rules.contract.events import Challenge as Told
from rules.contract.events import Condition, Contest
from rules.core.action_kinds import Face, Kind
from rules.core.dice import roll, roll_expression
from rules.core.secrets import SEARCHED, hidden, known_to_all, named
from rules.olde.actions.deeds import Look
from rules.olde.actions.items import key_in
from rules.olde.challenges.attempts import HELPED, attempt, best_skill, ranks_made
from rules.olde.challenges.checks import (
    MODERATE,
    ranks_of,
    skill_terms,
)
from rules.olde.challenges.criticals import follow
from rules.olde.challenges.state import knows, learn, set_state, snares
from rules.olde.combat.advantage import on_check
from rules.olde.combat.injury import injure
from rules.olde.effects.model import effect as condition_effect
from rules.olde.effects.working import end, lay
from rules.olde.magic.ground import lay_ground
from rules.olde.state import Work

SEARCHING = ("Alertness", "Investigation")
DEFT = 2
"""Ranks of success with Disable that open a trapped chest without setting it off."""
FRIGHT = 3
"""Resets that a fright lasts; a Nerve check against the attempt's total ends it sooner."""
SKILLS = {
    "trap": ("Disable", "Burst", "Lift/Shift"),
    "chest": ("Disable", "Burst", "Lift/Shift"),
    "rubble": ("Burst", "Lift/Shift"),
}


def help_of(look: Look, skill: str) -> tuple[int, tuple[Adjustment, ...]]:
    """(advantage, adjustments): what a neighbour's help does for the next check with a skill."""
    return on_check(look.setup, [e for e in look.figure.effects if e.name == HELPED + skill])


# -- search ---------------------------------------------------------------------------------------------


class Search(Kind[Look]):
    """Look for secret doors and traps around oneself: 3/Only, Alertness or Investigation against each one's rating."""

    def __init__(self, face: Face) -> None:
        self.face = face

    @staticmethod
    def known(look: Look) -> bool:
        """Whether this map has anything that could be hidden."""
        return bool(look.state.found)

    def hindrance(self, look: Look) -> str | None:
        if not self.known(look):
            return "nothing is hidden on this map"
        return look.act_open() or look.pay_only(3)

    def flaw(self, look: Look, action: Action) -> str | None:
        if action.option is not None and action.option not in SEARCHING:
            return f"option: {action.option!r} is none of {', '.join(SEARCHING)}"
        return None

    def instances(self, look: Look) -> Iterator[Action]:
        if self.known(look) and not self.hindrance(look):
            yield Action(look.fighter.id, "search")

    def cost(self, look: Look, action: Action) -> int:
        return look.only(3)

    def perform(self, work: Work, action: Action, cost: int) -> None:
        who = work.setup.index[action.by]
        fighter, figure = work.fighter(who), work.figures[who]
        skill = action.option or best_skill(fighter, SEARCHING)
        rank, adjustments = skill_terms(work.setup, fighter, figure, skill)
        helps = [e for e in figure.effects if e.name == HELPED + skill]
        favour, extra = on_check(work.setup, helps)
        work.dice.thrower = fighter.id
        thrown = roll(
            work.dice, f"{skill} (search)", 2, rank, adjustments=adjustments + extra, advantage=favour
        )
        for helping in helps:
            end(work, who, helping, "used")
        around = work.terrain.within(figure.cell, SEARCHED, fighter.space)
        found = [
            (i, rating) for i, rating in self.hidden(work, fighter.side, around) if thrown.total >= rating
        ]
        work.events.append(
            Contest(by=fighter.id, target=fighter.id, what="Search", rolls=(thrown,), success=bool(found),
                    note="something is there" if found else "finds nothing")
        )  # fmt: skip
        for secret, _ in found:
            learn(work, fighter.side, secret, fighter.id)
        # measured against an ordinary hiding place, so that nobody learns from it whether something is there
        follow(work, who, ranks_of(thrown.total - MODERATE))

    @staticmethod
    def hidden(work: Work, side: str, around: int) -> list[tuple[int, int]]:
        """(number, rating) of what a side has not found yet in some spaces."""
        field = work.setup.field
        first = len(field.doors)
        return [
            (n, field.doors[n].difficulty if n < first else field.challenges[n - first].notice)
            for n in hidden(field, work.doors, work.challenges, work.found, side, around)
        ]


# -- locks and traps ------------------------------------------------------------------------------------


class Tackle(Kind[Look]):
    """Pick or break a chest, disarm or wreck a trap that is known, beside one: 3/Only (olde.md §4 Force or pick)."""

    def __init__(self, face: Face) -> None:
        self.face = face

    @staticmethod
    def near(look: Look) -> list[tuple[int, Challenge]]:
        """What can be tackled from here."""
        challenges = look.field.challenges
        if not challenges:
            return []
        around = look.terrain.within(look.figure.cell, 1, look.fighter.space)
        return [
            (i, c)
            for i, c in enumerate(challenges)
            if (c.kind in SKILLS and board_of(c.cells) & around & ~look.state.cleared)
            and look.state.challenges[i] in ("set", "locked")
            and knows(look.state, look.fighter.side, i)
        ]

    def hindrance(self, look: Look) -> str | None:
        blocked = look.act_open() or look.pay_only(3)
        return blocked or (None if self.near(look) else "no locked chest, known trap or rubble beside")

    def flaw(self, look: Look, action: Action) -> str | None:
        near = {c.id: c for _, c in self.near(look)}
        if action.item not in near:
            return f"item: {action.item!r} is none of what is beside: {', '.join(near)}"
        skills = SKILLS[near[action.item].kind]
        if action.option is not None and action.option not in skills:
            return f"option: {action.option!r} is none of {', '.join(skills)}"
        return None

    def instances(self, look: Look) -> Iterator[Action]:
        if not look.field.challenges or self.hindrance(look):
            return
        for _, challenge in self.near(look):
            for skill in SKILLS[challenge.kind]:
                yield Action(look.fighter.id, "tackle", item=challenge.id, option=skill)

    def cost(self, look: Look, action: Action) -> int:
        return look.only(3)

    def perform(self, work: Work, action: Action, cost: int) -> None:
        who = work.setup.index[action.by]
        found = named(work.setup.field, action.item or "")
        assert found is not None
        number, challenge = found
        skill = action.option or best_skill(work.fighter(who), SKILLS[challenge.kind])
        if attempt(work, who, skill, challenge.difficulty, f"{skill}, {challenge.id}"):
            if challenge.kind == "rubble":
                clear(work, who, number, ranks_made(work))
                return
            set_state(work, number, "open" if challenge.kind == "chest" else "disarmed", action.by)
            if challenge.kind == "chest":
                key_in(work, who, challenge)
            if challenge.kind == "chest" and not (skill == "Disable" and ranks_made(work) >= DEFT):
                _bite(work, who, challenge)
        elif challenge.kind == "trap" and ranks_made(work) <= -2:
            spring(work, who, number)


def clear(work: Work, who: int, number: int, ranks: int) -> None:
    """Rubble gives way: a space for each rank of success, the nearest first (olde.md §3 scaling)."""
    challenge, terrain = work.setup.field.challenges[number], work.terrain
    here, size = work.figures[who].cell, work.fighter(who).space
    left = [cell for cell in challenge.cells if not work.cleared >> cell & 1]
    left.sort(key=lambda cell: (terrain.distance(here, cell, size), cell))
    gone = left[:ranks]
    work.cleared |= board_of(gone)
    lay_ground(work)
    at = work.space(gone[0])
    work.events.append(
        Told(by=work.fighter(who).id, challenge=challenge.id, kind="rubble", state="cleared", at=at,
             contents="1 space" if len(gone) == 1 else f"{len(gone)} spaces")
    )  # fmt: skip
    if len(gone) == len(left):
        states = list(work.challenges)
        states[number] = "cleared"
        work.challenges = tuple(states)


def spring(work: Work, who: int, number: int) -> None:
    """A trap goes off under somebody: its dice, armor does not help, and its condition."""
    challenge = work.setup.field.challenges[number]
    set_state(work, number, "sprung", work.fighter(who).id)
    work.found = known_to_all(work.found, len(work.doors) + number)
    _bite(work, who, challenge)


def _bite(work: Work, who: int, challenge: Challenge) -> None:
    fighter = work.fighter(who)
    if challenge.damage:
        work.dice.thrower = ""
        rolled = roll_expression(work.dice, challenge.id, challenge.damage)
        injure(work, who, max(0, rolled.total), challenge.id, rolls=(rolled,))
    if challenge.effect == "bleeding":
        if not work.figures[who].bleeding and work.figures[who].hp > -fighter.hp_max:
            work.change(who, bleeding=True)
            work.events.append(
                Condition(target=fighter.id, condition="bleeding", gained=True, because=challenge.id)
            )
    elif challenge.effect and work.figures[who].hp > 0:
        lay(work, who, condition_effect(challenge.effect, FRIGHT, rating=9, recover="brawn"))


def walk_into(work: Work, who: int, path: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
    """(how far somebody gets on a way, the number of the trap that springs there or −1).

    How far somebody gets on a way: at a trap that its side doesn't know, a check of Alertness sees it in time and
    one stops before it; else it springs, and one stops in it."""
    fighter, state = work.fighter(who), work.state
    armed = snares(state, fighter.side, known=False)
    if not armed or not any(work.terrain.footprint(cell, fighter.space) & armed for cell in path):
        return path, -1
    for step, cell in enumerate(path):
        here = work.terrain.footprint(cell, fighter.space)
        for i, challenge in enumerate(work.setup.field.challenges):
            if (
                challenge.kind != "trap"
                or work.challenges[i] != "set"
                or not board_of(challenge.cells) & here
            ):
                continue
            if knows(state, fighter.side, i):
                continue
            if attempt(work, who, "Alertness", challenge.notice, "something underfoot"):
                learn(work, fighter.side, len(work.doors) + i, fighter.id)
                return path[:step], -1
            return path[: step + 1], i
    return path, -1
