"""Answers to questions inside an action: which critical outcome, which pool, which reaction (olde.md §4, §6)."""

from __future__ import annotations

from rules.contract.actions import Action, Decision, Description
from rules.contract.events import Chosen
from rules.contract.ruleset import Odds
from rules.core import odds as dist
from rules.core.action_kinds import Answers
from rules.olde.actions import calls
from rules.olde.combat import outcomes, reaction_odds, reactions
from rules.olde.combat.chances import stun_of
from rules.olde.combat.outcomes import return_of
from rules.olde.combat.reactions import REACTIONS, answer_attack
from rules.olde.state import OldeState, Question, Resolution
from rules.olde.turns import answer_pool

ANSWERS = {
    "drop_weapon": "Drop the weapon",
    "fall_prone": "Fall prone",
    "weapon_breaks": "The weapon breaks",
    "strike_back": "The defender strikes back",
    "mana": "Recover 1 Mana",
    "faith": "Recover 1 Faith",
    **{name: r.label for name, r in REACTIONS.items()},
    "take_it": "Take the blow",
    "let_be": "Leave it at that",
}


class Choices(Answers):
    """The legal answers to a question; meanwhile the game master may call for a roll."""

    def __init__(self, state: OldeState, decision: Decision, question: Question) -> None:
        super().__init__(decision, question.options, describe_answer, option_of)
        self.state = state

    def refusal(self, action: Action) -> str | None:
        if calls.meant(action):
            return calls.refusal(self.state, action)
        return super().refusal(action)

    def carry_out(self, resolution: Resolution, action: Action) -> None:
        """Carry out the answer."""
        answer(resolution, action)


def describe_answer(option: str) -> Description:
    """An answer's button; a reaction's says what it takes."""
    known = REACTIONS.get(option)
    cost, icon = (f"{known.ap} AP", known.icon) if known else ("", "choose")
    return Description(ANSWERS.get(option, option), "Answer", cost, icon=icon)


def option_of(options: tuple[str, ...], word: str | None) -> str | None:
    """The option meant: by its name, part of it (`prone`, `drop`, `breaks`), or its number from 1."""
    if word is None:
        return None
    key = word.strip().lower().replace(" ", "_")
    if key in options:
        return key
    if key.isdigit() and 1 <= int(key) <= len(options):
        return options[int(key) - 1]
    parts = [o for o in options if key in o.split("_") or key.rstrip("s") in o.split("_")]
    return parts[0] if len(parts) == 1 else None


def odds_of_answer(state: OldeState, option: str) -> Odds | None:
    """The odds of an answer that throws dice: a reaction, a blow struck back; None for any other."""
    question = state.question
    if question is not None and question.kind in reactions.DECLINE:
        return reaction_odds.odds_of_answer(state, option)
    if question is None or option != "strike_back":
        return None
    resolution = Resolution(state)
    back = return_of(resolution, question.who, question.other)
    if back is None:
        return None
    fighter, figure = state.setup.fighters[question.who], state.figures[question.who]
    damage: dict[int, float] = {}
    for thrown, p in enumerate(dist.die(back.rank, state.setup.exploding_damage)):
        if p > 0.0:
            hurt = back.hurt(thrown)
            damage[hurt] = damage.get(hurt, 0.0) + p
    drop = sum(p for hurt, p in damage.items() if figure.hp > 0 and hurt >= figure.hp)
    return Odds(
        hit=1.0,
        outcomes=(("struck back", 1.0),),
        damage=tuple(sorted(damage.items())),
        mean=sum(hurt * p for hurt, p in damage.items()),
        drop=drop,
        stun=stun_of(state.setup, fighter, figure, damage),
        adjustments=back.adjustments,
        attack_dice="no check",
        notes=(
            (
                f"damage d{back.rank}{', halved' if back.halved else ''}: {back.weapon}",
                "olde.md §6 critical outcomes",
            ),
        ),
    )


def answer(resolution: Resolution, action: Action) -> None:
    """Carry out the answer to the question that stands open."""
    question = resolution.question
    assert question is not None
    option = option_of(question.options, action.option)
    assert option is not None
    resolution.events.append(Chosen(by=action.by, kind=question.kind, option=option))
    if question.kind == "recover_pool":
        answer_pool(resolution, option)
        return
    if question.kind in reactions.DECLINE:
        answer_attack(resolution, option)
        return
    resolution.question = None
    weapon = resolution.setup.armoury.weapons[question.weapon]
    outcomes.carry_out(resolution, question.who, question.other, option, weapon)
