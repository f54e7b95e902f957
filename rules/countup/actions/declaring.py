"""Orders that take hold the moment that time moves: stances, flight, doors, things readied (countup.md §1, §2.7)."""

from __future__ import annotations

import msgspec

from rules.board.sight import Grade, grade
from rules.contract.actions import Action
from rules.contract.events import Item, Note, Question, Roll
from rules.countup.actions.doors import SECONDS, begin_task, move_door
from rules.countup.combat.melee import could_strike, speed_of
from rules.countup.combat.reach import direction
from rules.countup.magic.spells import begin
from rules.countup.manners import MANOEUVRES, PLAIN, Stance
from rules.countup.penetration import Die, roll
from rules.countup.state import (
    FOREVER,
    Choice,
    Figure,
    Order,
    Resolution,
    Setup,
    able,
    free_hand,
    in_hand,
    present,
    sizes_of,
    weapon_of,
)

STOWED = 5
"""Seconds to ready a weapon that is packed away (countup.md §2.7)."""
DRAWN = 2
"""Weapons that take no longer are drawn on the way; for others one stands (OURS)."""
STANDING = ("cast", "open", "close", "search", "pick_lock", "force", "pick_up", "kneel", "set")
"""Deeds that are done at the end of a way ordered with them."""
FLIGHT = 3
"""Seconds that somebody counts as fleeing at least."""


def declare(resolution: Resolution) -> None:
    """Orders that take hold the moment that time moves: stances, readying, getting up, casting."""
    for who, figure in enumerate(resolution.figures):
        order = figure.order
        if figure.stance is Stance.SET and not _stays_set(figure):
            figure = resolution.change(who, stance=Stance.NONE, until=0, set_since=-1)
        if order is None or not able(figure, resolution.second):
            continue
        if order.facing >= 0:
            left = order if order.path else msgspec.structs.replace(order, facing=-1)
            figure = resolution.change(who, facing=order.facing, order=left)
        if order.action is None or follows(resolution.setup, who, figure, order):
            continue
        action = order.action
        _face(resolution, who, order)
        _break_off(resolution, who, action)
        figure = resolution.figures[who]
        if action.do == "stand" and (figure.prone or figure.stance is Stance.KNEELING):
            rise(resolution, who)
        elif action.do == "kneel":
            resolution.change(who, stance=Stance.KNEELING, until=FOREVER, busy=resolution.second + 1, order=None)
            _tell(resolution, who, "kneels")
        elif action.do == "full_parry" and figure.due <= resolution.second and figure.stance is not Stance.PARRY:
            weapon = weapon_of(resolution.setup, who, in_hand(resolution.setup, who, figure))
            due = resolution.second + speed_of(resolution.done(), who, weapon)
            resolution.change(who, stance=Stance.PARRY, until=due, due=due)
            _tell(resolution, who, "goes over to a full parry")
        elif action.do == "ready" and action.weapon != figure.hand:
            _ready(resolution, who, action.weapon or "")
        elif action.do == "set" and figure.stance is not Stance.SET:
            resolution.change(who, set_since=resolution.second, stance=Stance.SET, until=FOREVER)
            _tell(resolution, who, f"sets the {in_hand(resolution.setup, who, figure)} against a charge")
        elif action.do == "flee" and figure.stance is not Stance.FLEEING:
            _flee(resolution, who)
        elif action.do in ("open", "close"):
            move_door(resolution, who, action.do, action.target or "")
        elif action.do in SECONDS:
            begin_task(resolution, who, action)
        elif action.do == "pick_up":
            _pick_up(resolution, who, action.item or "")
        elif action.do == "attack" and stance_of(action).rank:
            resolution.change(who, stance=stance_of(action), until=FOREVER)
        elif action.do == "cast":
            begin(resolution, who, action)


def _tell(resolution: Resolution, who: int, text: str) -> None:
    resolution.events.append(Note(text=text, by=resolution.being(who).id))


def follows(setup: Setup, who: int, figure: Figure, order: Order) -> bool:
    """Whether an order's deed waits for the end of its way."""
    action = order.action
    if action is None or not order.path:
        return False
    if action.do == "ready":
        return _stands_for(setup, who, figure, action.weapon or "")
    return action.do in STANDING


def _stands_for(setup: Setup, who: int, figure: Figure, name: str) -> bool:
    """Whether a weapon is not simply drawn: it is packed away, or a shield has to be strapped on or off for it."""
    two = weapon_of(setup, who, name).hands == 2
    straps = figure.shield if two else figure.slung
    return straps is not None or drawn_in(setup, who, figure, name) > DRAWN


def stance_of(action: Action) -> Stance:
    """The defensive stance that goes with an attack."""
    return MANOEUVRES.get(action.option or "", PLAIN).stance


def _face(resolution: Resolution, who: int, order: Order) -> None:
    """Who fights somebody keeps its face to him, in every second, unless it was bidden elsewhere (countup.md §3)."""
    action, figure = order.action, resolution.figures[who]
    if action is None or action.do not in ("attack", "hold_at_bay", "shoot") or order.path or order.facing >= 0:
        return
    target = resolution.setup.index.get(action.target or "")
    if target is not None and present(resolution.figures[target]):
        sizes = sizes_of(resolution.setup, who, target)
        there = resolution.figures[target].cell
        if order.awaits and grade(resolution.terrain, figure.cell, there, *sizes) is Grade.NONE:
            return  # it may come from anywhere
        facing = direction(resolution.setup.field, figure.cell, resolution.figures[target].cell, sizes)
        resolution.change(who, facing=facing)


def _break_off(resolution: Resolution, who: int, action: Action) -> None:
    """A stance that the new order does not keep up ends; a defensive fight's penalty stays on the next attack."""
    figure = resolution.figures[who]
    keeps = stance_of(action) if action.do == "attack" else Stance.NONE
    if figure.stance.rank and figure.stance is not keeps:
        owed = 2 * figure.stance.rank if figure.due > resolution.second else 0
        resolution.change(who, stance=Stance.NONE, until=0, owed=max(figure.owed, owed))


def _stays_set(figure: Figure) -> bool:
    """Whether a weapon is still set: its bearer has not left its space since, nor taken up anything else."""
    action = figure.order.action if figure.order is not None else None
    return action is not None and action.do == "set" and figure.moved < figure.set_since


def rise(resolution: Resolution, who: int) -> None:
    """Get up: a second, during which one still counts as lying (countup.md §2.7); then the way that was ordered."""
    resolution.change(
        who,
        stance=Stance.RISING,
        until=resolution.second + 1,
        busy=resolution.second + 1,
        order=_way(resolution.figures[who]),
    )


def _way(figure: Figure) -> Order | None:
    """What is left of an order when its deed is done: its way, if it has one."""
    order = figure.order
    return msgspec.structs.replace(order, action=None) if order is not None and order.path else None


def _flee(resolution: Resolution, who: int) -> None:
    """Turn and run: every engaged enemy with no other beside it may strike once or follow (countup.md §2.6)."""
    weapon = weapon_of(resolution.setup, who, in_hand(resolution.setup, who, resolution.figures[who]))
    due = resolution.second + speed_of(resolution.done(), who, weapon)
    resolution.change(who, stance=Stance.FLEEING, until=resolution.second + FLIGHT, set_since=-1, due=due, broke=True)
    for other in resolution.figures[who].contacts:
        foe = resolution.figures[other]
        name = free_hand(resolution.setup, other, foe)
        if not could_strike(foe, resolution.second, weapon_of(resolution.setup, other, name)) or _flees(foe):
            continue
        if any(_adjacent(resolution, other, third) for third in foe.contacts if third != who):
            continue
        resolution.choices = (*resolution.choices, Choice(other, "fleer", ("strike", "follow"), who))
        name, about = resolution.being(other).id, resolution.being(who).id
        resolution.events.append(Question(by=name, kind="fleer", options=("strike", "follow"), about=about))


def _flees(figure: Figure) -> bool:
    """Whether somebody turns and runs in this very second: of two who run from each other neither strikes."""
    return figure.order is not None and figure.order.action is not None and figure.order.action.do == "flee"


def _adjacent(resolution: Resolution, who: int, other: int) -> bool:
    """Whether an enemy stands beside somebody."""
    here, there = resolution.figures[who], resolution.figures[other]
    sizes = sizes_of(resolution.setup, who, other)
    return present(there) and resolution.terrain.distance(here.cell, there.cell, *sizes) <= 1


def _pick_up(resolution: Resolution, who: int, item: str) -> None:
    near = resolution.terrain.within(resolution.figures[who].cell, 1, resolution.being(who).space)
    for number, (name, cell) in enumerate(resolution.floor):
        if name == item and near >> cell & 1:
            resolution.floor = (*resolution.floor[:number], *resolution.floor[number + 1 :])
            resolution.events.append(Item(by=resolution.being(who).id, item=item, how="picked_up"))
            if not resolution.figures[who].hand:
                resolution.change(who, hand=item)
            break
    resolution.change(who, busy=resolution.second + 1, order=None)


def drawn_in(setup: Setup, who: int, figure: Figure, name: str) -> int:
    """Seconds until a weapon is in hand, a shield's strap not counted."""
    weapon = weapon_of(setup, who, name)
    if name in setup.beings[who].stowed and name not in figure.drawn:
        return STOWED
    if weapon.ranged:
        return 0 if weapon.thrown and weapon.knife else 1
    return {"S": 0, "M": 1, "L": 2}.get(weapon.size, 1)


def seconds_to_ready(setup: Setup, who: int, figure: Figure, name: str) -> str:
    """How long it takes to have a weapon in hand, for its button."""
    seconds = f"{drawn_in(setup, who, figure, name)} s"
    if weapon_of(setup, who, name).hands == 2 and figure.shield is not None:
        return f"{seconds}, and d4p s for the shield"
    shield = figure.slung is not None and weapon_of(setup, who, name).hands < 2
    return f"{seconds}, and d4p+1 s for the shield" if shield else seconds


def _ready(resolution: Resolution, who: int, name: str) -> None:
    """Draw: small 0, medium 1, large 2 seconds, a bow 1, what is stowed 5, a shield from the back d4p + 1 more, one
    that both hands must be freed of d4p.

    In a fight the full speed of the new weapon is waited besides (B32).
    """
    weapon = weapon_of(resolution.setup, who, name)
    figure = resolution.figures[who]
    takes = drawn_in(resolution.setup, who, figure, name)
    if takes == STOWED:
        resolution.change(who, drawn=(*figure.drawn, name))
    thrown: tuple[Roll, ...] = ()
    if weapon.hands == 2 and figure.shield:
        resolution.dice.thrower = resolution.being(who).id
        thrown = (roll(resolution.dice, "shield", (Die(1, 4),)),)
        takes += thrown[0].total
        resolution.change(who, shield=None, slung=figure.shield)
    if weapon.hands < 2 and figure.slung:
        resolution.dice.thrower = resolution.being(who).id
        thrown = (roll(resolution.dice, "shield", (Die(1, 4),), 1),)
        takes += thrown[0].total
        resolution.change(who, shield=figure.slung, slung=None)
    ready = resolution.second + takes
    way = _way(resolution.figures[who])
    busy = resolution.figures[who].busy if way is not None else max(resolution.figures[who].busy, ready)
    # in a melee the new weapon's whole time; away from it a blow's own time runs on, whatever is drawn meanwhile
    anew = ready + speed_of(resolution.done(), who, weapon)
    due = anew if _in_melee(resolution, who) else max(figure.due, ready)
    resolution.change(who, hand=name, ready_at=ready, busy=busy, due=due, order=way,
                nocked=("", 0))  # fmt: skip
    resolution.events.append(Note(text=f"takes the {name} in hand", by=resolution.being(who).id, rolls=thrown))


def _in_melee(resolution: Resolution, who: int) -> bool:
    return any(present(resolution.figures[other]) for other in resolution.figures[who].contacts)
