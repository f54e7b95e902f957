"""Doors: opened, closed, picked, broken and found (countup.md §2.9; times and the breaking are OURS).

What takes several seconds is a task: it comes off when they are over, and is lost with a wound, a fall, or a foe's
coming into contact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from rules.board.grid import Door as Doorway
from rules.contract.actions import Action
from rules.contract.events import Challenge, Check, Contest, Door, Note
from rules.contract.ruleset import Odds
from rules.core.action_kinds import ActionKind, Face
from rules.core.secrets import doors_known, with_secret
from rules.countup import skills
from rules.countup.actions.context import Act, Context
from rules.countup.light import zone
from rules.countup.penetration import Die, die_chances, roll
from rules.countup.state import CountState, Resolution, Task, able

RULE = "countup.md §2.9"
LOCKS = "lock picking"
SECRET = "a secret door"
"""What a search is after, in the event of its check."""
SECONDS = {"search": 10, "pick_lock": 10, "force": 5}
"""What a task takes (OURS)."""
SEARCHED = 2
"""Spaces around oneself that a search covers (OURS)."""
DIFFICULTIES = ((3, "trivial"), (6, "easy"), (9, "average"), (12, "difficult"))
"""A door's difficulty up to the figure -> a skill check's; beyond, very difficult (OURS)."""
PLAIN = 9
"""The difficulty of a door that resists breaking by nothing but its d20p (OURS)."""


def door_state(state: CountState, side: str, door: int) -> str:
    """How a door stands as far as a side knows."""
    now = state.doors[door]
    return doors_known(state.doors, state.found, (side,))[door] if now == "secret" else now


def known_doors(context: Context) -> Iterator[Doorway]:
    """The doors of which its side knows."""
    for number, door in enumerate(context.terrain.field.doors):
        if door_state(context.state, context.being.side, number) != "secret":
            yield door


def beside(context: Context) -> Iterator[int]:
    """Numbers of the doors within reach of a hand."""
    near = context.terrain.within(context.place, 1, context.being.space)
    for number, door in enumerate(context.terrain.field.doors):
        if near & (1 << door.cell | (1 << door.edge if door.edge is not None else 0)):
            yield number


def barred(state: CountState, number: int) -> bool:
    """Whether a spell keeps a door shut."""
    return bool(zone(state, "barred") >> state.setup.field.doors[number].cell & 1)


class Doors(Act):
    """`open` or `close` a door beside one: a second."""

    def __init__(self, do: str, face: Face) -> None:
        self.do, self.face = do, face

    def fault(self, context: Context, number: int) -> str | None:
        """Why a door beside one can't be moved, or None."""
        door, stands = (
            context.terrain.field.doors[number],
            door_state(context.state, context.being.side, number),
        )
        if stands == "secret":
            return "target: no door is known there"
        if stands != ("closed" if self.do == "open" else "open"):
            return f"target: the door is {stands}"
        if self.do == "open" and barred(context.state, number):
            return "target: a spell bars it"
        own = context.terrain.footprint(context.place, context.being.space)
        if self.do == "close" and door.edge is None and (context.crowd() | own) >> door.cell & 1:
            return "target: somebody stands in the doorway"
        return None

    def why_not_this(self, context: Context, action: Action) -> str | None:
        return refusal_of(context, action, self.fault)

    def instances(self, context: Context) -> Iterator[Action]:
        if self.why_not(context) is None:
            for number in beside(context):
                if self.fault(context, number) is None:
                    door = context.terrain.field.doors[number]
                    yield Action(context.being.id, self.do, target=door.id, at=door.cell)


class Lock(Doors):
    """`pick_lock` or `force` a locked or barred door beside one."""

    def why_not(self, context: Context) -> str | None:
        reason = context.action_open()
        if reason is None and context.engaged():
            reason = "engaged: there is no time for that"
        if reason is None and self.do == "pick_lock" and not context.being.skills.get(LOCKS):
            reason = "lock picking cannot be tried untrained"
        return reason

    def fault(self, context: Context, number: int) -> str | None:
        stands = door_state(context.state, context.being.side, number)
        wanted = ("locked",) if self.do == "pick_lock" else ("locked", "barred")
        if stands in wanted:
            return None
        return f"target: the door is {'unknown' if stands == 'secret' else stands}"


class Search(ActionKind[Context]):
    """Look for secret doors within two spaces: 1 in 6 for each, a thief 1 in 3."""

    do = "search"
    face = Face("Search", "Act", "10 s", "none", "eye", "i", "2 spaces around: secret doors")

    @staticmethod
    def known(context: Context) -> bool:
        """Whether the map has anything to find."""
        return bool(context.state.found)

    def why_not(self, context: Context) -> str | None:
        if not self.known(context):
            return "nothing is hidden on this map"
        return context.action_open() or ("engaged: there is no time for that" if context.engaged() else None)


def refusal_of(context: Context, action: Action, fault: Callable[[Context, int], str | None]) -> str | None:
    """Why the door that an action names won't do, or None."""
    for number in beside(context):
        if context.terrain.field.doors[number].id == action.target:
            return fault(context, number)
    if any(door.id == action.target for door in context.terrain.field.doors):
        return "target: the door is out of reach"
    return f"target: no door is called {action.target!r}"


# -- done -----------------------------------------------------------------------------------------------


def move_door(resolution: Resolution, who: int, do: str, name: str) -> None:
    """Open or close it, unless somebody was quicker; a second is gone in any case."""
    number = next(i for i, door in enumerate(resolution.setup.field.doors) if door.id == name)
    wanted = "open" if do == "open" else "closed"
    now = door_state(resolution.done(), resolution.being(who).side, number)
    if now in ("open", "closed") and now != wanted:
        set_door(resolution, number, wanted, who)
        done = "opens the door" if wanted == "open" else "closes the door"
        resolution.events.append(Note(text=done, by=resolution.being(who).id))
    resolution.change(who, busy=resolution.second + 1, order=None)


def set_door(resolution: Resolution, number: int, state: str, who: int) -> None:
    """Change a door and the ground with it."""
    resolution.doors = (*resolution.doors[:number], state, *resolution.doors[number + 1 :])
    resolution.terrain = resolution.setup.field.terrain(
        sum(1 << i for i, now in enumerate(resolution.doors) if now == "open")
    )
    resolution.events.append(
        Door(door=resolution.setup.field.doors[number].id, state=state, by=resolution.being(who).id)
    )


def begin_task(resolution: Resolution, who: int, action: Action) -> None:
    """Set to work; it comes off when its seconds are over."""
    doors = resolution.setup.field.doors
    door = next((i for i, each in enumerate(doors) if each.id == action.target), -1)
    ends = resolution.second + SECONDS[action.do]
    resolution.change(who, task=Task(action.do, door, ends), busy=ends, order=None)
    what = {"search": "searches", "pick_lock": "works at the lock", "force": "sets to breaking the door"}
    resolution.events.append(Note(text=what[action.do], by=resolution.being(who).id))


def tasks(resolution: Resolution) -> None:
    """Break off what foes interrupt; finish what is due in this second."""
    for who, figure in enumerate(resolution.figures):
        task = figure.task
        if task is None:
            continue
        if not able(figure, resolution.second) or figure.fresh:
            break_off(resolution, who)
        elif task.ends <= resolution.second:
            resolution.change(who, task=None)
            if task.do == "search":
                _search(resolution, who)
            elif task.do == "pick_lock":
                _pick(resolution, who, task.door)
            else:
                _force(resolution, who, task.door)


def break_off(resolution: Resolution, who: int) -> None:
    """A task is lost: its doer is free again."""
    if resolution.figures[who].task is not None:
        resolution.change(who, task=None, busy=min(resolution.figures[who].busy, resolution.second + 1))
        resolution.events.append(Note(text="is interrupted", by=resolution.being(who).id))


def _search(resolution: Resolution, who: int) -> None:
    being = resolution.being(who)
    around = resolution.terrain.within(resolution.figures[who].cell, SEARCHED, being.space)
    before = len(resolution.events)
    for number, door in enumerate(resolution.setup.field.doors):
        cells = 1 << door.cell | (1 << door.edge if door.edge is not None else 0)
        if not around & cells or door_state(resolution.done(), being.side, number) != "secret":
            continue
        resolution.dice.thrower = being.id
        found, thrown = skills.finds_secret_door(resolution.dice, being.thief)
        best = skills.SECRET_DOOR["thief" if being.thief else "anybody"]
        resolution.events.append(
            Check(
                by=being.id,
                what=SECRET,
                roll=thrown,
                rating=best,
                success=found,
                seen_by=(being.side,),
            )
        )
        if found:
            resolution.found = with_secret(resolution.found, being.side, number)
            others = any(b.side != being.side for b in resolution.setup.beings)
            resolution.events.append(
                Challenge(
                    by=being.id, challenge=door.id, kind="door", state="found", at=resolution.space(door.cell),
                    seen_by=(being.side,) if others else (),
                )
            )  # fmt: skip
    if len(resolution.events) == before:
        resolution.events.append(Note(text="finds nothing hidden", by=being.id))


def _pick(resolution: Resolution, who: int, number: int) -> None:
    being, door = resolution.being(who), resolution.setup.field.doors[number]
    if resolution.doors[number] != "locked":
        return
    resolution.dice.thrower = being.id
    tired = resolution.figures[who].fatigue > resolution.second - SECONDS["pick_lock"]
    skill = being.skills.get(LOCKS, 0) - (skills.TIRED if tired else 0)
    tried = skills.check(resolution.dice, skill, difficulty_of(door.difficulty))
    resolution.events.append(
        Check(
            by=being.id,
            what=f"{LOCKS}, {door.id}",
            roll=tried.roll,
            rating=tried.skill,
            success=tried.success,
        )
    )
    if tried.success:
        set_door(resolution, number, "closed", who)


def _force(resolution: Resolution, who: int, number: int) -> None:
    being, door = resolution.being(who), resolution.setup.field.doors[number]
    if resolution.doors[number] not in ("locked", "barred"):
        return
    resolution.dice.thrower = ""
    held = roll(resolution.dice, "the door holds", (Die(1, 20),), door.difficulty - PLAIN)
    resolution.dice.thrower = being.id
    tried = roll(resolution.dice, "breaks the door", (Die(1, 20),), being.damage)
    broken = tried.total > held.total
    note = "it bursts open" if broken else "it holds"
    resolution.events.append(
        Contest(by=being.id, target=door.id, what="force", rolls=(held, tried), success=broken, note=note)
    )
    if broken:
        set_door(resolution, number, "open", who)


def difficulty_of(figure: int) -> str:
    """A door's difficulty in the words of a skill check."""
    return next((word for most, word in DIFFICULTIES if figure <= most), "very difficult")


# -- odds -----------------------------------------------------------------------------------------------


def odds_of(context: Context, action: Action) -> Odds | None:
    """The exact chance of a task; None for a deed without dice. A search: for each secret door that is there."""
    if action.do == "search":
        chance = Fraction(skills.SECRET_DOOR["thief" if context.being.thief else "anybody"], 6)
        return _odds(chance, "d6", ("for each secret door within 2 spaces, if there is any", RULE))
    door = next((d for d in context.terrain.field.doors if d.id == action.target), None)
    if door is None or action.do not in ("pick_lock", "force"):
        return None
    if action.do == "pick_lock":
        word = difficulty_of(door.difficulty)
        tired = skills.TIRED if context.figure.fatigue > context.state.second else 0
        faces = context.being.skills.get(LOCKS, 0) - tired - skills.DIFFICULTY[word]
        return _odds(Fraction(min(100, max(0, faces)), 100), "d100", (f"{LOCKS}, {word}", RULE))
    gap = context.being.damage - (door.difficulty - PLAIN)
    guards = die_chances(20)
    chance = sum((p * q for value, p in die_chances(20) for guard, q in guards if value + gap > guard), Fraction(0))
    return _odds(chance, "d20p", ("opposed by the door's d20p", RULE))


def _odds(chance: Fraction, dice: str, note: tuple[str, str]) -> Odds:
    hit = float(chance)
    outcomes = (("success", hit), ("failure", float(1 - chance)))
    return Odds(hit, outcomes, ((0, 1.0),), 0.0, 0.0, attack_dice=dice, notes=(note,))
