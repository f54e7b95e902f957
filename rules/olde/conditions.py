"""Conditions and postures, a record or class each; effects that lay them on; changed ground (olde.md §7, §9).

A condition lies on a creature as an effect (`Figure.effects`), or stands in a field of its figure (`Flagged`,
`Posture`). To add one: a record here, named in `CONDITIONS`. What follows it at the moments of a fight asks the
functions below the records, which ask them; nobody else spells a condition's name.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Flag, auto
from types import MappingProxyType

import msgspec

from rules.board.bitboard import cells_of
from rules.board.fixtures import open_doors
from rules.board.grid import Field, Ground, Terrain
from rules.contract import events
from rules.contract.actions import Adjustment
from rules.contract.events import Enchanted
from rules.contract.events import Zone as Laid
from rules.contract.text import text
from rules.contract.units import EMPTY, NO_CREATURE, Bitboard, CreatureIx, numbered
from rules.olde.effects import ENDLESS, Affected, Effect, Lasting, Zone, has, shifts, total, words
from rules.olde.gear import Mode
from rules.olde.state import STANDING, Fighter, Figure, Resolution, Setup, Status, status

RULE = "olde.md §7"


class Forbid(Flag):
    """What a condition may forbid."""

    NOTHING = 0
    ATTACK = auto()
    CAST = auto()
    SPEAK = auto()
    MOVE = auto()
    DEFEND = auto()
    HURRY = auto()  # more than one space a round


class Condition(msgspec.Struct, frozen=True):
    """A condition that effects lay on creatures: what it does in figures, what it forbids, its words."""

    name: str
    sentence: str  # what it means, for tooltips and the reference
    rule: str = RULE
    attack: int = 0
    defense: int = 0
    ap: int = 0
    checks: int = 0
    physical: int = 0  # added to checks of Brawn and Finesse only
    harm: int = 0  # HP lost at each reset (olde.md §4 reset phase)
    forbids: Forbid = Forbid.NOTHING
    gained: str = "{who} is {condition}."
    """The sentence of the story when somebody comes to have it; empty where something else tells it."""
    lost: str = "{who} is no longer {condition}."
    badge: bool = True  # whether miniatures and sheets show a badge for it
    ends_when_hurt: bool = False  # whether any damage ends it

    @property
    def source(self) -> str:
        """Where its rule stands, as adjustments name it."""
        return f"{self.rule} {self.name}" if self.rule == RULE else self.rule

    # -- as an effect

    def lasting(self, turns: int = ENDLESS, recover: str = "", rule: str = "", harm: int | None = None) -> Lasting:
        """It, as what stays on a creature for so many resets; `rule`, `harm`: where they are not its own."""
        return Lasting(
            turns=turns, condition=self.name, attack=self.attack, defense=self.defense, ap=self.ap, checks=self.checks,
            recover=recover, physical=self.physical, rule=rule or self.source, harm=self.harm if harm is None else harm,
        )  # fmt: skip

    def effect(
        self, turns: int = ENDLESS, *, by: CreatureIx = NO_CREATURE, rating: int = 0, recover: str = ""
    ) -> Effect:
        """It, laid on by no spell."""
        return Effect(self.name, by, turns, rating, self.lasting(turns, recover))

    def innate(self, adversaries: tuple[CreatureIx, ...]) -> tuple[Effect, ...]:
        """The effects of somebody who comes with it."""
        return (self.effect(),)

    # -- on somebody

    def holds(self, figure: Figure) -> bool:
        """Whether somebody has it."""
        return bool(figure.effects) and has(figure, self.name)

    def refused(self, figure: Figure) -> bool:
        """Whether it does nothing to somebody by other conditions."""
        return False

    def laid(self, resolution: Resolution, who: CreatureIx, effect: Effect) -> None:
        """What follows when an effect has laid it on somebody."""

    def stays(self, fighter: Fighter) -> bool:
        """Whether the end of an effect doesn't end it, as somebody came with it."""
        return False

    def lifted(self, resolution: Resolution, who: CreatureIx) -> None:
        """What follows when the last effect that laid it on somebody has ended."""

    def tell(self, resolution: Resolution, who: CreatureIx, because: str = "", *, gained: bool) -> None:
        """The event that somebody has it now, or has it no longer."""
        name = resolution.fighter(who).id
        resolution.events.append(events.Condition(target=name, condition=self.name, gained=gained, because=because))

    def told(self, *, gained: bool, because: str = "") -> str:
        """The sentence of that event, `{who}` and `{condition}` still to be filled."""
        return self.gained if gained else self.lost


class Flagged(Condition, frozen=True):
    """A condition that a figure keeps in a field of the same name, so that most rules need not look for effects."""

    def holds(self, figure: Figure) -> bool:
        return bool(getattr(figure, self.name))

    def innate(self, adversaries: tuple[CreatureIx, ...]) -> tuple[Effect, ...]:
        return ()

    def laid(self, resolution: Resolution, who: CreatureIx, effect: Effect) -> None:
        resolution.change(who, **{self.name: True})

    def stays(self, fighter: Fighter) -> bool:
        return self.name in fighter.innate

    def lifted(self, resolution: Resolution, who: CreatureIx) -> None:
        resolution.change(who, **{self.name: False})

    def end(self, resolution: Resolution, who: CreatureIx, because: str) -> None:
        """It ends, if somebody has it."""
        if self.holds(resolution.figures[who]):
            self.lifted(resolution, who)
            self.tell(resolution, who, because, gained=False)


class Bleeding(Flagged, frozen=True):
    """Costs hit points until a check, aid or magic stops it."""

    def gain(self, resolution: Resolution, who: CreatureIx, because: str) -> None:
        """Somebody bleeds from now on; nothing if it did before."""
        if not self.holds(resolution.figures[who]):
            resolution.change(who, bleeding=True)
            self.tell(resolution, who, because, gained=True)

    def recovery(self, figure: Figure) -> int:
        """The rating of the check that each reset allows against it, of Brawn or Nerve; 0 for none."""
        return 9 if figure.bleeding else 0


class Rooted(Flagged, frozen=True):
    """Leaves no free steps either."""

    def laid(self, resolution: Resolution, who: CreatureIx, effect: Effect) -> None:
        resolution.change(who, rooted=True, free=0)


class Stunned(Flagged, frozen=True):
    """Its field holds the rating of the check that ends it; who sleeps is as stunned, but that is not it."""

    def holds(self, figure: Figure) -> bool:
        return figure.stunned > 0 and not ASLEEP.holds(figure)

    def lifted(self, resolution: Resolution, who: CreatureIx) -> None:
        resolution.change(who, stunned=0)

    def recovery(self, figure: Figure) -> int:
        return figure.stunned if self.holds(figure) else 0

    def strike(self, resolution: Resolution, who: CreatureIx, rating: int, because: str) -> None:
        """Somebody is stunned until a check of so much succeeds."""
        resolution.change(who, stunned=max(rating, resolution.figures[who].stunned), ap=0, free=0)
        self.tell(resolution, who, because, gained=True)
        resolution.events.append(events.Points(by=resolution.fighter(who).id, now=0, because=self.name))


class Asleep(Condition, frozen=True):
    """As stunned, until something wakes the sleeper; it does nothing to the stunned."""

    def refused(self, figure: Figure) -> bool:
        return figure.stunned > 0 and not self.holds(figure)

    def laid(self, resolution: Resolution, who: CreatureIx, effect: Effect) -> None:
        rating = max(effect.rating, resolution.figures[who].stunned)
        resolution.change(who, stunned=rating, ap=0, free=0)
        resolution.events.append(events.Points(by=resolution.fighter(who).id, now=0, because=self.name))

    def lifted(self, resolution: Resolution, who: CreatureIx) -> None:
        resolution.change(who, stunned=0)

    def at_first(self, who: CreatureIx) -> Effect:
        """The sleep of one asleep when the fight begins; a Savvy check of 12 wakes it, too (olde.md §10 sleepers)."""
        return Effect("sleep", who, ENDLESS, 12, Lasting(ENDLESS, self.name, recover="savvy"))


class Frightened(Condition, frozen=True):
    """Of somebody: who has it attacks nobody whom it fears, and moves only away."""

    def innate(self, adversaries: tuple[CreatureIx, ...]) -> tuple[Effect, ...]:
        """A fright without a cause is of all adversaries; its figures count once."""
        first, *others = adversaries or (NO_CREATURE,)
        more = (Effect(self.name, by, ENDLESS, 0, Lasting(ENDLESS, self.name)) for by in others)
        return (self.effect(by=first), *more)


class Dead(Condition, frozen=True):
    """Beyond saving; where no other cause is named, the injury has told it."""

    def told(self, *, gained: bool, because: str = "") -> str:
        return self.gained if because or not gained else ""


class Summoned(Condition, frozen=True):
    """Called by a spell: when that ends the creature goes back to where it came from."""

    def lifted(self, resolution: Resolution, who: CreatureIx) -> None:
        figure, fighter = resolution.figures[who], resolution.fighter(who)
        if figure.cell >= 0:
            at = resolution.space(figure.cell)
            resolution.events.append(events.Summoned(target=fighter.id, name=fighter.name, gained=False, at=at))
        resolution.change(
            who, cell=-1, hp=-fighter.hp_max, ap=0, free=0, posture=PRONE.name, stunned=0, bleeding=False,
            dying=False, effects=(),
        )  # fmt: skip


class Posture(Condition, frozen=True, kw_only=True):
    """How one holds oneself, other than standing: a figure's `posture`."""

    strikes: int = 0  # added to one's own melee attacks
    shoots: int = 0  # added to one's own ranged attacks
    struck: int = 0  # added to Defense in melee
    shot: int = 0  # added to Defense against shots

    def holds(self, figure: Figure) -> bool:
        return figure.posture == self.name

    def modify_attack(self, mode: Mode) -> tuple[int, str]:
        """(what it adds to an attack of this kind, its word)."""
        return self.shoots if mode.ranged else self.strikes, self.name


class Prone(Posture, frozen=True, kw_only=True):
    """A crossbow is shot better lying, a bow or a sling worse."""

    def modify_attack(self, mode: Mode) -> tuple[int, str]:
        if mode.skill == "Crossbows" and mode.ranged:
            return 2, text("{name}, crossbow", self.name)
        if mode.ranged and mode.skill not in ("Bows", "Sling", "Thrown Weapons"):
            return 0, self.name
        return self.strikes, self.name


# -- the records ------------------------------------------------------------------------------------------

BLEEDING = Bleeding("bleeding", "Loses 1 HP each reset until first aid, magic, or a Brawn or Nerve check of 9.", harm=1)
ROOTED = Rooted("rooted", "No movement and no free steps.", forbids=Forbid.MOVE)
SLOWED = Flagged("slowed", "−3 on the AP die, at least 1.")
_SLOWNESS = 3
"""What it takes off the AP die; however often it is laid on, it counts once."""
BLINDED = Condition("blinded", "−5 to attack and defend.", attack=-5, defense=-5)
DAZED = Condition(
    "dazed", "No attacks and no spells, at most one space a round, −2 to defend.", defense=-2,
    forbids=Forbid.ATTACK | Forbid.CAST | Forbid.HURRY,
)  # fmt: skip
EXHAUSTED = Condition(
    "exhausted", "−3 on the AP die and −2 on every check of Brawn or Finesse, blows and Defense included.", attack=-2,
    defense=-2, ap=-3, physical=-2,
)  # fmt: skip
FATIGUED = Condition("fatigued", "−2 on the AP die, at least 1.", ap=-2)
FRIGHTENED = Frightened(
    "frightened",
    "−2 on all checks, attack and Defense; moves only farther from what is feared, and doesn't attack it.",
    attack=-2, defense=-2, checks=-2,
)  # fmt: skip
POISONED = Condition(
    "poisoned",
    "Loses HP each reset until it wears off, a Brawn or Nerve check shakes it off, or magic cures it.",
    harm=1,
)
RESTRAINED = Condition(
    "restrained", "No movement and no free steps; attackers need only an Easy 6.", forbids=Forbid.MOVE | Forbid.DEFEND
)
SILENCED = Condition("silenced", "No spell or blessing that must be spoken.", forbids=Forbid.SPEAK)
SUBMERGED = Condition(
    "submerged", "Under water: no attacks or spells, d3 HP each reset until a Swim check succeeds; armor is no help.",
    "olde.md §5 water", forbids=Forbid.ATTACK | Forbid.CAST | Forbid.SPEAK, gained="{who} goes under water.",
    lost="{who} comes up for air.",
)  # fmt: skip
ASLEEP = Asleep(
    "asleep", "As stunned; any damage ends it, and so does an ally who guides the sleeper.", "olde.md §9 conditions",
    ends_when_hurt=True,
)  # fmt: skip
STUNNED = Stunned("stunned", "No AP, no movement or action, attackers need only an Easy 6; a check each reset ends it.")
DYING = Flagged("dying", "Loses 1 HP each reset until stabilised or dead.", harm=1)
INCAPACITATED = Condition(
    Status.INCAPACITATED.value, "0 HP or less: prone, no movement or action, attackers need only an Easy 6.", gained="",
    badge=False,
)  # fmt: skip
DEAD = Dead(Status.DEAD.value, "Beyond saving: as many HP below 0 as the maximum.", gained="{who} is dead.")
SUMMONED = Summoned("summoned", "", badge=False)
PRONE = Prone(
    "prone", "−3 to hit and to defend in melee, +3 Defense against shots. Rise before moving.", strikes=-3, struck=-3,
    shot=3,
)  # fmt: skip
KNEELING = Posture("kneeling", "No free steps; Rise before moving.")
SITTING = Posture("sitting", "No free steps; Rise before moving.")
SWIMMING = Posture(
    "swimming", "In deep water: −3 to hit and −6 to shoot, −3 to defend in melee, +3 Defense against shots.",
    "olde.md §5 water", strikes=-3, shoots=-6, struck=-3, shot=3,
)  # fmt: skip
POSTURES: Mapping[str, Posture] = MappingProxyType({each.name: each for each in (SITTING, KNEELING, PRONE, SWIMMING)})
LYING = (SITTING.name, KNEELING.name, PRONE.name)
"""Postures that one takes on dry ground, other than standing."""
FLAGGED = (BLEEDING, ROOTED, SLOWED)
"""What no effect needs to lay on: a figure has a field for it."""
LAID = (BLINDED, DAZED, EXHAUSTED, FATIGUED, FRIGHTENED, POISONED, RESTRAINED, SILENCED, SUBMERGED)
"""What effects lay on whoever comes with it, or steps into a trap."""
_ALL = (*FLAGGED, *LAID, ASLEEP, STUNNED, DYING, INCAPACITATED, DEAD, SUMMONED, *POSTURES.values())
CONDITIONS: Mapping[str, Condition] = MappingProxyType({each.name: each for each in _ALL})
"""All of them by name. Whether somebody is incapacitated or dead, `rules.olde.state.status` says."""

INNATE = tuple(each.name for each in (*FLAGGED, *LAID) if each is not SUBMERGED)
"""What a stat block may say that a creature comes with."""
CASTABLE = (ASLEEP.name, *(name for name in INNATE if name != BLEEDING.name))
"""What a spell may lay on."""
CURABLE = (BLEEDING.name, STUNNED.name, *CASTABLE)
"""What a spell may end."""
SPRUNG: Mapping[str, Condition] = MappingProxyType({each.name: each for each in (*FLAGGED, *LAID)})
"""What a trap may lay on."""


# -- the moments of a fight: one dispatcher ---------------------------------------------------------------

_FORBIDDING: Mapping[Forbid, frozenset[str]] = MappingProxyType(
    {what: frozenset(name for name, each in CONDITIONS.items() if what in each.forbids) for what in Forbid}
)
_NAMED_FIRST = (BLEEDING, DYING, ASLEEP, STUNNED, ROOTED, SLOWED)


def forbidden(figure: Affected, what: Forbid) -> str:
    """The condition laid on somebody that forbids something, or an empty word."""
    forbidding = _FORBIDDING[what]
    for effect in figure.effects:
        if effect.lasting.condition in forbidding:
            return effect.lasting.condition
    return ""


def held_fast(figure: Figure) -> str:
    """The condition that leaves somebody no movement, or an empty word."""
    if figure.rooted:
        return ROOTED.name
    return forbidden(figure, Forbid.MOVE) if figure.effects else ""


def helpless(figure: Figure) -> bool:
    """Whether somebody rolls no Defense: attackers need an Easy 6 (olde.md §6 helpless)."""
    return figure.hp <= 0 or figure.stunned > 0 or (bool(figure.effects) and forbidden(figure, Forbid.DEFEND) != "")


def feared(figure: Affected) -> list[CreatureIx]:
    """Numbers of those whom somebody is frightened of."""
    name = FRIGHTENED.name
    return [effect.by for effect in figure.effects if effect.lasting.condition == name and effect.by >= 0]


def modify_attack(figure: Figure, mode: Mode) -> list[Adjustment]:
    """What posture and effects add to an attack."""
    out = []
    if figure.posture != STANDING:
        posture = POSTURES[figure.posture]
        value, because = posture.modify_attack(mode)
        if value:
            out.append(Adjustment("attack", value, because, posture.source))
    return out + shifts(figure, "attack", "attack") if figure.effects else out


def modify_defense(figure: Figure, ranged: bool) -> list[Adjustment]:
    """What posture and effects add to Defense."""
    out = []
    if figure.posture != STANDING:
        posture = POSTURES[figure.posture]
        value = posture.shot if ranged else posture.struck
        if value:
            out.append(Adjustment("defense", value, posture.name, posture.source))
    return out + shifts(figure, "defense", "defense") if figure.effects else out


def action_points(figure: Figure, thrown: int) -> int:
    """The action points of a turn, of what the die shows: at least 1 (olde.md §4 reset phase)."""
    points = max(1, thrown - (_SLOWNESS if figure.slowed else 0))
    return max(1, points + total(figure, "ap")) if figure.effects else points


def on_reset(figure: Figure) -> list[tuple[int, str]]:
    """Step 1 of the reset: (HP lost, why) for bleeding, then each poison, then dying (olde.md §4 reset phase)."""
    losses = [(BLEEDING.harm, BLEEDING.name)] if figure.bleeding else []
    losses += [(effect.lasting.harm, effect.name) for effect in figure.effects if effect.lasting.harm]
    if figure.dying:
        losses.append((DYING.harm, DYING.name))
    return losses


def dropped(figure: Figure, *, dead: bool) -> dict[str, object]:
    """What changes about somebody who is at 0 HP or below: prone, no AP, dying unless dead."""
    return {
        "ap": 0, "free": 0, "posture": PRONE.name, DYING.name: not dead,
        STUNNED.name: 0 if dead else figure.stunned, BLEEDING.name: figure.bleeding and not dead,
    }  # fmt: skip


def innate(conditions: tuple[str, ...], adversaries: tuple[CreatureIx, ...]) -> tuple[Effect, ...]:
    """The effects that a creature comes with."""
    return tuple(each for name in dict.fromkeys(conditions) for each in CONDITIONS[name].innate(adversaries))


def names(figure: Figure, hp_max: int) -> list[str]:
    """Names of the conditions that hold, in a fixed order; the dead are past being incapacitated."""
    out = [each.name for each in _NAMED_FIRST if each.holds(figure)]
    if status(figure.hp, hp_max) is Status.INCAPACITATED:
        out.append(INCAPACITATED.name)
    for effect in figure.effects:
        condition = effect.lasting.condition
        if condition and condition not in out and condition != SUMMONED.name:
            out.append(condition)
    return out


def terrain_of(setup: Setup, doors: tuple[str, ...], zones: tuple[Zone, ...], cleared: Bitboard = EMPTY) -> Terrain:
    """The ground with these doors and zones, and with some rubble cleared."""
    opened = open_doors(doors)
    blocked = hidden = slow = EMPTY
    for zone in zones:
        does = zone.kind.does
        blocked |= zone.cells if does.blocks else EMPTY
        hidden |= zone.cells if does.hides else EMPTY
        slow |= zone.cells if does.slows else EMPTY
    if not (blocked or slow or cleared):
        return setup.field.terrain(opened)
    key = (blocked, hidden, slow, cleared)
    return setup.field.altered(key, lambda: _changed(setup.field, *key)).terrain(opened)


def _changed(field: Field, blocked: Bitboard, hidden: Bitboard, slow: Bitboard, cleared: Bitboard) -> Field:
    """The field with what has no way, no sight, and what is difficult; rubble that was cleared lies about and is
    difficult (R)."""
    ground = bytearray(field.ground)
    for cell in cells_of(cleared):
        ground[cell] = Ground.DIFFICULT
    for cell in cells_of(slow):
        if ground[cell] == Ground.OPEN:
            ground[cell] = Ground.DIFFICULT
    for cell in cells_of(blocked):
        ground[cell] = Ground.BLOCKED
    return msgspec.structs.replace(field, ground=bytes(ground), opaque=field.opaque & ~cleared | hidden)


def lay_ground(resolution: Resolution) -> None:
    """Take the work's doors and zones into its terrain."""
    resolution.terrain = terrain_of(resolution.setup, resolution.doors, resolution.zones, resolution.cleared)


def immune(resolution: Resolution, who: CreatureIx, condition: str) -> bool:
    """Whether somebody cannot have a condition, by its traits."""
    return condition in resolution.fighter(who).traits.immune


def lay(resolution: Resolution, who: CreatureIx, effect: Effect, *, proof: bool = False) -> None:
    """Lay an effect on somebody; the same spell anew replaces the old one. `proof`: the creature's immunities don't
    count, or have been asked."""
    figure, condition = resolution.figures[who], effect.lasting.condition
    record = CONDITIONS[condition] if condition else None
    if (not proof and immune(resolution, who, condition)) or (record is not None and record.refused(figure)):
        return
    had = record is None or record.holds(figure)
    kept = tuple(e for e in figure.effects if e.name != effect.name)
    resolution.change(who, effects=(*kept, effect))
    name, told = resolution.fighter(who).id, words(effect.lasting)
    resolution.events.append(Enchanted(target=name, name=effect.name, gained=True, turns=effect.turns, text=told))
    if record is not None:
        if not had:
            record.tell(resolution, who, effect.name, gained=True)
        record.laid(resolution, who, effect)


def end(resolution: Resolution, who: CreatureIx, effect: Effect, because: str) -> None:
    """Take an effect off somebody, with what it held."""
    fighter, condition = resolution.fighter(who), effect.lasting.condition
    rest = tuple(e for e in resolution.figures[who].effects if e is not effect)
    figure = resolution.change(who, effects=rest)
    if condition == SUMMONED.name:
        SUMMONED.lifted(resolution, who)
        return
    resolution.events.append(Enchanted(target=fighter.id, name=effect.name, gained=False, because=because))
    if not condition or has(figure, condition) or CONDITIONS[condition].stays(fighter):
        return
    CONDITIONS[condition].lifted(resolution, who)
    CONDITIONS[condition].tell(resolution, who, because, gained=False)


def end_condition(resolution: Resolution, who: CreatureIx, condition: str, because: str) -> None:
    """End every effect that lays this condition on somebody."""
    for effect in resolution.figures[who].effects:
        if effect.lasting.condition == condition:
            end(resolution, who, effect, because)


def wake(resolution: Resolution, who: CreatureIx, because: str) -> None:
    """End sleep, as whoever leads or calls a sleeper does."""
    end_condition(resolution, who, ASLEEP.name, because)


def hurt(resolution: Resolution, who: CreatureIx, because: str) -> None:
    """Damage ends whatever doesn't outlast it."""
    for effect in resolution.figures[who].effects:
        condition = effect.lasting.condition
        if condition and CONDITIONS[condition].ends_when_hurt:
            end(resolution, who, effect, because)


def tick(resolution: Resolution) -> None:
    """Step 2 of the reset: every effect and zone is one reset nearer to its end; those at it end, in order."""
    for who, figure in numbered(resolution.figures):
        if not figure.effects:
            continue
        if figure.hp <= 0 and SUMMONED.holds(figure):
            SUMMONED.lifted(resolution, who)
            continue
        dead = figure.hp <= -resolution.fighter(who).hp_max
        for effect in figure.effects:
            if dead or effect.turns <= 1:
                end(resolution, who, effect, "worn off")
        left = resolution.figures[who].effects
        if any(e.turns < ENDLESS for e in left):
            shorter = (e if e.turns >= ENDLESS else msgspec.structs.replace(e, turns=e.turns - 1) for e in left)
            resolution.change(who, effects=tuple(shorter))
    if resolution.zones:
        kept: list[Zone] = []
        for zone in resolution.zones:
            if zone.turns > 1:
                kept.append(msgspec.structs.replace(zone, turns=zone.turns - 1))
            else:
                spaces = tuple(resolution.space(cell) for cell in cells_of(zone.cells))
                resolution.events.append(Laid(name=zone.name, kind=zone.kind.value, cells=spaces, gained=False))
        resolution.zones = tuple(kept)
        lay_ground(resolution)


def lie_down(resolution: Resolution, who: CreatureIx, posture: str, because: str = "") -> None:
    """Change posture."""
    if resolution.figures[who].posture != posture:
        resolution.change(who, posture=posture)
        resolution.events.append(events.Posture(by=resolution.fighter(who).id, posture=posture, because=because))
