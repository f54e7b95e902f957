"""Attacks under way: declared, answered, struck, answered again (olde.md §6 reflexes).

The attacks stand on a stack (`OldeState.pending`): a blow struck in answer lies above the one that it answers, and the
innermost goes on first. A question is put wherever somebody could answer; nothing is asked where nobody can.
"""

from __future__ import annotations

import msgspec

from rules.contract.actions import Action, Adjustment
from rules.contract.events import Contest, Note
from rules.contract.events import Question as Asked
from rules.core.action_kinds import Face
from rules.core.dice import roll
from rules.olde.actions.deeds import Look, spend
from rules.olde.challenges.checks import burden
from rules.olde.combat.attack import Blow, resolve
from rules.olde.combat.chances import odds_of
from rules.olde.combat.fighting import Strikes, blow_of, wielded
from rules.olde.combat.reactions import (
    AT_ONCE,
    DECLINE,
    PARRIED,
    REACTIONS,
    RULE,
    Reaction,
    answering,
    open_to,
)
from rules.olde.effects.model import Effect, Lasting
from rules.olde.effects.working import lay
from rules.olde.state import Chance, OldeState, Pending, Question, Work, able

_PLAIN = Strikes("attack", Face("Attack", "Act", "", "creature", "attack", ""))


def go_on(work: Work) -> None:
    """One step of the innermost attack: ask, strike, ask again, done."""
    attack = work.pending[-1]
    if attack.stage == "declared" and not _ask(work, attack, "reflex"):
        _set(work, stage="answered")
    elif attack.stage == "answered":
        _strike(work, attack)
    elif attack.stage == "struck" and not _ask(work, attack, "response"):
        _pop(work)


def _ask(work: Work, attack: Pending, kind: str) -> bool:
    """Put the question, if there is anything to answer with."""
    answers = open_to(work.done(), attack, kind == "response")
    if not answers:
        return False
    options = (*answers, DECLINE[kind])
    by = work.fighter(attack.target).id
    work.question = Question(by, kind, options, attack.target, attack.attacker, attack.weapon)
    work.events.append(Asked(by=by, kind=kind, options=options, about=work.fighter(attack.attacker).id))
    return True


def _set(work: Work, **changes: object) -> None:
    work.pending = (*work.pending[:-1], msgspec.structs.replace(work.pending[-1], **changes))


def _pop(work: Work) -> None:
    work.pending = work.pending[:-1]


def _strike(work: Work, attack: Pending) -> None:
    """Carry the attack out, if it still can be."""
    state = work.done()
    if fault_of(state, attack):
        name = work.fighter(attack.attacker).name
        work.events.append(
            Note(text=f"{name}'s attack comes to nothing.", by=work.fighter(attack.attacker).id)
        )
        _pop(work)
        return
    _set(work, stage="struck", hp=work.figures[attack.target].hp)
    resolve(work, prepared(state, attack))


def fault_of(state: OldeState, attack: Pending) -> str | None:
    """Why an attack that was declared can't be made any more, or None."""
    if not able(state.figures[attack.attacker]):
        return "the attacker cannot act"
    look = _look(state, attack)
    if attack.weapon not in wielded(look):
        return "the weapon is gone"
    return _PLAIN.fault(look, attack.target, state.setup.armoury.weapons[attack.weapon])


def prepared(state: OldeState, attack: Pending) -> Blow:
    """The attack with all its adjustments, those of the answers to it included."""
    setup = state.setup
    action = Action(
        setup.fighters[attack.attacker].id, attack.action, setup.fighters[attack.target].id, attack.weapon
    )
    blow = blow_of(_look(state, attack), action)
    plus = {to: tuple(a for a in attack.extra if a.to == to) for to in ("attack", "defense")}
    guarded = blow.to_defense + plus["defense"] if blow.defense_rank else ()
    return blow._replace(to_attack=blow.to_attack + plus["attack"], to_defense=guarded)


def _look(state: OldeState, attack: Pending) -> Look:
    chance = state.chance
    own = chance is not None and chance.who == attack.attacker
    return Look(state, chance if own and chance is not None else Chance(attack.attacker))


# -- answers --------------------------------------------------------------------------------------------


def answer_attack(work: Work, answer: str) -> None:
    """Carry out what whoever is attacked has decided."""
    assert work.question is not None
    kind, work.question = work.question.kind, None
    attack = work.pending[-1]
    if answer == DECLINE[kind]:
        _set(work, stage="answered") if kind == "reflex" else _pop(work)
        return
    reaction = REACTIONS[answer]
    spend(work, attack.target, reaction.ap)
    if reaction.response:
        _pop(work)
        back = riposte(work.done(), attack)
        work.pending = (*work.pending, back)
    else:
        _reflex(work, attack, reaction)


def _reflex(work: Work, attack: Pending, reaction: Reaction) -> None:
    """Both throw two exploding Finesse dice, the defender first; it wins ties."""
    state = work.done()
    success = _contest(work, attack, reaction)
    _set(work, stage="answered")
    if not success:
        return
    if reaction.answer == "raise_shield":
        _set(work, extra=(*attack.extra, *shield_again(state, attack)))
    elif reaction.answer == "parry":
        _pop(work)
        lay(work, attack.target, parried(state, attack))
    elif reaction.answer == "counterattack":
        work.pending = (*work.pending, counter(state, attack))


def _contest(work: Work, attack: Pending, reaction: Reaction) -> bool:
    rolls = []
    for who, label in ((attack.target, reaction.label), (attack.attacker, "attacker")):
        fighter = work.fighter(who)
        work.dice.thrower = fighter.id
        adjustments = burden(work.setup, fighter, work.figures[who], "finesse")
        rolls.append(roll(work.dice, label, 2, fighter.finesse_rank, adjustments=adjustments))
    success = rolls[0].total >= rolls[1].total
    work.events.append(
        Contest(
            by=work.fighter(attack.target).id,
            target=work.fighter(attack.attacker).id,
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
