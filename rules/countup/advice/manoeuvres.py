"""What a planner weighs of manoeuvres: charges, weapons set, points that hold, guards, faces (countup.md §2.6)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rules.contract.actions import Action
from rules.contract.planning import PART, Measure
from rules.countup.actions.context import AHEAD, Look
from rules.countup.actions.movement import CHARGE, RUSHES, pace
from rules.countup.actions.orders import INTENTS
from rules.countup.combat.chances import blow_figures
from rules.countup.combat.contact import READY
from rules.countup.combat.melee import speed_of
from rules.countup.combat.reach import COMPASS, arc, direction, in_reach
from rules.countup.gear import Weapon
from rules.countup.state import (
    SPACE,
    Being,
    Blow,
    CountState,
    able,
    in_hand,
    present,
    sizes_of,
    surprised,
    weapon_of,
)

BEAT = 10
"""Seconds that a chance stands for: figures of attacks are counted over so many."""
BETTER = 1.1
"""By how much a manner must do more harm than the plain blow to be thought of."""
DRIVEN = 0.1
"""What it is worth to drive a foe back by a charge."""
CHARGES = 0.75
"""How likely somebody who comes running is to charge."""
HELD = 0.3
"""What holding a foe at bay is worth, in parts of felling it."""
BACK = 6
"""Defense that one who is struck from behind regains by turning."""
WEIGHED = ("jab", "aggressive", "defensive 2", "defensive 4")
"""Manners of a plain attack that are weighed: what lies between is worth what lies between."""
BOLD = 2
"""What an aggressive attack takes from the defence."""
PARRY = 5


def worth_of(being: Being) -> float:
    """What losing a creature means to its side: about 1 for an ordinary one."""
    return (being.hp_max + 2 * being.attack + 2 * being.reduction + being.defence) / 30.0


def harm(state: CountState, blow: Blow) -> tuple[float, float]:
    """(mean hit points, chance to drop) of one manner of fighting over a beat."""
    weapon = weapon_of(state.setup, blow.by, blow.weapon)
    _, mean, drop = blow_figures(state, blow, weapon)
    rate = BEAT / max(1, speed_of(state, blow.by, weapon, blow.kind, blow.target))
    return min(mean * rate, float(state.figures[blow.target].hp)), min(1.0, drop * rate)


def manoeuvres(look: Look) -> Iterator[Measure]:
    """Everything that may be done in another manner than plainly, in stable order."""
    yield from _manners(look)
    yield from _charges(look)
    yield from _rushes(look)
    yield from _holds(look)
    yield from _sets(look)
    yield from _parries(look)
    yield from _turns(look)


def _measure(look: Look, action: Action, figures: tuple[float, float], cover: float = 0, value: float = 0.0,
             cell: int = -1) -> Measure:  # fmt: skip
    blow = (action.target or "", *figures, 0.0)
    return Measure(action, 1, "magic", 1.0, value, cell=cell, blows=(blow,), cover=cover)


def _manners(look: Look) -> Iterator[Measure]:
    """Jabs and aggressive blows that do more than plain ones; defensive ones, for what they do and what they save."""
    state, who = look.state, look.who
    known: dict[int, tuple[float, float]] = {}
    threats: list[Threat] | None = None
    for action in INTENTS["attack"].instances(look):
        target, option = look.find(action.target), action.option
        if target is None or option not in WEIGHED or not _within(look, look.place, target):
            continue
        name = action.weapon or look.weapon
        if threats is None:
            threats = _threats(look, target)
        if target not in known:
            known[target] = harm(state, Blow(who, target, name))
        mine, plain = harm(state, Blow(who, target, name, option)), known[target]
        if option.startswith("defensive"):
            yield _measure(look, action, mine, cover=_guard(look, threats, int(option[-1])))
        elif mine[0] + 6 * mine[1] > BETTER * (plain[0] + 6 * plain[1]):
            cover = -_guard(look, threats, BOLD) if option == "aggressive" else 0.0
            yield _measure(look, action, mine, cover=cover)


class Threat(NamedTuple):
    """The blow of a foe that reaches one: what it does on average, and among how many he may choose."""

    blow: Blow
    weapon: Weapon
    mean: float
    choice: int


def _threats(look: Look, foe: int | None = None) -> list[Threat]:
    """The blows of all who reach one, else of him whom one is going to meet."""
    state, found = look.state, []
    for other in _strikers(look) or ([] if foe is None else [foe]):
        name = in_hand(look.setup, other, state.figures[other])
        weapon, blow = weapon_of(look.setup, other, name), Blow(other, look.who, name)
        mean = blow_figures(state, blow, weapon)[1]
        found.append(Threat(blow, weapon, mean, _choice(look, other, weapon)))
    return found


def _guard(look: Look, threats: list[Threat], points: int) -> float:
    """The part of all harm done to one that so many points of defence keep off, in the planner's points of Defense.

    Whoever reaches friends as well strikes any of them as likely.
    """
    before = sum(threat.mean for threat in threats)
    if before <= 0.0:
        return 0.0
    left = (blow_figures(look.state, t.blow, t.weapon, points)[1] for t in threats)
    kept = sum((t.mean - mean) / t.choice for t, mean in zip(threats, left, strict=True))
    return kept / before / PART


def _choice(look: Look, other: int, weapon: Weapon) -> int:
    """How many of one's side a foe may strike at as things stand, oneself among them."""
    beings, figures = look.setup.beings, look.state.figures
    friends = (i for i in look.others() if beings[i].side == look.being.side and not figures[i].helpless)
    return 1 + sum(1 for friend in friends if in_reach(look.state, other, friend, weapon))


# ----------------------------------------------------------------------------------------------- charges


def _charges(look: Look) -> Iterator[Measure]:
    """Momentum in hand, or a run ordered, and a foe at its end: the charge is better than the plain blow."""
    rushing = look.figure.stance == "charging" or (look.order.path and look.order.gait in ("run", "sprint"))
    if not rushing:
        return
    for action in INTENTS["attack"].instances(look):
        target = look.find(action.target)
        if action.option != "charge" or target is None or not _within(look, look.place, target):
            continue
        yield _measure(look, action, _charge(look, target), cover=-_dexterity(look), value=DRIVEN)


def _rushes(look: Look) -> Iterator[Measure]:
    """A run of 20 ft or more straight at a foe: the way first, the charge with it."""
    if look.order.path or look.order.action or look.engaged() or not pace(look.being, "run"):
        return
    if weapon_of(look.setup, look.who, look.weapon).ranged or look.being.sequence:
        return
    for target in look.others():
        foe = look.state.figures[target]
        if look.setup.beings[target].side == look.being.side or foe.stance == "set":
            continue
        path = _straight(look, target)
        if path and INTENTS["run"].refusal(look, Action(look.being.id, "run", path=path)) is None:
            action = Action(look.being.id, "run", path=path)
            blow = (look.setup.beings[target].id, *_charge(look, target), 0.0)
            yield Measure(
                action, 1, "magic", 1.0, DRIVEN, cell=path[-1], blows=(blow,), cover=-_dexterity(look)
            )


def _dexterity(look: Look) -> int:
    return max(0, look.being.dexterity_bonus)


def _charge(look: Look, target: int) -> tuple[float, float]:
    """A charge and the plain blows after it, over a beat."""
    state, who, name = look.state, look.who, look.weapon
    weapon = weapon_of(look.setup, who, name)
    rate = BEAT / max(1, speed_of(state, who, weapon, "attack", target))
    _, first, sure = blow_figures(state, Blow(who, target, name, "charge"), weapon)
    _, after, drop = blow_figures(state, Blow(who, target, name), weapon)
    return first + after * (rate - 1), min(1.0, sure + drop * (rate - 1))


def _within(look: Look, cell: int, target: int) -> bool:
    weapon = weapon_of(look.setup, look.who, look.weapon)
    there = look.state.figures[target].cell
    distance = look.terrain.distance(cell, there, *sizes_of(look.setup, look.who, target))
    return not weapon.ranged and 1 <= distance <= weapon.squares


def _straight(look: Look, target: int) -> tuple[int, ...]:
    """The way straight on, in any of eight directions, that ends where a foe comes into reach; empty if too short."""
    field, least = look.terrain.field, CHARGE // SPACE
    for dx, dy in COMPASS:
        x, y = field.at(look.figure.cell)
        path: list[int] = []
        for _ in range(AHEAD):
            x, y = x + dx, y + dy
            if not field.inside(x, y):
                break
            path.append(field.cell(x, y))
            if _within(look, path[-1], target):
                if len(path) >= least:
                    return tuple(path)
                break
    return ()


# ------------------------------------------------------------------------------------ points and guards


def _holds(look: Look) -> Iterator[Measure]:
    """A foe that has come to the point, but not past it: a jab holds him there."""
    state = look.state
    if any(figure.held_by == look.who for figure in state.figures):
        return
    for action in INTENTS["hold_at_bay"].instances(look):
        target = look.find(action.target)
        if action.option != "jab" or target is None or not _within(look, look.place, target):
            continue
        if state.figures[target].held_by < 0:
            # a foe that could not strike anyway is better struck than held
            if not able(state.figures[target], state.second):
                continue
            blow = Blow(look.who, target, action.weapon or look.weapon, "hold_at_bay jab")
            hit = blow_figures(state, blow, weapon_of(look.setup, look.who, blow.weapon))[0]
            value = HELD * hit * worth_of(look.setup.beings[target])
            yield _measure(look, action, harm(state, blow), value=value)


def _sets(look: Look) -> Iterator[Measure]:
    """A weapon set where somebody comes running who is still three seconds off."""
    state, weapon = look.state, weapon_of(look.setup, look.who, look.weapon)
    if not weapon.settable or look.engaged() or look.figure.stance == "set":
        return
    for target in look.others():
        if not _comes(look, target, weapon):
            continue
        _, mean, drop = blow_figures(state, Blow(look.who, target, look.weapon, "set"), weapon)
        foe = look.setup.beings[target]
        share = min(1.0, mean / max(1, state.figures[target].hp))
        value = CHARGES * worth_of(foe) * (share + drop + HELD)
        for action in INTENTS["set"].instances(look):
            yield Measure(action, 1, "magic", 1.0, value)
        return


def _comes(look: Look, other: int, weapon: Weapon) -> bool:
    """Whether a foe comes running straight at one and will not be there before the weapon is set."""
    foe, being = look.state.figures[other], look.setup.beings[other]
    if being.side == look.being.side or foe.gait not in RUSHES or foe.moved < look.state.second - 1:
        return False
    sizes = sizes_of(look.setup, other, look.who)
    towards = direction(look.terrain.field, foe.cell, look.figure.cell, sizes)
    apart = look.terrain.distance(foe.cell, look.figure.cell, *sizes)
    needed = READY * pace(being, "run") // SPACE + weapon.squares
    return foe.heading == towards and apart >= needed


def _strikers(look: Look) -> list[int]:
    """Foes that reach one and could strike."""
    state, found = look.state, []
    for other in look.others():
        foe = state.figures[other]
        if look.setup.beings[other].side == look.being.side or not able(foe, state.second):
            continue
        if in_reach(state, other, look.who, weapon_of(look.setup, other, in_hand(look.setup, other, foe))):
            found.append(other)
    return found


def _parries(look: Look) -> Iterator[Measure]:
    """A parry in the place of the blow that is due, where somebody could strike; also in a withdrawal."""
    for action in INTENTS["full_parry"].instances(look):
        if _strikers(look):
            yield Measure(action, 1, "guard", 1.0, _guard(look, _threats(look), PARRY), anywhere=True)


def _turns(look: Look) -> Iterator[Measure]:
    """Round to a foe in one's back, unless that gives the back to another."""
    facing = look.figure.facing if look.order.facing < 0 else look.order.facing
    behind = [other for other in _strikers(look) if _arc(look, facing, other) == "rear"]
    if look.order.path or look.figure.prone or not behind:
        return
    best = min(range(8), key=lambda way: (*_backs(look, way), min(way - facing & 7, facing - way & 7), way))
    if _backs(look, best)[0] < len(behind):
        for action in INTENTS["turn"].instances(look):
            if action.option == str(best):
                yield Measure(action, 0, "guard", 1.0, BACK)


def _backs(look: Look, facing: int) -> tuple[int, int]:
    """(how many foes one has in one's back, how many not in front) when facing some way."""
    arcs = [_arc(look, facing, other) for other in _strikers(look)]
    return arcs.count("rear"), len(arcs) - arcs.count("front")


def _arc(look: Look, facing: int, other: int) -> str:
    sizes = sizes_of(look.setup, look.who, other)
    return arc(look.terrain.field, look.figure.cell, facing, look.state.figures[other].cell, sizes)


# ----------------------------------------------------------------------------------------------- answers


def _value(state: CountState, blow: Blow, guarded: int) -> float:
    """What a blow costs its target's side."""
    weapon = weapon_of(state.setup, blow.by, blow.weapon)
    _, mean, drop = blow_figures(state, blow, weapon, guarded)
    health = max(1, state.figures[blow.target].hp)
    return (min(1.0, mean / health) + drop) * worth_of(state.setup.beings[blow.target])


def ground(state: CountState, blow: Blow, guarded: int, cost: int) -> tuple[float, float]:
    """(what giving ground against a blow costs him who is struck at beside it, below 0; what the blow costs him).

    Ground given costs a part of the next attack, and contact; it is no loss to who reaches farther than the foe.
    """
    lost = _value(state, blow, guarded)
    if not cost:
        return -0.001, lost
    setup, who = state.setup, blow.target
    name = in_hand(setup, who, state.figures[who])
    mine, theirs = weapon_of(setup, who, name), weapon_of(setup, blow.by, blow.weapon)
    if surprised(state.figures[who], state.second) or not present(state.figures[blow.by]):
        return 0.0, lost
    answer = _value(state, Blow(who, blow.by, name), 0) if not mine.ranged else 0.0
    soon = state.figures[who].due <= state.second + 2
    price = answer * (0.05 * cost + (0.15 if soon and mine.reach <= theirs.reach else 0.0))
    return -price - 0.01, lost


def free_blow(state: CountState, blow: Blow) -> float:
    """What a free blow at who flees is worth."""
    return _value(state, blow, 0)


SOON = 4
"""Seconds within which a foe must be able to come for one to wait for it: one thinks again only after ten."""
EAGER = 0.05
"""What being set to step after foes is worth: it costs nothing."""


def on_guard(look: Look) -> Action:
    """To do nothing else: to wait for the foe who may be there soonest, and strike on contact; else a second's rest."""
    end = Action(look.being.id, "end")
    weapon = weapon_of(look.setup, look.who, look.weapon)
    if weapon.ranged or look.begun() or look.engaged() or look.figure.due > look.state.second + SOON:
        return end
    foes = [foe for foe in look.others() if _comes_soon(look, foe)]
    if not foes:
        return end
    foe = look.setup.beings[min(foes, key=lambda other: (_spaces(look, other), other))].id
    for do, option in (("hold_at_bay", "jab"), ("attack", None)):
        wait = Action(look.being.id, do, target=foe, weapon=look.weapon, option=option)
        if INTENTS[do].refusal(look, wait) is None:
            return wait
    return end


def _spaces(look: Look, other: int) -> int:
    there = look.state.figures[other].cell
    return look.terrain.distance(look.figure.cell, there, *sizes_of(look.setup, look.who, other))


def _comes_soon(look: Look, other: int) -> bool:
    """Whether a foe is on its way, free to come, and may be there before one would think again."""
    being, figure = look.setup.beings[other], look.state.figures[other]
    if being.side == look.being.side or not able(figure, look.state.second) or figure.contacts:
        return False
    if figure.moved < look.state.second - 1 or figure.held_by >= 0:
        return False
    weapon = weapon_of(look.setup, other, in_hand(look.setup, other, figure))
    mine = weapon_of(look.setup, look.who, look.weapon)
    stride = max(pace(being, "jog"), pace(being, "run"))
    gap = _spaces(look, other) - max(weapon.squares, mine.squares)
    return not weapon.ranged and 0 <= gap * SPACE <= SOON * stride


def pressing(look: Look) -> Iterator[Measure]:
    """Who fights hand to hand steps after foes that give ground or are knocked back; who reaches farther keeps off."""
    mine = weapon_of(look.setup, look.who, look.weapon)
    if mine.ranged or not look.figure.contacts:
        return
    figures = look.state.figures
    theirs = (
        weapon_of(look.setup, i, in_hand(look.setup, i, figures[i])).reach for i in look.figure.contacts
    )
    wanted = mine.reach <= max(theirs)
    if wanted != look.figure.press:
        action = Action(look.being.id, "policy", option="press" if wanted else "keep")
        yield Measure(action, 0, "guard", 1.0, EAGER, aside=True)
