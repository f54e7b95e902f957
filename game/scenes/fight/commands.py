"""Everything that may be ordered in a fight, in one table: keys, buttons, the menu and the list of keys all go by it.

A command's keys and its words in the list of keys stand under its name in `assets/keys.toml`; what has none there is
ordered by buttons or the mouse alone.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import pygame

from game.controllers.human import stroke
from game.party.table import EXPLORING
from game.scenes.base import CAMERA, STEPS, moves_camera
from game.scenes.dialogs import level
from game.scenes.dialogs.panels import Choice, Menu
from game.scenes.fight import deeds, ending
from game.scenes.fight.choosing import following
from game.scenes.fight.hand import menu as hand_menu
from game.scenes.fight.hand import reaching as hand
from game.scenes.fight.panels import choices
from game.scenes.fight.panels.party import PORTRAIT
from game.scenes.fight.plan import EIGHTHS
from game.scenes.fight.quick import QUICK
from game.scenes.fight.table import FightTable
from rules.contract.errors import BattlematError
from rules.contract.text import text

BACKWARDS = ("north", "west", "northwest", "southwest")
MODIFIERS = frozenset((pygame.K_LCTRL, pygame.K_RCTRL, pygame.K_LSHIFT, pygame.K_RSHIFT, pygame.K_LALT, pygame.K_RALT))


class Command(NamedTuple):
    """What an order does (False: it means nothing now), and how the menu calls it, if it has a place there."""

    do: Callable[[FightTable], object]
    label: str | Callable[[FightTable], str] = ""
    offered: Callable[[FightTable], bool] = lambda fight: True
    """When the menu has it; asked for by its key all the same, it says why not."""
    points: bool = True
    """Whether what is pointed at may mean something else afterwards."""


# -- on the board ---------------------------------------------------------------------------------------


def _step(name: str, fight: FightTable) -> bool:
    """An arrow: the key cursor moves, or who acts turns there; at the end it goes to the bar."""
    plan = fight.chance
    if fight.ui.modal or fight.ui.focus is not None:
        return False
    if fight.over:
        return ending.step_onto(fight, -1 if name in BACKWARDS else 1)
    if plan is None or plan.actor is None:
        return False
    if plan.armed is not None and plan.armed.description.needs == "facing":
        action = plan.facings.get(EIGHTHS.index(STEPS[name]))
        return fight.deeds.act(action) if action is not None else True
    fight.aiming.steer(*STEPS[name])
    return True


def _centre(fight: FightTable) -> None:
    if fight.pointing.waypoint():
        return
    if fight.view.busy:
        fight.view.skip()
    elif cells := [m.cell for m in fight.board.miniatures if m.id == fight.acting]:  # a game master stands nowhere
        fight.camera.centre(cells[0])
    fight.aiming.repoint()


def _confirm(fight: FightTable) -> bool:
    plan, at = fight.plan, fight.pointed
    if fight.ui.focus is None and fight.reaching.take(at.cell):
        return True
    if fight.ui.focus is not None or (plan is None and not fight.over):
        return False
    if plan is None:
        ending.summary(fight)
    elif plan.is_question:
        fight.choosing.take_offer(plan.offers[0])
    elif at.aimed and at.aimed != plan.decision.by:
        fight.pointing.use_on(at.aimed)
    elif fight.choices.preview is not None:
        fight.choosing.venture(fight.choices.preview)
    elif at.keyed and at.cell is not None:
        fight.pointing.go(at.cell)
    elif plan.armed is not None and plan.actor is not None:
        if plan.targets():
            fight.aiming.aim(plan.targets()[0])
        else:
            fight.aiming.steer(0, 0)  # the cursor appears where whoever acts stands
    else:
        fight.toast("Nothing is pointed at: arrows plan a way, Tab picks a target, Enter does it.")
    return True


def _cycle(by: int, fight: FightTable) -> bool:
    """Through the targets and who is still to plan, or the targets alone of what is armed; through the foes where none
    of them can be struck yet (the nearest alone where others plan, too); with none, through everybody on the board."""
    plan = fight.plan
    if fight.ui.modal or fight.ui.focus is not None or (plan is not None and plan.is_question):
        return False
    if fight.over:
        return ending.step_onto(fight, by)
    names = plan.targets() if plan is not None else []
    armed = plan is not None and plan.armed is not None and bool(names)
    if plan is not None and not armed and not any(plan.is_foe(name) for name in names):
        foes = plan.foes_by_distance()
        names += foes[:1] if fight.planning.open() else foes
    if not armed:
        names += [name for name in fight.planning.open() if name not in names]
    names = names or [m.id for m in fight.board.miniatures if not m.out]
    if names:
        fight.aiming.aim(following(names, fight.pointed.aimed, by))
    return bool(names)


def _turn_to(by: int, fight: FightTable) -> bool:
    """To the plan of the next of one's own."""
    if fight.ui.modal or fight.plan is None:
        return False
    if not fight.planning.step(by):
        fight.toast("Nobody else of yours has anything to decide now.")
    return True


def _page(by: int, fight: FightTable) -> bool:
    """From map to map of a place; where there is but one, from plan to plan."""
    if fight.ui.modal:
        return False
    if not fight.camera.turn(by, fight.everybody()):
        return _turn_to(by, fight)
    fight.aiming.repoint()
    return True


def _back(fight: FightTable) -> None:
    if not fight.pointing.take_back():
        menu(fight)


def _apart(fight: FightTable) -> bool:
    """Take whoever is worked on out of the group, or put them back."""
    if fight.marching.on and fight.acting is not None:
        fight.marching.turn_apart(fight.acting)
    return fight.marching.on


def _show_all(fight: FightTable) -> None:
    """All that is known of the map; asked for once more, where one looked before."""
    fight.camera.show_all()
    fight.aiming.repoint()


def _context(fight: FightTable, *, here: bool = False) -> None:
    """What can be done with what is pointed at; told beside that space, or `here` where the mouse is."""
    cell = fight.pointed.cell
    pos = fight.app.pointer if here or cell is None else fight.camera.space_rect(cell).center
    choices.open_choices(fight, cell, fight.view.miniature_at(pos), pos)


def _hand(fight: FightTable) -> None:
    """What the game master's hand may do with what is pointed at, be it in the order of play."""
    hover, board = fight.ui.hover, fight.board.miniatures
    named = hover.key.removeprefix(PORTRAIT) if hover is not None and hover.key.startswith(PORTRAIT) else ""
    cell = next((mini.cell for mini in board if mini.id == named and mini.cell >= 0), fight.pointed.cell)
    pos = fight.app.pointer if cell is None or named else fight.camera.space_rect(cell).center
    hand_menu.open_hand(fight, fight.reaching, cell, pos)


# -- the menu -------------------------------------------------------------------------------------------


def _word_of_see_all(fight: FightTable) -> str:
    if fight.seating.may_take:
        return "The game master takes the screen"
    if fight.seating.held_from is not None:
        return "Hand the screen on"
    return "Leave the game master's view" if fight.seating.all_seen else "Game master's view"


def _word_of_back(fight: FightTable) -> str:
    """What the menu goes back to."""
    if fight.over:
        return "Back to the board"
    decision = fight.match.decision
    explores = decision is not None and decision.kind == EXPLORING
    return "Back to the exploration" if explores else "Back to the fight"


def _to_table(fight: FightTable) -> None:
    if (back := fight.app.navigator.way_back()) is not None:
        fight.hotseat.show_table(back)


def _next_level(fight: FightTable) -> None:
    """The computer plays at the next level from now on."""
    level.next_level(fight.app)
    fight.toast(_word_of_level(fight))


def _word_of_level(fight: FightTable) -> str:
    return text("The computer plays: {level}", level.named(fight.app))


COMMANDS: dict[str, Command] = {
    **{name: Command(partial(_step, name), points=False) for name in STEPS},
    **{name: Command(lambda fight, name=name: moves_camera(fight.camera, name, fight.app.look)) for name in CAMERA},  # type: ignore[misc]
    "zoom_fit": Command(_show_all),
    "centre": Command(_centre, points=False),
    "confirm": Command(_confirm, points=False),
    "next_target": Command(partial(_cycle, 1), points=False),
    "last_target": Command(partial(_cycle, -1), points=False),
    "next_own": Command(partial(_turn_to, 1), points=False),
    "last_own": Command(partial(_turn_to, -1), points=False),
    "page_down": Command(partial(_page, 1), points=False),
    "page_up": Command(partial(_page, -1), points=False),
    "back": Command(_back, _word_of_back),
    "end": Command(lambda fight: fight.choosing.end_chance() or True),
    "log": Command(lambda fight: fight.fold_log()),
    "small_map": Command(lambda fight: fight.turn_small_map()),
    "fold_sheet": Command(lambda fight: setattr(fight, "sheet_over", not fight.sheet_over)),
    "context": Command(_context),
    "context_here": Command(partial(_context, here=True)),
    "panels": Command(lambda fight: fight.ui.step_panel() or True),
    "threat": Command(lambda fight: setattr(fight, "threat_held", True)),
    "keep_threat": Command(lambda fight: setattr(fight, "threat_kept", not fight.threat_kept)),
    "why": Command(lambda fight: fight.telling.why()),
    "level": Command(_next_level, _word_of_level),
    "undo": Command(lambda fight: fight.undoing.undo()),
    "redo": Command(lambda fight: fight.undoing.redo()),
    "again": Command(lambda fight: fight.undoing.again()),
    "party_apart": Command(_apart),
    "give_away": Command(lambda fight: fight.undoing.hand_over(fight.selected or fight.acting or "")),
    "give_all": Command(lambda fight: fight.undoing.hand_over_all()),
    "party_lead": Command(lambda fight: fight.marching.lead(fight.acting or "")),
    "party_manner": Command(lambda fight: fight.marching.next_manner()),
    **{quick.name: Command(lambda fight, name=quick.name: fight.marching.order(name)) for quick in QUICK},  # type: ignore[misc]
    "menu": Command(lambda fight: menu(fight)),
    "summary": Command(ending.summary, "Summary", lambda fight: fight.over),
    "table": Command(_to_table, "Back to the table", lambda fight: fight.app.navigator.way_back() is not None),
    "save": Command(lambda fight: fight.keeping.save_as_new(), "Save"),
    "quicksave": Command(lambda fight: fight.keeping.quicksave(), "Quick save"),
    "quickload": Command(lambda fight: fight.app.navigator.quickload(), "Quick load"),
    "replay": Command(lambda fight: fight.undoing.replay(), "Replay"),
    "chronicle": Command(lambda fight: fight.undoing.chronicle(), "Chronicle"),
    "rewind": Command(lambda fight: fight.undoing.ask(), "Rewind"),
    "branches": Command(lambda fight: fight.undoing.branches(), "Branches", lambda fight: fight.undoing.open_lines),
    "see_all": Command(lambda fight: fight.hotseat.see_all(), _word_of_see_all, lambda fight: fight.seating.may_switch),
    "call": Command(
        lambda fight: deeds.call(fight, fight.deeds), "Call for a roll", lambda fight: not deeds.why_no_call(fight)
    ),
    "hand": Command(_hand, "Game master's hand", lambda fight: not hand.why_not(fight)),
    "players": Command(lambda fight: fight.app.players.remote(), "Players' window"),
    "forecast": Command(
        lambda fight: fight.app.navigator.foresee(fight.match),
        "Forecast",
        lambda fight: fight.seating.open_book and fight.match.decision is not None,
    ),
    "load": Command(lambda fight: fight.app.navigator.load(), "Load"),
    "settings": Command(lambda fight: fight.app.navigator.options(), "Settings"),
    "help": Command(lambda fight: fight.app.navigator.help(), "Help"),
    "title": Command(lambda fight: fight.app.navigator.title(), "Leave for the title"),
    "quit": Command(lambda fight: fight.app.quit(), "Quit"),
}


def do(fight: FightTable, name: str) -> bool:
    """Carry out a command; False where there is none of that name, or it means nothing now."""
    command = COMMANDS.get(name)
    return command is not None and command.do(fight) is not False


def menu(fight: FightTable) -> None:
    """The game's menu: what the table has a label for, as far as it is offered now."""

    offered: list[Choice] = []
    for name, command in COMMANDS.items():
        if command.label and command.offered(fight):
            label = command.label if isinstance(command.label, str) else command.label(fight)
            call = fight.doing(name) if name != "back" else lambda: None
            offered.append((label, fight.app.keys.shown(name), call))
    fight.app.push(Menu(fight.app, "Paused", offered))


# -- keys that are no commands of the table -----------------------------------------------------------------


def special(fight: FightTable, event: pygame.event.Event) -> bool:
    """Keys that go before the focused widget: lists answer to digits, a shown animation to Space and Enter."""
    if fight.choices.picks is not None and event.unicode.isdigit() and event.unicode != "0":
        index = int(event.unicode) - 1
        entries = fight.choices.picks[1]
        if index < len(entries) and entries[index][3]:
            fight.choosing.take_pick(entries[index][2])
        return True
    if fight.waits and (event.key in (pygame.K_SPACE, pygame.K_RETURN) or event.unicode.isdigit()):
        fight.view.skip()
        return True
    return False


def released(fight: FightTable, event: pygame.event.Event) -> None:
    """A key was let go: held overlays end."""
    held = {each.key for each in fight.app.keys.named("threat").strokes}
    if fight.threat_held and (event.key in held or event.key in MODIFIERS):
        fight.threat_held = False


def letter(fight: FightTable, event: pygame.event.Event) -> bool:
    """Press the offer whose key this is."""
    plan = fight.plan
    if plan is None or fight.ui.modal:
        return False
    if fight.bar_hides and _means("m", event):
        fight.choosing.open_more()
        return True
    offer = next((o for o in plan.offers if (key := fight.key_of(o)) and _means(key, event)), None)
    if offer is not None:
        fight.view.skip() if fight.waits else fight.choosing.take_offer(offer)
    return offer is not None


def _means(text: str, event: pygame.event.Event) -> bool:
    try:
        return stroke(text).matches(event.key, event.mod)
    except BattlematError:
        return False
