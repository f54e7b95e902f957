"""The board, the sheets and the summary that windows and `battlemat replay --state` show."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from rules.board.bitboard import board_of
from rules.contract.display import (
    NOBODY,
    Badge,
    Bar,
    Board,
    FloorItem,
    GroundMark,
    Line,
    Miniature,
    Planned,
    Sheet,
    Slot,
    Turn,
)
from rules.contract.text import joined, ntext, text
from rules.contract.units import CreatureIx, Seconds, first_creatures, numbered
from rules.core.dice import signed
from rules.core.fixtures.challenges import held_shut, mark_of, rubble_marks
from rules.core.fixtures.contents import coins
from rules.core.secrets import Kind, doors_known, knows, viewers
from rules.countup.actions.movement import DIRECTIONS
from rules.countup.actions.table import ACTION_KINDS
from rules.countup.arriving import ARRIVING
from rules.countup.clock import needs_order
from rules.countup.combat.attack import loaded, speed_of
from rules.countup.combat.injury import status
from rules.countup.conditions import PRONE, SURPRISED, shown
from rules.countup.explore.minutes import MINUTES
from rules.countup.manners import JAB
from rules.countup.spells import points_for, prayers_left
from rules.countup.state import FOREVER, UNCOUNTED, Being, CountState, Figure, Phase, Resolution
from rules.explore import display as exploration
from rules.explore import goals


def board(state: CountState) -> Board:
    """The whole table as far as the state knows it."""
    minis = tuple(_miniature(state, i) for i, f in numbered(state.figures) if f.cell >= 0)
    floor = tuple(FloorItem(item, cell) for item, cell in state.floor)
    over = state.winner if state.phase is Phase.OVER else None
    eyes = viewers(state.viewer, state.setup.beings, state.setup.sides)  # whose secrets the table shows
    doors = doors_known(state.doors, state.found, eyes)
    # who is asked now, then by the second of the next slot
    here = [(not waits(state, i), next_at(state, i), i) for i, f in numbered(state.figures) if f.present]
    order = tuple(Turn(state.setup.beings[i].id, active=not idle) for idle, _, i in sorted(here))
    board = Board(
        minis, order, text('Second {second}', state.second), doors, floor, over, ground=tuple(_ground(state, eyes)),
        plans=_plans(state), timeline=timeline(state), now=state.second,
    )  # fmt: skip
    if state.phase is Phase.EXPLORE and state.explore is not None:
        minute = state.explore.minute
        board = exploration.shown(MINUTES, board, state, eyes, text("Exploration, minute {minute}", minute))
        board = replace(board, caption=text("Minute {minute}", minute), timeline=(), now=None)
    elif over is not None and state.setup.crawl and state.explore is not None:  # an evening ends where it explored
        board = replace(board, caption=text("Minute {minute}", state.explore.minute), timeline=(), now=None)
    board = exploration.yielded(board, state, state.setup.beings, _miniature)
    if state.waves:
        board = ARRIVING.shown(board, state, _miniature)
    return board if state.aims is None else goals.shown(board, state, state.setup.beings, _miniature)


_LAID = {
    "trap": "Armed: disarmed by skill; who does not know of it checks observation.",
    "trap_sprung": "Sprung.",
    "trap_disarmed": "Disarmed.",
    "chest_locked": "Locked: picked by skill, or broken open.",
    "chest_closed": "Closed, not locked.",
    "chest_open": "Open.",
    "climb": "Climbed by a check of climbing; a mishap is a fall.",
    "water": "Deep: each space is swum by a check of swimming.",
    "rubble": "Difficult ground.",
}
"""What a map's traps, chests and obstacles say of themselves."""
_BARS = "Nobody walks over it: each space is broken up by d20p and the damage bonus."
"""The same of rubble with the option `hurdles`."""


def _ground(state: CountState, eyes: tuple[str, ...]) -> Iterator[GroundMark]:
    """Traps, chests and obstacles of which the table may know, where they count."""
    field = state.setup.field
    for number, one in enumerate(field.challenges if state.setup.fixtures else ()):
        if any(knows(field, state.found, side, number) for side in eyes):
            if one.kind == Kind.RUBBLE and state.setup.hurdles:
                yield from rubble_marks(one, state.cleared, _BARS, "countup.md §2.11")
                continue
            stands = state.challenges[number]
            said = _LAID.get(f"{one.kind}_{stands}") or _LAID[one.kind]
            kind = "ledge" if one.edges else mark_of(one, stands)
            locked = held_shut(one, stands, state.setup.beings, state.figures, eyes)
            yield GroundMark(kind, one.id, board_of(one.cells), said, "countup.md §2.11", one.edges, locked)


def _plans(state: CountState) -> tuple[Planned, ...]:
    """Orders that are given and not yet carried out, as far as the state knows them."""
    found, resolution = [], Resolution(state)
    for who, figure in numbered(state.figures):
        order = figure.order
        if order is None or not figure.present or not (order.path or order.action or order.facing >= 0):
            continue
        if state.phase is Phase.DECLARE and order.done and needs_order(resolution, who):
            continue  # it is over; another is asked for
        action = order.action
        word = ACTION_KINDS[action.do].planned(action) if action is not None else order.gait if order.path else ""
        label, facing = word.replace("_", " ").capitalize(), order.facing if order.facing >= 0 else None
        target = action.target if action is not None else None
        found.append(Planned(state.being(who).id, order.path, target, label, facing=facing))
    return tuple(found)


def timeline(state: CountState) -> tuple[Slot, ...]:
    """Everybody's next slot, spells on their way, shots being readied and effects that end, soonest first."""
    slots = []
    for who, figure in numbered(state.figures):
        if not figure.present:
            continue
        name = state.setup.beings[who].id
        if figure.casting is not None:
            slots.append(Slot(name, figure.casting.ends, figure.casting.spell, "spell"))
        elif figure.task is not None:
            slots.append(Slot(name, figure.task.ends, figure.task.do.replace("_", " "), "spell"))
        elif figure.loading[0]:
            slots.append(Slot(name, figure.loading[1], figure.loading[0], "shot"))
        elif figure.helpless > state.second:
            slots.append(Slot(name, figure.helpless, "up again", "helpless"))
        else:
            weapon = state.weapon(who).name
            slots.append(Slot(name, max(figure.init, figure.due, figure.busy), weapon))
        ends = [(end, effect) for effect, end in figure.effects if end < FOREVER]
        if figure.fatigue > state.second:
            ends.append((figure.fatigue, "spell fatigue"))
        slots += [Slot(name, end, text("{effect} ends", effect), "effect") for end, effect in ends]
    order = {being.id: i for i, being in numbered(state.setup.beings)}
    return tuple(sorted(slots, key=lambda slot: (slot.at, order[slot.id], slot.kind, slot.label)))


def next_at(state: CountState, who: CreatureIx) -> Seconds:
    """The second of a creature's next slot."""
    figure = state.figures[who]
    if figure.casting is not None:
        return figure.casting.ends
    if figure.loading[0]:
        return figure.loading[1]
    return max(figure.init, figure.due, figure.busy, figure.helpless)


def waits(state: CountState, who: CreatureIx) -> bool:
    """Whether it is asked for an order now."""
    return state.phase is Phase.DECLARE and needs_order(Resolution(state), who)


def _miniature(state: CountState, who: CreatureIx) -> Miniature:
    being, figure = state.being(who), state.figures[who]
    now = status(state, who)
    dead, due = now == "dead", min(20, max(0, next_at(state, who) - state.second))
    weapon = state.weapon(who)  # it reaches so far beyond one's own space (countup.md §3)
    reach = text("{name}, reach {reach} ft", weapon.name, f"{weapon.reach:g}")
    if weapon.only_ranged:
        reach = text("{name}, to {far} ft", weapon.name, weapon.brackets[-1])
    return Miniature(
        id=being.id, name=being.name, side=being.side, cell=figure.cell, art=being.art, size=being.space,
        health=Bar("Hit points", max(0, figure.hp), being.hp_max),
        points=Bar("Seconds to the next slot", due, 20, "points"), status=now,
        posture="prone" if figure.prone else "standing", badges=badges(state, figure), facing=figure.facing,
        reach=reach, active=waits(state, who), out=dead, dead=dead,
    )  # fmt: skip


def badges(state: CountState, figure: Figure) -> tuple[Badge, ...]:
    """Conditions, stances and posture as badges."""
    found = shown(figure, state.second) + ([(PRONE.name, PRONE)] if figure.prone else [])
    if state.phase is Phase.EXPLORE:  # who explores waits for no initiative
        found = [(word, each) for word, each in found if each is not SURPRISED]
    return tuple(Badge(each.icon, word.capitalize(), each.sentence, each.cited) for word, each in found)


def sheet(state: CountState, creature: str) -> Sheet:
    """A creature's sheet: bonuses, weapon, slots."""
    who = state.setup.index[creature]
    being, figure = state.being(who), state.figures[who]
    lines = [_weapon_line(state, who)]
    if figure.hand and loaded(figure, figure.hand, state.second):
        lines.append(Line("Loaded", "to aim and to loose", "countup.md §2.5"))
    if figure.shield:
        shield = state.setup.armoury.shields[figure.shield]
        gives = text("+{defence} defence, DR {reduction}", shield.defence, shield.reduction)
        lines.append(Line(shield.name, gives, "countup.md §2.2"))
    lines += [Line(name, "carried", "countup.md §5.1") for name in being.weapons if name != figure.hand]
    lines += _kept(being, figure)
    if figure.purse:
        lines.append(Line(coins(figure.purse), "in the purse", "countup.md §2.11"))
    lines += [Line(key, "key", "countup.md §2.11") for key in figure.keys]
    worth = state.setup.armoury.treasury.worth_told
    lines += [Line(item, worth(item) or "taken along", "countup.md §2.11") for item in figure.pack]
    lines.append(Line("Damage reduction", str(being.reduction), "countup.md §2.1"))
    pain = text("{pain}, trauma {trauma}", being.pain, being.trauma) if being.pain else "immune"
    lines.append(Line("Threshold of pain", pain, "countup.md §2.4"))
    if figure.helpless > state.second:
        told = ntext(figure.helpless - state.second, "{n} second more", "{n} seconds more")
        until = text("until second {second}, {told}", figure.helpless, told)
        lines.insert(0, Line("Helpless", until, "countup.md §4", "coral"))
    slot = next_at(state, who)
    if state.phase is not Phase.EXPLORE:
        lines.append(Line("Next slot", text("second {slot}", slot) if slot > state.second else "now", "countup.md §1"))
    lines.append(Line("Faces", DIRECTIONS[figure.facing], "countup.md §3"))
    lines += [_spell_line(state, being, figure, name) for name in dict.fromkeys(being.spells)]
    bars = [Bar("Hit points", figure.hp, being.hp_max)]
    if being.spell_points:
        bars.append(Bar("Spell points", figure.points, being.spell_points, "mana"))
    bonuses = {
        "Attack": being.attack, "Defence": being.defence, "Damage": being.damage, "Initiative": being.initiative,
    }  # fmt: skip
    subtitle: str = text("{kind} · {status}", being.kind or being.size, status(state, who).capitalize())
    if state.phase is Phase.EXPLORE and state.explore is not None:
        subtitle = joined(" · ", (subtitle, text("Exploration, minute {minute}", state.explore.minute)))
    return Sheet(
        id=being.id, name=being.name, subtitle=subtitle, art=being.art, side=being.side, bars=tuple(bars),
        stats=tuple((name, signed(value)) for name, value in bonuses.items()), lines=tuple(lines),
        badges=badges(state, figure),
    )  # fmt: skip


def _kept(being: Being, figure: Figure) -> list[Line]:
    """What a character that lasts has besides: wounds one by one, what is left to shoot, things."""
    found = list[Line]()
    if wounds := [str(wound) for wound in figure.wounds or () if wound]:
        found.append(Line("Wounds", joined(", ", wounds), "countup.md §9.4", "coral"))
    if figure.ammunition != UNCOUNTED:
        found.append(Line("Ammunition", str(figure.ammunition), "countup.md §9.3"))
    if being.items:
        found.append(Line("Items", joined(", ", being.items), "countup.md §9.3"))
    return found


def _weapon_line(state: CountState, who: CreatureIx) -> Line:
    """What is in hand: how fast, its dice, how far."""
    weapon = state.weapon(who)
    jab = text(" ({jab})", speed_of(state, who, weapon, JAB)) if weapon.jab else ""
    dice = "+".join(die.text for die in weapon.harm.dice)
    reach = text("reach {reach} ft", f"{weapon.reach:g}")
    far = text("to {far} ft", weapon.brackets[-1]) if weapon.only_ranged else reach
    told = text("speed {speed}{jab}, {dice}, {far}", speed_of(state, who, weapon), jab, dice, far)
    return Line(weapon.name, told, "countup.md §5.1")


def summary(state: CountState) -> dict[str, Any]:
    """The state as `--state` prints it."""
    field = state.setup.field
    creatures = {}
    for i, (being, figure) in numbered(zip(state.setup.beings, state.figures, strict=True)):
        creatures[being.id] = {
            "hp": figure.hp, "at": list(field.at(figure.cell)) if figure.cell >= 0 else None,
            "status": "fled" if figure.fled else status(state, i),
            "posture": "prone" if figure.prone else "standing",
            "conditions": [word for word, _ in shown(figure, state.second)],
            "facing": figure.facing, "init": figure.init, "due": figure.due, "weapon": figure.hand,
            "shield": figure.shield, "helpless": figure.helpless,
            **({"spell_points": figure.points} if being.spell_points else {}),
            **({"keys": list(figure.keys)} if figure.keys else {}), **({"purse": figure.purse} if figure.purse else {}),
            **({"pack": list(figure.pack)} if figure.pack else {}),
            **({"lasting": _lasting(figure)} if being.lasting else {}),
        }  # fmt: skip
    over = (state.winner or NOBODY) if state.phase is Phase.OVER else None
    return {
        **({"exploration": exploration.summary(MINUTES, state)} if state.explore is not None else {}),
        **(goals.summary(state, over=over) if state.aims is not None else {}),
        "turn": state.second, "round": state.second, "second": state.second, "phase": state.phase.value,
        "acting": [state.setup.beings[i].id for i in first_creatures(len(state.figures)) if waits(state, i)],
        "over": over,
        "creatures": creatures,
        "floor": [{"item": item, "at": list(field.at(cell))} for item, cell in state.floor],
    }  # fmt: skip


def _lasting(figure: Figure) -> dict[str, Any]:
    """What a character keeps after the fight."""
    return {
        "wounds": list(figure.wounds or ()), "shield": figure.shield or figure.slung, "ammunition": figure.ammunition,
        "prayed": list(figure.prayed),
    }  # fmt: skip


def _spell_line(state: CountState, being: Being, figure: Figure, name: str) -> Line:
    """A spell with its price, or how often it is still granted."""
    spell = state.setup.armoury.spells[name]
    left = text("{n} left", prayers_left(being, figure, spell))
    return Line(name, left if spell.divine else text("{n} points", points_for(being, spell)), "countup.md §5.4")
