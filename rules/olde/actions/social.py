"""Actions between creatures: help for a neighbour, intimidation, a call for help (olde.md §3 assisted, opposed; §10).

Their costs in a fight are our ruling: 2 AP each.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from rules.board.fixtures import HELD_SHUT, PORTCULLIS, DoorState
from rules.board.path import step_cost
from rules.board.sight import Grade
from rules.contract.actions import Action
from rules.contract.events import Contest, Note
from rules.contract.ruleset import Odds
from rules.contract.text import joined, text
from rules.contract.units import Cell, CreatureIx
from rules.core import odds as dist
from rules.core.action_kinds import Face
from rules.core.dice import notation
from rules.olde import traits as trait
from rules.olde.actions.climbing import Climb, Swim
from rules.olde.actions.hands import FORCE
from rules.olde.actions.kind import Context, Kind, Minutes, Picking, find, known_ids, nobody, situation
from rules.olde.actions.obstacles import FRIGHT, SEARCHING, SKILLS, Tackle
from rules.olde.challenges import checks
from rules.olde.conditions import (
    ASLEEP,
    BLEEDING,
    DYING,
    FRIGHTENED,
    PRONE,
    SILENCED,
    SITTING,
    feared,
    lay,
    lie_down,
    wake,
)
from rules.olde.effects import Effect, Lasting
from rules.olde.magic.casting import low_pools, restore
from rules.olde.magic.spells import POOLS
from rules.olde.state import STANDING, Chance, Resolution, able, move, status

PAST = (("Climb", Climb()), ("Swim", Swim()))
"""The skills with which somebody could get past an obstacle beside it."""


# -- help -----------------------------------------------------------------------------------------------


class Assist(Picking):
    """Help an ally beside one with its next check of a skill: 2 AP (olde.md §3 assisted)."""

    do = "assist"
    face = Face("Assist", "Act", "2 AP", "option", "guide", "h", "adds to an ally's next check")
    ap = 2
    risky = True
    exploring = Minutes()
    tells_chance = True
    nothing = "no ally beside who could use help"

    @staticmethod
    def useful(context: Context, ally: CreatureIx) -> list[str]:
        """The skills that an ally could use where it stands."""
        other = Context(context.state, Chance(ally))
        out = [skill for door in FORCE.near(other) for skill in FORCE.skills(context.field.doors[door])]
        out += [skill for _, challenge in Tackle.near(other) for skill in SKILLS[challenge.kind]]
        if context.setup.obstacles is not None:
            out += [skill for skill, kind in PAST if next(kind.instances(other), None) is not None]
        if context.state.found:
            out += SEARCHING
        return list(dict.fromkeys(out))

    def _allies(self, context: Context) -> list[CreatureIx]:
        side = context.fighter.side
        return [i for i, f, g in context.others() if f.side == side and able(g) and context.distance(i) <= 1]

    def near(self, context: Context) -> list[tuple[CreatureIx, str]]:
        """(ally, skill) of all help that could be used; a glance at the map tells where there is none."""
        doors = zip(context.field.doors, context.state.doors, strict=True)
        if not context.state.found and not any(
            state in HELD_SHUT or (door.kind == PORTCULLIS and state != DoorState.OPEN) for door, state in doors
        ):
            return []
        return [(ally, skill) for ally in self._allies(context) for skill in self.useful(context, ally)]

    def why_not_this(self, context: Context, action: Action) -> str | None:
        ally = find(context, action.target)
        if ally is None or ally not in self._allies(context):
            told = "target: {target} is no able ally beside one; there are {known}"
            return text(told, repr(action.target), known_ids(context))
        useful = self.useful(context, ally)
        if action.option in useful:
            return None
        told = "option: {option} is none of what it could use: {useful}"
        return text(told, repr(action.option), joined(", ", useful))

    def candidates(self, context: Context) -> Iterator[Action]:
        for ally, skill in self.near(context):
            yield Action(context.actor, self.do, target=context.setup.fighters[ally].id, option=skill)

    def odds(self, context: Context, action: Action) -> Odds:
        helped, skill = context.setup.fighters[context.setup.index[action.target or ""]], action.option or ""
        terms = checks.terms_of(context.state, context.who, skill)
        rating = checks.stat_value(helped, checks.check_stat(helped, skill))
        chance, much = terms.chance(rating), terms.chance(rating + 2)
        outcomes = (("+2 or more", much), ("+1", chance - much), ("no help", 1.0 - chance))
        note = (text("{skill}, to help {name}", skill, helped.name), "olde.md §3 assisted")
        return terms.odds(rating, outcomes, note, hit=chance)

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        ally = resolution.setup.index[action.target or ""]
        skill, helped = action.option or "", resolution.fighter(ally)
        rating = checks.stat_value(helped, checks.check_stat(helped, skill))
        result = checks.check(resolution, who, skill, rating, text("help with {skill}", skill))
        if bonus := checks.assistance(result.roll.total - rating):
            lay(resolution, ally, Effect(checks.HELPED + skill, who, 1, bonus, Lasting(1, rule="olde.md §3 assisted")))


# -- intimidation ---------------------------------------------------------------------------------------


class Intimidate(Kind):
    """Frighten an adversary in sight: 2 AP, Intimidate against two dice of its Nerve; untrained at −2."""

    do = "intimidate"
    face = Face("Intimidate", "Act", "2 AP", "creature", FRIGHTENED.name, "shift+i", "against its Nerve")
    ap = 2
    risky = True

    def why_not_this(self, context: Context, action: Action) -> str | None:
        target = find(context, action.target)
        if target is None:
            return nobody(context, action.target)
        foe, figure, told = context.setup.fighters[target], context.state.figures[target], ""
        if foe.side == context.fighter.side:
            told = "target: {name} is on the same side"
        elif not able(figure):
            told = "target: {name} is past fear for now"
        elif FRIGHTENED.name in foe.traits.immune:
            told = "target: {name} fears nothing"
        elif context.who in feared(figure):
            told = "target: {name} is frightened already"
        elif context.sight(target) is Grade.NONE:
            told = "target: no line of sight to {name}"
        return text(told, foe.name) if told else None

    def candidates(self, context: Context) -> Iterator[Action]:
        hidden = Grade.NONE
        for i, foe, _ in context.foes():
            if context.sight(i) is not hidden:  # the most of them are: no word need be said about it
                yield Action(context.actor, self.do, target=foe)

    def odds(self, context: Context, action: Action) -> Odds:
        target = context.setup.index[action.target or ""]
        foe, figure = context.setup.fighters[target], context.state.figures[target]
        terms, nerve = checks.terms_of(context.state, context.who, "Intimidate"), checks.stat_rank(foe, "nerve")
        edge = terms.plus - sum(a.value for a in checks.burden(context.setup, foe, figure, "nerve"))
        chance = dist.chance_margin(terms.rank, nerve, -edge)
        outcomes = ((FRIGHTENED.name, chance), ("in vain", 1.0 - chance))
        note = ("frightened for 3 turns; a Nerve check in each reset ends it", "olde.md §7 frightened")
        odds, told = terms.odds(0, outcomes, note), checks.margins_told(0.0, 0.0)
        if context.setup.criticals:
            well = dist.chance_margin(terms.rank, nerve, checks.MARGINS[3] - edge)
            told = checks.margins_told(well, 1.0 - dist.chance_margin(terms.rank, nerve, 1 - checks.MARGINS[3] - edge))
        return msgspec.structs.replace(odds, defense_dice=notation(2, nerve, True), notes=odds.notes + told)

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        target = resolution.setup.index[action.target or ""]
        nerve, own = checks.terms_of(resolution, target, "nerve"), checks.terms_of(resolution, who, "Intimidate")
        resisted, tried = checks.opposed(resolution.dice, own, nerve)
        resolution.events.append(
            Contest(by=action.by, target=action.target or "", what="Intimidate", rolls=(resisted, tried.roll),
                    success=tried.success, note="it is shaken" if tried.success else "in vain")
        )  # fmt: skip
        if tried.success:
            lay(resolution, target, FRIGHTENED.effect(FRIGHT, by=who, rating=tried.roll.total, recover="nerve"))
        elif tried.ranks <= -3:
            foe = resolution.fighter(target)
            resolution.events.append(Note(text=text("{name} laughs.", foe.called), by=foe.id))
        checks.follow(resolution, who, tried.ranks)


# -- calling for help ---------------------------------------------------------------------------------------


class CallForHelp(Kind):
    """1 AP: every sleeping ally in earshot wakes (olde.md §10 call for help)."""

    do = "call_for_help"
    face = Face("Call for help", "Act", "1 AP", "none", "guide", "shift+h", "wakes sleeping allies")
    ap = trait.CallForHelp.points
    nothing = "no sleeping ally in earshot"

    def near(self, context: Context) -> list[CreatureIx]:
        """Sleeping allies whom a call from here would wake."""
        side, call = context.fighter.side, context.fighter.traits.of(trait.CallForHelp)
        asleep = [i for i, f, g in context.others() if f.side == side and g.effects and ASLEEP.holds(g) and g.hp > 0]
        return [] if call is None else [i for i in asleep if context.distance(i) <= call.spaces]

    def idle(self, context: Context) -> bool:
        return context.fighter.traits.of(trait.CallForHelp) is None

    def closed(self, context: Context) -> str | None:
        if self.idle(context):
            return text("{name} has no call that wakes others", context.fighter.name)
        return super().closed(context) or (SILENCED.name if SILENCED.holds(context.figure) else None)

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        for other in self.near(situation(resolution)):
            wake(resolution, other, trait.CallForHelp.name)


class FirstAid(Picking):
    """Stop bleeding and dying of an adjacent ally or oneself: 3/Only, a Healing check."""

    do = "first_aid"
    face = Face("First Aid", "Act", "3 AP/Only", "creature", "first_aid", "9", "stops bleeding, dying")
    ap, only = 3, True
    risky = True
    rank = 2
    exploring = Minutes()
    names, nothing = "target", "nobody near is bleeding or dying"

    def near(self, context: Context) -> list[str]:
        own = [context.actor] if context.figure.bleeding or context.figure.dying else []
        return own + [context.setup.fighters[i].id for i in self.patients(context) if context.distance(i) <= 1]

    @staticmethod
    def patients(context: Context) -> list[CreatureIx]:
        """The allies who need it, wherever they are."""
        hurt = [(i, f) for i, f, g in context.others() if g.bleeding or g.dying]
        return [i for i, f in hurt if f.side == context.fighter.side]

    def refusal(self, context: Context, action: Action) -> str | None:
        return self.closed(context) or self.why_not_this(context, action)

    def why_not_this(self, context: Context, action: Action) -> str | None:
        patient = find(context, action.target)
        if patient is None:
            return nobody(context, action.target)
        fighter, figure, told = context.setup.fighters[patient], context.state.figures[patient], ""
        if fighter.side != context.fighter.side:
            told = "target: {name} is no ally"
        elif patient != context.who and context.distance(patient) > 1:
            told = "target: {name} is not adjacent"
        elif not (figure.bleeding or figure.dying):
            told = "target: {name} is neither bleeding nor dying"
        return text(told, fighter.name) if told else None

    @staticmethod
    def rating(context: Context, patient: CreatureIx) -> int:
        """Easy for bruised, Moderate for wounded or incapacitated; on oneself one grade harder."""
        light = status(context.state.figures[patient].hp, context.setup.fighters[patient].hp_max).light
        easier, harder = (checks.MODERATE, checks.HARD) if patient == context.who else (checks.EASY, checks.MODERATE)
        return easier if light else harder

    def odds(self, context: Context, action: Action) -> Odds:
        patient = context.setup.index[action.target or ""]
        note = ("stops bleeding and dying", "olde.md §7 first aid")
        return checks.terms_of(context.state, context.who, "Healing").either(
            self.rating(context, patient), "stops it", "in vain", note
        )

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        patient = resolution.setup.index[action.target or ""]
        result = checks.check(resolution, who, "Healing", self.rating(situation(resolution), patient), "first aid")
        for condition in (BLEEDING, DYING) if result.success else ():
            condition.end(resolution, patient, "first aid")


class Guide(Kind):
    """Guide an adjacent stunned ally: to sit, lie prone or walk 1 space; 2 AP, once a round."""

    do = "guide"
    face = Face("Guide", "Act", "2 AP", "creature", "guide", "b", "a stunned ally")
    ap = 2
    nothing = "no stunned ally near"

    def near(self, context: Context) -> list[CreatureIx]:
        stunned = [(i, f) for i, f, g in context.others() if g.stunned and g.hp > 0]
        return [i for i, f in stunned if f.side == context.fighter.side and context.distance(i) <= 1]

    def why_not_this(self, context: Context, action: Action) -> str | None:
        guest = find(context, action.target)
        if guest is None or guest not in self.near(context):
            return "target: needs an adjacent stunned ally"
        figure, fighter, goal = context.state.figures[guest], context.setup.fighters[guest], self._goal(action)
        if figure.guided:
            return "target: guided in this round already"
        if goal is None:
            if action.option in (SITTING.name, PRONE.name):
                return "target: lies or sits so already" if figure.posture == action.option else None
            return "option: sitting or prone, or at: the space to walk to"
        if figure.posture != STANDING:
            return text("target: is {posture} and cannot walk", figure.posture)
        if not step_cost(context.terrain, figure.cell, goal, fighter.space):
            return "at: needs a space adjacent to the guided ally that it could step on"
        crowd, footprint = context.crowd, context.terrain.footprint
        cells = footprint(goal, fighter.space) & ~footprint(figure.cell, fighter.space)
        taken = crowd.allies | crowd.foes | footprint(context.figure.cell, context.fighter.space)
        return "at: the space is taken" if cells & taken else None

    @staticmethod
    def _goal(action: Action) -> Cell | None:
        """The space to which the guided one walks; None where it only changes its posture."""
        return action.at if action.at is not None else (action.path[0] if action.path else None)

    def candidates(self, context: Context) -> Iterator[Action]:
        for i in self.near(context):
            guest, figure = context.setup.fighters[i], context.state.figures[i]
            for posture in (SITTING.name, PRONE.name):
                yield Action(context.actor, self.do, target=guest.id, option=posture)
            for cell, _ in context.terrain.neighbours(figure.cell, guest.space):
                yield Action(context.actor, self.do, target=guest.id, at=cell)

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        guest, goal = resolution.setup.index[action.target or ""], self._goal(action)
        resolution.change(guest, guided=True)
        wake(resolution, guest, "roused")
        if goal is None:
            lie_down(resolution, guest, action.option or SITTING.name, "guided")
        else:
            move(resolution, guest, (goal,), "guided")


class Recover(Picking):
    """+2 Mana or Faith: 3/Only."""

    do = "recover"
    face = Face("Recover", "Act", "3 AP/Only", "option", "recover", "v", "+2 Mana or Faith")
    ap, only = 3, True
    names, nothing = "option", "Mana and Faith are full"

    def near(self, context: Context) -> list[str]:
        """The pools that are not full."""
        return low_pools(context.fighter, context.figure)

    def idle(self, context: Context) -> bool:
        return not self.near(context)

    def why_not_this(self, context: Context, action: Action) -> str | None:
        open_pools = self.near(context)
        if action.option is None:
            return None if len(open_pools) == 1 else "option: mana or faith"
        option = action.option.lower()
        if option not in POOLS:
            return text("option: {option} is neither mana nor faith", repr(action.option))
        return None if option in open_pools else text("option: {option} is full", option)

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        pool = (action.option or self.near(situation(resolution))[0]).lower()
        restore(resolution, who, pool, 2, "Recover")
