"""All kinds of action, by the word of their command (whoever adds one names it here), and the legal actions of a
decision by them: the one source of legality."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from msgspec.structs import replace

from rules.contract.actions import Action, Offer
from rules.contract.text import joined, text
from rules.contract.units import Cell, CreatureIx
from rules.core.action_kinds import Face, KindActions
from rules.countup import conditions
from rules.countup.actions import answers as casting
from rules.countup.actions import attacks, fixtures, movement, objects
from rules.countup.actions.context import Context, OrderKind
from rules.countup.state import Figure, Order, Setup

_ALL: tuple[OrderKind, ...] = (
    *movement.GO, attacks.ATTACK, attacks.SHOOT, casting.CAST, attacks.PARRY, attacks.HOLD, attacks.KNOCK_ASIDE,
    attacks.SET_FOR_CHARGE, movement.FLEE, objects.OPEN, objects.CLOSE, objects.PICK_LOCK, objects.FORCE,
    objects.SEARCH, objects.PICK_UP, movement.STAND, movement.KNEEL, objects.READY_WEAPON, movement.TURN,
    *fixtures.FIXTURES, movement.WAIT, movement.POLICY, movement.CLEAR, movement.GO_ON,
)  # fmt: skip
ACTION_KINDS: Mapping[str, OrderKind] = MappingProxyType({kind.do: kind for kind in _ALL})
"""In the order in which a window has them."""
LEVEL: Mapping[str, OrderKind] = MappingProxyType(
    {do: kind for do, kind in ACTION_KINDS.items() if kind is not fixtures.LEAP}
)
"""Those without the option `hurdles`."""
PLAIN: Mapping[str, OrderKind] = MappingProxyType(
    {do: kind for do, kind in LEVEL.items() if kind not in fixtures.FIXTURES}
)
"""Those that need no option."""
STAIRS: Mapping[str, OrderKind] = MappingProxyType(
    {do: kind for do, kind in LEVEL.items() if do in PLAIN or kind is fixtures.CLIMB}
)
"""Those on a map with stairs or ladders, which need none either."""
objects.TASKS.update(fixtures.WORKED)


def kinds_of(setup: Setup) -> Mapping[str, OrderKind]:
    """The kinds of action that a fight has."""
    return ACTION_KINDS if setup.hurdles else LEVEL if setup.fixtures else STAIRS if setup.field.climbs else PLAIN


def follows(setup: Setup, who: CreatureIx, figure: Figure, order: Order) -> bool:
    """Whether what is ordered waits for the end of its way."""
    if order.action is None or not order.path:
        return False
    return ACTION_KINDS[order.action.do].follows(setup, who, figure, order.action)


AWAIT = Face("Await", "Act", "on contact", "item", "hourglass", "n", "stay due, and strike who comes within reach")
"""The button of attacks that wait for a foe."""


class Orders(KindActions[Context]):
    """Legal actions of one creature's order."""

    def __init__(self, context: Context) -> None:
        self.known = kinds_of(context.setup)
        super().__init__(context, self.known)

    def __iter__(self) -> Iterator[Action]:
        """Blows that wait for a foe are as legal (`offers` has them), but not listed: nothing comes of them yet."""
        for kind in self.known.values():
            yield from self._allowed(kind)

    def refusal(self, action: Action) -> str | None:
        """Why an action is illegal now and what would be legal, in one line."""
        if action.by != self.context.actor:
            return text("by: this is {by}'s order, not {other}'s", self.context.actor, action.by)
        kind = self.known.get(action.do)
        if kind is None:
            return text("do: {do} is no action; there are {kinds}", repr(action.do), joined(", ", self.known))
        if kind.of_orders:
            return (self._idle() if kind.idles else None) or kind.refusal(self.context, action)
        reason = conditions.why_not_this(self.context.state, self.context.who, kind.doing, action)
        if reason is None and kind.idles:
            reason = self._idle()
        held = self.context.weapon.name
        if not kind.any_weapon and action.weapon not in (None, held):
            reason = reason or text("weapon: {weapon} is not in hand; there is {held}", repr(action.weapon), held)
        reason = reason or kind.refusal(self.context, action)
        return None if reason is None else text("{do}: {reason}", action.do, reason)

    def moves(self, do: str) -> Mapping[Cell, Action]:
        kind = ACTION_KINDS.get(do)
        if kind is None or kind.face.needs != "path":
            return {}
        return {action.path[-1]: action for action in self._allowed(kind)}

    def worded(self, do: str) -> Iterator[Action]:
        kind = self.known.get(do)
        return iter(()) if kind is None else self._allowed(kind)

    def _idle(self) -> str | None:
        """Why one can't simply wait: the enraged strike whoever is in reach, the panicked run while there is a way."""
        context = self.context
        if not context.figure.effects or context.order.path or context.order.action:
            return None
        for condition in conditions.urges(context.figure):
            kinds = (kind for kind in ACTION_KINDS.values() if kind.doing & condition.urges)
            if any(next(self._allowed(kind), None) is not None for kind in kinds):
                return condition.urge
        return None

    def _allowed(self, kind: OrderKind) -> Iterator[Action]:
        """The instances of a kind that nothing that lies on the creature forbids."""
        context = self.context
        if not context.figure.effects:
            return kind.instances(context)
        if (kind.idles and self._idle()) or not (kind.of_orders or self._why_not(kind) is None):
            return iter(())
        return (action for action in kind.instances(context) if self._free(kind, action))

    def _why_not(self, kind: OrderKind) -> str | None:
        return conditions.why_not(self.context.state, self.context.who, kind.doing)

    def _free(self, kind: OrderKind, action: Action) -> bool:
        """Whether nothing that lies on the creature forbids just this."""
        context = self.context
        return kind.of_orders or conditions.why_not_this(context.state, context.who, kind.doing, action) is None

    def offers(self) -> tuple[Offer, ...]:
        kinds = [kind for kind in self.known.values() if kind.shown]
        deeds = tuple(self._offer(kind) for kind in kinds if not kind.of_orders)
        return (*deeds, self._await(), self._policy(), *(self._offer(kind) for kind in kinds if kind.of_orders))

    def _offer(self, kind: OrderKind) -> Offer:
        """The button of a kind."""
        context, actions, refused = self.context, tuple(self._allowed(kind)), None
        if not actions:
            bound = (self._idle() if kind.idles else None) if kind.of_orders else self._why_not(kind)
            refused = bound or kind.why_not(context) or kind.nothing(context)
        described = replace(kind.describe(context), rank=kind.rank)
        return Offer(kind.do, described, actions, refused, inside=kind.inside(context, actions, refused))

    def _policy(self) -> Offer:
        """Whether one gives ground and steps after unasked: as it is not now."""
        kind = movement.POLICY
        return Offer(kind.do, replace(kind.describe(self.context), rank=kind.rank), kind.others(self.context))

    def _await(self) -> Offer:
        """Each manner in which one may wait for a foe to come within reach."""
        context, found = self.context, []
        for kind in ACTION_KINDS.values():
            actions = tuple(action for action in kind.awaited(context) if self._free(kind, action))
            for option in dict.fromkeys(action.option for action in actions):
                own = tuple(action for action in actions if action.option == option)
                found.append(Offer(kind.do, kind.describe(context, own[0]), own))
        actions = tuple(action for offer in found for action in offer.actions)
        refused = None if actions else context.action_open() or "no foe to wait for with what is in hand"
        return Offer("await", AWAIT.described(), actions, refused, inside=tuple(found))
