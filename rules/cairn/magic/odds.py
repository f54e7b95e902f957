"""Exact odds of powers: the caster's save, each victim's own, then the dice (cairn.md §2.10, §5.5)."""

from __future__ import annotations

from fractions import Fraction

from rules.cairn.actions.manoeuvres import save_chance
from rules.cairn.actions.plans import Context
from rules.cairn.combat.chances import Chances, highest, ladder
from rules.cairn.combat.injury import armor_of, off_guard
from rules.cairn.conditions import AVERTED, Forbid
from rules.cairn.gear import SPELLS
from rules.cairn.magic.casting import in_danger
from rules.cairn.magic.deeds import HEARD, area_cells, source
from rules.cairn.magic.effects import THROWN_BACK, dampened, harm_dice, untouched
from rules.cairn.magic.powers import Effect, Power
from rules.cairn.saves import WORDS
from rules.cairn.state import CairnState, helpless, present, shown_hp
from rules.contract.actions import Action
from rules.contract.ruleset import Odds, Share


def odds_of_power(state: CairnState, who: int, action: Action) -> Odds | None:
    """The figures of a `cast` or `use` before a die is thrown; None where nothing is held of that name."""
    context = Context(state, who)
    found = source(context, action.item)
    if found is None:
        return None
    power, item = found
    works = Fraction(1)
    book = item is not None and item.kind == "book"
    danger = item is not None and item.kind in SPELLS and in_danger(state.setup, context.figure)
    if danger:
        works = save_chance(context.figure.wil_now)
    shares = tuple(_share(state, context, power, victim, works) for victim in taken_in(context, power, action))
    foes = [s for s in shares if state.setup.beings[state.setup.index[s.id]].side != context.being.side]
    single = shares[0] if len(shares) == 1 else None
    hit = single.hit if single is not None else float(works)
    return Odds(
        hit=hit,
        outcomes=(("takes_hold", hit), ("fails", 1.0 - hit)),
        damage=single.damage if single is not None else (),
        mean=sum(share.mean for share in foes),
        drop=sum(share.drop for share in foes),
        attack_dice=f"WIL save {context.figure.wil_now}" if danger else "no check",
        defense_dice=f"{WORDS[power.save]} save of each" if power.save else "no save",
        notes=_notes(power, book, danger),
        healing=sum(share.healing for share in shares),
        targets=shares,
    )


def taken_in(context: Context, power: Power, action: Action) -> list[int]:
    """Whom a power would reach, numbers in the record's order."""
    state, target = context.state, context.setup.index.get(action.target or "")
    if power.area == "one":
        if power.needs == "none":
            return [context.who]
        return [] if target is None else [target]
    goal = action.at if action.at is not None else context.place
    if target is not None and state.figures[target].cell >= 0:
        goal = state.figures[target].cell
    cells = area_cells(state.terrain, power, context.place, context.being.space, goal)
    return [
        i
        for i, figure in enumerate(state.figures)
        if (i != context.who or power.self_too)
        and present(figure)
        and not (power.foes_only and state.setup.beings[i].side == context.being.side)
        and (i == context.who or state.terrain.footprint(figure.cell, state.setup.beings[i].space) & cells)
    ]


def _holds(state: CairnState, context: Context, power: Power, victim: int) -> Fraction:
    """Chance that it takes hold of a victim once the power works."""
    being, figure = state.setup.beings[victim], state.figures[victim]
    if untouched(being, figure, power):
        return Fraction(0)
    if HEARD in power.tags and figure.cannot(Forbid.HEAR):
        return Fraction(0)
    if "gaze" in power.tags and figure.has(AVERTED):
        return Fraction(0)
    foreign = being.side != context.being.side
    chance = Fraction(1)
    if being.resists and foreign and "magic" in power.tags:
        chance *= save_chance(context.figure.wil_now)
    if being.reflects and foreign and "magic" in power.tags and power.needs == "creature":
        chance *= Fraction(6 - THROWN_BACK, 6)
    unwilling = foreign or power.needs == "creature" or power.area != "one"
    if power.save and unwilling and not helpless(figure):
        chance *= 1 - save_chance(getattr(figure, f"{power.save}_now"))
    return chance


def _share(state: CairnState, context: Context, power: Power, victim: int, works: Fraction) -> Share:
    being = state.setup.beings[victim]
    holds = works * _holds(state, context, power, victim)
    damages: Chances = {0: Fraction(1)}
    drop = healing = Fraction(0)
    half = dampened(state, power, context.who, victim)
    for each in power.effects:
        effect = each.dampened() if half else each
        if effect.kind == "damage" and effect.to in ("hp", "str"):
            damages, drop = _harm(state, power, effect, victim)
        elif effect.kind == "heal":
            healing += _healed(state, effect, victim)
    spread = {value: holds * chance for value, chance in damages.items()}
    spread[0] = spread.get(0, Fraction(0)) + 1 - holds
    return Share(
        id=being.id,
        hit=float(holds),
        mean=float(sum(value * chance for value, chance in spread.items())),
        drop=float(holds * drop),
        healing=float(holds * healing),
        damage=tuple((value, float(spread[value])) for value in sorted(spread)),
    )


def _harm(state: CairnState, power: Power, effect: Effect, victim: int) -> tuple[Chances, Fraction]:
    """(chance of each damage, chance to drop the victim) once it takes hold."""
    being, figure = state.setup.beings[victim], state.figures[victim]
    dice = harm_dice(being, power, effect)
    faces: Chances = highest(dice) if dice else {0: Fraction(1)}
    direct = effect.to == "str" or off_guard(state, victim)
    armor = 0 if effect.to == "str" else armor_of(state.setup, being, figure)
    times = 2 if effect.metal and _in_metal(state, victim) else 1
    damages: Chances = {}
    drop = Fraction(0)
    for face, chance in faces.items():
        damage = max(0, _thrown(effect, face) * times - armor)
        damages[damage] = damages.get(damage, Fraction(0)) + chance
        counted = shown_hp(state.setup, being, figure)
        words = ladder(being, figure, counted, damage, direct, state.setup.mercy)
        drop += chance * (words.get("killed", Fraction(0)) + words.get("critical", Fraction(0)))
    return damages, drop


def _in_metal(state: CairnState, victim: int) -> bool:
    table = state.setup.armoury.armor
    items = (*state.setup.beings[victim].wear, *state.figures[victim].hands)
    return any(table[item].metal for item in items if item in table)


def _healed(state: CairnState, effect: Effect, victim: int) -> Fraction:
    figure = state.figures[victim]
    if figure.cannot(Forbid.MEND):
        return Fraction(0)
    field = "hp" if effect.to == "hp" else f"{effect.to}_now"
    missing = getattr(figure, f"{effect.to}_max") - getattr(figure, field)
    faces = highest(effect.dice) if effect.dice else {0: Fraction(1)}
    return sum((chance * min(_thrown(effect, face), missing) for face, chance in faces.items()), Fraction(0))


def _thrown(effect: Effect, face: int) -> int:
    """What an effect comes to by the highest face of its dice."""
    amount = face + effect.amount
    return (amount + 1) // 2 if effect.halved else amount


def _notes(power: Power, book: bool, danger: bool) -> tuple[tuple[str, str], ...]:
    notes = [(power.text, "cairn.md §5.5")]
    if book:
        notes.append(("1 Fatigue; it takes a slot until a night's rest", "cairn.md §2.10"))
    if danger and book:
        notes.append(("failed: it fizzles, 1 Fatigue more; a 20 costs the book and d6 STR", "cairn.md §2.10"))
    elif danger:
        notes.append(("failed: it fizzles and costs 1 Fatigue; a 20 costs d6 STR besides", "cairn.md §2.10"))
    return tuple(notes)
