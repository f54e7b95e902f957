"""The board, the sheets and the summary that windows and `battlemat replay --state` show."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rules.board.bitboard import board_of
from rules.cairn import conditions as cond
from rules.cairn.actions.legal import ACTION_KINDS
from rules.cairn.arriving import ARRIVING
from rules.cairn.combat.injury import HOUR, MINUTE, SCARS, armor_of
from rules.cairn.explore.turns import TURNS
from rules.cairn.gear import SLOTS
from rules.cairn.state import (
    EXPLORE_PHASE,
    PURSE,
    STANDING,
    WORDS,
    Being,
    CairnState,
    Figure,
    planning,
    plans_now,
    shown_hp,
    sitting_out,
)
from rules.contract import display as shown
from rules.contract.text import Text, joined, ntext, text
from rules.contract.units import CreatureIx, numbered
from rules.core.fixtures.challenges import held_shut, mark_of, rubble_marks
from rules.core.fixtures.contents import coins
from rules.core.secrets import Kind, doors_known, knows, viewers
from rules.explore import course as exploring
from rules.explore import display as exploration
from rules.explore import goals

_TOP_BADGES = 6


def board(state: CairnState) -> shown.Board:
    """The whole table as far as the state knows it."""
    minis = tuple(_miniature(state, i) for i, f in numbered(state.figures) if f.cell >= 0)
    floor = tuple(shown.FloorItem(lying.item, lying.cell) for lying in state.floor)
    over = state.winner if state.phase == "over" else None
    caption = text("Round {round}, {side}", state.round, state.setup.side_at(state.half))
    if state.phase == EXPLORE_PHASE or (over is not None and state.setup.crawl):  # an evening ends where it explored
        caption = text("Dungeon turn {turn}", exploring.explored(state).minute)
    ground = tuple(_ground(state))
    board = shown.Board(minis, _order(state), caption, doors(state), floor, over, ground=ground, plans=_plans(state))
    if state.phase == EXPLORE_PHASE:
        turn = text("Exploration, dungeon turn {turn}", exploring.explored(state).minute)
        board = exploration.shown(TURNS, board, state, _eyes(state), turn)
    board = exploration.yielded(board, state, state.setup.beings, _miniature)
    if state.waves:
        board = ARRIVING.shown(board, state, _miniature)
    return board if state.aims is None else goals.shown(board, state, state.setup.beings, _miniature)


def doors(state: CairnState) -> tuple[str, ...]:
    """How each door stands for those whose secrets the table shows."""
    return doors_known(state.doors, state.found, _eyes(state)) if state.found else state.doors


def _eyes(state: CairnState) -> tuple[str, ...]:
    """Whose secrets the table shows."""
    return viewers(state.viewer, state.setup.beings, state.setup.sides)


_LAID = {
    "trap": "d6 on treading here unwitting: 1 or 2 springs it. {dice} STR; Armor counts.",
    "trap_done": "Sprung.",
    "chest": "Locked: a STR save breaks it open.",
    "chest_done": "Open.",
    "chest_closed": "Closed, not locked.",
    "trap_disarmed": "Disarmed.",
    "climb": "Clambered over: difficult ground.",
    "water": "Waded through: difficult ground.",
    "rubble": "Difficult ground.",
}
"""What a map's traps, chests and obstacles say of themselves."""
_ASKS = {
    "climb": "Climbed by a STR or DEX save, the better; failed, one falls.",
    "water": "Each space is swum by a STR save; failed in the water: d4 STR.",
}
"""The same of obstacles where they ask for more than patience."""
_BARS = "Nobody walks over it: each space is cleared by a STR save."
"""The same of rubble with the option `hurdles`."""


def _ground(state: CairnState) -> Iterator[shown.GroundMark]:
    """The ground that powers changed; traps and chests that are known, how they stand, and what is in the way."""
    for laid, zone in ((zone.kind, zone) for zone in state.zones if zone.kind.mark):
        left = text(" For {rounds} rounds yet.", zone.rounds) if zone.rounds else ""
        yield shown.GroundMark(laid.mark, laid.label, zone.cells, laid.text + left, "cairn.md §5.5")
    field, sides = state.setup.field, _eyes(state)
    for number, one in enumerate(field.challenges):
        if not any(knows(field, state.found, side, number) for side in sides):
            continue
        stands = state.challenges[number]
        kind = mark_of(one, stands)
        said: str = Text.of(_LAID.get(f"{one.kind}_{stands}", _LAID[kind]), dice=one.damage or "d6")
        if state.setup.fixtures and one.kind in _ASKS:
            said = _ASKS[one.kind]
        if one.kind == Kind.RUBBLE and state.setup.hurdles:
            yield from rubble_marks(one, state.cleared, _BARS, "cairn.md §2.14")
        elif one.edges and state.setup.fixtures:
            yield shown.GroundMark("ledge", one.id, board_of(one.cells), said, "cairn.md §2.14", edges=one.edges)
        elif not one.edges:
            locked = held_shut(one, stands, state.setup.beings, state.figures, sides)
            yield shown.GroundMark(kind, one.id, board_of(one.cells), said, "cairn.md §1", locked=locked)


def _plans(state: CairnState) -> tuple[shown.Planned, ...]:
    """What has been declared so far, in the order in which it was."""
    planned = []
    for who, plan in numbered(state.plans):
        if plan is not None and state.figures[who].cell >= 0:
            action, name = plan.action, state.setup.beings[who].id
            if action is None:
                word = "Stand up" if plan.stand else "" if plan.path else "Wait"
                planned.append(shown.Planned(name, plan.path, None, word))
            else:
                word = ACTION_KINDS[action.do].word(action)
                planned.append(shown.Planned(name, plan.path + action.path, action.target, word))
    return tuple(planned)


def _order(state: CairnState) -> tuple[shown.Turn, ...]:
    """Who plans now; then who of their side lost this half; then who is to come."""
    here = planning(state)
    beings = state.setup.beings
    done = {i for i in here if (plan := state.plans[i]) is not None and plan.done}
    now = [shown.Turn(beings[i].id, active=i not in done, planned=i in done) for i in here]
    now += [shown.Turn(beings[i].id, done=True) for i in sitting_out(state)]
    later = [
        shown.Turn(beings[i].id)
        for side in state.setup.sides[state.half + 1 :]
        for i, f in numbered(state.figures)
        if beings[i].side == side and f.cell >= 0 and not f.dead and not f.critical
    ]
    return (*now, *later)


def _miniature(state: CairnState, who: CreatureIx) -> shown.Miniature:
    being, figure = state.setup.beings[who], state.figures[who]
    plan, now, plans = state.plans[who], figure.status, plans_now(state, who)
    left = (0 if plan and plan.moved else 1) + (0 if plan and plan.action else 1)
    health, second = _bars(state, who)
    return shown.Miniature(
        id=being.id, name=being.name, side=being.side, cell=figure.cell, art=being.art, size=being.space,
        health=health, second=second, points=shown.Bar("Move and action", left if plans else 0, 2, "points"),
        status=now, posture=figure.posture, badges=badges(figure), active=plans and not (plan and plan.done),
        out=now in ("dead", "incapacitated"), dead=now == "dead",
    )  # fmt: skip


def conditions(figure: Figure) -> list[str]:
    """Names of the conditions that hold, in a fixed order."""
    bare = (
        (cond.CRITICAL, figure.critical), (cond.STABLE, figure.stable), (cond.DOOMED, figure.doomed),
        (cond.LAME, figure.lame), (cond.ONE_ARMED, figure.one_armed),
        (cond.PARALYSED, figure.dex_now <= 0 < figure.dex_max and not figure.has(cond.PARALYSED)),
        (cond.DELIRIOUS, figure.wil_now <= 0 < figure.wil_max),
    )  # fmt: skip
    out = [condition.name for condition, holds in bare if holds]
    return out + [each.name for each in figure.lasting if each.name not in cond.HIDDEN]


def badges(figure: Figure) -> tuple[shown.Badge, ...]:
    """Conditions and posture as badges."""
    words = conditions(figure) + ([figure.posture] if figure.posture != STANDING else [])
    out = []
    for word in words[:_TOP_BADGES]:
        known = cond.condition_named(word)
        says, rule = (known.text, known.rule) if known.text else (word.capitalize() + ".", "cairn.md §4")
        out.append(shown.Badge(known.picture, word.capitalize(), says, rule))
    if figure.fatigue:
        tired = cond.FATIGUE
        out.append(shown.Badge(tired.picture, text("Fatigue {fatigue}", figure.fatigue), tired.text, tired.rule))
    return tuple(out)


def sheet(state: CairnState, creature: str) -> shown.Sheet:
    """A creature's sheet: attributes, armour, slots and what fills them."""
    who = state.setup.index[creature]
    being, figure = state.setup.beings[who], state.figures[who]
    setup = state.setup
    scores = ((WORDS[key], figure.score(key), getattr(figure, f"{key}_max")) for key in WORDS)
    stats = tuple((name, str(now) if now == top else f"{now}/{top}") for name, now, top in scores)
    stats += (("Armor", str(armor_of(setup, being, figure))),)
    lines = []
    if left := figure.clock:
        within: str = text("dead in {minutes} minutes without help", -(-left // MINUTE))
        if left <= MINUTE or left >= HOUR:
            within = "dead within a minute without help" if left <= MINUTE else "dead in an hour without help"
        lines.append(shown.Line("Dying", within, "cairn.md §2.4", "coral"))
    if not being.pc:  # who has slots has all in the pack below
        lines += [shown.Line(item, "in hand", "cairn.md §5") for item in figure.hands]
        slots = ((item, setup.armoury.slots(item)) for item in figure.pack)
        sizes = ((item, ntext(count, "{n} slot", "{n} slots") if count else "petty") for item, count in slots)
        lines += [shown.Line(item, size, "cairn.md §4") for item, size in sizes]
    lines += [shown.Line(SCARS[row].name, SCARS[row].left, "cairn.md §4") for row in figure.scars]
    lines += [shown.Line(each.name, each.notation(), "cairn.md §5.6") for each in being.attacks]
    lines += [shown.Line(name, setup.armoury.powers[name].text, "cairn.md §5.5") for name in being.powers]
    kind = being.kind or ("detachment" if being.detachment else "")
    when: str = text("Round {round}", state.round)
    if state.phase == EXPLORE_PHASE:
        when = text("Exploration, dungeon turn {turn}", exploring.explored(state).minute)
    subtitle = (part for part in (kind, figure.status.capitalize(), when) if part)
    return shown.Sheet(
        id=being.id, name=being.name, subtitle=joined(" · ", subtitle), art=being.art, side=being.side,
        bars=_bars(state, who), stats=stats, lines=tuple(lines), badges=badges(figure),
        pack=_pack(state, being, figure) if being.pc else None,
    )  # fmt: skip


def _bars(state: CairnState, who: CreatureIx) -> tuple[shown.Bar, shown.Bar]:
    figure, counted = state.figures[who], shown_hp(state.setup, state.setup.beings[who], state.figures[who])
    return shown.Bar("Hit Protection", counted, figure.hp_max), shown.Bar("STR", figure.str_now, figure.str_max)


def _pack(state: CairnState, being: Being, figure: Figure) -> shown.Pack:
    """The ten slots and what fills them; Fatigue comes last, one slot each (cairn.md §2.10, §4)."""
    slots = state.setup.armoury.slots
    held = [shown.Stowed(item, slots(item), "in hand") for item in figure.hands]
    worth = state.setup.armoury.treasury.worth_told
    held += [shown.Stowed(item, slots(item), worth(item)) for item in figure.pack]
    if figure.purse:
        held.append(shown.Stowed(coins(figure.purse), figure.purse // PURSE))
    held += [shown.Stowed(key, 0) for key in figure.keys]
    held += [shown.Stowed("Fatigue", 1, tone="harm")] * figure.fatigue
    return shown.Pack("Slots", SLOTS, tuple(held))


def summary(state: CairnState) -> dict[str, Any]:
    """The state as `--state` prints it."""
    creatures = {}
    for i, (being, figure) in numbered(zip(state.setup.beings, state.figures, strict=True)):
        creatures[being.id] = {
            "hp": shown_hp(state.setup, being, figure), **{key: figure.score(key) for key in WORDS},
            "armor": armor_of(state.setup, being, figure),
            "at": list(state.setup.field.at(figure.cell)) if figure.cell >= 0 else None,
            "status": "fled" if figure.fled else figure.status, "posture": figure.posture,
            "conditions": conditions(figure), "fatigue": figure.fatigue, "scars": list(figure.scars),
            "hands": list(figure.hands), "pack": list(figure.pack), "planned": state.plans[i] is not None,
        }  # fmt: skip
        creatures[being.id] |= {"keys": list(figure.keys)} if figure.keys else {}
        creatures[being.id] |= {"purse": figure.purse} if figure.purse else {}
    over = (state.winner or shown.NOBODY) if state.phase == "over" else None
    return {
        **({"exploration": exploration.summary(TURNS, state)} if state.explore is not None else {}),
        **(goals.summary(state, over=over) if state.aims is not None else {}),
        "turn": state.round, "round": state.round, "phase": state.phase, "half": state.setup.side_at(state.half),
        "acting": [state.setup.beings[i].id for i in planning(state)],
        "over": over,
        "creatures": creatures,
        "floor": [{"item": lying.item, "at": list(state.setup.field.at(lying.cell))} for lying in state.floor],
    }  # fmt: skip
