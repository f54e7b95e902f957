"""Challenges: checks of every kind and effect rolls (olde.md §3)."""

from __future__ import annotations

from typing import NamedTuple

from rules.contract.actions import Adjustment
from rules.contract.events import Check, Roll
from rules.contract.ruleset import Odds
from rules.contract.text import text
from rules.contract.units import CreatureIx
from rules.core import odds as dist
from rules.core.dice import Dice, modified, notation, roll
from rules.olde import skills
from rules.olde.conditions import PRONE, end, lay, lie_down
from rules.olde.effects import Effect, Lasting, shifts
from rules.olde.state import STANDING, Fighter, Figure, OldeState, Resolution, Setup, expose

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
        armor = text("{armor} too heavy", fighter.armor.name if fighter.armor else "armor")
        out += (Adjustment("check", -fighter.armor_short, armor, "olde.md §6 armor"),)
    if stat in ("brawn", "finesse"):
        short = shield_short(setup, fighter, figure)
        if short:
            out += (Adjustment("check", -short, "shield too heavy", "olde.md §6 shields"),)
    if figure.effects:
        out += tuple(shifts(figure, "checks", "check"))
        if stat in ("brawn", "finesse"):
            out += tuple(shifts(figure, "physical", "check"))
    return out


def shield_short(setup: Setup, fighter: Fighter, figure: Figure) -> int:
    """Points of Brawn short of the shield in hand."""
    shields = setup.armoury.shields
    for item in figure.hands:
        if item in shields:
            return max(0, shields[item].brawn - fighter.brawn)
    return 0


Outcomes = tuple[tuple[str, float], ...]


class Terms(NamedTuple):
    """What a check of somebody's is thrown with: its two dice, adjustments, advantage (+1) or disadvantage (−1)."""

    by: str
    label: str
    rank: int
    adjustments: tuple[Adjustment, ...]
    advantage: int = 0
    criticals: bool = False  # whether it may have a critical outcome

    def roll(self, dice: Dice) -> Roll:
        """Two exploding stat dice plus adjustments."""
        dice.thrower = self.by
        return roll(dice, self.label, 2, self.rank, adjustments=self.adjustments, advantage=self.advantage)

    def check(self, dice: Dice, rating: int) -> CheckResult:
        """The roll against a rating."""
        rolled = self.roll(dice)
        margin = rolled.total - rating
        return CheckResult(rolled, rating, margin >= 0, ranks_of(margin))

    @property
    def plus(self) -> int:
        return sum(a.value for a in self.adjustments)

    def chance(self, rating: int) -> float:
        """That the check reaches a rating."""
        return dist.chance_at_least(2, self.rank, rating - self.plus, True, self.advantage)

    def no_mishap(self, rating: int) -> float:
        """That the check fails by one rank at most."""
        return self.chance(rating - 2)

    def scaled(self, rating: int, most: int) -> list[tuple[int, float]]:
        """(ranks of success, the chance of so many) from `most`, which stands for more as well, down to one."""
        reached = [self.chance(rating + 3 * k) for k in range(most)]
        return [(most, reached[-1]), *((k, reached[k - 1] - reached[k]) for k in range(most - 1, 0, -1))]

    def either(self, rating: int, made: str, failed: str, note: tuple[str, str]) -> Odds:
        """The card of a check that is made or not."""
        chance = self.chance(rating)
        return self.odds(rating, ((made, chance), (failed, 1.0 - chance)), note)

    def daring(self, rating: int, made: str, failed: str, mishap: str, note: tuple[str, str]) -> Odds:
        """The card of a check that two ranks of failure make worse."""
        chance = self.chance(rating)
        stays = self.no_mishap(rating) - chance
        outcomes = ((made, chance), (failed, stays), (mishap, max(0.0, 1.0 - chance - stays)))
        return self.odds(rating, outcomes, note)

    def odds(self, rating: int, outcomes: Outcomes, note: tuple[str, str], *, hit: float | None = None) -> Odds:
        """The card of a check against a rating; the first outcome is success, where `hit` doesn't say how likely that
        is. Chances of critical outcomes are told."""
        notes: tuple[tuple[str, str], ...] = (note,)
        if self.criticals:
            notes += margins_told(self.chance(rating + MARGINS[3]), 1.0 - self.chance(rating - MARGINS[3] + 1))
        return Odds(
            outcomes[0][1] if hit is None else hit, outcomes, adjustments=self.adjustments, notes=notes,
            attack_dice=notation(2, self.rank, True) + TWICE[self.advantage], defense_dice=text("CR {rating}", rating),
        )  # fmt: skip


def terms_of(at: OldeState | Resolution, who: CreatureIx, word: str, *, critical: bool = False) -> Terms:
    """A check of a stat or a skill by somebody alone, untrained at −2; `critical`: with the outcomes that the fight may
    be played with."""
    setup, fighter, figure = at.setup, at.setup.fighters[who], at.figures[who]
    if word in STATS:
        rank, adjustments, label = stat_rank(fighter, word), burden(setup, fighter, figure, word), word.capitalize()
    else:
        rank, adjustments = skill_terms(setup, fighter, figure, word)
        label = text("{skill} ({stat})", skills.spelled(word), check_stat(fighter, word).capitalize())
    return Terms(fighter.id, label, rank, adjustments, criticals=critical and setup.criticals)


def terms_helped(at: OldeState | Resolution, who: CreatureIx, skill: str) -> Terms:
    """A check with a skill that may have critical outcomes, a neighbour's help included."""
    alone = terms_of(at, who, skill, critical=True)
    favour, helped = help_of(at.setup, at.figures[who], skill)
    return alone._replace(adjustments=alone.adjustments + helped, advantage=favour)


def skill_terms(setup: Setup, fighter: Fighter, figure: Figure, skill: str) -> tuple[int, tuple[Adjustment, ...]]:
    """(rank of the two dice, adjustments) of a check with a skill."""
    stat = check_stat(fighter, skill)
    own = Adjustment("check", skill_adjustment(fighter, skill), skill, "olde.md §2 ranks")
    return stat_rank(fighter, stat), ((own,) if own.value else ()) + burden(setup, fighter, figure, stat)


def check(resolution: Resolution, who: CreatureIx, word: str, rating: int, what: str) -> CheckResult:
    """A check of a stat or a skill against a rating, with its event."""
    result = terms_of(resolution, who, word).check(resolution.dice, rating)
    resolution.events.append(result.event(resolution.fighter(who).id, what))
    return result


def opposed(dice: Dice, instigator: Terms, target: Terms) -> tuple[Roll, CheckResult]:
    """An opposed attempt: the target rolls first, its total is the rating; equal or more succeeds (olde.md §3)."""
    resisted = target.roll(dice)
    return resisted, instigator.check(dice, resisted.total)


def assistance(margin: int) -> int:
    """What an assistant's check adds: +1 on success and +1 more for every full 2 points over."""
    return 0 if margin < 0 else 1 + margin // 2


def resilience(fighter: Fighter) -> str:
    """Brawn or Nerve, the better as their dice are now; Brawn on a tie (olde.md §7)."""
    return "nerve" if stat_rank(fighter, "nerve") > stat_rank(fighter, "brawn") else "brawn"


RULE = "olde.md §3 critical outcomes"
TWICE = {0: "", 1: ", the better of two", -1: ", the worse of two"}
"""How dice thrown with advantage (+1) or disadvantage (−1) are written."""
ADVANTAGE = "olde.md §1 advantage"


class Outcome(NamedTuple):
    """What a check far over or far below its rating leaves, until the coming reset."""

    name: str
    effect: str  # name of what stays on whoever tried
    checks: int  # added to its checks
    defense: int = 0
    prone: bool = False


TABLE = {
    4: Outcome("legendary success", "inspired", 2),
    3: Outcome("critical success", "inspired", 1),
    -3: Outcome("critical failure", "shaken", -1, -2),
    -4: Outcome("disastrous failure", "shaken", -2, -2, prone=True),
}
"""Ranks of success or failure (4 and −4: or more) -> what follows."""
MARGINS = {3: 6, 4: 9}
"""Ranks -> the margin from which one has them; failures alike."""


def outcome_of(ranks: int) -> Outcome | None:
    """What so many ranks of success (positive) or failure lead to beside the success or failure itself."""
    return TABLE.get(max(-4, min(4, ranks)))


def follow(resolution: Resolution, who: CreatureIx, ranks: int) -> None:
    """Let the critical outcome of somebody's check take hold, where the fight is played with them."""
    outcome = outcome_of(ranks) if resolution.setup.criticals else None
    if outcome is None or resolution.figures[who].hp <= 0:
        return
    lay(resolution, who, Effect(outcome.effect, who, 1, 0, Lasting(1, checks=outcome.checks, rule=RULE)))
    if outcome.defense:
        expose(resolution, who, outcome.defense, outcome.name, RULE)
    if outcome.prone and resolution.figures[who].posture == STANDING:
        lie_down(resolution, who, PRONE.name, outcome.name)


def margins_told(well: float, badly: float) -> tuple[tuple[str, str], ...]:
    """The chances of critical outcomes as notes; none for what cannot happen."""
    told = (
        (well, "{chance} % critical success: +1 or +2 on checks until the reset"),
        (badly, "{chance} % critical failure: −1 or −2 on checks, Defense −2 until the reset"),
    )
    return tuple((text(template, f"{chance * 100:.0f}"), RULE) for chance, template in told if chance > 0.0005)


HELPED = "help with "


def helps_with(figure: Figure, skill: str) -> list[Effect]:
    """The help of neighbours that waits for somebody's next check with a skill."""
    return [effect for effect in figure.effects if effect.name == HELPED + skill]


def help_of(setup: Setup, figure: Figure, skill: str) -> tuple[int, tuple[Adjustment, ...]]:
    """(advantage, adjustments): what a neighbour's help does for the next check with a skill: advantage where a table
    grants it, else its bonus (olde.md §3)."""
    helps = helps_with(figure, skill)
    if setup.advantage and helps:
        return 1, (Adjustment("check", 0, "advantage: assisted", ADVANTAGE),)
    return 0, tuple(Adjustment("check", e.rating, "assisted", "olde.md §3 assisted") for e in helps)


def use_help(resolution: Resolution, who: CreatureIx, skill: str) -> None:
    """What a neighbour's help adds is used up by a check."""
    for helping in helps_with(resolution.figures[who], skill):
        end(resolution, who, helping, "used")


def attempt(resolution: Resolution, who: CreatureIx, skill: str, rating: int, what: str) -> bool:
    """A check with a skill; what a neighbour's help adds is used up by it."""
    result = terms_helped(resolution, who, skill).check(resolution.dice, rating)
    resolution.events.append(result.event(resolution.fighter(who).id, what))
    use_help(resolution, who, skill)
    follow(resolution, who, result.ranks)
    return result.success


def best_skill(fighter: Fighter, skills: tuple[str, ...]) -> str:
    """The skill most likely to succeed: by die rank plus adjustment, the first on a tie."""
    return max(skills, key=lambda s: stat_rank(fighter, check_stat(fighter, s)) + skill_adjustment(fighter, s))


def ranks_made(resolution: Resolution) -> int:
    """Ranks of success or failure of the check just made."""
    return next((e.ranks for e in reversed(resolution.events) if isinstance(e, Check)), 0)
