"""The damage ladder, scars, critical damage, and what attacks do besides (cairn.md §2.4–2.6, §4, §5.6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from rules.cairn import conditions as cond
from rules.cairn.gear import ARMOR_CAP, ENHANCED, IMPAIRED, Rider
from rules.cairn.magic.ground import beside, drop_item
from rules.cairn.state import Being, CairnState, Choice, Figure, Lasting, Resolution, Setup, shown_hp, worn
from rules.contract.events import Healing, Injury, Item, Question, Roll
from rules.contract.text import Term, text
from rules.contract.units import NO_CREATURE, CreatureIx, numbered

PLACES = ("neck", "hands", "eye", "chest", "legs", "ear")
BONES = ("leg", "leg", "arm", "arm", "rib", "skull")
LIMBS = ("arm", "leg")


def _throw(resolution: Resolution, who: CreatureIx, label: str, count: int, die: int) -> int:
    rolled = resolution.throw(label, count, die, by=who)
    resolution.note(who, text("{label}: {total}", label, rolled.total), (rolled,))
    return rolled.total


def _higher_hp(resolution: Resolution, who: CreatureIx) -> None:
    """A new maximum of HP where the throw is higher; HP now stay as they are (A9)."""
    thrown = _throw(resolution, who, "new maximum HP", 1, 6)
    resolution.change(who, hp_max=max(resolution.figures[who].hp_max, thrown))


def _lasting(resolution: Resolution, who: CreatureIx) -> None:
    place = _throw(resolution, who, "where the scar stays", 1, 6)
    resolution.note(who, text("a scar on the {place}", PLACES[place - 1]))
    _higher_hp(resolution, who)


def _walloped(resolution: Resolution, who: CreatureIx) -> None:
    resolution.afflict(who, cond.PRONE, because="walloped")
    resolution.afflict(who, cond.DEPRIVED, because="walloped")
    resolution.afflict(who, cond.WINDED, 1, because="walloped")


def _broken(resolution: Resolution, who: CreatureIx) -> None:
    bone = BONES[_throw(resolution, who, "which bone", 1, 6) - 1]
    resolution.note(who, text("broken {bone}", bone))
    _lame(resolution, who, bone)


def _lame(resolution: Resolution, who: CreatureIx, limb: str) -> None:
    figure = resolution.figures[who]
    lame, one_armed = figure.lame or limb == "leg", figure.one_armed or limb == "arm"
    resolution.mark(who, cond.condition_named(f"broken {limb}"), lame=lame, one_armed=one_armed)


def _head_wound(resolution: Resolution, who: CreatureIx) -> None:
    pick = _throw(resolution, who, "which attribute", 1, 6)
    attribute = ("str", "dex", "wil")[(pick - 1) // 2]
    thrown = _throw(resolution, who, text("new {attribute}", attribute.upper()), 3, 6)
    figure = resolution.figures[who]
    if thrown > figure.score(attribute):
        top = max(thrown, getattr(figure, f"{attribute}_max"))
        resolution.change(who, **{f"{attribute}_now": thrown, f"{attribute}_max": top})


def _deafened(resolution: Resolution, who: CreatureIx) -> None:
    resolution.afflict(who, cond.DEAF, because="scar")
    if resolution.save(who, "wil", "deafened"):
        resolution.change(who, wil_max=resolution.figures[who].wil_max + _throw(resolution, who, "maximum WIL +", 1, 4))


def _rebrained(resolution: Resolution, who: CreatureIx) -> None:
    thrown = _throw(resolution, who, "new maximum WIL", 3, 6)
    resolution.change(who, wil_max=max(resolution.figures[who].wil_max, thrown))


def _sundered(resolution: Resolution, who: CreatureIx) -> None:
    """The limb is the game master's choice (option `gm`); without one a d2 decides: 1 arm, 2 leg."""
    if resolution.setup.gm:
        name = resolution.being(who).id
        resolution.choices = (*resolution.choices, Choice("gm", "sundered", LIMBS, who))
        resolution.events.append(Question(by="gm", kind="sundered", options=LIMBS, about=name))
        return
    sunder(resolution, who, LIMBS[_throw(resolution, who, "which limb", 1, 2) - 1])


def sunder(resolution: Resolution, who: CreatureIx, limb: str) -> None:
    """Row 10 once the limb is known."""
    _lame(resolution, who, limb)
    if resolution.save(who, "wil", "sundered"):
        resolution.change(who, wil_max=resolution.figures[who].wil_max + _throw(resolution, who, "maximum WIL +", 1, 6))


def _mortal(resolution: Resolution, who: CreatureIx) -> None:
    resolution.afflict(who, cond.DEPRIVED, because="mortal wound")
    resolution.afflict(who, cond.OUT, HOUR, "mortal wound", then=cond.DEAD.name)
    resolution.change(who, posture="prone")


class Scar(NamedTuple):
    """A row of the table of scars."""

    name: str
    left: str  # what is left of it, on a sheet
    happen: Callable[[Resolution, CreatureIx], object]
    mended: Mended | None = None


class Mended(NamedTuple):
    """What is thrown for a scar once it has mended."""

    label: str
    dice: int
    faces: int
    added: bool = False  # it is added to what was there


_BETTER = Mended("new maximum HP", 2, 6)
SCARS: Mapping[int, Scar] = MappingProxyType({
    1: Scar("Lasting scar", "for all to see", _lasting),
    2: Scar("Shaken", "by a rattling blow", _higher_hp),
    3: Scar("Knocked flat", "deprived until some hours of rest; then more HP", _walloped,
            Mended("maximum HP +", 1, 6, added=True)),
    4: Scar("Broken bone", "until it has mended; then perhaps more HP", _broken, _BETTER),
    5: Scar("Infected wound", "until it is treated; then perhaps more HP",
            partial(Resolution.afflict, condition=cond.INFECTED, because="scar"), _BETTER),
    6: Scar("Head wound", "an attribute may have changed", _head_wound),
    7: Scar("Hamstrung", "hardly moves until it is helped; then perhaps more DEX",
            partial(Resolution.mark, condition=cond.HAMSTRUNG, lame=True), Mended("new maximum DEX", 3, 6)),
    8: Scar("Deafened", "until something out of the ordinary helps", _deafened),
    9: Scar("Scrambled wits", "WIL may have grown", _rebrained),
    10: Scar("Lost limb", "for good", _sundered),
    11: Scar("Mortal wound", "dead within the hour unless healed", _mortal, _BETTER),
    12: Scar("Doomed", "the next failed critical save is death",
             partial(Resolution.mark, condition=cond.DOOMED, doomed=True)),
})  # fmt: skip
"""The table of scars: the row is the HP that the blow took, at most 12 (cairn.md §4)."""


LADDER = ("nothing", "scratched", "hit_points", "scar", "wounded", "critical", "killed")
"""What an attack can come to, mildest first: nothing got through, HP lost, a PC's HP exactly 0, STR lost but the save
passed, critical damage, dead. (`scratched` is an attack whose die was not the highest of its pool.)"""
MINUTE, HOUR = 6, 360
"""Rounds of some ten seconds in a minute, and in the hour after which critical damage and mortal wounds kill (cairn.md
§1, §2.4)."""
FLAMES = frozenset({"fire", "mundane"})
"""What a burst of flames counts as against a creature's traits."""


def armor_of(setup: Setup, being: Being, figure: Figure) -> int:
    """Armor that counts now, at most 3: hide, the suit, what stacks with it, the shield in hand (cairn.md §5.2)."""
    table = setup.armoury.armor
    total = being.armor + sum(table[item].armor for item in worn(setup, being, figure))
    if not figure.has(cond.CASTING):
        total += sum(table[item].armor for item in set(figure.hands) if item in table)
    total += sum(setup.armoury.gear[i].armor for i in set(figure.hands) if i in setup.armoury.gear)
    return min(ARMOR_CAP, total)


def natured(being: Being, kinds: frozenset[str], dice: tuple[int, ...]) -> tuple[int, ...]:
    """The dice of harm that is no blow: enhanced or impaired by the victim's nature, as blows are (A5, A6)."""
    if being.enhanced_by & kinds:
        return (ENHANCED,) * len(dice)
    return (IMPAIRED,) * len(dice) if being.impaired_by & kinds else dice


def wound(resolution: Resolution, who: CreatureIx, amount: int, because: str, *, by: CreatureIx = NO_CREATURE,
          direct: bool = False, rider: Rider | None = None, saves: bool = True,
          rolls: tuple[Roll, ...] = ()) -> str:  # fmt: skip
    """Damage after armour goes down the ladder: HP first, the rest off STR. Gives its word of `LADDER`.

    `direct` damage skips HP (cairn.md §2.5). Without `saves` no critical save follows. Light sleep breaks on it (§4).
    """
    being, figure = resolution.being(who), resolution.figures[who]
    if amount <= 0 or not figure.present:
        return "nothing"
    counted = 0 if direct else shown_hp(resolution.setup, being, figure)
    lost = min(counted, amount)
    excess = amount - lost
    strength = max(0, figure.str_now - excess)
    resolution.change(who, hp=figure.hp - lost, str_now=strength, taken=figure.taken + amount)
    if by >= 0:
        resolution.change(by, dealt=resolution.figures[by].dealt + amount)
    resolution.events.append(Injury(
        target=being.id, amount=amount, hp=figure.hp - lost, status=resolution.figures[who].status, because=because,
        by=resolution.being(by).id if by >= 0 else None, rolls=rolls, through=excess,
        second=strength if excess else None,
    ))  # fmt: skip
    word = "hit_points" if not excess else "wounded" if strength > 0 else "killed"
    if being.pc and amount == counted:  # nobody else is marked for life
        word, row = "scar", min(max(SCARS), lost)
        resolution.mark(who, cond.condition_named(f"scar {row}"), scars=(*figure.scars, row))
        SCARS[row].happen(resolution, who)
    elif word == "killed":
        die(resolution, who, because, by)
    elif word == "wounded":
        if saves and not resolution.save(who, "str", text("{critical} damage", Term("critical"))):
            word = critical(resolution, who, by, rider, excess)
        elif saves and figure.doomed:  # who passes the next critical save is changed by it (cairn.md §4, row 12)
            rolled = resolution.throw("doom lifted: new maximum HP", 3, 6, by=who)
            resolution.change(who, doomed=False, hp_max=max(figure.hp_max, rolled.total))
            resolution.tell_of(who, cond.DOOMED, gained=False)
            resolution.note(who, text("new maximum HP: {total}", rolled.total), (rolled,))
        if rider is not None and rider.on == "wound" and resolution.figures[who].present:
            Riding(resolution, who, by, rider, excess).ride()
    resolution.relieve(who, cond.ASLEEP, "harm", told=resolution.figures[who].present)  # the dead wake without a word
    return word


def critical(
    resolution: Resolution, who: CreatureIx, by: CreatureIx = NO_CREATURE, rider: Rider | None = None, lost: int = 0
) -> str:
    """A failed critical save: a PC may only crawl, anybody else dies; the attacker's rider fires (cairn.md §2.4)."""
    being, figure = resolution.being(who), resolution.figures[who]
    word = "critical"
    if being.pc and figure.doomed:
        die(resolution, who, "doomed", by)
        return "killed"
    if being.unstoppable:
        word = "wounded"
    elif figure.heads > 1:
        resolution.mark(who, cond.A_HEAD_LOST, heads=figure.heads - 1)
        word = "wounded"
    elif being.detachment and not being.pc:
        leave(resolution, who, cond.ROUTED)
    elif being.pc or resolution.setup.mercy:
        if not figure.critical or figure.stable:  # down, and the hour begins to run; anew for who had been saved
            resolution.change(who, critical=True, stable=False, posture="prone")
            resolution.tell_of(who, cond.CRITICAL, because="critical damage")
            resolution.afflict(who, cond.BLEEDING_OUT, HOUR, then=cond.DEAD.name)
    else:
        die(resolution, who, "critical damage", by)
        word = "killed"
    if word == "critical" and by >= 0 and not figure.critical:
        resolution.change(by, felled=resolution.figures[by].felled + 1)
    if rider is not None and rider.on == "critical":
        Riding(resolution, who, by, rider, lost).ride()
    return word


class Riding(NamedTuple):
    """What an attack does to somebody besides (cairn.md §5.6)."""

    resolution: Resolution
    who: CreatureIx
    by: CreatureIx
    rider: Rider
    lost: int  # the STR that the attack took
    rolls: tuple[Roll, ...] = ()

    @property
    def maker(self) -> str:
        return self.resolution.being(self.by).id if self.by >= 0 else ""

    @property
    def amount(self) -> int:
        """The highest of its dice; without any what the blow itself took."""
        return max((thrown.total for thrown in self.rolls), default=self.lost)

    def afflict(self, condition: cond.Condition, *, rounds: int = 0, die: int = 0, then: str = "") -> None:
        because = self.rider.text
        self.resolution.afflict(self.who, condition, rounds, because, by=self.maker, die=die, then=then)

    def ride(self) -> None:
        kind, rider = RIDERS[self.rider.kind], self.rider
        if kind.victimless:
            return kind.happen(self)
        if not self.resolution.figures[self.who].present:
            return None
        why = text("against {attack}", rider.text or rider.name)
        if rider.save and self.resolution.save(self.who, rider.save, why):
            return None
        throw, label = self.resolution.throw, rider.text or rider.kind
        dice = rider.dice if kind.throws else ()
        return kind.happen(self._replace(rolls=tuple(throw(label, 1, faces, by=self.maker) for faces in dice)))

    def drink(self) -> None:
        """The attacker's own lost STR comes back."""
        figure = self.resolution.figures[self.by]
        gained = figure.str_max - figure.str_now
        if self.by >= 0 and gained > 0:
            self.resolution.change(self.by, str_now=figure.str_max)
            self.resolution.events.append(
                Healing(target=self.maker, amount=gained, now=figure.str_max, what="str", because=self.rider.text)
            )

    def kill(self) -> None:
        die(self.resolution, self.who, self.rider.text or "critical damage", self.by)

    def ruin(self) -> None:
        """One piece of armour is destroyed, perhaps of metal alone: the shield in hand, else the first worn."""
        resolution, who, table = self.resolution, self.who, self.resolution.setup.armoury.armor
        being, figure = resolution.being(who), resolution.figures[who]
        fit = {name for name, piece in table.items() if piece.metal or not self.rider.metal}
        held = next((item for item in figure.hands if item in fit), None)
        suit = next((item for item in worn(resolution.setup, being, figure) if item in fit), None)
        if held is not None:
            drop_item(resolution, who, held, "broken")
        elif suit is not None:
            resolution.afflict(who, cond.ruined(suit))
            resolution.events.append(Item(by=being.id, item=suit, how="broken"))

    def engulf(self) -> None:
        """STR every round, until one is free of it."""
        self.afflict(cond.condition_named(self.rider.name or cond.ENGULFED.name), die=max(self.rider.dice))

    def curse(self) -> None:
        self.afflict(cond.condition_named(self.rider.name), rounds=self.rider.rounds, then=self.rider.then)

    def maim(self) -> None:
        """d6: 1 the head, 2–4 a leg, 5–6 an arm (cairn.md §5.6, Burrowing Horror)."""
        resolution, who, because = self.resolution, self.who, self.rider.text
        thrown = resolution.throw("which part", 1, 6, by=self.maker)
        if thrown.total == 1:
            resolution.note(who, "loses the head", (thrown,))
            die(resolution, who, because, self.by)
        elif thrown.total <= 4:
            resolution.mark(who, cond.LOST_LEG, because=because, rolls=(thrown,), lame=True)
        else:
            resolution.mark(who, cond.LOST_ARM, because=because, rolls=(thrown,), one_armed=True)

    def drain(self) -> None:
        """An attribute is lost; for good where the rider says so. What the blow itself took is not taken twice."""
        resolution, who, rider, attribute = self.resolution, self.who, self.rider, self.rider.kind
        figure = resolution.figures[who]
        left = figure.score(attribute) - (self.amount if rider.dice else 0)
        resolution.change(who, **{f"{attribute}_now": max(0, left)})
        if rider.permanent:
            top = getattr(figure, f"{attribute}_max") - self.amount
            resolution.change(who, **{f"{attribute}_max": max(0, top)})
        words = f"−{self.amount} {attribute.upper()}" + (" for good" if rider.permanent else "")
        resolution.tell_of(who, cond.condition_named(words), because=rider.text, rolls=self.rolls)
        for condition in (rider.name, rider.at_nought if left <= 0 else ""):
            if condition:
                self.afflict(cond.condition_named(condition))
        if attribute == "str" and left <= 0:
            die(resolution, who, rider.text or "STR 0", self.by)


class RiderKind(NamedTuple):
    """What a rider does, and when."""

    happen: Callable[[Riding], None]
    victimless: bool = False  # whoever was struck has no part in it, nor a save
    throws: bool = True  # its dice fall at once


RIDERS: Mapping[str, RiderKind] = MappingProxyType({
    "dead": RiderKind(Riding.kill), "condition": RiderKind(Riding.curse), "maim": RiderKind(Riding.maim),
    "str": RiderKind(Riding.drain), "dex": RiderKind(Riding.drain), "wil": RiderKind(Riding.drain),
    "engulf": RiderKind(Riding.engulf, throws=False), "heal": RiderKind(Riding.drink, victimless=True),
    "armor": RiderKind(Riding.ruin),
})  # fmt: skip
"""What attacks do besides, by the word that stat blocks have for it (`Rider.kind`)."""


def rust(resolution: Resolution, who: CreatureIx) -> None:
    """The first thing of ordinary metal in hand crumbles (cairn.md §5.6, Rust Monster)."""
    weapons, armor = resolution.setup.armoury.weapons, resolution.setup.armoury.armor
    for item in resolution.figures[who].hands:
        metal = weapons[item].metal if item in weapons else item in armor and armor[item].metal
        if metal:
            drop_item(resolution, who, item, "broken")
            return


def die(resolution: Resolution, who: CreatureIx, because: str, by: CreatureIx = NO_CREATURE) -> None:
    """Dead, or destroyed."""
    figure = resolution.figures[who]
    if figure.dead:
        return
    resolution.change(who, dead=True, posture="prone")
    if by >= 0:
        resolution.change(by, felled=resolution.figures[by].felled + 1)
    being = resolution.being(who)
    if being.rises and figure.str_now > 0:
        resolution.change(who, lasting=(*figure.lasting, Lasting(cond.RISING.name, being.rises)))
    resolution.tell_of(who, cond.DEAD, because=because)
    if being.bursts and resolution.pyres is not None:
        resolution.pyres.append(who)
    elif being.bursts:
        _burst(resolution, who)


def burn(resolution: Resolution) -> None:
    """Those who ended in flames in this half do so at its end, when everybody has acted (cairn.md §1)."""
    pyres, resolution.pyres = resolution.pyres or [], None
    for who in pyres:
        _burst(resolution, who)


def _burst(resolution: Resolution, who: CreatureIx) -> None:
    """It ends in flames, which take in everybody beside it with no wall between (cairn.md §5.6, Phoenix). They are no
    magic: shields against ordinary blows keep them off, and so does the nature of whom magic alone harms."""
    being, cell, state = resolution.being(who), resolution.figures[who].cell, resolution.done()
    for i, other in numbered(resolution.setup.beings):
        figure = resolution.figures[i]
        if i == who or not figure.present or not beside(state, who, cell, i):
            continue
        if other.immune & FLAMES or figure.has(cond.SHIELDED):
            continue
        thrown = [resolution.throw("flames", 1, faces, by=who) for faces in natured(other, FLAMES, being.bursts)]
        harm = max(0, max(r.total for r in thrown) - armor_of(resolution.setup, other, figure))
        direct = off_guard(resolution, i)
        wound(resolution, i, harm, "flames", by=who, direct=direct, rolls=tuple(thrown))


def off_guard(state: CairnState | Resolution, who: CreatureIx) -> bool:
    """Whether harm goes past somebody's Hit Protection: it cannot defend itself, or is unaware (cairn.md §2.5)."""
    unaware = state.round == 1 and state.setup.beings[who].alert == "unaware"
    return unaware or state.figures[who].defenceless


def leave(resolution: Resolution, who: CreatureIx, how: cond.Condition, because: str = "") -> None:
    """Off the board: `fled`, `routed` or `retreated`."""
    resolution.mark(who, how, because=because, fled=True, gone=how.name, cell=-1)


def stabilise(resolution: Resolution, who: CreatureIx, because: str) -> None:
    """Aid stops the hour's clock; the patient stays incapacitated in this fight (cairn.md §2.6)."""
    figure = resolution.figures[who]
    if not figure.clock:
        return
    still = tuple(
        msgspec.structs.replace(each, rounds=0, then="") if each.name == cond.OUT.name else each
        for each in figure.lasting
        if each.name != cond.BLEEDING_OUT.name
    )
    resolution.mark(who, cond.STABLE, because=because, stable=True, lasting=still)
