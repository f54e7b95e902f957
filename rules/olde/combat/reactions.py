"""Reflexes and responses: what may be done out of turn, at what price, and attacks under way (olde.md §6).

A reflex answers an attack that was declared, before it is resolved; a response follows it. Both are paid in AP, also
when they come to nothing, and neither takes anything of one's own chance.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

import msgspec

from rules.board.sight import Grade
from rules.contract.actions import Adjustment
from rules.contract.events import Contest, Note
from rules.contract.events import Question as Asked
from rules.contract.ruleset import Odds
from rules.contract.text import text, titled
from rules.contract.units import CreatureIx
from rules.core import odds as dist
from rules.core.dice import notation, roll
from rules.olde.actions.kind import Context, spend
from rules.olde.challenges.checks import burden, skill_adjustment
from rules.olde.combat.attack import PreparedAttack, attack_of, odds_of, pending, resolve, why_not_attack
from rules.olde.combat.outcomes import Answer
from rules.olde.combat.weapons import MANNERS, PLAIN, Manner, mode_for, wielded
from rules.olde.conditions import Forbid, feared, forbidden, lay
from rules.olde.effects import Effect, Lasting
from rules.olde.state import Chance, OldeState, Pending, Question, Resolution, Stage, able
from rules.olde.visibility import sees, sight

RULE = "olde.md §6 reflexes"
REFLEX, RESPONSE = "reflex", "response"
"""Kinds of question."""
DEPTH = 2
"""A blow struck in answer to an answer is not answered any more."""
BLADES = ("Axes", "Maces", "Swords", "Spears", "Fencing")


class Reaction(Answer):
    """One of them: its home."""

    option: str  # the record's option that allows it
    ap: int
    skills: tuple[str, ...] = BLADES
    rank: int  # the least adjustment of the rank in one of the skills
    needs: str
    melee = False  # whether it answers no shots
    kind = REFLEX  # the question that it answers

    def why_not(self, state: OldeState, attack: Pending) -> str | None:
        """Why it is no answer to an attack, or None; AP aside."""
        if self.melee and attack.ranged:
            return "only against melee"
        return None if self.weapons(state, attack.target) else text("needs {needs}", self.needs)

    def weapons(self, state: OldeState, who: CreatureIx) -> list[str]:
        """What is in hand that it can be made with."""
        armoury, fighter = state.setup.armoury.weapons, state.setup.fighters[who]
        held = {item: armoury[item].modes for item in state.figures[who].hands if item in armoury}
        blows = {item: [mode.skill for mode in modes if not mode.ranged] for item, modes in held.items()}
        apt = [skill for skill in self.skills if skill_adjustment(fighter, skill) >= self.rank]
        return [item for item, skills in blows.items() if any(skill in apt for skill in skills)]

    def struck_back(self, state: OldeState, attack: Pending) -> Pending | None:
        """The attack that it is; None for one that only wards off."""
        return None

    def succeed(self, resolution: Resolution, state: OldeState, attack: Pending) -> None:
        """What it does where it comes in time."""
        raise NotImplementedError(self.word)

    def chance(self, state: OldeState, attack: Pending) -> float:
        """That it comes in time: two dice of Finesse against two, and the defender wins ties."""
        ranks, plus = [], []
        for who in (attack.target, attack.attacker):
            fighter = state.setup.fighters[who]
            ranks.append(fighter.finesse_rank)
            plus.append(sum(a.value for a in burden(state.setup, fighter, state.figures[who], "finesse")))
        return dist.chance_margin(ranks[0], ranks[1], plus[1] - plus[0])

    def dice(self, state: OldeState, attack: Pending) -> list[str]:
        """The dice of both, as the card has them."""
        return [notation(2, state.setup.fighters[who].finesse_rank, True) for who in (attack.target, attack.attacker)]

    def told(self, state: OldeState, attack: Pending) -> str:
        """How an attack's card warns of it."""
        chance = f"{self.chance(state, attack) * 100:.0f}"
        return text("may answer: {label} ({ap} AP, {chance} % in time)", self.label, self.ap, chance)

    def odds(self, state: OldeState, question: Question) -> Odds | None:
        if not state.pending:
            return None
        attack = state.pending[-1]
        chance, back = self.chance(state, attack), self.struck_back(state, attack)
        hit = chance if back is None else chance * odds_of(state.setup, state.figures, prepared(state, back)).hit
        own, theirs = self.dice(state, attack)
        note = (text("{label}: {ap} AP, paid in any case", self.label, self.ap), RULE)
        outcomes = (("in time", chance), ("too late", 1.0 - chance))
        return Odds(hit, outcomes, attack_dice=own, defense_dice=theirs, notes=(note,))

    def resolve(self, resolution: Resolution, question: Question) -> None:
        """Both throw two exploding Finesse dice, the defender first; it wins ties."""
        resolution.question = None
        attack = resolution.pending[-1]
        spend(resolution, attack.target, self.ap)
        state, rolls = resolution.done(), []
        for who, label in ((attack.target, self.label), (attack.attacker, "attacker")):
            fighter = resolution.fighter(who)
            plus = burden(resolution.setup, fighter, resolution.figures[who], "finesse")
            rolls.append(roll(resolution.dice, label, 2, fighter.finesse_rank, by=fighter.id, adjustments=plus))
        success = rolls[0].total >= rolls[1].total
        note = "in time" if success else "too late"
        by, target = resolution.fighter(attack.target).id, resolution.fighter(attack.attacker).id
        told = Contest(by=by, target=target, what=self.label, rolls=tuple(rolls), success=success, note=note)
        resolution.events.append(told)
        _set(resolution, stage=Stage.ANSWERED)
        if success:
            self.succeed(resolution, state, attack)


class RaiseShield(Reaction):
    """The shield counts once more."""

    option, word, label, icon = "block_reflex", "raise_shield", "Shield Block", "shield"
    ap, cost, skills, rank, melee = 1, "1 AP", ("Shields",), 1, True
    needs = "a shield in hand and Shields at Journeyman"

    def weapons(self, state: OldeState, who: CreatureIx) -> list[str]:
        """The shield, in hands that are trained in it."""
        trained = skill_adjustment(state.setup.fighters[who], self.skills[0]) >= self.rank
        return [item for item in state.figures[who].hands if item in state.setup.armoury.shields] if trained else []

    def raised(self, state: OldeState, attack: Pending) -> tuple[Adjustment, ...]:
        """The shield's Defense once more, after what else was added to the attack."""
        shields = state.setup.armoury.shields
        item = next((item for item in state.figures[attack.target].hands if item in shields), None)
        if item is None:
            return attack.extra
        return (*attack.extra, Adjustment("defense", shields[item].defense, text("{item}, raised", item), RULE))

    def succeed(self, resolution: Resolution, state: OldeState, attack: Pending) -> None:
        _set(resolution, extra=self.raised(state, attack))


class Parry(Reaction):
    """The attack is turned aside, at a temporary penalty to one's own attacks, which adds up."""

    option, word, label, icon = "parry", "parry", "Parry", "sword"
    ap, cost, rank, melee = 1, "1 AP", 2, True
    needs = "an axe, mace, sword, spear or fencing weapon in hand at Foreman"
    PENALTY = -2

    def succeed(self, resolution: Resolution, state: OldeState, attack: Pending) -> None:
        _pop(resolution)
        before = sum(e.lasting.attack for e in state.figures[attack.target].effects if e.name == self.word)
        lasting = Lasting(1, attack=before + self.PENALTY, rule=RULE)
        lay(resolution, attack.target, Effect(self.word, attack.target, 1, 0, lasting))


class StrikesBack(Reaction):
    """A reaction that is an attack of its own."""

    def why_not(self, state: OldeState, attack: Pending) -> str | None:
        lacking = super().why_not(state, attack)
        return lacking or (None if self.answering(state, attack) else "cannot strike back at the attacker")

    def answering(self, state: OldeState, attack: Pending) -> tuple[str, ...]:
        """The weapons with which the target of an attack reaches and sees its attacker."""
        context, figure = Context(state, Chance(attack.target)), state.figures[attack.target]
        barred = forbidden(figure, Forbid.ATTACK) or attack.attacker in feared(figure)
        if barred or context.dead(attack.attacker):
            return ()
        weapons, distance = state.setup.armoury.weapons, context.distance(attack.attacker)
        ways = {item: mode_for(context, weapons[item], PLAIN, distance) for item in self.weapons(state, attack.target)}
        return tuple(item for item, at in ways.items() if at >= 0 and not weapons[item].modes[at].ranged)

    def extra(self, state: OldeState, attack: Pending) -> tuple[Adjustment, ...]:
        """What it is made at."""
        raise NotImplementedError(self.word)

    def struck_back(self, state: OldeState, attack: Pending) -> Pending:
        """With the weapon that promises most."""
        extra = self.extra(state, attack)
        attacks = [
            Pending(attack.target, attack.attacker, weapon, self.word, attack.depth + 1, extra=extra)
            for weapon in self.answering(state, attack)
        ]
        return max(attacks, key=lambda one: odds_of(state.setup, state.figures, prepared(state, one)).mean)


class Counterattack(StrikesBack):
    """One strikes first, at −2."""

    option, word, label, icon = "counterattack", "counterattack", "Counterattack", "attack"
    ap, cost, rank = 2, "2 AP", 3
    needs = "an axe, mace, sword, spear or fencing weapon in hand at Master"

    def extra(self, state: OldeState, attack: Pending) -> tuple[Adjustment, ...]:
        return (Adjustment("attack", -2, self.word, RULE),)

    def succeed(self, resolution: Resolution, state: OldeState, attack: Pending) -> None:
        resolution.pending = (*resolution.pending, self.struck_back(state, attack))


class Riposte(StrikesBack):
    """One strikes after the attack, at −1 for each HP just lost; it always comes in time."""

    option, word, label, icon = "riposte", "riposte", "Riposte", "rushed_attack"
    ap, cost, skills, rank = 1, "1 AP", ("Fencing",), 1
    needs = "a fencing weapon in hand at Journeyman"
    kind = RESPONSE

    def extra(self, state: OldeState, attack: Pending) -> tuple[Adjustment, ...]:
        lost = max(0, attack.hp - state.figures[attack.target].hp)
        return (Adjustment("attack", -lost, text("{lost} HP just lost", lost), RULE),) if lost else ()

    def chance(self, state: OldeState, attack: Pending) -> float:
        return 1.0

    def dice(self, state: OldeState, attack: Pending) -> list[str]:
        return ["", ""]

    def told(self, state: OldeState, attack: Pending) -> str:
        return text("may answer: {label} ({ap} AP)", self.label, self.ap)

    def resolve(self, resolution: Resolution, question: Question) -> None:
        resolution.question = None
        attack = resolution.pending[-1]
        spend(resolution, attack.target, self.ap)
        _pop(resolution)
        resolution.pending = (*resolution.pending, self.struck_back(resolution.done(), attack))


class Decline(Answer):
    """The answer that does nothing: in place of a reflex the attack goes on, in place of a response it's done with."""

    def __init__(self, word: str, label: str) -> None:
        self.word, self.label = word, label

    def odds(self, state: OldeState, question: Question) -> Odds | None:
        return Odds(1.0, ((self.word, 1.0),)) if state.pending else None

    def resolve(self, resolution: Resolution, question: Question) -> None:
        resolution.question = None
        if question.kind == REFLEX:
            _set(resolution, stage=Stage.ANSWERED)
        else:
            _pop(resolution)


REACTIONS: Mapping[str, Reaction] = {r.word: r for r in (RaiseShield(), Parry(), Counterattack(), Riposte())}
"""Answer -> reaction."""
OPTIONS = tuple(r.option for r in REACTIONS.values())
DECLINE: Mapping[str, Decline] = {
    REFLEX: Decline("take_it", "Take the blow"), RESPONSE: Decline("let_be", "Leave it at that")
}  # fmt: skip
"""Kind of question -> the answer that does nothing."""


def allowed(options: dict[str, bool]) -> tuple[str, ...]:
    """The answers that a record's options allow: `reflexes` all of them, else each by its own word."""
    return tuple(r.word for r in REACTIONS.values() if options.get("reflexes") or options.get(r.option))


# -- who may answer ---------------------------------------------------------------------------------------


def open_to(state: OldeState, attack: Pending, kind: str) -> tuple[str, ...]:
    """What the target of an attack could answer with now, in the order of the list."""
    figure, attacker = state.figures[attack.target], state.figures[attack.attacker]
    if attack.depth >= DEPTH or not able(figure) or forbidden(figure, Forbid.DEFEND) or attacker.cell < 0:
        return ()
    if sight(state, attack.target, figure.cell, attack.attacker, attacker.cell) is Grade.NONE:
        return ()
    able_to = (r for r in map(REACTIONS.__getitem__, state.setup.reflexes) if r.kind == kind and figure.ap >= r.ap)
    return tuple(r.word for r in able_to if r.why_not(state, attack) is None)


def warned(state: OldeState, attack: PreparedAttack, odds: Odds) -> Odds:
    """The odds of an attack with a line for each answer that its target could pay and give now."""
    open_now = Pending(attack.attacker, attack.target, "", PLAIN.do, ranged=attack.mode.ranged)
    found = [REACTIONS[name] for kind in (REFLEX, RESPONSE) for name in open_to(state, open_now, kind)]
    if not found:
        return odds
    lines = [(reaction.told(state, pending(attack)), RULE) for reaction in found]
    return msgspec.structs.replace(odds, notes=(*odds.notes, *lines))


def prompt(state: OldeState, question: Question) -> str:
    """What whoever is attacked is asked; in the fog nobody is named whom none of its side sees."""
    fighters, figure = state.setup.fighters, state.figures[question.other]
    asked, other = fighters[question.who], fighters[question.other]
    hidden = not state.terrain.footprint(figure.cell, other.space) & sees(state, asked.side)
    who, foe = asked.called, text("somebody unseen") if state.setup.fog and hidden else other.called
    if question.kind == REFLEX:
        told = text("{foe} attacks {who} with {weapon}. How does {who} answer?", foe, who, question.weapon)
    else:
        told = text("{foe} has struck at {who}. How does {who} answer?", foe, who)
    return titled(told)


# -- attacks under way ------------------------------------------------------------------------------------


def go_on(resolution: Resolution) -> None:
    """One step of the innermost attack: ask, strike, ask again, done."""
    attack = resolution.pending[-1]
    match attack.stage:
        case Stage.DECLARED:
            if not _ask(resolution, attack, REFLEX):
                _set(resolution, stage=Stage.ANSWERED)
        case Stage.ANSWERED:
            _strike(resolution, attack)
        case Stage.STRUCK:
            if not _ask(resolution, attack, RESPONSE):
                _pop(resolution)
        case _:
            assert_never(attack.stage)


def _ask(resolution: Resolution, attack: Pending, kind: str) -> bool:
    """Put the question, if there is anything to answer with."""
    answers = open_to(resolution.done(), attack, kind)
    if not answers:
        return False
    options = (*answers, DECLINE[kind].word)
    by = resolution.fighter(attack.target).id
    resolution.question = Question(by, kind, options, attack.target, attack.attacker, attack.weapon)
    resolution.events.append(Asked(by=by, kind=kind, options=options, about=resolution.fighter(attack.attacker).id))
    return True


def _set(resolution: Resolution, **changes: object) -> None:
    resolution.pending = (*resolution.pending[:-1], msgspec.structs.replace(resolution.pending[-1], **changes))


def _pop(resolution: Resolution) -> None:
    resolution.pending = resolution.pending[:-1]


def _strike(resolution: Resolution, attack: Pending) -> None:
    """Carry the attack out, if it still can be."""
    state = resolution.done()
    if why_no_more(state, attack):
        fighter = resolution.fighter(attack.attacker)
        resolution.events.append(Note(text=text("{name}'s attack comes to nothing.", fighter.called), by=fighter.id))
        _pop(resolution)
        return
    _set(resolution, stage=Stage.STRUCK, hp=resolution.figures[attack.target].hp)
    resolve(resolution, prepared(state, attack))


def why_no_more(state: OldeState, attack: Pending) -> str | None:
    """Why an attack that was declared can't be made any more, or None."""
    if not able(state.figures[attack.attacker]):
        return "the attacker cannot act"
    context = _situation(state, attack)
    if attack.weapon not in wielded(context):
        return "the weapon is gone"
    return why_not_attack(context, PLAIN, attack.target, state.setup.armoury.weapons[attack.weapon])


def prepared(state: OldeState, attack: Pending) -> PreparedAttack:
    """The attack with all its adjustments, those of the answers to it included."""
    manner = MANNERS.get(attack.action) or Manner(attack.action)
    weapon = state.setup.armoury.weapons[attack.weapon]
    found = attack_of(_situation(state, attack), manner, attack.target, weapon)
    plus = {to: tuple(a for a in attack.extra if a.to == to) for to in ("attack", "defense")}
    guarded = found.to_defense + plus["defense"] if found.defense_rank else ()
    return found._replace(action=attack.action, to_attack=found.to_attack + plus["attack"], to_defense=guarded)


def _situation(state: OldeState, attack: Pending) -> Context:
    own = state.chance is not None and state.chance.who == attack.attacker
    return Context(state, state.chance if own and state.chance is not None else Chance(attack.attacker))
