"""What a step leads into where a map's traps and waters count (countup.md §2.11): what is noticed in time, what goes
off, who swims and who goes under. With the option `fixtures` alone."""

from __future__ import annotations

from typing import NamedTuple

from rules.board.fixtures import Challenge
from rules.contract.actions import Adjustment
from rules.contract.events import Challenge as Told
from rules.contract.events import Check, Roll
from rules.contract.text import text
from rules.contract.units import Bitboard, Cell, CreatureIx, Seconds
from rules.core.dice import parse
from rules.core.fixtures import challenges, leaps, obstacles
from rules.core.secrets import Stands, discovery, known_to_all, with_secret
from rules.countup import skills
from rules.countup.combat.injury import befall, fall, interrupt, lose, stun, tell_moved, wounded
from rules.countup.conditions import BLIND, BOUND, PANICKED, PRONE
from rules.countup.manners import Stance
from rules.countup.penetration import Die
from rules.countup.state import CountState, Resolution

RULE = "countup.md §2.11"
OBSERVATION, SCRUTINY, SWIMMING, CLIMBING, JUMPING = "observation", "scrutiny", "swimming", "climbing", "jumping"
MISHAP = 40
"""By so much a check must fail for something bad to come of it (OURS)."""
UNDER, FALLEN = Die(1, 4), Die(1, 6)
"""What a moment under water, and each level of a fall, take."""
SPRUNG = {
    "restrained": (BOUND, Seconds(30)), "rooted": (BOUND, Seconds(30)), "blinded": (BLIND, Seconds(30)),
    "frightened": (PANICKED, Seconds(10)),
}  # fmt: skip
"""What a map says that a trap leaves -> the condition and its seconds (OURS)."""
STUNNING = {"dazed": Seconds(5), "poisoned": Seconds(30), "exhausted": Seconds(10), "fatigued": Seconds(5)}
"""The same for what lays its victim low."""


class Worth(NamedTuple):
    """What somebody has for a check, and what the moment takes from it."""

    value: int
    adjustments: tuple[Adjustment, ...]


def worth(at: CountState | Resolution, who: CreatureIx, skill: str) -> Worth:
    """A skill as it counts at this moment: untrained universal ones by the ability; armour, load and fatigue taken off
    (countup.md §2.9 Hindrances)."""
    being, tired = at.being(who), at.figures[who].fatigue > at.second
    taken = skills.hindrances(being, skill, tired=tired)
    return Worth(skills.skill_of(being, skill) + sum(each.value for each in taken), taken)


def tried(
    resolution: Resolution, who: CreatureIx, skill: str, difficulty: int, what: str, *,
    seen_by: tuple[str, ...] = (),
) -> int:  # fmt: skip
    """A check against something on the map, thrown and told (`seen_by`: to whom alone): what is left over; below 0 it
    failed by so much."""
    value, being = worth(resolution, who, skill).value, resolution.being(who)
    resolution.dice.thrower = being.id
    thrown = skills.check(resolution.dice, value, skills.difficulty_of(difficulty))
    left = value - thrown.total
    told = text("{skill}, {what}", skill, what)
    check = Check(by=being.id, what=told, roll=thrown, rating=value, success=left >= 0, seen_by=seen_by)
    resolution.events.append(check)
    return left


def learn(resolution: Resolution, who: CreatureIx, secret: int) -> None:
    """Somebody has found a secret for its side."""
    being, setup = resolution.being(who), resolution.setup
    resolution.found = with_secret(resolution.found, being.side, secret)
    resolution.events.append(discovery(setup.field, secret, being.id, being.side, setup.sides))


# -- traps -------------------------------------------------------------------------------------------------


def underfoot(resolution: Resolution, who: CreatureIx, there: Cell) -> tuple[bool, int]:
    """(whether somebody steps there, the number of the trap that then goes off or −1): a trap that its side doesn't
    know of is seen in time by observation, and then nobody steps on it."""
    being, field = resolution.being(who), resolution.setup.field
    here = resolution.footprint(who)
    onto = resolution.terrain.footprint(there, being.space) & ~here
    for number, trap in challenges.armed(field, resolution.challenges, resolution.found, being.side, onto):
        if tried(resolution, who, OBSERVATION, trap.notice, "something underfoot") >= 0:
            learn(resolution, who, len(field.doors) + number)
            return False, -1
        return True, number
    return True, -1


def spring(resolution: Resolution, who: CreatureIx, number: int) -> None:
    """A trap goes off: its dice, that penetrate, less damage reduction; and its condition."""
    trap = resolution.setup.field.challenges[number]
    set_state(resolution, number, Stands.SPRUNG, who)
    resolution.found = known_to_all(resolution.found, len(resolution.setup.field.doors) + number)
    bite(resolution, who, trap)


def bite(resolution: Resolution, who: CreatureIx, trap: Challenge) -> None:
    """What a trap does to somebody."""
    if trap.damage:
        said = parse(trap.damage)
        thrown = resolution.roll(who, trap.id, (Die(said.count, said.rank),), said.adjustment)
        hurt(resolution, who, max(0, thrown.total - resolution.being(who).reduction), trap.id, (thrown,))
    if not trap.effect or not resolution.figures[who].present:
        return
    if trap.effect in STUNNING:
        stun(resolution, who, STUNNING[trap.effect], trap.id)
    elif trap.effect in SPRUNG:
        condition, seconds = SPRUNG[trap.effect]
        interrupt(resolution, who)
        resolution.change(who, order=None)
        befall(resolution, who, condition, Seconds(resolution.second + seconds), trap.id)


def hurt(resolution: Resolution, who: CreatureIx, amount: int, because: str, rolls: tuple[Roll, ...]) -> None:
    """A wound that no blow made."""
    if not amount:
        resolution.note(who, text("is unhurt: {because}", because), rolls)
        return
    wounded(resolution, who, lose(resolution, who, amount, because, rolls=rolls))
    fall(resolution, who)


def set_state(
    resolution: Resolution, number: int, state: Stands, who: CreatureIx, *, inside: str = "", how: str = "",
    rolls: tuple[Roll, ...] = (),
) -> None:  # fmt: skip
    """A trap or a chest stands otherwise from now on."""
    known = resolution.challenges
    resolution.challenges = (*known[:number], state.value, *known[number + 1 :])
    one, name = resolution.setup.field.challenges[number], resolution.being(who).id
    at = resolution.space(one.cells[0])
    told = Told(
        by=name, challenge=one.id, kind=one.kind, state=state.value, at=at, contents=inside, how=how, rolls=rolls
    )
    resolution.events.append(told)


# -- water and faces ---------------------------------------------------------------------------------------


def swims(resolution: Resolution, who: CreatureIx, there: Cell) -> bool:
    """Whether somebody gets into the next space of deep water; who fails badly in the water goes under."""
    here, space = resolution.footprint(who), resolution.being(who).space
    water = obstacles.swims(resolution.setup.field, here, resolution.terrain.footprint(there, space))
    if water is None:
        return True
    left = tried(resolution, who, SWIMMING, water.difficulty, water.id)
    if left < -MISHAP and obstacles.water_at(resolution.setup.field, here) is not None:
        thrown = resolution.roll(who, "under water", (UNDER,))
        hurt(resolution, who, thrown.total, "under water", (thrown,))
    return left >= 0


def falls(resolution: Resolution, who: CreatureIx, face: Challenge) -> None:
    """Off a face: d6p a level, armour is no help; and down."""
    _drops(resolution, who, face.height, text("a fall off {id}", face.id))


def _drops(resolution: Resolution, who: CreatureIx, levels: int, because: str, why: str = "fell") -> None:
    """Down so many levels, and onto the floor."""
    if levels:
        thrown = resolution.roll(who, "fall", (Die(levels, FALLEN.faces),))
        hurt(resolution, who, thrown.total, because, (thrown,))
    if resolution.figures[who].present and not resolution.figures[who].prone:
        resolution.change(who, prone=True, stance=Stance.NONE, until=0)
        PRONE.tell(resolution, who, why)


def falls_short(resolution: Resolution, who: CreatureIx, over: tuple[Cell, ...]) -> None:
    """Into the gap that one leaps: as far as it is deep, into its water or to the ground; over what has no floor one
    lies at the edge, and so one does where no way leads out again (countup.md §2.11 Rubble and gaps)."""
    field, here = resolution.setup.field, resolution.figures[who].cell
    hollow = leaps.hollow(resolution.terrain, over)
    if hollow is None or resolution.taken(Bitboard(1 << hollow), who):
        _drops(resolution, who, 0, "", "caught the edge" if hollow is None else "fell short")
        return
    if obstacles.way_out(resolution.terrain, hollow, here):
        resolution.change(who, cell=hollow, moved=resolution.second, straight=0)
        tell_moved(resolution, who, "fall", (here, hollow))
    depth = max(0, field.level(here) - field.level(hollow))
    if depth or obstacles.water_at(field, Bitboard(1 << hollow)) is None:
        _drops(resolution, who, depth, "fell short", "fell short")
