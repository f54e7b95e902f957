"""The way to the camp."""

from __future__ import annotations

from game.characters.olde import camping as aftermath
from game.characters.olde.camping import CampSession
from game.fight.match import Match, fresh_seed
from game.scenes.base import Shell
from game.scenes.camp.scene import CampScene
from rules.contract.errors import BattlematError


def camp(app: Shell, match: Match) -> None:
    """What comes after a fight for the heroes who have files. Raises BattlematError."""
    found = aftermath.after(match.record, match.ruleset.summary(match.state), match.title)
    heroes = found.heroes + found.told  # who was in the camp before comes back to it
    if not heroes:
        raise BattlematError("; ".join(found.refused) or "No hero of the workshop was in this fight.")
    session = CampSession(heroes, fresh_seed(), found.floor)
    app.push(CampScene(app, session, f"After “{match.title}”", found.joined + found.refused))
