"""Challenges that maps place, as deeds: search, chests, traps and rubble (olde.md §3, §8).

Costs in a fight are our ruling where the rules name none: all of them 3/Only, as `force`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rules.board.bitboard import board_of
from rules.board.fixtures import Challenge
from rules.contract.actions import Action
from rules.contract.events import Challenge as Told
from rules.contract.events import Contest
from rules.contract.ruleset import Odds
from rules.contract.text import ntext, text
from rules.contract.units import Cell, CreatureIx
from rules.core.action_kinds import Face
from rules.core.dice import roll_expression
from rules.core.fixtures import challenges
from rules.core.fixtures.contents import parts_of
from rules.core.fixtures.loot import Find, told
from rules.core.secrets import SEARCHED, Stands, hidden, known_to_all, named
from rules.core.secrets import Kind as Obstacle
from rules.explore.state import put
from rules.olde.actions.hands import key_in
from rules.olde.actions.kind import Context, Kind, Minutes, Picking, none_of
from rules.olde.challenges import checks
from rules.olde.challenges.state import learn, set_state, snares
from rules.olde.combat.outcomes import injure
from rules.olde.conditions import BLEEDING, SPRUNG, lay, lay_ground
from rules.olde.plunder import PLUNDER
from rules.olde.state import Resolution

SEARCHING = ("Alertness", "Investigation")
DEFT = 2
"""Ranks of success with Disable that open a trapped chest without setting it off."""
FRIGHT = 3
"""Resets that a fright lasts; a Nerve check against the attempt's total ends it sooner."""
DEFT_SKILL = "Disable"
SKILLS: Mapping[str, tuple[str, ...]] = {
    Obstacle.TRAP: ("Disable", "Burst", "Lift/Shift"),
    Obstacle.CHEST: ("Disable", "Burst", "Lift/Shift"),
    Obstacle.RUBBLE: ("Burst", "Lift/Shift"),
}


# -- search ---------------------------------------------------------------------------------------------


class Search(Kind):
    """Look for secret doors and traps around oneself: 3/Only, Alertness or Investigation against each one's rating."""

    do = "search"
    face = Face("Search", "Act", "3 AP/Only", "none", "eye", "e", "2 spaces around: secret doors, traps")
    ap, only = 3, True
    risky = True

    def why_not(self, context: Context) -> str | None:
        return self.closed(context) if context.state.found else "nothing is hidden on this map"

    def idle(self, context: Context) -> bool:
        return not context.state.found

    def why_not_this(self, context: Context, action: Action) -> str | None:
        return none_of(action.option, SEARCHING) if action.option not in (None, *SEARCHING) else None

    def odds(self, context: Context, action: Action) -> Odds:
        """Against an ordinary hiding place: what there is to find, and how well it is hidden, nobody knows."""
        skill = action.option or checks.best_skill(context.fighter, SEARCHING)
        note = text("{skill}: if something is hidden here, and not too well", skill)
        terms = checks.terms_helped(context.state, context.who, skill)
        return terms.either(checks.MODERATE, "finds it", "overlooks it", (note, "olde.md §8"))

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        fighter, figure = resolution.fighter(who), resolution.figures[who]
        skill = action.option or checks.best_skill(fighter, SEARCHING)
        terms = checks.terms_helped(resolution, who, skill)._replace(label=text("{skill} (search)", skill))
        thrown = terms.roll(resolution.dice)
        checks.use_help(resolution, who, skill)
        around = resolution.terrain.within(figure.cell, SEARCHED, fighter.space)
        field = resolution.setup.field
        secrets = hidden(field, resolution.doors, resolution.challenges, resolution.found, fighter.side, around=around)
        ratings = [door.difficulty for door in field.doors] + [each.notice for each in field.challenges]
        found = [secret for secret in secrets if thrown.total >= ratings[secret]]
        resolution.events.append(
            Contest(by=fighter.id, target=fighter.id, what="Search", rolls=(thrown,), success=bool(found),
                    note="something is there" if found else "finds nothing")
        )  # fmt: skip
        for secret in found:
            learn(resolution, fighter.side, secret, fighter.id)
        # measured against an ordinary hiding place, so that nobody learns from it whether something is there
        checks.follow(resolution, who, checks.ranks_of(thrown.total - checks.MODERATE))


# -- locks and traps ------------------------------------------------------------------------------------


class Tackle(Picking):
    """Pick or break a chest, disarm or wreck a trap that is known, beside one: 3/Only (olde.md §4 Force or pick)."""

    do = "tackle"
    face = Face("Obstacles", "Act", "3 AP/Only", "option", "force", "n", "chest, known trap, rubble")
    ap, only = 3, True
    risky = True
    exploring = Minutes()
    tells_chance = True
    nothing = "no locked chest, known trap or rubble beside"

    @staticmethod
    def near(context: Context) -> list[tuple[int, Challenge]]:
        """What can be tackled from here."""
        if not context.field.challenges:
            return []
        around = context.terrain.within(context.figure.cell, 1, context.fighter.space) & ~context.state.cleared
        state, side = context.state, context.fighter.side
        return challenges.within(
            challenges.TACKLING, context.field, state.challenges, found=state.found, side=side, around=around
        )

    def idle(self, context: Context) -> bool:
        return not context.field.challenges

    def why_not_this(self, context: Context, action: Action) -> str | None:
        near = self.near(context)
        if wrong := challenges.why_not(near, action.item):
            return wrong
        skills = next(SKILLS[one.kind] for _, one in near if one.id == action.item)
        return none_of(action.option, skills) if action.option not in (None, *skills) else None

    def candidates(self, context: Context) -> Iterator[Action]:
        for _, challenge in self.near(context):
            for skill in SKILLS[challenge.kind]:
                yield Action(context.actor, self.do, item=challenge.id, option=skill)

    def odds(self, context: Context, action: Action) -> Odds:
        _, challenge = named(context.field, action.item or "")
        skill = action.option or checks.best_skill(context.fighter, SKILLS[challenge.kind])
        terms, rating = checks.terms_helped(context.state, context.who, skill), challenge.difficulty
        if challenge.kind == Obstacle.RUBBLE:
            return self._rubble(context, challenge, terms)
        note = (text("{skill} against the {id}", skill, challenge.id), "olde.md §4 force or pick")
        if challenge.kind == Obstacle.CHEST:
            return terms.either(rating, "opened", "holds", note)
        return terms.daring(rating, "disarmed" if skill == DEFT_SKILL else "wrecked", "stays armed", "goes off", note)

    @staticmethod
    def _rubble(context: Context, challenge: Challenge, terms: checks.Terms) -> Odds:
        left = len(challenges.left_of(challenge, context.state.cleared))
        rating, most = challenge.difficulty, min(left, 3)
        (_, all_of_it), *fewer = terms.scaled(rating, most)
        clears = [(text("clears {most}{or_more}", most, " or more" if left > most else ""), all_of_it)]
        clears += [(text("clears {k}", k), chance) for k, chance in fewer]
        chance = terms.chance(rating)
        note = ("each rank of success clears a space", "olde.md §3 scaling")
        return terms.odds(rating, (*clears, ("holds", 1.0 - chance)), note, hit=chance)

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        number, challenge = named(resolution.setup.field, action.item or "")
        skill = action.option or checks.best_skill(resolution.fighter(who), SKILLS[challenge.kind])
        if checks.attempt(resolution, who, skill, challenge.difficulty, text("{skill}, {id}", skill, challenge.id)):
            if challenge.kind == Obstacle.RUBBLE:
                clear(resolution, who, number, checks.ranks_made(resolution))
            elif challenge.kind == Obstacle.TRAP:
                set_state(resolution, number, Stands.DISARMED, action.by)
            else:
                deft = skill == DEFT_SKILL and checks.ranks_made(resolution) >= DEFT
                uncover(resolution, who, number, challenge, bites=not deft)
        elif challenge.kind == Obstacle.TRAP and checks.ranks_made(resolution) <= -2:
            spring(resolution, who, number)


def uncover(
    resolution: Resolution, who: CreatureIx, number: int, chest: Challenge, how: str = "", *, bites: bool = True
) -> None:  # fmt: skip
    """A chest comes open: what is in it lies on its space, where it says more than a word; a trap in it may bite."""
    name, parts = resolution.fighter(who).id, parts_of(chest.contents)
    plain = not resolution.setup.fixtures and all(part.thing for part in parts)
    if plain or not parts:
        set_state(resolution, number, Stands.OPEN, name, how=how)
        key_in(resolution, who, chest)
    else:
        drawn = PLUNDER.spill(resolution, chest, bare=not resolution.setup.fixtures)
        inside = told(Find(item) for item in drawn.things) if drawn.rolls else None
        set_state(resolution, number, Stands.OPEN, name, inside=inside, how=how, rolls=drawn.rolls)
    if bites:
        _bite(resolution, who, chest)


def clear(resolution: Resolution, who: CreatureIx, number: int, ranks: int) -> None:
    """Rubble gives way: a space for each rank of success, the nearest first (olde.md §3 scaling)."""
    challenge, terrain = resolution.setup.field.challenges[number], resolution.terrain
    here, size = resolution.figures[who].cell, resolution.fighter(who).space
    left = challenges.next_of(terrain, challenge, resolution.cleared, here, size)
    gone = left[:ranks]
    resolution.cleared |= board_of(gone)
    lay_ground(resolution)
    at, much = resolution.space(gone[0]), ntext(len(gone), "{n} space", "{n} spaces")
    name = resolution.fighter(who).id
    event = Told(by=name, challenge=challenge.id, kind=challenge.kind, state=Stands.CLEARED.value, at=at, contents=much)
    resolution.events.append(event)
    if len(gone) == len(left):
        resolution.challenges = put(resolution.challenges, number, Stands.CLEARED.value)


def spring(resolution: Resolution, who: CreatureIx, number: int) -> None:
    """A trap goes off under somebody: its dice, armor does not help, and its condition."""
    challenge = resolution.setup.field.challenges[number]
    set_state(resolution, number, Stands.SPRUNG, resolution.fighter(who).id)
    resolution.found = known_to_all(resolution.found, len(resolution.doors) + number)
    _bite(resolution, who, challenge)


def _bite(resolution: Resolution, who: CreatureIx, challenge: Challenge) -> None:
    fighter = resolution.fighter(who)
    if challenge.damage:
        resolution.dice.thrower = ""
        rolled = roll_expression(resolution.dice, challenge.id, challenge.damage)
        injure(resolution, who, max(0, rolled.total), challenge.id, rolls=(rolled,))
    if challenge.effect == BLEEDING.name:
        if resolution.figures[who].hp > -fighter.hp_max:
            BLEEDING.gain(resolution, who, challenge.id)
    elif challenge.effect and resolution.figures[who].hp > 0:
        lay(resolution, who, SPRUNG[challenge.effect].effect(FRIGHT, rating=9, recover="brawn"))


def walk_into(resolution: Resolution, who: CreatureIx, path: tuple[Cell, ...]) -> tuple[tuple[Cell, ...], int]:
    """(how far somebody gets on a way, the number of the trap that springs there or −1).

    How far somebody gets on a way: at a trap that its side doesn't know, a check of Alertness sees it in time and
    one stops before it; else it springs, and one stops in it."""
    fighter, state = resolution.fighter(who), resolution.state
    armed = snares(state, fighter.side, known=False)
    if not armed or not any(resolution.terrain.footprint(cell, fighter.space) & armed for cell in path):
        return path, -1
    for step, cell in enumerate(path):
        here = resolution.terrain.footprint(cell, fighter.space)
        field, found = resolution.setup.field, state.found
        for i, challenge in challenges.armed(field, resolution.challenges, found, fighter.side, here):
            if checks.attempt(resolution, who, "Alertness", challenge.notice, "something underfoot"):
                learn(resolution, fighter.side, len(resolution.doors) + i, fighter.id)
                return path[:step], -1
            return path[: step + 1], i
    return path, -1
