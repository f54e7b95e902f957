"""Reflexes and responses: what may be done out of turn, at what price, and attacks under way (olde.md §6).

A reflex answers an attack that was declared, before it is resolved; a response follows it. Both are paid in AP, also
when they come to nothing, and neither takes anything of one's own chance.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from rules.board.sight import Grade
from rules.contract.actions import Action, Adjustment
from rules.contract.events import Contest, Note
from rules.contract.events import Question as Asked
from rules.core.dice import roll
from rules.olde.actions.context import Context, spend
from rules.olde.challenges.checks import burden, skill_adjustment
from rules.olde.combat.attack import Blow, resolve
from rules.olde.combat.chances import odds_of
from rules.olde.combat.fighting import blow_of, mode_for, why_not_attack, wielded
from rules.olde.conditions import Forbid, feared, forbidden
from rules.olde.effects.model import Effect, Lasting
from rules.olde.effects.working import lay
from rules.olde.state import Chance, Figure, OldeState, Pending, Question, Resolution, Setup, able
from rules.olde.visibility import sight

RULE = "olde.md §6 reflexes"
DEPTH = 2
"""A blow struck in answer to an answer is not answered any more."""
BLADES = ("Axes", "Maces", "Swords", "Spears", "Fencing")


class Reaction(NamedTuple):
    """One of them, as the list has it."""

    option: str
    """The record's option that allows it."""
    answer: str
    label: str
    ap: int
    skills: tuple[str, ...]
    rank: int
    """The least adjustment of the rank in one of the skills."""
    needs: str
    icon: str
    response: bool = False


REACTIONS = {
    r.answer: r
    for r in (
        Reaction("block_reflex", "raise_shield", "Shield Block", 1, ("Shields",), 1,
                 "a shield in hand and Shields at Journeyman", "shield"),
        Reaction("parry", "parry", "Parry", 1, BLADES, 2,
                 "an axe, mace, sword, spear or fencing weapon in hand at Foreman", "sword"),
        Reaction("counterattack", "counterattack", "Counterattack", 2, BLADES, 3,
                 "an axe, mace, sword, spear or fencing weapon in hand at Master", "attack"),
        Reaction("riposte", "riposte", "Riposte", 1, ("Fencing",), 1,
                 "a fencing weapon in hand at Journeyman", "rushed_attack", response=True),
    )
}  # fmt: skip
"""Answer -> reaction."""

OPTIONS = tuple(r.option for r in REACTIONS.values())
DECLINE = {"reflex": "take_it", "response": "let_be"}
"""Kind of question -> the answer that does nothing."""

PARRIED, AT_ONCE = -2, -2
"""What a Parry costs one's own attacks, and what a Counterattack is made at."""


def allowed(options: dict[str, bool]) -> tuple[str, ...]:
    """The answers that a record's options allow: `reflexes` all of them, else each by its own word."""
    return tuple(
        r.answer for r in REACTIONS.values() if options.get("reflexes") or options.get(r.option)
    )  # fmt: skip


def open_to(state: OldeState, blow: Pending, response: bool) -> tuple[str, ...]:
    """What the target of a blow could answer with now, in the order of the list."""
    setup, figure = state.setup, state.figures[blow.target]
    attacker = state.figures[blow.attacker]
    if blow.depth >= DEPTH or not able(figure) or forbidden(figure, Forbid.DEFEND) or attacker.cell < 0:
        return ()
    if sight(state, blow.target, figure.cell, blow.attacker, attacker.cell) is Grade.NONE:
        return ()
    return tuple(
        name
        for name in setup.reflexes
        if REACTIONS[name].response == response
        and figure.ap >= REACTIONS[name].ap
        and fault(state, REACTIONS[name], blow) is None
    )


def fault(state: OldeState, reaction: Reaction, blow: Pending) -> str | None:
    """Why a reaction is no answer to a blow, or None; AP aside."""
    setup, figure = state.setup, state.figures[blow.target]
    if reaction.answer in ("raise_shield", "parry") and blow.ranged:
        return "only against melee"
    if reaction.answer == "raise_shield":
        held = any(item in setup.armoury.shields for item in figure.hands)
        trained = skill_adjustment(setup.fighters[blow.target], "Shields") >= reaction.rank
        return None if held and trained else f"needs {reaction.needs}"
    if not weapons_for(setup, blow.target, figure, reaction):
        return f"needs {reaction.needs}"
    if reaction.answer == "parry":
        return None
    return None if answering(state, blow, reaction) else "cannot strike back at the attacker"


def weapons_for(setup: Setup, who: int, figure: Figure, reaction: Reaction) -> list[str]:
    """What is in hand that a reaction can be made with."""
    armoury, fighter = setup.armoury.weapons, setup.fighters[who]
    return [
        item
        for item in dict.fromkeys(figure.hands)
        if item in armoury
        and any(
            not mode.ranged and mode.skill in reaction.skills and skill_adjustment(fighter, mode.skill) >= reaction.rank
            for mode in armoury[item].modes
        )
    ]


def answering(state: OldeState, blow: Pending, reaction: Reaction) -> tuple[str, ...]:
    """The weapons with which the target of a blow reaches and sees its attacker."""
    setup = state.setup
    attacker, figure = state.figures[blow.attacker], state.figures[blow.target]
    if forbidden(figure, Forbid.ATTACK) or blow.attacker in feared(figure):
        return ()
    if attacker.hp <= -setup.fighters[blow.attacker].hp_max:
        return ()
    context = Context(state, Chance(blow.target))
    distance = context.distance(blow.attacker)
    out = []
    for item in weapons_for(setup, blow.target, figure, reaction):
        weapon = setup.armoury.weapons[item]
        at, reason = mode_for(context, weapon, "attack", distance)
        if reason is None and not weapon.modes[at].ranged:
            out.append(item)
    return tuple(out)


def mentioned(state: OldeState, attacker: int, target: int, ranged: bool) -> list[Reaction]:
    """What an attack card warns of: the reactions that this target could pay and make now."""
    blow = Pending(attacker, target, "", "attack", ranged=ranged)
    return [
        REACTIONS[name] for response in (False, True) for name in open_to(state, blow, response)
    ]  # fmt: skip


def prompt(setup: Setup, question: Question) -> str:
    """What whoever is attacked is asked."""
    who, foe = setup.fighters[question.who].name, setup.fighters[question.other].name
    if question.kind == "reflex":
        return f"{foe} attacks {who} with {question.weapon}. How does {who} answer?"
    return f"{foe} has struck at {who}. How does {who} answer?"


def go_on(resolution: Resolution) -> None:
    """One step of the innermost attack: ask, strike, ask again, done."""
    attack = resolution.pending[-1]
    if attack.stage == "declared" and not _ask(resolution, attack, "reflex"):
        _set(resolution, stage="answered")
    elif attack.stage == "answered":
        _strike(resolution, attack)
    elif attack.stage == "struck" and not _ask(resolution, attack, "response"):
        _pop(resolution)


def _ask(resolution: Resolution, attack: Pending, kind: str) -> bool:
    """Put the question, if there is anything to answer with."""
    answers = open_to(resolution.done(), attack, kind == "response")
    if not answers:
        return False
    options = (*answers, DECLINE[kind])
    by = resolution.fighter(attack.target).id
    resolution.question = Question(by, kind, options, attack.target, attack.attacker, attack.weapon)
    resolution.events.append(Asked(by=by, kind=kind, options=options, about=resolution.fighter(attack.attacker).id))
    return True


def _set(resolution: Resolution, **changes: object) -> None:
    resolution.pending = (
        *resolution.pending[:-1],
        msgspec.structs.replace(resolution.pending[-1], **changes),
    )


def _pop(resolution: Resolution) -> None:
    resolution.pending = resolution.pending[:-1]


def _strike(resolution: Resolution, attack: Pending) -> None:
    """Carry the attack out, if it still can be."""
    state = resolution.done()
    if fault_of(state, attack):
        name = resolution.fighter(attack.attacker).name
        resolution.events.append(
            Note(text=f"{name}'s attack comes to nothing.", by=resolution.fighter(attack.attacker).id)
        )
        _pop(resolution)
        return
    _set(resolution, stage="struck", hp=resolution.figures[attack.target].hp)
    resolve(resolution, prepared(state, attack))


def fault_of(state: OldeState, attack: Pending) -> str | None:
    """Why an attack that was declared can't be made any more, or None."""
    if not able(state.figures[attack.attacker]):
        return "the attacker cannot act"
    context = _look(state, attack)
    if attack.weapon not in wielded(context):
        return "the weapon is gone"
    return why_not_attack(context, "attack", attack.target, state.setup.armoury.weapons[attack.weapon])


def prepared(state: OldeState, attack: Pending) -> Blow:
    """The attack with all its adjustments, those of the answers to it included."""
    setup = state.setup
    action = Action(setup.fighters[attack.attacker].id, attack.action, setup.fighters[attack.target].id, attack.weapon)
    blow = blow_of(_look(state, attack), action)
    plus = {to: tuple(a for a in attack.extra if a.to == to) for to in ("attack", "defense")}
    guarded = blow.to_defense + plus["defense"] if blow.defense_rank else ()
    return blow._replace(to_attack=blow.to_attack + plus["attack"], to_defense=guarded)


def _look(state: OldeState, attack: Pending) -> Context:
    chance = state.chance
    own = chance is not None and chance.who == attack.attacker
    return Context(state, chance if own and chance is not None else Chance(attack.attacker))


# -- answers --------------------------------------------------------------------------------------------


def answer_attack(resolution: Resolution, answer: str) -> None:
    """Carry out what whoever is attacked has decided."""
    assert resolution.question is not None
    kind, resolution.question = resolution.question.kind, None
    attack = resolution.pending[-1]
    if answer == DECLINE[kind]:
        _set(resolution, stage="answered") if kind == "reflex" else _pop(resolution)
        return
    reaction = REACTIONS[answer]
    spend(resolution, attack.target, reaction.ap)
    if reaction.response:
        _pop(resolution)
        back = riposte(resolution.done(), attack)
        resolution.pending = (*resolution.pending, back)
    else:
        _reflex(resolution, attack, reaction)


def _reflex(resolution: Resolution, attack: Pending, reaction: Reaction) -> None:
    """Both throw two exploding Finesse dice, the defender first; it wins ties."""
    state = resolution.done()
    success = _contest(resolution, attack, reaction)
    _set(resolution, stage="answered")
    if not success:
        return
    if reaction.answer == "raise_shield":
        _set(resolution, extra=(*attack.extra, *shield_again(state, attack)))
    elif reaction.answer == "parry":
        _pop(resolution)
        lay(resolution, attack.target, parried(state, attack))
    elif reaction.answer == "counterattack":
        resolution.pending = (*resolution.pending, counter(state, attack))


def _contest(resolution: Resolution, attack: Pending, reaction: Reaction) -> bool:
    rolls = []
    for who, label in ((attack.target, reaction.label), (attack.attacker, "attacker")):
        fighter = resolution.fighter(who)
        resolution.dice.thrower = fighter.id
        adjustments = burden(resolution.setup, fighter, resolution.figures[who], "finesse")
        rolls.append(roll(resolution.dice, label, 2, fighter.finesse_rank, adjustments=adjustments))
    success = rolls[0].total >= rolls[1].total
    resolution.events.append(
        Contest(
            by=resolution.fighter(attack.target).id,
            target=resolution.fighter(attack.attacker).id,
            what=reaction.label,
            rolls=tuple(rolls),
            success=success,
            note="in time" if success else "too late",
        )
    )
    return success


def shield_again(state: OldeState, attack: Pending) -> tuple[Adjustment, ...]:
    """The shield's Defense once more."""
    shields = state.setup.armoury.shields
    for item in state.figures[attack.target].hands:
        if item in shields:
            return (Adjustment("defense", shields[item].defense, f"{item}, raised", RULE),)
    return ()


def parried(state: OldeState, attack: Pending) -> Effect:
    """What is left of a Parry: a temporary penalty to one's own attacks, which adds up."""
    before = sum(e.lasting.attack for e in state.figures[attack.target].effects if e.name == "parry")
    return Effect("parry", attack.target, 1, 0, Lasting(1, attack=before + PARRIED, rule=RULE))


def counter(state: OldeState, attack: Pending) -> Pending:
    """The blow that comes first, with the weapon that promises most."""
    plus = (Adjustment("attack", AT_ONCE, "counterattack", RULE),)
    return _back(state, attack, REACTIONS["counterattack"], plus)


def riposte(state: OldeState, attack: Pending) -> Pending:
    """The blow that follows, at −1 for each HP just lost."""
    lost = max(0, attack.hp - state.figures[attack.target].hp)
    plus = (Adjustment("attack", -lost, f"{lost} HP just lost", RULE),) if lost else ()
    return _back(state, attack, REACTIONS["riposte"], plus)


def _back(state: OldeState, attack: Pending, reaction: Reaction, extra: tuple[Adjustment, ...]) -> Pending:
    blows = [
        Pending(attack.target, attack.attacker, weapon, reaction.answer, attack.depth + 1, extra=extra)
        for weapon in answering(state, attack, reaction)
    ]
    return max(blows, key=lambda blow: odds_of(state.setup, state.figures, prepared(state, blow)).mean)
