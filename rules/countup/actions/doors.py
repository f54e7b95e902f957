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
from rules.core.action_kinds import Face, Plain
from rules.core.secrets import doors_known, with_secret
from rules.countup import skills
from rules.countup.actions.context import Act, Look
from rules.countup.light import zone
from rules.countup.penetration import Die, die_chances, roll
from rules.countup.state import CountState, Task, Work, able

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


def known_doors(look: Look) -> Iterator[Doorway]:
    """The doors of which its side knows."""
    for number, door in enumerate(look.terrain.field.doors):
        if door_state(look.state, look.being.side, number) != "secret":
            yield door


def beside(look: Look) -> Iterator[int]:
    """Numbers of the doors within reach of a hand."""
    near = look.terrain.within(look.place, 1, look.being.space)
    for number, door in enumerate(look.terrain.field.doors):
        if near & (1 << door.cell | (1 << door.edge if door.edge is not None else 0)):
            yield number


def barred(state: CountState, number: int) -> bool:
    """Whether a spell keeps a door shut."""
    return bool(zone(state, "barred") >> state.setup.field.doors[number].cell & 1)


class Doors(Act):
    """`open` or `close` a door beside one: a second."""

    def __init__(self, do: str, face: Face) -> None:
        self.do, self.face = do, face

    def fault(self, look: Look, number: int) -> str | None:
        """Why a door beside one can't be moved, or None."""
        door, stands = look.terrain.field.doors[number], door_state(look.state, look.being.side, number)
        if stands == "secret":
            return "target: no door is known there"
        if stands != ("closed" if self.do == "open" else "open"):
            return f"target: the door is {stands}"
        if self.do == "open" and barred(look.state, number):
            return "target: a spell bars it"
        own = look.terrain.footprint(look.place, look.being.space)
        if self.do == "close" and door.edge is None and (look.crowd() | own) >> door.cell & 1:
            return "target: somebody stands in the doorway"
        return None

    def flaw(self, look: Look, action: Action) -> str | None:
        return refusal_of(look, action, self.fault)

    def instances(self, look: Look) -> Iterator[Action]:
        if self.hindrance(look) is None:
            for number in beside(look):
                if self.fault(look, number) is None:
                    door = look.terrain.field.doors[number]
                    yield Action(look.being.id, self.do, target=door.id, at=door.cell)


class Lock(Doors):
    """`pick_lock` or `force` a locked or barred door beside one."""

    def hindrance(self, look: Look) -> str | None:
        reason = look.action_open()
        if reason is None and look.engaged():
            reason = "engaged: there is no time for that"
        if reason is None and self.do == "pick_lock" and not look.being.skills.get(LOCKS):
            reason = "lock picking cannot be tried untrained"
        return reason

    def fault(self, look: Look, number: int) -> str | None:
        stands = door_state(look.state, look.being.side, number)
        wanted = ("locked",) if self.do == "pick_lock" else ("locked", "barred")
        if stands in wanted:
            return None
        return f"target: the door is {'unknown' if stands == 'secret' else stands}"


class Search(Plain[Look]):
    """Look for secret doors within two spaces: 1 in 6 for each, a thief 1 in 3."""

    do = "search"
    face = Face("Search", "Act", "10 s", "none", "eye", "i", "2 spaces around: secret doors")

    @staticmethod
    def known(look: Look) -> bool:
        """Whether the map has anything to find."""
        return bool(look.state.found)

    def hindrance(self, look: Look) -> str | None:
        if not self.known(look):
            return "nothing is hidden on this map"
        return look.action_open() or ("engaged: there is no time for that" if look.engaged() else None)


def refusal_of(look: Look, action: Action, fault: Callable[[Look, int], str | None]) -> str | None:
    """Why the door that an action names won't do, or None."""
    for number in beside(look):
        if look.terrain.field.doors[number].id == action.target:
            return fault(look, number)
    if any(door.id == action.target for door in look.terrain.field.doors):
        return "target: the door is out of reach"
    return f"target: no door is called {action.target!r}"


# -- done -----------------------------------------------------------------------------------------------


def move_door(work: Work, who: int, do: str, name: str) -> None:
    """Open or close it, unless somebody was quicker; a second is gone in any case."""
    number = next(i for i, door in enumerate(work.setup.field.doors) if door.id == name)
    wanted = "open" if do == "open" else "closed"
    now = door_state(work.done(), work.being(who).side, number)
    if now in ("open", "closed") and now != wanted:
        set_door(work, number, wanted, who)
        done = "opens the door" if wanted == "open" else "closes the door"
        work.events.append(Note(text=done, by=work.being(who).id))
    work.change(who, busy=work.second + 1, order=None)


def set_door(work: Work, number: int, state: str, who: int) -> None:
    """Change a door and the ground with it."""
    work.doors = (*work.doors[:number], state, *work.doors[number + 1 :])
    work.terrain = work.setup.field.terrain(sum(1 << i for i, now in enumerate(work.doors) if now == "open"))
    work.events.append(Door(door=work.setup.field.doors[number].id, state=state, by=work.being(who).id))


def begin_task(work: Work, who: int, action: Action) -> None:
    """Set to work; it comes off when its seconds are over."""
    doors = work.setup.field.doors
    door = next((i for i, each in enumerate(doors) if each.id == action.target), -1)
    ends = work.second + SECONDS[action.do]
    work.change(who, task=Task(action.do, door, ends), busy=ends, order=None)
    what = {"search": "searches", "pick_lock": "works at the lock", "force": "sets to breaking the door"}
    work.events.append(Note(text=what[action.do], by=work.being(who).id))


def tasks(work: Work) -> None:
    """Break off what foes interrupt; finish what is due in this second."""
    for who, figure in enumerate(work.figures):
        task = figure.task
        if task is None:
            continue
        if not able(figure, work.second) or figure.fresh:
            break_off(work, who)
        elif task.ends <= work.second:
            work.change(who, task=None)
            if task.do == "search":
                _search(work, who)
            elif task.do == "pick_lock":
                _pick(work, who, task.door)
            else:
                _force(work, who, task.door)


def break_off(work: Work, who: int) -> None:
    """A task is lost: its doer is free again."""
    if work.figures[who].task is not None:
        work.change(who, task=None, busy=min(work.figures[who].busy, work.second + 1))
        work.events.append(Note(text="is interrupted", by=work.being(who).id))


def _search(work: Work, who: int) -> None:
    being = work.being(who)
    around = work.terrain.within(work.figures[who].cell, SEARCHED, being.space)
    before = len(work.events)
    for number, door in enumerate(work.setup.field.doors):
        cells = 1 << door.cell | (1 << door.edge if door.edge is not None else 0)
        if not around & cells or door_state(work.done(), being.side, number) != "secret":
            continue
        work.dice.thrower = being.id
        found, thrown = skills.finds_secret_door(work.dice, being.thief)
        best = skills.SECRET_DOOR["thief" if being.thief else "anybody"]
        work.events.append(
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
            work.found = with_secret(work.found, being.side, number)
            others = any(b.side != being.side for b in work.setup.beings)
            work.events.append(
                Challenge(
                    by=being.id, challenge=door.id, kind="door", state="found", at=work.space(door.cell),
                    seen_by=(being.side,) if others else (),
                )
            )  # fmt: skip
    if len(work.events) == before:
        work.events.append(Note(text="finds nothing hidden", by=being.id))


def _pick(work: Work, who: int, number: int) -> None:
    being, door = work.being(who), work.setup.field.doors[number]
    if work.doors[number] != "locked":
        return
    work.dice.thrower = being.id
    tired = work.figures[who].fatigue > work.second - SECONDS["pick_lock"]
    skill = being.skills.get(LOCKS, 0) - (skills.TIRED if tired else 0)
    tried = skills.check(work.dice, skill, difficulty_of(door.difficulty))
    work.events.append(
        Check(
            by=being.id,
            what=f"{LOCKS}, {door.id}",
            roll=tried.roll,
            rating=tried.skill,
            success=tried.success,
        )
    )
    if tried.success:
        set_door(work, number, "closed", who)


def _force(work: Work, who: int, number: int) -> None:
    being, door = work.being(who), work.setup.field.doors[number]
    if work.doors[number] not in ("locked", "barred"):
        return
    work.dice.thrower = ""
    held = roll(work.dice, "the door holds", (Die(1, 20),), door.difficulty - PLAIN)
    work.dice.thrower = being.id
    tried = roll(work.dice, "breaks the door", (Die(1, 20),), being.damage)
    broken = tried.total > held.total
    note = "it bursts open" if broken else "it holds"
    work.events.append(
        Contest(by=being.id, target=door.id, what="force", rolls=(held, tried), success=broken, note=note)
    )
    if broken:
        set_door(work, number, "open", who)


def difficulty_of(figure: int) -> str:
    """A door's difficulty in the words of a skill check."""
    return next((word for most, word in DIFFICULTIES if figure <= most), "very difficult")


# -- odds -----------------------------------------------------------------------------------------------


def odds_of(look: Look, action: Action) -> Odds | None:
    """The exact chance of a task; None for a deed without dice. A search: for each secret door that is there."""
    if action.do == "search":
        chance = Fraction(skills.SECRET_DOOR["thief" if look.being.thief else "anybody"], 6)
        return _odds(chance, "d6", ("for each secret door within 2 spaces, if there is any", RULE))
    door = next((d for d in look.terrain.field.doors if d.id == action.target), None)
    if door is None or action.do not in ("pick_lock", "force"):
        return None
    if action.do == "pick_lock":
        word = difficulty_of(door.difficulty)
        tired = skills.TIRED if look.figure.fatigue > look.state.second else 0
        faces = look.being.skills.get(LOCKS, 0) - tired - skills.DIFFICULTY[word]
        return _odds(Fraction(min(100, max(0, faces)), 100), "d100", (f"{LOCKS}, {word}", RULE))
    gap = look.being.damage - (door.difficulty - PLAIN)
    guards = die_chances(20)
    chance = sum(
        (p * q for value, p in die_chances(20) for guard, q in guards if value + gap > guard), Fraction(0)
    )
    return _odds(chance, "d20p", ("opposed by the door's d20p", RULE))


def _odds(chance: Fraction, dice: str, note: tuple[str, str]) -> Odds:
    hit = float(chance)
    outcomes = (("success", hit), ("failure", float(1 - chance)))
    return Odds(hit, outcomes, ((0, 1.0),), 0.0, 0.0, attack_dice=dice, notes=(note,))
