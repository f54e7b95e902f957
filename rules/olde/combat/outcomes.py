"""Critical combat outcomes: names by margin, what they do, and the choices they put (olde.md §6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from rules.contract.actions import Adjustment, Description
from rules.contract.events import Chosen, Healing, Injury, Item, Roll
from rules.contract.events import Question as Asked
from rules.contract.ruleset import Odds
from rules.contract.text import text
from rules.contract.units import NO_CREATURE, CreatureIx
from rules.core import odds as dist
from rules.core.dice import roll
from rules.olde import conditions as cond
from rules.olde.challenges.checks import burden, check, resilience, stat_rank
from rules.olde.combat.weapons import Armed, damage_adjustments, damage_faces, soak_of
from rules.olde.gear import UNARMED, Weapon
from rules.olde.state import Fighter, Figure, Lying, OldeState, Question, Resolution, Setup, able, expose, status


def injure(
    resolution: Resolution, who: CreatureIx, amount: int, because: str, *, by: CreatureIx = NO_CREATURE,
    rolls: tuple[Roll, ...] = (), element: str = "",
) -> None:  # fmt: skip
    """Take `amount` HP off, with everything that follows: status, falling prone, dying.

    More than half of the maximum in one injury is a stunning blow: a Brawn or Nerve check against the damage.
    """
    figure, fighter = resolution.figures[who], resolution.fighter(who)
    if figure.effects and amount > 0:
        cond.hurt(resolution, who, because)
        figure = resolution.figures[who]
    before, hp = figure.hp, figure.hp - amount
    figure = resolution.change(who, hp=hp)
    source = resolution.fighter(by).id if by >= 0 else None
    now = status(hp, fighter.hp_max).value
    resolution.events.append(
        Injury(target=fighter.id, amount=amount, hp=hp, status=now, because=because, by=source, rolls=rolls)
    )
    if hp <= 0:
        dead = hp <= -fighter.hp_max
        resolution.change(who, **cond.dropped(figure, dead=dead))
        if dead:
            cond.DEAD.tell(resolution, who, gained=True)
        elif before > 0:
            cond.INCAPACITATED.tell(resolution, who, "0 HP or less", gained=True)
    elif 2 * amount > fighter.hp_max and not cond.immune(resolution, who, cond.STUNNED.name):
        if not check(resolution, who, resilience(fighter), amount, "stunning blow").success:
            cond.STUNNED.strike(resolution, who, amount, "stunning blow")
    for trait in fighter.traits.hurt if amount else ():
        trait.hurt(resolution, who, element)
    for trait in fighter.traits.dropped if before > 0 >= hp else ():
        trait.dropped(resolution, who)


def stun_of(setup: Setup, foe: Fighter, victim: Figure, damage: dict[int, float]) -> float:
    """Chance of a stunning blow that stuns: more than half of the maximum, still up, check failed."""
    if cond.STUNNED.name in foe.traits.immune:
        return 0.0
    stat, total = resilience(foe), 0.0
    plus = sum(a.value for a in burden(setup, foe, victim, stat))
    for lost, p in damage.items():
        if 2 * lost > foe.hp_max and lost < victim.hp:
            total += p * (1.0 - dist.chance_at_least(2, stat_rank(foe, stat), lost - plus))
    return total


def recovery(resolution: Resolution, who: CreatureIx, *, reset: bool = True) -> None:
    """Recovery checks against persistent conditions in the reset phase (olde.md §4 reset phase).

    Outside combat, without a reset, no check stops bleeding: only aid and magic do (olde.md §7 conditions).
    """
    if reset:
        _recover(resolution, who, cond.BLEEDING)
    for effect in resolution.figures[who].effects:  # each against its casting's total (olde.md §9 durations)
        if effect.lasting.recover:
            if check(resolution, who, effect.lasting.recover, effect.rating, effect.name).success:
                cond.end(resolution, who, effect, "shaken off")
    _recover(resolution, who, cond.STUNNED)


def _recover(resolution: Resolution, who: CreatureIx, condition: cond.Bleeding | cond.Stunned) -> None:
    """The check that ends a condition, if somebody has it."""
    rating = condition.recovery(resolution.figures[who])
    if rating and check(resolution, who, resilience(resolution.fighter(who)), rating, condition.name).success:
        condition.end(resolution, who, "recovered")


def per_turn(resolution: Resolution, who: CreatureIx) -> None:
    """Bleeding costs 1 HP, then each poison its harm, then dying 1 (olde.md §4 reset phase)."""
    figure, fighter = resolution.figures[who], resolution.fighter(who)
    for amount, because in cond.on_reset(figure):
        if resolution.figures[who].hp > -fighter.hp_max:
            injure(resolution, who, amount, because)
    for trait in fighter.traits.on_reset:
        trait.on_reset(resolution, who)


def heal(resolution: Resolution, who: CreatureIx, amount: int, because: str, *, magical: bool = False) -> None:
    """Give HP back, at most to the maximum; magic also stops bleeding and dying (olde.md §7)."""
    figure, fighter = resolution.figures[who], resolution.fighter(who)
    if figure.hp <= -fighter.hp_max:
        return
    hp = min(fighter.hp_max, figure.hp + amount)
    resolution.change(who, hp=hp)
    resolution.events.append(Healing(target=fighter.id, amount=hp - figure.hp, now=hp, because=because))
    if magical:
        cond.BLEEDING.end(resolution, who, because)
    if magical or hp > 0:
        cond.DYING.end(resolution, who, because)
    if figure.hp <= 0 < hp:
        cond.INCAPACITATED.tell(resolution, who, because, gained=False)


def fall(resolution: Resolution, who: CreatureIx, levels: int) -> None:
    """A fall: d6 per level, armor does not help, and one lies prone (olde.md §5)."""
    rolled = roll(resolution.dice, "fall", levels, 6, by=resolution.fighter(who).id, exploding=False)
    cond.lie_down(resolution, who, cond.PRONE.name, "fell")
    injure(resolution, who, rolled.total, "fall", rolls=(rolled,))


RULE = "olde.md §6 critical outcomes"


class Hurt(NamedTuple):
    """What a hit does with the damage: (die or its maximum + adjustments) × times + plus − armor, at least so much."""

    maximum: bool = False  # the maximum of the die counts, and no die is thrown
    times: int = 1
    plus: int = 0
    armored: bool = True
    least: int = 0
    note: str = ""  # what the itemised list calls it

    def sustained(self, thrown: int, top: int, plus: int, armor: int) -> int:
        """Damage sustained: `thrown` on the damage die, `top` its maximum, `plus` adjustments, `armor` reduction."""
        dealt = self.times * ((top if self.maximum else thrown) + plus) + self.plus
        return max(self.least, dealt - armor if self.armored else dealt)

    def notes(self, top: int) -> tuple[Adjustment, ...]:
        """What it adds to the damage, as an adjustment for the itemised list; `top`: the maximum with adjustments."""
        more = self.plus + (self.times - 1) * top
        return (Adjustment("damage", more, self.note, RULE),) if self.note else ()


class Outcome(NamedTuple):
    """What a margin of attack over defense is called, and what comes of it."""

    name: str
    least: int  # the least margin
    brawn: Hurt | None = None  # what a hit with the strength of the arm does; None for a miss
    finesse: Hurt | None = None
    points: int = 0  # character points for both who are the players'
    stumbles: int = 0  # temporary Defense that a miss costs
    chosen: bool = False  # whether a miss has one of several consequences
    breaks: bool = False  # whether the weapon may break, and the defender strike back

    def hurt(self, finesse: bool) -> Hurt | None:
        """What it does with the damage of a weapon of either kind; None for a miss."""
        return self.finesse if finesse else self.brawn


OUTCOMES = (
    Outcome("legendary_hit", 9, Hurt(maximum=True, times=2, note="legendary hit, twice maximum damage"),
            Hurt(maximum=True, armored=False), points=2),
    Outcome("critical_hit", 6, Hurt(maximum=True, plus=2, note="critical hit, maximum damage"),
            Hurt(armored=False), points=1),
    Outcome("solid_hit", 3, Hurt(plus=2, note="solid hit"), Hurt(least=2)),
    Outcome("hit", 0, Hurt(), Hurt()),
    Outcome("miss", -2),
    Outcome("clean_miss", -5, stumbles=2),
    Outcome("critical_miss", -8, points=1, chosen=True),
    Outcome("disastrous_miss", -1000, points=2, chosen=True, breaks=True),
)  # fmt: skip
"""Best first; the last is for any margin below."""


def outcome_of(margin: int) -> Outcome:
    """The outcome of a margin (attack − defense)."""
    return next((outcome for outcome in OUTCOMES if margin >= outcome.least), OUTCOMES[-1])


# -- answers ----------------------------------------------------------------------------------------------


class Answer:
    """One answer to a question inside an action: its home."""

    word: str
    label: str
    cost = ""
    icon = "choose"

    def describe(self) -> Description:
        """Its button."""
        return Description(self.label, "Answer", self.cost, icon=self.icon)

    def odds(self, state: OldeState, question: Question) -> Odds | None:
        """The exact odds; None where no dice decide."""
        return None

    def resolve(self, resolution: Resolution, question: Question) -> None:
        """Do what was decided; the question is answered by it."""
        raise NotImplementedError(self.word)


@dataclass(eq=False)
class Consequence(Answer):
    """What may come of a critical or disastrous miss."""

    word: str
    label: str
    befall: Callable[[Resolution, CreatureIx, CreatureIx, Weapon], None]
    """Lets it happen to whoever has missed, by the hand of the defender, with the weapon."""

    def resolve(self, resolution: Resolution, question: Question) -> None:
        resolution.question = None
        self.befall(resolution, question.who, question.other, resolution.setup.armoury.weapons[question.weapon])


def _weapon_breaks(resolution: Resolution, who: CreatureIx, foe: CreatureIx, weapon: Weapon) -> None:
    unhand(resolution, who, weapon.name)
    resolution.events.append(Item(by=resolution.fighter(who).id, item=weapon.name, how="broken"))


def _strikes_back(resolution: Resolution, who: CreatureIx, foe: CreatureIx, weapon: Weapon) -> None:
    """The defender inflicts its weapon's damage on the attacker."""
    back = return_of(resolution, who, foe)
    if back is None:
        return
    by, exploding = resolution.fighter(foe).id, resolution.setup.exploding_damage
    dealt = roll(resolution.dice, "damage", 1, back.rank, by=by, exploding=exploding, adjustments=back.adjustments)
    thrown = dealt.total - sum(a.value for a in back.adjustments)
    element = resolution.setup.armoury.weapons[back.weapon].element
    because = text("struck back with {weapon}", back.weapon)
    injure(resolution, who, back.hurt(thrown), because, by=foe, rolls=(dealt,), element=element)


class StrikeBack(Consequence):
    """It may hurt, and its card says how much."""

    def odds(self, state: OldeState, question: Question) -> Odds | None:
        back = return_of(Resolution(state), question.who, question.other)
        if back is None:
            return None
        fighter, figure = state.setup.fighters[question.who], state.figures[question.who]
        damage: dict[int, float] = {}
        for thrown, p in enumerate(dist.dice_sum(1, back.rank, state.setup.exploding_damage)):
            if p > 0.0:
                hurt = back.hurt(thrown)
                damage[hurt] = damage.get(hurt, 0.0) + p
        note = text("damage d{rank}{halved}: {weapon}", back.rank, ", halved" if back.halved else "", back.weapon)
        drop = sum(p for hurt, p in damage.items() if figure.hp > 0 and hurt >= figure.hp)
        return Odds(
            1.0, (("struck back", 1.0),), tuple(sorted(damage.items())), sum(hurt * p for hurt, p in damage.items()),
            drop, stun_of(state.setup, fighter, figure, damage), back.adjustments, "no check", notes=((note, RULE),),
        )  # fmt: skip


DROP_WEAPON = Consequence(
    "drop_weapon", "Drop the weapon", lambda resolution, who, foe, weapon: drop(resolution, who, weapon.name)
)
FALL_PRONE = Consequence(
    "fall_prone", "Fall prone",
    lambda resolution, who, foe, weapon: cond.lie_down(resolution, who, cond.PRONE.name, "tripped"),
)  # fmt: skip
WEAPON_BREAKS = Consequence("weapon_breaks", "The weapon breaks", _weapon_breaks)
STRIKE_BACK = StrikeBack("strike_back", "The defender strikes back", _strikes_back)
_ALL = (DROP_WEAPON, FALL_PRONE, WEAPON_BREAKS, STRIKE_BACK)
CONSEQUENCES: Mapping[str, Consequence] = {each.word: each for each in _ALL}


def miss(resolution: Resolution, who: CreatureIx, foe: CreatureIx, outcome: Outcome, armed: Armed) -> None:
    """What a miss does to the attacker; where two things are possible, the GM or a d2 decides."""
    if outcome.stumbles:
        expose(resolution, who, -outcome.stumbles, outcome.name.replace("_", " "), RULE)
    if not outcome.chosen:
        return
    weapon, possible = armed.weapon, tuple[Consequence, ...]()  # what can happen of what is listed, in its order
    held = not weapon.natural and weapon.name in resolution.figures[who].hands
    if held:
        possible = (WEAPON_BREAKS,) if outcome.breaks else (DROP_WEAPON,)
    if outcome.breaks and striking_back(resolution, who, foe) is not None:
        possible += (STRIKE_BACK,)
    if not outcome.breaks or not possible:
        possible += (FALL_PRONE,)
    if len(possible) == 2 and resolution.setup.gm:
        ids = tuple(each.word for each in possible)
        resolution.question = Question("gm", outcome.name, ids, who, foe, weapon.name, armed.mode_at)
        resolution.events.append(Asked(by="gm", kind=outcome.name, options=ids, about=resolution.fighter(who).id))
        return
    option = possible[0]
    if len(possible) == 2:
        thrown = roll(resolution.dice, "which outcome", 1, 2, by="", exploding=False)
        option = possible[thrown.total - 1]
        resolution.events.append(Chosen(by="d2", kind=outcome.name, option=option.word, roll=thrown))
    option.befall(resolution, who, foe, weapon)


def striking_back(resolution: Resolution, who: CreatureIx, foe: CreatureIx) -> Weapon | None:
    """What the defender strikes back with: the first thing in hand that reaches the attacker, else bare hands."""
    figure, fighter = resolution.figures[foe], resolution.fighter(foe)
    if not able(figure):
        return None
    attacker = resolution.figures[who]
    distance = resolution.terrain.distance(figure.cell, attacker.cell, fighter.space, resolution.fighter(who).space)
    armoury = resolution.setup.armoury.weapons
    held = [item for item in figure.hands if item in armoury]
    held += [name for name in fighter.weapons if armoury[name].natural]
    ways = ((armoury[name], armoury[name].modes[0]) for name in (*held, UNARMED.name))
    return next((weapon for weapon, way in ways if not way.ranged and way.near <= distance <= way.far), None)


class Return(NamedTuple):
    """A blow struck back, known before its die is thrown: odds and resolution share it."""

    weapon: str
    rank: int
    halved: bool
    adjustments: tuple[Adjustment, ...]
    armor: int

    def hurt(self, thrown: int) -> int:
        """The damage sustained for a die showing so much."""
        plus = sum(a.value for a in self.adjustments)
        return max(0, ((thrown + 1) // 2 if self.halved else thrown) + plus - self.armor)


def return_of(resolution: Resolution, who: CreatureIx, foe: CreatureIx) -> Return | None:
    """The defender's damage: the die, less its Brawn shortage, less the attacker's armor; None if it can't reach."""
    weapon = striking_back(resolution, who, foe)
    if weapon is None:
        return None
    fighter, armed = resolution.fighter(foe), Armed(weapon, 0)
    rank, halved, _ = damage_faces(fighter, armed)
    adjustments = damage_adjustments(fighter, resolution.figures[foe], armed)
    return Return(weapon.name, rank, halved, adjustments, soak_of(resolution.fighter(who), resolution.figures[who]))


def unhand(resolution: Resolution, who: CreatureIx, item: str) -> None:
    """Something is in hand no more."""
    hands = list(resolution.figures[who].hands)
    hands.remove(item)
    resolution.change(who, hands=tuple(hands))


def drop(resolution: Resolution, who: CreatureIx, item: str) -> None:
    """Let go of something in hand: it lies in one's space."""
    cell = resolution.figures[who].cell
    unhand(resolution, who, item)
    resolution.floor = (*resolution.floor, Lying(item, cell, who))
    name, at = resolution.fighter(who).id, resolution.space(cell)
    resolution.events.append(Item(by=name, item=item, how="dropped", at=at))
