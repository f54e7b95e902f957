"""The advisor of Count-Up: what its planner asks in bulk, and what things are worth. Nothing here decides a rule.

`prospect`: who is there, where to go or run to, whom to strike from where, spells; `manoeuvres`: manners of fighting,
weapons to take in hand, answers.
"""

from __future__ import annotations

from game.controllers.ai.advisors.countup import manoeuvres, prospect
from game.controllers.ai.advisors.planning import Answers, by_id

ADVISOR = Answers(
    pieces=prospect.pieces, temperament=by_id(prospect.temperament), outlook=by_id(prospect.outlook),
    route=by_id(prospect.route), targets=by_id(prospect.targets), threats=by_id(prospect.threats),
    measures=prospect.measures, promise=manoeuvres.promise, spots=by_id(prospect.spots),
    reaches=by_id(prospect.reaches),
)  # fmt: skip
