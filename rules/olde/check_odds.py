"""Exact odds of deeds that are decided by a check: Leap, Force or pick, First Aid (olde.md §3, §4, §7)."""

from __future__ import annotations

from rules import odds as dist
from rules.actions import Action, Adjustment
from rules.dice import notation
from rules.olde.aid import FirstAid
from rules.olde.challenges import skill_terms
from rules.olde.chances import stun_of
from rules.olde.deeds import Look
from rules.olde.handling import Force, which_door
from rules.olde.movement import LEAP_RATING, Leap
from rules.olde.outcomes import return_of
from rules.olde.state import OldeState, Work
from rules.olde.threat import worth
from rules.ruleset import Odds

SAVED = 0.3
"""What stopping a wound is worth, in parts of the patient's worth."""

Named = tuple[tuple[str, float], ...]


def odds_of(look: Look, action: Action) -> Odds | None:
    """The odds of a legal deed with a check; None for a deed without."""
    teller = _TELLERS.get(action.do)
    return teller(look, action) if teller else None


def odds_of_answer(state: OldeState, option: str) -> Odds | None:
    """The odds of an answer that throws dice: the blow that the defender strikes back; None for any other."""
    question = state.question
    if question is None or option != "strike_back":
        return None
    work = Work(state)
    back = return_of(work, question.who, question.other)
    if back is None:
        return None
    fighter, figure = state.setup.fighters[question.who], state.figures[question.who]
    damage: dict[int, float] = {}
    for thrown, p in enumerate(dist.die(back.rank, state.setup.exploding_damage)):
        if p > 0.0:
            hurt = back.hurt(thrown)
            damage[hurt] = damage.get(hurt, 0.0) + p
    drop = sum(p for hurt, p in damage.items() if figure.hp > 0 and hurt >= figure.hp)
    return Odds(
        hit=1.0,
        outcomes=(("struck back", 1.0),),
        damage=tuple(sorted(damage.items())),
        mean=sum(hurt * p for hurt, p in damage.items()),
        drop=drop,
        stun=stun_of(state.setup, fighter, figure, damage),
        adjustments=back.adjustments,
        attack_dice="no check",
        notes=(
            (f"damage d{back.rank}{', halved' if back.halved else ''}: {back.weapon}", "olde.md §6 outcomes"),
        ),
    )


def _first_aid(look: Look, action: Action) -> Odds:
    patient = look.setup.index[action.target or ""]
    rank, adjustments = skill_terms(look.setup, look.fighter, look.figure, "Healing")
    rating = FirstAid.rating(look, patient)
    chance = _chance(rank, adjustments, rating)
    outcomes = (("stops it", chance), ("in vain", 1.0 - chance))
    note = ("stops bleeding and dying", "olde.md §7 first aid")
    return _odds(rank, adjustments, rating, outcomes, note, chance * SAVED * worth(look.state, patient))


def _force(look: Look, action: Action) -> Odds:
    door = which_door(look, action, Force)
    assert door is not None
    skill = action.option or Force.best(look.fighter)
    rank, adjustments = skill_terms(look.setup, look.fighter, look.figure, skill)
    rating = look.field.doors[door].difficulty
    chance = _chance(rank, adjustments, rating)
    done = "unlocked" if skill == "Disable" else "broken open"
    note = (f"{skill} against the door", "olde.md §4 force or pick")
    return _odds(rank, adjustments, rating, ((done, chance), ("holds", 1.0 - chance)), note)


def _leap(look: Look, action: Action) -> Odds:
    goal = Leap.goal(action)
    assert goal is not None
    gap = Leap.gap(look, goal) or ()
    rating = LEAP_RATING[len(gap)]
    rank, adjustments = skill_terms(look.setup, look.fighter, look.figure, "Leap")
    across = _chance(rank, adjustments, rating)
    edge = _chance(rank, adjustments, rating - 2) - across
    outcomes = (("across", across), ("stays at the edge", edge), ("falls", max(0.0, 1.0 - across - edge)))
    note = ("two ranks of failure: a fall", "olde.md §4 Leap")
    return _odds(rank, adjustments, rating, outcomes, note)


_TELLERS = {"first_aid": _first_aid, "force": _force, "leap": _leap}


def _chance(rank: int, adjustments: tuple[Adjustment, ...], rating: int) -> float:
    return dist.chance_at_least(2, rank, rating - sum(a.value for a in adjustments))


def _odds(
    rank: int, adjustments: tuple[Adjustment, ...], rating: int, outcomes: Named, note: tuple[str, str],
    boon: float = 0.0,
) -> Odds:  # fmt: skip
    return Odds(
        hit=outcomes[0][1],
        outcomes=outcomes,
        damage=(),
        mean=0.0,
        drop=0.0,
        adjustments=adjustments,
        attack_dice=notation(2, rank, True),
        defense_dice=f"CR {rating}",
        notes=(note,),
        boon=boon,
    )
