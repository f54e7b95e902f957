"""Reflexes and responses: what may be done out of turn, by whom, and at what price (olde.md §6).

A reflex answers an attack that was declared, before it is resolved; a response follows it. Both are paid in AP, also
when they come to nothing, and neither takes anything of one's own chance.
"""

from __future__ import annotations

from typing import NamedTuple

from rules.board.sight import Grade
from rules.olde.actions.deeds import Look
from rules.olde.challenges.checks import skill_adjustment
from rules.olde.combat.fighting import mode_for
from rules.olde.effects.conditions import barred
from rules.olde.effects.working import feared
from rules.olde.state import Chance, Figure, OldeState, Pending, Question, Setup, able
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
    if blow.depth >= DEPTH or not able(figure) or barred(figure, "defend") or attacker.cell < 0:
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
            not mode.ranged
            and mode.skill in reaction.skills
            and skill_adjustment(fighter, mode.skill) >= reaction.rank
            for mode in armoury[item].modes
        )
    ]


def answering(state: OldeState, blow: Pending, reaction: Reaction) -> tuple[str, ...]:
    """The weapons with which the target of a blow reaches and sees its attacker."""
    setup = state.setup
    attacker, figure = state.figures[blow.attacker], state.figures[blow.target]
    if barred(figure, "attack") or blow.attacker in feared(figure):
        return ()
    if attacker.hp <= -setup.fighters[blow.attacker].hp_max:
        return ()
    look = Look(state, Chance(blow.target))
    distance = look.distance(blow.attacker)
    out = []
    for item in weapons_for(setup, blow.target, figure, reaction):
        weapon = setup.armoury.weapons[item]
        at, reason = mode_for(look, weapon, "attack", distance)
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
