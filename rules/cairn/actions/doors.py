"""Doors, chests, things, and what is hidden: opened, forced, searched for, picked up, lit (cairn.md §1, §2.12).

In a fight there is no turn to spend on a search: it takes the action.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator

import msgspec

from rules.board.fixtures import PORTCULLIS, Door
from rules.cairn import trials
from rules.cairn.actions.context import ByHand, CairnKind, Context, Phase, planned_end, save_odds
from rules.cairn.conditions import AVERTED, SNUFFED
from rules.cairn.magic.ground import at_hand, drop_item, in_hand, set_door, spend, take_up
from rules.cairn.plunder import PLUNDER
from rules.cairn.state import Plan, Resolution, standing_on
from rules.cairn.visibility import door_named, door_state, learn, stares
from rules.contract.actions import Action
from rules.contract.ruleset import Odds
from rules.contract.text import joined, text
from rules.contract.units import CreatureIx
from rules.core.action_kinds import Face
from rules.core.fixtures import doors as fixtures
from rules.core.fixtures.doors import Work, held_shut
from rules.core.secrets import SEARCHED, hidden

WORDS = fixtures.Words("target: a portcullis is too heavy to be opened; force it")
SHUT = fixtures.Words("", loose="target: nothing holds that door shut")


PASSED = (("passed: the door stands open", "cairn.md §2.12"),)


def trial_of(door: Door) -> str:
    """What forcing a door is: a portcullis is lifted."""
    return "lift" if door.kind == PORTCULLIS else "force"


class AtDoor(ByHand):
    """A deed at a door within reach of a hand that its side knows of."""

    deed: Work
    words = WORDS

    def why_not_that(self, context: Context, door: Door, state: str) -> str | None:
        """Why this door won't do, or None."""
        found = fixtures.why_not(self.deed, door, state, self.words, context.figure.keys)
        return found or self.stopped(context, door)

    def stopped(self, context: Context, door: Door) -> str | None:
        """What else is in the way, or None."""
        return None

    @abstractmethod
    def work(self, resolution: Resolution, who: CreatureIx, number: int, door: Door) -> None:
        """It is done to the door, if that stands as it must."""

    def why_not_this(self, context: Context, action: Action) -> str | None:
        number = door_named(context.state, context.being.side, action.target)
        if number is None:
            return text("target: no door is called {target}", repr(action.target))
        door = context.terrain.field.doors[number]
        if not in_hand(context.state, context.who, context.place, door.spaces):
            return "target: the door is not within reach"
        return self.why_not_that(context, door, door_state(context.state, context.being.side, number))

    def candidates(self, context: Context) -> Iterator[Action]:
        near = context.terrain.within(context.place, 1, context.being.space)
        for door in context.terrain.field.doors:
            if door.spaces & near:  # the others are out of any hand's reach
                yield Action(context.being.id, self.do, target=door.id, at=door.cell)

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        """Whoever did not get to it leaves it as it is: the way there may have been cut short."""
        number = door_named(resolution, resolution.being(who).side, action.target)
        if number is not None:
            door, cell = resolution.setup.field.doors[number], resolution.figures[who].cell
            if in_hand(resolution.done(), who, cell, door.spaces):
                self.work(resolution, who, number, door)


class Open(AtDoor):
    """A door that nothing holds shut, next to where one will stand."""

    do = "open"
    turns = 0
    face = Face("Open door", "Act", "action", "door", "door", "o")
    rank = 2
    deed = fixtures.OPENING

    def work(self, resolution: Resolution, who: CreatureIx, number: int, door: Door) -> None:
        if door_state(resolution, resolution.being(who).side, number) not in self.deed.before:
            return
        if self.jammed(resolution, door):
            resolution.note(who, "somebody stands in the doorway")
        else:
            set_door(resolution, who, number, self.deed.after)

    def jammed(self, resolution: Resolution, door: Door) -> bool:
        """Whether somebody is in its way by now."""
        return False


class Close(Open):
    """An open door with nobody in it."""

    do = "close"
    face = Face("Close door", "Act", "action", "door", "door", "k")
    rank = 3
    deed = fixtures.CLOSING

    def stopped(self, context: Context, door: Door) -> str | None:
        """Somebody of whom its side knows, who will stand in the doorway by then, itself among them."""
        ends = [(context.who, context.place)] if door.edge is None else []
        for i in context.known() if door.edge is None else ():
            plan, figure = context.state.plans[i], context.state.figures[i]
            own = context.beings[i].side == context.being.side
            ends.append((i, planned_end(plan, figure) if own and plan is not None else figure.cell))
        there = (context.terrain.footprint(cell, context.beings[i].space) >> door.cell & 1 for i, cell in ends)
        return fixtures.JAMMED if any(there) else None

    def jammed(self, resolution: Resolution, door: Door) -> bool:
        return door.edge is None and bool(standing_on(resolution, 1 << door.cell))


class Force(AtDoor):
    """A locked or barred door broken open, or a portcullis lifted, by a STR save (cairn.md §2.12)."""

    do = "force"
    loud = True
    face = Face("Force", "Act", "action", "door", "force", "f", "STR save against lock, bar or weight")
    phase = Phase.RISK
    deed, words = fixtures.BREAKING, SHUT

    def odds(self, context: Context, action: Action) -> Odds | None:
        number = fixtures.named(context.setup.field.doors, action.target)
        if number is None:
            return None
        door = context.setup.field.doors[number]
        terms = trials.terms_of(context.state, context.figure, trial_of(door), door.difficulty)
        notes = trials.note(terms, "passed: the door stands open") if context.setup.fixtures else PASSED
        return save_odds(terms.chance, ("stands open", "holds fast"), terms.dice, notes)

    def work(self, resolution: Resolution, who: CreatureIx, number: int, door: Door) -> None:
        """Lock, bar or weight gives way to strength, or does not."""
        shut = held_shut(door, resolution.doors[number])
        if shut and trials.tried(resolution, who, trial_of(door), door.difficulty, "force the door"):
            set_door(resolution, who, number, "open")


class Search(CairnKind):
    """Look for secret doors and traps around oneself: whatever is there is found (cairn.md §1)."""

    do = "search"
    face = Face("Search", "Act", "action", "none", "eye", "i", "2 spaces around: secret doors and traps")

    def why_not(self, context: Context) -> str | None:
        return context.action_open() or (None if context.state.found else "nothing is hidden on this map")

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        """Everything within two spaces comes to light."""
        being = resolution.being(who)
        around = resolution.terrain.within(resolution.figures[who].cell, SEARCHED, being.space)
        field, challenges, known = resolution.setup.field, resolution.challenges, resolution.found
        found = list(hidden(field, resolution.doors, challenges, known, being.side, around=around))
        for secret in found:
            learn(resolution, who, secret)
        if not found:
            resolution.note(who, "finds nothing hidden")


class _Aside(CairnKind):
    """Something free, once a turn."""

    phase = Phase.ASIDE
    by_hand = True

    def why_not(self, context: Context) -> str | None:
        if context.figure.critical:
            return "critical damage: it can only crawl"
        if self.by_hand and (reason := context.hands_tied()):
            return reason
        planned = context.plan.aside
        return None if planned is None else text("one such thing a turn; {do} is planned", planned.do)

    def planned(self, plan: Plan, action: Action) -> Plan:
        return msgspec.structs.replace(plan, aside=action)


class PickUp(_Aside):
    """An item on one's own or a neighbouring space: part of the move (cairn.md §2.12)."""

    do = "pick_up"
    turns = 0
    face = Face("Pick up", "Move", "free", "item", "pick_up", "p")
    phase = Phase.BY_THE_WAY

    def why_not_this(self, context: Context, action: Action) -> str | None:
        if not any(each.item == action.item for each in self.candidates(context)):
            return text("item: {item} does not lie within reach", repr(action.item))
        return PLUNDER.why_not(context.state, context.who, action.item or "")

    def candidates(self, context: Context) -> Iterator[Action]:
        for number in at_hand(context.state, context.who, context.place):
            lying = context.state.floor[number]
            yield Action(context.being.id, self.do, item=lying.item, at=lying.cell)
        for find in PLUNDER.finds(context.state, context.who, context.place) if context.setup.fixtures else ():
            if find.floor < 0:
                owner = context.beings[find.body].id
                yield Action(context.being.id, self.do, target=owner, item=find.item, at=find.cell)

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        if not resolution.figures[who].able:
            return
        state, here = resolution.done(), resolution.figures[who].cell
        wanted = [number for number in at_hand(state, who, here) if resolution.floor[number].item == action.item]
        bodies = PLUNDER.finds(state, who, here) if resolution.setup.fixtures and not wanted else ()
        held = next((each for each in bodies if each.floor < 0 and each.item == action.item), None)
        if wanted:
            take_up(resolution, who, wanted[0])
        elif held is not None:
            PLUNDER.take(resolution, who, held)
        else:
            resolution.note(who, text("no {item} there any more", str(action.item)))


class Drop(_Aside):
    """Something carried is let go: the way out of a full pack (cairn.md §4, A21)."""

    do = "drop"
    turns = 0
    face = Face("Drop", "Move", "free", "item", "drop_item", "l", "frees its slots")

    def why_not_this(self, context: Context, action: Action) -> str | None:
        if action.item in context.being.wear:
            return text("item: {item} is worn; armour does not come off in a fight", repr(action.item))
        item, things = repr(action.item), context.figure.carried
        if action.item not in things:
            names = joined(", ", (each for each in dict.fromkeys(things) if each not in context.being.wear)) or "none"
            return text("item: {item} is not carried; there are {names}", item, names)
        if context.plan.uses.count(action.item) < things.count(action.item):
            return None
        return text("item: {item} is needed for what is planned (plan anew, by clear, to change it)", item)

    def candidates(self, context: Context) -> Iterator[Action]:
        for item in dict.fromkeys(context.figure.carried):
            yield Action(context.being.id, self.do, item=item)

    def planned(self, plan: Plan, action: Action) -> Plan:
        return msgspec.structs.replace(plan, aside=action, drops=action.item or "")

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        """What is let go makes room before anything else happens."""
        figure = resolution.figures[who]
        if action.item and figure.able and action.item in figure.carried:
            drop_item(resolution, who, action.item, "dropped")


class Avert(_Aside):
    """Eyes off whoever has a stare: no gaze takes hold this round, and blows at it are impaired (cairn.md §3)."""

    do = "avert"
    turns = None
    by_hand = False
    face = Face("Avert eyes", "Move", "free", "none", "eye", "e", "no stare takes hold")

    def why_not(self, context: Context) -> str | None:
        there = any(stares(context.setup, foe) for foe in context.foes())
        return super().why_not(context) or (None if there else "nobody here has a stare")

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        resolution.afflict(who, AVERTED, because="looks away")
        *others, last = resolution.figures[who].lasting
        resolution.change(who, lasting=(*others, msgspec.structs.replace(last, rounds=1)))


TORCH, LANTERN, OIL = "torch", "lantern", "oil can"
LIT = {TORCH: 3, OIL: 6}
"""How often a torch burns, and how often an oil can fills a lantern (cairn.md §5.3)."""


def relights(context: Context) -> str:
    """What a light is lit from: a torch that has burned less than three times, or oil for a lantern; else nothing.
    Light that is one's own nature comes back by itself."""
    carried = context.figure.carried
    if TORCH in carried and dict(context.figure.used).get(TORCH, 0) < LIT[TORCH] * carried.count(TORCH) - 1:
        return TORCH
    if LANTERN in carried and OIL in carried:
        return OIL
    return "" if {TORCH, LANTERN} & set(carried) else context.being.name


class Light(CairnKind):
    """A torch or lantern that was put out burns again."""

    do = "light"
    face = Face("Light", "Act", "action", "none", "use", "t", "the torch burns again")

    def why_not(self, context: Context) -> str | None:
        if not context.figure.has(SNUFFED):
            return context.action_open() or "no light of one's own is out"
        return context.action_open() or (None if relights(context) else "nothing left to light")

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        source = relights(Context(resolution.done(), who))
        if source in LIT:
            spend(resolution, who, source, 0 if source == TORCH else LIT[source])
        resolution.relieve(who, SNUFFED, "lit anew")
