"""Dice as the sheet has them: faces come one after another from the stream that both readings share."""

from __future__ import annotations

import re

from rules.core import dice as rng

NEXT = {20: 6, 100: 20}
"""Whose further dice are others: a d20p goes on with d6, a d100p with d20."""


class Bag:
    """A stream of faces; `count` dice have been thrown from it."""

    def __init__(self, seed: int) -> None:
        self.state = rng.seeded(seed)
        self.count = 0
        self.log: list[str] = []

    def die(self, faces: int) -> int:
        """One plain die."""
        if faces == 1:
            return 1
        self.state, pick = rng.below(self.state, faces)
        self.count += 1
        self.log.append(f"d{faces}={pick + 1}")
        return pick + 1

    def penetrating(self, faces: int, top: int = 1) -> tuple[int, int]:
        """(total, natural face): the highest face throws again, less one each time, as long as it comes; of a
        backstab's dice the `top` two."""
        natural = total = face = self.die(faces)
        while face > faces - top:
            faces = NEXT.get(faces, faces)
            face = self.die(faces)
            total += face - 1
        return total, natural

    def term(self, text: str, tame: bool, top: int = 1) -> int:
        """`2d8p`, `d6`, `(d4p-2)`: one part of a weapon's dice; `tame` dice do not penetrate."""
        match = re.fullmatch(r"\(?(\d*)d(\d+)(p?)(-\d+)?\)?", text)
        assert match, text
        total = 0
        for _ in range(int(match[1] or 1)):
            faces = int(match[2])
            total += self.penetrating(faces, top)[0] if match[3] and not tame else self.die(faces)
        return max(0, total + int(match[4] or 0))

    def dice(self, text: str, *, tame: bool = False, top: int = 1) -> tuple[int, int]:
        """(what the dice show, what is flat) of `d8p+d10p+3`; `lower of 2d6p` keeps the lower."""
        if text.startswith("lower of "):
            first, *flat = text.removeprefix("lower of ").split("+")
            match = re.fullmatch(r"2d(\d+)p", first)
            if match is None:  # `lower of d6p` and the like have nothing to choose from
                return self.dice(text.removeprefix("lower of "), tame=tame, top=top)
            one = self.term(f"d{match[1]}p", tame, top)
            other = self.term(f"d{match[1]}p", tame, top)
            return min(one, other), sum(map(int, flat))
        shown = flat_sum = 0
        for part in text.split("+"):
            if part.isdigit():
                flat_sum += int(part)
            else:
                shown += self.term(part, tame, top)
        return shown, flat_sum

    def die_p(self, faces: int) -> int:
        """One penetrating die's total."""
        return self.penetrating(faces)[0]
