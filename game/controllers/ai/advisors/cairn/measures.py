"""What else is worth a thought beside moves and attacks, and what a power is worth to a planner."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from game.controllers.ai.advisors.cairn.feats import feats
from game.controllers.ai.advisors.cairn.prospect import value_of
from game.controllers.ai.advisors.planning import NOTHING, Magic, Measure, Mend, Pass, Promise, Rise, Seek
from game.controllers.ai.weights import CairnPowersWeights, load_weights
from rules.board.bitboard import cells_of
from rules.cairn.actions.aid import BREAK_FREE, HELPING
from rules.cairn.actions.context import Context
from rules.cairn.actions.legal import ACTION_KINDS
from rules.cairn.actions.spells import Cast, in_danger, landings, moving, seconds, source
from rules.cairn.conditions import DEAF, condition_named
from rules.cairn.gear import SPELLS, Gear, Power
from rules.cairn.magic.effects import untouched
from rules.cairn.magic.ground import area_cells, standing_at
from rules.cairn.saves import save_chance
from rules.cairn.state import Being, CairnState, Figure, fighting
from rules.contract.actions import Action, Decision


def weights() -> CairnPowersWeights:
    """The numbers of taste that count here."""
    return load_weights().cairn.powers


Harm = tuple[str, float, float, float]
"""(foe, mean damage, chance to drop it, chance to stun it)."""


def measures(state: CairnState, decision: Decision) -> Iterator[Measure]:
    """What else is worth a thought: legal intents with their purpose, in stable order."""
    who = state.setup.index.get(decision.by)
    if who is None or decision.kind != "chance":
        return
    context = Context(state, who)
    if context.figure.posture == "prone" and not context.plan.moved:
        for action in ACTION_KINDS["stand"].instances(context):
            yield Rise(action, 0)
    for action in ACTION_KINDS["bandage"].instances(context):
        yield Mend(action, 1)
    for action in ACTION_KINDS["help"].instances(context):
        friend = state.setup.index[action.target or ""]
        freed = weights().freed * value_of(state.setup.beings[friend], state.figures[friend])
        yield Mend(action, 1, float(HELPING.chance(context, friend)), value=freed)
    for action in ACTION_KINDS["break_free"].instances(context):
        yield Rise(action, 1, float(BREAK_FREE.chance(context)))
    for action in ACTION_KINDS["steady"].instances(context):
        yield Rise(action, 1, _save(context.figure.wil_now))
    yield from feats(state, context)
    for action in ACTION_KINDS["open"].instances(context):
        yield Pass(action, 1)
    for action in ACTION_KINDS["force"].instances(context):
        yield Pass(action, 1, _save(context.figure.str_now))
    for action in ACTION_KINDS["search"].instances(context):
        yield Seek(action, 1, anywhere=True)
    for do in ("cast", "use"):
        yield from _powers(state, context, do)


def _save(attribute: int) -> float:
    return min(19, max(1, attribute)) / 20


def _candidates(context: Context, do: str) -> Iterator[tuple[Action, tuple[Power, Gear | None]]]:
    """Legal uses worth weighing: powers aimed at the ground are tried on foes' spaces, calls beside oneself."""
    intent = ACTION_KINDS[do]
    assert isinstance(intent, Cast)
    if intent.why_not(context) is not None:
        return
    for name in intent.names(context):
        found = source(context, name)
        if found is None:
            continue
        for action in _aims(context, intent, found[0], name):
            if intent.refusal(context, action) is None:
                yield action, found


def _aims(context: Context, intent: Cast, power: Power, name: str) -> Iterator[Action]:
    if power.onto:
        yield from _second_aims(context, intent, power, name)
        return
    if power.needs != "space":
        yield from intent.candidates_of(context, power, name)
        return
    if any(effect.kind == "summon" for effect in power.effects):
        cells = cells_of(context.terrain.within(context.place, 2, context.being.space))
    else:
        foes = (i for i in context.others() if context.setup.beings[i].side != context.being.side)
        cells = [context.state.figures[i].cell for i in foes]
    for cell in cells:
        yield Action(context.being.id, intent.do, item=name, at=cell)


def _own_landings(context: Context, power: Power) -> list[int]:
    """Spaces worth jumping to oneself: those nearest to each foe, and those farthest from all of them."""
    w = weights()
    field, beings = context.terrain, context.setup.beings
    foes = [context.state.figures[i].cell for i in context.others() if beings[i].side != context.being.side]
    cells = cells_of(landings(context, power, context.who)) if foes else []
    found: list[int] = []
    for foe in foes:
        found += sorted(cells, key=lambda cell: (field.distance(cell, foe, context.being.space), cell))[: w.nearest]
    found += sorted(cells, key=lambda cell: (-min(field.distance(cell, foe) for foe in foes), cell))[: w.nearest]
    return list(dict.fromkeys(found))


def _second_aims(context: Context, intent: Cast, power: Power, name: str) -> Iterator[Action]:
    """Uses with a second aim worth weighing: foes put as far away as may be, set on whoever of theirs is nearest, or on
    a thing far from everybody; oneself put beside a foe, or far from all."""
    if power.needs == "none" and moving(power) is not None:
        for cell in _own_landings(context, power):
            yield Action(context.being.id, intent.do, item=name, at=cell)
    if power.needs != "creature":
        return
    field, beings = context.terrain, context.setup.beings
    mine = [context.place] + [
        context.state.figures[i].cell for i in context.others() if beings[i].side == context.being.side
    ]
    for who in context.others():
        cells = cells_of(seconds(context, power, who)) if beings[who].side != context.being.side else []
        if power.onto == "creature":
            cells = [c for c in cells if _of_side(context, c, beings[who].side)]
            near = context.state.figures[who].cell
            cells.sort(key=lambda c: (field.distance(c, near), c))
        else:
            cells.sort(key=lambda c: (-min(field.distance(c, m) for m in mine), c))
        for cell in cells[:1]:
            yield Action(context.being.id, intent.do, item=name, target=beings[who].id, at=cell)


def _of_side(context: Context, cell: int, side: str) -> bool:
    who = standing_at(context.state, cell)
    return who is not None and context.setup.beings[who].side == side


def _powers(state: CairnState, context: Context, do: str) -> Iterator[Measure]:
    """Spells and items, by what they do to each creature that they take in."""
    for action, found in _candidates(context, do):
        value, blows = _gains(state, context, found[0], action)
        chance = 1.0
        if found[1] is not None and found[1].kind in SPELLS and in_danger(state.setup, context.figure):
            chance = _save(context.figure.wil_now)
        jump = action.at if found[0].needs == "none" and moving(found[0]) is not None else None
        if value > 0.0 or blows or jump is not None:
            cost = price_of(found[1])
            harm = tuple((foe, mean * chance, drop * chance, stun * chance) for foe, mean, drop, stun in blows)
            goal = -1 if jump is None else jump
            yield Magic(action, 1, chance, value=chance * value - cost, cell=goal, blows=harm)


def price_of(item: Gear | None) -> float:
    """What working a power costs, in the units of `value`: Fatigue, or a thing used up."""
    w = weights()
    return w.fatigue if item is not None and item.kind == "book" else w.used_up


def _gains(
    state: CairnState, context: Context, power: Power, action: Action
) -> tuple[float, list[tuple[str, float, float, float]]]:
    """(what a power gains beside harm, in units of worth; its blows on foes)."""
    w = weights()
    target = context.find(action.target)
    goal = action.at if action.at is not None else context.place if target is None else state.figures[target].cell
    cells = area_cells(state.terrain, power, context.place, context.being.space, goal)
    value = 0.0
    blows: list[Harm] = []
    for i, figure in enumerate(state.figures):
        being = state.setup.beings[i]
        if not fighting(figure) or not _hit(context, power, i, action, target=target, cells=cells):
            continue
        friend = being.side == context.being.side
        if untouched(being, figure, power) or ("sound" in power.tags and figure.has(DEAF)):
            continue
        fails = 1.0
        if power.save and (not friend or power.needs == "creature"):
            fails = 1 - _save(getattr(figure, f"{power.save}_now"))
        for effect in power.effects:
            mean = (max((die + 1) / 2 for die in effect.dice) if effect.dice else 0.0) + effect.amount
            if effect.kind == "damage":
                if friend:
                    value -= fails * mean / w.whole
                else:
                    blows.append(
                        (
                            being.id,
                            fails * mean,
                            fails * min(w.surest, mean / max(1, figure.hp + figure.str_now)),
                            0.0,
                        )
                    )
            elif effect.kind == "heal":
                missing = getattr(figure, f"{effect.to}_max") - (
                    figure.hp if effect.to == "hp" else getattr(figure, f"{effect.to}_now")
                )
                value += (1 if friend else -1) * min(mean, missing) / w.whole
            elif effect.kind == "teleport" and not friend:
                value += fails * w.hindrance * w.away * value_of(being, figure)
            elif effect.kind == "condition":
                value += fails * condition_value(being, figure, effect.name, friend)
            elif effect.kind in w.underfoot and not any(e.kind == "condition" for e in power.effects):
                value += (-1.0 if friend else w.hindrance) * w.underfoot[effect.kind] * value_of(being, figure)
    value += sum(w.call for effect in power.effects if effect.kind == "summon")
    return value, blows


def condition_value(being: Being, figure: Figure, name: str, friend: bool) -> float:
    """What a condition counts, in the units of `value`: above 0 where one wishes it on that creature."""
    w = weights()
    if figure.has(condition_named(name)) or name in being.immune or (name == "prone" and figure.posture == "prone"):
        return 0.0
    weight = value_of(being, figure)
    if name == "prone" and friend:  # the foes' half comes next
        return -w.floored * weight
    if name in w.harmful:
        return (-1.0 if friend else w.hindrance) * w.harmful[name] * weight
    return (w.help if friend else -w.help) * w.helpful.get(name, 0.0) * weight


def _hit(context: Context, power: Power, who: int, action: Action, *, target: int | None, cells: int) -> bool:
    """Whether a power takes in somebody: its target, or whoever stands on the spaces that it covers."""
    state = context.state
    if power.area == "one":
        if power.needs == "none" or action.target == context.being.id:
            return who == context.who
        return who == target
    if power.foes_only and state.setup.beings[who].side == context.being.side:
        return False
    figure = state.figures[who]
    return who != context.who and bool(state.terrain.footprint(figure.cell, state.setup.beings[who].space) & cells)


def promise(state: CairnState, action: Action) -> Promise:
    """What a power gains beside harm to foes, the chance that it works counted in."""
    who = state.setup.index.get(action.by)
    if who is None or action.do not in ("cast", "use"):
        return NOTHING
    context = Context(state, who)
    found = source(context, action.item)
    if found is None:
        return NOTHING
    power, item = found
    works = Fraction(1)
    if item is not None and item.kind in SPELLS and in_danger(state.setup, context.figure):
        works = save_chance(context.figure.wil_now)
    return Promise(float(works) * _gains(state, context, power, action)[0])
