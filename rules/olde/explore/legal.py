"""The legal actions of a hero in an exploration, their descriptions and their odds (olde.md §8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from rules.contract.actions import Action, Decision, Description, Offer
from rules.contract.ruleset import Odds, Share
from rules.core import odds as dist
from rules.core.action_kinds import Shelf
from rules.core.dice import notation
from rules.core.figures import signed
from rules.olde.actions import calls, check_odds
from rules.olde.actions.context import Context, by_goal
from rules.olde.challenges.checks import skill_terms
from rules.olde.explore.care import Bind
from rules.olde.explore.deeds import EXPLORING, LOUDLY, Magic, Stroll, Timed, in_minutes, look_of
from rules.olde.explore.model import OPENLY
from rules.olde.explore.notice import (
    LOUD,
    OPEN,
    SURE,
    Risk,
    Sense,
    attempts,
    guise_of,
    noticed,
    risk_of,
    sneak_terms,
)
from rules.olde.explore.state import NOTICING, is_hero, waiting
from rules.olde.magic import odds as magic_odds
from rules.olde.magic.deeds import casting_of, describe_magic
from rules.olde.state import OldeState, Resolution

_SHELF = Shelf(
    large=("sneak", "walk", "ambush", "end"),
    small=("search", "cast", "use", "bind", "light", "douse", "open", "force", "meal", "shout"),
)


def decisions(state: OldeState) -> tuple[Decision, ...]:
    """A decision for every hero who has a turn left in this minute, in any order."""
    fighters = state.setup.fighters
    return tuple(
        Decision(fighters[i].id, fighters[i].side, "explore", f"{fighters[i].name}'s minute") for i in waiting(state)
    )


class ExploreActions:
    """Legal actions of one hero's minute."""

    def __init__(self, state: OldeState, decision: Decision) -> None:
        self.state = state
        self.decision = decision
        self.context = look_of(state, state.setup.index[decision.by])

    def __iter__(self) -> Iterator[Action]:
        for timed in EXPLORING.values():
            yield from timed.instances(self.context)

    def __contains__(self, action: object) -> bool:
        return isinstance(action, Action) and self.refusal(action) is None

    def refusal(self, action: Action) -> str | None:
        if action.by != self.decision.by:
            if calls.meant(action):
                return calls.refusal(self.state, action)
            return f"by: this is {self.decision.by}'s minute, not {action.by}'s"
        timed = EXPLORING.get(action.do)
        if timed is None:
            return f"do: {action.do!r} is nothing to explore with; there are {', '.join(EXPLORING)}"
        reason = timed.refusal(self.context, action)
        return None if reason is None else f"{action.do}: {reason}"

    def moves(self, do: str) -> Mapping[int, Action]:
        timed = EXPLORING.get(do)
        if timed is None or timed.face.needs not in ("path", "space"):
            return {}
        return by_goal(timed.instances(self.context))

    def offers(self) -> tuple[Offer, ...]:
        out = []
        for do, timed in EXPLORING.items():
            actions = tuple(timed.instances(self.context))
            refused = None if actions else (timed.why_not(self.context) or "nothing to do it with")
            inside = timed.inside(self.context, actions) if isinstance(timed, Magic) else ()
            out.append(Offer(do, _SHELF.placed(do, timed.face.described()), actions, refused, inside=inside))
        return tuple(out)


def describe(state: OldeState, action: Action) -> Description:
    """What an action says of itself; a spell by its own name."""
    timed, who = EXPLORING[action.do], state.setup.index.get(action.by)
    if isinstance(timed, Magic) and who is not None and action.item is not None:
        return in_minutes(describe_magic(look_of(state, who), action))
    return timed.face.described()


def odds_of(state: OldeState, action: Action) -> Odds | None:
    """Exact odds of a legal deed: of being noticed on a way, of what a check decides; None without dice."""
    timed = EXPLORING.get(action.do)
    who = state.setup.index.get(action.by)
    if timed is None or who is None or who not in waiting(state):
        return None
    context = look_of(state, who)
    if timed.refusal(context, action) is not None:
        return None
    if isinstance(timed, Stroll):
        return _way(context.state, who, timed, action)
    if action.do == "end":
        return _waiting(context.state, who)
    if isinstance(timed, Magic):
        return magic_odds.odds_of(context.state, casting_of(context, action))
    if isinstance(timed, Bind):
        patient = context.setup.index[action.target or ""]
        rank, adjustments = skill_terms(context.setup, context.fighter, context.figure, "Healing")
        rating = timed.rating(context.state, patient)
        chance = dist.chance_at_least(2, rank, rating - sum(a.value for a in adjustments))
        return Odds(
            chance, (("bound", chance), ("in vain", 1.0 - chance)), (), 0.0, 0.0, adjustments=adjustments,
            attack_dice=notation(2, rank, True), defense_dice=f"CR {rating}",
            notes=(("Healing, once", "olde.md §7 bind wounds"),),
        )  # fmt: skip
    if timed.face.icon in ("door", "light", "key"):
        return _shown(context, timed, action)
    found = check_odds.odds_of(context, action)
    return found if found is None else _overheard(context, action, found)


def _overheard(context: Context, action: Action, odds: Odds) -> Odds:
    """The odds of a deed that makes noise or leads elsewhere, with the chance to be noticed by it."""
    goal = action.path[-1] if action.path else action.at
    if goal is None and action.option not in LOUDLY:
        return odds
    there, manner = (goal, OPEN) if goal is not None else (context.figure.cell, LOUD)
    chance = risk_of(context.state, context.who, (there,), manner).along[-1]
    if chance <= 0.0:
        return odds
    where = "noticed, once there" if goal is not None else "noticed by the noise"
    return msgspec.structs.replace(odds, notes=(*odds.notes, (f"{chance:.0%} {where}", NOTICING)))


def _shown(context: Context, timed: Timed, action: Action) -> Odds | None:
    """The chance that a door that opens, or a light that goes on, shows some hero to somebody; None if it can't."""
    resolution = Resolution(msgspec.structs.replace(context.state, rng=None))
    resolution.chance = context.chance
    timed.resolve(resolution, context.who, action)
    after = resolution.done()
    unseen = 1.0
    for who, figure in enumerate(after.figures):
        if is_hero(context.setup, who) and figure.cell >= 0 and figure.hp > 0 and after.explore is not None:
            total = after.explore.guise[who]
            risk = risk_of(after, who, (figure.cell,), guise_of(after, who), total if total != OPENLY else None)
            unseen *= 1.0 - risk.along[-1]
    if unseen >= 1.0:
        return None
    outcomes = (("unnoticed", unseen), ("noticed", 1.0 - unseen))
    return Odds(unseen, outcomes, (), 0.0, 0.0, notes=(("whoever comes into view by it may be noticed", NOTICING),))


def _way(state: OldeState, who: int, timed: Stroll, action: Action) -> Odds:
    risk = risk_of(state, who, action.path, timed.manner)
    rank, adjustments = sneak_terms(state, who)
    worst = risk.along[-1]
    sneaks, plus = not timed.manner.rating, sum(a.value for a in adjustments)
    return Odds(
        hit=1.0 - worst,
        outcomes=(("unnoticed", 1.0 - worst), ("noticed", worst)),
        damage=(),
        mean=0.0,
        drop=0.0,
        adjustments=adjustments if sneaks else (),
        attack_dice=notation(2, rank, True) if sneaks else "",
        defense_dice="Alertness" if sneaks else "",
        notes=(*_notes(state, risk), *_rounds(state, who, action.path[-1], (rank, plus), sneaks=sneaks)),
        targets=tuple(Share(state.setup.fighters[i].id, chance) for i, chance in risk.each),
        along=tuple(zip(action.path, risk.along, strict=True)),
    )


def _rounds(
    state: OldeState, who: int, cell: int, own: tuple[int, int], *, sneaks: bool, sure: bool = False
) -> tuple[tuple[str, str], ...]:
    """What walkers risk to see of somebody who stands on a space when the minute is over; `sure`: nothing comes
    before that could put them off their guard."""
    told = []
    for sense in attempts(state, who, cell, hidden=sneaks):
        chance = noticed(own, ((sense.rank, sense.plus, sense.rating),))
        name, bound = state.setup.fighters[sense.watcher].name, "" if sure else "up to "
        told.append((f"{bound}{chance:.0%} when {name} walks on", NOTICING))
    return tuple(told)


def _waiting(state: OldeState, who: int) -> Odds | None:
    """The chance to be noticed by a walker when the minute is over, standing still; None where none comes by."""
    exploring, cell = state.explore, state.figures[who].cell
    assert exploring is not None
    total = exploring.guise[who]
    found = attempts(state, who, cell, hidden=total != OPENLY)
    if not found:
        return None
    chance = noticed((0, total), tuple(sorted((s.rank, s.plus, s.rating) for s in found)))
    told = _rounds(state, who, cell, (0, total), sneaks=total != OPENLY, sure=True)
    return Odds(1.0 - chance, (("unnoticed", 1.0 - chance), ("noticed", chance)), (), 0.0, 0.0, notes=told)


def _notes(state: OldeState, risk: Risk) -> tuple[tuple[str, str], ...]:
    if not risk.found:
        return (("nobody who is known of could notice", NOTICING),)
    return tuple((_told(state, sense), NOTICING) for sense in risk.found)


def _told(state: OldeState, sense: Sense) -> str:
    name = state.setup.fighters[sense.watcher].name
    if sense.rating == SURE:
        return f"{name} would see it"
    why = ", ".join(a.because for a in sense.adjustments if a.rule == NOTICING)
    dice = notation(2, sense.rank, True) + (signed(sense.plus) if sense.plus else "")
    if sense.rating:
        return f"{name}: {dice} against {sense.rating}, {why}"
    return f"{name}: {dice}, {why}" if why else f"{name}: {dice}"
