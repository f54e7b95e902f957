"""The board, the sheets and the summary that windows and `battlemat replay --state` show."""

from __future__ import annotations

from typing import Any

import msgspec

from rules.board.bitboard import board_of, cells_of
from rules.board.fixtures import OBSTACLES, Challenge
from rules.board.sight import ARM, dark, lit, visible
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
from rules.contract.units import EMPTY, CreatureIx, numbered
from rules.core.dice import signed
from rules.core.secrets import Kind, Stands, doors_known, viewers
from rules.olde import effects
from rules.olde.challenges.checks import skill_adjustment
from rules.olde.challenges.state import knows
from rules.olde.combat.attack import defense_adjustments
from rules.olde.conditions import CONDITIONS, POSTURES, SUMMONED, Condition, names, on_reset
from rules.olde.effects import ENDLESS, Effect, Zone
from rules.olde.explore.minutes import LIGHTS, LOW, left_of
from rules.olde.explore.notice import coming, looks, walkers, watchers
from rules.olde.gear import UNARMED
from rules.olde.magic.casting import top
from rules.olde.magic.spells import POOLS
from rules.olde.state import OPENLY, STANDING, UNCOUNTED, Fighter, Figure, OldeState, Phase, Status, able, status
from rules.olde.text import TERMS
from rules.olde.visibility import EXPLORATION, is_hero, lamps, lurkers


def board(state: OldeState) -> Board:
    """The whole table as far as the state knows it."""
    minis = tuple(_miniature(state, i) for i, f in numbered(state.figures) if f.cell >= 0)
    marks = (*map(_ground_mark, state.zones), *_challenges(state))
    floor = tuple(FloorItem(lying.item, lying.cell) for lying in state.floor)
    over = state.winner if state.phase is Phase.OVER else None
    caption: str = text("Turn {turn}, reset", state.turn)
    explored: tuple[int | None, str, tuple[Planned, ...]] = (None, "", ())
    if state.phase is Phase.ACTION:
        caption = text("Turn {turn}, round {round}", state.turn, state.round)
    elif state.phase is Phase.EXPLORE:
        index, fighters = state.setup.index, state.setup.fighters
        unfound = lurkers(state, _eyes(state))
        minis = tuple(
            msgspec.structs.replace(mini, points=_minute(state, who), badges=mini.badges + _noticing(state, who))
            for mini in minis
            if (who := index[mini.id]) not in unfound
        )
        caption = text("Minute {minute}", state.exploring.minute)
        explored = (
            _watched(state),
            text("Exploration, minute {minute}", state.exploring.minute),
            tuple(Planned(fighters[i].id, way, open=True) for i in walkers(state) if (way := coming(state, i)[0])),
        )
    return Board(minis, _order(state), caption, doors(state), floor, over, marks, *explored)


def doors(state: OldeState) -> tuple[str, ...]:
    """How each door stands for those whose secrets the table shows."""
    return doors_known(state.doors, state.found, _eyes(state)) if state.found else state.doors


def _eyes(state: OldeState) -> tuple[str, ...]:
    """Whose secrets the table shows."""
    return viewers(state.viewer, state.setup.fighters, [side for side, _ in state.found])


def _challenges(state: OldeState) -> list[GroundMark]:
    """Traps and chests that are known: what they are, and how they stand."""
    sides, out = _eyes(state), []
    for i, challenge in enumerate(state.setup.field.challenges):
        if any(knows(state, side, i) for side in sides):
            how = state.challenges[i]
            if challenge.kind in OBSTACLES:
                out += _obstacle(state, challenge)
                continue
            kind = challenge.kind if how in (Stands.SET, Stands.LOCKED) else f"{challenge.kind}_done"
            told: str = text("{how}. CR {difficulty}.", how.capitalize(), challenge.difficulty)
            told = told if kind == challenge.kind else f"{how.capitalize()}."
            out.append(GroundMark(kind, challenge.id, board_of(challenge.cells), told, "olde.md §8"))
    return out


_PAST = {
    "climb": "Climb: two ranks of failure and one falls.",
    "water": "Deep water. Swim: a space for each rank of success; two ranks of failure and one goes under.",
    "rubble": "Burst or Lift/Shift: each rank of success clears a space.",
}


def _obstacle(state: OldeState, challenge: Challenge) -> list[GroundMark]:
    """What stands in the way, and where rubble has been cleared."""
    cells, rule = board_of(challenge.cells), "olde.md §3"
    gone = cells & state.cleared if challenge.kind == Kind.RUBBLE else EMPTY
    out = []
    if cells & ~gone:
        told = text("{past} CR {difficulty}.", _PAST[challenge.kind], challenge.difficulty)
        kind = "ledge" if challenge.edges else challenge.kind
        out.append(GroundMark(kind, challenge.id, cells & ~gone, told, rule, challenge.edges))
    if gone:
        out.append(GroundMark(Stands.CLEARED, challenge.id, gone, "Cleared: difficult ground.", rule))
    return out


def _ground_mark(zone: Zone) -> GroundMark:
    does = zone.kind.does
    told = text("{sentence} {left}.", does.sentence, titled(_left(zone.turns)))
    return GroundMark(does.mark, titled(zone.name), zone.cells, told, effects.RULE)


def _order(state: OldeState) -> tuple[Turn, ...]:
    """Who acts now, who is still to come in this round by falling AP, then who is done."""
    if state.phase is Phase.EXPLORE:
        heroes = [i for i, figure in numbered(state.figures) if is_hero(state.setup, i) and able(figure)]
        return tuple(Turn(state.setup.fighters[i].id, done=bool(state.exploring.done >> i & 1)) for i in heroes)
    acting = state.chance.who if state.chance else -1
    about = [i for i, f in numbered(state.figures) if able(f)]
    ahead = [i for i in about if not state.had >> i & 1 and state.figures[i].ap > 0]
    done = [i for i in about if i not in ahead and i != acting]
    fighters = state.setup.fighters

    def key(i: int) -> tuple[int, int, int]:
        return (-state.figures[i].ap, -fighters[i].finesse, i)

    order = [Turn(fighters[acting].id, active=True)] if acting >= 0 and state.figures[acting].cell >= 0 else []
    order += [Turn(fighters[i].id) for i in sorted(ahead, key=key)]
    return (*order, *(Turn(fighters[i].id, done=True) for i in sorted(done, key=key)))


def _miniature(state: OldeState, who: CreatureIx) -> Miniature:
    fighter, figure = state.setup.fighters[who], state.figures[who]
    now = status(figure.hp, fighter.hp_max)
    return Miniature(
        id=fighter.id, name=fighter.name, side=fighter.side, cell=figure.cell, art=fighter.art, size=fighter.space,
        health=Bar("Hit points", max(0, figure.hp), fighter.hp_max),
        points=Bar("Action points", figure.ap, max(figure.ap, figure.ap_start), "points"),
        status=now.value, posture=figure.posture, badges=badges(figure, fighter.hp_max),
        active=state.chance is not None and state.chance.who == who, out=figure.hp <= 0, dead=now is Status.DEAD,
    )  # fmt: skip


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
    return Badge(condition.icon, condition.label, said, condition.rule)


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
    bars = [
        Bar("Hit points", figure.hp, fighter.hp_max),
        Bar("Action points", figure.ap, max(figure.ap, figure.ap_start), "points"),
    ]
    paid = {state.setup.grimoire.spells[name].pool for name in fighter.spells}
    bars += [Bar(p.label, p.left(figure), top(p, fighter), p.name) for p in POOLS.values() if p.name in paid]
    stats = tuple((name, str(getattr(fighter, name.lower()))) for name in ("Brawn", "Finesse", "Savvy", "Nerve"))
    lines, shown = _lines(state, fighter, figure), badges(figure, fighter.hp_max)
    where: str = text("Turn {turn}", state.turn)
    if state.phase is Phase.EXPLORE:
        bars[1], where = _minute(state, who), text("Exploration, minute {minute}", state.exploring.minute)
        shown += _noticing(state, who)
        if fighter.light and is_hero(state.setup, who):
            tone = "" if state.exploring.burning[who] > LOW else "coral"
            lines.append(Line(fighter.lamp.capitalize(), left_of(state, who), LIGHTS, tone))
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
    if figure.dying:
        out.append(Line("Dying", _time_left(fighter, figure), "olde.md §7", "coral"))
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
    out += [Line(trait.name.capitalize(), trait.rule, trait.source, trait=True) for trait in fighter.traits.listed]
    if figure.free:
        out.append(Line("Free steps", str(figure.free), "olde.md §4 free steps", "free"))
    return out


def _time_left(fighter: Fighter, figure: Figure) -> str:
    """How long somebody who is dying has, if nobody helps: each reset takes what bleeding and poison do, and 1."""
    loss = sum(amount for amount, _ in on_reset(figure))
    resets = max(1, -(-(figure.hp + fighter.hp_max) // loss))
    return ntext(resets, "dead at the next reset without help", "dead in {n} resets without help")


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
    for i, (fighter, figure) in numbered(zip(state.setup.fighters, state.figures, strict=True)):
        armoury = state.setup.armoury.weapons
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
        if figure.ammunition != UNCOUNTED:
            creatures[fighter.id]["ammunition"] = figure.ammunition
        if figure.effects:
            creatures[fighter.id]["effects"] = [{"name": e.name, "turns": e.turns} for e in figure.effects]
    acting = state.setup.fighters[state.chance.who].id if state.chance else None
    spaces = [list(map(list, map(field.at, cells_of(zone.cells)))) for zone in state.zones]
    ground = [
        {"name": zone.name, "kind": zone.kind.value, "turns": zone.turns, "cells": cells}
        for zone, cells in zip(state.zones, spaces, strict=True)
    ]
    return {
        **({"ground": ground} if ground else {}),
        "turn": state.turn,
        "round": state.round,
        "phase": state.phase,
        "acting": acting,
        "over": (state.winner or NOBODY) if state.phase is Phase.OVER else None,
        "creatures": creatures,
        **({"exploration": _explored(state)} if state.explore is not None else {}),
    }


# -- exploration --------------------------------------------------------------------------------------------


def _minute(state: OldeState, who: CreatureIx) -> Bar:
    """Whether somebody's minute is still to be had."""
    open_yet = is_hero(state.setup, who) and able(state.figures[who])
    return Bar("This minute", int(open_yet and not state.exploring.done >> who & 1), 1, "points")


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
        return (*found, *_light(state, who))
    if exploring.hides[who]:
        return (Badge("sneak", "In hiding", "Lies in wait, and springs at whoever comes near.", EXPLORATION),)
    if not able(figure):
        return ()
    if not looks(state, who):
        return (Badge("unaware", "Off guard", "Looks nowhere; hears at −3.", EXPLORATION),)
    if exploring.dulled >> who & 1:
        return (Badge("unaware", "Reassured", "Is off its guard: −2 at its next attempt to notice.", EXPLORATION),)
    return (Badge("unaware", "Unaware", "Has noticed nothing yet.", EXPLORATION),)


def _light(state: OldeState, who: CreatureIx) -> list[Badge]:
    """What there is to say of a light that is out, or soon will be."""
    if not state.setup.fighters[who].light:
        return []
    left = state.exploring.burning[who]
    if not left:
        return [Badge("dark", "Light burnt out", "Its light shines no more, until it is lit anew.", LIGHTS)]
    if state.exploring.unlit >> who & 1:
        return [Badge("dark", "Light put out", "Its light shines no more.", LIGHTS)]
    told = ntext(left, "Its light goes out in a minute.", "Its light goes out in {n} minutes.")
    return [] if left > LOW else [Badge("light", "Light burns low", told, LIGHTS)]


def _watched(state: OldeState) -> int:
    """The spaces on which a hero would be in view of somebody who watches, as far as those who look know of them.

    By the light there is: whoever carries a light of its own is seen farther.
    """
    found, terrain, setup = 0, state.terrain, state.setup
    shade = setup.darkness and dark(terrain)
    bright = lit(terrain, lamps(state)) if shade else -1
    for who in watchers(state):
        if looks(state, who):
            fighter, cell = setup.fighters[who], state.figures[who].cell
            view = visible(terrain, cell, fighter.space)
            if shade and not fighter.dark_sight:
                view &= bright | terrain.within(cell, ARM, fighter.space)
            found |= view
    return found & ~terrain.opaque


def _explored(state: OldeState) -> dict[str, Any]:
    """For `battlemat replay --state`."""
    exploring = state.exploring
    ids = [fighter.id for fighter in state.setup.fighters]
    told: dict[str, Any] = {"minute": exploring.minute}
    if state.phase is Phase.EXPLORE:
        told["done"] = [name for i, name in enumerate(ids) if exploring.done >> i & 1]
        told["sneaking"] = {name: exploring.guise[i] for i, name in enumerate(ids) if exploring.guise[i] != OPENLY}
    else:
        told["unaware"] = [name for i, name in enumerate(ids) if exploring.caught >> i & 1]
    return told
