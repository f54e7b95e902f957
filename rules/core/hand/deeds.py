"""Each deed of the game master's hand: why it makes no sense now, and what it does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

from msgspec.structs import replace

from rules.board.bitboard import board_of
from rules.board.fixtures import DOOR_STATES, DoorState
from rules.contract.actions import Action
from rules.contract.errors import BattlematError, RecordError, said
from rules.contract.events import Inscribed, Moved, Note, Revealed, Summoned
from rules.contract.hand import GAME_MASTER, HIDDEN, Deed, Lain
from rules.contract.text import joined, text
from rules.contract.units import EMPTY, NOWHERE, Bitboard, Cell, CreatureIx, numbered
from rules.core import secrets
from rules.core.dice import Dice, parse, roll
from rules.core.hand.base_hands import BaseHands, Refusal
from rules.core.record import on_sheet, unpacked
from rules.core.validate import nearest

MOST_WORDS = 200
"""Letters of a note on a space."""
MOST_NOTES = 200
MOST_DICE = 100
"""Dice that are thrown at once."""
LONGEST_NAME = 60
MOST_CREATURES = 500
"""As many as a record may begin with."""


def _no_add(hands: BaseHands[Any], state: Any, action: Action) -> Refusal:
    if action.creature is None:
        return "creature: needs a stat block, or a template, with id, side and at"
    if len(state.figures) >= MOST_CREATURES:
        return text("creature: there are {most} creatures already, and no more may come", MOST_CREATURES)
    entry = unpacked(action.creature)
    name, side = entry.get("id"), entry.get("side")
    if not isinstance(name, str) or not name or not isinstance(side, str) or not side:
        return "creature: needs an id and a side"
    if reason := _no_name(hands, state, name):
        return reason
    if side in state.setup.index or side == GAME_MASTER:
        return text("creature: side: {side} is the id of a creature", repr(side))
    try:
        hands.arrive(hands.begin(state), on_sheet(entry, state.setup.field, "creature"), "creature")
    except RecordError as error:
        return said(error)
    return None


def _no_name(hands: BaseHands[Any], state: Any, name: str) -> Refusal:
    if name in state.setup.index:
        return text("creature: id {name} is taken; ids differ", repr(name))
    if name in ("gm", GAME_MASTER) or any(body.side == name for body in hands.bodies(state)):
        return text("creature: id {name} is kept for the game master, or for the side of that name", repr(name))
    return None


def _add(hands: BaseHands[Any], resolution: Any, action: Action) -> None:
    entry = on_sheet(unpacked(action.creature or "{}"), resolution.setup.field, "creature")
    who = hands.arrive(resolution, entry, "creature")
    body = hands.bodies(resolution)[who]
    at = resolution.space(resolution.figures[who].cell)
    resolution.events.append(Summoned(target=body.id, name=body.name, gained=True, at=at))
    hands.meet_sides(resolution, body.side)
    hands.settle_in(resolution, who)


def _no_remove(hands: BaseHands[Any], state: Any, action: Action) -> Refusal:
    who, reason = hands.creature(state, action.target)
    if reason is None and hands.place_of(state, who) < 0:
        return text("target: {name} is not on the board", repr(action.target))
    return reason


def _remove(hands: BaseHands[Any], resolution: Any, action: Action) -> None:
    who: CreatureIx = resolution.setup.index[action.target or ""]
    body, cell = hands.bodies(resolution)[who], resolution.figures[who].cell
    at = resolution.space(cell) if cell >= 0 else None
    resolution.events.append(Summoned(target=body.id, name=body.name, gained=False, at=at))
    _unbound(resolution, who)
    now = resolution.explore
    if now is not None:
        hands.course.grow(resolution)
        hands.course.mark(resolution, who, parked=NOWHERE, seeks=NOWHERE, hides=0)
        hands.course.note(resolution, roused=resolution.explore.roused & ~(1 << who))
    hands.depart(resolution, who)


def _unbound(resolution: Any, who: CreatureIx, cell: Cell = NOWHERE) -> bool:
    """A prisoner is moved to a cell, or taken away; False for whoever is none."""
    aims = resolution.aims
    if aims is None or all(bound != who for bound, _ in aims.bound):
        return False
    kept = tuple((one, cell if one == who else there) for one, there in aims.bound if one != who or cell >= 0)
    resolution.aims = replace(aims, bound=kept)
    return True


def _no_move(hands: BaseHands[Any], state: Any, action: Action) -> Refusal:
    who, reason = hands.creature(state, action.target)
    if reason is not None:
        return reason
    if hands.place_of(state, who) < 0:
        return text("target: {name} is not on the board; raise it there", repr(action.target))
    if hands.place_of(state, who) == action.at:
        return text("at: {name} is there already", action.target or "")
    if hands.fallen(state, who):
        return _no_ground(hands, state, who, action.at)
    return hands.no_room(state, who, action.at)


def _no_ground(hands: BaseHands[Any], state: Any, who: CreatureIx, cell: Cell | None) -> Refusal:
    """Why somebody who has fallen can't lie on a space; others may stand over it."""
    if cell is None:
        return "at: needs a space, [column, row]"
    if not state.terrain.fits(cell, hands.bodies(state)[who].space):
        column, row = state.setup.field.at(cell)
        return text("at: nobody can lie on [{column}, {row}]; a free space is needed", column, row)
    return None


def _move(hands: BaseHands[Any], resolution: Any, action: Action) -> None:
    who: CreatureIx = resolution.setup.index[action.target or ""]
    cell, body = action.at, hands.bodies(resolution)[who]
    assert cell is not None
    if resolution.figures[who].cell >= 0:
        start = resolution.space(resolution.figures[who].cell)
        resolution.change(who, cell=cell)
        resolution.events.append(Moved(by=body.id, mode="placed", start=start, path=(resolution.space(cell),)))
        hands.displaced(resolution, who)
        return
    if not _unbound(resolution, who, cell):
        hands.course.mark(resolution, who, parked=cell)
    said_so = text("{name} waits elsewhere.", body.name)
    resolution.events.append(Note(text=said_so, seen_by=(GAME_MASTER,)))


def _no_set(hands: BaseHands[Any], state: Any, action: Action) -> Refusal:
    who, reason = hands.creature(state, action.target)
    if reason is not None:
        return reason
    pools = hands.pools_of(state, who)
    pool = next((each for each in pools if each.name == action.option), None)
    if pool is None:
        known = joined(", ", (each.name for each in pools))
        return text("option: {what} is nothing that {name} has; there are {known}", repr(action.option),
                    action.target or "", known)  # fmt: skip
    if action.rating is None:
        return text("rating: needs what {pool} shall be, {least} to {most}", pool.name, pool.least, pool.most)
    if not pool.least <= action.rating <= pool.most:
        wrong = "rating: {value} is not from {least} to {most}, as {pool} goes"
        return text(wrong, action.rating, pool.least, pool.most, pool.name)
    return None


def _set(hands: BaseHands[Any], resolution: Any, action: Action) -> None:
    who: CreatureIx = resolution.setup.index[action.target or ""]
    pool = next(each for each in hands.pools_of(resolution, who) if each.name == action.option)
    value = action.rating or 0
    hands.amended(resolution, who, pool.name, str(pool.now), str(value))
    if value != pool.now:
        hands.set_pool(resolution, who, pool.name, value)


def _no_condition(hands: BaseHands[Any], state: Any, action: Action) -> Refusal:
    who, reason = hands.creature(state, action.target)
    if reason is not None:
        return reason
    held = dict(hands.conditions_of(state, who))
    if action.option not in held:
        near = nearest(action.option or "", held)
        hint = near if near is not None else joined(", ", held)
        return text("option: {what} is no condition to be given or taken; there is {hint}", repr(action.option), hint)
    gives = action.do == Deed.GIVE
    if held[action.option] == gives:
        words = "option: {name} is {condition} already" if gives else "option: {name} is not {condition}"
        return text(words, name=action.target or "", condition=action.option)
    if not gives:
        return None
    if action.rating is not None and not 1 <= action.rating <= 10_000:
        return text("rating: {value} is not from 1 to 10000; left out, it lasts until it is ended", action.rating)
    if hands.gone(state, who):
        return text("target: {name} is not on the board", repr(action.target))
    return hands.cannot_have(state, who, action.option)


def _give(hands: BaseHands[Any], resolution: Any, action: Action) -> None:
    who: CreatureIx = resolution.setup.index[action.target or ""]
    hands.give(resolution, who, action.option or "", action.rating)


def _take(hands: BaseHands[Any], resolution: Any, action: Action) -> None:
    who: CreatureIx = resolution.setup.index[action.target or ""]
    hands.take(resolution, who, action.option or "")


def _no_raise(hands: BaseHands[Any], state: Any, action: Action) -> Refusal:
    who, reason = hands.creature(state, action.target)
    if reason is not None:
        return reason
    if not hands.fallen(state, who) and not hands.gone(state, who):
        return text("target: {name} is up; only who has fallen or gone is raised", repr(action.target))
    points = hands.pools_of(state, who)[0]
    if action.rating is not None and not 1 <= action.rating <= max(1, points.most):
        return text("rating: {value} is not from 1 to {most}", action.rating, max(1, points.most))
    if action.at is not None:
        return hands.no_room(state, who, action.at)
    place = hands.place_of(state, who)
    if place < 0:
        return text("at: {name} lies nowhere on the board: needs a space, [column, row]", action.target or "")
    if hands.room(hands.begin(state), who, place) < 0:
        return "at: there is no room near where it lies: needs a space, [column, row]"
    return None


def _raise(hands: BaseHands[Any], resolution: Any, action: Action) -> None:
    who: CreatureIx = resolution.setup.index[action.target or ""]
    body, points = hands.bodies(resolution)[who], hands.pools_of(resolution, who)[0]
    lay = resolution.figures[who].cell
    cell = action.at if action.at is not None else hands.room(resolution, who, hands.place_of(resolution, who))
    value = action.rating if action.rating is not None else max(1, points.most)
    hands.amended(resolution, who, points.name, str(points.now), str(value))
    hands.lift(resolution, who, value)
    resolution.change(who, cell=cell)
    if lay < 0:
        there = resolution.space(cell)
        resolution.events.append(Summoned(target=body.id, name=body.name, gained=True, at=there))
    elif lay != cell:
        start, path = resolution.space(lay), (resolution.space(cell),)
        resolution.events.append(Moved(by=body.id, mode="placed", start=start, path=path))
    if resolution.aims is not None:
        resolution.aims = replace(resolution.aims, away=resolution.aims.away & ~(1 << who))
    if resolution.explore is not None:
        hands.course.grow(resolution)
        hands.course.mark(resolution, who, parked=NOWHERE)
    if hands.started(resolution):
        hands.course.join(resolution, who)
    hands.alarm(resolution, who)


def _no_side(hands: BaseHands[Any], state: Any, action: Action) -> Refusal:
    who, reason = hands.creature(state, action.target)
    if reason is not None:
        return reason
    side = action.option or ""
    if not side or len(side) > 40 or side in state.setup.index or side in ("gm", GAME_MASTER):
        return text("option: {side} is no side; it needs a word that is nobody's id", repr(side))
    if hands.bodies(state)[who].side == side:
        return text("option: {name} is on the side of {side} already", action.target or "", side)
    return None


def _side(hands: BaseHands[Any], resolution: Any, action: Action) -> None:
    who: CreatureIx = resolution.setup.index[action.target or ""]
    was, side = hands.bodies(resolution)[who].side, action.option or ""
    hands.with_body(resolution, who, side=side)
    resolution.change(who)  # what is remembered of this very figure is of its old side
    hands.amended(resolution, who, "side", was, side)
    hands.meet_sides(resolution, side)
    if resolution.explore is not None:
        hands.course.grow(resolution)
        hands.course.note(resolution, roused=resolution.explore.roused & ~(1 << who))
    hands.displaced(resolution, who)
    hands.alarm(resolution, who)


PLAYERS: tuple[Literal["human"], Literal["ai"]] = ("human", "ai")


def _no_player(hands: BaseHands[Any], state: Any, action: Action) -> Refusal:
    who, reason = hands.creature(state, action.target)
    if reason is not None:
        return reason
    if action.option not in PLAYERS:
        return text("option: {what} is neither human nor ai", repr(action.option))
    if hands.bodies(state)[who].controller == action.option:
        return text("option: {name} is played so already", action.target or "")
    return None


def _player(hands: BaseHands[Any], resolution: Any, action: Action) -> None:
    who: CreatureIx = resolution.setup.index[action.target or ""]
    was, now = hands.bodies(resolution)[who].controller, action.option or "ai"
    hands.with_body(resolution, who, controller=now)
    hands.amended(resolution, who, "player", was, now)


def _no_door(hands: BaseHands[Any], state: Any, action: Action) -> Refusal:
    names = [str(door.id) for door in state.setup.field.doors]
    if action.target is None or action.target not in names:
        near = nearest(action.target or "", names)
        there = near if near is not None else joined(", ", names) or "none"
        return text("target: no door is called {name}; there is {there}", repr(action.target), there)
    if action.option not in DOOR_STATES:
        return text("option: {what} is none of {states}", repr(action.option), joined(", ", DOOR_STATES))
    number = names.index(action.target)
    if state.doors[number] == action.option:
        return text("option: {name} is {state} already", action.target, str(action.option))
    door = state.setup.field.doors[number]
    if state.doors[number] == DoorState.OPEN and door.edge is None:
        for who, figure in numbered(state.figures):
            own = state.terrain.footprint(figure.cell, hands.bodies(state)[who].space) if figure.cell >= 0 else EMPTY
            if own >> door.cell & 1:
                return text("target: {name} is in the doorway", hands.bodies(state)[who].name)
    return None


def _door(hands: BaseHands[Any], resolution: Any, action: Action) -> None:
    names = [door.id for door in resolution.setup.field.doors]
    hands.set_door(resolution, names.index(action.target or ""), action.option or "")


def _no_reveal(hands: BaseHands[Any], state: Any, action: Action) -> Refusal:
    sides = [*dict.fromkeys(body.side for body in hands.bodies(state))]
    if action.option is not None and action.option not in sides:
        return text("option: {side} is no side; there are {sides}", repr(action.option), joined(", ", sides))
    if action.target is None:
        return None if action.path else "target: needs who hides, or a secret's name; or path: the spaces to be shown"
    hidden = dict(hands.hidden(state))
    if action.target in hidden:
        return None
    known = joined(", ", hidden) or "nothing"
    return text("target: {name} does not hide; there is {known}", repr(action.target), known)


def _reveal(hands: BaseHands[Any], resolution: Any, action: Action) -> None:
    state = resolution.state
    every: tuple[str, ...] = (action.option,) if action.option else ()
    sides = every or tuple(dict.fromkeys(body.side for body in hands.bodies(state)))
    seen_by = every
    if action.target is None:
        cells = board_of(action.path)
        shown = dict[str, Bitboard](hands.kept(state).shown)
        for side in sides:
            shown[side] = Bitboard(shown.get(side, EMPTY) | cells)
        hands.remember(resolution, shown=tuple(sorted(shown.items())))
        spaces = len(set(action.path))
        resolution.events.append(Revealed(what="ground", spaces=spaces, seen_by=seen_by))
        return
    name = action.target
    what, who = dict(hands.hidden(state))[name], state.setup.index.get(name)
    if what == "creature" and who is not None:
        hands.unhide(resolution, who)
        resolution.events.append(Revealed(what=what, name=hands.bodies(state)[who].name))
        return
    field = state.setup.field
    secret = next(i for i, one in enumerate((*field.doors, *field.challenges)) if one.id == name)
    for side in sides:
        resolution.found = secrets.with_secret(resolution.found, side, secret)
    resolution.events.append(Revealed(what=what, name=name, seen_by=seen_by))


def _no_check(hands: BaseHands[Any], state: Any, action: Action) -> Refusal:
    who, reason = hands.creature(state, action.target)
    if reason is not None:
        return reason
    trials = hands.trials_of(state, who)
    trial = next((each for each in trials if each.name == action.option), None)
    if trial is None:
        near = nearest(action.option or "", (each.name for each in trials))
        there = near if near is not None else joined(", ", (each.name for each in trials))
        return text("option: {what} is no check for {name}; there is {there}", repr(action.option),
                    action.target or "", there)  # fmt: skip
    if action.rating is None or not trial.least <= action.rating <= trial.most:
        return text("rating: needs a number from {least} to {most}", trial.least, trial.most)
    return None


def _check(hands: BaseHands[Any], resolution: Any, action: Action) -> None:
    who: CreatureIx = resolution.setup.index[action.target or ""]
    hands.test(resolution, who, action.option or "", action.rating or 0)


def _no_dice(hands: BaseHands[Any], state: Any, action: Action) -> Refusal:
    if action.item not in (None, HIDDEN):
        return text("item: {what} is not hidden; left out, all see the dice", repr(action.item))
    try:
        wanted = parse(action.option or "")
    except BattlematError as error:
        return text("option: {error}", said(error))
    if wanted.count > MOST_DICE:
        return text("option: {count} dice are more than {most}", wanted.count, MOST_DICE)
    return None


def _dice(hands: BaseHands[Any], resolution: Any, action: Action) -> None:
    wanted, dice = parse(action.option or ""), resolution.dice
    assert isinstance(dice, Dice)
    thrown = roll(dice, "dice", wanted.count, wanted.rank, by="", exploding=wanted.exploding)
    total = thrown.total + wanted.adjustment
    told = text("{dice}: {total}", (action.option or "").strip(), total)
    seen_by = (GAME_MASTER,) if action.item == HIDDEN else ()
    resolution.events.append(Note(text=told, rolls=(thrown,), seen_by=seen_by, passing=True))


def _no_note(hands: BaseHands[Any], state: Any, action: Action) -> Refusal:
    if action.at is None:
        return "at: needs a space, [column, row]"
    if action.item not in (None, HIDDEN):
        return text("item: {what} is not hidden; left out, all may read it", repr(action.item))
    lies = any(note.cell == action.at for note in hands.kept(state).notes)
    if not action.option:
        return None if lies else "option: needs words; there is no note to be taken away"
    if len(action.option) > MOST_WORDS or not action.option.isprintable():
        return text("option: a note has one line of at most {most} letters", MOST_WORDS)
    if not lies and len(hands.kept(state).notes) >= MOST_NOTES:
        return text("option: there are {most} notes already", MOST_NOTES)
    return None


def _note(hands: BaseHands[Any], resolution: Any, action: Action) -> None:
    cell, words = action.at, action.option or ""
    assert cell is not None
    before = [note for note in hands.kept(resolution.state).notes if note.cell == cell]
    kept = [note for note in hands.kept(resolution.state).notes if note.cell != cell]
    hidden = action.item == HIDDEN if words else any(note.hidden for note in before)
    if words:
        kept.append(Lain(cell, words, hidden))
    hands.remember(resolution, notes=tuple(sorted(kept, key=lambda note: note.cell)))
    seen_by = (GAME_MASTER,) if hidden else ()
    resolution.events.append(Inscribed(at=resolution.space(cell), words=words, seen_by=seen_by))


_TABLE: tuple[tuple[Deed, str, Callable[..., Refusal], Callable[..., None]], ...] = (
    (Deed.ADD, "Add a creature", _no_add, _add),
    (Deed.REMOVE, "Take off the board", _no_remove, _remove),
    (Deed.MOVE, "Put elsewhere", _no_move, _move),
    (Deed.SET, "Set points", _no_set, _set),
    (Deed.GIVE, "Give a condition", _no_condition, _give),
    (Deed.TAKE, "Take a condition", _no_condition, _take),
    (Deed.RAISE, "Raise", _no_raise, _raise),
    (Deed.SIDE, "Change side", _no_side, _side),
    (Deed.PLAYER, "Change player", _no_player, _player),
    (Deed.DOOR, "Change a door", _no_door, _door),
    (Deed.REVEAL, "Reveal", _no_reveal, _reveal),
    (Deed.CHECK, "Call for a check", _no_check, _check),
    (Deed.DICE, "Throw dice", _no_dice, _dice),
    (Deed.NOTE, "Write a note", _no_note, _note),
)
LABELS: Mapping[str, str] = {deed: label for deed, label, _, _ in _TABLE}
REFUSES = {deed: refuses for deed, _, refuses, _ in _TABLE}
DOES = {deed: does for deed, _, _, does in _TABLE}
