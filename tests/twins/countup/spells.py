"""Spells: what they cost, how long they take, whom they find, saves, what they do and what they leave (§2.8, §5.4).

Areas over squares and the skips of a ball of fire have no rule in the sheet: they are read from countup.md §5.4.
"""

from __future__ import annotations

from typing import Any

from tests.twins.countup.fight import Fight, Refused
from tests.twins.countup.ground import Spot, apart, block
from tests.twins.countup.people import Person
from tests.twins.countup.wounds import drop, lose, nerve, pain, save

READ = (
    "Fire Finger", "Yudder's Whistle", "Scorch", "Doze", "Magic Shield", "Magic Projectile", "Rope Charm",
    "White Hot Metal", "Cheetah Speed", "Motion Blur", "Enfeeble", "Skipping Betty Fireball", "Fist of Thunder",
    "Trifling Cure", "Trivial Cure", "Minor Cure", "Small Cure", "Light Cure", "Lesser Cure", "Trivial Harm",
    "Minor Harm", "Light Harm", "Bless", "Command", "Copycat", "Enrage", "Charm", "Panic", "Cause Fear",
)  # fmt: skip
GROUND = (
    "Candlelight", "Torchlight", "Veil of Darkness", "Smoke Screen", "Slippery Surface", "Bar Portal", "Bash Door",
)  # fmt: skip
"""Light, changed ground, doors."""


def cost(p: Person, spell: dict[str, Any]) -> int:
    """30 and ten more an index; twice that unless memorised; a divine one is granted."""
    known = p.block.get("memorised")
    points: int = 0 if spell.get("divine") else 30 + 10 * spell.get("index", 0)
    return points if known is None or spell["name"] in known else 2 * points


def check(f: Fight, p: Person, command: dict[str, Any], place: Spot) -> dict[str, Any]:
    """The spell of a command. Raises Refused."""
    name = command.get("item")
    mine = p.block.get("spells", ())
    if name not in mine or p.fatigue > f.second:
        raise Refused("not known, or tired")
    spell: dict[str, Any] = p.tables["spell"][name]
    if cost(p, spell) > p.points or (spell.get("divine") and mine.count(name) <= p.prayed.count(spell["name"])):
        raise Refused("spent")
    needs = spell.get("needs", "creature")
    if needs == "none":
        return spell
    there: Spot | None
    space = 1
    if needs in ("creature", "ally"):
        q = f.by_id.get(command.get("target") or "")
        if q is None or not q.present():
            raise Refused("no such creature")
        if spell.get("each_second") and not (q.block.get("armour") or q.shield or q.hand):
            raise Refused("no metal")
        there, space = q.at, q.space
    else:
        there = command.get("at")
        if there is None:
            raise Refused("needs a space")
        if needs == "door" and f.ground.as_known(there, p.side) in ("none", "secret"):
            raise Refused("no door there")
    far = apart(place, p.space, there, space)
    feet = spell.get("range", 0) * (max(1, p.block.get("level", 0)) if spell.get("per_level") else 1)
    if far > max(1, feet // 5) or (far and not f.ground.sight(place, p.space, there, space)):
        raise Refused("out of range or sight")
    if smoked(f, block(place, p.space), block(there, space)):
        raise Refused("smoke")
    return spell


def begin(f: Fight, p: Person, deed: dict[str, Any]) -> None:
    """Declared: points and prayers are spent, nothing else is done until it is over."""
    spell = deed["spell"]
    p.points -= cost(p, spell)
    if spell.get("divine"):
        p.prayed.append(spell["name"])
    takes = spell.get("casting", 1) + (f.dice.die_p(4) if f.options.get("components") else 0)
    p.casting = {"spell": spell, "ends": f.second + takes, "target": deed["target"], "at": deed["at"]}
    p.order, p.gait = None, ""


def complete(f: Fight) -> None:
    """Spells whose time has come, and what sears from second to second."""
    done = [(p, p.casting) for p in f.living() if p.casting and p.casting["ends"] <= f.second and f.able(p)]
    for p, casting in done:
        spell = casting["spell"]
        p.casting = None
        p.fatigue = f.second + spell.get("casting", 1) + 5
        f.say(f"{p.id} casts {spell['name']}")
        if "lasts_dice" in spell:
            shown, flat = f.dice.dice(spell["lasts_dice"])
            spell = {**spell, "lasts": (shown + flat) * spell["lasts"]}
        if "absorbs" in spell:
            p.ward = spell["absorbs"]
        if "images" in spell:
            p.images = f.dice.dice(spell["images"])[0]
        if "door" in spell:
            on_door(f, spell, casting["at"])
        if "zone" in spell:
            f.zones.append((spell["zone"], area(f, p, spell, casting), f.second + spell["lasts"]))
        for q in victims(f, p, spell, casting):
            upon(f, p, q, spell)
    for p in f.people:
        if p.present() and "seared" in p.effects:
            harm(f, p, p.tables["spell"]["White Hot Metal"])


def victims(f: Fight, p: Person, spell: dict[str, Any], casting: dict[str, Any]) -> list[Person]:
    if not any(key in spell for key in ("damage", "heals", "effect")):
        return []
    wide = spell.get("radius") or spell.get("square")
    q = casting["target"]
    if not wide:
        if spell.get("needs") == "none":
            return [p]
        return [q] if q is not None and q.present() else []
    cells = area(f, p, spell, casting)
    found = [r for r in f.living() if r is not p and cells & set(block(r.at, r.space))]
    return [r for r in found if r.side != p.side or spell.get("effect") != "asleep"]


def area(f: Fight, p: Person, spell: dict[str, Any], casting: dict[str, Any]) -> set[Spot]:
    """The spaces that a spell works on."""
    q = casting["target"]
    goal = q.at if q is not None else casting["at"] or p.at
    return square(f, p, goal, spell) if spell.get("square") else ball(f, p, goal, spell)


def on_door(f: Fight, spell: dict[str, Any], spot: Spot) -> None:
    """Burst open whatever holds it; or shut, unless somebody stands in it, and kept shut for the spell's time."""
    if spell["door"] == "open":
        f.ground.doors[spot] = "open"
        return
    if f.ground.doors[spot] == "open":
        if any(spot in block(q.at, q.space) for q in f.living()):
            return
        f.ground.doors[spot] = "closed"
    f.zones.append(("barred", {spot}, f.second + spell["lasts"]))


def smoked(f: Fight, here: list[Spot], there: list[Spot]) -> bool:
    """Whether smoke hides everything that is seen of one block from another: it lies on each line, ends counted in."""
    smoke = f.zone("smoke")
    if not smoke or min(max(abs(a[0] - b[0]), abs(a[1] - b[1])) for a in here for b in there) <= 1:
        return False
    lines = [line(a, b) for a in here for b in there if f.ground.sight(a, 1, b, 1)]
    return all(smoke & spots for spots in lines)


def line(a: Spot, b: Spot) -> set[Spot]:
    """The spaces nearest to a line; of two as near the one nearer to the start."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    most = max(abs(dx), abs(dy))
    return {(a[0] + toward_nought(n * dx, most), a[1] + toward_nought(n * dy, most)) for n in range(most + 1)}


def inside(f: Fight, s: Spot) -> bool:
    return 0 <= s[0] < f.ground.width and 0 <= s[1] < f.ground.height


def seen(f: Fight, a: Spot, b: Spot) -> bool:
    return a == b or bool(f.ground.sight(a, 1, b, 1))


def ball(f: Fight, p: Person, goal: Spot, spell: dict[str, Any]) -> set[Spot]:
    """All round a space, or round each space where it comes down."""
    dx, dy = goal[0] - p.at[0], goal[1] - p.at[1]
    most = max(abs(dx), abs(dy))
    down = [goal]
    for n in range(1, spell.get("skips", 0) if most else 0):
        there = goal[0] + toward_nought(2 * n * dx, most), goal[1] + toward_nought(2 * n * dy, most)
        if not inside(f, there) or f.ground.solid(there) or not seen(f, down[-1], there):
            break
        down.append(there)
    r = spell["radius"] // 5
    return {
        s
        for c in down
        for s in ((c[0] + i, c[1] + j) for i in range(-r, r + 1) for j in range(-r, r + 1))
        if inside(f, s) and not f.ground.wall(s) and seen(f, c, s)
    }


def toward_nought(part: int, whole: int) -> int:
    """To the nearest whole number, halves towards nought."""
    whole_part, left = divmod(abs(part), whole)
    return (whole_part + (2 * left > whole)) * (1 if part > 0 else -1)


def square(f: Fight, p: Person, goal: Spot, spell: dict[str, Any]) -> set[Spot]:
    """So many spaces each way away from the caster; back where that would be beyond the range."""
    side = spell["square"] // 5
    step = [1 if g >= o else -1 for g, o in zip(goal, p.at, strict=True)]
    if apart(p.at, 1, goal, 1) + side - 1 > spell["range"] // 5:
        step = [-s if g != o else s for s, g, o in zip(step, goal, p.at, strict=True)]
    spots = {(goal[0] + i * step[0], goal[1] + j * step[1]) for i in range(side) for j in range(side)}
    return {s for s in spots if s != p.at and inside(f, s) and not f.ground.wall(s) and seen(f, goal, s)}


def upon(f: Fight, p: Person, q: Person, spell: dict[str, Any]) -> None:
    kept = bool(spell.get("save")) and q is not p and save(f, p, q, spell["save"])
    if "damage" in spell and not spell.get("each_second") and (not kept or spell.get("half")):
        for _ in range(max(1, min(spell.get("missiles", 0), p.block.get("level", 0)))):
            harm(f, q, spell, 2 if kept else 1)
    if "heals" in spell:
        better = q.block.get("anointed") and spell.get("heals_anointed")
        shown, flat = f.dice.dice(better or spell["heals"])
        q.hp = min(q.hp_max, q.hp + max(0, shown + flat))
        q.burnt = min(q.burnt, q.hp_max - q.hp)
    effect = spell.get("effect")
    if effect and not kept and q.present():
        befall(f, q, effect, spell)


def befall(f: Fight, q: Person, effect: str, spell: dict[str, Any]) -> None:
    if effect == "asleep":
        drop(f, q, f.second + spell["lasts"])
        return
    if effect == "prone":
        q.prone, q.stance, q.until, q.order = True, "", 0, None
        q.interrupt(f.second)
        return
    if effect in ("bound", "charmed", "enraged", "panicked"):
        q.order = q.casting = None
        q.interrupt(f.second)
        if q.loaded_at > f.second or q.loaded != q.hand:
            q.loaded = ""
        q.loading = ""
    q.effects.pop(effect, None)
    q.effects[effect] = f.second + spell["lasts"]


def harm(f: Fight, q: Person, spell: dict[str, Any], part: int = 1) -> None:
    """A wound that no armour lessens and that knocks nobody back; pain and death like any other."""
    if not q.present():
        return
    shown, flat = f.dice.dice(spell["damage"])
    lost = lose(f, q, max(0, shown + flat) // part, fire=bool(spell.get("fire")))
    pain(f, q, lost)
    nerve(f, q, lost)
    if q.hp <= 0:
        q.dead = True
        f.release(q)
