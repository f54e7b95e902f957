"""Who plans in the half that stands open, read from a state alone."""

from __future__ import annotations

from rules.cairn.conditions import DRIVEN, OUT, PANICKED, Forbid
from rules.cairn.state import Being, CairnState, Resolution, able, helpless, present


def awake(state: CairnState | Resolution, who: int) -> bool:
    """Whether a creature of the side whose half it is can do anything at all, of its own will or not."""
    being, figure = state.setup.beings[who], state.figures[who]
    if state.phase == "over" or being.side != state.setup.sides[min(state.half, len(state.setup.sides) - 1)]:
        return False
    if not able(figure) or figure.idle or figure.cannot(Forbid.TURN):
        return False
    return not caught_unaware(state, being)


def caught_unaware(state: CairnState | Resolution, being: Being) -> bool:
    """Whether somebody sits the first round out: the unaware, but for player's characters, who save for it (§1)."""
    return state.round == 1 and being.alert == "unaware" and not being.pc


def plans_now(state: CairnState | Resolution, who: int) -> bool:
    """Whether somebody plans in this half: able, of the side, not late, not unaware; or crawling."""
    being, figure = state.setup.beings[who], state.figures[who]
    if state.phase == "over" or being.side != state.setup.sides[min(state.half, len(state.setup.sides) - 1)]:
        return False
    if not present(figure) or figure.idle or figure.has(OUT):
        return False
    if figure.cannot(Forbid.PLAN):
        return False
    if state.round == 1 and figure.has(PANICKED):  # cairn.md §4: no action in the first round
        return False
    if caught_unaware(state, being):
        return False
    return able(figure) or (figure.critical and not helpless(figure))


def planning(state: CairnState) -> list[int]:
    """Numbers of those who plan now, in the record's order."""
    return [i for i in range(len(state.figures)) if plans_now(state, i)]


def sitting_out(state: CairnState) -> list[int]:
    """Those of the side whose half it is that stand there and can't plan: late, asleep, unaware and the like."""
    if state.phase == "over":
        return []
    side = state.setup.sides[min(state.half, len(state.setup.sides) - 1)]
    here = planning(state)
    return [
        i
        for i, (being, figure) in enumerate(zip(state.setup.beings, state.figures, strict=True))
        if being.side == side and i not in here and present(figure) and not figure.has(OUT)
        and not figure.any_of(DRIVEN)
    ]  # fmt: skip
