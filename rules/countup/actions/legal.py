"""The legal actions of a decision: the one source of legality."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from rules.contract.actions import Action, Decision, Description, Offer
from rules.core.action_kinds import Face, Shelf, nothing_for
from rules.countup.actions.context import Context
from rules.countup.actions.declaring import seconds_to_ready
from rules.countup.actions.deeds import Cast, short_of
from rules.countup.actions.movement import GAIT_OF, there_at
from rules.countup.actions.orders import AWAITED, DIRECTIONS, INTENTS, POLICIES, Melee, doing_of
from rules.countup.combat.contact import WATCH, waits_for
from rules.countup.combat.melee import speed_of
from rules.countup.combat.missiles import cycle, leaves_in
from rules.countup.conditions import urges, why_not, why_not_this
from rules.countup.gear import Weapon
from rules.countup.magic.model import Spell
from rules.countup.magic.spells import points_for, prayers_left, spell_of
from rules.countup.manners import MANOEUVRES, PLAIN, Shots
from rules.countup.penetration import text_of
from rules.countup.state import CountState, Order, weapon_of

_SHELF = Shelf(
    large=("jog", "attack", "shoot"),
    small=("walk", "run", "sprint", "cast", "full_parry", "hold_at_bay", "stand", "kneel", "ready", "turn", "hold",
           "open"),
)  # fmt: skip
ANSWERS = {
    "stand": ("Stand firm", "meet the blow here"),
    "yield": ("Give ground", "5 ft back, +5 defence now, next attack −1"),
    "scamper": ("Scamper back", "10 ft back, +5 defence now, next attack −4"),
    "strike": ("Strike at the fleeing", "a free blow, then no pursuit for a while"),
    "follow": ("Follow", "no blow, stay at its heels"),
}
"""What answers are called, and what they mean (countup.md §2.6)."""


AWAIT = Face("Await", "Act", "on contact", "item", "hourglass", "n", "stay due, and strike who comes within reach")
"""The button of attacks that wait for a foe."""


class Orders:
    """Legal actions of one creature's order."""

    def __init__(self, state: CountState, decision: Decision) -> None:
        self.state = state
        self.decision = decision
        self.context = Context(state, state.setup.index[decision.by])

    def __iter__(self) -> Iterator[Action]:
        """Blows that wait for a foe are as legal (`offers` has them), but not listed: nothing comes of them yet."""
        for do in INTENTS:
            yield from self._allowed(do)
        if self.context.begun():
            yield Action(self.decision.by, "clear")
        if self._idle() is None:
            yield Action(self.decision.by, "end")

    def __contains__(self, action: object) -> bool:
        return isinstance(action, Action) and self.refusal(action) is None

    def refusal(self, action: Action) -> str | None:
        """Why an action is illegal now and what would be legal, in one line."""
        if action.by != self.decision.by:
            return f"by: this is {self.decision.by}'s order, not {action.by}'s"
        if action.do == "end":
            return self._idle()
        if action.do == "clear":
            return None if self.context.begun() else "clear: nothing is ordered"
        if action.do == "policy":
            return None if action.option in POLICIES else f"option: {action.option!r} is none of {', '.join(POLICIES)}"
        intent = INTENTS.get(action.do)
        if intent is None:
            return f"do: {action.do!r} is no action; there are {', '.join(INTENTS)}, policy, clear, end"
        reason = why_not_this(self.state, self.context.who, doing_of(action.do), action)
        if reason is None and action.do == "hold":
            reason = self._idle()
        if action.do not in ("attack", "ready") and action.weapon not in (None, self.context.weapon):
            reason = reason or f"weapon: {action.weapon!r} is not in hand; there is {self.context.weapon}"
        reason = reason or intent.refusal(self.context, action)
        return None if reason is None else f"{action.do}: {reason}"

    def moves(self, do: str) -> Mapping[int, Action]:
        intent = INTENTS.get(do)
        if intent is None or intent.face.needs != "path":
            return {}
        return {action.path[-1]: action for action in self._allowed(do)}

    def _idle(self) -> str | None:
        """Why one can't simply wait: the enraged strike whoever is in reach, the panicked run while there is a way."""
        context = self.context
        if not context.figure.effects or context.order.path or context.order.action:
            return None
        for condition in urges(context.figure):
            kinds = (do for do in INTENTS if doing_of(do) & condition.urges)
            if any(next(self._allowed(do), None) is not None for do in kinds):
                return condition.urge
        return None

    def _allowed(self, do: str) -> Iterator[Action]:
        """The instances of an intent that nothing on the creature's mind forbids."""
        context = self.context
        if not context.figure.effects:
            yield from INTENTS[do].instances(context)
        elif why_not(self.state, context.who, doing_of(do)) is None and not (do == "hold" and self._idle()):
            for action in INTENTS[do].instances(context):
                if why_not_this(self.state, context.who, doing_of(do), action) is None:
                    yield action

    def offers(self) -> tuple[Offer, ...]:
        out = []
        for do, intent in INTENTS.items():
            actions = tuple(self._allowed(do))
            refused = None if actions else self._nothing_of(do)
            spells = self._spells(actions, refused) if do == "cast" else ()
            described = _SHELF.placed(do, describe_face(self.context, do, intent.face))
            out.append(Offer(do, described, actions, refused, inside=spells))
        waits = self._waits()
        kinds = tuple(action for kind in waits for action in kind.actions)
        refused = None if kinds else self.context.action_open() or "no foe to wait for with what is in hand"
        out.append(Offer("await", AWAIT.described(), kinds, refused, inside=waits))
        face = Description("Order anew", "First", "free", icon="clear", key="backspace", rank=2)
        anew = (Action(self.decision.by, "clear"),) if self.context.begun() else ()
        out.append(Offer("clear", face, anew, None if anew else "nothing is ordered"))
        idle = self._idle()
        ends = () if idle else (Action(self.decision.by, "end"),)
        return (*out, Offer("end", describe_end(self.context), ends, idle))

    def _awaited(self, intent: Melee) -> Iterator[Action]:
        """The instances of an intent at foes who are yet to come, that nothing on the creature's mind forbids."""
        for action in intent.awaited(self.context):
            if why_not_this(self.state, self.context.who, doing_of(action.do), action) is None:
                yield action

    def _waits(self) -> tuple[Offer, ...]:
        """Each manner in which one may wait for a foe to come within reach."""
        found = []
        for intent in AWAITED:
            actions = tuple(self._awaited(intent))
            for option in dict.fromkeys(action.option for action in actions):
                own = tuple(action for action in actions if action.option == option)
                found.append(Offer(intent.do, describe_face(self.context, intent.do, intent.face, own[0]), own))
        return tuple(found)

    def _nothing_of(self, do: str) -> str:
        """Why nothing of a kind is legal."""
        context = self.context
        reason = why_not(self.state, context.who, doing_of(do)) or INTENTS[do].why_not(context)
        if reason is None and do == "cast":
            spells = [spell_of(context.state, name) for name in context.being.spells]
            lacks = [short_of(context, spell) for spell in spells]
            if all(lacks):
                reason = f"{spells[0].name}: {lacks[0]}"
        return reason or (_NO_AIM if do == "cast" else nothing_for(INTENTS[do].face.needs))

    def _spells(self, actions: tuple[Action, ...], refused: str | None) -> tuple[Offer, ...]:
        """Every spell that is known, with what it may be cast at or why it may not be cast now."""
        context, found = self.context, []
        for name in dict.fromkeys(context.being.spells):
            own = tuple(action for action in actions if action.item == name)
            spell = spell_of(context.state, name)
            why = None if own else short_of(context, spell) or refused or _NO_AIM
            face = describe_face(context, "cast", Cast.face, Action(self.decision.by, "cast", item=name))
            needs = AIMS.get(spell.needs, "none")
            found.append(Offer("cast", msgspec.structs.replace(face, needs=needs), own, why))
        return tuple(found)


_NO_AIM = "nothing in reach and sight"
AIMS = {"creature": "creature", "ally": "creature", "space": "space", "door": "space"}
"""What a spell is pointed with, by what it needs."""


def _price(context: Context, spell: Spell) -> str:
    """What a spell takes from its caster."""
    if spell.divine:
        return f"{prayers_left(context.being, context.figure, spell)} left"
    return f"{points_for(context.being, spell)} of {context.figure.points} points"


def _meaning(spell: Spell) -> tuple[str, ...]:
    """What a spell does: its figures, if it has any, and its text."""
    figures = []
    if spell.dice:
        figures.append(f"{text_of(spell.dice, spell.flat)} damage")
    if spell.heal_dice:
        better = text_of(spell.blessed_dice, spell.blessed_flat) if spell.blessed_dice else ""
        also = f" (the anointed {better})" if better else ""
        figures.append(f"heals {text_of(spell.heal_dice, spell.heal_flat)}{also}")
    if spell.save:
        figures.append(f"{spell.save} save halves it" if spell.half else f"{spell.save} save against it")
    return (*([", ".join(figures)] if figures else []), spell.text)


def next_slot(context: Context, do: str, option: str | None = None) -> int | None:
    """The second at which one would strike next after doing this; None where nothing follows from it."""
    second = context.state.second
    weapon = weapon_of(context.setup, context.who, context.weapon)
    if do in ("attack", "full_parry", "hold_at_bay"):
        start = max(second, context.figure.due)
        return start + speed_of(context.state, context.who, weapon, MANOEUVRES.get(option or "", PLAIN))
    if do == "shoot" and weapon.ranged:
        return _shot_slot(context, weapon, option == "quick")
    return None


def _shot_slot(context: Context, weapon: Weapon, quick: bool) -> int:
    """The second at which one could begin another shot after this one."""
    figure, start = context.figure, max(context.state.second, context.figure.due)
    if figure.loading[0] == weapon.name:
        return figure.loading[1] + cycle(weapon, quick)[1]
    return start + leaves_in(figure, weapon, quick, start) + cycle(weapon, quick)[1]


def _toil(context: Context, path: tuple[int, ...]) -> int:
    """Spaces of movement that a way takes: two for a difficult one."""
    terrain, size = context.terrain, context.being.space
    return len(path) + sum(1 for cell in path if terrain.footprint(cell, size) & terrain.difficult)


def describe_answer(option: str) -> Description:
    """An answer's button."""
    label, meaning = ANSWERS.get(option, (option, ""))
    return Description(label, "Answer", meaning)


def describe_end(context: Context) -> Description:
    """The button that lets time run: with what is ordered, or waiting a second."""
    label, cost = ("Go", "the way as ordered") if context.order.path else ("Wait", "a second")
    note = "Time runs until somebody of yours must decide."
    return Description(label, "End", cost, icon="end", key="ctrl+enter", notes=(note,), rank=1)


def describe_face(context: Context, do: str, face: Face, action: Action | None = None) -> Description:
    """An intent's button, with the second of one's next slot; with an action, of just that."""
    option, weapon = (action.option, action.weapon) if action is not None else (None, None)
    slot = next_slot(context, do, option)
    cost = f"next at {slot}" if slot is not None else face.cost
    if action is not None and action.path:
        slot = there_at(context.state, context.who, GAIT_OF.get(do, do), _toil(context, action.path))
        cost = f"{face.cost} · there at {slot}" if slot is not None else face.cost
    notes: tuple[str, ...] = (face.note,) if face.note else ()
    label = face.label
    if do == "ready" and weapon is not None:
        cost = seconds_to_ready(context.setup, context.who, context.figure, weapon)
    button = None
    if do == "attack" and (manner := MANOEUVRES.get(option or "")):
        button = manner.label, manner.meaning
    elif do == "shoot":
        button = Shots(option).button
    if button is not None:
        label, notes = button[0], (button[1],)
        if weapon is not None and len(context.names()) > 1:
            label = f"{label}, {weapon}"
    if do == "hold_at_bay" and option == "jab":
        label, notes = "Hold at bay by a jab", ("a hit stops the foe, and wounds",)
    if do == "hold" and option is not None:
        slot = context.state.second + int(option)
        label, cost = f"Hold {option} s", f"until {slot}, or a foe comes up"
    if action is not None and waits_for(context.state, context.who, Order(context.order.path, action=action)):
        cost, slot = "on contact", None
        notes = (*notes, f"Waits up to {WATCH} s, and strikes as soon as it comes within reach.")
    if do == "cast" and action is not None and action.item in context.setup.spells:
        spell = spell_of(context.state, action.item)
        slot, label, notes = context.state.second + spell.casting, spell.name, _meaning(spell)
        cost = f"{spell.casting} s · {_price(context, spell)}"
    if do == "turn" and option is not None:
        label = f"Face {DIRECTIONS[int(option)]}"
    return Description(label, face.group, cost, 0, 0, face.needs, face.icon, face.key, notes, slot=slot)
