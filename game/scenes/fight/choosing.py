"""What the player picks in a fight: offers by button or key, lists of choices, and what is only considered yet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from game.scenes.fight.panels.card import percent
from rules.contract.actions import Action, Offer
from rules.contract.ruleset import Odds

if TYPE_CHECKING:
    from game.scenes.fight.scene import Fight

Pick = tuple[str, str, Action | Offer | None, bool]
"""An entry of a list: label, second line, what it means, whether it can be taken."""
POINT_AT = {
    "path": "a lit space", "space": "a lit space", "creature": "a creature", "door": "a door",
    "facing": "where to look, or press that way's arrow",
}  # fmt: skip


class Choosing:
    """The choices between an open decision and the action that answers it.

    `picks` is the open list (its title and entries), `preview` the action under consideration.
    """

    def __init__(self, fight: Fight) -> None:
        self.fight = fight
        self.picks: tuple[str, list[Pick]] | None = None
        self.more = False
        """Whether what the bar has no room for is unfolded."""
        self.preview: Action | None = None
        self._hint = ""
        """What arming a button told the player to do; it goes as soon as that is done."""

    def reset(self) -> None:
        """The match moved on: nothing is open or considered any more."""
        self.picks = self.preview = None
        self.more = False

    # -- offers and lists

    def take_offer(self, offer: Offer) -> None:
        """A button was pressed: do it, ask for what it needs, or list what it may be."""
        fight, plan = self.fight, self.fight.plan
        if plan is None:
            return
        self.picks, self.more = None, False
        needs = offer.description.needs
        if offer.refused is not None or not offer.actions:
            fight.toast(f"{offer.description.label}: {offer.refused or 'not now'}")
        elif (needs == "none" and len(offer.actions) == 1) or offer.description.group == "Answer":
            if offer.description.group != "End" or fight.planning.sure(offer.actions[0]):
                fight.act(offer.actions[0])
            return
        elif needs in ("none", "option", "item"):
            self._list(offer)
        elif plan.armed is offer and len(dict.fromkeys(a.weapon for a in offer.actions)) > 1:
            self._list_weapons(offer)
        else:
            same = plan.armed is not None and plan.armed.do == offer.do and plan.armed.actions == offer.actions
            self.arm(None if same else offer)
        fight.panels.build()

    def _list(self, offer: Offer) -> None:
        plan = self.fight.plan
        assert plan is not None
        if offer.inside:
            self.picks = (offer.description.label, [self._inner(kind) for kind in offer.inside])
            return
        groups: dict[tuple[object, ...], list[Action]] = {}
        for action in offer.actions:
            with_what = action.weapon if action.target is None and action.at is None else None
            groups.setdefault((action.item, action.items, action.option, with_what), []).append(action)
        entries: list[Pick] = []
        for actions in groups.values():
            d = plan.describe(actions[0])
            label = plan.kind_of(actions[0], offer)
            aimed = actions[0].target is not None or actions[0].at is not None
            what = self._narrowed(offer, actions) if aimed else actions[0]
            cost = d.cost + self._best(actions)
            entries.append((label, " · ".join((cost, *d.notes[:1])), what, True))
        self.picks = (offer.description.label, entries)

    def _inner(self, kind: Offer) -> Pick:
        """An entry for one kind of an offer (a spell of Cast), with its best chance or why it is not to be had."""
        d = kind.description
        if kind.refused is not None:
            return (d.label, f"{d.cost} · {kind.refused}", kind, False)
        return (d.label, " · ".join((d.cost + self._best(kind.actions), *d.notes[:1])), kind, True)

    def _best(self, actions: Sequence[Action]) -> str:
        """` · 55 %`: the best chance among some actions; empty where no dice decide."""
        chances = [odds.hit for action in actions[:8] if (odds := self._odds(action)) is not None]
        return f" · {percent(max(chances))}" if chances else ""

    def _narrowed(self, offer: Offer, actions: Sequence[Action]) -> Offer:
        """An offer for just these actions, to be pointed with."""
        assert self.fight.plan is not None
        d, whole = self.fight.plan.describe(actions[0]), offer.description
        twofold = len({a.target for a in actions}) > 1
        needs = "creature" if twofold or actions[0].at is None else "space"
        described = msgspec.structs.replace(d, group=whole.group, key=whole.key, needs=needs)
        return msgspec.structs.replace(offer, description=described, actions=tuple(actions))

    def aim_further(self, ways: Sequence[Action]) -> None:
        """Whom it is done to is chosen; now for the space that it is aimed at besides."""
        plan = self.fight.plan
        assert plan is not None and plan.armed is not None
        self.arm(self._narrowed(plan.armed, ways))

    def _list_weapons(self, offer: Offer) -> None:
        """An armed button was pressed again: with what shall it be done?"""
        entries: list[Pick] = []
        for weapon in dict.fromkeys(a.weapon for a in offer.actions):
            ways = tuple(a for a in offer.actions if a.weapon == weapon)
            best = max((odds.hit for a in ways if (odds := self._odds(a)) is not None), default=None)
            more = f" · {percent(best)} at best" if best is not None else ""
            with_it = msgspec.structs.replace(offer, actions=ways, weapon=weapon)
            name = (weapon or "nothing").replace("_", " ")
            entries.append((name[:1].upper() + name[1:], offer.description.cost + more, with_it, True))
        self.picks = (f"{offer.description.label} with", entries)

    def _odds(self, action: Action) -> Odds | None:
        return self.fight.plan.odds(action) if self.fight.plan is not None else None

    def price(self, action: Action) -> str:
        """What an action costs and, with dice, what it promises."""
        plan = self.fight.plan
        assert plan is not None
        odds = plan.odds(action)
        if odds is None:
            return plan.describe(action).cost
        harm = f" · {odds.mean:.1f} harm" if odds.mean >= 0.05 else ""
        return f"{plan.describe(action).cost} · {percent(odds.hit)}{harm}"

    @staticmethod
    def chance(odds: Odds) -> str:
        """The chance of something with dice, as figures say it everywhere."""
        return percent(odds.hit)

    def list_targets(self, names: Sequence[str]) -> None:
        """List whom a click on a space may mean where several can be struck there."""
        plan = self.fight.plan
        if plan is None:
            return
        entries: list[Pick] = []
        for name in names:
            action = plan.strike(name)
            if action is not None:
                entries.append((plan.minis[name].name, self.price(action), action, True))
        self.picks = ("Whom?", entries)
        self.fight.panels.build()

    def list_ways(self, actions: Sequence[Action]) -> None:
        """List the several ways of doing what is armed to whom was pointed at."""
        plan = self.fight.plan
        if plan is None or plan.armed is None:
            return
        entries: list[Pick] = [
            (label, " · ".join((self.price(action), *plan.describe(action).notes[:1])), action, True)
            for label, action in plan.choices(plan.armed, actions)
        ]
        mini = plan.minis.get(actions[0].target or "")
        title = plan.armed.description.label + (f": {mini.name}" if mini is not None else "")
        self.picks = (title, entries)
        self.fight.panels.build()

    def open_more(self) -> None:
        """Unfold what the bar has no room for, or fold it again."""
        ui = self.fight.ui
        self.more = not self.more
        self.fight.panels.build()
        if self.more:
            self.fight.keep_in_sight()
            if ui.by_keys:
                ui.focus_panel("more panel")

    def take_pick(self, what: Action | Offer | None) -> None:
        """An entry of a list was taken; None closes the list."""
        self.picks = None
        whole = isinstance(what, Offer) and any(what is offer for offer in self._offered())
        if isinstance(what, Offer) and not whole and what.description.needs not in ("none", "option"):
            self.arm(what)
        elif isinstance(what, Offer):
            self.take_offer(what)
        elif what is not None:
            self.fight.act(what)
        else:
            self.fight.panels.build()

    def arm(self, offer: Offer | None) -> None:
        """Narrow clicks on the board to one offer (None = any)."""
        fight, plan = self.fight, self.fight.plan
        if plan is None:
            return
        plan.armed = offer
        fight.pointing.repoint()
        if offer is not None:
            needs = POINT_AT.get(offer.description.needs, "what it needs")
            label = f"{offer.description.label} with {offer.weapon}" if offer.weapon else offer.description.label
            several = len(dict.fromkeys(a.weapon for a in offer.actions)) > 1
            self._hint = f"{label}: point at {needs}." + (" Press it again for the weapon." if several else "")
            fight.toast(self._hint)
        fight.panels.build()
        fight.show_actor()

    def _offered(self) -> tuple[Offer, ...]:
        return self.fight.plan.offers if self.fight.plan is not None else ()

    def take_back(self) -> bool:
        """Take back the open list or the armed button; False if there was neither."""
        plan = self.fight.plan
        if self.picks is not None:
            self.picks = None
        elif self.more:
            self.more = False
        elif plan is not None and plan.armed is not None:
            self.arm(None)
        else:
            return False
        return True

    def key_of(self, offer: Offer) -> str:
        """The key that presses an offer's button."""
        fight = self.fight
        index = next((n for n, o in enumerate(fight.plan.offers) if o is offer), -1) if fight.plan else -1
        return fight.panels.keys.get(index, "")

    # -- what is considered

    def consider(self, action: Action | None) -> None:
        """What the player points at: its cost is shown in the sheet and the order of play."""
        if action != self.preview:
            self.preview = action
            self.fight.dirty = True
        if action is not None and self.fight.toast_text == self._hint:
            self.fight.toast_text = ""

    def next_up(self) -> str | None:
        """Who would be asked next if the player did what is considered."""
        plan = self.fight.plan
        if plan is None or self.preview is None:
            return None
        name = plan.describe(self.preview).next_by
        return name if name in self.fight.names else None

    def is_next(self, name: str) -> bool:
        """Whether somebody would be asked next."""
        return self.next_up() == name

    def points_after(self, name: str) -> int | None:
        """What somebody would have left; None if nothing is considered that costs it points."""
        plan = self.fight.plan
        if plan is None or self.preview is None or name != plan.decision.by:
            return None
        d = plan.describe(self.preview)
        return d.left if d.points else None

    def slot_after(self, name: str) -> int | None:
        """The moment on the timeline at which somebody could act next after what is considered."""
        plan = self.fight.plan
        if plan is None or self.preview is None or name != plan.decision.by:
            return None
        return plan.describe(self.preview).slot

    def spending_line(self, name: str) -> str:
        """`5 now, 3 after this · then Snag`."""
        plan = self.fight.plan
        if plan is None or self.preview is None or name != plan.decision.by:
            return ""
        d = plan.describe(self.preview)
        if d.slot is not None:
            return f"{d.label}: next at {d.slot}"
        if not d.left + d.points:
            return ""  # it costs no points, and there are none
        text = f"{d.left + d.points} now, {d.left} after this"
        following = self.fight.names.get(d.next_by or "")
        return f"{text} · then {following}" if following else text
