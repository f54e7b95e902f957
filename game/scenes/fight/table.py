"""A fight with its parts, each built on those before it; panels and commands work on this, the scene is above."""

from __future__ import annotations

from game.fight.match import Match
from game.scenes.base import Shell
from game.scenes.fight.ai_turns import Pacing
from game.scenes.fight.aiming import Aiming
from game.scenes.fight.choosing import Choosing, Planning
from game.scenes.fight.deeds import Deeds, Errands
from game.scenes.fight.events_shown import Moment, Telling
from game.scenes.fight.hand.reaching import Reaching
from game.scenes.fight.hotseat import Hotseat
from game.scenes.fight.model import FightModel
from game.scenes.fight.party import Marching
from game.scenes.fight.pointing import Pointing
from game.scenes.fight.undoing import Keeping, Undoing


class FightTable(FightModel):
    """The model and what works on it.

    `telling` (the log, and how far it has come), `deeds` (actions, with real dice), `errands` (several at one wish),
    `marching` (orders to the whole party in an exploration), `aiming` (what pointing means), `planning` (several open
    decisions), `choosing` (offers and lists), `reaching` (the game master's hand), `pointing` (mouse), `pacing` (time
    and the computer), `keeping` (files), `undoing` (the past), `hotseat` (who looks).
    """

    def __init__(self, app: Shell, match: Match) -> None:
        super().__init__(app, match)
        self.moment = Moment(self)
        self.telling = Telling(self, self.moment)
        self.deeds = Deeds(self, self.telling)
        self.errands = Errands(self, self.deeds)
        self.marching = Marching(self, self.deeds)
        self.aiming = Aiming(self, self.marching)
        self.planning = Planning(self)
        self.choosing = Choosing(self, self.deeds, self.aiming, self.planning)
        self.reaching = Reaching(self, self.deeds)
        self.pointing = Pointing(self, self.aiming, self.choosing, self.errands, self.marching, reaching=self.reaching)
        self.pacing = Pacing(self, self.choosing, self.moment)
        self.keeping = Keeping(self)
        self.undoing = Undoing(self, self.telling, self.pacing, self.marching)
        self.hotseat = Hotseat(self, self.telling, self.pointing, self.undoing)
