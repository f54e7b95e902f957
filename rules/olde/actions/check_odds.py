"""Exact odds of deeds that are decided by a check: Leap, Climb, Swim, Force or pick, First Aid (olde.md §3, §4, §7)."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from rules.board.grid import Challenge
from rules.contract.actions import Action, Adjustment
from rules.contract.ruleset import Odds
from rules.core import odds as dist
from rules.core.dice import notation
from rules.core.secrets import named
from rules.olde.actions.aid import FirstAid
from rules.olde.actions.climbing import Climb
from rules.olde.actions.context import Context
from rules.olde.actions.items import CATCHES, Force, which_door
from rules.olde.actions.movement import LEAP_RATING, Leap
from rules.olde.actions.obstacles import SEARCHING, SKILLS, help_of
from rules.olde.actions.swimming import Swim
from rules.olde.challenges import criticals
from rules.olde.challenges.attempts import best_skill
from rules.olde.challenges.checks import MODERATE, burden, check_stat, skill_terms, stat_rank, stat_value
from rules.olde.combat.chances import TWICE, stun_of
from rules.olde.combat.outcomes import return_of
from rules.olde.state import OldeState, Resolution

Named = tuple[tuple[str, float], ...]


class Terms(NamedTuple):
    """What a check is thrown with: rank of its two dice, adjustments, advantage (+1) or disadvantage (−1)."""

    rank: int
    adjustments: tuple[Adjustment, ...]
    advantage: int = 0

    @property
    def plus(self) -> int:
        return sum(a.value for a in self.adjustments)


def odds_of(context: Context, action: Action) -> Odds | None:
    """The odds of a legal deed with a check; None for a deed without."""
    teller = _TELLERS.get(action.do)
    return teller(context, action) if teller else None


def odds_of_answer(state: OldeState, option: str) -> Odds | None:
    """The odds of an answer that throws dice: the blow that the defender strikes back; None for any other."""
    question = state.question
    if question is None or option != "strike_back":
        return None
    resolution = Resolution(state)
    back = return_of(resolution, question.who, question.other)
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
            (
                f"damage d{back.rank}{', halved' if back.halved else ''}: {back.weapon}",
                "olde.md §6 critical outcomes",
            ),
        ),
    )


def _first_aid(context: Context, action: Action) -> Odds:
    patient = context.setup.index[action.target or ""]
    terms = Terms(*skill_terms(context.setup, context.fighter, context.figure, "Healing"))
    rating = FirstAid.rating(context, patient)
    chance = _chance(terms, rating)
    outcomes = (("stops it", chance), ("in vain", 1.0 - chance))
    note = ("stops bleeding and dying", "olde.md §7 first aid")
    return _odds(terms, rating, outcomes, note)


def _force(context: Context, action: Action) -> Odds:
    door = which_door(context, action, Force)
    assert door is not None
    entry = context.field.doors[door]
    skill = action.option or Force.best(context.fighter, entry)
    terms = _terms(context, skill)
    rating = entry.difficulty
    chance = _chance(terms, rating)
    if entry.kind == "portcullis":
        stays = _chance(terms, rating + 3 * (CATCHES - 1))
        lifted = (
            ("stays up", stays),
            ("held up for a turn", chance - stays),
            ("does not move", 1.0 - chance),
        )
        odds = _odds(
            terms,
            rating,
            lifted,
            ("two ranks of success: it catches", "olde.md §4 force or pick"),
        )
        return msgspec.structs.replace(_critical(context, odds, terms), hit=chance)
    done = "unlocked" if skill == "Disable" else "broken open"
    note = (f"{skill} against the door", "olde.md §4 force or pick")
    odds = _odds(terms, rating, ((done, chance), ("holds", 1.0 - chance)), note)
    return _critical(context, odds, terms)


def _leap(context: Context, action: Action) -> Odds:
    goal = Leap.goal(action)
    assert goal is not None
    gap = Leap.gap(context, goal) or ()
    rating = LEAP_RATING[len(gap)]
    terms = Terms(*skill_terms(context.setup, context.fighter, context.figure, "Leap"))
    across = _chance(terms, rating)
    edge = _chance(terms, rating - 2) - across
    outcomes = (("across", across), ("stays at the edge", edge), ("falls", max(0.0, 1.0 - across - edge)))
    note = ("two ranks of failure: a fall", "olde.md §4 Leap")
    return _critical(context, _odds(terms, rating, outcomes, note), terms)


def _climb(context: Context, action: Action) -> Odds | None:
    obstacle = Climb.obstacle(context, action)
    if obstacle is None:
        return None
    rating = obstacle.difficulty
    terms = _terms(context, "Climb")
    over = _chance(terms, rating)
    stays = _chance(terms, rating - 2) - over
    outcomes = (("gets over", over), ("stays", stays), ("falls", max(0.0, 1.0 - over - stays)))
    depth = f"a fall of {obstacle.height}d6, armor is no help" if obstacle.height else "one falls prone"
    note = (f"two ranks of failure: {depth}", "olde.md §5 heights")
    return _critical(context, _odds(terms, rating, outcomes, note), terms)


def _swim(context: Context, action: Action) -> Odds:
    rating, far = Swim.rating(context, action.path), len(action.path)
    terms = _terms(context, "Swim")
    reached = [_chance(terms, rating + 3 * k) for k in range(far)]
    outcomes: Named = ((f"swims {far}", reached[-1]),)
    for k in range(far - 1, 0, -1):
        outcomes += ((f"swims {k}", reached[k - 1] - reached[k]),)
    stays = _chance(terms, rating - 2) - reached[0]
    outcomes += (("makes no way", stays), ("goes under", max(0.0, 1.0 - reached[0] - stays)))
    note = ("each rank of success is a space; two ranks of failure: under water", "olde.md §3 scaling")
    return _critical(context, _odds(terms, rating, outcomes, note), terms)


def _rubble(context: Context, action: Action, challenge: Challenge, skill: str) -> Odds:
    left = sum(1 for cell in challenge.cells if not context.state.cleared >> cell & 1)
    rating, most = challenge.difficulty, min(left, 3)
    terms = _terms(context, skill)
    ranks = [_chance(terms, rating + 3 * k) for k in range(most)]
    outcomes: Named = ((f"clears {most}{' or more' if left > most else ''}", ranks[-1]),)
    for k in range(most - 1, 0, -1):
        outcomes += ((f"clears {k}", ranks[k - 1] - ranks[k]),)
    outcomes += (("holds", 1.0 - ranks[0]),)
    note = ("each rank of success clears a space", "olde.md §3 scaling")
    odds = _odds(terms, rating, outcomes, note)
    return msgspec.structs.replace(_critical(context, odds, terms), hit=ranks[0])


def _terms(context: Context, skill: str) -> Terms:
    """A check by whoever acts, a neighbour's help included."""
    rank, adjustments = skill_terms(context.setup, context.fighter, context.figure, skill)
    favour, helped = help_of(context, skill)
    return Terms(rank, adjustments + helped, favour)


def _critical(context: Context, odds: Odds, terms: Terms) -> Odds:
    """The odds with the chances of critical outcomes told, where the fight is played with them."""
    if not context.setup.criticals:
        return odds
    rating = int((odds.defense_dice or "CR 0").removeprefix("CR "))
    more = criticals.notes(context.setup, terms.rank, odds.adjustments, rating, terms.advantage)
    return msgspec.structs.replace(odds, notes=(*odds.notes, *more))


def _search(context: Context, action: Action) -> Odds:
    """Against an ordinary hiding place: what there is to find, and how well it is hidden, nobody knows."""
    skill = action.option or best_skill(context.fighter, SEARCHING)
    terms = _terms(context, skill)
    chance = _chance(terms, MODERATE)
    note = (f"{skill}: if something is hidden here, and not too well", "olde.md §8")
    outcomes = (("finds it", chance), ("overlooks it", 1.0 - chance))
    return _critical(context, _odds(terms, MODERATE, outcomes, note), terms)


def _tackle(context: Context, action: Action) -> Odds | None:
    found = named(context.field, action.item or "")
    if found is None:
        return None
    challenge = found[1]
    skill = action.option or best_skill(context.fighter, SKILLS[challenge.kind])
    if challenge.kind == "rubble":
        return _rubble(context, action, challenge, skill)
    terms = _terms(context, skill)
    chance = _chance(terms, challenge.difficulty)
    if challenge.kind == "chest":
        outcomes: Named = (("opened", chance), ("holds", 1.0 - chance))
    else:
        safe = _chance(terms, challenge.difficulty - 2)
        done = "disarmed" if skill == "Disable" else "wrecked"
        outcomes = ((done, chance), ("stays armed", safe - chance), ("goes off", max(0.0, 1.0 - safe)))
    note = (f"{skill} against the {challenge.id}", "olde.md §4 force or pick")
    return _critical(context, _odds(terms, challenge.difficulty, outcomes, note), terms)


def _assist(context: Context, action: Action) -> Odds:
    helped = context.setup.fighters[context.setup.index[action.target or ""]]
    skill = action.option or ""
    rating = stat_value(helped, check_stat(helped, skill))
    terms = Terms(*skill_terms(context.setup, context.fighter, context.figure, skill))
    chance = _chance(terms, rating)
    much = _chance(terms, rating + 2)
    outcomes = (("+2 or more", much), ("+1", chance - much), ("no help", 1.0 - chance))
    odds = _odds(terms, rating, outcomes, (f"{skill}, to help {helped.name}", "olde.md §3 assisted"))
    return msgspec.structs.replace(odds, hit=chance)


def _intimidate(context: Context, action: Action) -> Odds:
    target = context.setup.index[action.target or ""]
    foe = context.setup.fighters[target]
    terms = Terms(*skill_terms(context.setup, context.fighter, context.figure, "Intimidate"))
    against = burden(context.setup, foe, context.state.figures[target], "nerve")
    nerve = stat_rank(foe, "nerve")
    edge = terms.plus - sum(a.value for a in against)
    chance = dist.chance_margin(terms.rank, nerve, -edge)
    note = ("frightened for 3 turns; a Nerve check in each reset ends it", "olde.md §7 frightened")
    outcomes = (("frightened", chance), ("in vain", 1.0 - chance))
    odds = _odds(terms, 0, outcomes, note)
    if context.setup.criticals:
        well = dist.chance_margin(terms.rank, nerve, criticals.MARGINS[3] - edge)
        badly = 1.0 - dist.chance_margin(terms.rank, nerve, 1 - criticals.MARGINS[3] - edge)
        odds = msgspec.structs.replace(odds, notes=(*odds.notes, *criticals.margins_told(well, badly)))
    return msgspec.structs.replace(odds, defense_dice=notation(2, nerve, True))


_TELLERS = {
    "first_aid": _first_aid, "force": _force, "leap": _leap, "climb": _climb, "swim": _swim,
    "search": _search, "tackle": _tackle, "assist": _assist,
    "intimidate": _intimidate,
}  # fmt: skip


def _chance(terms: Terms, rating: int) -> float:
    return dist.chance_at_least(2, terms.rank, rating - terms.plus, True, terms.advantage)


def _odds(terms: Terms, rating: int, outcomes: Named, note: tuple[str, str]) -> Odds:
    return Odds(
        hit=outcomes[0][1],
        outcomes=outcomes,
        damage=(),
        mean=0.0,
        drop=0.0,
        adjustments=terms.adjustments,
        attack_dice=notation(2, terms.rank, True) + TWICE[terms.advantage],
        defense_dice=f"CR {rating}",
        notes=(note,),
    )
