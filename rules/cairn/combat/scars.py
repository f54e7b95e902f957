"""Scars: what a blow leaves that takes a PC's HP to exactly 0; the row is the HP it lost (cairn.md §4)."""

from __future__ import annotations

from rules.cairn.conditions import DEAD, DEAF, DEPRIVED, INFECTED, OUT, PRONE, WINDED
from rules.cairn.saves import afflict, save
from rules.cairn.state import Choice, Resolution
from rules.contract.events import Condition, Note, Question
from rules.core.dice import roll

LAST = 12
HOUR = 360
"""Rounds after which a mortal wound kills who is not healed."""
PLACES = ("neck", "hands", "eye", "chest", "legs", "ear")
BONES = ("leg", "leg", "arm", "arm", "rib", "skull")
LIMBS = ("arm", "leg")


def scar(resolution: Resolution, who: int, lost: int) -> None:
    """Row `lost` of the table, at most 12. What happens only once it has mended is kept with the scar (A9)."""
    row = min(LAST, lost)
    figure = resolution.figures[who]
    resolution.change(who, scars=(*figure.scars, row))
    resolution.events.append(Condition(target=resolution.being(who).id, condition=f"scar {row}", gained=True))
    _ROWS[row](resolution, who)


def _throw(resolution: Resolution, who: int, label: str, count: int, die: int) -> int:
    resolution.dice.thrower = resolution.being(who).id
    rolled = roll(resolution.dice, label, count, die, exploding=False)
    resolution.events.append(Note(text=f"{label}: {rolled.total}", by=resolution.being(who).id, rolls=(rolled,)))
    return rolled.total


def _higher_hp(resolution: Resolution, who: int, count: int) -> None:
    """A new maximum of HP where the throw is higher; HP now stay as they are (A9)."""
    thrown = _throw(resolution, who, "new maximum HP", count, 6)
    resolution.change(who, hp_max=max(resolution.figures[who].hp_max, thrown))


def _lasting(resolution: Resolution, who: int) -> None:
    place = _throw(resolution, who, "where the scar stays", 1, 6)
    resolution.events.append(Note(text=f"a scar on the {PLACES[place - 1]}", by=resolution.being(who).id))
    _higher_hp(resolution, who, 1)


def _rattled(resolution: Resolution, who: int) -> None:
    _higher_hp(resolution, who, 1)


def _walloped(resolution: Resolution, who: int) -> None:
    afflict(resolution, who, PRONE, because="walloped")
    afflict(resolution, who, DEPRIVED, because="walloped")
    afflict(resolution, who, WINDED, 1, because="walloped")


def _broken(resolution: Resolution, who: int) -> None:
    bone = BONES[_throw(resolution, who, "which bone", 1, 6) - 1]
    resolution.events.append(Note(text=f"broken {bone}", by=resolution.being(who).id))
    _lame(resolution, who, bone)


def _lame(resolution: Resolution, who: int, limb: str) -> None:
    if limb == "leg":
        resolution.change(who, lame=True)
    elif limb == "arm":
        resolution.change(who, one_armed=True)
    resolution.events.append(Condition(target=resolution.being(who).id, condition=f"broken {limb}", gained=True))


def _infected(resolution: Resolution, who: int) -> None:
    afflict(resolution, who, INFECTED, because="scar")


def _head_wound(resolution: Resolution, who: int) -> None:
    pick = _throw(resolution, who, "which attribute", 1, 6)
    attribute = ("str", "dex", "wil")[(pick - 1) // 2]
    thrown = _throw(resolution, who, f"new {attribute.upper()}", 3, 6)
    figure = resolution.figures[who]
    if thrown > getattr(figure, f"{attribute}_now"):
        top = max(thrown, getattr(figure, f"{attribute}_max"))
        resolution.change(who, **{f"{attribute}_now": thrown, f"{attribute}_max": top})


def _hamstrung(resolution: Resolution, who: int) -> None:
    resolution.change(who, lame=True)
    resolution.events.append(Condition(target=resolution.being(who).id, condition="hamstrung", gained=True))


def _deafened(resolution: Resolution, who: int) -> None:
    afflict(resolution, who, DEAF, because="scar")
    if save(resolution, who, "wil", "deafened"):
        resolution.change(who, wil_max=resolution.figures[who].wil_max + _throw(resolution, who, "maximum WIL +", 1, 4))


def _rebrained(resolution: Resolution, who: int) -> None:
    thrown = _throw(resolution, who, "new maximum WIL", 3, 6)
    resolution.change(who, wil_max=max(resolution.figures[who].wil_max, thrown))


def _sundered(resolution: Resolution, who: int) -> None:
    """The limb is the game master's choice (option `gm`); without one a d2 decides: 1 arm, 2 leg."""
    if resolution.setup.gm:
        name = resolution.being(who).id
        resolution.choices = (*resolution.choices, Choice("gm", "sundered", LIMBS, who))
        resolution.events.append(Question(by="gm", kind="sundered", options=LIMBS, about=name))
        return
    sunder(resolution, who, LIMBS[_throw(resolution, who, "which limb", 1, 2) - 1])


def sunder(resolution: Resolution, who: int, limb: str) -> None:
    """Row 10 once the limb is known."""
    _lame(resolution, who, limb)
    if save(resolution, who, "wil", "sundered"):
        resolution.change(who, wil_max=resolution.figures[who].wil_max + _throw(resolution, who, "maximum WIL +", 1, 6))


def _mortal(resolution: Resolution, who: int) -> None:
    afflict(resolution, who, DEPRIVED, because="mortal wound")
    afflict(resolution, who, OUT, HOUR, "mortal wound", then=DEAD.name)
    resolution.change(who, posture="prone")


def _doomed(resolution: Resolution, who: int) -> None:
    resolution.change(who, doomed=True)
    resolution.events.append(Condition(target=resolution.being(who).id, condition="doomed", gained=True))


_ROWS = {
    1: _lasting,
    2: _rattled,
    3: _walloped,
    4: _broken,
    5: _infected,
    6: _head_wound,
    7: _hamstrung,
    8: _deafened,
    9: _rebrained,
    10: _sundered,
    11: _mortal,
    12: _doomed,
}

MENDED = {
    3: ("maximum HP +", 1, 6, True),
    4: ("new maximum HP", 2, 6, False),
    5: ("new maximum HP", 2, 6, False),
    7: ("new maximum DEX", 3, 6, False),
    11: ("new maximum HP", 2, 6, False),
}
"""Row -> (what is thrown once it has mended, dice, faces, whether it is added)."""
