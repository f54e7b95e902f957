"""Orders that take hold the moment that time moves: stances, flight, doors, things readied (countup.md §1, §2.7)."""

from __future__ import annotations

import msgspec

from rules.board.sight import Grade, grade
from rules.contract.actions import Action
from rules.contract.events import Item, Note, Question, Roll
from rules.countup.actions.doors import SECONDS, begin_task, move_door
from rules.countup.combat.melee import speed_of
from rules.countup.combat.reach import could_strike, direction
from rules.countup.magic.spells import begin
from rules.countup.penetration import Die, roll
from rules.countup.state import (
    FOREVER,
    Choice,
    Figure,
    Order,
    Setup,
    Work,
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


def declare(work: Work) -> None:
    """Orders that take hold the moment that time moves: stances, readying, getting up, casting."""
    for who, figure in enumerate(work.figures):
        order = figure.order
        if figure.stance == "set" and not _stays_set(figure):
            figure = work.change(who, stance="", until=0, set_since=-1)
        if order is None or not able(figure, work.second):
            continue
        if order.facing >= 0:
            left = order if order.path else msgspec.structs.replace(order, facing=-1)
            figure = work.change(who, facing=order.facing, order=left)
        if order.action is None or follows(work.setup, who, figure, order):
            continue
        action = order.action
        _face(work, who, order)
        _break_off(work, who, action)
        figure = work.figures[who]
        if action.do == "stand" and (figure.prone or figure.stance == "kneeling"):
            rise(work, who)
        elif action.do == "kneel":
            work.change(who, stance="kneeling", until=FOREVER, busy=work.second + 1, order=None)
            _tell(work, who, "kneels")
        elif action.do == "full_parry" and figure.due <= work.second and figure.stance != "parry":
            weapon = weapon_of(work.setup, who, in_hand(work.setup, who, figure))
            due = work.second + speed_of(work.done(), who, weapon, "attack")
            work.change(who, stance="parry", until=due, due=due)
            _tell(work, who, "goes over to a full parry")
        elif action.do == "ready" and action.weapon != figure.hand:
            _ready(work, who, action.weapon or "")
        elif action.do == "set" and figure.stance != "set":
            work.change(who, set_since=work.second, stance="set", until=FOREVER)
            _tell(work, who, f"sets the {in_hand(work.setup, who, figure)} against a charge")
        elif action.do == "flee" and figure.stance != "fleeing":
            _flee(work, who)
        elif action.do in ("open", "close"):
            move_door(work, who, action.do, action.target or "")
        elif action.do in SECONDS:
            begin_task(work, who, action)
        elif action.do == "pick_up":
            _pick_up(work, who, action.item or "")
        elif action.do == "attack" and (action.option or "").startswith("defensive"):
            work.change(who, stance=str(action.option), until=FOREVER)
        elif action.do == "cast":
            begin(work, who, action)


def _tell(work: Work, who: int, text: str) -> None:
    work.events.append(Note(text=text, by=work.being(who).id))


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


def _face(work: Work, who: int, order: Order) -> None:
    """Who fights somebody keeps its face to him, in every second, unless it was bidden elsewhere (countup.md §3)."""
    action, figure = order.action, work.figures[who]
    if (
        action is None
        or action.do not in ("attack", "hold_at_bay", "shoot")
        or order.path
        or order.facing >= 0
    ):
        return
    target = work.setup.index.get(action.target or "")
    if target is not None and present(work.figures[target]):
        sizes = sizes_of(work.setup, who, target)
        there = work.figures[target].cell
        if order.awaits and grade(work.terrain, figure.cell, there, *sizes) is Grade.NONE:
            return  # it may come from anywhere
        facing = direction(work.setup.field, figure.cell, work.figures[target].cell, sizes)
        work.change(who, facing=facing)


def _break_off(work: Work, who: int, action: Action) -> None:
    """A stance that the new order does not keep up ends; a defensive fight's penalty stays on the next attack."""
    figure = work.figures[who]
    keeps = action.option if action.do == "attack" else action.do
    if figure.stance.startswith("defensive") and figure.stance != keeps:
        owed = 2 * int(figure.stance[-1]) if figure.due > work.second else 0
        work.change(who, stance="", until=0, owed=max(figure.owed, owed))


def _stays_set(figure: Figure) -> bool:
    """Whether a weapon is still set: its bearer has not left its space since, nor taken up anything else."""
    action = figure.order.action if figure.order is not None else None
    return action is not None and action.do == "set" and figure.moved < figure.set_since


def rise(work: Work, who: int) -> None:
    """Get up: a second, during which one still counts as lying (countup.md §2.7); then the way that was ordered."""
    work.change(
        who, stance="rising", until=work.second + 1, busy=work.second + 1, order=_way(work.figures[who])
    )


def _way(figure: Figure) -> Order | None:
    """What is left of an order when its deed is done: its way, if it has one."""
    order = figure.order
    return msgspec.structs.replace(order, action=None) if order is not None and order.path else None


def _flee(work: Work, who: int) -> None:
    """Turn and run: every engaged enemy with no other beside it may strike once or follow (countup.md §2.6)."""
    weapon = weapon_of(work.setup, who, in_hand(work.setup, who, work.figures[who]))
    due = work.second + speed_of(work.done(), who, weapon, "attack")
    work.change(who, stance="fleeing", until=work.second + FLIGHT, set_since=-1, due=due, broke=True)
    for other in work.figures[who].contacts:
        foe = work.figures[other]
        name = free_hand(work.setup, other, foe)
        if not could_strike(foe, work.second, weapon_of(work.setup, other, name)) or _flees(foe):
            continue
        if any(_adjacent(work, other, third) for third in foe.contacts if third != who):
            continue
        work.choices = (*work.choices, Choice(other, "fleer", ("strike", "follow"), who))
        name, about = work.being(other).id, work.being(who).id
        work.events.append(Question(by=name, kind="fleer", options=("strike", "follow"), about=about))


def _flees(figure: Figure) -> bool:
    """Whether somebody turns and runs in this very second: of two who run from each other neither strikes."""
    return figure.order is not None and figure.order.action is not None and figure.order.action.do == "flee"


def _adjacent(work: Work, who: int, other: int) -> bool:
    """Whether an enemy stands beside somebody."""
    here, there = work.figures[who], work.figures[other]
    sizes = sizes_of(work.setup, who, other)
    return present(there) and work.terrain.distance(here.cell, there.cell, *sizes) <= 1


def _pick_up(work: Work, who: int, item: str) -> None:
    near = work.terrain.within(work.figures[who].cell, 1, work.being(who).space)
    for number, (name, cell) in enumerate(work.floor):
        if name == item and near >> cell & 1:
            work.floor = (*work.floor[:number], *work.floor[number + 1 :])
            work.events.append(Item(by=work.being(who).id, item=item, how="picked_up"))
            if not work.figures[who].hand:
                work.change(who, hand=item)
            break
    work.change(who, busy=work.second + 1, order=None)


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


def _ready(work: Work, who: int, name: str) -> None:
    """Draw: small 0, medium 1, large 2 seconds, a bow 1, what is stowed 5, a shield from the back d4p + 1 more, one
    that both hands must be freed of d4p.

    In a fight the full speed of the new weapon is waited besides (B32).
    """
    weapon = weapon_of(work.setup, who, name)
    figure = work.figures[who]
    takes = drawn_in(work.setup, who, figure, name)
    if takes == STOWED:
        work.change(who, drawn=(*figure.drawn, name))
    thrown: tuple[Roll, ...] = ()
    if weapon.hands == 2 and figure.shield:
        work.dice.thrower = work.being(who).id
        thrown = (roll(work.dice, "shield", (Die(1, 4),)),)
        takes += thrown[0].total
        work.change(who, shield=None, slung=figure.shield)
    if weapon.hands < 2 and figure.slung:
        work.dice.thrower = work.being(who).id
        thrown = (roll(work.dice, "shield", (Die(1, 4),), 1),)
        takes += thrown[0].total
        work.change(who, shield=figure.slung, slung=None)
    ready = work.second + takes
    way = _way(work.figures[who])
    busy = work.figures[who].busy if way is not None else max(work.figures[who].busy, ready)
    # in a melee the new weapon's whole time; away from it a blow's own time runs on, whatever is drawn meanwhile
    anew = ready + speed_of(work.done(), who, weapon, "attack")
    due = anew if _in_melee(work, who) else max(figure.due, ready)
    work.change(who, hand=name, ready_at=ready, busy=busy, due=due, order=way,
                nocked=("", 0))  # fmt: skip
    work.events.append(Note(text=f"takes the {name} in hand", by=work.being(who).id, rolls=thrown))


def _in_melee(work: Work, who: int) -> bool:
    return any(present(work.figures[other]) for other in work.figures[who].contacts)
