"""Attacks that fall in one second, and what they leave: broken shields, hit points, trauma, knock-back, death, in this
order; ground that is given (countup.md §1 STRIKE, AFTERMATH, §2.6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from msgspec.structs import replace

from rules.board.path import step_fault
from rules.contract.events import Check, Injury, Item, Moved, Roll
from rules.contract.text import text
from rules.contract.units import NO_CREATURE, Cell, CreatureIx, Seconds, numbered
from rules.countup.combat.attack import Outcome, Strike, could_strike, loaded, speed_of
from rules.countup.combat.reach import ahead, bearing, in_reach
from rules.countup.combat.wounds import suffered
from rules.countup.conditions import DEAD, HELD, HELPLESS, OFF_BALANCE, PANICKED, PRONE, Condition, condition_of
from rules.countup.manners import CHARGE, Stance
from rules.countup.penetration import Die
from rules.countup.state import KNOCK, SAVES, SPENT, Gait, Position, PreparedAttack, Resolution

BREAKAGE: Mapping[str, tuple[int, int, int, int]] = {"S": (8, 12, 16, 20), "M": (12, 18, 24, 30), "L": (12, 18, 24, 30)}
"""Raw damage from which a shield is at risk: at +6, even, −6, and destroyed (countup.md §2.2)."""
D20 = (Die(1, 20, False),)
"""One that does not penetrate."""
HELPLESS_FOR = Seconds(5)
"""Seconds for each point by which the trauma roll fails."""
MINUTE = Seconds(60)
TURNS: Mapping[int, int] = {1: 2, 2: 1, 3: 0, 4: 0, 5: 0, 6: 0, 7: 0, 8: -1, 9: -1, 10: -1, 11: -2, 12: -2}
"""Knock-back by the d12: eighths to the attacker's right of straight on (countup.md §2.3)."""
CYCLE = (2, 1, 0, -1, -2)
"""Where the next feasible result is looked for: right, half right, straight, half left, left, and round again."""


def apply(resolution: Resolution, outcomes: list[Outcome]) -> None:
    """The results of one phase, each step for all before the next."""
    struck = [o for o in outcomes if resolution.figures[o.attack.target].present]
    for outcome in struck:
        if outcome.shield:
            break_shield(resolution, outcome)
    losses = []
    for outcome in struck:
        attack, weapon = outcome.attack, outcome.attack.weapon
        losses.append(lose(resolution, attack.target, outcome.loss, weapon.name, by=attack.by, fire=weapon.burning))
    for outcome, lost in zip(struck, losses, strict=True):
        wounded(resolution, outcome.attack.target, lost)
    for outcome in struck:
        if outcome.hit or outcome.shield:
            knock_back(resolution, outcome)
    for outcome in struck:
        fall(resolution, outcome.attack.target, outcome.attack.by)


def wounded(resolution: Resolution, who: CreatureIx, amount: int) -> None:
    """What one wound does to who still stands: pain and, by option, nerve."""
    if amount > 0 and resolution.figures[who].hp > 0:
        pain(resolution, who, amount)
        if resolution.setup.options["morale"]:
            nerve(resolution, who, amount)


def break_shield(resolution: Resolution, outcome: Outcome) -> None:
    """A shield struck hard enough breaks by an opposed plain d20, ties to the shield (B28)."""
    target = outcome.attack.target
    shield = resolution.setup.armoury.shields.get(resolution.figures[target].shield or "")
    if shield is None:
        return
    favoured, even, hard, destroyed = BREAKAGE[shield.size]
    if outcome.raw < favoured:
        return
    name = resolution.being(target).id
    broken = outcome.raw >= destroyed
    if not broken:
        favour = 6 if outcome.raw < even else 0 if outcome.raw < hard else -6
        held = resolution.roll(target, "shield holds", D20, favour)
        tried = resolution.roll(outcome.attack.by, "shield breaks", D20)
        broken = tried.total > held.total
        check = Check(by=name, what="the shield", roll=held, rating=tried.total, success=not broken, against=tried)
        resolution.events.append(check)
    if broken:
        resolution.change(target, shield=None)
        resolution.events.append(Item(by=name, item=shield.name, how="broken"))


def lose(
    resolution: Resolution, who: CreatureIx, amount: int, because: str, *, by: CreatureIx = NO_CREATURE,
    fire: bool = False, rolls: tuple[Roll, ...] = (),
) -> int:  # fmt: skip
    """Hit points off; a spell in casting is lost with them (countup.md §2.8). Gives how many really went: those that a
    ward takes aren't lost (B15). `rolls`: the dice of the harm, where no blow has told them."""
    figure = resolution.figures[who]
    if amount <= 0:
        return 0
    if figure.ward:
        taken = min(figure.ward, amount)
        amount -= taken
        figure = resolution.change(who, ward=figure.ward - taken)
        resolution.note(who, text("is warded: {taken} are taken", taken), () if amount else rolls)
        if not amount:
            return 0
    burnt = figure.burnt + (amount if fire else 0)
    wounds = suffered(figure.wounds, amount)
    after = resolution.change(who, hp=figure.hp - amount, taken=figure.taken + amount, burnt=burnt, wounds=wounds)
    if by >= 0:
        resolution.change(by, dealt=resolution.figures[by].dealt + amount)
    resolution.events.append(
        Injury(
            target=resolution.being(who).id, amount=amount, hp=after.hp, status=status(resolution, who),
            because=because, by=resolution.being(by).id if by >= 0 else None, rolls=rolls,
        )
    )  # fmt: skip
    interrupt(resolution, who)
    if figure.casting is not None:
        resolution.change(who, casting=None)
        resolution.note(who, text("{spell} is lost", figure.casting.spell))
    return amount


def interrupt(resolution: Resolution, who: CreatureIx) -> None:
    """A task is lost: its doer is free again."""
    if resolution.figures[who].task is not None:
        resolution.change(who, task=None, busy=min(resolution.figures[who].busy, resolution.second + 1))
        resolution.note(who, "is interrupted")


def break_off(resolution: Resolution, who: CreatureIx) -> None:
    """No shot: what is loaded and drawn by now stays so, while the weapon is in hand; a load half done is lost."""
    figure = resolution.figures[who]
    kept = figure.nocked if loaded(figure, figure.hand, resolution.second) else ("", 0)
    resolution.change(who, loading=("", 0), nocked=kept)


def befall(resolution: Resolution, who: CreatureIx, condition: Condition, ends: Seconds, because: str) -> None:
    """A condition comes upon somebody until a second; one that grips ends whatever it was about (countup.md §5.4)."""
    if condition.grips:
        interrupt(resolution, who)
        resolution.change(who, order=None, casting=None)
        break_off(resolution, who)
    condition.lay(resolution, who, ends, because)


def status(at: Position, who: CreatureIx) -> str:
    """Healthy, bruised, wounded, incapacitated or dead, by hit points."""
    figure, most = at.figures[who], at.being(who).hp_max
    if figure.dead or figure.hp <= 0:
        return "dead"
    if figure.helpless > at.second:
        return "incapacitated"
    return "healthy" if figure.hp >= most else "bruised" if 2 * figure.hp >= most else "wounded"


def pain(resolution: Resolution, who: CreatureIx, amount: int) -> None:
    """One wound above the threshold of pain: a d20 over the trauma value and it falls (countup.md §2.4)."""
    being = resolution.being(who)
    if not being.pain or amount <= being.pain:
        return
    thrown = resolution.roll(who, "trauma", D20)
    over = thrown.total - being.trauma
    resolution.events.append(
        Check(by=being.id, what="threshold of pain", roll=thrown, rating=being.trauma, success=over <= 0)
    )
    if thrown.total == 20 and resolution.setup.options["out_cold"]:
        minutes = resolution.roll(who, "minutes", (Die(5, 6),))
        stun(resolution, who, MINUTE * minutes.total, "pain", (minutes,))
    elif over > 0:
        stun(resolution, who, HELPLESS_FOR * over, "pain")


TENACITY: Mapping[str, tuple[int, int]] = {
    "fearless": (2, 50), "brave": (1, 40), "steady": (0, 25), "nervous": (-4, 20), "cowardly": (-8, 0),
}  # fmt: skip
"""(bonus, percentage of the hit points above which one wound asks for nerve) (countup.md §2.10)."""
ROUT = Seconds(10)
"""Seconds for which nerve is lost."""


def nerve(resolution: Resolution, who: CreatureIx, amount: int) -> None:
    """A grave wound: d20p and tenacity against a d20p; lower, and it flees (option)."""
    being, figure = resolution.being(who), resolution.figures[who]
    bonus, share = TENACITY[being.tenacity]
    if being.undead or 100 * amount <= share * being.hp_max or not figure.present or figure.helpless:
        return
    fear = resolution.roll(who, "fear", (Die(1, 20),))
    held = resolution.roll(who, "tenacity", (Die(1, 20),), bonus)
    stays = held.total >= fear.total
    resolution.events.append(
        Check(by=being.id, what="tenacity", roll=held, rating=fear.total, success=stays, against=fear)
    )
    if not stays:
        befall(resolution, who, PANICKED, resolution.second + ROUT, "a grave wound")


def saved(resolution: Resolution, who: CreatureIx, victim: CreatureIx, kind: str) -> bool:
    """A save: the target's d20p, level and bonus against the caster's d20p and level; equal saves (B26)."""
    being = resolution.being(victim)
    bonus = being.saves[SAVES.index(kind)]
    if bonus is None:
        return True
    cast = resolution.roll(who, "spell", (Die(1, 20),), resolution.being(who).resolve)
    label = text("{kind} save", kind)
    kept = resolution.roll(victim, label, (Die(1, 20),), bonus + being.resolve)
    success = kept.total >= cast.total
    resolution.events.append(
        Check(by=being.id, what=label, roll=kept, rating=cast.total, success=success, against=cast)
    )
    return success


def stun(resolution: Resolution, who: CreatureIx, seconds: Seconds, because: str, rolls: tuple[Roll, ...] = ()) -> None:
    """Helpless for so long, as `rolls` may have decided: down, orders gone."""
    ends = max(resolution.figures[who].helpless, resolution.second + seconds)
    resolution.change(
        who, helpless=ends, prone=True, order=None, gait=Gait.NONE, carry=0, stance=Stance.NONE, held_by=-1,
        casting=None, task=None, nocked=("", 0),
    )  # fmt: skip
    HELPLESS.tell(resolution, who, text("{because}, {seconds} s", because, seconds), rolls)


def knock_back(resolution: Resolution, outcome: Outcome) -> None:
    """Five feet for every so much raw damage by size; ten or more feet and it lies down (countup.md §2.3)."""
    who, by = outcome.attack.target, outcome.attack.by
    being, figure = resolution.being(who), resolution.figures[who]
    steps = outcome.raw * (2 if outcome.attack.manner.charge else 1) // KNOCK[being.knock or being.size]
    if not figure.present or steps < 1:
        return
    thrown = resolution.roll(by, "direction", (Die(1, 12, False),))
    straight = bearing(resolution, by, who)
    hand = -1 if resolution.being(by).left_handed else 1  # mirrors it all
    first = CYCLE.index(TURNS[thrown.total])
    path = _way(resolution, who, [straight + hand * turn for turn in (*CYCLE[first:], *CYCLE[:first])], steps)
    if path:
        kept = replace(figure.order, path=()) if figure.order is not None else None
        resolution.change(who, cell=path[-1], moved=resolution.second, gait=Gait.NONE, carry=0, straight=0, order=kept)
        tell_moved(resolution, who, "knocked_back", (figure.cell, *path), (thrown,))
    else:
        resolution.note(who, "has nowhere to be knocked to", (thrown,))
    if path and not outcome.attack.manner.shot:
        step_after(resolution, by, figure.cell, *path[:-1])
    if steps >= 2:
        due = resolution.second + speed_of(resolution, who, resolution.weapon(who))
        busy = max(figure.busy, resolution.second + 2)
        resolution.change(who, prone=True, due=due, busy=busy, order=None, stance=Stance.NONE, until=0)
        PRONE.tell(resolution, who, "knocked back")


def tell_moved(
    resolution: Resolution, who: CreatureIx, mode: str, cells: Sequence[Cell], rolls: tuple[Roll, ...] = ()
) -> None:
    """The event of a movement, from the first of some spaces through the others."""
    start, *path = (resolution.space(cell) for cell in cells)
    resolution.events.append(Moved(by=resolution.being(who).id, mode=mode, start=start, path=tuple(path), rolls=rolls))


def step_after(resolution: Resolution, who: CreatureIx, *cells: Cell) -> None:
    """The attacker steps through the spaces left free, if he is set on it (countup.md §2.3, §2.6)."""
    figure = resolution.figures[who]
    if not figure.press or not figure.able(resolution.second) or figure.prone or figure.held_by >= 0:
        return
    went = _along(resolution, who, cells)
    if len(went) > 1:
        resolution.change(who, cell=went[-1], moved=resolution.second)
        tell_moved(resolution, who, "steps_after", went)


def _way(resolution: Resolution, who: CreatureIx, facings: Sequence[int], steps: int) -> list[Cell]:
    """The spaces gone: the first of some facings whose first space is free."""
    field, start = resolution.setup.field, resolution.figures[who].cell
    ways = (_along(resolution, who, ahead(field, start, facing, steps)) for facing in facings)
    return next((way[1:] for way in ways if len(way) > 1), [])


def _along(resolution: Resolution, who: CreatureIx, cells: Sequence[Cell]) -> list[Cell]:
    """Where somebody stands, and of some spaces those to which it may step in turn, until somebody stands there."""
    terrain, space, went = resolution.terrain, resolution.being(who).space, [resolution.figures[who].cell]
    for cell in cells:
        fault = step_fault(terrain, went[-1], cell, space)
        if fault is not None or resolution.taken(terrain.footprint(cell, space), who):
            break
        went.append(cell)
    return went


def fall(resolution: Resolution, who: CreatureIx, by: CreatureIx = NO_CREATURE) -> None:
    """Nought or less: out of the fight (B30)."""
    figure = resolution.figures[who]
    if figure.hp > 0 or figure.dead:
        return
    resolution.change(who, dead=True, prone=True, order=None, stance=Stance.NONE, casting=None, task=None)
    if by >= 0:
        resolution.change(by, felled=resolution.figures[by].felled + 1)
    for other, held in numbered(resolution.figures):
        if held.held_by == who:
            resolution.change(other, held_by=-1)
    DEAD.tell(resolution, who)


# -- ground ------------------------------------------------------------------------------------------------


def advances(state: Position, who: CreatureIx, start: Cell, goal: Cell) -> bool:
    """Whether a space is nearer to who holds somebody at bay than another."""
    holder = state.figures[who].held_by
    there, sizes = state.figures[holder].cell, state.setup.sizes(who, holder)
    return state.terrain.distance(goal, there, *sizes) < state.terrain.distance(start, there, *sizes)


def retreats(resolution: Resolution, who: CreatureIx, start: Cell) -> None:
    """Who is held at bay and has gone back from the point is held no more (countup.md §4)."""
    figure = resolution.figures[who]
    if figure.held_by >= 0 and advances(resolution, who, figure.cell, start):
        resolution.change(who, held_by=-1)
        HELD.tell(resolution, who, "goes back", gained=False)


def behind(resolution: Resolution, who: CreatureIx, by: CreatureIx) -> Cell | None:
    """The free space straight back from an attacker, or half to either side of it; None if there is none."""
    away = bearing(resolution, who, by) + 4
    went = _way(resolution, who, (away, away + 1, away - 1), 1)
    return went[0] if went else None


SCAMPER = 4
"""What jogging back costs the next attack (option)."""
DEPTH = 5
"""Free attacks earn free attacks so many times at most."""
CHARGED = Seconds(5)
"""Seconds for which a charge costs the defence of Dexterity."""


def strikes(resolution: Resolution) -> None:
    """First contact: foes held at bay, then what was set against a charge, then by descending reach, each able to stop
    the next; all other blows at once (countup.md §1, §2.6)."""
    first = [b for b in resolution.attacks if b.target in resolution.figures[b.by].fresh and not b.manner.free]
    rest = [b for b in resolution.attacks if b not in first]
    groups = [list(equals) for _, equals in groupby(sorted(first, key=_turn), _turn)]
    for group in (*groups, rest):
        together(resolution, [attack for attack in group if _still(resolution, attack)])
    resolution.attacks = ()


def _turn(attack: PreparedAttack) -> tuple[int, float]:
    """When a blow falls among those of first contact: the least first, equals at once."""
    return attack.manner.turn, 0.0 if attack.manner.twice else -attack.weapon.reach


def _still(resolution: Resolution, attack: PreparedAttack) -> bool:
    """Whether a blow can still fall after the faster ones: alive, able, not held, in one's own reach."""
    figure = resolution.figures[attack.by]
    free = figure.able(resolution.second) and figure.held_by < 0
    return free and in_reach(resolution, attack.by, attack.target, attack.weapon)


def together(resolution: Resolution, attacks: list[PreparedAttack]) -> None:
    """Blows that fall in one moment: all dice by the state before it, then all results."""
    if not attacks:
        return
    state = resolution.done()
    outcomes = [Strike(resolution, state, attack).outcome() for attack in attacks]
    for outcome in outcomes:
        _schedule(resolution, outcome)
    apply(resolution, outcomes)
    for outcome in outcomes:
        _aftermath_moves(resolution, outcome)


def _schedule(resolution: Resolution, outcome: Outcome) -> None:
    """When the attacker is next due, and what its manoeuvre leaves it with."""
    attack = outcome.attack
    resolution.free += tuple(b for b in outcome.earned if b.depth <= DEPTH)
    if outcome.later is not None and outcome.later.depth <= DEPTH:
        resolution.later += ((resolution.second + 1, outcome.later),)
    if attack.manner.free:
        return
    seconds = speed_of(resolution, attack.by, attack.weapon, attack.manner, attack.target)
    figure = resolution.figures[attack.by]
    due, turn = resolution.second + seconds, figure.turn + 1
    changes: dict[str, object] = {"due": due, **SPENT, "exposed": attack.manner.exposes, "turn": turn}
    if attack.manner.charge:
        ends = resolution.second + CHARGED
        changes |= {"effects": figure.laid(OFF_BALANCE.name, ends), "stance": Stance.NONE, "until": 0}
    if figure.order is not None:
        action = figure.order.action
        if action is not None and action.option == CHARGE.word:  # spent, or never come to
            action = replace(action, option=None)
        changes["order"] = replace(figure.order, action=action, awaits=0)
    if attack.manner.twice:
        changes |= {"set_since": -1, "stance": Stance.NONE, "until": 0}
    resolution.change(attack.by, **changes)


def _aftermath_moves(resolution: Resolution, outcome: Outcome) -> None:
    """Ground that was given; what the hit brings besides; foes that were stopped."""
    attack, target = outcome.attack, outcome.attack.target
    if attack.yielded and resolution.figures[target].able(resolution.second):
        _give_ground(resolution, target, attack.by)
    rider, hurt = attack.weapon.besides, outcome.hit and outcome.loss > 0 and resolution.figures[target].present
    # what a hit does besides, unless it is saved against: `physical: helpless 30` (countup.md §5.5)
    if rider is not None and hurt and not saved(resolution, attack.by, target, rider.save):
        if rider.effect == HELPLESS.name:
            stun(resolution, target, rider.seconds, attack.weapon.name)
        else:
            ends = resolution.second + rider.seconds
            befall(resolution, target, condition_of(rider.effect), ends, attack.weapon.name)
    foe = resolution.figures[target]
    if attack.manner.stops and outcome.hit and foe.present and not foe.helpless:
        resolution.change(target, held_by=attack.by, stance=Stance.NONE, until=0, order=None)
        HELD.tell(resolution, target)


def _give_ground(resolution: Resolution, who: CreatureIx, by: CreatureIx) -> None:
    """A step back from an attacker, or two, where there is room; he may step after."""
    figure = resolution.figures[who]
    way = [figure.cell]
    for _ in range(2 if figure.scampered else 1):
        cell = behind(resolution, who, by)
        if cell is None:
            break
        way.append(cell)
        resolution.change(who, cell=cell)
    if len(way) > 1:
        penalty = figure.penalty + (SCAMPER if figure.scampered else 1)
        resolution.change(who, moved=resolution.second, penalty=penalty, scampered=False)
        retreats(resolution, who, figure.cell)
        tell_moved(resolution, who, "gives_ground", way)
        step_after(resolution, by, figure.cell)


def react(resolution: Resolution) -> None:
    """Free attacks, first in first out; they may earn others and never change when one is due."""
    for _ in range(100):
        if not resolution.free:
            break
        attack, resolution.free = resolution.free[0], resolution.free[1:]
        if not attack.weapon.unarmed:  # a sequence has gone on meanwhile
            attack = replace(attack, weapon=resolution.free_weapon(attack.by))
        by, weapon = attack.by, attack.weapon
        if could_strike(resolution, by, weapon) and in_reach(resolution, by, attack.target, weapon):
            together(resolution, [attack])
    resolution.free = ()
