"""What a planner asks in bulk: who is there, where one may go, whence one may strike, where one may be struck.

A plan's parts cost like this: the move nothing, the action (a dash included) one point. Who has planned a move counts
as standing where it leads.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from rules.actions import Action, Decision
from rules.cairn.attack import Blow, blast_cells, open_blow, prepare, reach_of, weapon_of, wielded
from rules.cairn.chances import blow_chances
from rules.cairn.gear import UNARMED, Gear
from rules.cairn.ground import HAZARDS, cells_of_kind, sight_between
from rules.cairn.injury import armor_of
from rules.cairn.legal import INTENTS
from rules.cairn.magic import Cast, area_cells, source
from rules.cairn.plans import Look
from rules.cairn.powers import Power
from rules.cairn.state import Being, CairnState, Figure, able, defenceless, fighting, present, shown_hp
from rules.grid import cells_of
from rules.path import reach
from rules.ruleset import Measure, Menace, Outlook, Piece, Strike, Swing, Target, Vantage, Way
from rules.sight import Grade, visible
from rules.sightfan import view

Harm = tuple[str, float, float, float]
"""(foe, mean damage, chance to drop it, chance to stun it)."""
SHOOTER = 4
"""Who strikes farther than so many spaces strikes from afar."""
PLACES = 3
"""Spaces that stand for all those that a shooter may go to."""
HINDRANCE = 0.5
"""What a hindered foe counts beside a fallen one."""
HELP = 0.25
"""What a helpful condition on a friend counts beside a friend."""


def pieces(state: CairnState) -> tuple[Piece, ...]:
    """Everybody on the board, in the order of the record."""
    found = []
    for i, figure in enumerate(state.figures):
        if figure.cell < 0 or figure.fled:
            continue
        being = state.setup.beings[i]
        health = shown_hp(state.setup, being, figure) + figure.str_now
        out = figure.dead or not fighting(figure)
        plan = state.plans[i]
        left = 0 if plan is not None and plan.action is not None else 1
        found.append(
            Piece(being.id, being.side, Look(state, i).place, being.space, max(0, health),
                  max(1, figure.hp_max + figure.str_max), left, out, figure.dead, figure.critical and not figure.stable,
                  able(figure) and figure.posture == "standing", worth_of(being, figure))
        )  # fmt: skip
    return tuple(found)


def worth_of(being: Being, figure: Figure) -> float:
    """What losing a creature means to its side: about 1 for an ordinary one."""
    die = max((max(attack.dice) for attack in being.attacks), default=6)
    return (figure.hp_max + figure.str_max / 2 + 2 * being.armor + die / 2) / 13.0


def outlook(state: CairnState, who: int) -> Outlook:
    """What a creature may still plan."""
    look = Look(state, who)
    acts = look.action_open() is None
    end = Action(look.being.id, "end")
    return Outlook(state.round, 1 if acts else 0, acts, _ways(look, acts), end)


def _shunned(look: Look) -> int:
    """Spaces that a planner goes round: changed ground that does something to who enters."""
    zones = look.state.zones
    return cells_of_kind(zones, *HAZARDS) if zones else 0


def _ways(look: Look, acts: bool) -> tuple[Way, ...]:
    ways, shun = [], _shunned(look)
    moved = look.plan.moved
    budget = look.budget - look.standing_cost()
    if not moved and budget > 0 and (look.plan.action is None):
        first = look.ways(look.figure.cell, budget, shun)
        if first.cells:
            ways.append(Way(("move",), 0, 0, first.cells, budget))
        if acts:
            far = look.ways(look.figure.cell, 2 * budget, shun).cells & ~first.cells
            if far:
                ways.append(Way(("move", "dash"), 1, 0, far, budget))
    elif moved and acts and look.budget > 0:
        found = look.ways(look.place, look.budget, shun)
        if found.cells:
            ways.append(Way(("dash",), 1, 0, found.cells, look.budget))
    return tuple(ways)


def route(state: CairnState, who: int, way: Way, cell: int) -> tuple[Action, ...]:
    """The movements of a way that end on a space, in order; empty where they don't fit together."""
    look = Look(state, who)
    name, budget = look.being.id, int(way.trace) if isinstance(way.trace, int) else 0
    if way.do != ("move", "dash"):
        start = look.place if way.do == ("dash",) else look.figure.cell
        return (Action(name, way.do[0], path=look.ways(start, budget, _shunned(look)).route(cell)),)
    whole = look.ways(look.figure.cell, 2 * budget, _shunned(look)).route(cell)
    near = look.ways(look.figure.cell, budget, _shunned(look))
    split = 0
    for i, there in enumerate(whole):
        if near.cells >> there & 1:
            split = i + 1
    if not split:
        return ()
    first, rest = whole[:split], whole[split:]
    costs = sum(2 if look.terrain.steps(look.being.space).difficult >> c & 1 else 1 for c in rest)
    if not rest or costs > budget:
        return ()
    return (Action(name, "move", path=first), Action(name, "dash", path=rest))


# --------------------------------------------------------------------------------------------- striking


def _swing(state: CairnState, by: int, target: int, name: str, start: int, goal: int) -> Swing | None:
    blow = prepare(state, by, target, weapon_of(state.setup, by, name), start, goal)
    return None if blow is None else _swing_of(state, blow)


def _swing_of(state: CairnState, blow: Blow) -> Swing:
    weapon, target = blow.weapon, blow.target
    being, figure = state.setup.beings[target], state.figures[target]
    armor = armor_of(state.setup, being, figure)
    counted = shown_hp(state.setup, being, figure)
    unaware = being.alert == "unaware" and state.round == 1
    key = (blow.dice, weapon.ignores_armor, weapon.direct or unaware or defenceless(figure), blow.immune, armor,
           counted, figure.str_now, being.pc, being.unstoppable or figure.heads > 1)  # fmt: skip
    hit, mean, drop = _known.get(key) or _work_out(state, key, blow)
    return Swing("attack", weapon.name, 1, hit, mean, drop, 0.0, 0)


_known: dict[object, tuple[float, float, float]] = {}


def _work_out(state: CairnState, key: object, blow: Blow) -> tuple[float, float, float]:
    outcomes, damages = blow_chances(state, [blow])
    mean = float(sum(value * chance for value, chance in damages.items()))
    drop = float(outcomes.get("killed", 0) + outcomes.get("critical", 0))
    if len(_known) > 1 << 14:
        _known.clear()
    found = _known[key] = (float(1 - damages.get(0, 0)), mean, drop)
    return found


def _value(swing: Swing) -> float:
    return swing.mean + 6 * swing.drop


def best_swing(state: CairnState, by: int, target: int) -> Swing | None:
    """The best attack in clear sight, from wherever that is made best."""
    best: Swing | None = None
    for name in wielded(state.setup, by, state.figures[by]):
        swing = _swing_of(state, open_blow(state, by, target, weapon_of(state.setup, by, name)))
        if best is None or _value(swing) > _value(best):
            best = swing
    return best


def targets(state: CairnState, by: int, cells: int) -> tuple[Target, ...]:
    """Whom a creature could attack at all, and from which of `cells` how, as if fresh."""
    setup, side = state.setup, state.setup.beings[by].side
    look = Look(state, by)
    found: list[Target] = []
    if look.hands_tied() is not None:
        return ()
    for target, figure in enumerate(state.figures):
        foe = setup.beings[target]
        if foe.side == side or not fighting(figure) or figure.has("invisible") or look.befriended(target):
            continue
        best = best_swing(state, by, target) or Swing("attack", None, 1, 0.0, 0.0, 0.0, 0.0, 0)
        spans = reach_of(setup, by, state.figures[by])
        far = any(limit > SHOOTER for _, limit in spans)
        found.append(Target(foe.id, best, far, _vantages(state, by, target, cells)))
    return tuple(found)


def _vantages(state: CairnState, by: int, target: int, cells: int) -> tuple[Vantage, ...]:
    """Spaces grouped by what can be done from them: alike in sight and in the weapons that reach."""
    setup, goal = state.setup, state.figures[target].cell
    names = wielded(setup, by, state.figures[by])
    groups: dict[tuple[Swing, ...], int] = {}
    for board in _alike(state, by, target, cells):
        first = (board & -board).bit_length() - 1
        made = [_swing(state, by, target, name, first, goal) for name in names]
        swings = sorted((s for s in made if s is not None), key=lambda s: -_value(s))
        for part, fit in _sparing(state, by, goal, swings, board):
            if fit:
                groups[fit] = groups.get(fit, 0) | part
    return tuple(Vantage(board, swings) for swings, board in groups.items())


def _sparing(
    state: CairnState, by: int, goal: int, swings: list[Swing], board: int
) -> Iterator[tuple[int, tuple[Swing, ...]]]:
    """The best two attacks from some spaces; space by space where one of them might take in friends."""
    if not any(weapon_of(state.setup, by, swing.weapon or UNARMED.name).blast for swing in swings):
        yield board, tuple(swings[:2])
        return
    for cell in cells_of(board):
        yield 1 << cell, tuple(s for s in swings if not _burns_friends(state, by, s.weapon, cell, goal))[:2]


def _alike(state: CairnState, by: int, target: int, cells: int) -> Iterator[int]:
    """The spaces of `cells` from which a target is seen, parted by cover and by the ranges of what one wields."""
    setup, terrain = state.setup, state.terrain
    own, other = setup.beings[by].space, setup.beings[target].space
    goal, figure = state.figures[target].cell, state.figures[by]
    clear = some = 0
    for cell in terrain.space(goal, other):
        seen = view(terrain, cell)
        clear |= seen.clear
        some |= seen.minimal
    clear, some = terrain.touching(clear, own), terrain.touching(some, own)
    near = terrain.touching(terrain.within(goal, 1, other), own)
    if cells_of_kind(state.zones, "fog", "thicket"):
        sizes = (own, other)
        some |= sum(1 << c for c in cells_of(near) if sight_between(state, c, goal, *sizes) is not Grade.NONE)
    limits = {1}
    for name in wielded(setup, by, figure):
        weapon = weapon_of(setup, by, name)
        more = 1 if figure.has("elastic") and weapon.reach else 0
        limits |= {weapon.reach + more, weapon.near, weapon.far}
    inside = 0
    for limit in sorted(limits - {0}):
        within = terrain.touching(terrain.within(goal, limit, other), own) & cells
        ring, inside = within & ~inside, within
        for board in (ring & clear, ring & some & ~clear):
            if board:
                yield board


def _burns_friends(state: CairnState, by: int, name: str | None, start: int, goal: int) -> bool:
    """Whether an area attack takes in as many friends as foes."""
    weapon = weapon_of(state.setup, by, name or UNARMED.name)
    if not weapon.blast:
        return False
    side = state.setup.beings[by].side
    cells = blast_cells(state.terrain, weapon, start, state.setup.beings[by].space, goal)
    friends = foes = 0
    for i, figure in enumerate(state.figures):
        being = state.setup.beings[i]
        if i != by and fighting(figure) and state.terrain.footprint(figure.cell, being.space) & cells:
            friends += being.side == side
            foes += being.side != side
    return friends > 0 and friends >= foes


def strike(state: CairnState, by: int, target: int, start: int, goal: int) -> Strike | None:
    """The best attack of `by` standing at `start` on `target` standing at `goal`, or None."""
    if start < 0 or goal < 0 or state.figures[target].dead:
        return None
    best: Swing | None = None
    for name in wielded(state.setup, by, state.figures[by]):
        swing = _swing(state, by, target, name, start, goal)
        if swing is None or _burns_friends(state, by, name, start, goal):
            continue
        if best is None or _value(swing) > _value(best):
            best = swing
    if best is None:
        return None
    action = Action(
        state.setup.beings[by].id, "attack", target=state.setup.beings[target].id, weapon=best.weapon
    )
    return Strike(best.hit, best.mean, best.drop, 1, action)


def reaches(state: CairnState, who: int, start: int) -> int:
    """Bitboard of cells that a creature standing at `start` can strike with what it has."""
    terrain, space = state.terrain, state.setup.beings[who].space
    out = 0
    for near, far in reach_of(state.setup, who, state.figures[who]):
        out |= terrain.within(start, far, space) & ~terrain.within(start, near - 1, space)
    return out & visible(terrain, start, space)


def spots(state: CairnState, who: int) -> dict[int, int]:
    """Cells where a creature could end its movement in one fresh half -> 0 for a move, 1 for a dash."""
    figure = state.figures[who]
    if not present(figure):
        return {}
    out = {figure.cell: 0}
    if not able(figure):
        return out
    look = Look(state, who)
    budget = look.budget - look.standing_cost()
    near = look.ways(figure.cell, budget).cells
    far = look.ways(figure.cell, 2 * budget).cells & ~near
    out.update(dict.fromkeys(cells_of(near), 0))
    out.update(dict.fromkeys(cells_of(far), 1))
    return out


# ----------------------------------------------------------------------------------------------- menace


def menaces(state: CairnState, target: int) -> tuple[Menace, ...]:
    """Who could strike a creature, and where: walls count, creatures in the way don't."""
    setup = state.setup
    found = []
    for by, figure in enumerate(state.figures):
        if setup.beings[by].side == setup.beings[target].side or not fighting(figure):
            continue
        swing = best_swing(state, by, target)
        if swing is None:
            continue
        look = Look(state, by)
        spans = reach_of(setup, by, figure)
        limit = max((far for _, far in spans), default=1)
        still = not able(figure) or figure.has("restrained")
        struck = _struck(state, by, 0 if still else look.budget, limit)
        now = struck if able(figure) else 0
        found.append(Menace(setup.beings[by].id, now, 1.0, now, struck, swing, limit > SHOOTER))
    return tuple(found)


def _struck(state: CairnState, by: int, budget: int, limit: int) -> int:
    terrain, size, cell = state.terrain, state.setup.beings[by].space, state.figures[by].cell
    return _struck_from(terrain, cell, size, budget, min(limit, SHOOTER + 1))


@lru_cache(maxsize=4096)
def _struck_from(terrain: object, cell: int, size: int, budget: int, limit: int) -> int:
    from rules.grid import Terrain

    assert isinstance(terrain, Terrain)
    stand = cells_of(1 << cell | (reach(terrain, cell, budget, size=size).cells if budget else 0))
    if limit > SHOOTER:
        places = stand[:: max(1, len(stand) // PLACES)]
        board = visible(terrain, cell, size)
        for place in places:
            board |= visible(terrain, place, size)
        return board
    board = 0
    for place in stand:
        board |= terrain.within(place, limit, size)
    return board


# --------------------------------------------------------------------------------------------- measures


def measures(state: CairnState, decision: Decision) -> Iterator[Measure]:
    """What else is worth a thought: legal intents with their purpose, in stable order."""
    who = state.setup.index.get(decision.by)
    if who is None or decision.kind != "chance":
        return
    look = Look(state, who)
    if look.figure.posture == "prone" and not look.plan.moved:
        for action in INTENTS["stand"].instances(look):
            yield Measure(action, 0, "rise", 1.0)
    for action in INTENTS["bandage"].instances(look):
        yield Measure(action, 1, "mend", 1.0)
    for action in INTENTS["break_free"].instances(look):
        yield Measure(action, 1, "rise", _save(max(look.figure.str_now, look.figure.dex_now)))
    for action in INTENTS["steady"].instances(look):
        yield Measure(action, 1, "rise", _save(look.figure.wil_now))
    for action in INTENTS["open"].instances(look):
        yield Measure(action, 1, "pass", 1.0)
    for do in ("cast", "use"):
        yield from _powers(state, look, do)


def _save(attribute: int) -> float:
    return min(19, max(1, attribute)) / 20


def _candidates(look: Look, do: str) -> Iterator[tuple[Action, tuple[Power, Gear | None]]]:
    """Legal uses worth weighing: powers aimed at the ground are tried on foes' spaces, calls beside oneself."""
    intent = INTENTS[do]
    assert isinstance(intent, Cast)
    if intent.hindrance(look) is not None:
        return
    for name in intent.names(look):
        found = source(look, name)
        if found is None:
            continue
        for action in _aims(look, intent, found[0], name):
            if intent.refusal(look, action) is None:
                yield action, found


def _aims(look: Look, intent: Cast, power: Power, name: str) -> Iterator[Action]:
    if power.needs != "space":
        yield from intent.aims(look, power, name)
        return
    if any(effect.kind == "summon" for effect in power.effects):
        cells = cells_of(look.terrain.within(look.place, 2, look.being.space))
    else:
        foes = (i for i in look.others() if look.setup.beings[i].side != look.being.side)
        cells = [look.state.figures[i].cell for i in foes]
    for cell in cells:
        yield Action(look.being.id, intent.do, item=name, at=cell)


def _powers(state: CairnState, look: Look, do: str) -> Iterator[Measure]:
    """Spells and items, by what they do to each creature that they take in."""
    for action, found in _candidates(look, do):
        value, blows = _worth(state, look, found[0], action)
        chance = 1.0
        book = found[1] is not None and found[1].kind == "book"
        if book and state.setup.cast_saves:
            chance = _save(look.figure.wil_now)
        if value > 0.0 or blows:
            cost = 0.1 if book else 0.05
            yield Measure(
                action, 1, "magic", chance, chance * value - cost,
                blows=tuple((foe, mean * chance, drop * chance, stun * chance) for foe, mean, drop, stun in blows),
            )  # fmt: skip


def _worth(
    state: CairnState, look: Look, power: Power, action: Action
) -> tuple[float, list[tuple[str, float, float, float]]]:
    """(what a power gains beside harm, in units of worth; its blows on foes)."""
    target = look.find(action.target)
    goal = (
        action.at if action.at is not None else look.place if target is None else state.figures[target].cell
    )
    cells = area_cells(state.terrain, power, look.place, look.being.space, goal)
    value = 0.0
    blows: list[Harm] = []
    for i, figure in enumerate(state.figures):
        being = state.setup.beings[i]
        if not fighting(figure) or not _hit(state, look, power, i, target, cells, action):
            continue
        friend = being.side == look.being.side
        if being.immune & power.tags or ("sound" in power.tags and figure.has("deaf")):
            continue
        fails = 1.0
        if power.save and (not friend or power.needs == "creature"):
            fails = 1 - _save(getattr(figure, f"{power.save}_now"))
        for effect in power.effects:
            mean = (max((die + 1) / 2 for die in effect.dice) if effect.dice else 0.0) + effect.amount
            if effect.kind == "damage":
                if friend:
                    value -= fails * mean / 8
                else:
                    blows.append(
                        (
                            being.id,
                            fails * mean,
                            fails * min(0.9, mean / max(1, figure.hp + figure.str_now)),
                            0.0,
                        )
                    )
            elif effect.kind == "heal":
                missing = getattr(figure, f"{effect.to}_max") - (
                    figure.hp if effect.to == "hp" else getattr(figure, f"{effect.to}_now")
                )
                value += (1 if friend else -1) * min(mean, missing) / 8
            elif effect.kind == "condition":
                value += fails * _condition_worth(being, figure, effect.name, friend)
            elif effect.kind in _UNDERFOOT and not any(e.kind == "condition" for e in power.effects):
                value += (-1.0 if friend else HINDRANCE) * _UNDERFOOT[effect.kind] * worth_of(being, figure)
    value += sum(CALL for effect in power.effects if effect.kind == "summon")
    return value, blows


CALL = 0.5
"""What a called creature counts beside one of flesh and blood."""
_UNDERFOOT = {"slick": 0.3, "wall": 0.2}
"""What changed ground counts to who stands on it or is cut off by it."""
_HARMFUL = {
    "asleep": 0.9, "paralysed": 0.9, "unconscious": 1.0, "petrified": 1.0, "restrained": 0.6, "charmed": 0.8,
    "commanded": 0.4, "frightened": 0.6, "frenzied": 0.7, "pacified": 0.7, "slowed": 0.3, "blind": 0.5, "winded": 0.4,
    "prone": 0.4, "stuck": 0.5, "turning to stone": 0.8, "silenced": 0.1, "drained": 0.5, "deprived": 0.1, "deaf": 0.0,
}  # fmt: skip
_HELPFUL = {
    "shielded": 1.0, "mirrored": 0.5, "displaced": 0.5, "hasted": 0.3, "invisible": 0.6, "glowing": 0.0, "smoke": 0.2,
    "elastic": 0.1, "swarm": 0.7, "true sight": 0.0,
}  # fmt: skip


def _condition_worth(being: Being, figure: Figure, name: str, friend: bool) -> float:
    if figure.has(name) or name in being.immune or (name == "prone" and figure.posture == "prone"):
        return 0.0
    weight = worth_of(being, figure)
    if name in _HARMFUL:
        return (-1.0 if friend else HINDRANCE) * _HARMFUL[name] * weight
    return (HELP if friend else -HELP) * _HELPFUL.get(name, 0.0) * weight


def _hit(
    state: CairnState, look: Look, power: Power, who: int, target: int | None, cells: int, action: Action
) -> bool:
    if power.area == "one":
        if power.needs == "none" or action.target == look.being.id:
            return who == look.who
        return who == target
    if power.foes_only and state.setup.beings[who].side == look.being.side:
        return False
    figure = state.figures[who]
    return who != look.who and bool(
        state.terrain.footprint(figure.cell, state.setup.beings[who].space) & cells
    )


def boon_of(state: CairnState, look: Look, power: Power, action: Action) -> float:
    """What a power gains beside harm to foes, in units of worth, once it works."""
    return _worth(state, look, power, action)[0]
