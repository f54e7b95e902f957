"""Ways into a replay: of the fight being played, of its last stretch again, of a saved one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from game.fight.match import Match
from game.fight.seats import Seats
from game.fight.viewing import fogged, last_of_others
from game.scenes.base import Shell
from game.scenes.replay.scene import Replay, View
from rules.contract.events import Event

if TYPE_CHECKING:
    from game.scenes.fight.scene import Fight

ALL = View("Everything", None)


def views_of_fight(fight: Fight) -> list[View]:
    """Whose view may be shown to who is at the screen, their own first: in fog, all only to who may see all."""
    seating = fight.seating
    if not seating.hides:
        return [ALL]
    own = seating.seats.sides(seating.at)
    over = fight.match.decision is None
    if not own or seating.all_seen:
        return [ALL, *_each_side(fight.match)]
    views = [View(_listed(own), own)]
    if seating.may_see_all or over:
        views += [ALL, *(view for view in _each_side(fight.match) if view.sides != own)]
    return views


def views_of_file(match: Match) -> list[View]:
    """The same for a saved fight: the players' sides first, and the game master's view of everything."""
    if not fogged(match):
        return [ALL]
    sides = _each_side(match)
    played = {side for side, controller in Seats(match.record).creatures.values() if controller == "human"}
    return [*(v for v in sides if v.sides and v.sides[0] in played), ALL,
            *(v for v in sides if v.sides and v.sides[0] not in played)]  # fmt: skip


def _each_side(match: Match) -> list[View]:
    sides = dict.fromkeys(str(creature.get("side")) for creature in match.record.creatures)
    return [View(_listed((side,)), (side,)) for side in sides]


def _listed(sides: tuple[str, ...]) -> str:
    return " and ".join(side.replace("_", " ") for side in sides).capitalize()


def whole(app: Shell, fight: Fight) -> None:
    """Replay the fight that is being played; it stays as it is."""
    if fight.match.history.length == 0:
        fight.toast("Nothing has happened yet.")
        return
    fight.view.skip()
    app.push(Replay(app, fight.match, fight=fight, views=views_of_fight(fight)))


def own_frames(fight: Fight) -> list[bool]:
    """For each frame, whether it was led to by a decision of whoever is at the screen, and not a forced one."""
    own, undoing = fight.sides, fight.undoing
    moments = fight.match.history.moments
    return [False] + [m.side in own and undoing.a_choice(n) for n, m in enumerate(moments[1:])]


def again(app: Shell, fight: Fight) -> None:
    """Show once more what the side at the screen saw since its own last decision; then the fight goes on."""
    fight.view.skip()
    first, last = last_of_others(fight.match, own_frames(fight))
    if not any(fight.eyes.witnesses(e) for e in _between(fight.match, first, last)):
        fight.toast("Nobody else has done anything that your side saw.")
        return
    _show(app, fight, (first, last))


def since(app: Shell, fight: Fight, first: int) -> None:
    """Show once more what the side at the screen saw after so many commands; then the fight goes on."""
    _show(app, fight, (first, fight.match.history.length))


def _show(app: Shell, fight: Fight, span: tuple[int, int]) -> None:
    views = views_of_fight(fight)[:1]
    app.push(Replay(app, fight.match, fight=fight, views=views, span=span, returns=True))


def _between(match: Match, first: int, last: int) -> list[Event]:
    moments = match.history.moments
    return list(match.events[moments[first].events : moments[last].events])


def of_file(app: Shell, path: Path) -> None:
    """Replay a saved fight; what is wrong with it becomes a dialog. Whose secrets it holds is asked first."""
    from game.fight.match import load_fight
    from game.scenes.dialogs.panels import Menu

    def call() -> None:
        match = load_fight(path)
        views = views_of_file(match)
        seats = Seats(match.record)
        secret = fogged(match) and match.decision is not None and seats.shared
        if not secret:
            app.push(Replay(app, match, views=views))
            return
        choices = [("Back", app.keys.shown("back"), lambda: None)]
        for view in views:
            choices.append((view.label, "", lambda view=view: app.push(Replay(app, match, views=[view]))))  # type: ignore[misc]
        app.push(Menu(app, "Seats keep secrets in this fight: whose view?", choices))

    app.guard(call)
