"""What powers do, to creatures and to the ground: each kind of effect has one home (cairn.md §5.5, §5.6)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from fractions import Fraction
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from rules.cairn.combat.attack import Chances, felled, highest, ladder
from rules.cairn.combat.injury import armor_of, natured, off_guard, stabilise, wound
from rules.cairn.conditions import AVERTED, BOONS, CALLED, CURED, SHIELDED, SNUFFED, TETHERED, Forbid, condition_named
from rules.cairn.gear import Effect, Power, Weapon
from rules.cairn.magic import ground
from rules.cairn.movement import caught, heading, push
from rules.cairn.state import (
    TETHER,
    Being,
    CairnState,
    Does,
    Figure,
    GroundKind,
    Lasting,
    Lying,
    Resolution,
    Zone,
    gap,
    light_of,
    shown_hp,
    standing_on,
)
from rules.cairn.visibility import door_state
from rules.contract.actions import Action
from rules.contract.events import Healing, Moved, Roll, Summoned
from rules.contract.text import text
from rules.contract.units import EMPTY, Bitboard, Cell, CreatureIx, numbered
from rules.core.base_ruleset import told_apart

THROWN_BACK = 3
"""Faces of a d6 up to which a shell throws magic back (cairn.md §5.6, Warrior Snail)."""


class Working(NamedTuple):
    """One effect of a power at work."""

    resolution: Resolution
    who: CreatureIx  # whose power it is
    power: Power
    effect: Effect
    goal: Cell  # the space aimed at
    cells: Bitboard  # all that it takes in

    def note(self, said: str, about: CreatureIx | None = None, rolls: tuple[Roll, ...] = ()) -> None:
        """What there is to say of it, of the caster or of somebody else."""
        self.resolution.note(self.who if about is None else about, said, rolls)

    def lay(self, kind: GroundKind, cells: Bitboard, item: str = "") -> None:
        """The ground changes for as long as the effect says."""
        maker = self.resolution.being(self.who).id
        zone = Zone(kind, cells, self.effect.rounds, maker, self.goal, item=item)
        ground.lay(self.resolution, zone)
        caught(self.resolution, zone)

    def throw(self, dice: tuple[int, ...]) -> tuple[int, tuple[Roll, ...]]:
        """What its dice come to: the highest counts."""
        rolls = tuple(self.resolution.throw(self.power.name, 1, die, by=self.who) for die in dice)
        return self.effect.amounting(max((r.total for r in rolls), default=0)), rolls


class Share(NamedTuple):
    """What an effect may do to one creature once it takes hold: the chance of each damage, of being felled by it, and
    the mean of what mends."""

    damages: Chances | None = None
    drop: Fraction = Fraction(0)
    healing: Fraction = Fraction(0)


class Wants(Enum):
    """What the space must be that is aimed at."""

    FLOOR = auto()
    ROOM = auto()  # floor on which nobody stands
    WALL = auto()


class EffectKind:
    """The home of one kind of effect; what a power's effect says besides is in its `Effect`."""

    wants = Wants.FLOOR
    moves = False  # it puts somebody on another space
    harms = False  # only a foe would do it to somebody

    def harmful(self, effect: Effect) -> bool:
        """Whether only a foe would do this very thing to somebody."""
        return self.harms


class Bodily(EffectKind, ABC):
    """What is done to each creature that a power takes in."""

    @abstractmethod
    def befall(self, at: Working, victim: CreatureIx) -> None:
        """It happens to somebody."""

    def share(self, state: CairnState, power: Power, effect: Effect, victim: CreatureIx) -> Share:
        """What it may do to somebody, exactly."""
        return Share()


class OnGround(EffectKind, ABC):
    """What is done to the ground, doors, or nobody in particular."""

    @abstractmethod
    def work(self, at: Working) -> None:
        """It happens."""


class Damage(Bodily):
    """Harm, to Hit Protection or straight to an attribute."""

    harms = True

    def befall(self, at: Working, victim: CreatureIx) -> None:
        resolution, effect, because = at.resolution, at.effect, at.power.name
        being, figure = resolution.being(victim), resolution.figures[victim]
        amount, rolls = at.throw(natured(being, at.power.kinds, effect.dice))
        amount *= self._times(effect, resolution, victim)
        if effect.to == "hp":
            harm = max(0, amount - armor_of(resolution.setup, being, figure))
            wound(resolution, victim, harm, because, by=at.who, direct=off_guard(resolution, victim), rolls=rolls)
        elif effect.to == "str":
            wound(resolution, victim, amount, because, by=at.who, direct=True, rolls=rolls)
        else:
            left = max(0, figure.score(effect.to) - amount)
            resolution.change(victim, **{f"{effect.to}_now": left})
            name = f"−{amount} {effect.to.upper()}"
            resolution.tell_of(victim, condition_named(name), because=because, rolls=rolls)

    def share(self, state: CairnState, power: Power, effect: Effect, victim: CreatureIx) -> Share:
        if effect.to not in ("hp", "str"):
            return Share()
        being, figure = state.setup.beings[victim], state.figures[victim]
        dice = natured(being, power.kinds, effect.dice)
        faces: Chances = highest(dice) if dice else {0: Fraction(1)}
        direct = effect.to == "str" or off_guard(state, victim)
        armor = 0 if effect.to == "str" else armor_of(state.setup, being, figure)
        counted = 0 if direct else shown_hp(state.setup, being, figure)
        times = self._times(effect, state, victim)
        damages: Chances = {}
        drop = Fraction(0)
        for face, chance in faces.items():
            damage = max(0, effect.amounting(face) * times - armor)
            damages[damage] = damages.get(damage, Fraction(0)) + chance
            drop += chance * felled(ladder(being, figure, counted, damage, mercy=state.setup.mercy))
        return Share(damages, drop)

    @staticmethod
    def _times(effect: Effect, state: CairnState | Resolution, victim: CreatureIx) -> int:
        """Twice as much to who wears or holds metal armour, where it says so."""
        table = state.setup.armoury.armor
        items = (*state.setup.beings[victim].wear, *state.figures[victim].hands)
        return 2 if effect.metal and any(table[item].metal for item in items if item in table) else 1


class Heal(Bodily):
    """Hit Protection or an attribute comes back; STR that does stops the hour's clock, too."""

    def befall(self, at: Working, victim: CreatureIx) -> None:
        resolution, effect, figure = at.resolution, at.effect, at.resolution.figures[victim]
        if effect.to == "str":
            stabilise(resolution, victim, at.power.name)
        if figure.cannot(Forbid.MEND):
            at.note("deprived: nothing mends", victim)
            return
        amount, rolls = at.throw(effect.dice)
        name, now = resolution.being(victim).id, figure.score(effect.to)
        gained = min(amount, getattr(figure, f"{effect.to}_max") - now)
        if gained > 0:
            now, because = now + gained, at.power.name
            resolution.change(victim, **{"hp" if effect.to == "hp" else f"{effect.to}_now": now})
            healed = Healing(target=name, amount=gained, now=now, what=effect.to, because=because, rolls=rolls)
            resolution.events.append(healed)
        elif rolls:
            at.note(text("{power} finds nothing to mend", at.power.name), victim, rolls)
        if at.power.once:
            resolution.afflict(victim, CURED)

    def share(self, state: CairnState, power: Power, effect: Effect, victim: CreatureIx) -> Share:
        figure = state.figures[victim]
        if figure.cannot(Forbid.MEND):
            return Share()
        missing = getattr(figure, f"{effect.to}_max") - figure.score(effect.to)
        faces: Chances = highest(effect.dice) if effect.dice else {0: Fraction(1)}
        mended = (chance * min(effect.amounting(face), missing) for face, chance in faces.items())
        return Share(healing=sum(mended, Fraction(0)))


class Afflict(Bodily):
    """A condition begins."""

    def harmful(self, effect: Effect) -> bool:
        return effect.name not in BOONS

    def befall(self, at: Working, victim: CreatureIx) -> None:
        resolution, effect, power = at.resolution, at.effect, at.power
        maker = resolution.being(at.who).id
        if power.onto == "creature":  # what it is about is somebody else
            meant = ground.standing_at(resolution, at.goal)
            if meant is None or meant == victim:
                return
            maker = resolution.being(meant).id
            if effect.name == TETHERED.name:  # each is bound to the other
                for who, by in ((victim, meant), (meant, victim)) if gap(resolution, victim, meant) <= TETHER else ():
                    resolution.afflict(who, TETHERED, effect.rounds, power.name, by=resolution.being(by).id)
                return
        elif power.onto == "item":
            maker = next((lying.item for lying in resolution.floor if lying.cell == at.goal), "")
            if not maker:
                return
        condition, save = condition_named(effect.name), power.save if effect.ends_on_save else ""
        resolution.afflict(victim, condition, effect.rounds, power.name, save=save, by=maker, then=effect.then)


class Cure(Bodily):
    """A condition ends."""

    def befall(self, at: Working, victim: CreatureIx) -> None:
        at.resolution.relieve(victim, condition_named(at.effect.name), at.power.name)


@dataclass(frozen=True)
class Push(Bodily):
    """Away from the caster, or two from each other; or towards the caster."""

    towards: bool = False
    harms = True

    def befall(self, at: Working, victim: CreatureIx) -> None:
        resolution, spaces = at.resolution, at.effect.spaces
        if at.power.onto != "creature":
            push(resolution, victim, at.who, spaces, towards=self.towards)
            return
        other = ground.standing_at(resolution, at.goal)
        if other is None or other == victim or gap(resolution, victim, other) > spaces:
            at.note(text("{power}: nothing near enough to part", at.power.name))
            return
        push(resolution, victim, other, spaces)
        if other != at.who and resolution.figures[other].present:
            push(resolution, other, victim, spaces)


class Swap(Bodily):
    """The target changes places with who stands where the caster points: an unwilling foe saves for itself."""

    def befall(self, at: Working, victim: CreatureIx) -> None:
        resolution, power = at.resolution, at.power
        other = ground.standing_at(resolution, at.goal)
        if other is None or other == victim or resolution.being(other).space != resolution.being(victim).space:
            at.note(text("{power}: nobody to change places with", power.name))
            return
        foreign = resolution.being(other).side != resolution.being(at.who).side
        if foreign and not resolution.figures[other].helpless:
            if power.save and resolution.save(other, power.save, text("against {power}", power.name)):
                return
        mine, theirs = resolution.figures[other].cell, resolution.figures[victim].cell
        for moved, start, there in ((other, mine, theirs), (victim, theirs, mine)):
            resolution.change(moved, cell=there)
            name, way = resolution.being(moved).id, (resolution.space(there),)
            resolution.events.append(Moved(by=name, mode="swapped", start=resolution.space(start), path=way))


class Teleport(Bodily):
    """To the space that the caster chose, or next to it where somebody has come to stand there; or to where a die
    says (cairn.md §5.6, Crypt Guardian)."""

    moves = True

    def befall(self, at: Working, victim: CreatureIx) -> None:
        resolution, rolls = at.resolution, tuple[Roll, ...]()
        field, figure, goal = resolution.setup.field, resolution.figures[victim], at.goal
        if at.effect.name == "random":  # one of eight parts of the map, as near as may be to its middle
            thrown = resolution.throw(text("{power}: where to", at.power.name), 1, len(PARTS), by=victim)
            across, down = PARTS[thrown.total - 1]
            goal, rolls = field.cell(field.width * across // 8, field.height * down // 4), (thrown,)
        best = ground.free_near(resolution, goal, victim)
        if best is None or best == figure.cell:
            if rolls:
                at.note(text("{power}: stays in place", at.power.name), victim, rolls)
            return
        resolution.change(victim, cell=best)
        name, start, there = resolution.being(victim).id, resolution.space(figure.cell), resolution.space(best)
        resolution.events.append(Moved(by=name, mode="teleported", start=start, path=(there,), rolls=rolls))


PARTS = ((1, 1), (3, 1), (5, 1), (7, 1), (1, 3), (3, 3), (5, 3), (7, 3))
"""Eighths of the map's width and quarters of its height: the middles of its eight parts."""


class Disarm(Bodily):
    """What the victim holds flies to the caster."""

    harms = True

    def befall(self, at: Working, victim: CreatureIx) -> None:
        resolution, held = at.resolution, at.resolution.figures[victim].hands
        if not held:
            at.note("empty hands", victim)
            return
        ground.drop_item(resolution, victim, held[0], "dropped")
        last = max(i for i, lying in enumerate(resolution.floor) if lying.item == held[0])
        ground.take_up(resolution, at.who, last)


class Fetch(Bodily):
    """A thing from the floor flies to the caster."""

    def befall(self, at: Working, victim: CreatureIx) -> None:
        for number, lying in enumerate(at.resolution.floor):
            if lying.cell == at.goal:
                ground.take_up(at.resolution, at.who, number)
                return
        at.note(text("{power}: nothing lies there any more", at.power.name))


@dataclass(frozen=True)
class Lay(OnGround):
    """Ground changed for a while: of a kind, or of one that the effect names; on the floor alone, or all over."""

    kind: GroundKind
    named: Mapping[str, GroundKind] | None = None
    everywhere: bool = False

    def work(self, at: Working) -> None:
        resolution, cells, kind = at.resolution, at.cells, (self.named or {}).get(at.effect.name, self.kind)
        if Does.WALL in kind.does:  # it grows round whoever stands in the way
            for i in standing_on(resolution, cells):
                cells &= ~resolution.terrain.footprint(resolution.figures[i].cell, resolution.being(i).space)
        if not self.everywhere:
            cells &= ~resolution.terrain.blocked | resolution.terrain.pits
        if cells:
            at.lay(kind, cells)


_FLOORS = {kind.value: kind for kind in (GroundKind.ADHERE, GroundKind.CALTROPS, GroundKind.TRAP,
           GroundKind.STEEL_TRAP, GroundKind.WIRE)} | {"ice": GroundKind.ICE_FLOOR}  # fmt: skip
"""What an effect may name that does something to who enters."""


class Bar(OnGround):
    """It stays where it is put, and nobody gets past it; it is taken up like any other thing on the floor."""

    wants = Wants.ROOM

    def work(self, at: Working) -> None:
        resolution, figure = at.resolution, at.resolution.figures[at.who]
        item = next((name for name in figure.carried if self._bars(resolution, name)), None)
        if item is None or standing_on(resolution, at.cells):
            at.note("there is no room for it")
            return
        ground.drop_item(resolution, at.who, item, "dropped")
        resolution.floor = (*resolution.floor[:-1], Lying(item, at.goal))
        at.lay(GroundKind.BAR, at.cells, item)

    def _bars(self, resolution: Resolution, item: str) -> bool:
        """Whether an item is what bars the way where it is let go."""
        gear = resolution.setup.armoury.gear.get(item)
        power = resolution.setup.armoury.powers.get(gear.power) if gear is not None else None
        return power is not None and any(EFFECT_KINDS[effect.kind] is self for effect in power.effects)


class Clear(OnGround):
    """Brush in the way is cut down."""

    def work(self, at: Working) -> None:
        for zone in [each for each in at.resolution.zones if each.kind == GroundKind.THICKET and each.cells & at.cells]:
            ground.end_zone(at.resolution, zone)
            if zone.cells & ~at.cells:
                ground.lay(at.resolution, msgspec.structs.replace(zone, cells=zone.cells & ~at.cells))


class Snuff(OnGround):
    """Ordinary lights go out, those of the map and those that are carried."""

    def work(self, at: Working) -> None:
        resolution = at.resolution
        at.lay(GroundKind.SNUFF, at.cells)
        for i in standing_on(resolution, at.cells):
            if light_of(resolution.setup, resolution.being(i), resolution.figures[i]):
                resolution.afflict(i, SNUFFED, because="snuffed out")


class Passage(OnGround):
    """A gap from the wall aimed at, straight on from the caster, as deep as the power goes."""

    wants = Wants.WALL

    def work(self, at: Working) -> None:
        resolution, field = at.resolution, at.resolution.setup.field
        dx, dy = heading(field, at.goal, 1, resolution.figures[at.who].cell, resolution.being(at.who).space)
        opened, cell = EMPTY, at.goal
        for _ in range(max(1, at.effect.spaces)):
            if ground.outermost(field, cell) or not ground.walled(resolution.setup, resolution.zones, cell):
                break
            opened |= 1 << cell
            cell += dx + dy * field.width
        if opened:
            at.lay(GroundKind.GAP, opened)


class Knock(OnGround):
    """A door opens, whatever holds it shut."""

    def work(self, at: Working) -> None:
        resolution, being = at.resolution, at.resolution.being(at.who)
        for number, door in enumerate(resolution.setup.field.doors):
            shut = door_state(resolution, being.side, number) not in ("open", "secret")
            if door.cell == at.goal and shut:
                ground.set_door(resolution, at.who, number, "open")


class Summon(OnGround):
    """A creature comes: where somebody has come to stand meanwhile, on the nearest free space. It plans from its side's
    next half on. Its id is the caster's with a number, `solena.1`: whoever plays the caster plays it."""

    wants = Wants.ROOM

    def work(self, at: Working) -> None:
        resolution, model, rounds = at.resolution, at.effect.creature, at.effect.rounds
        cell = ground.free_near(resolution, at.goal)
        if cell is None or model is None:
            return
        owner, beings = resolution.being(at.who), resolution.setup.beings
        number = 1 + sum(1 for being in beings if being.id.startswith(f"{owner.id}."))
        while f"{owner.id}.{number}" in resolution.setup.index:
            number += 1
        tags = frozenset(model.tags)
        attack = Weapon(model.attack, model.dice, hands=0, slots=0, blast=model.blast, tags=tags, natural=True)
        being = Being(
            id=f"{owner.id}.{number}", name=told_apart([*(each.name for each in beings), model.name])[-1],
            side=owner.side, kind="Called", called=True, controller=owner.controller, art=model.art,
            temperament="brute", speed=model.speed, attacks=(attack,), armor=model.armor, alert="ready",
            mindless=True, steadfast=True, detachment=model.detachment, immune=frozenset(model.immune),
            bloodless=model.bloodless,
        )  # fmt: skip
        resolution.setup = resolution.setup.with_beings((*beings, being))
        resolution.figures.append(Figure(
            cell=cell, hp=model.hp, hp_max=model.hp, str_now=model.strength, dex_now=model.dexterity,
            wil_now=model.willpower, str_max=model.strength, dex_max=model.dexterity, wil_max=model.willpower,
            lasting=(Lasting(CALLED.name, rounds + 1 if rounds else 0, by=owner.id),),
        ))  # fmt: skip
        resolution.plans.append(None)
        there = resolution.space(cell)
        resolution.events.append(Summoned(target=being.id, name=being.name, gained=True, at=there, by=owner.id))


DAMAGE, HEAL, AFFLICT, TELEPORT, SUMMON = Damage(), Heal(), Afflict(), Teleport(), Summon()
EFFECT_KINDS: Mapping[str, EffectKind] = MappingProxyType({
    "damage": DAMAGE, "heal": HEAL, "condition": AFFLICT, "cure": Cure(), "push": Push(),
    "pull": Push(towards=True), "swap": Swap(), "teleport": TELEPORT, "disarm": Disarm(), "fetch": Fetch(),
    "wall": Lay(GroundKind.ICE, named={"fire": GroundKind.FIRE}),
    "slick": Lay(GroundKind.SLICK, named=_FLOORS),
    "fog": Lay(GroundKind.FOG), "thicket": Lay(GroundKind.THICKET),
    "pit": Lay(GroundKind.PIT), "ward": Lay(GroundKind.WARD), "illusion": Lay(GroundKind.ILLUSION),
    "light": Lay(GroundKind.LIGHT, everywhere=True), "dark": Lay(GroundKind.DARK, everywhere=True),
    "damper": Lay(GroundKind.DAMPER, everywhere=True), "bar": Bar(), "clear": Clear(), "snuff": Snuff(),
    "passage": Passage(), "knock": Knock(), "summon": SUMMON,
})  # fmt: skip
"""Every kind of effect by the word that powers.toml has for it (`Effect.kind`)."""


def conditions_of(power: Power) -> list[str]:
    """The names of the conditions that a power brings."""
    return [effect.name for effect in power.effects if EFFECT_KINDS[effect.kind] is AFFLICT]


def does_harm(power: Power) -> bool:
    """Whether a power does to somebody what only a foe would do."""
    return power.needs != "ally" and any(EFFECT_KINDS[effect.kind].harmful(effect) for effect in power.effects)


def aim(resolution: Resolution, who: CreatureIx, action: Action) -> Cell:
    """The space that is aimed at: a creature's, a door's, the one named, or one's own."""
    target = resolution.setup.index.get(action.target or "")
    if target is not None and resolution.figures[target].cell >= 0:
        return resolution.figures[target].cell
    if action.at is not None:
        return action.at
    door = next((d for d in resolution.setup.field.doors if d.id == action.target), None)
    return door.cell if door is not None else resolution.figures[who].cell


def affect(resolution: Resolution, who: CreatureIx, power: Power, action: Action) -> None:
    """All that a power does: first to the ground, then to each creature that it takes in, in the record's order."""
    figure, being = resolution.figures[who], resolution.being(who)
    target = resolution.setup.index.get(action.target or "")
    goal = aim(resolution, who, action)
    if power.onto and action.at is not None:
        goal = action.at
    cells = ground.area_cells(resolution.terrain, power, figure.cell, being.space, goal)
    victims = taken_in(resolution, who, power, cells)
    if power.area == "one":
        victims = [who] if power.needs == "none" else [target] if target is not None else victims
    half = dampened(resolution, power, who)
    bodily = []
    for effect in power.effects:
        kind = EFFECT_KINDS[effect.kind]
        if isinstance(kind, OnGround):
            kind.work(Working(resolution, who, power, effect.dampened() if half else effect, goal, cells))
        elif isinstance(kind, Bodily):
            bodily.append((kind, Working(resolution, who, power, effect, goal, cells)))
    if bodily:
        for victim in victims:
            _upon(victim, bodily)


def taken_in(state: CairnState | Resolution, who: CreatureIx, power: Power, cells: Bitboard) -> list[CreatureIx]:
    """Whom a power with an area takes in, numbers in the record's order."""
    beings, side = state.setup.beings, state.setup.beings[who].side
    return [
        i
        for i, figure in numbered(state.figures)
        if (i != who or power.self_too)
        and figure.present
        and (i == who or not (power.foes_only and beings[i].side == side))
        and (i == who or state.terrain.footprint(figure.cell, beings[i].space) & cells)
    ]


def _upon(victim: CreatureIx, effects: list[tuple[Bodily, Working]]) -> None:
    """What a power does to one creature that it takes in: its nature, its shell and its save may keep it off."""
    resolution, who, power = effects[0][1][:3]
    being, caster, figure = resolution.being(victim), resolution.being(who), resolution.figures[victim]
    note = effects[0][1].note
    if not figure.present:
        return None
    if untouched(being, figure, power):
        return note(text("{power} does not touch {victim}", power.name, being.creature))
    if ground.HEARD in power.tags and figure.cannot(Forbid.HEAR):
        return note(text("{name} hears nothing", being.creature))
    if ground.GAZE in power.tags and figure.has(AVERTED):
        return note(text("{name} looks away", being.creature))
    magical = being.side != caster.side and ground.MAGIC in power.tags
    work = text("work {power} on {victim}", power.name, being.creature)
    if magical and being.resists and not resolution.save(who, "wil", work):
        return None
    if magical and being.reflects and power.needs == "creature":
        shell = resolution.throw("the shell", 1, 6, by=victim)
        back = shell.total <= THROWN_BACK
        told = text("{power} comes back", power.name) if back else text("{power} gets through the shell", power.name)
        note(told, victim, (shell,))
        if back:
            return _upon(who, [(kind, at._replace(who=victim)) for kind, at in effects])
    if power.save and unwilling(being, caster, power) and not figure.helpless:
        if resolution.save(victim, power.save, text("against {power}", power.name)):
            return None
    half = dampened(resolution, power, who, victim)
    for kind, at in effects:
        if resolution.figures[victim].present:
            kind.befall(at._replace(effect=at.effect.dampened()) if half else at, victim)
    return None


def unwilling(being: Being, caster: Being, power: Power) -> bool:
    """Whether somebody wards a power off as well as it can."""
    return being.side != caster.side or power.needs == "creature" or power.area != "one"


def dampened(state: CairnState | Resolution, power: Power, *who: CreatureIx) -> bool:
    """Whether magic is worked where it is dampened, or on somebody who stands there (cairn.md §5.5)."""
    cells = ground.cells_that(state.zones, Does.DAMPEN) if state.zones and ground.MAGIC in power.tags else 0
    beings, figures = state.setup.beings, state.figures
    return any(state.terrain.footprint(figures[i].cell, beings[i].space) & cells for i in who) if cells else False


def untouched(being: Being, figure: Figure, power: Power) -> bool:
    """Whether a power does nothing at all to somebody: by nature, or shielded from what is no magic."""
    if being.immune & power.kinds or power.name in being.immune:
        return True
    return does_harm(power) and "mundane" in power.kinds and figure.has(SHIELDED)


def dismiss(resolution: Resolution) -> None:
    """Those whose stay is over are gone: the hidden condition ran out at the end of the round."""
    for who, figure in numbered(resolution.figures):
        being = resolution.being(who)
        if being.called and figure.present and not figure.has(CALLED):
            resolution.change(who, fled=True, cell=-1)
            resolution.events.append(Summoned(target=being.id, name=being.name, gained=False))
