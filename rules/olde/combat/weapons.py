"""What somebody fights with: ways to attack, weapons at hand, the mode that counts, grip, damage (olde.md §4, §6)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import NamedTuple, assert_never

from rules.contract.actions import Adjustment
from rules.contract.text import joined, text
from rules.olde.actions.kind import Context
from rules.olde.challenges.checks import skill_adjustment, stat_rank
from rules.olde.effects import shifts, total
from rules.olde.gear import UNARMED, Mode, Weapon
from rules.olde.state import Fighter, Figure, Setup


def builds_of(setup: Setup) -> tuple[object, ...]:
    """Each creature's build: an object that is the same for all that fight alike, and nothing else. Remembered."""
    found: tuple[object, ...] | None = setup.memo.get("builds")
    if found is None:
        gear = (tuple(setup.armoury.weapons.values()), tuple(setup.armoury.shields.values()))
        keys = (
            (gear, setup.advanced, f.brawn, f.finesse, f.finesse_rank, f.savvy, f.nerve,
             tuple(sorted(f.modified.items())), tuple(sorted(f.skills.items())),
             f.weapons, f.armor, f.armor_short, f.hp_max, f.traits)
            for f in setup.fighters
        )  # fmt: skip
        known = setup.memory.table("builds")
        found = setup.memo["builds"] = tuple(known.setdefault(key, object()) for key in keys)
    return found


_TRAINED_ONLY = "Sling"


class Manner(NamedTuple):
    """A way to attack: what it adds and gives up, and which weapons are for it."""

    do: str  # the word of the action, or of the answer to an attack
    label: str = ""
    ap: int = 2
    attack: int = 0
    damage: int = 0
    exposes: int = 0  # temporary Defense that it gives up
    because: str = ""  # what the itemised list calls it
    shots: bool | None = None  # True: for ranged weapons alone; False: for melee alone

    def adjustment(self, to: str, value: int) -> tuple[Adjustment, ...]:
        """What it adds to the attack or to the damage."""
        return (Adjustment(to, value, self.because, f"olde.md §4 {self.label}"),) if value else ()


PLAIN = Manner("attack", "Attack")
RUSHED = Manner("rushed_attack", "Rushed Attack", 1, attack=-2, exposes=1, because="rushed")
ALL_OUT = Manner("all_out_attack", "All-Out Attack", 3, 2, 4, exposes=3, because="all-out", shots=False)
AIMED = Manner("aimed_shot", "Aimed Shot", 3, 2, 2, exposes=2, because="aimed", shots=True)
MANNERS: Mapping[str, Manner] = {manner.do: manner for manner in (PLAIN, RUSHED, ALL_OUT, AIMED)}
"""Word of an attack action -> how it is made."""


class Armed(NamedTuple):
    """What an attack is made with: a weapon, used in one of its modes."""

    weapon: Weapon
    mode_at: int

    @property
    def mode(self) -> Mode:
        return self.weapon.modes[self.mode_at]


def grip_short(fighter: Fighter, figure: Figure, armed: Armed) -> int:
    """Points of Brawn short of the minimum for the grip used (two hands when the other hand is empty)."""
    weapon, mode_at = armed
    mode = weapon.modes[mode_at]
    if weapon.natural or mode.hands == 0:
        return 0
    minimum = mode.one_hand
    if mode.two_hands >= 0 and len(figure.hands) == 1:
        minimum = mode.two_hands
    return max(0, minimum - fighter.brawn)


def damage_faces(fighter: Fighter, armed: Armed) -> tuple[int, bool, int]:
    """(die rank, halved?, maximum before adjustments). Unarmed blows throw a Brawn die and halve it, rounded up."""
    weapon, mode_at = armed
    mode = weapon.modes[mode_at]
    if weapon.brawn_die:
        brawn = stat_rank(fighter, "brawn")
        return brawn, True, (brawn + 1) // 2
    return mode.damage, False, mode.damage


def damage_adjustments(fighter: Fighter, figure: Figure, armed: Armed) -> tuple[Adjustment, ...]:
    """What is added to a weapon's damage in somebody's hands, whatever the attack."""
    out: tuple[Adjustment, ...] = ()
    if short := grip_short(fighter, figure, armed):
        out += (Adjustment("damage", -short, text("{name} too heavy", armed.weapon.name), "olde.md §6 grip"),)
    out += armed.weapon.adjustments("damage", fighter.brawn)
    return (*out, *shifts(figure, "damage", "damage")) if figure.effects else out


def soak_of(foe: Fighter, victim: Figure) -> int:
    """The damage that armor and spells keep off."""
    return (foe.armor.reduction if foe.armor else 0) + (total(victim, "armor") if victim.effects else 0)


def wielded(context: Context) -> tuple[str, ...]:
    """Weapons that may be used now: in hand first, then natural ones, bare hands last. Remembered."""
    memo, key = context.setup.memo, ("wielded", context.who, context.figure.hands)
    found: tuple[str, ...] | None = memo.get(key)
    if found is None:
        weapons, natural = context.setup.armoury.weapons, context.fighter.weapons
        held = [item for item in context.figure.hands if item in weapons]
        grown = [name for name in natural if weapons[name].natural]
        found = memo[key] = tuple(dict.fromkeys((*held, *grown, UNARMED.name)))
    return found


def mode_for(context: Context, weapon: Weapon, manner: Manner, distance: int) -> int:
    """Number of the mode used at this distance; −1 where none fits.

    Melee goes before throwing; of two skills that one counts which promises more (R)."""
    fit = [i for i in range(len(weapon.modes)) if _unusable(context, weapon, i, manner, distance) is None]
    if len(fit) > 1:
        fit = [i for i in fit if not weapon.modes[i].ranged] or fit
    if len(fit) > 1:
        return max(fit, key=lambda i: _promise(context, Armed(weapon, i)))
    return fit[0] if fit else -1


class _Unusable(Enum):
    """Why a mode of a weapon can't be used."""

    UNFIT = 1
    FAR = 2
    EMPTY = 3
    HANDS = 4


def _unusable(context: Context, weapon: Weapon, at: int, manner: Manner, distance: int) -> _Unusable | None:
    mode = weapon.modes[at]
    if manner.shots is not None and mode.ranged != manner.shots:
        return _Unusable.UNFIT
    if not mode.near <= distance <= mode.far:
        return _Unusable.FAR
    if context.figure.ammunition == 0 and weapon.shoots(mode):
        return _Unusable.EMPTY
    return _Unusable.HANDS if mode.hands == 2 and len(context.figure.hands) > 1 else None


def why_no_mode(context: Context, weapon: Weapon, manner: Manner, distance: int) -> str:
    """Why no mode of a weapon can be used at this distance: what stands against the last of them."""
    found = _unusable(context, weapon, len(weapon.modes) - 1, manner, distance)
    match found:
        case None:
            return "out of reach"
        case _Unusable.UNFIT:
            return text("{label} is for {weapons}", manner.label, "ranged weapons" if manner.shots else "melee")
        case _Unusable.FAR:
            spans = [text("{near} to {far}", m.near, m.far) if m.near != m.far else str(m.far) for m in weapon.modes]
            told, reach = "{distance} spaces away; {name} reaches {spans}", joined(" or ", dict.fromkeys(spans))
            return text(told, distance, weapon.name, reach)
        case _Unusable.EMPTY:
            return text("nothing left to shoot with the {name}", weapon.name)
        case _Unusable.HANDS:
            return text("{name} needs both hands", weapon.name)
        case _:
            assert_never(found)


def _promise(context: Context, armed: Armed) -> tuple[int, int]:
    """How well a mode strikes: two dice of a rank bring about as much, with what is added; then the skill counts."""
    fighter, mode = context.fighter, armed.mode
    rank = fighter.finesse_rank if mode.finesse else stat_rank(fighter, "brawn") - fighter.armor_short
    skill = skill_adjustment(fighter, mode.skill)
    return rank + skill - grip_short(fighter, context.figure, armed), skill


class Usable(NamedTuple):
    """What somebody strikes with in one kind of attack."""

    far: int  # the least distance, in spaces, that is too far for all of it
    weapons: tuple[tuple[str, bytes], ...]  # each weapon with a 1 at every distance at which it can be used


def usable(context: Context, manner: Manner) -> Usable:
    """The weapons that may be used now to attack so: what `mode_for` says, and that some weapons are no use
    to the untrained. Remembered."""
    key = (builds_of(context.setup)[context.who], manner.do, context.figure.hands, context.figure.ammunition == 0)
    known = context.setup.memory.table("usable")
    found: Usable | None = known.get(key)
    if found is None:
        weapons = tuple(
            (name, distances)
            for name in wielded(context)
            if any(distances := _distances(context, context.setup.armoury.weapons[name], manner))
        )
        far = max((len(distances) for _, distances in weapons), default=0)
        found = known[key] = Usable(far, weapons)
    return found


def _distances(context: Context, weapon: Weapon, manner: Manner) -> bytes:
    modes = (mode_for(context, weapon, manner, far) for far in range(max(mode.far for mode in weapon.modes) + 1))
    return bytes(at >= 0 and trained(context, weapon, at) for at in modes)


def trained(context: Context, weapon: Weapon, mode: int) -> bool:
    """Whether somebody may use a mode of a weapon at all: some are no use to the untrained."""
    skill = weapon.modes[mode].skill
    return skill != _TRAINED_ONLY or skill in context.fighter.skills
