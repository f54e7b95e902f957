"""A blow or a power held ready for the first foe that comes within reach, or does something there (cairn.md §2.12)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

import msgspec

from rules.cairn.actions.attacks import ATTACK
from rules.cairn.actions.context import ByHand, Context
from rules.cairn.actions.spells import CAST, USE, source
from rules.cairn.combat.attack import prepare, strike_all, weapon_of, wielded
from rules.cairn.magic.effects import does_harm
from rules.cairn.state import Resolution, able, present
from rules.contract.actions import Action, Description
from rules.contract.events import Event, Moved
from rules.contract.text import joined, text, titled
from rules.core.action_kinds import Face

COMES, ACTS = "comes", "acts"
TRIGGERS: Mapping[str, str] = MappingProxyType(
    {COMES: "when a foe comes within reach", ACTS: "before a foe within reach acts"}
)
"""What a thing can be held ready for: a foe that comes within reach, or one within reach that does something."""


class Ready(ByHand):
    """A blow, or a power for one creature, held for the first foe that springs the trigger."""

    harms = True
    do = "ready"
    face = Face("Ready", "Act", "action", "item", "aimed_shot", "y", "held for the first foe that comes, or acts")
    rank = 2
    noticed = False
    reveals = False

    def why_not_this(self, context: Context, action: Action) -> str | None:
        if action.option not in (None, *TRIGGERS):
            return text(
                "option: needs one of {triggers}, got {option}",
                triggers=joined(", ", TRIGGERS),
                option=repr(action.option),
            )
        if action.item is not None:
            if action.item in held_powers(context):
                return None
            return text(
                "item: {item} can't be held ready; there are {names}",
                item=repr(action.item),
                names=joined(", ", held_powers(context)) or "none",
            )
        names = wielded(context.setup, context.who, context.figure)
        if action.weapon not in names:
            return text(
                "weapon: {weapon} is not at hand; there are {names}",
                weapon=repr(action.weapon),
                names=joined(", ", names),
            )
        return None

    def instances(self, context: Context) -> Iterator[Action]:
        if self.why_not(context) is not None:
            return
        for trigger in TRIGGERS:
            for name in wielded(context.setup, context.who, context.figure):
                yield Action(context.being.id, self.do, weapon=name, option=trigger)
            for name in held_powers(context):
                yield Action(context.being.id, self.do, item=name, option=trigger)

    def describe(self, context: Context, action: Action | None = None) -> Description:
        said = self.face.described()
        if action is None:
            return said
        what = action.item or action.weapon or ""
        label = text("{thing}, {when}", thing=titled(what), when=TRIGGERS[action.option or COMES])
        return msgspec.structs.replace(said, label=label, notes=())

    def word(self, action: Action) -> str:
        return self.do.capitalize()

    def resolve(self, resolution: Resolution, who: int, action: Action) -> None:
        """Held ready for what may come."""
        resolution.readied = (*resolution.readied, (who, action))


def held_powers(context: Context) -> list[str]:
    """What harms one creature and could be held ready: books, scrolls, other things, own powers."""
    out = []
    for use in (CAST, USE):
        if use.why_not(context) is None:
            for name in use.names(context):
                found = source(context, name)
                if found is not None and found[0].needs == "creature" and does_harm(found[0]) and not found[0].onto:
                    out.append(name)
    return out


def spring(resolution: Resolution, begun: int, trigger: str, side: str, actors: tuple[int, ...] = ()) -> None:
    """Let go what is held for a trigger by those of other sides than `side`: foes that moved since the event `begun`
    (`comes`), or `actors`, who are about to do something (`acts`)."""
    kept, blows, powers = [], [], []
    for who, held in resolution.readied:
        if resolution.being(who).side == side or not able(resolution.figures[who]) or (held.option or COMES) != trigger:
            kept.append((who, held))
            continue
        foes = (
            [resolution.setup.index[name] for name in _movers(resolution.events[begun:])]
            if trigger == COMES
            else [*actors]
        )
        let_go = next((found for foe in foes if (found := _aimed(resolution, who, held, foe)) is not None), None)
        if let_go is None:
            kept.append((who, held))
        elif let_go.item is None:
            blows.append((who, let_go))
        else:
            powers.append((who, let_go))
    resolution.readied = tuple(kept)
    if blows:
        strike_all(resolution, blows)
    for who, action in powers:
        if able(resolution.figures[who]):
            CAST.resolve(resolution, who, action)


def spring_own(resolution: Resolution, begun: int) -> None:
    """What was held ready in this very half, for foes that friends have pushed, pulled or frightened within reach."""
    side = resolution.setup.sides[resolution.half]
    for other in resolution.setup.sides:
        if other != side:
            spring(resolution, begun, COMES, other)


def _movers(events: list[Event]) -> list[str]:
    """Who moved, in order."""
    return list(dict.fromkeys(event.by for event in events if isinstance(event, Moved)))


def _aimed(resolution: Resolution, who: int, held: Action, foe: int) -> Action | None:
    """What is held, aimed at a foe; None where it does not reach."""
    if resolution.being(foe).side == resolution.being(who).side or not present(resolution.figures[foe]):
        return None
    state, target = resolution.done(), resolution.being(foe).id
    if held.item is not None:
        free = msgspec.structs.replace(state, plans=(None,) * len(state.plans))  # what was planned is done
        for use in (CAST, USE):
            action = Action(held.by, use.do, item=held.item, target=target)
            if use.refusal(Context(free, who), action) is None:
                return action
        return None
    weapon = weapon_of(resolution.setup, who, held.weapon or "")
    start, goal = resolution.figures[who].cell, resolution.figures[foe].cell
    if prepare(state, who, foe, weapon, (start, goal)) is None:
        return None
    return msgspec.structs.replace(held, do=ATTACK.do, target=target, option=None)
