"""What the game master calls for: checks, opposed checks and effect rolls with a free rating (olde.md §3).

Commands of a record by `gm`, at any time while the fight lasts, outside of anybody's chance: they cost nobody anything.
What follows from them is the game master's to say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rules.contract.actions import Action, Description
from rules.contract.events import Contest, Note
from rules.contract.ruleset import Call
from rules.contract.text import joined, text
from rules.contract.units import CreatureIx
from rules.core.dice import plain, roll
from rules.olde import skills
from rules.olde.challenges.checks import RATINGS, STATS, follow, opposed, stat_rank, terms_of
from rules.olde.state import OldeState, Resolution

GM = "gm"
SKILLS = tuple(sorted(skills.CHECK_STATS))
HIGHEST_RATING = 60
RULE = "olde.md §3"
NAMED_RATINGS = tuple(RATINGS.items())


def meant(action: Action) -> bool:
    """Whether an action is one of the game master's calls."""
    return action.by == GM and action.do in CALLS


def refusal(state: OldeState, action: Action) -> str | None:
    """Why a call can't be made, or None."""
    call = CALLS[action.do]
    reason = _who(state, "target", action.target) or _word(state, call, "option", action.target, action.option)
    if call.rated:
        reason = reason or _rating(action.rating)
    if call.opposed:
        reason = reason or _who(state, "against", action.against)
        reason = reason or ("against: nobody opposes itself" if action.against == action.target else None)
        reason = reason or _word(state, call, "resists", action.against, action.resists)
    return None if reason is None else text("{do}: {reason}", action.do, reason)


def describe(action: Action) -> Description:
    """What a call says of itself: what is asked of whom."""
    return Description(CALLS[action.do].label, "Answer", "", needs="creature", icon="dice")


def _who(state: OldeState, field: str, creature: str | None) -> str | None:
    index = state.setup.index
    here = [name for name, who in index.items() if state.figures[who].cell >= 0]
    if creature not in here:
        return text("{field}: {creature} is nobody here; there are {here}", field, repr(creature), joined(", ", here))
    return None


def _rating(rating: int | None) -> str | None:
    if rating is None:
        named = joined(", ", (text("{name} {value}", name, value) for name, value in NAMED_RATINGS))
        return text("rating: needs a number, such as {named}", named)
    if not 1 <= rating <= HIGHEST_RATING:
        return text("rating: {rating} is not from 1 to {highest_rating}", rating, HIGHEST_RATING)
    return None


def _word(state: OldeState, call: Call, field: str, creature: str | None, word: str | None) -> str | None:
    """Whether somebody can use a skill or a stat for a call."""
    if word in STATS:
        return None
    if word is None or call.words == STATS or not skills.known(word):
        return text("{field}: {word} is none of {words}", field, repr(word), joined(", ", call.words))
    fighter = state.setup.fighters[state.setup.index[creature or ""]]
    if skills.family(word) in skills.TRAINED_ONLY and word not in fighter.skills:
        return text("{field}: nobody uses {word} untrained", field, word)
    return None


def carry_out(resolution: Resolution, action: Action) -> None:
    """Throw for a legal call and tell what came of it."""
    _THROWN[action.do](resolution, action, resolution.setup.index[action.target or ""])


def _check(resolution: Resolution, action: Action, who: CreatureIx) -> None:
    own = terms_of(resolution, who, action.option or "")._replace(advantage=action.advantage)
    result = own.check(resolution.dice, action.rating or 0)
    resolution.events.append(result.event(own.by, _asked(action)))
    follow(resolution, who, result.ranks)


def _opposed(resolution: Resolution, action: Action, who: CreatureIx) -> None:
    held = terms_of(resolution, resolution.setup.index[action.against or ""], action.resists or "")
    own = terms_of(resolution, who, action.option or "")._replace(advantage=action.advantage)
    resisted, tried = opposed(resolution.dice, own, held)
    rolls, note = (resisted, tried.roll), "succeeds" if tried.success else "fails"
    resolution.events.append(
        Contest(by=own.by, target=held.by, what=_asked(action), rolls=rolls, success=tried.success, note=note)
    )
    follow(resolution, who, tried.ranks)


def _effect(resolution: Resolution, action: Action, who: CreatureIx) -> None:
    fighter, stat = resolution.fighter(who), action.option or ""
    resolution.dice.thrower = fighter.id
    rolled = roll(resolution.dice, stat.capitalize(), 1, stat_rank(fighter, stat))
    told = text("{name}, effect roll of {stat}: {total}.", fighter.called, stat.capitalize(), plain(rolled.total))
    resolution.events.append(Note(text=told, by=fighter.id, rolls=(rolled,)))


def _asked(action: Action) -> str:
    return text("{spelled}, called for", skills.spelled(action.option or "").capitalize())


_TABLE: tuple[tuple[Call, Callable[[Resolution, Action, CreatureIx], None]], ...] = (
    (Call("check", "Check", "Two exploding dice of a skill or a stat against a rating.", f"{RULE} checks",
          (*STATS, *SKILLS), rated=True), _check),
    (Call("opposed_check", "Opposed check", "Whoever resists rolls first; equal or more succeeds.", f"{RULE} opposed",
          (*STATS, *SKILLS), opposed=True), _opposed),
    (Call("effect_roll", "Effect roll", "One exploding die of a stat: how much, how long, how far.",
          f"{RULE} effect roll", STATS), _effect),
)  # fmt: skip
CALLS: Mapping[str, Call] = {call.do: call for call, _ in _TABLE}
"""Word of a command by `gm` -> what is called for."""
_THROWN = {call.do: throw for call, throw in _TABLE}
"""How it is thrown."""
