"""What is held ready: a blow or a power with its trigger, let go in the other half or one's own (cairn.md §2.12)."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from rules.cairn.actions.plans import ByHand, Look
from rules.cairn.combat.attack import prepare, strike_all, weapon_of, wielded
from rules.cairn.magic.casting import cast
from rules.cairn.magic.deeds import Cast, source
from rules.cairn.state import Work, able, present
from rules.contract.actions import Action
from rules.contract.events import Event, Moved
from rules.core.action_kinds import Face

TRIGGERS = ("comes", "acts")
"""What a thing can be held ready for: a foe that comes within reach, or one within reach that does something."""
WORDS = {"comes": "when a foe comes within reach", "acts": "before a foe within reach acts"}
_USES = {do: Cast(do, Face(do, "Act", "", "item", "", "")) for do in ("cast", "use")}


class Ready(ByHand):
    """A blow, or a power for one creature, held for the first foe that springs the trigger."""

    harms = True
    face = Face(
        "Ready", "Act", "action", "item", "aimed_shot", "y", "held for the first foe that comes, or acts"
    )

    def flaw(self, look: Look, action: Action) -> str | None:
        if action.option not in (None, *TRIGGERS):
            return f"option: needs one of {', '.join(TRIGGERS)}, got {action.option!r}"
        if action.item is not None:
            if action.item in held_powers(look):
                return None
            return f"item: {action.item!r} can't be held ready; there are {', '.join(held_powers(look)) or 'none'}"
        names = wielded(look.setup, look.who, look.figure)
        if action.weapon not in names:
            return f"weapon: {action.weapon!r} is not at hand; there are {', '.join(names)}"
        return None

    def instances(self, look: Look) -> Iterator[Action]:
        if self.hindrance(look) is not None:
            return
        for trigger in TRIGGERS:
            for name in wielded(look.setup, look.who, look.figure):
                yield Action(look.being.id, "ready", weapon=name, option=trigger)
            for name in held_powers(look):
                yield Action(look.being.id, "ready", item=name, option=trigger)


def held_powers(look: Look) -> list[str]:
    """What harms one creature and could be held ready: books, scrolls, other things, own powers."""
    out = []
    for use in _USES.values():
        if use.hindrance(look) is None:
            for name in use.names(look):
                found = source(look, name)
                if (
                    found is not None
                    and found[0].needs == "creature"
                    and found[0].harmful
                    and not found[0].onto
                ):
                    out.append(name)
    return out


def spring(work: Work, begun: int, trigger: str, side: str, actors: tuple[int, ...] = ()) -> None:
    """Let go what is held for a trigger by those of other sides than `side`: foes that moved since the event `begun`
    (`comes`), or `actors`, who are about to do something (`acts`)."""
    kept, blows, powers = [], [], []
    for who, held in work.readied:
        if work.being(who).side == side or not able(work.figures[who]) or (held.option or "comes") != trigger:
            kept.append((who, held))
            continue
        foes = (
            [work.setup.index[name] for name in _movers(work.events[begun:])]
            if trigger == "comes"
            else [*actors]
        )
        let_go = next((found for foe in foes if (found := _aimed(work, who, held, foe)) is not None), None)
        if let_go is None:
            kept.append((who, held))
        elif let_go.do == "attack":
            blows.append((who, let_go))
        else:
            powers.append((who, let_go))
    work.readied = tuple(kept)
    if blows:
        strike_all(work, blows)
    for who, action in powers:
        if able(work.figures[who]):
            cast(work, who, action)


def spring_own(work: Work, begun: int) -> None:
    """What was held ready in this very half, for foes that friends have pushed, pulled or frightened within reach."""
    side = work.setup.sides[work.half]
    for other in work.setup.sides:
        if other != side:
            spring(work, begun, "comes", other)


def _movers(events: list[Event]) -> list[str]:
    """Who moved, in order."""
    return list(dict.fromkeys(event.by for event in events if isinstance(event, Moved)))


def _aimed(work: Work, who: int, held: Action, foe: int) -> Action | None:
    """What is held, aimed at a foe; None where it does not reach."""
    if work.being(foe).side == work.being(who).side or not present(work.figures[foe]):
        return None
    state, target = work.done(), work.being(foe).id
    if held.item is not None:
        for do, use in _USES.items():
            action = Action(held.by, do, item=held.item, target=target)
            free = msgspec.structs.replace(
                state, plans=(None,) * len(state.plans)
            )  # what was planned is done
            if use.refusal(Look(free, who), action) is None:
                return action
        return None
    weapon = weapon_of(work.setup, who, held.weapon or "")
    start, goal = work.figures[who].cell, work.figures[foe].cell
    if prepare(state, who, foe, weapon, start, goal) is None:
        return None
    return msgspec.structs.replace(held, do="attack", target=target, option=None)
