"""The damage ladder, critical damage and what it leaves (cairn.md §2.4–2.6)."""

from __future__ import annotations

from rules.cairn.gear import ARMOR_CAP, Rider
from rules.cairn.saves import afflict, save
from rules.cairn.scars import scar
from rules.cairn.state import Being, Figure, Setup, Work, present, shown_hp
from rules.dice import roll
from rules.events import Condition, Injury, Item, Roll

LADDER = ("nothing", "scratched", "hit_points", "scar", "wounded", "critical", "killed")
"""What an attack can come to, mildest first: nothing got through, HP lost, HP exactly 0, STR lost but the save
passed, critical damage, dead. (`scratched` is an attack whose die was not the highest of its pool.)"""


def armor_of(setup: Setup, being: Being, figure: Figure) -> int:
    """Armor that counts now, at most 3: hide, the suit, what stacks with it, the shield in hand (cairn.md §5.2)."""
    table = setup.armoury.armor
    gone = {each.name.removeprefix("ruined: ") for each in figure.lasting if each.name.startswith("ruined: ")}
    total = being.armor + sum(table[item].armor for item in being.wear if item not in gone)
    if not figure.has("casting"):
        total += sum(table[item].armor for item in figure.hands if item in table)
    total += sum(setup.armoury.gear[i].armor for i in figure.hands if i in setup.armoury.gear)
    return min(ARMOR_CAP, total)


def status(figure: Figure) -> str:
    """One word for a creature: healthy, bruised (HP lost), wounded (STR lost), incapacitated, dead."""
    if figure.dead:
        return "dead"
    if figure.critical or figure.has("out"):
        return "incapacitated"
    if figure.str_now < figure.str_max:
        return "wounded"
    return "healthy" if figure.hp >= figure.hp_max else "bruised"


def wound(work: Work, who: int, amount: int, because: str, *, by: int = -1, direct: bool = False,
          rider: Rider | None = None, saves: bool = True, rolls: tuple[Roll, ...] = ()) -> str:  # fmt: skip
    """Damage after armour goes down the ladder: HP first, the rest off STR. Gives its word of `LADDER`.

    `direct` damage skips HP (cairn.md §2.5). Without `saves` no critical save follows (damage outside a fight).
    """
    being, figure = work.being(who), work.figures[who]
    if amount <= 0 or not present(figure):
        return "nothing"
    counted = 0 if direct else shown_hp(work.setup, being, figure)
    lost = min(counted, amount)
    excess = amount - lost
    strength = max(0, figure.str_now - excess)
    work.change(who, hp=figure.hp - lost, str_now=strength, taken=figure.taken + amount)
    if by >= 0:
        work.change(by, dealt=work.figures[by].dealt + amount)
    name = work.being(by).id if by >= 0 else None
    told = Injury(
        target=being.id, amount=amount, hp=figure.hp - lost, status=status(work.figures[who]), because=because,
        by=name, rolls=rolls,
    )  # fmt: skip
    work.events.append(told)
    if not excess:
        if lost and lost == counted:
            if being.pc:
                scar(work, who, lost)
            return "scar"
        return "hit_points"
    if strength <= 0:
        die(work, who, because, by)
        return "killed"
    if not saves or save(work, who, "str", "critical damage"):
        _survived(work, who)
        return "wounded"
    return critical(work, who, by, rider)


def _survived(work: Work, who: int) -> None:
    """The doomed who pass their next critical save are changed by it (cairn.md §4, row 12)."""
    figure = work.figures[who]
    if figure.doomed:
        work.dice.thrower = work.being(who).id
        rolled = roll(work.dice, "doom lifted: new maximum HP", 3, 6, exploding=False)
        work.change(who, doomed=False, hp_max=max(figure.hp_max, rolled.total))
        work.events.append(Condition(target=work.being(who).id, condition="doomed", gained=False))


def critical(work: Work, who: int, by: int = -1, rider: Rider | None = None) -> str:
    """A failed critical save: a PC may only crawl, anybody else dies; the attacker's rider fires (cairn.md §2.4)."""
    being, figure = work.being(who), work.figures[who]
    word = "critical"
    if being.pc or (work.setup.mercy and not being.detachment):
        if figure.doomed:
            die(work, who, "doomed", by)
            return "killed"
        work.change(who, critical=True, posture="prone")
        work.events.append(
            Condition(target=being.id, condition="critical", gained=True, because="critical damage")
        )
    elif being.unstoppable:
        word = "wounded"
    elif figure.heads > 1:
        work.change(who, heads=figure.heads - 1)
        work.events.append(Condition(target=being.id, condition="a head lost", gained=True))
        word = "wounded"
    elif being.detachment:
        leave(work, who, "routed")
    else:
        die(work, who, "critical damage", by)
        word = "killed"
    if word != "wounded" and by >= 0:
        work.change(by, felled=work.figures[by].felled + (word == "critical"))
    if rider is not None:
        _ride(work, who, by, rider)
    return word


def _ride(work: Work, who: int, by: int, rider: Rider) -> None:
    """What the attack does besides (cairn.md §5.6)."""
    amount = 0
    rolls: tuple[Roll, ...] = ()
    if rider.dice:
        work.dice.thrower = work.being(by).id if by >= 0 else ""
        thrown = [roll(work.dice, rider.text or rider.kind, 1, die, exploding=False) for die in rider.dice]
        amount, rolls = max(r.total for r in thrown), tuple(thrown)
    if rider.kind == "heal":
        if by >= 0:
            figure = work.figures[by]
            work.change(by, str=figure.str_max)
        return
    if not present(work.figures[who]):
        return
    if rider.kind == "dead":
        die(work, who, rider.text or "critical damage", by)
    elif rider.kind in ("str", "dex", "wil"):
        _drain(work, who, rider.kind, amount, rider, rolls, by)
    elif rider.kind == "armor":
        ruin_armor(work, who)
    else:
        afflict(work, who, rider.kind, because=rider.text)


def _drain(
    work: Work, who: int, attribute: str, amount: int, rider: Rider, rolls: tuple[Roll, ...], by: int
) -> None:
    left = max(0, getattr(work.figures[who], f"{attribute}_now") - amount)
    work.change(who, **{f"{attribute}_now": left})
    if rider.permanent:
        work.change(
            who, **{f"{attribute}_max": max(0, getattr(work.figures[who], f"{attribute}_max") - amount)}
        )
    work.events.append(
        Condition(target=work.being(who).id, condition=f"−{amount} {attribute.upper()}", gained=True,
                  because=rider.text)
    )  # fmt: skip
    if attribute == "str" and left == 0:
        die(work, who, rider.text or "STR 0", by)


def ruin_armor(work: Work, who: int) -> None:
    """One piece of armour is destroyed: the shield in hand, else the first worn."""
    being, figure = work.being(who), work.figures[who]
    table = work.setup.armoury.armor
    held = [item for item in figure.hands if item in table]
    if held:
        hands = list(figure.hands)
        hands.remove(held[0])
        work.change(who, hands=tuple(hands))
        work.events.append(Item(by=being.id, item=held[0], how="broken"))
        return
    for item in being.wear:
        if not figure.has(f"ruined: {item}"):
            afflict(work, who, f"ruined: {item}")
            work.events.append(Item(by=being.id, item=item, how="broken"))
            return


def die(work: Work, who: int, because: str, by: int = -1) -> None:
    """Dead, or destroyed."""
    figure = work.figures[who]
    if figure.dead:
        return
    work.change(who, dead=True, posture="prone")
    if by >= 0:
        work.change(by, felled=work.figures[by].felled + 1)
    work.events.append(Condition(target=work.being(who).id, condition="dead", gained=True, because=because))


def leave(work: Work, who: int, how: str, because: str = "") -> None:
    """Off the board: `fled`, `routed` or `retreated`."""
    work.change(who, fled=True, cell=-1)
    work.events.append(Condition(target=work.being(who).id, condition=how, gained=True, because=because))


def stabilise(work: Work, who: int, because: str) -> None:
    """Aid stops the hour's clock; the patient stays incapacitated in this fight (cairn.md §2.6)."""
    if work.figures[who].critical and not work.figures[who].stable:
        work.change(who, stable=True)
        work.events.append(
            Condition(target=work.being(who).id, condition="stable", gained=True, because=because)
        )
