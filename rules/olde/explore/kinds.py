"""What a hero may do with a minute of exploration, and how the exploration ends by choice (olde.md §7, §8).

Actions of a fight serve here as they are, for minutes instead of AP (`Kind.exploring`); walking, sneaking, care and the
choice to fight are ours. What takes no time worth counting (a door, a thing in hand) may be done beside it (R).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from rules.board.bitboard import board_of
from rules.board.sight import Grade
from rules.contract.actions import Action, Decision, Description, Offer
from rules.contract.ruleset import Odds
from rules.contract.text import joined, text
from rules.contract.units import EMPTY, Bitboard, Cell, CreatureIx, numbered
from rules.core.action_kinds import Face
from rules.core.secrets import Kind as Obstacle
from rules.core.secrets import Stands, named
from rules.explore import kinds as explore
from rules.explore import meeting
from rules.explore.procedure import Manner
from rules.olde.actions.kind import Context, Kind, Minutes, Picking
from rules.olde.actions.movement import Walk
from rules.olde.actions.obstacles import Search, spring, walk_into
from rules.olde.actions.plunder import FIXTURES
from rules.olde.actions.table import ACTION_KINDS, TableActions
from rules.olde.challenges.checks import EASY, MODERATE, check, terms_of
from rules.olde.challenges.state import set_state
from rules.olde.combat.outcomes import heal
from rules.olde.conditions import DYING
from rules.olde.creation.camp import TIMES
from rules.olde.explore import minutes as lights
from rules.olde.explore import notice, risks
from rules.olde.explore.minutes import MINUTES, label_of
from rules.olde.magic.actions import MAGIC_ACTIONS
from rules.olde.magic.casting import restore
from rules.olde.magic.spells import POOLS
from rules.olde.state import STANDING, Chance, OldeState, Phase, Resolution, Status, move, status
from rules.olde.visibility import is_hero, lurkers, waiting

SEARCHED = 4
"""Spaces around oneself that a minute's search covers."""
AP = 3
"""What an action of a fight may cost at most: a minute pays for each of them."""


def situation_of(state: OldeState, who: CreatureIx) -> Context:
    """A hero's situation: with all the AP of a round to spend, and without those who lie in hiding."""
    figures = list(state.figures)
    figures[who] = msgspec.structs.replace(figures[who], ap=AP, ap_start=AP)
    for other in sorted(lurkers(state, (state.setup.fighters[who].side,))):
        figures[other] = msgspec.structs.replace(figures[other], cell=-1)
    return Context(msgspec.structs.replace(state, figures=tuple(figures)), Chance(who))


class Timed(explore.Timed[Context]):
    """One kind of thing to do with a minute."""

    def __init__(self) -> None:
        super().__init__(MINUTES)

    def describe(self, context: Context, action: Action | None = None) -> Description:
        return self.face.described()  # before what a kind of fights says of itself

    def offer(self, context: Context) -> Offer:
        """Its button with its legal instances, or with the reason why there is none."""
        offer = super().offer(context)
        return msgspec.structs.replace(offer, description=self.face.described(rank=self.rank))


class Shown(Timed):
    """What it does may show some hero to somebody."""

    def odds(self, context: Context, action: Action) -> Odds | None:
        return risks.shown(context, self, action)


# -- ways out of it ---------------------------------------------------------------------------------------


class Ambush(Timed, explore.Ambush[Context]):
    """Fall upon those in sight."""

    face = explore.Ambush.face._replace(note="whoever noticed nothing is caught unaware: 1 AP")


class Challenge(Timed, explore.Shout[Context]):
    """Call the adversaries out."""


class Stairs(Timed, explore.Stairs[Context]):
    """Over the stairs on which one stands."""


class Parley(Timed, meeting.Parley[Context]):
    """Talk with strangers."""


class Bribe(Timed, meeting.Bribe[Context]):
    """The same with coins in hand."""


class Listen(Timed, explore.Listen[Context]):
    """Keep still and listen."""


class SlipAway(Shown, explore.Leave[Context]):
    """Slip out by an exit."""


class GiveUp(explore.Surrender[Context], Timed):
    """Give the expedition up."""

    def offer(self, context: Context) -> Offer:
        """Its button, after which one is asked once more."""
        return msgspec.structs.replace(super().offer(context), description=self.describe(context))


class StandStill(Timed, explore.Wait[Context]):
    """Let the minute pass."""

    def odds(self, context: Context, action: Action) -> Odds | None:
        return risks.standing_still(context)


# -- ways -------------------------------------------------------------------------------------------------


class Stroll(Timed, Walk):
    """Cross a tile: a way of up to so many spaces."""

    turns = TIMES["cross a tile"]
    rank = 1
    span = "in this minute"
    shares = False
    limit: int  # spaces
    manner: Manner

    def budget(self, context: Context) -> int:
        return self.limit

    def why_not(self, context: Context) -> str | None:
        posture = context.figure.posture
        return context.move_open() or (None if posture == STANDING else text("{posture}: Rise first", posture))

    @staticmethod
    def _crowded(context: Context, path: tuple[Cell, ...]) -> str | None:
        if context.terrain.footprint(path[-1], context.fighter.space) & context.crowd.foes:
            return text("path: {name} is an enemy's; nobody goes there unnoticed", context.name(path[-1]))
        return Walk._crowded(context, path)

    def odds(self, context: Context, action: Action) -> Odds:
        return risks.on_the_way(context, self.manner, action)

    def ahead(self, state: OldeState, who: CreatureIx, action: Action) -> Odds | None:
        """The odds of a way that may begin where one doesn't stand yet; None for what isn't legal where one does.

        Who is off its guard now may not be by then.
        """
        context = situation_of(state, who)
        if who in waiting(state) and state.terrain.distance(context.figure.cell, action.path[0]) <= 1:
            if self.refusal(context, action) is None:
                return self.odds(context, action)
        if len(action.path) > self.limit or any(cell not in state.setup.field.cells for cell in action.path):
            return None
        calm = msgspec.structs.replace(state, explore=msgspec.structs.replace(state.exploring, dulled=0))
        return self.odds(situation_of(calm, who), action)

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        allies = situation_of(resolution.state, who).crowd.allies
        way, trap = (action.path, -1) if not resolution.state.challenges else walk_into(resolution, who, action.path)
        gone, noticed, sprung = MINUTES.go(resolution, who, way, self.manner)
        stop = gone
        while stop and stop < len(action.path) and allies >> way[stop - 1] & 1:
            stop -= 1  # nobody stays where an ally stands
        if stop:
            move(resolution, who, way[:stop], self.do, self.turns)
        if noticed or sprung:
            MINUTES.danger(resolution, noticed, sprung)
        elif trap >= 0 and gone == len(way):
            spring(resolution, who, trap)


class Sneak(Stroll):
    """Half a tile, as quietly as one can."""

    do = "sneak"
    face = Face("Sneak", "Move", "1 minute", "path", "sneak", "1", "3 spaces, Sneak against Alertness")
    limit, manner = notice.TILE // 2, notice.SNEAKING


class WalkOpenly(Stroll):
    """A tile."""

    do = "walk"
    face = Face("Walk", "Move", "1 minute", "path", "step", "2", "6 spaces, seen by all in whose view it leads")
    limit, manner = notice.TILE, notice.OPEN


# -- actions of a fight -----------------------------------------------------------------------------------


class Borrowed(Timed):
    """An action of a fight, done in a minute or beside what else is done in it."""

    watched = True

    def __init__(self, kind: Kind, time: Minutes) -> None:
        super().__init__()
        self.kind, self.do = kind, kind.do
        self.turns, self.rank = time
        self.face = kind.face._replace(cost=label_of(time.spent))

    def why_not(self, context: Context) -> str | None:
        return self.kind.why_not(context)

    def refusal(self, context: Context, action: Action) -> str | None:
        return self.kind.refusal(context, action)

    def instances(self, context: Context) -> Iterator[Action]:
        return self.kind.instances(context)

    def odds(self, context: Context, action: Action) -> Odds | None:
        if self.kind.changes_views:
            return risks.shown(context, self, action)
        found = self.kind.odds(context, action)
        return found if found is None else risks.overheard(context, action, found)

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        self.kind.resolve(resolution, who, action)


class Helpful(Borrowed):
    """A spell, blessing or item for one of one's own: what strikes adversaries waits for the fight (R)."""

    def refusal(self, context: Context, action: Action) -> str | None:
        found = super().refusal(context, action)
        if found is None and not self._own(context, action):
            return "target: needs one of one's own; whoever strikes at adversaries begins the fight first"
        return found

    @staticmethod
    def _own(context: Context, action: Action) -> bool:
        who = context.setup.index.get(action.target or "")
        return who is not None and context.setup.fighters[who].side == context.fighter.side

    def instances(self, context: Context) -> Iterator[Action]:
        return (action for action in super().instances(context) if self._own(context, action))

    def describe(self, context: Context, action: Action | None = None) -> Description:
        if action is None or action.item is None:
            return super().describe(context, action)
        return in_minutes(self.kind.describe(context, action))

    def inside(self, context: Context, actions: tuple[Action, ...], refused: str | None) -> tuple[Offer, ...]:
        """An offer for each spell or item, with minutes in place of AP."""
        return tuple(
            msgspec.structs.replace(offer, description=in_minutes(offer.description))
            for offer in self.kind.inside(context, actions, refused)
        )


def in_minutes(described: Description) -> Description:
    """A description with a minute in place of its AP: `1 minute · 2 Faith`."""
    price = described.cost.partition(" · ")[2]
    cost = joined(" · ", filter(None, (label_of(1), price)))
    return msgspec.structs.replace(described, cost=cost, points=0, left=0, next_by=None)


class Searching(Timed, Search):
    """Search 4 spaces around oneself, for those in hiding as well."""

    face = Face(
        "Search", "Act", "1 minute", "none", "eye", "e", "4 spaces around: secret doors, traps, those in hiding"
    )
    turns = TIMES["search 4 spaces"]
    rank = 2

    def why_not(self, context: Context) -> str | None:
        """Nobody knows beforehand whether anything is hidden."""
        return None

    def odds(self, context: Context, action: Action) -> Odds:
        return risks.overheard(context, action, super().odds(context, action))

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        super().resolve(resolution, who, action)
        rolls = (getattr(event, "rolls", ()) for event in reversed(resolution.events))
        total = next(thrown[0].total for thrown in rolls if thrown)
        cell = resolution.figures[who].cell
        around = resolution.terrain.within(cell, SEARCHED, resolution.fighter(who).space)
        for other, hides in numbered(resolution.exploring.hides):
            if 0 < hides <= total and not resolution.exploring.spotted >> other & 1:
                there = resolution.terrain.footprint(resolution.figures[other].cell, resolution.fighter(other).space)
                if there & around and MINUTES.in_view(resolution.done(), other, who, cell) is not Grade.NONE:
                    MINUTES.spot(resolution, who, other)


# -- care -------------------------------------------------------------------------------------------------


class Bind(Timed, Picking):
    """Bind wounds, once: a Healing check, Easy for the bruised (1 HP), Moderate for the wounded (2 HP) and for the
    incapacitated (to 0 HP) (olde.md §7)."""

    do = "bind"
    face = Face("Bind wounds", "Act", label_of(TIMES["bind wounds"]), "creature", "heart", "b", "once: 1 or 2 HP back")
    turns = TIMES["bind wounds"]
    rank = 2
    names, nothing = "target", "nobody beside has wounds still to be bound"

    def near(self, context: Context) -> list[str]:
        """Those beside whose wounds were never bound, oneself included."""
        bound, both = context.state.exploring.bound, zip(context.setup.fighters, context.state.figures, strict=True)
        own = [(i, f, g) for i, (f, g) in numbered(both) if f.side == context.fighter.side and g.cell >= 0]
        near = [(i, f, g) for i, f, g in own if i == context.who or context.distance(i) <= 1]
        return [f.id for i, f, g in near if -f.hp_max < g.hp < f.hp_max and not bound >> i & 1]

    def refusal(self, context: Context, action: Action) -> str | None:
        return self.why_not_this(context, action)

    def why_not_this(self, context: Context, action: Action) -> str | None:
        near = self.near(context)
        told = "target: {target} has no wounds to bind here; there is {near}"
        return None if action.target in near else text(told, repr(action.target), joined(", ", near) or "nobody")

    def odds(self, context: Context, action: Action) -> Odds:
        rating = self.rating(context.state, context.setup.index[action.target or ""])
        note = ("Healing, once", "olde.md §7 bind wounds")
        return terms_of(context.state, context.who, "Healing").either(rating, "bound", "in vain", note)

    @staticmethod
    def rating(at: OldeState | Resolution, patient: CreatureIx) -> int:
        """Easy for the bruised, Moderate for the others."""
        now = status(at.figures[patient].hp, at.setup.fighters[patient].hp_max)
        return EASY if now is Status.BRUISED else MODERATE

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        patient = resolution.setup.index[action.target or ""]
        figure, rating = resolution.figures[patient], self.rating(resolution, patient)
        MINUTES.note(resolution, bound=resolution.exploring.bound | 1 << patient)
        if check(resolution, who, "Healing", rating, "bound wounds").success:
            amount = -figure.hp if figure.hp <= 0 else 1 if rating == EASY else 2
            heal(resolution, patient, amount, "bound wounds")
            DYING.end(resolution, patient, "bound wounds")


class Camp(Timed):
    """Camp gives all Mana and Faith back (R). What a night's rest gives is the camp's after the fight."""

    do = "camp"
    face = Face("Camp", "Act", label_of(TIMES["camp"]), "none", "stable", "shift+v", "Mana and Faith in full")
    turns = TIMES["camp"]

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        for pool in POOLS.values():
            restore(resolution, who, pool.name, pool.top(resolution.fighter(who)), self.do)


class Meal(Timed):
    """A quick meal, once, gives 5 Mana and 5 Faith back, as many as it takes minutes (R)."""

    do = "meal"
    face = Face(
        "Quick meal", "Act", label_of(TIMES["quick meal"]), "none", "recover", "v", "once: 5 Mana and 5 Faith back"
    )
    turns = TIMES["quick meal"]
    rank = 2

    def why_not(self, context: Context) -> str | None:
        return "has had its meal" if context.state.exploring.fed >> context.who & 1 else None

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        MINUTES.note(resolution, fed=resolution.exploring.fed | 1 << who)
        for pool in POOLS:
            restore(resolution, who, pool, self.turns, self.do)


class Sort(Timed, Picking):
    """Sort a chest that stands open beside one: five minutes, and what is of worth in it is the party's."""

    do = "sort"
    face = Face(
        "Sort chest", "Act", label_of(TIMES["sort a chest"]), "item", "pick_up", "shift+n", "an open chest beside"
    )
    turns = TIMES["sort a chest"]
    nothing = "no open chest beside"

    def near(self, context: Context) -> list[str]:
        """The open chests beside."""
        around = context.terrain.within(context.figure.cell, 1, context.fighter.space)
        stands = zip(context.field.challenges, context.state.challenges, strict=True)
        return [
            c.id for c, how in stands if c.kind == Obstacle.CHEST and how == Stands.OPEN and board_of(c.cells) & around
        ]

    def refusal(self, context: Context, action: Action) -> str | None:
        return self.why_not_this(context, action)

    def why_not_this(self, context: Context, action: Action) -> str | None:
        told = "item: {item} is no open chest beside one"
        return None if action.item in self.near(context) else text(told, repr(action.item))

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        number, _ = named(resolution.setup.field, action.item or "")
        set_state(resolution, number, Stands.SORTED, action.by)


class LightUp(Shown):
    """Light what one carries, a minute, anew with a torch or flask of oil where it has burnt out."""

    do = "light"
    face = Face("Light up", "Act", "1 minute", "none", "light", "5", "the light that one carries")
    turns = TIMES["light a torch"]
    rank = 2

    def why_not(self, context: Context) -> str | None:
        exploring = context.state.exploring
        if not context.fighter.light:
            return "carries no light"
        if lights.burns(context.state, context.who):
            return "it burns already"
        if not exploring.burning[context.who] and not exploring.spares[context.who]:
            return text("burnt out: there are no {many}", lights.FUELS[context.fighter.lamp].many)
        return None

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        lights.light_up(resolution, who)


class Douse(Timed):
    """Put out what one carries, which takes no time."""

    do = "douse"
    face = Face("Put out light", "Act", "no time", "none", "dark", "6", "the light that one carries")
    rank = 2

    def why_not(self, context: Context) -> str | None:
        if not context.fighter.light:
            return "carries no light"
        return None if lights.burns(context.state, context.who) else "it is out already"

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        lights.put_out(resolution, who)


EXPLORING: Mapping[str, Timed] = {
    kind.do: kind
    for kind in (
        Sneak(), WalkOpenly(), Ambush(), Searching(),
        *(Borrowed(kind, kind.exploring) for kind in ACTION_KINDS.values() if kind.exploring is not None),
        *(Helpful(kind, Minutes(rank=2)) for kind in MAGIC_ACTIONS.values()),
        Bind(), Sort(), Meal(), Camp(), LightUp(), Douse(), Challenge(), SlipAway(), StandStill(),
    )
}  # fmt: skip
"""Word of a command -> the kind of thing to do."""


DELVING: Mapping[str, Timed] = {
    **EXPLORING,
    **{kind.do: Borrowed(kind, kind.exploring) for kind in FIXTURES if kind.exploring is not None},
}
"""The same where everything that lies about is taken along."""
_BEYOND = (Stairs(), Listen(), Parley(), Bribe(), GiveUp())
CRAWLING: Mapping[str, Timed] = {kind.do: kind for kind in (*DELVING.values(), *_BEYOND)}
"""The same on an expedition, which has several levels, and noises."""


def table_of(state: OldeState) -> Mapping[str, Timed]:
    """What there is to do here."""
    return CRAWLING if state.setup.crawl else DELVING if state.setup.fixtures else EXPLORING


def decisions(state: OldeState) -> tuple[Decision, ...]:
    """A decision for every hero who has a turn left in this minute, in any order."""
    heroes = [state.setup.fighters[i] for i in waiting(state)]
    return tuple(Decision(f.id, f.side, "explore", text("{name}'s minute", f.name)) for f in heroes)


class ExploreActions(TableActions):
    """Legal actions of one hero's minute."""

    theirs = "by: this is {actor}'s minute, not {by}'s"
    unknown = "do: {do} is nothing to explore with; there are {exploring}"

    def __init__(self, state: OldeState, decision: Decision) -> None:
        super().__init__(state, situation_of(state, state.setup.index[decision.by]), table_of(state))

    def carry_out(self, resolution: Resolution, action: Action) -> None:
        """Do something, with the time that it takes, and with whoever hears or sees it."""
        kind, who, begun = CRAWLING[action.do], self.context.who, len(resolution.events)
        resolution.chance = Chance(who)
        kind.resolve(resolution, who, action)
        resolution.chance = None
        if resolution.phase is Phase.EXPLORE:
            MINUTES.spend(resolution, who, kind.turns)
            noise = MINUTES.loud(resolution.events[begun:], action if kind.watched else None)
            moved = kind.watched and resolution.figures[who].cell != self.context.figure.cell
            explore.heard(MINUTES, resolution, who, noise, moved=moved)


def describe(state: OldeState, action: Action) -> Description:
    """What an action says of itself; a spell by its own name."""
    return CRAWLING[action.do].describe(situation_of(state, state.setup.index[action.by]), action)


def area_of(state: OldeState, action: Action) -> Bitboard:
    """The spaces that a search covers; 0 for anything else."""
    who = state.setup.index.get(action.by)
    if action.do != Searching.do or who is None or state.figures[who].cell < 0:
        return EMPTY
    return state.terrain.within(state.figures[who].cell, SEARCHED, state.setup.fighters[who].space)


def odds_of(state: OldeState, action: Action) -> Odds | None:
    """Exact odds of a legal action: of being noticed on a way, of what a check decides; None without dice.

    A way may begin elsewhere, as part of a longer one that is still to come: it is judged as from there.
    """
    kind, who = table_of(state).get(action.do), state.setup.index.get(action.by)
    if kind is None or who is None:
        return None
    if isinstance(kind, Stroll) and action.path and is_hero(state.setup, who):
        return kind.ahead(state, who, action)
    if who not in waiting(state):
        return None
    context = situation_of(state, who)
    return kind.odds(context, action) if kind.refusal(context, action) is None else None
