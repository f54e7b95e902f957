"""Fighting: attack, hold at bay, full parry, set a weapon for a charge, knock one aside (countup.md §2.6); shooting and
throwing, with its phase of the second (countup.md §2.5).

Whoever stands may also wait for a foe to come within reach, and strike on contact.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from msgspec.structs import replace

from rules.contract.actions import Action, Description
from rules.contract.events import Contest, Item
from rules.contract.ruleset import Odds
from rules.contract.text import Term, joined, text
from rules.contract.units import CreatureIx, Seconds, numbered
from rules.core.action_kinds import Face
from rules.countup.actions.context import EXPOSED_WHY, Context, OrderKind, give
from rules.countup.combat import attack as blows
from rules.countup.combat.chances import odds_of
from rules.countup.combat.injury import apply, break_off
from rules.countup.combat.reach import bearing, in_reach
from rules.countup.conditions import HELD, Doing
from rules.countup.gear import Weapon
from rules.countup.manners import FREE, HOLD_AT_BAY, JAB, JAB_TO_HOLD, MANOEUVRES, PLAIN, SET, Manner, Shots, Stance
from rules.countup.penetration import Die
from rules.countup.state import FOREVER, SPENT, CountState, Figure, Order, Position, PreparedAttack, Resolution

READY = Seconds(3)
"""Seconds for which a weapon must have been set against a charge."""
WATCH = Seconds(10)
"""Seconds after which somebody is asked again who waits for a foe, or has a weapon set."""
ASIDE = "knock aside"
"""What the opposed attempt is called by which one who is held at bay gets free."""


def waits_for(state: Position, who: CreatureIx, action: Action) -> bool:
    """Whether a foe that is to be struck from where one stands is not yet within reach."""
    target = state.find(action.target)
    return target is not None and not in_reach(state, who, target, state.struck_with(who, action))


def target_holds(resolution: Resolution, who: CreatureIx, action: Action) -> bool:
    """Whether there is still somebody to fight, and one is free to."""
    target = resolution.find(action.target)
    return target is not None and resolution.figures[target].present and resolution.figures[who].held_by < 0


def manner_of(action: Action | None) -> Manner:
    """The manner in which an attack is ordered."""
    return MANOEUVRES.get(action.option or "", PLAIN) if action is not None else PLAIN


def next_slot(context: Context, manner: Manner = PLAIN) -> Seconds:
    """The second in which one is due again after the attack that comes next."""
    due = max(context.state.second, context.figure.due)
    return due + blows.speed_of(context.state, context.who, context.weapon, manner)


class Melee(OrderKind):
    """What is done with a weapon in reach of somebody; who stands may wait for a foe to come there."""

    faces = True
    manners: tuple[str | None, ...]
    """By which options it may be ordered."""

    def why_not(self, context: Context) -> str | None:
        return context.held_back() or context.action_open()

    def names(self, context: Context) -> list[str]:
        """Weapons that it may be done with."""
        return [context.weapon.name]

    def awaited(self, context: Context) -> Iterator[Action]:
        """The same at foes that are not yet within reach, from where one stands."""
        if self.why_not(context) is None and not context.order.path:
            for action in self.candidates(context, far=True):
                if self.why_not_this(context, action) is None:
                    yield action

    def candidates(self, context: Context, far: bool = False) -> Iterator[Action]:
        """At foes that are within reach where the way ends, or at those that are not yet."""
        for foe in context.state.foes(context.who):
            for name in self.names(context):
                action = Action(context.being.id, self.do, target=context.setup.beings[foe].id, weapon=name)
                if self._waits(context, action) == far:
                    for option in self.manners:
                        yield action if option is None else replace(action, option=option)

    def _waits(self, context: Context, action: Action) -> bool:
        return not context.order.path and waits_for(context.state, context.who, action)

    def odds(self, context: Context, action: Action) -> Odds | None:
        return odds_of(context.state, context.who, action, manner_of(action))

    def describe(self, context: Context, action: Action | None = None) -> Description:
        manner = manner_of(action)
        slot = next_slot(context, manner)
        face = self.named(context, manner, action)
        if action is None or not self._waits(context, action):
            return replace(face, cost=text("next at {slot}", slot), slot=slot)
        waits = text("Waits up to {watch} s, and strikes as soon as it comes within reach.", WATCH)
        return replace(face, cost="on contact", notes=(*face.notes, waits))

    @abstractmethod
    def named(self, context: Context, manner: Manner, action: Action | None) -> Description:
        """Its button without its cost, by the manner."""

    def ordered(self, resolution: Resolution, who: CreatureIx, order: Order, action: Action) -> None:
        waits = not order.path and waits_for(resolution, who, action)
        awaits = resolution.second + WATCH if waits else order.awaits
        give(resolution, who, replace(order, action=action, done=True, awaits=awaits))

    def prepared(self, resolution: Resolution, who: CreatureIx, action: Action) -> PreparedAttack | None:
        """A strike at the target, where it is in reach and one is due."""
        figure, target = resolution.figures[who], resolution.find(action.target)
        weapon = resolution.struck_with(who, action)
        if target is None or figure.due > resolution.second or not in_reach(resolution, who, target, weapon):
            return None
        manner = self.manner(resolution, who, target, weapon, ordered=manner_of(action))
        # only who is ahead of it as it has run, straight or half to a side, is charged (countup.md §2.6, §3)
        runs = figure.stance is Stance.CHARGING
        charges = runs and (bearing(resolution, who, target) - figure.heading) % 8 in (7, 0, 1)
        if (manner.jab and not weapon.jab) or (manner.charge and not charges):
            manner = PLAIN  # the sequence has come to an attack that can't
        return PreparedAttack(who, target, weapon, manner)

    def manner(
        self, state: Position, who: CreatureIx, target: CreatureIx, weapon: Weapon, *, ordered: Manner
    ) -> Manner:
        """The manner of a strike that falls now."""
        return ordered

    def holds(self, resolution: Resolution, who: CreatureIx, order: Order, action: Action) -> bool:
        if not target_holds(resolution, who, action):
            return False
        if order.awaits > resolution.second:
            return True
        target, weapon = resolution.setup.index[action.target or ""], resolution.struck_with(who, action)
        return in_reach(resolution, who, target, weapon) and self.stays(resolution, who, target)

    def stays(self, resolution: Resolution, who: CreatureIx, target: CreatureIx) -> bool:
        """Whether there is still reason to fight somebody in reach in this way."""
        return True


class Strikes(Melee):
    """Fight somebody: strike whenever due and in reach, in one manner."""

    do = "attack"
    face = Face("Attack", "Act", "by speed", "creature", "attack", "1")
    manners = (None, *MANOEUVRES)
    doing = Doing.STRIKE
    rank = 1
    any_weapon = True

    def why_not_this(self, context: Context, action: Action) -> str | None:
        target = context.find(action.target)
        if target is None:
            return text("target: {target} is not here", repr(action.target))
        if target == context.who:
            return "target: nobody strikes at itself; name another creature"
        name = action.weapon or context.weapon.name
        if name not in context.names():
            return text("weapon: {name} is not in hand; there is {held}", repr(name), joined(", ", context.names()))
        weapon = context.setup.weapon(context.who, name)
        if weapon.only_ranged:
            return text("the {name} shoots; it does not strike", name)
        manner = PLAIN if action.option is None else MANOEUVRES.get(action.option)
        if manner is None:
            return text("option: {option} is none of {manoeuvres}", repr(action.option), joined(", ", MANOEUVRES))
        if reason := self._why_not_so(context, weapon, manner):
            return reason
        if manner.charge and not context.order.path and not in_reach(context.state, context.who, target, weapon):
            return text("target: {name} is out of reach; order a way there first", context.state.named(target))
        return None

    @staticmethod
    def _why_not_so(context: Context, weapon: Weapon, manner: Manner) -> str | None:
        """Why nobody can be struck in a manner, or None."""
        figure = context.figure
        if figure.exposed and figure.due > context.state.second and manner.stance.rank:
            return EXPOSED_WHY
        if manner.jab and not weapon.jab:
            return text("the {name} cannot jab", weapon.name)
        if manner.charge and not context.order.gait.fast and figure.stance is not Stance.CHARGING:
            return "a charge needs 20 ft straight on at a run or sprint"
        return None

    def instances(self, context: Context) -> Iterator[Action]:
        if self.why_not(context) is None:
            for foe in context.state.foes(context.who):
                yield from self.lawful_at(context, foe, self.manners)

    def lawful_at(self, context: Context, foe: CreatureIx, manners: Iterable[str | None]) -> Iterator[Action]:
        """The legal ones at one foe, in some of its manners, where nothing stands against the kind."""
        state, who, do, target = context.state, context.who, self.do, context.setup.beings[foe].id
        for name in context.names():
            weapon = context.setup.weapon(who, name)
            if weapon.only_ranged or self._waits(context, Action(context.being.id, do, target=target, weapon=name)):
                continue
            for option in manners:
                manner = MANOEUVRES.get(option or "", PLAIN)
                if self._why_not_so(context, weapon, manner) is not None:
                    continue
                if not manner.charge or context.order.path or in_reach(state, who, foe, weapon):
                    yield Action(context.being.id, do, target=target, weapon=name, option=option)

    def names(self, context: Context) -> list[str]:
        return context.names()

    def named(self, context: Context, manner: Manner, action: Action | None) -> Description:
        if not manner.label:
            return self.button()
        return self.button(_labelled(context, manner.label, action), notes=(manner.meaning,))

    def keeps(self, action: Action) -> Stance:
        return manner_of(action).stance

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        if self.keeps(action).rank:
            resolution.change(who, stance=self.keeps(action), until=FOREVER)


def _labelled(context: Context, label: str, action: Action | None) -> str:
    """A button's label, with the weapon where one has several."""
    if action is None or action.weapon is None or len(context.names()) < 2:
        return label
    return text("{label}, {weapon}", label, action.weapon)


class HoldAtBay(Melee):
    """Keep a single foe off with the longer weapon (countup.md §2.6)."""

    do = "hold_at_bay"
    face = Face("Hold at bay", "Act", "by speed", "creature", "shield_block", "4", "a hit stops the foe")
    manners = (None, JAB.word)
    doing = Doing.HARM
    rank = 2

    def why_not(self, context: Context) -> str | None:
        weapon = context.weapon
        return super().why_not(context) or (None if weapon.jab else text("the {name} cannot jab", weapon.name))

    def why_not_this(self, context: Context, action: Action) -> str | None:
        target = context.find(action.target)
        if target is None:
            return text("target: {target} is not here", repr(action.target))
        mine, theirs, foe = context.weapon, context.state.weapon(target), context.state.figures[target]
        if action.option not in self.manners:
            return text("option: {option}; jab or nothing", repr(action.option))
        if foe.helpless > context.state.second:
            return text("target: {name} lies helpless", context.state.named(target))
        if any(f.held_by == context.who for i, f in numbered(context.state.figures) if i != target):
            return "one foe is held at bay already"
        if mine.reach <= theirs.reach:
            return text("target: {name} reaches as far", context.state.named(target))
        if not context.order.path and in_reach(context.state, target, context.who, theirs):
            return text("target: {name} is past the point already", context.state.named(target))
        return None

    def candidates(self, context: Context, far: bool = False) -> Iterator[Action]:
        """None where all reach as far as oneself."""
        mine, weapon = context.weapon.reach, context.state.weapon
        if any(weapon(foe).reach < mine for foe in context.state.foes(context.who)):
            yield from super().candidates(context, far)

    def odds(self, context: Context, action: Action) -> Odds | None:
        manner = JAB_TO_HOLD if action.option == JAB.word else HOLD_AT_BAY
        return odds_of(context.state, context.who, action, manner)

    def named(self, context: Context, manner: Manner, action: Action | None) -> Description:
        wounds = ("a hit stops the foe, and wounds",)
        return self.button("Hold at bay by a jab", notes=wounds) if manner.jab else self.button()

    def manner(
        self, state: Position, who: CreatureIx, target: CreatureIx, weapon: Weapon, *, ordered: Manner
    ) -> Manner:
        """One foe at a time is held at bay, by the longer weapon; against him who is held already, or past the point,
        one simply fights."""
        if not weapon.jab:
            return PLAIN
        if any(figure.held_by == who for figure in state.figures) or not before_the_point(state, who, target):
            return ordered
        return JAB_TO_HOLD if ordered.jab else HOLD_AT_BAY

    def stays(self, resolution: Resolution, who: CreatureIx, target: CreatureIx) -> bool:
        return resolution.figures[target].held_by == who or before_the_point(resolution, who, target)


def before_the_point(state: Position, who: CreatureIx, target: CreatureIx) -> bool:
    """Whether somebody's weapon reaches farther than a foe's, and he has not got past it (countup.md §2.6)."""
    mine, theirs = state.weapon(who), state.weapon(target)
    if mine.reach <= theirs.reach or state.figures[target].helpless > state.second:
        return False
    return target in state.figures[who].fresh or not in_reach(state, target, who, theirs)


class FullParry(OrderKind):
    """Nothing but defence until the attack after the one that is due (countup.md §2.6)."""

    do = "full_parry"
    face = Face("Full parry", "Act", "by speed", "none", "shield_block", "3", "+5 defence")
    rank = 2

    def why_not(self, context: Context) -> str | None:
        reason, due = context.manoeuvre_open(), context.figure.due
        if reason is None and due > context.state.second:
            reason = text("a full parry takes the place of the attack due at {due}", due)
        return reason

    def describe(self, context: Context, action: Action | None = None) -> Description:
        slot = next_slot(context)
        return self.button(cost=text("next at {slot}", slot), slot=slot)

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        figure = resolution.figures[who]
        if figure.due <= resolution.second and figure.stance is not Stance.PARRY:
            due = resolution.second + blows.speed_of(resolution, who, resolution.weapon(who))
            resolution.change(who, stance=Stance.PARRY, until=due, due=due)
            resolution.note(who, text("goes over to a {parry}", Term("full parry")))

    def ended(self, state: CountState, who: CreatureIx, order: Order, action: Action) -> str:
        return text("{name} has parried to the end", state.named(who))

    def holds(self, resolution: Resolution, who: CreatureIx, order: Order, action: Action) -> bool:
        figure = resolution.figures[who]
        return figure.stance is Stance.PARRY and figure.until > resolution.second


class SetForCharge(OrderKind):
    """A long weapon set against a charge (countup.md §2.6)."""

    do = "set"
    face = Face("Set for a charge", "Act", "3 s", "none", "aimed_shot", "6")
    doing = Doing.HARM
    at_the_end = True

    def why_not(self, context: Context) -> str | None:
        if reason := context.manoeuvre_open():
            return reason
        if context.figure.held_by >= 0 and not context.order.path:
            return "held at bay: knock the weapon aside first"
        if context.figure.prone:
            return "prone: stand up first"
        weapon = context.weapon
        return None if weapon.settable else text("the {weapon} cannot be set against a charge", weapon.name)

    def keeps(self, action: Action) -> Stance:
        return Stance.SET

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        figure = resolution.figures[who]
        if figure.stance is not Stance.SET:
            resolution.change(who, set_since=resolution.second, stance=Stance.SET, until=FOREVER)
            resolution.note(who, text("sets the {weapon} against a charge", resolution.weapon(who).name))

    def prepared(self, resolution: Resolution, who: CreatureIx, action: Action) -> PreparedAttack | None:
        """A weapon set for three seconds meets a charger first, due or not; others as any weapon does."""
        figure, figures = resolution.figures[who], resolution.figures
        weapon = resolution.struck_with(who, action)
        met = [other for other in figure.fresh if in_reach(resolution, who, other, weapon)]
        charging = [other for other in met if figures[other].stance is Stance.CHARGING]
        ready = figure.stance is Stance.SET and resolution.second - figure.set_since >= READY
        if charging and weapon.settable and ready:
            return PreparedAttack(who, charging[0], weapon, SET)
        return PreparedAttack(who, met[0], weapon) if met and figure.due <= resolution.second else None

    def holds(self, resolution: Resolution, who: CreatureIx, order: Order, action: Action) -> bool:
        figure = resolution.figures[who]
        if figure.stance is Stance.SET:
            return not figure.fresh and resolution.second < figure.set_since + WATCH
        return super().holds(resolution, who, order, action)


class KnockAside(OrderKind):
    """Held at bay: knock the weapon aside (countup.md §2.6)."""

    do = "knock_aside"
    face = Face("Knock aside", "Act", "1 s", "none", "force", "k")
    doing = Doing.ARM

    def why_not(self, context: Context) -> str | None:
        if reason := context.action_open():
            return reason
        if context.figure.held_by < 0:
            return "not held at bay"
        return "a way is ordered: who knocks a weapon aside stands his ground" if context.order.path else None

    def break_out(self, resolution: Resolution) -> None:
        """At the end of a second: whoever is held by a weapon that holds no more is free; others try, if ordered."""
        for who, figure in numbered(resolution.figures):
            if figure.held_by < 0:
                continue
            by, weapon = figure.held_by, resolution.weapon(figure.held_by)
            holder = resolution.figures[by]
            idle = holder.able(resolution.second) and holder.busy <= resolution.second and not holder.at_work
            up, longer = not holder.prone and not holder.fleeing, weapon.reach > resolution.weapon(who).reach
            if not (idle and up and longer and in_reach(resolution, by, who, weapon)):
                resolution.change(who, held_by=-1)
            elif figure.action is not None and figure.action.do == self.do:
                self._try(resolution, who)

    def _try(self, resolution: Resolution, who: CreatureIx) -> None:
        """An attack against the holder's shieldless defence."""
        figure, holder = resolution.figures[who], resolution.figures[who].held_by
        being, foe = resolution.being(who), resolution.being(holder)
        guard = foe.defence - 4 + sum(a.value for a in blows.defence_stances(resolution, holder, who))
        held = resolution.roll(holder, "holds at bay", (Die(1, 20),), guard)
        attack = PreparedAttack(who, holder, resolution.weapon(who), FREE)
        to_attack = sum(a.value for a in blows.attack_adjustments(resolution, attack))
        tried = resolution.roll(who, ASIDE, (Die(1, 20),), to_attack)
        resolution.change(who, order=None)
        aside = tried.total > held.total
        note, dice = "it is knocked aside" if aside else "it stays", (held, tried)
        contest = Contest(by=being.id, target=foe.id, what=ASIDE, rolls=dice, success=aside, note=note)
        resolution.events.append(contest)
        if aside:
            freed = resolution.second + 1
            resolution.change(who, held_by=-1, freed_at=freed, due=max(figure.due, freed))
            HELD.tell(resolution, who, gained=False)


ATTACK, HOLD, PARRY = Strikes(), HoldAtBay(), FullParry()
SET_FOR_CHARGE, KNOCK_ASIDE = SetForCharge(), KnockAside()


OPTIONS: Mapping[str | None, Shots] = MappingProxyType({shots.value: shots for shots in Shots})
"""By the option of an order."""


def shots_of(action: Action | None) -> Shots:
    """How shots are ordered."""
    return OPTIONS.get(action.option, Shots.AIMED) if action is not None else Shots.AIMED


class Shoots(OrderKind):
    """Shoot or throw at somebody, again and again."""

    do = "shoot"
    face = Face("Shoot", "Act", "by cycle", "creature", "aimed_shot", "2", "aim 4 s; quick −6")
    doing = Doing.HARM
    rank = 1
    faces = disturbed = True

    def why_not(self, context: Context) -> str | None:
        weapon = context.weapon
        reason = context.action_open() or context.held_back()
        return reason or (None if weapon.ranged else text("the {name} is no missile weapon", weapon.name))

    def why_not_this(self, context: Context, action: Action) -> str | None:
        if action.option not in OPTIONS:
            return text("option: {option}; once, quick or nothing", repr(action.option))
        target = context.find(action.target)
        if target is None:
            return text("target: {target} is not here", repr(action.target))
        if target == context.who:
            return "target: nobody shoots at itself; name another creature"
        return blows.why_no_shot(context.state, context.who, target, context.weapon)

    def candidates(self, context: Context) -> Iterator[Action]:
        for foe in context.state.foes(context.who):
            yield from self._at(context, foe)

    def _at(self, context: Context, foe: CreatureIx) -> Iterator[Action]:
        me, weapon = context.being.id, context.weapon.name
        for option in OPTIONS:
            yield Action(me, self.do, target=context.setup.beings[foe].id, weapon=weapon, option=option)

    def instances(self, context: Context) -> Iterator[Action]:
        for foe in context.state.foes(context.who) if self.why_not(context) is None else ():
            if blows.why_no_shot(context.state, context.who, foe, context.weapon) is None:
                yield from self._at(context, foe)

    def odds(self, context: Context, action: Action) -> Odds | None:
        state, target = context.state, context.find(action.target)
        weapon = state.struck_with(context.who, action)
        if target is None or blows.why_no_shot(state, context.who, target, weapon) is not None:
            return None
        return odds_of(state, context.who, action, shots_of(action).manner)

    def describe(self, context: Context, action: Action | None = None) -> Description:
        shots, weapon, figure = shots_of(action), context.weapon, context.figure
        cost, slot = "", None
        if weapon.ranged:  # the second at which one could begin another shot after this one
            start = max(context.state.second, figure.due)
            fresh = start + blows.leaves_in(figure, weapon, shots.quick, start)
            leaves = figure.loading[1] if figure.loading[0] == weapon.name else fresh
            slot = leaves + blows.cycle(weapon, shots.quick)[1]
            cost = text("next at {slot}", slot)
        if shots.button is None:
            return self.button(cost=cost, slot=slot)
        label, meaning = shots.button
        return self.button(_labelled(context, label, action), cost, notes=(meaning,), slot=slot)

    def holds(self, resolution: Resolution, who: CreatureIx, order: Order, action: Action) -> bool:
        return target_holds(resolution, who, action) and not resolution.figures[who].fresh


SHOOT = Shoots()

# -- its phase of the second -----------------------------------------------------------------------------


def shots(resolution: Resolution) -> None:
    """Begin what is ordered; let fly what is ready in this second, and begin anew."""
    second = resolution.second
    for who, figure in numbered(resolution.figures):
        action = figure.action
        if action is None or action.do != SHOOT.do:
            if figure.loading[0]:
                break_off(resolution, who)
            continue
        if not figure.able(second) or figure.fatigue > second:
            continue
        name = action.weapon or figure.hand
        weapon, quick = resolution.setup.weapon(who, name), shots_of(action).quick
        load, draw, fire, _ = weapon.phases
        if figure.loading[0] == name and figure.hasty != quick:  # the aim is yet to be taken, or is done without
            aimed = max(figure.nocked[1], second) + (0 if quick else blows.AIM) + fire
            figure = resolution.change(who, loading=(name, max(second + 1, aimed)), hasty=quick)
        if figure.loading[0] == name and figure.loading[1] <= second:
            figure = _fly(resolution, who, weapon, action)
            if figure.order is None:
                continue
            if shots_of(action) is Shots.ONCE:  # the next is loaded while one thinks of whom it shall be for
                figure = resolution.change(who, order=None)
        if figure.loading[0] != name and figure.due <= second:
            nocked = figure.nocked if blows.loaded(figure, name, second) else (name, second + load + draw)
            leaves = second + blows.leaves_in(figure, weapon, quick, second)
            resolution.change(who, loading=(name, leaves), nocked=nocked, hasty=quick)


def _fly(resolution: Resolution, who: CreatureIx, weapon: Weapon, action: Action) -> Figure:
    """Let fly; whoever has lost sight of the target keeps what is loaded."""
    target, state, shots = resolution.find(action.target), resolution.done(), shots_of(action)
    if target is None or blows.why_no_shot(state, who, target, weapon) is not None:
        resolution.change(who, order=None)
        break_off(resolution, who)
        resolution.note(who, "has no shot")
        return resolution.figures[who]
    apply(resolution, blows.shoot(resolution, state, PreparedAttack(who, target, weapon, shots.manner)))
    due = resolution.second + blows.cycle(weapon, shots.quick)[1]
    left = resolution.figures[who].ammunition
    if left > 0 and not weapon.thrown:
        resolution.change(who, ammunition=left - 1)
    resolution.change(who, due=due, loading=("", 0), nocked=("", 0), **SPENT)
    if weapon.thrown:
        cell = resolution.figures[target].cell
        resolution.floor = (*resolution.floor, (weapon.name, cell))
        resolution.change(who, hand="", order=None)
        name, at = resolution.being(who).id, resolution.space(cell)
        resolution.events.append(Item(by=name, item=weapon.name, how="thrown", at=at))
    return resolution.figures[who]
