"""A side resolves: moves, risk saves, pooled attacks, the rest, late moves (cairn.md §1 PARTY_RESOLVE, A2)."""

from __future__ import annotations

import msgspec

from rules.actions import Action
from rules.cairn.attack import in_range, prepare, strike_all, weapon_of
from rules.cairn.injury import leave, stabilise
from rules.cairn.magic import cast, crossed
from rules.cairn.saves import afflict, relieve, save
from rules.cairn.state import Lying, Plan, Work, able, present
from rules.events import Door, Item, Moved, Note, Posture
from rules.path import step_fault

RISKS = ("manoeuvre", "break_free", "steady", "retreat", "open", "close", "pick_up", "bandage")
"""Actions that come before attacks, in their declared order."""


def resolve(work: Work) -> None:
    """Carry out the plans of the side whose half it is, in the order in which they were declared."""
    plans = [(who, work.plans[who]) for who in work.declared]
    for who, plan in plans:
        if plan is not None and not plan.action_first:
            _go(work, who, plan)
    _spring(work)
    for who, plan in plans:
        if (
            plan is not None
            and plan.action is not None
            and plan.action.do in RISKS
            and able(work.figures[who])
        ):
            _RISKS[plan.action.do](work, who, plan.action)
    actions = [(who, plan.action) for who, plan in plans if plan is not None and plan.action is not None]
    strike_all(work, [(who, action) for who, action in actions if action.do == "attack"])
    for who, plan in plans:
        if plan is not None and plan.action is not None and able(work.figures[who]):
            if plan.action.do in ("cast", "use"):
                cast(work, who, plan.action)
            elif plan.action.do == "ready":
                work.readied = (*work.readied, (who, plan.action))
    for who, plan in plans:
        if plan is not None and plan.action_first and able(work.figures[who]):
            _go(work, who, plan)
    work.plans = [None] * len(work.figures)
    work.declared = []


def _go(work: Work, who: int, plan: Plan) -> None:
    """The move, and the second one that takes the action."""
    if plan.stand:
        _rise(work, who)
    if plan.path:
        walk(work, who, plan.path, "move")
    if plan.action is not None and plan.action.do == "dash" and present(work.figures[who]):
        walk(work, who, plan.action.path, "dash")


def _rise(work: Work, who: int) -> None:
    figure = work.figures[who]
    if figure.posture == "prone" and not figure.critical:
        work.change(who, posture="standing")
        work.events.append(Posture(by=work.being(who).id, posture="standing"))


def walk(work: Work, who: int, path: tuple[int, ...], mode: str) -> None:
    """Along a path as far as it is free: plans were made before anybody moved."""
    being, figure = work.being(who), work.figures[who]
    if not present(figure) or figure.cell < 0 or not path:
        return
    if figure.posture == "prone" and not figure.critical:
        _rise(work, who)
    went: list[int] = []
    cell = figure.cell
    for there in path:
        if step_fault(work.terrain, cell, there, being.space) is not None or _foe_on(work, who, there):
            break
        went.append(there)
        cell = there
        if crossed(work, who, there):
            break
    while went and _taken(work, who, went[-1]):
        went.pop()
    if not went or not present(work.figures[who]):
        return
    start = work.space(figure.cell)
    work.change(who, cell=went[-1])
    cells = tuple(work.space(c) for c in went)
    work.events.append(Moved(by=being.id, mode=mode, start=start, path=cells, cost=len(cells)))


def _on(work: Work, who: int, cell: int) -> list[int]:
    cells = work.terrain.footprint(cell, work.being(who).space)
    return [
        i
        for i, f in enumerate(work.figures)
        if i != who and present(f) and work.terrain.footprint(f.cell, work.being(i).space) & cells
    ]


def _foe_on(work: Work, who: int, cell: int) -> bool:
    side = work.being(who).side
    return any(work.being(i).side != side and not work.figures[i].critical for i in _on(work, who, cell))


def _taken(work: Work, who: int, cell: int) -> bool:
    return bool(_on(work, who, cell))


def _spring(work: Work) -> None:
    """Attacks held ready meet whoever has come within reach, before that side strikes (cairn.md §2.12)."""
    side = work.setup.sides[work.half]
    kept, sprung = [], []
    for who, action in work.readied:
        if work.being(who).side == side or not able(work.figures[who]):
            kept.append((who, action))
            continue
        target = _first_in_reach(work, who, action)
        if target is None:
            kept.append((who, action))
        else:
            sprung.append((who, msgspec.structs.replace(action, do="attack", target=work.being(target).id)))
    work.readied = tuple(kept)
    if sprung:
        strike_all(work, sprung)


def _first_in_reach(work: Work, who: int, action: Action) -> int | None:
    """The first foe, in the order in which they declared, that moved into reach."""
    state = work.done()
    weapon = weapon_of(work.setup, who, action.weapon or "")
    moved = [e.by for e in work.events if isinstance(e, Moved)]
    for name in dict.fromkeys(moved):
        foe = work.setup.index[name]
        if work.being(foe).side == work.being(who).side or not present(work.figures[foe]):
            continue
        start, goal = work.figures[who].cell, work.figures[foe].cell
        distance = work.terrain.distance(start, goal, work.being(who).space, work.being(foe).space)
        if in_range(weapon, distance) and prepare(state, who, foe, weapon, start, goal) is not None:
            return foe
    return None


def _manoeuvre(work: Work, who: int, action: Action) -> None:
    """The actor saves; on a failure it suffers the bad end itself (cairn.md §2.12)."""
    target = work.setup.index[action.target or ""]
    foe = work.figures[target]
    near = present(foe) and work.terrain.distance(
        work.figures[who].cell, foe.cell, work.being(who).space, work.being(target).space
    )
    if not present(foe) or near > 1:
        return
    won = save(work, who, "str", f"{action.option} {work.being(target).name}")
    loser, winner = (target, who) if won else (who, target)
    if action.option == "trip":
        afflict(work, loser, "prone", because="tripped")
    elif action.option == "grapple":
        afflict(work, loser, "restrained", because="grappled", save="str", by=work.being(winner).id)
    else:
        push(work, loser, winner, 1)


def push(work: Work, who: int, away_from: int, spaces: int, towards: bool = False) -> None:
    """Straight away from (or towards) somebody, as far as the way is free; over an edge one falls."""
    field, figure = work.setup.field, work.figures[who]
    (x, y), (fx, fy) = field.at(figure.cell), field.at(work.figures[away_from].cell)
    dx, dy = (x > fx) - (x < fx), (y > fy) - (y < fy)
    if towards:
        dx, dy = -dx, -dy
    if dx == 0 and dy == 0:
        return
    went = []
    cell = figure.cell
    for _ in range(spaces):
        nx, ny = field.at(cell)[0] + dx, field.at(cell)[1] + dy
        if not field.inside(nx, ny):
            break
        there = field.cell(nx, ny)
        if work.terrain.pits >> there & 1:
            leave(work, who, "fallen", "pushed over the edge")
            return
        if step_fault(work.terrain, cell, there, work.being(who).space) is not None or _taken(
            work, who, there
        ):
            break
        went.append(there)
        cell = there
    if went:
        work.change(who, cell=went[-1])
        path = tuple(work.space(c) for c in went)
        work.events.append(
            Moved(by=work.being(who).id, mode="pushed", start=work.space(figure.cell), path=path)
        )


def _break_free(work: Work, who: int, action: Action) -> None:
    figure = work.figures[who]
    attribute = "str" if figure.str_now >= figure.dex_now else "dex"
    if save(work, who, attribute, "break free"):
        relieve(work, who, "restrained", "broke free")


def _steady(work: Work, who: int, action: Action) -> None:
    if save(work, who, "wil", "overcome panic"):
        relieve(work, who, "panicked", "steadied")


def _retreat(work: Work, who: int, action: Action) -> None:
    """No save is needed where every foe is down, helpless or out of contact (cairn.md §2.8)."""
    from rules.cairn.knowledge import eyes

    state = work.done()
    cells = work.terrain.footprint(work.figures[who].cell, work.being(who).space)
    contact = any(
        work.being(i).side != work.being(who).side and able(f) and eyes(state, i) & cells
        for i, f in enumerate(work.figures)
    )
    if not contact or save(work, who, "dex", "retreat"):
        leave(work, who, "retreated")


def _door(work: Work, who: int, action: Action) -> None:
    doors = work.setup.field.doors
    number = next(i for i, door in enumerate(doors) if door.id == action.target)
    wanted = "open" if action.do == "open" else "closed"
    if work.doors[number] == wanted or work.doors[number] not in ("open", "closed"):
        return
    work.doors = (*work.doors[:number], wanted, *work.doors[number + 1 :])
    open_now = sum(1 << i for i, state in enumerate(work.doors) if state == "open")
    work.terrain = work.setup.field.terrain(open_now)
    work.events.append(Door(door=doors[number].id, state=wanted, by=work.being(who).id))


def _pick_up(work: Work, who: int, action: Action) -> None:
    figure = work.figures[who]
    near = work.terrain.within(figure.cell, 1, work.being(who).space)
    for number, lying in enumerate(work.floor):
        if lying.item == action.item and near >> lying.cell & 1:
            work.floor = (*work.floor[:number], *work.floor[number + 1 :])
            work.change(who, pack=(*figure.pack, lying.item))
            work.events.append(Item(by=work.being(who).id, item=lying.item, how="picked_up"))
            return
    work.events.append(Note(text=f"the {action.item} is gone", by=work.being(who).id))


def _bandage(work: Work, who: int, action: Action) -> None:
    target = work.setup.index[action.target or ""]
    spend(work, who, "bandages", 3)
    stabilise(work, target, f"bandaged by {work.being(who).name}")


def spend(work: Work, who: int, item: str, charges: int) -> None:
    """One use of something; the last one uses it up. Without `charges` it never is."""
    figure = work.figures[who]
    used = dict(figure.used)
    used[item] = used.get(item, 0) + 1
    work.change(who, used=tuple(sorted(used.items())))
    if charges and used[item] >= charges * (figure.hands + figure.pack).count(item):
        drop_item(work, who, item, "spent")


def drop_item(work: Work, who: int, item: str, how: str) -> None:
    """An item leaves its carrier: `dropped` on the floor, `spent` or `broken` for good."""
    figure = work.figures[who]
    hands, pack = list(figure.hands), list(figure.pack)
    (hands if item in hands else pack).remove(item)
    work.change(who, hands=tuple(hands), pack=tuple(pack))
    if how == "dropped":
        work.floor = (*work.floor, Lying(item, figure.cell))
    work.events.append(Item(by=work.being(who).id, item=item, how=how))


_RISKS = {
    "manoeuvre": _manoeuvre,
    "break_free": _break_free,
    "steady": _steady,
    "retreat": _retreat,
    "open": _door,
    "close": _door,
    "pick_up": _pick_up,
    "bandage": _bandage,
}
