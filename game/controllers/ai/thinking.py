"""What the computer can say of its own choice."""

from __future__ import annotations

from typing import NamedTuple

from game.controllers.ai.advisors.planning import (
    Arm,
    Beside,
    Defend,
    Feat,
    Help,
    Leave,
    Magic,
    Measure,
    Mend,
    Pass,
    Piece,
    Rise,
    Seek,
    Swing,
)
from game.controllers.ai.judge import Spot
from game.controllers.ai.lookahead import Foreseen
from game.controllers.ai.planner import GRAIN, Plan, Planner
from rules.contract.actions import Action
from rules.contract.text import joined, ntext, text
from rules.contract.units import NOWHERE, Cell

Reason = tuple[str, float]
"""(text, value): one addend of a score."""


class Option(NamedTuple):
    """A plan for the rest of a chance: `action` comes first; its score is the sum of its reasons' values."""

    action: Action
    score: float
    reasons: tuple[Reason, ...]
    plan: tuple[Action, ...] = ()  # all actions of the plan in order, `action` included
    cell: Cell = NOWHERE  # where the creature would stand afterwards
    label: str = ""  # the plan in words: `Step to [4, 3], Attack Goblin`


class Thinking(NamedTuple):
    """The best options, best first: at most three that differ in what they do."""

    best: tuple[Option, ...]
    temperament: str = ""

    @property
    def choice(self) -> Action | None:
        """What would be done."""
        return self.best[0].action if self.best else None


PURPOSES: dict[type[Measure], str] = {
    Rise: "back on its feet",
    Defend: "harder to hit",
    Beside: "harder to hit",
    Magic: "a boon",
    Feat: "a trick",
    Leave: "the fight is lost",
    Seek: "there must be a way",
    Help: "a helping hand",
}


def option_of(planner: Planner, plan: Plan) -> Option:
    """A plan with its actions and the reasons for its score; these add up to it."""
    actions = planner.actions(plan)
    reasons = tuple((text, value) for text, value in _reasons(planner, plan) if round(value, GRAIN))
    label = joined(", ", (_words(planner, action) for action in actions))
    return Option(actions[0], plan.score, reasons, plan=actions, cell=plan.stop.spot.cell, label=label)


def foreseen_option(planner: Planner, foreseen: Foreseen) -> Option:
    """The same of a plan that was played on, with what came of that."""
    actions, came = foreseen.likely.actions, foreseen.prospect
    option = option_of(planner, foreseen.likely.plan)._replace(action=actions[0], plan=actions)
    if foreseen.incumbent:
        told = text("played on: holds its own in {n} of {tries} tries", came.tries - came.better, came.tries)
    else:
        told = text("played on: comes out better in {n} of {tries} tries", came.better, came.tries)
    return option._replace(score=foreseen.score, reasons=(*option.reasons, (told, foreseen.gain)))


def _reasons(planner: Planner, plan: Plan) -> list[Reason]:
    judge, stop = planner.judge, plan.stop
    spot = stop.spot
    spent = stop.points + (plan.swing.points if plan.swing else plan.measure.points if plan.measure else 0)
    left = planner.me.points - spent
    reasons = [
        *_place_reasons(planner, spot),
        ("haste: guard given up", judge.hurry(spot, stop.exposed)),
        ("foes strike first there", judge.rushed(spot, stop.points)),
        ("leaves a weapon behind", -planner.tied if stop.way is not None else 0.0),
        ("points spent on the way", -planner.position.temper.points * stop.points),
        ("points kept for blows", judge.reserve(spot, left)),
    ]
    if plan.swing is not None and plan.foe is not None:
        reasons = _blow_reasons(planner, plan.swing, plan.foe, spot) + reasons
        reasons.append(("guard given up by the blow", judge.haste(spot, plan.swing.exposed)))
        reasons.append(("what it may cost oneself", -planner.position.temper.dread * plan.swing.cost))
        spared = judge.spared(spot, plan.foe, plan.swing, left)
        reasons.append((text("{foe} may strike no more", _name(planner, plan.foe.id)), spared))
    elif plan.measure is not None:
        reasons.insert(0, (_purpose(planner, plan.measure), judge.measure(plan.measure, spot)))
    else:
        reasons.append(("lets the foe come", judge.patience(spot, left)))
        reasons.append(("was there just now", judge.dithering(spot)))
        reasons.append(("points spent where nobody can be struck", judge.wasted(spot, stop.points)))
    reasons.append(("and a way to go afterwards", plan.after))
    if plan.aside is not None:
        reasons.append((_purpose(planner, plan.aside), judge.aside(plan.aside, plan.foe)))
    return reasons


def _blow_reasons(planner: Planner, swing: Swing, foe: Piece, spot: Spot) -> list[Reason]:
    position = planner.position
    hurt, apart = position.hurt, position.apart(foe, 1 << spot.cell)
    whole = position.hurting(foe, apart=apart)(swing) + position.temper.dread * swing.cost  # which is told by itself
    if foe.out:
        return [(text("{foe} stays down", _name(planner, foe.id)), whole)]
    damage = hurt(foe, swing.mean, 0.0, 0.0)
    felling = hurt(foe, swing.mean, swing.drop, 0.0) - damage
    stun = hurt(foe, swing.mean, swing.drop, swing.stun) - damage - felling
    name = _name(planner, foe.id)
    return [
        (text("{hit} to hit {name}, {mean} damage on average", f"{swing.hit:.0%}", name, f"{swing.mean:.1f}"), damage),
        (text("{drop} to fell {name}", f"{swing.drop:.0%}", name), felling),
        (text("{stun} to stun {name}", f"{swing.stun:.0%}", name), stun),
        ("what comes of the blow", whole - damage - felling - stun),
    ]


def _place_reasons(planner: Planner, spot: Spot) -> list[Reason]:
    position, strikers = planner.position, spot.strikers
    approach, prepared, away, room, friends, danger, alone, company, merit = spot.addends
    searching = not position.foes
    count = sum(1 for i in range(len(position.threats)) if strikers >> 2 * i & 3)
    who = ntext(count, "{n} foe", "{n} foes")
    return [
        ("still to go in search of the foe" if searching else "spaces still to go to a foe", approach),
        ("a foe within reach", prepared),
        ("away from the foes", away),
        ("room to shoot", room),
        ("beside a dying friend" if searching else "in the way of friends", friends),
        (text("danger: {who} could strike here", who), danger),
        ("friends still on their way", alone),
        ("out of sight, near friends", company),
        (joined(", ", (m.what for m in planner.judge.merits if m.cells >> spot.cell & 1)), merit),
    ]


def _purpose(planner: Planner, measure: Measure) -> str:
    name = _name(planner, measure.action.target) if measure.action.target else ""
    if isinstance(measure, Mend):
        return text("{chance} to help {name}", f"{measure.chance:.0%}", name)
    if isinstance(measure, Arm):
        return "better armed" if measure.value > 0 else "worse armed"
    if isinstance(measure, Pass):
        return "a way opens" if measure.chance == 1 else text("a way opens ({chance})", f"{measure.chance:.0%}")
    if isinstance(measure, Magic | Feat) and measure.blows:
        blows = ((f"{mean:.1f}", _name(planner, foe)) for foe, mean, _, _ in measure.blows)
        return text("{harmed} on average", joined(", ", (text("{mean} damage to {foe}", *blow) for blow in blows)))
    words = PURPOSES[type(measure)]
    if isinstance(measure, Feat) and name:
        return text("{words} on {name} ({chance})", words, name, f"{measure.chance:.0%}")
    return text("{words} for {name}", words, name) if isinstance(measure, Magic) and name else words


def _name(planner: Planner, creature: str) -> str:
    minis = planner.position.ruleset.board(planner.position.state).miniatures
    return next((mini.name for mini in minis if mini.id == creature), creature)


def _words(planner: Planner, action: Action) -> str:
    position = planner.position
    label, field = position.ruleset.describe(position.state, action).label, position.terrain.field
    if action.path:
        return text("{label} to {place}", label, field.words(*field.at(action.path[-1])))
    if action.target is not None:
        return text("{label} {target}", label, _name(planner, action.target))
    if action.at is not None:
        return text("{label} at {place}", label, field.words(*field.at(action.at)))
    return label
