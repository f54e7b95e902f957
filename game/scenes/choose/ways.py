"""Ways to a new fight."""

from __future__ import annotations

from game.app.settings import NewFight
from game.characters.olde import camping as aftermath
from game.fight.match import Match
from game.scenes.base import Shell
from game.scenes.choose.scene import Choose
from game.scenes.title import Title


def choose(app: Shell) -> None:
    """The set-up of a new fight."""
    app.push(Choose(app))


def next_fight(app: Shell, match: Match) -> None:
    """The set-up of a new fight, at first by the same rules, on the same map and with the same party."""
    record = match.record
    app.settings.new_fight = NewFight(
        ruleset=record.ruleset,
        map=record.map.tmx or app.settings.new_fight.map,
        party=aftermath.party(record),
        options={name: bool(on) for name, on in record.options.items()},
    )
    app.replace(Title(app), Choose(app))
