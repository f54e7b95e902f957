"""Exact odds of deeds that are decided by a check: Leap, Force or pick, First Aid (olde.md §3, §4, §7)."""

from __future__ import annotations

import msgspec

from rules import odds as dist
from rules.actions import Action, Adjustment
from rules.dice import notation
from rules.olde.aid import FirstAid
from rules.olde.challenge_deeds import SEARCHING, SKILLS, best_skill, help_of
from rules.olde.challenge_state import named
from rules.olde.challenges import MODERATE, burden, check_stat, skill_terms, stat_value
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

FRIGHTENING = 0.3
"""What frightening somebody for a while is worth, in parts of its worth."""

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
    adjustments += help_of(look, skill)
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


def _search(look: Look, action: Action) -> Odds:
    """Against an ordinary hiding place: what there is to find, and how well it is hidden, nobody knows."""
    skill = action.option or best_skill(look.fighter, SEARCHING)
    rank, adjustments = skill_terms(look.setup, look.fighter, look.figure, skill)
    adjustments += help_of(look, skill)
    chance = _chance(rank, adjustments, MODERATE)
    note = (f"{skill}: if something is hidden here, and not too well", "olde.md §8")
    return _odds(rank, adjustments, MODERATE, (("finds it", chance), ("overlooks it", 1.0 - chance)), note)


def _tackle(look: Look, action: Action) -> Odds | None:
    found = named(look.field, action.item or "")
    if found is None:
        return None
    challenge = found[1]
    skill = action.option or best_skill(look.fighter, SKILLS[challenge.kind])
    rank, adjustments = skill_terms(look.setup, look.fighter, look.figure, skill)
    adjustments += help_of(look, skill)
    chance = _chance(rank, adjustments, challenge.difficulty)
    if challenge.kind == "chest":
        outcomes: Named = (("opened", chance), ("holds", 1.0 - chance))
    else:
        safe = _chance(rank, adjustments, challenge.difficulty - 2)
        outcomes = (("disarmed", chance), ("stays armed", safe - chance), ("goes off", max(0.0, 1.0 - safe)))
    note = (f"{skill} against the {challenge.id}", "olde.md §4 force or pick")
    return _odds(rank, adjustments, challenge.difficulty, outcomes, note)


def _assist(look: Look, action: Action) -> Odds:
    helped = look.setup.fighters[look.setup.index[action.target or ""]]
    skill = action.option or ""
    rating = stat_value(helped, check_stat(helped, skill))
    rank, adjustments = skill_terms(look.setup, look.fighter, look.figure, skill)
    chance = _chance(rank, adjustments, rating)
    much = _chance(rank, adjustments, rating + 2)
    outcomes = (("+2 or more", much), ("+1", chance - much), ("no help", 1.0 - chance))
    odds = _odds(
        rank, adjustments, rating, outcomes, (f"{skill}, to help {helped.name}", "olde.md §3 assisted")
    )
    return msgspec.structs.replace(odds, hit=chance)


def _intimidate(look: Look, action: Action) -> Odds:
    target = look.setup.index[action.target or ""]
    foe = look.setup.fighters[target]
    rank, adjustments = skill_terms(look.setup, look.fighter, look.figure, "Intimidate")
    against = burden(look.setup, foe, look.state.figures[target], "nerve")
    edge = sum(a.value for a in adjustments) - sum(a.value for a in against)
    chance = dist.chance_margin(rank, foe.nerve, -edge)
    note = ("frightened for 3 turns; a Nerve check in each reset ends it", "olde.md §7 frightened")
    outcomes = (("frightened", chance), ("in vain", 1.0 - chance))
    odds = _odds(rank, adjustments, 0, outcomes, note, chance * FRIGHTENING * worth(look.state, target))
    return msgspec.structs.replace(odds, defense_dice=notation(2, foe.nerve, True))


_TELLERS = {
    "first_aid": _first_aid, "force": _force, "leap": _leap, "search": _search, "tackle": _tackle, "assist": _assist,
    "intimidate": _intimidate,
}  # fmt: skip


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
