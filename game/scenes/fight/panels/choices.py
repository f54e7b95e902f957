"""What can be done with what is pointed at, as a menu: each deed with its price and chance, or why it can't be done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from game.fight.seats import computers
from game.party.foresight import percent
from game.party.table import EXPLORING
from game.scenes.dialogs.panels import open_menu
from game.scenes.fight import spaces
from game.scenes.fight.hand import menu as hand_menu
from game.scenes.fight.panels.frame import shown_key
from game.scenes.fight.plan import PLAIN, Plan, plain
from game.scenes.fight.table import FightTable
from game.widgets.menu import Line
from rules.contract.actions import Action, Offer
from rules.contract.display import Miniature
from rules.contract.text import text, untitled
from rules.contract.units import Cell

FEW = 5
"""So many ways of one deed stand in the menu itself; more have a menu of their own."""
Entries = list[Line | None]


def open_choices(fight: FightTable, cell: Cell | None, creature: str | None, pos: tuple[int, int]) -> None:
    """Open the menu of what lies at a pixel: somebody, a space, or nothing but the table."""
    mini = next((m for m in fight.board.miniatures if m.id == creature), None)
    title, about, lines = "", "", Entries()
    if mini is not None:
        title, health = mini.name, mini.health
        told = "{status} · {label} {value} / {maximum}"
        about = text(told, mini.status.capitalize(), health.label, health.value, health.maximum)
        lines += _with(fight, mini)
    if cell is not None:
        there = spaces.told(fight, cell)
        if mini is None:
            title, about = there.title, " ".join(there.lines)
        lines += [None, *_at(fight, cell, alone=mini is None)]
    shown, small = fight.app.keys.shown, fight.app.settings.small_map
    if mine := hand_menu.line_of(fight, fight.reaching, cell):
        lines += [None, *mine]
    lines += [
        None,
        Line("Show all that is known", fight.doing("zoom_fit"), hint=shown("zoom_fit")),
        Line("Small map", fight.doing("small_map"), hint=shown("small_map"), on=small),
        Line("Menu", fight.doing("menu"), hint=shown("back"), key="menu"),
    ]
    open_menu(fight.app, title, lines, pos, about)


def _asked(fight: FightTable) -> Plan | None:
    """The chance that stands open for whoever looks; None while others act or a question is asked."""
    return None if fight.waits else fight.chance


# -- creatures


def _with(fight: FightTable, mini: Miniature) -> Entries:
    """What can be done to somebody, and asked about them."""
    plan, lines = _asked(fight), Entries()
    if plan is not None and mini.id == plan.decision.by:
        own = [o for o in plan.offers if o.refused is None and o.description.needs in ("none", "option", "item")]
        lines += [_line(fight, plan, offer, partial(fight.choosing.take_offer, offer)) for offer in own]
    elif plan is not None:
        if plan.is_foe(mini.id) and plan.strike(mini.id) is None and not mini.out:
            lines += _approach(fight, plan, mini)
        for offer in plan.offers:
            lines += _on(fight, plan, offer, mini)
        if mini.id in fight.planning.open():
            lines.append(Line("Plan for it", _guarded(fight, plan, partial(fight.planning.turn_to, mini.id))))
        needing = (offer for offer in plan.offers if offer.description.needs == "creature")
        barred = (offer for offer in needing if all(a.target != mini.id for a in offer.actions))
        if refused := tuple(Line(o.description.label, why=plan.why_refused(o, mini.id)) for o in barred):
            lines.append(Line("What can't be done now", more=refused, key="refused"))
    lines.append(None)
    lines.append(Line("Show its sheet", partial(fight.select, mini.id)))
    lines += _players(fight, mini)
    if fight.telling.may_ask(mini.id):
        why = partial(fight.telling.why, mini.id)
        lines.append(Line("Why did the computer do that?", why, hint=fight.app.keys.shown("why")))
    return lines


def _players(fight: FightTable, mini: Miniature) -> Entries:
    """Who plays somebody of one's own, and all of one's own: the computer from now on, or oneself again."""
    seats, own = fight.seating.seats, fight.seating.at
    ours = [each.id for each in fight.board.miniatures if seats.of(each.id) == own and not each.out]
    if mini.id not in ours or fight.match.decision is None:
        return []
    away = computers(fight.match.record)
    label = "Play it yourself again" if mini.id in away else "Give it to the computer"
    lines: Entries = [Line(label, partial(fight.undoing.hand_over, mini.id), key="give_away")]
    alike = [name for name in ours if (name in away) == (mini.id in away)]
    if len(alike) > 1:
        label = "Play all of yours yourself again" if mini.id in away else "Give all of yours to the computer"
        lines.append(Line(label, partial(fight.undoing.hand_over, *alike), key="give_all_away"))
    if mini.id not in away and fight.match.record.expedition and fight.match.decision.kind != EXPLORING:
        lying = [each.id for each in fight.board.miniatures if seats.of(each.id) == own and each.id not in away]
        lend = partial(fight.undoing.lend, *lying)
        lines.append(Line("Let the computer play this fight to its end", lend, key="lend"))
    return lines


def _line(
    fight: FightTable, plan: Plan, offer: Offer, do: Callable[[], object], *, label: str = "", cost: str | None = None
) -> Line:
    """An offer as a line of the menu, under a label of its own or the offer's."""
    d = offer.description
    cost, hint = d.cost if cost is None else cost, shown_key(fight.key_of(offer))
    return Line(label or d.label, _guarded(fight, plan, do), cost=cost, hint=hint)


def _on(fight: FightTable, plan: Plan, offer: Offer, mini: Miniature) -> Entries:
    """The ways in which an offer may be turned to somebody; each spell or item by itself."""
    if offer.inside:
        kinds = [(kind, [a for a in kind.actions if a.target == mini.id]) for kind in offer.inside]
        inner = [line for kind, ways in kinds for line in _ways(fight, plan, kind, ways)]
        return [Line(offer.description.label, more=tuple(inner))] if inner else []
    if offer.description.needs not in ("creature", "option", "item"):
        return []
    ways = [action for action in offer.actions if action.target == mini.id]
    lines = _ways(fight, plan, offer, ways)
    return [Line(offer.description.label, more=tuple(lines))] if len(lines) > FEW else list(lines)


def _ways(fight: FightTable, plan: Plan, offer: Offer, ways: Sequence[Action]) -> list[Line]:
    """A line for each weapon, manner or item; where a space is to be chosen besides, it is pointed at next."""
    groups: dict[tuple[object, ...], list[Action]] = {}
    for action in ways:
        groups.setdefault((action.weapon, action.option, action.item, action.items), []).append(action)
    several = len({action.weapon for action in ways}) > 1
    alike = len({(action.weapon, action.item, action.items) for action in ways}) < len(groups)  # options differ alone
    lines = []
    for action, *more in groups.values():
        label = plan.describe(action).label or offer.description.label
        if alike and (kind := plan.kind_of(action, offer)) != label:
            label = text("{label}: {what}", label, untitled(kind))
        what, weapon = (action.item or "").replace("_", " "), (action.weapon or "").replace("_", " ")
        if what and what.lower() not in label.lower():
            label = text("{label}: {what}", label, what)
        if weapon and weapon.lower() not in label.lower():
            label = text("{label} with {weapon}", label, weapon)
        hint = "" if several or len(groups) > 1 else shown_key(fight.key_of(offer))
        aim = partial(fight.choosing.aim_further, [action, *more], offer)
        call = aim if more else partial(fight.deeds.act, action)
        lines.append(Line(label, _guarded(fight, plan, call), cost=fight.choosing.price(action), hint=hint))
    return lines


def _approach(fight: FightTable, plan: Plan, mini: Miniature) -> Entries:
    """Up to a foe and strike it; else why it can't be struck."""
    errand = spaces.to_foe(plan, mini.id)
    if errand is not None:
        odds = errand.there.odds(errand.deed)
        chance = text(" · {odds}", percent(odds.hit)) if odds is not None else ""
        go = _guarded(fight, plan, partial(fight.errands.do, errand))
        return [Line("Go there and attack", go, cost=errand.cost + chance, key="approach")]
    offer = next((o for o in plan.offers if o.do == PLAIN), None)
    return [Line(offer.description.label, why=plan.why_not(mini.id))] if offer is not None else []


# -- spaces and doors


def _at(fight: FightTable, cell: Cell, *, alone: bool) -> Entries:
    """Ways to a space, what can be done with a door there, and what can be asked about it; not `alone` where somebody
    stands there."""
    plan, lines = _asked(fight), Entries()
    if plan is not None and plan.start is not None and cell != plan.start:
        ends = ((offer, plan.moves(offer).get(cell)) for offer in plan.offers) if alone else ()
        for offer, move in ends:  # each movement that ends there; none of what is neither a way nor aimed at spaces
            if move is not None and move.item is None:
                do = partial(fight.deeds.act, move)
                lines.append(_line(fight, plan, offer, do, cost=fight.choosing.price(move)))
        if alone and not lines:
            lines.append(Line("Go there", why=spaces.why_no_way(fight, plan, cell)))
        for door, state in spaces.doors_at(fight, cell):
            lines += _door(fight, plan, door.id, state)
        sight = partial(fight.aiming.take_sight, cell, plan.start)
        lines.append(Line("Line of sight to here", sight))
    lines.append(Line("Look here", partial(fight.camera.centre, cell)))
    return lines


def _door(fight: FightTable, plan: Plan, name: str, state: str) -> Entries:
    lines: Entries = []
    offers = [offer for offer in plan.offers if offer.description.needs == "door"]
    for offer in offers:
        for action in [a for a in offer.actions if a.target == name]:
            label = plan.kind_of(action, offer)
            label = label if action.option is None else text("{label}: {label2}", offer.description.label, label)
            price = fight.choosing.price(action)
            lines.append(_line(fight, plan, offer, partial(fight.deeds.act, action), label=label, cost=price))
    if lines or state == "open":
        return lines
    if (errand := spaces.to_door(plan, name)) is not None:
        label = text("Go there: {label}", errand.told[-1].label)
        go = _guarded(fight, plan, partial(fight.errands.do, errand))
        return [Line(label, go, cost=errand.cost, key="approach")]
    for offer in offers[:1]:
        why = plain(plan.legal.refusal(Action(plan.decision.by, offer.do, target=name)))
        lines.append(Line(offer.description.label, why=why or offer.refused or "Out of reach"))
    return lines


# -- what all have in common


def _guarded(fight: FightTable, plan: Plan, call: Callable[[], object]) -> Callable[[], None]:
    """A deed that was offered in a menu is done only while the chance is the one that it was offered in."""
    done = fight.match.history.length

    def do() -> None:
        now = _asked(fight)
        if now is not None and now.decision == plan.decision and fight.match.history.length == done:
            call()
        else:
            fight.toast("Things have moved on; look again.")

    return do
