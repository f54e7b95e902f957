"""Scars: what a blow leaves that takes a PC's HP to exactly 0; the row is the HP it lost (cairn.md §4)."""

from __future__ import annotations

from rules.cairn.saves import afflict, save
from rules.cairn.state import Choice, Work
from rules.contract.events import Condition, Note, Question
from rules.core.dice import roll

LAST = 12
HOUR = 360
"""Rounds after which a mortal wound kills who is not healed."""
PLACES = ("neck", "hands", "eye", "chest", "legs", "ear")
BONES = ("leg", "leg", "arm", "arm", "rib", "skull")
LIMBS = ("arm", "leg")


def scar(work: Work, who: int, lost: int) -> None:
    """Row `lost` of the table, at most 12. What happens only once it has mended is kept with the scar (A9)."""
    row = min(LAST, lost)
    figure = work.figures[who]
    work.change(who, scars=(*figure.scars, row))
    work.events.append(Condition(target=work.being(who).id, condition=f"scar {row}", gained=True))
    _ROWS[row](work, who)


def _throw(work: Work, who: int, label: str, count: int, die: int) -> int:
    work.dice.thrower = work.being(who).id
    rolled = roll(work.dice, label, count, die, exploding=False)
    work.events.append(Note(text=f"{label}: {rolled.total}", by=work.being(who).id, rolls=(rolled,)))
    return rolled.total


def _higher_hp(work: Work, who: int, count: int) -> None:
    """A new maximum of HP where the throw is higher; HP now stay as they are (A9)."""
    thrown = _throw(work, who, "new maximum HP", count, 6)
    work.change(who, hp_max=max(work.figures[who].hp_max, thrown))


def _lasting(work: Work, who: int) -> None:
    place = _throw(work, who, "where the scar stays", 1, 6)
    work.events.append(Note(text=f"a scar on the {PLACES[place - 1]}", by=work.being(who).id))
    _higher_hp(work, who, 1)


def _rattled(work: Work, who: int) -> None:
    _higher_hp(work, who, 1)


def _walloped(work: Work, who: int) -> None:
    afflict(work, who, "prone", because="walloped")
    afflict(work, who, "deprived", because="walloped")
    afflict(work, who, "winded", 1, because="walloped")


def _broken(work: Work, who: int) -> None:
    bone = BONES[_throw(work, who, "which bone", 1, 6) - 1]
    work.events.append(Note(text=f"broken {bone}", by=work.being(who).id))
    _lame(work, who, bone)


def _lame(work: Work, who: int, limb: str) -> None:
    if limb == "leg":
        work.change(who, lame=True)
    elif limb == "arm":
        work.change(who, one_armed=True)
    work.events.append(Condition(target=work.being(who).id, condition=f"broken {limb}", gained=True))


def _infected(work: Work, who: int) -> None:
    afflict(work, who, "infected", because="scar")


def _head_wound(work: Work, who: int) -> None:
    pick = _throw(work, who, "which attribute", 1, 6)
    attribute = ("str", "dex", "wil")[(pick - 1) // 2]
    thrown = _throw(work, who, f"new {attribute.upper()}", 3, 6)
    figure = work.figures[who]
    if thrown > getattr(figure, f"{attribute}_now"):
        top = max(thrown, getattr(figure, f"{attribute}_max"))
        work.change(who, **{f"{attribute}_now": thrown, f"{attribute}_max": top})


def _hamstrung(work: Work, who: int) -> None:
    work.change(who, lame=True)
    work.events.append(Condition(target=work.being(who).id, condition="hamstrung", gained=True))


def _deafened(work: Work, who: int) -> None:
    afflict(work, who, "deaf", because="scar")
    if save(work, who, "wil", "deafened"):
        work.change(who, wil_max=work.figures[who].wil_max + _throw(work, who, "maximum WIL +", 1, 4))


def _rebrained(work: Work, who: int) -> None:
    thrown = _throw(work, who, "new maximum WIL", 3, 6)
    work.change(who, wil_max=max(work.figures[who].wil_max, thrown))


def _sundered(work: Work, who: int) -> None:
    """The limb is the game master's choice (option `gm`); without one a d2 decides: 1 arm, 2 leg."""
    if work.setup.gm:
        name = work.being(who).id
        work.choices = (*work.choices, Choice("gm", "sundered", LIMBS, who))
        work.events.append(Question(by="gm", kind="sundered", options=LIMBS, about=name))
        return
    sunder(work, who, LIMBS[_throw(work, who, "which limb", 1, 2) - 1])


def sunder(work: Work, who: int, limb: str) -> None:
    """Row 10 once the limb is known."""
    _lame(work, who, limb)
    if save(work, who, "wil", "sundered"):
        work.change(who, wil_max=work.figures[who].wil_max + _throw(work, who, "maximum WIL +", 1, 6))


def _mortal(work: Work, who: int) -> None:
    afflict(work, who, "deprived", because="mortal wound")
    afflict(work, who, "out", HOUR, "mortal wound", then="dead")
    work.change(who, posture="prone")


def _doomed(work: Work, who: int) -> None:
    work.change(who, doomed=True)
    work.events.append(Condition(target=work.being(who).id, condition="doomed", gained=True))


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
