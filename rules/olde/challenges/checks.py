"""Challenges: checks of every kind and effect rolls (olde.md §3)."""

from __future__ import annotations

from typing import NamedTuple

from rules.contract.actions import Adjustment
from rules.contract.events import Check, Roll
from rules.contract.text import text
from rules.core.dice import Dice, modified, roll
from rules.olde import skills
from rules.olde.effects import shifts
from rules.olde.state import Fighter, Figure, Resolution, Setup

RATINGS = {
    "Trivial": 3, "Easy": 6, "Moderate": 9, "Hard": 12, "Heroic": 15, "Superhuman": 18, "Godly": 21,
}  # fmt: skip
EASY, MODERATE, HARD = 6, 9, 12
STATS = ("brawn", "finesse", "savvy", "nerve")


class CheckResult(NamedTuple):
    """A check roll against its rating; `ranks` of success are positive, of failure negative, never 0."""

    roll: Roll
    rating: int
    success: bool
    ranks: int

    def event(self, by: str, what: str) -> Check:
        """The event that tells of it."""
        return Check(by=by, what=what, roll=self.roll, rating=self.rating, success=self.success, ranks=self.ranks)


def ranks_of(margin: int) -> int:
    """Margin 0..2 = 1 rank of success, each further 3 one more; −1..−2 = 1 rank of failure, each further 3 one more."""
    return margin // 3 + 1 if margin >= 0 else -((-margin) // 3 + 1)


def skill_adjustment(fighter: Fighter, skill: str) -> int:
    """What a fighter's rank in a skill adds; untrained −2."""
    known = fighter.skills.get(skill)
    return known if known is not None else skills.adjustment(None, skill)


def stat_value(fighter: Fighter, stat: str) -> int:
    """A primary stat by its name."""
    return int(getattr(fighter, stat))


def stat_rank(fighter: Fighter, stat: str) -> int:
    """The rank of a stat's die, modified by what lasts (olde.md §1); too heavy armor lowers the Finesse die, too."""
    if stat == "finesse":
        return fighter.finesse_rank
    value = stat_value(fighter, stat)
    return modified(value, fighter.modified.get(stat, 0)) if fighter.modified else value


def check_stat(fighter: Fighter, skill: str) -> str:
    """The stat rolled for a skill: of two the better, the first on a tie (olde.md §2)."""
    stats = skills.CHECK_STATS[skills.family(skill)]
    if len(stats) == 1:
        return stats[0]
    return max(stats, key=lambda stat: stat_rank(fighter, stat))


def burden(setup: Setup, fighter: Fighter, figure: Figure, stat: str) -> tuple[Adjustment, ...]:
    """What missing Brawn for armor and shield costs a check of this stat (olde.md §6), and what spells add."""
    out: tuple[Adjustment, ...] = ()
    if stat == "brawn" and fighter.armor_short:
        out += (
            Adjustment("check", -fighter.armor_short, text("{armor} too heavy", _armor(fighter)), "olde.md §6 armor"),
        )
    if stat in ("brawn", "finesse"):
        short = shield_short(setup, fighter, figure)
        if short:
            out += (Adjustment("check", -short, "shield too heavy", "olde.md §6 shields"),)
    if figure.effects:
        out += tuple(shifts(figure, "checks", "check"))
        if stat in ("brawn", "finesse"):
            out += tuple(shifts(figure, "physical", "check"))
    return out


def _armor(fighter: Fighter) -> str:
    return fighter.armor.name if fighter.armor else "armor"


def shield_short(setup: Setup, fighter: Fighter, figure: Figure) -> int:
    """Points of Brawn short of the shield in hand."""
    shields = setup.armoury.shields
    for item in figure.hands:
        if item in shields:
            return max(0, shields[item].brawn - fighter.brawn)
    return 0


def check(
    dice: Dice, label: str, rank: int, rating: int, adjustments: tuple[Adjustment, ...] = (), *, advantage: int = 0
) -> CheckResult:
    """A check roll: two exploding stat dice plus adjustments ≥ the rating."""
    rolled = roll(dice, label, 2, rank, adjustments=adjustments, advantage=advantage)
    margin = rolled.total - rating
    return CheckResult(rolled, rating, margin >= 0, ranks_of(margin))


class Thrown(NamedTuple):
    """What somebody throws for a stat or a skill: two dice of a rank, with what is added."""

    by: str
    label: str
    rank: int
    adjustments: tuple[Adjustment, ...]

    def check(self, dice: Dice, rating: int, *, advantage: int = 0) -> CheckResult:
        """The check against a rating."""
        dice.thrower = self.by
        return check(dice, self.label, self.rank, rating, self.adjustments, advantage=advantage)


def thrown(resolution: Resolution, who: int, word: str) -> Thrown:
    """What somebody throws for a stat or a skill, untrained at −2."""
    fighter, figure = resolution.fighter(who), resolution.figures[who]
    if word in STATS:
        adjustments = burden(resolution.setup, fighter, figure, word)
        return Thrown(fighter.id, word.capitalize(), stat_rank(fighter, word), adjustments)
    label = text("{skill} ({stat})", skills.spelled(word), check_stat(fighter, word).capitalize())
    return Thrown(fighter.id, label, *skill_terms(resolution.setup, fighter, figure, word))


def stat_check(resolution: Resolution, who: int, stat: str, rating: int) -> CheckResult:
    """A check on a stat alone, no skill involved."""
    return thrown(resolution, who, stat).check(resolution.dice, rating)


def skill_check(
    resolution: Resolution, who: int, skill: str, rating: int, extra: tuple[Adjustment, ...] = (), *, advantage: int = 0
) -> CheckResult:
    """A check with a skill: its rank adjusts, untrained −2."""
    own = thrown(resolution, who, skill)
    return own._replace(adjustments=own.adjustments + extra).check(resolution.dice, rating, advantage=advantage)


def skill_terms(setup: Setup, fighter: Fighter, figure: Figure, skill: str) -> tuple[int, tuple[Adjustment, ...]]:
    """(rank of the two dice, adjustments) of a check with a skill."""
    stat = check_stat(fighter, skill)
    own = Adjustment("check", skill_adjustment(fighter, skill), skill, "olde.md §2 ranks")
    return stat_rank(fighter, stat), ((own,) if own.value else ()) + burden(setup, fighter, figure, stat)


def opposed(dice: Dice, instigator: Thrown, target: Thrown, *, advantage: int = 0) -> tuple[Roll, CheckResult]:
    """An opposed attempt: the target rolls first, its total is the rating; equal or more succeeds (olde.md §3)."""
    dice.thrower = target.by
    resisted = roll(dice, target.label, 2, target.rank, adjustments=target.adjustments)
    return resisted, instigator.check(dice, resisted.total, advantage=advantage)


def assistance(margin: int) -> int:
    """What an assistant's check adds: +1 on success and +1 more for every full 2 points over."""
    return 0 if margin < 0 else 1 + margin // 2


def effect(dice: Dice, label: str, count: int, rank: int, *, exploding: bool = True) -> Roll:
    """An effect roll: stat dice, exploding unless stated otherwise."""
    return roll(dice, label, count, rank, exploding=exploding)


def resilience(fighter: Fighter) -> str:
    """Brawn or Nerve, the better as their dice are now; Brawn on a tie (olde.md §7)."""
    return "nerve" if stat_rank(fighter, "nerve") > stat_rank(fighter, "brawn") else "brawn"
