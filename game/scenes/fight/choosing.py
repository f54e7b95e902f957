"""What the player picks in a fight: offers by button or key, lists of choices; and whose plan is worked on."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from game.party.foresight import percent
from game.scenes.dialogs.saves import Ask
from game.scenes.fight.aiming import Aiming
from game.scenes.fight.deeds import Deeds
from game.scenes.fight.model import FightModel, Pick, Wish
from game.scenes.fight.plan import Plan
from rules.contract.actions import Action, Decision, Description, Offer
from rules.contract.text import Text, joined, text, titled

POINT_AT = {
    "path": "a lit space", "space": "a lit space", "creature": "a creature", "door": "a door",
    "facing": "where to look, or press that way's arrow",
}  # fmt: skip


class Planning:
    """Turns a fight to one of the decisions that stand open for whoever is at the screen."""

    def __init__(self, fight: FightModel) -> None:
        self.fight = fight
        self._warned = -1
        """After how many commands it was said that somebody has no plan yet."""

    def open(self) -> dict[str, Decision]:
        """The open decisions of creatures whose player looks, in the ruleset's order, where there is a choice."""
        found, plan = self._ours(), self.fight.plan
        return found if len(found) > 1 or (plan is not None and plan.decision.by not in found) else {}

    def _ours(self) -> dict[str, Decision]:
        fight, seats = self.fight, self.fight.seating.seats
        theirs = (d for d in fight.match.decisions if d.by in fight.names and seats.answering(d) == fight.seating.at)
        return {decision.by: decision for decision in theirs} if fight.chance is not None else {}

    def unplanned(self) -> list[str]:
        """Ids of those who have no plan at all; who has half of one may be meant to do no more."""
        begun = {plan.id for plan in self.fight.board.plans if plan.label or plan.path}
        return [name for name, d in self._ours().items() if not d.answered and name not in begun]

    def missing(self) -> int:
        """How many still have no plan where the last offer carries out a whole side's; 0 where none does."""
        ending = self.fight.plan.ending if self.fight.plan is not None else None
        return 0 if ending is None or ending.by in self.fight.names else len(self.unplanned())

    def turn_to(self, name: str) -> bool:
        """Work on somebody's plan from now on; False where there is none to make."""
        fight = self.fight
        if name not in self.open() or fight.view.busy or (fight.plan is not None and fight.plan.decision.by == name):
            return False
        fight.match.turn_to(name)
        fight.refresh()
        return True

    def look_at(self, name: str) -> None:
        """Turn to somebody's plan if it stands open; show where they are, and their sheet."""
        self.turn_to(name)
        self.fight.select(name, centre=True)

    def step(self, by: int) -> bool:
        """To the next (or the last) of one's own with an open decision."""
        plan, names = self.fight.plan, list(self.open())
        return plan is not None and bool(names) and self.turn_to(following(names, plan.decision.by, by))

    def sure(self, action: Action) -> bool:
        """Whether an action that carries out a whole side's plans is meant: asked once where plans are missing."""
        fight = self.fight
        if fight.plan is None or action.by in fight.names:
            return True
        missing, done = [fight.names[name] for name in self.unplanned()], fight.match.history.length
        if not missing or self._warned == done:
            return True
        self._warned = done
        if len(missing) > 3:
            missing = [*missing[:2], text("{count} others", len(missing) - 2)]
        *first, last = missing
        who = joined(" and ", [joined(", ", first), last] if first else [last])
        told = "{missing} may still plan. {word} once more goes on all the same."
        fight.toast(text(told, who, fight.plan.describe(action).label))
        return False


def following(names: Sequence[str], here: str | None, by: int) -> str:
    """The name after or (`by` < 0) before one of them, round and round; from elsewhere the first or the last."""
    return names[(names.index(here) + by) % len(names)] if here in names else names[0 if by > 0 else -1]


class Choosing:
    """Takes what was picked between a decision and the action that answers it; its state is `FightModel.choices`."""

    def __init__(self, fight: FightModel, deeds: Deeds, aiming: Aiming, planning: Planning) -> None:
        self.fight, self.open = fight, fight.choices
        self.deeds, self.aiming, self.planning = deeds, aiming, planning
        self._ventured: Action | None = None
        """The way of which it was said that it is bound to fail."""

    # -- offers and lists

    def take_offer(self, offer: Offer) -> None:
        """A button was pressed: do it, ask for what it needs, or list what it may be."""
        fight, plan = self.fight, self.fight.plan
        if plan is None:
            return
        self.open.picks, self.open.more = None, False
        needs = offer.description.needs
        if offer.refused is not None or not offer.actions:
            fight.toast(text("{label}: {what}", offer.description.label, offer.refused or "not now"))
        elif (needs == "none" and len(offer.actions) == 1) or offer.description.group == "Answer":
            if offer.description.final:
                self._ask(offer)
            elif offer.description.group != "End" or self.planning.sure(offer.actions[0]):
                self.deeds.act(offer.actions[0])
            return
        elif needs in ("none", "option", "item"):
            self._list(plan, offer)
        elif plan.armed is offer and len(dict.fromkeys(a.weapon for a in offer.actions)) > 1:
            self._list_weapons(plan, offer)
        else:
            same = plan.armed is not None and plan.armed.do == offer.do and plan.armed.actions == offer.actions
            self.arm(None if same else offer)
        self.open.unfinished += 1

    def _ask(self, offer: Offer) -> None:
        """What ends the whole play is asked for once more."""
        d, app = offer.description, self.fight.app
        told = text("{what}. All is over then.", titled(d.notes[0] if d.notes else d.label))

        def go() -> None:
            self.deeds.act(offer.actions[0])

        app.push(Ask(app, text("{what}?", d.label), told, d.label, go, stay="Go on"))

    def _list(self, plan: Plan, offer: Offer) -> None:
        entries: list[Pick] = []
        groups: dict[tuple[object, ...], list[Action]] = {}
        for kind in offer.inside:  # spells of Cast, say: each with its best chance, or why it is not to be had
            d, refused = kind.description, kind.refused
            told = (
                self._promise(plan, d, kind.actions) if refused is None else text("{cost} · {refused}", d.cost, refused)
            )
            entries.append((d.label, told, kind, refused is None))
        for action in offer.actions if not offer.inside else ():
            with_what = action.weapon if action.target is None and action.at is None else None
            groups.setdefault((action.item, action.items, action.option, with_what), []).append(action)
        for same in groups.values():
            label, aimed = plan.kind_of(same[0], offer), same[0].target is not None or same[0].at is not None
            what = self._narrowed(plan, offer, same) if aimed else same[0]
            entries.append((label, self._promise(plan, plan.describe(same[0]), same), what, True))
        self.open.picks = (offer.description.label, entries)

    def _promise(self, plan: Plan, d: Description, actions: Sequence[Action]) -> str:
        """`2 AP · 55 % · note`: what one of some actions costs, and the best chance among them where dice decide."""
        found = (plan.odds(action) for action in actions[:8])
        best = max((odds.hit for odds in found if odds is not None), default=None)
        return joined(" · ", (d.cost + (text(" · {percent}", percent(best)) if best is not None else ""), *d.notes[:1]))

    def _narrowed(self, plan: Plan, offer: Offer, actions: Sequence[Action]) -> Offer:
        """An offer for just these actions, to be pointed with."""
        d, whole = plan.describe(actions[0]), offer.description
        twofold = len({a.target for a in actions}) > 1
        needs = "creature" if twofold or actions[0].at is None else "space"
        described = msgspec.structs.replace(d, group=whole.group, key=whole.key, needs=needs)
        return msgspec.structs.replace(offer, description=described, actions=tuple(actions))

    def aim_further(self, ways: Sequence[Action], offer: Offer | None = None) -> None:
        """Whom it is done to is chosen; now for the space that it is aimed at besides. Arms an offer first."""
        plan = self.fight.plan
        if offer is not None:
            self.arm(offer)
        assert plan is not None and plan.armed is not None
        self.arm(self._narrowed(plan, plan.armed, ways))

    def _list_weapons(self, plan: Plan, offer: Offer) -> None:
        """An armed button was pressed again: with what shall it be done?"""
        entries: list[Pick] = []
        for weapon in dict.fromkeys(a.weapon for a in offer.actions):
            ways = tuple(a for a in offer.actions if a.weapon == weapon)
            best = max((odds.hit for a in ways if (odds := plan.odds(a)) is not None), default=None)
            more = text(" · {best} at best", percent(best)) if best is not None else ""
            with_it = msgspec.structs.replace(offer, actions=ways, weapon=weapon)
            name = (weapon or "nothing").replace("_", " ")
            entries.append((name[:1].upper() + name[1:], offer.description.cost + more, with_it, True))
        self.open.picks = (text("{label} with", offer.description.label), entries)

    def price(self, action: Action) -> str:
        """What an action costs and, with dice, what it promises."""
        plan = self.fight.plan
        assert plan is not None
        parts, odds = [plan.describe(action).cost], plan.odds(action)
        if odds is not None:
            parts += [percent(odds.hit), *([text("{mean} harm", f"{odds.mean:.1f}")] if odds.mean >= 0.05 else ())]
            if back := plan.given_back(action):
                parts.append(text("{mean} back", f"{back:.1f}"))
            elif plan.in_vain(action):
                parts.append("nothing to mend")
        return joined(" · ", parts)

    def list_targets(self, names: Sequence[str]) -> None:
        """List whom a click on a space may mean where several can be struck there."""
        if (plan := self.fight.plan) is not None:
            blows = [(plan.minis[name].name, blow) for name in names if (blow := plan.strike(name)) is not None]
            self.open.picks = ("Whom?", [(name, self.price(blow), blow, True) for name, blow in blows])

    def list_ways(self, actions: Sequence[Action]) -> None:
        """List the several ways of doing what is armed to whom was pointed at."""
        plan = self.fight.plan
        if plan is None or plan.armed is None:
            return
        entries: list[Pick] = [
            (label, joined(" · ", (self.price(action), *plan.describe(action).notes[:1])), action, True)
            for label, action in plan.choices(plan.armed, actions)
        ]
        mini = plan.minis.get(actions[0].target or "")
        title = plan.armed.description.label + (text(": {name}", mini.name) if mini is not None else "")
        self.open.picks = (title, entries)

    def open_more(self) -> None:
        """Unfold what the bar has no room for, or fold it again."""
        fight = self.fight
        self.open.more = not self.open.more
        if self.open.more:
            fight.wishes.append(Wish.IN_SIGHT)
        fight.settle()
        if self.open.more and fight.ui.by_keys:
            fight.ui.focus_panel("more panel")

    def take_pick(self, what: Action | Offer | None) -> None:
        """An entry of a list was taken; None closes the list."""
        self.open.picks = None
        plan = self.fight.plan
        whole = isinstance(what, Offer) and plan is not None and any(what is offer for offer in plan.offers)
        if isinstance(what, Offer) and not whole and what.description.needs not in ("none", "option"):
            self.arm(what)
        elif isinstance(what, Offer):
            self.take_offer(what)
        elif what is not None:
            self.deeds.act(what)

    def arm(self, offer: Offer | None) -> None:
        """Narrow clicks on the board to one offer (None = any)."""
        fight, plan = self.fight, self.fight.plan
        if plan is None:
            return
        fight.arm(offer)
        self.aiming.repoint()
        if offer is not None:
            needs = POINT_AT.get(offer.description.needs, "what it needs")
            label = offer.description.label
            if offer.weapon:
                label = text("{label} with {weapon}", label, offer.weapon)
            several = len({a.weapon for a in offer.actions}) > 1
            more = "{label}: point at {needs}. Press it again for the weapon."
            words = more if several else "{label}: point at {needs}."
            self.open.hint = text(words, label=label, needs=needs)
            fight.toast(self.open.hint)
        fight.wishes.append(Wish.ACTOR)

    def take_back(self) -> bool:
        """Take back the open list or the armed button; False if there was neither."""
        plan = self.fight.plan
        if self.open.picks is not None:
            self.open.picks = None
        elif self.open.more:
            self.open.more = False
        elif plan is not None and plan.armed is not None:
            self.arm(None)
        else:
            return False
        return True

    def end_chance(self) -> bool:
        """Give up the rest of this chance; False where there is none to give up."""
        plan = self.fight.plan
        if plan is not None and plan.ending is not None:
            return self.planning.sure(plan.ending) and self.deeds.act(plan.ending)
        self.fight.toast("Nobody of yours is acting now." if plan is None else "Answer the question first.")
        return False

    def venture(self, action: Action) -> None:
        """Do something; a way that is bound to fail is asked about once, unless its button was armed for it."""
        plan = self.fight.plan
        odds = plan.odds(action) if plan is not None and plan.armed is None and action.path else None
        if odds is None or not odds.along or odds.along[-1][1] < 1.0 or self._ventured == action:
            self.deeds.act(action)
            return
        self._ventured = action
        self.fight.toast("Somebody is bound to notice that. Once more goes all the same.")

    # -- what is considered

    def _considered(self, name: str = "") -> Description | None:
        """What the action under consideration says of itself; with a name, only where it is that one's."""
        plan, action = self.fight.plan, self.open.preview
        if plan is None or action is None or name not in ("", plan.decision.by):
            return None
        return plan.describe(action)

    def is_next(self, name: str, *, waits: bool) -> bool:
        """Whether somebody waits for a plan, or would be asked next if the player did what is considered."""
        d = self._considered()
        return waits or (d is not None and name == d.next_by and name in self.fight.names)

    def points_after(self, name: str) -> int | None:
        """What somebody would have left; None if nothing is considered that costs it points."""
        d = self._considered(name)
        return d.left if d is not None and d.points else None

    def spending_line(self, name: str) -> str:
        """`5 now, 3 after this · then Snag`."""
        d = self._considered(name)
        if d is None:
            return ""
        if d.slot is not None:
            return Text.of("{label}: next at {slot}", label=d.label, slot=d.slot)
        if not d.left + d.points:
            return ""  # it costs no points, and there are none
        text = Text.of("{what} now, {left} after this", what=d.left + d.points, left=d.left)
        following = self.fight.names.get(d.next_by or "")
        return Text.of("{text} · then {following}", text=text, following=following) if following else text
