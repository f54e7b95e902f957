"""Attacks, plain and daring, manoeuvres, and what is held ready; what a side has planned against one target falls
together (cairn.md §2.2, §2.3, §2.12)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from rules.board.path import step_fault
from rules.cairn.actions.context import NO_SAVE, ByHand, Context, Phase, save_odds, save_of
from rules.cairn.actions.spells import CAST, USE
from rules.cairn.combat import attack as blows
from rules.cairn.combat.injury import LADDER, armor_of
from rules.cairn.conditions import DARED, DARING, PRONE, RESTRAINED, ROOTED, UNCONSCIOUS, Condition
from rules.cairn.gear import UNARMED, Weapon
from rules.cairn.magic.effects import does_harm
from rules.cairn.magic.ground import beside, touches
from rules.cairn.movement import heading, over_edge, push
from rules.cairn.state import CairnState, Figure, Resolution, aloft, save_chance, standing_on, worn
from rules.cairn.visibility import unseen
from rules.contract.actions import Action, Description
from rules.contract.events import Moved
from rules.contract.ruleset import Odds
from rules.contract.text import Term, joined, text, titled
from rules.contract.units import Cell, CreatureIx
from rules.core.action_kinds import Face

OVER = "edge"
"""The word of `shoved` for a fall out of the fight."""


class Manoeuvre(NamedTuple):
    """One manoeuvre: what it is saved with, and what becomes of who loses."""

    do: str
    note: str
    ends: tuple[str, str]  # what it comes to for the target, and for the actor where it goes wrong
    leaves: Condition | None = None  # what befalls who loses; None: that is moved, and may fall over an edge
    because: str = ""
    either: bool = False  # the actor may save with DEX as well as with STR

    def attribute(self, figure: Figure) -> str:
        """What the actor saves with."""
        return figure.better if self.either else "str"

    def chance(self, state: CairnState, who: CreatureIx, target: CreatureIx) -> Fraction:
        """Chance that it comes off: barbs that hold one off, then the actor's own save, unless nobody resists."""
        figure, chance = state.figures[who], Fraction(1)
        if not state.figures[target].helpless:
            chance = save_chance(figure.score(self.attribute(figure)))
        return chance * save_chance(figure.str_now) if barbed(state, target) else chance


TRIP = Manoeuvre("trip", "to the floor, where Hit Protection counts as 0",
                 ("it lies on the floor", "one lies there oneself"), PRONE, "tripped", either=True)  # fmt: skip
SHOVE = Manoeuvre("shove", "a space back, over an edge if there is one",
                  ("it goes a space back", "one goes a space back oneself"))  # fmt: skip
GRAPPLE = Manoeuvre("grapple", "held fast, and it strikes impaired", ("it is held", "one is held oneself"),
                    RESTRAINED, "grappled")  # fmt: skip
MANOEUVRES: Mapping[str, Manoeuvre] = MappingProxyType({each.do: each for each in (TRIP, SHOVE, GRAPPLE)})


class Manoeuvres(ByHand):
    """Trip, shove or grapple a neighbour."""

    do = "manoeuvre"
    turns = None
    harms = True
    face = Face(
        "Manoeuvre", "Act", "action", "creature", "guide", "7", "trip, shove or grapple; STR save, a trip by DEX too"
    )
    phase = Phase.RISK
    rank = 2

    def why_not_this(self, context: Context, action: Action) -> str | None:
        if action.option not in MANOEUVRES:
            return text("option: needs one of {words}, got {option}", joined(", ", MANOEUVRES), repr(action.option))
        target = context.aimed(action.target)
        if target is None or context.state.figures[target].dead:
            return text("target: {target} is not here", repr(action.target))
        if target == context.who:
            return "target: that takes two"
        if not context.beside(target):
            return text("target: {name} is not adjacent", context.beings[target].creature)
        hidden = unseen(context.state, context.who, target, context.place)
        if hidden:
            return text("target: {name} {hidden}", context.beings[target].creature, hidden)
        if context.befriended(target):
            return text("target: charmed, it won't harm {name}", context.beings[target].creature)
        return None

    def candidates(self, context: Context) -> Iterator[Action]:
        for target in context.foes():
            for option in MANOEUVRES if context.distance(target) <= 1 and context.aware(target) else ():
                yield Action(context.being.id, self.do, target=context.beings[target].id, option=option)

    def describe(self, context: Context, action: Action | None = None) -> Description:
        said = self.face.described()
        if action is None or not action.option:
            return said
        known = MANOEUVRES.get(action.option)
        notes = (known.note if known is not None else "",)
        return msgspec.structs.replace(said, label=action.option.capitalize(), notes=notes)

    def odds(self, context: Context, action: Action) -> Odds | None:
        state, target = context.state, context.setup.index.get(action.target or "")
        known = MANOEUVRES.get(action.option or "")
        if target is None or known is None:
            return None
        foe, figure = context.beings[target], state.figures[target]
        chance = known.chance(state, context.who, target)
        good, bad = known.ends
        notes: list[tuple[str, str]] = [(text("passed: {good}; failed: {bad}", good, bad), "cairn.md §2.12")]
        drop = Fraction(0)
        if known.leaves is None:
            if shoved(state, target, figure.cell, context.stand, context.being.space) == OVER:
                drop = chance
                notes.append((text("{name} stands at an edge and would fall", foe.creature), "cairn.md §2.12"))
            if shoved(state, context.who, context.stand, figure.cell, foe.space) == OVER:
                notes.append(("an edge is at one's own back", "cairn.md §2.12"))
        dice = save_of(context.figure, known.attribute(context.figure))
        if barbed(state, target):
            notes.append(("barbs: a STR save first, or one faints", "cairn.md §5.5"))
        if figure.helpless:
            notes.append(("nobody resists: no save", "cairn.md §2.12"))
            dice = save_of(context.figure, "str") if barbed(state, target) else NO_SAVE
        return save_odds(chance, ("comes off", "goes wrong"), dice, tuple(notes), drop)

    def pooled(self, context: Context, action: Action, target: CreatureIx, pool: blows.Pool) -> blows.Pool:
        """What its side's attacks on a target come to with it: a trip has it on the floor first."""
        known = MANOEUVRES.get(action.option or "")
        if known is None or known.leaves is not PRONE or not topples(context.state, target):
            return pool
        chance = known.chance(context.state, context.who, target)
        told = text("{name} trips it first: {chance}", context.being.creature, f"{float(chance):.0%}")
        notes = (*pool.notes, (told, "cairn.md §2.12"))
        return pool._replace(prone=1 - (1 - pool.prone) * (1 - chance), notes=notes)

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        """The actor saves; on a failure it suffers the bad end itself. With the helpless there is no contest, and
        nothing to be risked."""
        target = resolution.setup.index[action.target or ""]
        figure = resolution.figures[who]
        known = MANOEUVRES[action.option or ""]
        if not resolution.figures[target].present or not beside(resolution.done(), who, figure.cell, target):
            return
        if barbed(resolution, target) and not resolution.save(who, "str", "against the barbs"):
            resolution.afflict(who, UNCONSCIOUS, because="barbs")
            return
        attribute = known.attribute(resolution.figures[who])
        why = text("{manoeuvre} {foe}", known.do, resolution.being(target).creature)
        won = resolution.figures[target].helpless or resolution.save(who, attribute, why)
        loser, winner = (target, who) if won else (who, target)
        if known.leaves is None:
            push(resolution, loser, winner, 1)
        else:  # who is held can save against the winner's grip
            by = resolution.being(winner).id
            resolution.afflict(loser, known.leaves, because=known.because, save="str", by=by)


def barbed(state: CairnState | Resolution, who: CreatureIx) -> bool:
    """Whether somebody wears what nobody should lay hands on (cairn.md §5.5, Barbed Epaulets)."""
    table = state.setup.armoury.armor
    return any(table[item].barbs for item in worn(state.setup, state.setup.beings[who], state.figures[who]))


def topples(state: CairnState, target: CreatureIx) -> bool:
    """Whether a trip that comes off changes anything for blows on its target: the helpless have no protection left."""
    figure = state.figures[target]
    return figure.posture != PRONE.name and not figure.helpless and PRONE.name not in state.setup.beings[target].immune


def shoved(state: CairnState, who: CreatureIx, cell: Cell, other: Cell, size: int) -> str:
    """What becomes of somebody at a space who is shoved away from somebody of a size at another space: `edge`, the
    kind of changed ground that it comes onto, `moved`, or nothing where it is not moved at all."""
    field, terrain, being = state.setup.field, state.terrain, state.setup.beings[who]
    dx, dy = heading(field, cell, being.space, other, size)
    x, y = field.at(cell)
    if (dx == 0 and dy == 0) or state.figures[who].has(ROOTED) or being.speed == 0 or not field.inside(x + dx, y + dy):
        return ""
    there, figure = field.cell(x + dx, y + dy), state.figures[who]
    if over_edge(terrain, cell, there, being.space) and not aloft(being, figure):
        return OVER
    if step_fault(terrain, cell, there, being.space) is not None:
        return ""
    space = terrain.footprint(there, being.space)
    if any(i != who and not state.figures[i].critical for i in standing_on(state, space)):
        return ""
    return next((zone.kind for zone in state.zones if zone.cells & space and touches(zone, being, figure)), "moved")


class Attack(ByHand):
    """A blow or a shot: it always hits (cairn.md §2.2)."""

    do = "attack"
    turns = None
    harms = True
    face = Face("Attack", "Act", "action", "creature", "attack", "1", "always hits")
    phase = Phase.ATTACK
    rank = 1

    def why_not_this(self, context: Context, action: Action) -> str | None:
        target = context.aimed(action.target)
        if target is not None and context.befriended(target):
            return text("target: charmed, it won't harm {name}", context.beings[target].creature)
        if target is None:
            there = joined(", ", (context.beings[i].id for i in context.known()))
            return text("target: {target} is not here; there are {names}", repr(action.target), there or "none")
        if target == context.who:
            return "target: nobody strikes at itself"
        names = blows.wielded(context.setup, context.who, context.figure)
        name = action.weapon or names[0]
        if name not in names:
            return text("weapon: {name} is not at hand; there are {names}", repr(name), joined(", ", names))
        if context.state.figures[target].dead:
            return text("target: {target} is dead", str(action.target))
        return self._why_not_there(context, target, blows.weapon_of(context.setup, context.who, name))

    def _why_not_there(self, context: Context, target: CreatureIx, weapon: Weapon) -> str | None:
        """Why a target can't be struck from where the attacker will stand."""
        if self.strikes(context, target, weapon):
            return None
        foe, distance = context.beings[target].creature, context.distance(target)
        hidden = unseen(context.state, context.who, target, context.place)
        if hidden:
            return text("target: {foe} {hidden}", foe, hidden)
        farthest = max(weapon.farthest, weapon.reach + context.stretch(weapon))
        if distance > farthest:
            told = foe, distance, weapon.name, farthest
            return text("target: {foe} is {distance} spaces away; the {weapon} reaches {farthest}", *told)
        if weapon.run and context.terrain.distance(context.figure.cell, context.stand) < weapon.run:
            return text("weapon: the {weapon} needs a run of {run} spaces first", weapon.name, weapon.run)
        return text("target: no line of sight to {foe}", foe)

    def strikes(self, context: Context, target: CreatureIx, weapon: Weapon) -> bool:
        """Whether a target can be struck from where the attacker will stand."""
        way = context.place, context.state.figures[target].cell
        return blows.prepare(context.state, context.who, target, weapon, way) is not None

    def instances(self, context: Context) -> Iterator[Action]:
        if self.why_not(context) is not None:
            return
        arms = blows.arms(context.setup, context.who, context.figure)
        farthest = max([max(weapon.farthest, weapon.reach + context.stretch(weapon)) for weapon in arms], default=0)
        for target in context.foes():
            if context.distance(target) > farthest or not context.aware(target) or context.befriended(target):
                continue
            for weapon in arms:
                if self.strikes(context, target, weapon):
                    yield Action(context.being.id, self.do, target=context.beings[target].id, weapon=weapon.name)

    def settled(self, context: Context, action: Action) -> Action:
        return action if action.weapon else msgspec.structs.replace(action, weapon=_first(context))

    def risk(self, context: Context) -> Fraction | None:
        """The chance that the save before it comes off; None where there is none."""
        return None

    def odds(self, context: Context, action: Action) -> Odds | None:
        """With all that allies have planned against the same target."""
        state, target = context.state, context.setup.index.get(action.target or "")
        if target is None:
            return None
        named = action.weapon or _first(context)
        way = (context.stand, state.figures[target].cell)
        own = blows.prepare(state, context.who, target, blows.weapon_of(state.setup, context.who, named), way)
        if own is None:
            return None
        risk, pool = self.risk(context), planned(state, target, context.who)
        outcomes, damages = blows.pool_chances(state, target, blows.with_attack(pool, own, risk))
        shown, notes = own, pool.notes
        if risk is not None:
            shown = own.modified(DARED)
            likely, dice = f"{float(risk):.0%}", save_of(context.figure, "dex")
            saved = text("{risk}: {save}; failed, one lies there and strikes nothing", likely, dice)
            notes = ((saved, "cairn.md §2.2"), *notes)
        armor = armor_of(state.setup, state.setup.beings[target], state.figures[target])
        return Odds(
            hit=float(1 - damages.get(0, Fraction(0))),
            outcomes=tuple((word, float(outcomes[word])) for word in reversed(LADDER) if word in outcomes),
            damage=tuple((value, float(damages[value])) for value in sorted(damages)),
            mean=float(sum(value * chance for value, chance in damages.items())), drop=float(blows.felled(outcomes)),
            adjustments=shown.adjustments, attack_dice=_dice(shown), defense_dice=text("Armor {armor}", armor),
            notes=notes
        )  # fmt: skip

    def pooled(self, context: Context, action: Action, target: CreatureIx, pool: blows.Pool) -> blows.Pool:
        """What its side's attacks on a target come to with it."""
        weapon = blows.weapon_of(context.setup, context.who, action.weapon or UNARMED.name)
        way = (context.stand, context.state.figures[target].cell)
        own = blows.prepare(context.state, context.who, target, weapon, way)
        if own is None:
            return pool
        note = (text("pooled with {name}'s {dice}", context.being.creature, _dice(own)), "cairn.md §2.3")
        return blows.with_attack(pool, own, self.risk(context))._replace(notes=(*pool.notes, note))

    def attack(self, resolution: Resolution, who: CreatureIx, action: Action) -> Action | None:
        return action


class Daring(Attack):
    """A blow out of a daring manoeuvre: a DEX save makes it enhanced; failed, one lies there and strikes nothing
    (cairn.md §2.2, §2.12)."""

    do = "daring"
    face = Face("Daring blow", "Act", "action", "creature", "rushed_attack", "6", "DEX save: a d12, or a fall")
    phase = Phase.RISK
    rank = 2

    def _why_not_there(self, context: Context, target: CreatureIx, weapon: Weapon) -> str | None:
        if not self._by_hand(context, target, weapon):
            return text("target: {name} is out of reach; daring is for hand to hand", context.beings[target].creature)
        return super()._why_not_there(context, target, weapon)

    def strikes(self, context: Context, target: CreatureIx, weapon: Weapon) -> bool:
        return self._by_hand(context, target, weapon) and super().strikes(context, target, weapon)

    @staticmethod
    def _by_hand(context: Context, target: CreatureIx, weapon: Weapon) -> bool:
        """Hand to hand alone: from afar there would be no risk in it."""
        return bool(weapon.reach) and context.distance(target) <= weapon.reach + context.stretch(weapon)

    def risk(self, context: Context) -> Fraction | None:
        return save_chance(context.figure.dex_now)

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        """The risk before the blow."""
        if resolution.save(who, "dex", text("a {daring} manoeuvre", Term("daring"))):
            resolution.afflict(who, DARING)
        else:
            resolution.afflict(who, PRONE, because="the manoeuvre failed")

    def attack(self, resolution: Resolution, who: CreatureIx, action: Action) -> Action | None:
        return action if resolution.figures[who].has(DARING) else None


ATTACK, DARING_BLOW, MANOEUVRE = Attack(), Daring(), Manoeuvres()
_POOLED: Mapping[str, Attack | Manoeuvres] = MappingProxyType(
    {each.do: each for each in (ATTACK, DARING_BLOW, MANOEUVRE)}
)
"""What tells in the pool against its target."""


def planned(state: CairnState, target: CreatureIx, but: int) -> blows.Pool:
    """What has been planned against a target so far, by everybody but `but`."""
    pool, name = blows.NOBODY, state.setup.beings[target].id
    for ally in state.declared:
        plan = state.plans[ally]
        action = None if plan is None or ally == but else plan.action
        kind = None if action is None or action.target != name else _POOLED.get(action.do)
        if action is not None and kind is not None:
            pool = kind.pooled(Context(state, ally), action, target, pool)
    return pool


def _first(context: Context) -> str:
    """What somebody strikes with who does not say with what."""
    return blows.wielded(context.setup, context.who, context.state.figures[context.who])[0]


def _dice(attack: blows.PreparedAttack) -> str:
    return "+".join(f"d{die}" for die in attack.dice)


COMES, ACTS = "comes", "acts"
TRIGGERS: Mapping[str, str] = MappingProxyType(
    {COMES: "when a foe comes within reach", ACTS: "before a foe within reach acts"}
)
"""What a thing can be held ready for: a foe that comes within reach, or one within reach that does something."""


class Ready(ByHand):
    """A blow, or a power for one creature, held for the first foe that springs the trigger."""

    harms = True
    do = "ready"
    turns = None
    face = Face("Ready", "Act", "action", "item", "aimed_shot", "y", "held for the first foe that comes, or acts")
    rank = 2
    noticed = False
    reveals = False

    def why_not_this(self, context: Context, action: Action) -> str | None:
        if action.option not in (None, *TRIGGERS):
            return text("option: needs one of {triggers}, got {option}", joined(", ", TRIGGERS), repr(action.option))
        if action.item is not None:
            if action.item in held_powers(context):
                return None
            held = joined(", ", held_powers(context)) or "none"
            return text("item: {item} can't be held ready; there are {names}", repr(action.item), held)
        names = blows.wielded(context.setup, context.who, context.figure)
        if action.weapon not in names:
            return text("weapon: {weapon} is not at hand; there are {names}", repr(action.weapon), joined(", ", names))
        return None

    def instances(self, context: Context) -> Iterator[Action]:
        if self.why_not(context) is not None:
            return
        arms = [weapon.name for weapon in blows.arms(context.setup, context.who, context.figure)]
        powers = held_powers(context)
        for trigger in TRIGGERS:
            for name in arms:
                yield Action(context.being.id, self.do, weapon=name, option=trigger)
            for name in powers:
                yield Action(context.being.id, self.do, item=name, option=trigger)

    def describe(self, context: Context, action: Action | None = None) -> Description:
        said = self.face.described()
        if action is None:
            return said
        what = action.item or action.weapon or ""
        label = text("{thing}, {when}", titled(what), TRIGGERS[action.option or COMES])
        return msgspec.structs.replace(said, label=label, notes=())

    def word(self, action: Action) -> str:
        return self.do.capitalize()

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        """Held ready for what may come."""
        resolution.readied = (*resolution.readied, (who, action))


READY = Ready()


def held_powers(context: Context) -> list[str]:
    """What harms one creature and could be held ready: books, scrolls, other things, own powers."""
    held = ((name, found.power) for use in (CAST, USE) for name, found in use.held(context))
    return [name for name, power in held if power.needs == "creature" and does_harm(power) and not power.onto]


def spring(resolution: Resolution, begun: int, trigger: str, side: str, actors: tuple[CreatureIx, ...] = ()) -> None:
    """Let go what is held for a trigger by those of other sides than `side`: foes that moved since the event `begun`
    (`comes`), or `actors`, who are about to do something (`acts`)."""
    kept, attacks, powers = [], [], []
    if trigger == COMES:
        names = dict.fromkeys(event.by for event in resolution.events[begun:] if isinstance(event, Moved))
        actors = tuple(resolution.setup.index[name] for name in names)
    for who, held in resolution.readied:
        other = resolution.being(who).side != side and (held.option or COMES) == trigger
        foes = actors if other and resolution.figures[who].able else ()
        let_go = next((found for foe in foes if (found := _aimed(resolution, who, held, foe)) is not None), None)
        if let_go is None:
            kept.append((who, held))
        elif let_go.item is None:
            attacks.append((who, let_go))
        else:
            powers.append((who, let_go))
    resolution.readied = tuple(kept)
    if attacks:
        blows.strike_all(resolution, attacks)
    for who, action in powers:
        if resolution.figures[who].able:
            CAST.resolve(resolution, who, action)


def _aimed(resolution: Resolution, who: CreatureIx, held: Action, foe: CreatureIx) -> Action | None:
    """What is held, aimed at a foe; None where it does not reach."""
    if resolution.being(foe).side == resolution.being(who).side or not resolution.figures[foe].present:
        return None
    state, target = resolution.done(), resolution.being(foe).id
    if held.item is not None:
        free = msgspec.structs.replace(state, plans=(None,) * len(state.plans))  # what was planned is done
        for use in (CAST, USE):
            action = Action(held.by, use.do, item=held.item, target=target)
            if use.refusal(Context(free, who), action) is None:
                return action
        return None
    weapon = blows.weapon_of(resolution.setup, who, held.weapon or "")
    start, goal = resolution.figures[who].cell, resolution.figures[foe].cell
    if blows.prepare(state, who, foe, weapon, (start, goal)) is None:
        return None
    return msgspec.structs.replace(held, do=ATTACK.do, target=target, option=None)
