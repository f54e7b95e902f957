"""Exact odds of deeds that a save decides: manoeuvres, help, breaking free, nerve, retreat (cairn.md §2.8, §2.12)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from rules.cairn.actions.deeds import breaks_by, needs_help, watched
from rules.cairn.actions.manoeuvres import (
    OVER,
    attribute_of,
    barbed,
    gripped,
    manoeuvre_chance,
    save_chance,
    shoved,
)
from rules.cairn.actions.plans import Context, suffers
from rules.cairn.conditions import STUCK
from rules.cairn.saves import WORDS
from rules.cairn.state import helpless
from rules.contract.actions import Action
from rules.contract.ruleset import Odds

Notes = tuple[tuple[str, str], ...]


def odds_of_deed(context: Context, action: Action) -> Odds | None:
    """The chance of a deed that a save decides; None for a deed without a die."""
    teller = _TELLERS.get(action.do)
    return teller(context, action) if teller is not None else None


def help_chance(context: Context, friend: int) -> Fraction:
    """Chance to get a friend free: no die falls but against a foe's own grip, where the weaker of the two saves."""
    if not gripped(context.state, friend):
        return Fraction(1)
    return save_chance(min(context.figure.str_now, context.state.figures[friend].str_now))


def retreat_chance(context: Context) -> Fraction:
    """Chance to get away: no save while no able foe sees it, nor of anybody but a player's character."""
    if not context.being.pc or not watched(context):
        return Fraction(1)
    return save_chance(context.figure.dex_now)


def free_chance(context: Context) -> Fraction:
    """Chance to break free."""
    return save_chance(getattr(context.figure, f"{breaks_by(context.figure)}_now"))


def _odds(chance: Fraction, words: tuple[str, str], dice: str, notes: Notes, drop: Fraction | None = None) -> Odds:
    named = ((words[0], float(chance)), (words[1], float(1 - chance)))
    return Odds(
        hit=float(chance),
        outcomes=tuple((word, p) for word, p in named if p),
        damage=(),
        mean=0.0,
        drop=float(drop or 0),
        attack_dice=dice,
        defense_dice="a d20" if dice != "no save" else "nothing",
        notes=notes,
    )


_ENDS = {
    "trip": ("it lies on the floor", "one lies there oneself"),
    "grapple": ("it is held", "one is held oneself"),
    "shove": ("it goes a space back", "one goes a space back oneself"),
}


def _manoeuvre(context: Context, action: Action) -> Odds | None:
    target = context.setup.index.get(action.target or "")
    option = action.option or ""
    if target is None or option not in _ENDS:
        return None
    chance = manoeuvre_chance(context.state, context.who, target, option)
    attribute = attribute_of(context.figure, option)
    good, bad = _ENDS[option]
    notes: Notes = ((f"passed: {good}; failed: {bad}", "cairn.md §2.12"),)
    drop = Fraction(0)
    if option == "shove":
        goal = context.state.figures[target].cell
        if shoved(context.state, target, goal, context.stand, context.being.space) == OVER:
            drop = chance
            notes += ((f"{context.setup.beings[target].name} stands at an edge and would fall", "cairn.md §2.12"),)
        if shoved(context.state, context.who, context.stand, goal, context.setup.beings[target].space) == OVER:
            notes += (("an edge is at one's own back", "cairn.md §2.12"),)
    if barbed(context.state, target):
        notes += (("barbs: a STR save first, or one faints", "cairn.md §5.5"),)
    dice = f"{WORDS[attribute]} save {getattr(context.figure, f'{attribute}_now')}"
    if helpless(context.state.figures[target]):
        notes += (("nobody resists: no save", "cairn.md §2.12"),)
        dice = f"STR save {context.figure.str_now}" if barbed(context.state, target) else "no save"
    return _odds(chance, ("comes off", "goes wrong"), dice, notes, drop)


def _help(context: Context, action: Action) -> Odds | None:
    friend = context.setup.index.get(action.target or "")
    if friend is None or not needs_help(context.state.figures[friend]):
        return None
    chance = help_chance(context, friend)
    if chance == 1 and not gripped(context.state, friend):
        return _odds(
            chance,
            ("gets free", "in vain"),
            "no save",
            (("nobody rolls: two act together", "cairn.md §2.12"),),
        )
    weaker = min(context.figure.str_now, context.state.figures[friend].str_now)
    note = ("the weaker of the two saves against the grip", "cairn.md §2.12")
    return _odds(chance, ("gets free", "in vain"), f"STR save {weaker}", (note,))


def _break_free(context: Context, action: Action) -> Odds:
    attribute = breaks_by(context.figure)
    dice = f"{WORDS[attribute]} save {getattr(context.figure, f'{attribute}_now')}"
    stuck = suffers(context.figure) is STUCK
    note = ("STR alone", "cairn.md §5.5") if stuck else ("STR or DEX, the better", "cairn.md §2.12")
    return _odds(free_chance(context), ("gets free", "still held"), dice, (note,))


def _steady(context: Context, action: Action) -> Odds:
    note = ("passed: Hit Protection counts again", "cairn.md §4")
    return _odds(
        save_chance(context.figure.wil_now),
        ("takes heart", "still panicked"),
        f"WIL save {context.figure.wil_now}",
        (note,),
    )


def _retreat(context: Context, action: Action) -> Odds:
    chance, words = retreat_chance(context), ("gets away", "the turn is lost")
    if chance == 1:
        return _odds(
            chance,
            words,
            "no save",
            (("no able foe sees it, or it is no player's character", "cairn.md §2.8"),),
        )
    note = ("an able foe is watching: failed, the turn is lost", "cairn.md §2.8")
    return _odds(chance, words, f"DEX save {context.figure.dex_now}", (note,))


def _force(context: Context, action: Action) -> Odds:
    note = ("passed: the door stands open", "cairn.md §2.12")
    strength = context.figure.str_now
    return _odds(save_chance(strength), ("stands open", "holds fast"), f"STR save {strength}", (note,))


def _tackle(context: Context, action: Action) -> Odds:
    strength = context.figure.str_now
    note = ("passed: the chest stands open", "cairn.md §2.12")
    return _odds(save_chance(strength), ("stands open", "holds fast"), f"STR save {strength}", (note,))


_TELLERS: dict[str, Callable[[Context, Action], Odds | None]] = {
    "manoeuvre": _manoeuvre,
    "help": _help,
    "break_free": _break_free,
    "steady": _steady,
    "retreat": _retreat,
    "force": _force,
    "tackle": _tackle,
}
