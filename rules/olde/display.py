"""The board, the sheets and the summary that windows and `battlemat replay --state` show."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rules.board.bitboard import board_of, cells_of
from rules.board.fixtures import OBSTACLES
from rules.contract.display import (
    NOBODY,
    Badge,
    Bar,
    Board,
    FloorItem,
    GroundMark,
    Line,
    Miniature,
    Planned,
    Sheet,
    Turn,
)
from rules.contract.text import joined, ntext, text, titled
from rules.contract.units import CreatureIx, numbered
from rules.core.dice import signed
from rules.core.fixtures.challenges import held_shut, mark_of, rubble_marks
from rules.core.fixtures.contents import coins
from rules.core.secrets import Kind, Stands, doors_known, viewers
from rules.explore import goals
from rules.explore.display import of_peace, yielded
from rules.explore.state import OPENLY
from rules.olde import effects
from rules.olde.arriving import ARRIVING
from rules.olde.challenges.checks import skill_adjustment
from rules.olde.challenges.state import knows
from rules.olde.combat.attack import defense_adjustments
from rules.olde.conditions import CONDITIONS, POSTURES, SUMMONED, Condition, names, on_reset
from rules.olde.effects import ENDLESS, Effect
from rules.olde.explore.minutes import LIGHTS, LOW, MINUTES, left_of
from rules.olde.explore.notice import looks
from rules.olde.gear import UNARMED
from rules.olde.magic.spells import POOLS
from rules.olde.state import STANDING, UNCOUNTED, Fighter, Figure, OldeState, Phase, Status, able, status
from rules.olde.text import TERMS
from rules.olde.visibility import EXPLORATION, is_hero, lurkers


def board(state: OldeState) -> Board:
    """The whole table as far as the state knows it."""
    sides, fighters = _eyes(state), state.setup.fighters
    unfound = lurkers(state, sides)
    minis = tuple(_miniature(state, i) for i, f in numbered(state.figures) if f.cell >= 0 and i not in unfound)
    floor = tuple(FloorItem(lying.item, lying.cell) for lying in state.floor)
    over = state.winner if state.phase is Phase.OVER else None
    caption: str = text("Turn {turn}, reset", state.turn)
    explored: tuple[int | None, str, tuple[Planned, ...]] = (None, "", ())
    if state.phase is Phase.ACTION:
        caption = text("Turn {turn}, round {round}", state.turn, state.round)
    elif state.phase is Phase.EXPLORE or (over is not None and state.setup.crawl):
        caption = text("Minute {minute}", state.exploring.minute)  # an evening ends where it explored
    if state.phase is Phase.EXPLORE:
        explored = (
            MINUTES.watched(state),
            text("Exploration, minute {minute}", state.exploring.minute),
            tuple(
                Planned(fighters[i].id, way, open=True)
                for i in MINUTES.walkers(state)
                if (way := MINUTES.coming(state, i)[0])
            ),
        )
    doors = doors_known(state.doors, state.found, sides)
    found = Board(minis, _order(state), caption, doors, floor, over, tuple(_marks(state, sides)), *explored)
    found = yielded(found, state, fighters, _miniature)
    if state.waves:
        found = ARRIVING.shown(found, state, _miniature)
    return found if state.aims is None else goals.shown(found, state, fighters, _miniature)


def doors(state: OldeState) -> tuple[str, ...]:
    """How each door stands for those whose secrets the table shows."""
    return doors_known(state.doors, state.found, _eyes(state))


def _eyes(state: OldeState) -> tuple[str, ...]:
    """Whose secrets the table shows."""
    return viewers(state.viewer, state.setup.fighters, [side for side, _ in state.found])


_PAST = {
    "climb": "Climb: two ranks of failure and one falls.",
    "water": "Deep water. Swim: a space for each rank of success; two ranks of failure and one goes under.",
    "rubble": "Burst or Lift/Shift: each rank of success clears a space.",
}


def _marks(state: OldeState, sides: tuple[str, ...]) -> Iterator[GroundMark]:
    """What spells have made of the ground; traps, chests and obstacles that these sides know of, and how they stand."""
    for zone in state.zones:
        told: str = text("{sentence} {left}.", zone.kind.does.sentence, titled(_left(zone.turns)))
        yield GroundMark(zone.kind.does.mark, titled(zone.name), zone.cells, told, effects.RULE)
    for i, one in enumerate(state.setup.field.challenges):
        if not any(knows(state, side, i) for side in sides):
            continue
        cells, how = board_of(one.cells), state.challenges[i]
        if one.kind in OBSTACLES:
            told = text("{past} CR {difficulty}.", _PAST[one.kind], one.difficulty)
            if one.kind == Kind.RUBBLE:
                yield from rubble_marks(one, state.cleared, told, "olde.md §3")
            elif cells:
                kind = "ledge" if one.edges else one.kind
                yield GroundMark(kind, one.id, cells, told, "olde.md §3", one.edges)
        else:
            told = f"{how.capitalize()}."
            if how in (Stands.SET, Stands.LOCKED):
                told = text("{how}. CR {difficulty}.", how.capitalize(), one.difficulty)
            locked = held_shut(one, how, state.setup.fighters, state.figures, sides)
            yield GroundMark(mark_of(one, how), one.id, cells, told, "olde.md §8", locked=locked)


def _order(state: OldeState) -> tuple[Turn, ...]:
    """Who acts now, who is still to come in this round by falling AP, then who is done."""
    if state.phase is Phase.EXPLORE:
        heroes = [i for i, figure in numbered(state.figures) if is_hero(state.setup, i) and able(figure)]
        return tuple(Turn(state.setup.fighters[i].id, done=bool(state.exploring.done >> i & 1)) for i in heroes)
    acting, fighters, figures = state.chance.who if state.chance else -1, state.setup.fighters, state.figures
    others = [i for i, figure in numbered(figures) if able(figure) and i != acting]
    done = {i for i in others if state.had >> i & 1 or figures[i].ap <= 0}
    others.sort(key=lambda i: (i in done, -figures[i].ap, -fighters[i].finesse))
    order = [Turn(fighters[acting].id, active=True)] if acting >= 0 and figures[acting].cell >= 0 else []
    return (*order, *(Turn(fighters[i].id, done=i in done) for i in others))


def _miniature(state: OldeState, who: CreatureIx) -> Miniature:
    fighter, figure = state.setup.fighters[who], state.figures[who]
    now, (points, shown) = status(figure.hp, fighter.hp_max), _points(state, who)
    return Miniature(
        id=fighter.id, name=fighter.name, side=fighter.side, cell=figure.cell, art=fighter.art, size=fighter.space,
        health=Bar("Hit points", max(0, figure.hp), fighter.hp_max), points=points, status=now.value,
        posture=figure.posture, badges=shown, active=state.chance is not None and state.chance.who == who,
        out=figure.hp <= 0, dead=now is Status.DEAD,
    )  # fmt: skip


def _points(state: OldeState, who: CreatureIx) -> tuple[Bar, tuple[Badge, ...]]:
    """What somebody has of the turn, or of its minute, and its badges."""
    figure = state.figures[who]
    shown = badges(figure, state.setup.fighters[who].hp_max)
    if state.phase is Phase.EXPLORE:
        had = not (is_hero(state.setup, who) and able(figure)) or state.exploring.done >> who & 1
        return Bar("This minute", 0 if had else 1, 1, "points"), shown + _noticing(state, who)
    return Bar("Action points", figure.ap, max(figure.ap, figure.ap_start), "points"), shown


def badges(figure: Figure, hp_max: int) -> tuple[Badge, ...]:
    """Conditions, posture and temporary Defense as badges."""
    held = [CONDITIONS[name] for name in names(figure, hp_max)]
    if figure.posture != STANDING:
        held.append(POSTURES[figure.posture])
    out = [_condition_badge(condition, figure) for condition in held if condition.badge]
    if shift := figure.temp_defense:
        icon = "defense_up" if shift > 0 else "defense_down"
        told = text("Defense {shift}", signed(shift))
        out.append(Badge(icon, told, "Temporary, until the next reset.", "olde.md §4"))
    if figure.temp_block:
        told = text("Defense {change} against melee", signed(figure.temp_block))
        out.append(Badge("defense_up", told, *TERMS["shield block"]))
    shown_already = ("", SUMMONED.name)  # any other condition has a badge of its own
    return (*out, *(_effect_badge(effect) for effect in figure.effects if effect.lasting.condition in shown_already))


def _condition_badge(condition: Condition, figure: Figure) -> Badge:
    """A condition or posture; one that a spell laid on also says which, and how long still."""
    said = condition.sentence
    for effect in figure.effects:
        if effect.lasting.condition == condition.name != effect.name:
            how = text("{name}: {turns}.", titled(effect.name), _left(effect.turns))
            said = joined(" ", (said, how))
    return Badge(condition.name, condition.name.capitalize(), said, condition.rule)


def _left(turns: int) -> str:
    if turns >= ENDLESS:
        return "until something ends it"
    return ntext(turns, "until the next reset", "{n} resets to go")


def _effect_badge(effect: Effect) -> Badge:
    """A spell's effect: what it does, and how long still."""
    left = _left(effect.turns)
    if effect.lasting.condition == SUMMONED.name:
        told = text("Goes away again: {left}.", left)
        return Badge("hourglass", text("Called by {name}", effect.name), told, effects.RULE)
    does = effects.words(effect.lasting) or text("+{rating} on the next such check", effect.rating)
    icon = "defense_up" if effect.lasting.defense > 0 or effect.lasting.armor > 0 else "plus"
    return Badge(icon, titled(effect.name), text("{does}: {left}.", titled(does), left), effects.RULE)


def sheet(state: OldeState, creature: str) -> Sheet:
    """A creature's sheet."""
    who = state.setup.index[creature]
    fighter, figure = state.setup.fighters[who], state.figures[who]
    points, shown = _points(state, who)
    bars = [Bar("Hit points", figure.hp, fighter.hp_max), points]
    paid = {state.setup.grimoire.spells[name].pool for name in fighter.spells}
    bars += [Bar(p.label, p.left(figure), p.top(fighter), p.name) for p in POOLS.values() if p.name in paid]
    stats = tuple((name, str(getattr(fighter, name.lower()))) for name in ("Brawn", "Finesse", "Savvy", "Nerve"))
    lines = _lines(state, fighter, figure)
    where: str = text("Turn {turn}", state.turn)
    if state.phase is Phase.EXPLORE:
        where = text("Exploration, minute {minute}", state.exploring.minute)
        if fighter.light and is_hero(state.setup, who):
            tone = "" if state.exploring.burning[who] > LOW else "coral"
            lines.append(Line(fighter.lamp.capitalize(), left_of(state, who), LIGHTS, tone))
    elif state.phase is Phase.OVER and state.setup.crawl:
        where = text("Minute {minute}", state.exploring.minute)
    elif state.round:
        where = text("Turn {turn}, round {round}", state.turn, state.round)
    kind = fighter.kind or ("Small" if fighter.small else "Medium")
    subtitle = text("{kind} · {status} · {where}", kind, status(figure.hp, fighter.hp_max).capitalize(), where)
    return Sheet(
        id=fighter.id, name=fighter.name, subtitle=subtitle, art=fighter.art, side=fighter.side, bars=tuple(bars),
        stats=stats, lines=tuple(lines), badges=shown,
    )  # fmt: skip


def _lines(state: OldeState, fighter: Fighter, figure: Figure) -> list[Line]:
    armoury = state.setup.armoury
    out = []
    if figure.dying:  # each reset takes what bleeding and poison do, and 1
        resets = max(1, -(-(figure.hp + fighter.hp_max) // sum(amount for amount, _ in on_reset(figure))))
        left = ntext(resets, "dead at the next reset without help", "dead in {n} resets without help")
        out.append(Line("Dying", left, "olde.md §7", "coral"))
    for item in dict.fromkeys(figure.hands):
        if item in armoury.weapons:
            out.append(_weapon_line(state, fighter, item))
        else:
            shield = armoury.shields[item]
            out.append(Line(item.capitalize(), text("Defense +{defense}", shield.defense), "olde.md §6 shields"))
    for name in fighter.weapons:
        if armoury.weapons[name].natural:
            out.append(_weapon_line(state, fighter, name))
    for item in dict.fromkeys(figure.pack):
        if item in armoury.weapons and not armoury.weapons[item].natural:
            out.append(Line(item.capitalize(), "carried", "olde.md §4 Ready", "quiet"))
    if fighter.armor:
        told = text("damage −{reduction}", fighter.armor.reduction)
        out.append(Line(fighter.armor.name.capitalize(), told, "olde.md §6 armor"))
    total = sum(a.value for a in defense_adjustments(state.setup, fighter, figure, False))
    out.append(Line("Defense", f"2d{fighter.finesse_rank}!{signed(total)}" if total else f"2d{fighter.finesse_rank}!",
                    "olde.md §6 helpless"))  # fmt: skip
    out += _magic_lines(state, fighter, figure)
    out += _plunder_lines(state, figure)
    out += [Line(trait.name.capitalize(), trait.rule, trait.source, trait=True) for trait in fighter.traits.listed]
    if figure.free:
        out.append(Line("Free steps", str(figure.free), "olde.md §4 free steps", "free"))
    return out


def _plunder_lines(state: OldeState, figure: Figure) -> list[Line]:
    """Coins, keys and what else was taken along, with what it is worth."""
    worth, rule = state.setup.armoury.treasury.worth_told, "olde.md §8 taking along"
    out = [Line(coins(figure.purse), "in the purse", rule)] if figure.purse else []
    out += [Line(key, "key", "olde.md §8 keys") for key in figure.keys if state.setup.fixtures]
    return out + [Line(item, worth(item) or "taken along", rule) for item in figure.goods]


def _magic_lines(state: OldeState, fighter: Fighter, figure: Figure) -> list[Line]:
    """Spells and blessings known, and what is carried in bottles and rolls."""
    grimoire, out = state.setup.grimoire, []
    for name in fighter.spells:
        spell = grimoire.spells[name]
        price = text("{ap} AP · {price} {label}", spell.ap, spell.price, POOLS[spell.pool].label)
        out.append(Line(titled(name), price, "olde.md §9 casting"))
    if figure.ammunition != UNCOUNTED:
        out.append(Line("Ammunition", str(figure.ammunition), "olde.md §6 ranged", "quiet"))
    for name in dict.fromkeys(figure.items):
        count = figure.items.count(name)
        label = titled(name) + (text(" × {count}", count) if count > 1 else "")
        out.append(Line(label, grimoire.items[name].kind, "olde.md §4 Use", "quiet"))
    return out


def _weapon_line(state: OldeState, fighter: Fighter, name: str) -> Line:
    mode = state.setup.armoury.weapons[name].modes[0]
    rank = skill_adjustment(fighter, mode.skill)
    if mode.ranged:
        span = text("range {base}", mode.base)
    elif mode.near != mode.far:
        span = text("reach {near}–{far}", mode.near, mode.far)
    else:
        span = text("reach {far}", mode.far)
    template = "d{damage} · {span} · {skill} {rank}" if mode.damage else "{span} · {skill} {rank}"
    detail = text(template, damage=mode.damage, span=span, skill=mode.skill, rank=signed(rank))
    return Line(name.capitalize(), detail, "olde.md §6 weapons")


def summary(state: OldeState) -> dict[str, Any]:
    """The state as record.md promises it for `battlemat replay --state`."""
    field = state.setup.field
    creatures: dict[str, dict[str, Any]] = {}
    armoury = state.setup.armoury.weapons
    for i, (fighter, figure) in numbered(zip(state.setup.fighters, state.figures, strict=True)):
        carried = [item for item in (*figure.hands, *figure.pack) if item in armoury and item != UNARMED.name]
        creatures[fighter.id] = {
            "hp": figure.hp, "mana": figure.mana, "faith": figure.faith, "ap": figure.ap, "free_steps": figure.free,
            "at": list(field.at(figure.cell)) if figure.cell >= 0 else None,
            "status": status(figure.hp, fighter.hp_max).value, "posture": figure.posture,
            "conditions": names(figure, fighter.hp_max),
            "temporary": {"defense": figure.temp_defense + figure.temp_block}, "cp": figure.cp, "weapons": carried,
            "dropped": [lying.item for lying in state.floor if lying.owner == i],
        }  # fmt: skip
        if figure.items:
            creatures[fighter.id]["items"] = list(figure.items)
        if state.setup.fixtures:
            had = {"keys": list(figure.keys), "purse": figure.purse, "goods": list(figure.goods)}
            creatures[fighter.id] |= {name: value for name, value in had.items() if value}
        if figure.ammunition != UNCOUNTED:
            creatures[fighter.id]["ammunition"] = figure.ammunition
        if figure.effects:
            creatures[fighter.id]["effects"] = [{"name": e.name, "turns": e.turns} for e in figure.effects]
    ground = [
        {"name": zone.name, "kind": zone.kind.value, "turns": zone.turns,
         "cells": [list(field.at(cell)) for cell in cells_of(zone.cells)]}
        for zone in state.zones
    ]  # fmt: skip
    told: dict[str, Any] = {"ground": ground} if ground else {}
    told |= {
        "turn": state.turn, "round": state.round, "phase": state.phase,
        "acting": state.setup.fighters[state.chance.who].id if state.chance else None,
        "over": (state.winner or NOBODY) if state.phase is Phase.OVER else None, "creatures": creatures,
    }  # fmt: skip
    if (exploring := state.explore) is not None:
        told["exploration"] = {"minute": exploring.minute}
        if state.phase is Phase.EXPLORE:
            told["exploration"]["done"] = [name for i, name in enumerate(creatures) if exploring.done >> i & 1]
            sneaking = {name: exploring.guise[i] for i, name in enumerate(creatures) if exploring.guise[i] != OPENLY}
            told["exploration"]["sneaking"] = sneaking
        else:
            told["exploration"]["unaware"] = [name for i, name in enumerate(creatures) if exploring.caught >> i & 1]
    return told if state.aims is None else {**told, **goals.summary(state, over=told["over"])}


# -- exploration --------------------------------------------------------------------------------------------


def _noticing(state: OldeState, who: CreatureIx) -> tuple[Badge, ...]:
    """How somebody stands in matters of noticing."""
    exploring, figure = state.exploring, state.figures[who]
    if figure.hp <= 0 or figure.cell < 0:
        return ()
    if is_hero(state.setup, who):
        found, guise = [], exploring.guise[who]
        if guise != OPENLY:
            told = text("Hidden by a Sneak of {guise}, until something else is done than keeping quiet.", guise)
            found.append(Badge("sneak", text("Sneaking ({guise})", guise), told, "olde.md §3"))
        if exploring.busy[who]:
            told = text("Is taken up for {busy} more minutes.", exploring.busy[who])
            found.append(Badge("hourglass", "Busy", told, EXPLORATION))
        if not state.setup.fighters[who].light:
            return tuple(found)
        left = exploring.burning[who]
        if not left:
            found.append(Badge("dark", "Light burnt out", "Its light shines no more, until it is lit anew.", LIGHTS))
        elif exploring.unlit >> who & 1:
            found.append(Badge("dark", "Light put out", "Its light shines no more.", LIGHTS))
        elif left <= LOW:
            told = ntext(left, "Its light goes out in a minute.", "Its light goes out in {n} minutes.")
            found.append(Badge("light", "Light burns low", told, LIGHTS))
        return tuple(found)
    if peace := of_peace(exploring.attitude[who]):
        return peace
    if exploring.hides[who]:
        return (Badge("sneak", "In hiding", "Lies in wait, and springs at whoever comes near.", EXPLORATION),)
    if not able(figure):
        return ()
    if not looks(state, who):
        return (Badge("unaware", "Off guard", "Looks nowhere; hears at −3.", EXPLORATION),)
    if exploring.dulled >> who & 1:
        return (Badge("unaware", "Reassured", "Is off its guard: −2 at its next attempt to notice.", EXPLORATION),)
    return (Badge("unaware", "Unaware", "Has noticed nothing yet.", EXPLORATION),)
