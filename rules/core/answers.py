"""The legal answers to a question that the rules put inside an action: alike in every ruleset."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import msgspec

from rules.contract.actions import Action, Decision, Description, Offer


def named(options: tuple[str, ...], word: str | None) -> str | None:
    """The option that a word names, letter by letter; None if it names none."""
    return word if word in options else None


class Answers:
    """The options of a question, each with its face. `meant` finds the option that a word stands for."""

    def __init__(
        self,
        decision: Decision,
        options: tuple[str, ...],
        face: Callable[[str], Description],
        meant: Callable[[tuple[str, ...], str | None], str | None] = named,
    ) -> None:
        self.decision = decision
        self.options = options
        self._face = face
        self._meant = meant

    def __iter__(self) -> Iterator[Action]:
        for option in self.options:
            yield Action(self.decision.by, "choose", option=option)

    def __contains__(self, action: object) -> bool:
        return isinstance(action, Action) and self.refusal(action) is None

    def refusal(self, action: Action) -> str | None:
        """Why an answer is none."""
        options = ", ".join(self.options)
        if action.do != "choose":
            return f"do: a question stands open, choose one of {options}"
        if action.by not in (self.decision.by, "gm"):
            return f"by: {self.decision.by} answers this, not {action.by}"
        if self._meant(self.options, action.option) is None:
            return f"option: {action.option!r} is none of {options}"
        return None

    def moves(self, do: str) -> Mapping[int, Action]:
        return {}

    def offers(self) -> tuple[Offer, ...]:
        """A button for each option, by the keys from 1."""
        out = []
        for number, option in enumerate(self.options, 1):
            face = msgspec.structs.replace(self._face(option), key=str(number))
            out.append(Offer("choose", face, (Action(self.decision.by, "choose", option=option),)))
        return tuple(out)
