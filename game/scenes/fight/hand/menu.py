"""The menu of the game master's hand: what may be done with whoever stands or lies on a space, and with the space."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from game.scenes.dialogs.panels import open_menu
from game.scenes.fight import spaces
from game.scenes.fight.hand import panels
from game.scenes.fight.hand.reaching import Reaching, plainly, why_not
from game.scenes.fight.model import FightModel
from game.widgets.menu import Line
from rules.board.fixtures import DoorState
from rules.contract.actions import Action
from rules.contract.display import Miniature
from rules.contract.hand import GAME_MASTER, Deed
from rules.contract.text import text, titled
from rules.contract.units import Cell

Entries = list[Line | None]
DOORS = {"open": "Open", "closed": "Close", "locked": "Lock", "barred": "Bar", "secret": "Hide"}
"""What is done to a door, by how it stands afterwards."""
AROUND = 2
"""Spaces around the one pointed at that are shown together."""


def open_hand(fight: FightModel, reaching: Reaching, cell: Cell | None, pos: tuple[int, int]) -> None:
    """The menu of what the hand may do with what is pointed at; a toast where it may do nothing."""
    if why := why_not(fight):
        fight.toast(why)
        return
    lines = entries(fight, reaching, cell)
    open_menu(fight.app, "Game master's hand", lines, pos, "What is done here goes into the log as the game master's.")


def line_of(fight: FightModel, reaching: Reaching, cell: Cell | None) -> Entries:
    """The line in the menu of what is pointed at that opens the hand's; none for who may not reach in."""
    if why_not(fight):
        return []
    more = tuple(entries(fight, reaching, cell))
    return [Line("Game master's hand", more=more, hint=fight.app.keys.shown("hand"), key="hand")]


def entries(fight: FightModel, reaching: Reaching, cell: Cell | None) -> Entries:
    """What may be done with whoever stands or lies on a space, with the space, and with nothing in particular."""
    here = [mini for mini in fight.board.miniatures if cell is not None and _covers(fight, mini, cell)]
    lines: Entries = []
    for mini in here:
        more = tuple(_creature(fight, reaching, mini))
        lines += more if len(here) == 1 else [Line(mini.name, more=more, key=f"who {mini.id}")]
    if cell is not None:
        lines += [None, *_space(fight, reaching, cell, taken=any(not mini.out for mini in here))]
    hidden = [Line(f"{titled(name)}", partial(_do, reaching, Deed.REVEAL, name), cost=what.replace("_", " "))
              for name, what in reaching.hand.hidden(fight.match.state)]  # fmt: skip
    lines += [None, Line("Throw dice…", partial(panels.throw_dice, fight, reaching), key="dice")]
    if hidden:
        lines.append(Line("Reveal", more=tuple(hidden), key="reveal"))
    return lines


def _covers(fight: FightModel, mini: Miniature, cell: Cell) -> bool:
    if mini.cell < 0:
        return False
    (column, row), (left, top) = fight.match.field.at(cell), fight.match.field.at(mini.cell)
    return 0 <= column - left < mini.size and 0 <= row - top < mini.size


def _do(reaching: Reaching, deed: Deed, target: str | None, **needs: object) -> None:
    reaching.order(deed, target, **needs)


def _creature(fight: FightModel, reaching: Reaching, mini: Miniature) -> Entries:
    who, state, hand = mini.id, fight.match.state, reaching.hand
    told = text("Click the space for {name}; Esc leaves it.", mini.name)
    give = panels.set_points, panels.call_check
    lines: Entries = [
        Line("Put elsewhere…", partial(reaching.point, told, partial(reaching.put, who)), key="put"),
        Line("Set points…", partial(give[0], fight, reaching, who), key="points"),
    ]
    if (held := hand.conditions(state, who)) and not mini.dead:
        lines.append(Line("Conditions", more=tuple(_conditions(reaching, who, held)), key="conditions"))
    if reaching.refusal(Action(GAME_MASTER, Deed.RAISE, target=who)) is None:
        lines.append(Line("Raise", partial(_do, reaching, Deed.RAISE, who), key="raise"))
    lines.append(Line("Call for a check…", partial(give[1], fight, reaching, who), key="check"))
    lines += _belonging(fight, reaching, mini)
    if any(name == who for name, _ in hand.hidden(state)):
        lines.append(Line("Reveal", partial(_do, reaching, Deed.REVEAL, who), key="unhide"))
    lines.append(Line("Take off the board", partial(_do, reaching, Deed.REMOVE, who), key="remove"))
    return lines


def _conditions(reaching: Reaching, who: str, held: Iterable[tuple[str, bool]]) -> Iterable[Line]:
    for name, has in held:
        deed = Deed.TAKE if has else Deed.GIVE
        why = reaching.refusal(Action(GAME_MASTER, deed, target=who, option=name))
        label = titled(name)
        if why is not None:
            yield Line(label, why=plainly(reaching.fight, why), on=has, key=name)
        else:
            yield Line(label, partial(_do, reaching, deed, who, option=name), on=has, key=name)


def _belonging(fight: FightModel, reaching: Reaching, mini: Miniature) -> Entries:
    """On whose side somebody is, and who plays it."""
    roster = {name: (side, played) for name, side, played in reaching.hand.roster(fight.match.state)}
    side, played = roster[mini.id]
    sides = dict.fromkeys(each for each, _ in roster.values())
    others = tuple(
        Line(titled(each), partial(_do, reaching, Deed.SIDE, mini.id, option=each), on=each == side, key=f"side {each}")
        for each in sides
    )
    players = tuple(
        Line(label, partial(_do, reaching, Deed.PLAYER, mini.id, option=word), on=word == played, key=word)
        for word, label in (("human", "A person"), ("ai", "The computer"))
    )
    return [Line("Side", more=others, key="side"), Line("Who plays it", more=players, key="player")]


def _space(fight: FightModel, reaching: Reaching, cell: Cell, *, taken: bool) -> Entries:
    lines: Entries = []
    if not taken:
        lines.append(Line("Add a creature…", partial(panels.add_creature, fight, reaching, cell), key="add"))
        people = [mini for mini in fight.board.miniatures if mini.cell >= 0]
        here = tuple(Line(mini.name, partial(reaching.put, mini.id, cell), key=f"put {mini.id}") for mini in people)
        lines.append(Line("Put somebody here", more=here, key="put here"))
    gone = [name for name, _, _ in reaching.hand.roster(fight.match.state)
            if reaching.refusal(Action(GAME_MASTER, Deed.RAISE, target=name, at=cell)) is None]  # fmt: skip
    if gone:
        back = tuple(Line(_name(fight, each), partial(_do, reaching, Deed.RAISE, each, at=cell), key=f"raise {each}")
                     for each in gone)  # fmt: skip
        lines.append(Line("Raise, or bring back here", more=back, key="raise here"))
    for door, _ in spaces.doors_at(fight, cell):
        now = dict(zip((each.id for each in fight.match.field.doors), fight.match.state.doors, strict=True))[door.id]
        states = (DoorState(word) for word in DOORS if word != now)
        ways = tuple(Line(DOORS[word], partial(_do, reaching, Deed.DOOR, door.id, option=word.value), key=word.value)
                     for word in states)  # fmt: skip
        lines.append(Line(spaces.door_name(door), more=ways, key=f"door {door.id}"))
    lines.append(Line("Write a note…", partial(panels.write_note, fight, reaching, cell), key="note"))
    if fight.seating.hides:
        ground = _around(fight, cell)
        sides = dict.fromkeys(side for _, side, _ in reaching.hand.roster(fight.match.state))
        show = tuple(
            Line(titled(side), partial(_do, reaching, Deed.REVEAL, None, path=ground, option=side), key=f"show {side}")
            for side in sides
        )
        lines.append(Line("Show the ground around here to", more=show, key="ground"))
    return lines


def _name(fight: FightModel, who: str) -> str:
    return fight.names.get(who, who)


def _around(fight: FightModel, cell: Cell) -> tuple[Cell, ...]:
    """The spaces around one, that itself among them."""
    field = fight.match.field
    column, row = field.at(cell)
    return tuple(
        field.cell(x, y)
        for y in range(row - AROUND, row + AROUND + 1)
        for x in range(column - AROUND, column + AROUND + 1)
        if field.inside(x, y)
    )
