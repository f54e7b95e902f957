"""What blows leave: broken shields, hit points, trauma, knock-back, death, in this order (countup.md §1 AFTERMATH)."""

from __future__ import annotations

import msgspec

from rules.board.path import step_fault
from rules.contract.events import Check, Condition, Injury, Item, Moved, Note, Roll
from rules.countup.actions.doors import break_off
from rules.countup.combat.melee import Outcome, speed_of
from rules.countup.combat.reach import COMPASS, direction
from rules.countup.penetration import Die, roll
from rules.countup.state import KNOCK, Work, able, in_hand, present, sizes_of, weapon_of

BREAKAGE = {"S": (8, 12, 16, 20), "M": (12, 18, 24, 30), "L": (12, 18, 24, 30)}
"""Raw damage from which a shield is at risk: at +6, even, −6, and destroyed (countup.md §2.2)."""
HELPLESS = 5
"""Seconds for each point by which the trauma roll fails."""
TURNS = {1: 2, 2: 1, 3: 0, 4: 0, 5: 0, 6: 0, 7: 0, 8: -1, 9: -1, 10: -1, 11: -2, 12: -2}
"""Knock-back by the d12: eighths to the attacker's right of straight on (countup.md §2.3)."""
CYCLE = (2, 1, 0, -1, -2)
"""Where the next feasible result is looked for: right, half right, straight, half left, left, and round again."""


def apply(work: Work, outcomes: list[Outcome]) -> None:
    """The results of one phase, each step for all before the next."""
    struck = [o for o in outcomes if present(work.figures[o.blow.target])]
    for outcome in struck:
        if outcome.shield:
            break_shield(work, outcome)
    losses = [_lose_to(work, outcome) for outcome in struck]
    for outcome, lost in zip(struck, losses, strict=True):
        wounded(work, outcome.blow.target, lost)
    for outcome in struck:
        if outcome.hit or outcome.shield:
            knock_back(work, outcome)
    for outcome in struck:
        fall(work, outcome.blow.target, outcome.blow.by)


def _lose_to(work: Work, outcome: Outcome) -> int:
    """Hit points that a blow takes; those that a ward takes aren't lost (B15)."""
    if outcome.loss <= 0:
        return 0
    blow = outcome.blow
    fire = blow.kind != "unarmed" and weapon_of(work.setup, blow.by, blow.weapon).burning
    return lose(work, blow.target, outcome.loss, blow.weapon, by=blow.by, fire=fire)


def wounded(work: Work, who: int, amount: int) -> None:
    """What one wound does to who still stands: pain and, by option, nerve."""
    if amount > 0 and work.figures[who].hp > 0:
        pain(work, who, amount)
        if work.setup.options["morale"]:
            nerve(work, who, amount)


def break_shield(work: Work, outcome: Outcome) -> None:
    """A shield struck hard enough breaks by an opposed plain d20, ties to the shield (B28)."""
    target = outcome.blow.target
    name = work.figures[target].shield
    shield = work.setup.armoury.shields.get(name or "")
    if shield is None:
        return
    bounds = BREAKAGE[shield.size]
    if outcome.raw < bounds[0]:
        return
    broken = outcome.raw >= bounds[3]
    if not broken:
        favour = 6 if outcome.raw < bounds[1] else 0 if outcome.raw < bounds[2] else -6
        plain = (Die(1, 20, False),)
        work.dice.thrower = work.being(target).id
        held = roll(work.dice, "shield holds", plain, favour)
        work.dice.thrower = work.being(outcome.blow.by).id
        tried = roll(work.dice, "shield breaks", plain)
        broken = tried.total > held.total
        work.events.append(
            Check(
                by=work.being(target).id,
                what="the shield",
                roll=held,
                rating=tried.total,
                success=not broken,
                against=tried,
            )
        )
    if broken:
        work.change(target, shield=None)
        work.events.append(Item(by=work.being(target).id, item=shield.name, how="broken"))


def lose(
    work: Work, who: int, amount: int, because: str, *, by: int = -1, fire: bool = False,
    rolls: tuple[Roll, ...] = (),
) -> int:  # fmt: skip
    """Hit points off; a spell in casting is lost with them (countup.md §2.8). Gives how many really went.

    `rolls`: the dice of the harm, where no blow has told them.
    """
    figure = work.figures[who]
    if figure.ward:
        taken = min(figure.ward, amount)
        amount -= taken
        figure = work.change(who, ward=figure.ward - taken)
        work.events.append(
            Note(text=f"is warded: {taken} are taken", by=work.being(who).id, rolls=() if amount else rolls)
        )
        if not amount:
            return 0
    burnt = figure.burnt + (amount if fire else 0)
    after = work.change(who, hp=figure.hp - amount, taken=figure.taken + amount, burnt=burnt)
    if by >= 0:
        work.change(by, dealt=work.figures[by].dealt + amount)
    work.events.append(
        Injury(target=work.being(who).id, amount=amount, hp=after.hp, status=status(work, who), because=because,
               by=work.being(by).id if by >= 0 else None, rolls=rolls)
    )  # fmt: skip
    break_off(work, who)
    if figure.casting is not None:
        work.change(who, casting=None)
        work.events.append(Note(text=f"{figure.casting.spell} is lost", by=work.being(who).id))
    return amount


def status(work: Work, who: int) -> str:
    """Healthy, bruised, wounded, incapacitated or dead, by hit points."""
    figure, most = work.figures[who], work.being(who).hp_max
    if figure.dead or figure.hp <= 0:
        return "dead"
    if figure.helpless > work.second:
        return "incapacitated"
    return "healthy" if figure.hp >= most else "bruised" if 2 * figure.hp >= most else "wounded"


def pain(work: Work, who: int, amount: int) -> None:
    """One wound above the threshold of pain: a d20 over the trauma value and it falls (countup.md §2.4)."""
    being = work.being(who)
    if not being.pain or amount <= being.pain:
        return
    work.dice.thrower = being.id
    thrown = roll(work.dice, "trauma", (Die(1, 20, False),))
    over = thrown.total - being.trauma
    work.events.append(
        Check(by=being.id, what="threshold of pain", roll=thrown, rating=being.trauma, success=over <= 0)
    )
    if thrown.total == 20 and work.setup.options["out_cold"]:
        work.dice.thrower = being.id
        minutes = roll(work.dice, "minutes", (Die(5, 6),))
        stun(work, who, 60 * minutes.total, "pain", (minutes,))
    elif over > 0:
        stun(work, who, HELPLESS * over, "pain")


TENACITY = {
    "fearless": (2, 50),
    "brave": (1, 40),
    "steady": (0, 25),
    "nervous": (-4, 20),
    "cowardly": (-8, 0),
}
"""(bonus, percentage of the hit points above which one wound asks for nerve) (countup.md §2.10)."""
ROUT = 10
"""Seconds for which nerve is lost."""


def nerve(work: Work, who: int, amount: int) -> None:
    """A grave wound: d20p and tenacity against a d20p; lower, and it flees (option)."""
    being, figure = work.being(who), work.figures[who]
    bonus, share = TENACITY[being.tenacity]
    if being.undead or 100 * amount <= share * being.hp_max or not present(figure) or figure.helpless:
        return
    work.dice.thrower = being.id
    fear = roll(work.dice, "fear", (Die(1, 20),))
    held = roll(work.dice, "tenacity", (Die(1, 20),), bonus)
    stays = held.total >= fear.total
    work.events.append(
        Check(by=being.id, what="tenacity", roll=held, rating=fear.total, success=stays, against=fear)
    )
    if not stays:
        kept = tuple(each for each in figure.effects if each[0] != "panicked")
        work.change(
            who, effects=(*kept, ("panicked", work.second + ROUT)), order=None, casting=None, task=None
        )
        work.events.append(
            Condition(target=being.id, condition="panicked", gained=True, because="a grave wound")
        )


def stun(work: Work, who: int, seconds: int, because: str, rolls: tuple[Roll, ...] = ()) -> None:
    """Helpless for so long, as `rolls` may have decided: down, orders gone."""
    ends = max(work.figures[who].helpless, work.second + seconds)
    work.change(
        who,
        helpless=ends,
        prone=True,
        order=None,
        gait="",
        carry=0,
        stance="",
        held_by=-1,
        casting=None,
        task=None,
        nocked=("", 0),
    )
    work.events.append(
        Condition(
            target=work.being(who).id,
            condition="helpless",
            gained=True,
            because=f"{because}, {seconds} s",
            rolls=rolls,
        )
    )


def knock_back(work: Work, outcome: Outcome) -> None:
    """Five feet for every so much raw damage by size; ten or more feet and it lies down (countup.md §2.3)."""
    who, by = outcome.blow.target, outcome.blow.by
    figure = work.figures[who]
    if not present(figure) or figure.cell < 0:
        return
    raw = outcome.raw * (2 if outcome.charge else 1)
    steps = raw // KNOCK[work.being(who).knock or work.being(who).size]
    if steps < 1:
        return
    work.dice.thrower = work.being(by).id
    thrown = roll(work.dice, "direction", (Die(1, 12, False),))
    straight = direction(work.setup.field, work.figures[by].cell, figure.cell, sizes_of(work.setup, by, who))
    hand = -1 if work.being(by).left_handed else 1
    path = _way(work, who, straight, TURNS[thrown.total], steps, hand)
    if path:
        order = figure.order
        kept = order if order is None or not order.path else msgspec.structs.replace(order, path=())
        work.change(who, cell=path[-1], moved=work.second, gait="", carry=0, straight=0, order=kept)
        spaces = tuple(work.space(cell) for cell in path)
        start = work.space(figure.cell)
        work.events.append(
            Moved(by=work.being(who).id, mode="knocked_back", start=start, path=spaces, rolls=(thrown,))
        )
    else:
        work.events.append(Note(text="has nowhere to be knocked to", by=work.being(who).id, rolls=(thrown,)))
    if path and not outcome.shot:
        step_after(work, by, figure.cell, *path[:-1])
    if steps >= 2:
        state = work.done()
        weapon = weapon_of(work.setup, who, in_hand(work.setup, who, figure))
        due = work.second + speed_of(state, who, weapon, "attack")
        work.change(
            who, prone=True, due=due, busy=max(figure.busy, work.second + 2), order=None, stance="", until=0
        )
        work.events.append(
            Condition(target=work.being(who).id, condition="prone", gained=True, because="knocked back")
        )


def step_after(work: Work, who: int, *cells: int) -> None:
    """The attacker steps through the spaces left free, if he is set on it (countup.md §2.3, §2.6)."""
    figure, space = work.figures[who], work.being(who).space
    if not figure.press or not able(figure, work.second) or figure.prone or figure.held_by >= 0:
        return
    went: list[int] = []
    for cell in cells:
        at = went[-1] if went else figure.cell
        if step_fault(work.terrain, at, cell, space) or _taken(work, who, cell):
            break
        went.append(cell)
    if not went:
        return
    start = work.space(figure.cell)
    work.change(who, cell=went[-1], moved=work.second)
    path = tuple(work.space(cell) for cell in went)
    work.events.append(Moved(by=work.being(who).id, mode="steps_after", start=start, path=path))


def _way(work: Work, who: int, straight: int, turn: int, steps: int, hand: int) -> list[int]:
    """The spaces gone: the rolled direction, or the next in the cycle whose first space is free.

    `hand` −1 mirrors it all, for the left-handed.
    """
    start = CYCLE.index(turn)
    for offset in range(len(CYCLE)):
        dx, dy = COMPASS[(straight + hand * CYCLE[(start + offset) % len(CYCLE)]) % 8]
        went: list[int] = []
        cell = work.figures[who].cell
        for _ in range(steps):
            x, y = work.setup.field.at(cell)
            if not work.setup.field.inside(x + dx, y + dy):
                break
            there = work.setup.field.cell(x + dx, y + dy)
            if step_fault(work.terrain, cell, there, work.being(who).space) or _taken(work, who, there):
                break
            went.append(there)
            cell = there
        if went:
            return went
    return []


def _taken(work: Work, who: int, cell: int) -> bool:
    cells = work.terrain.footprint(cell, work.being(who).space)
    return any(
        i != who and present(f) and work.terrain.footprint(f.cell, work.being(i).space) & cells
        for i, f in enumerate(work.figures)
    )


def fall(work: Work, who: int, by: int = -1) -> None:
    """Nought or less: out of the fight (B30)."""
    figure = work.figures[who]
    if figure.hp > 0 or figure.dead:
        return
    work.change(who, dead=True, prone=True, order=None, stance="", casting=None, task=None)
    if by >= 0:
        work.change(by, felled=work.figures[by].felled + 1)
    for other, held in enumerate(work.figures):
        if held.held_by == who:
            work.change(other, held_by=-1)
    work.events.append(Condition(target=work.being(who).id, condition="dead", gained=True))
