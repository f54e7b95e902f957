"""Answers to questions inside an action: which critical outcome, which pool, which reaction (olde.md §4, §6).

An answer's home is its class; here they are collected.
"""

from __future__ import annotations

from collections.abc import Mapping

from rules.contract.actions import Action, Decision, Description
from rules.contract.events import Chosen
from rules.contract.text import joined, text
from rules.core.action_kinds import Answers
from rules.olde.actions import calls
from rules.olde.combat import reactions
from rules.olde.combat.outcomes import CONSEQUENCES, Answer
from rules.olde.combat.reactions import DECLINE, REACTIONS
from rules.olde.state import OldeState, Question, Resolution
from rules.olde.turns import POOL_ANSWERS

ANSWERS: Mapping[str, Answer] = {
    **CONSEQUENCES, **POOL_ANSWERS, **REACTIONS, **{answer.word: answer for answer in DECLINE.values()}
}  # fmt: skip
"""Word of an answer -> the answer."""


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
        """Carry out a legal answer."""
        question = resolution.question
        assert question is not None
        option = option_of(question.options, action.option)
        assert option is not None
        resolution.events.append(Chosen(by=action.by, kind=question.kind, option=option))
        ANSWERS[option].resolve(resolution, question)


def describe_answer(option: str) -> Description:
    """An answer's button; a reaction's says what it takes."""
    return ANSWERS[option].describe() if option in ANSWERS else Description(option, "Answer", "")


def prompt(state: OldeState, question: Question) -> str:
    """What whoever decides is asked."""
    if question.kind in DECLINE:
        return reactions.prompt(state.setup, question)
    name = state.setup.fighters[question.who].name
    return text(
        "{name}: {answers}?", name, joined(" or ", (ANSWERS[option].label.lower() for option in question.options))
    )


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
