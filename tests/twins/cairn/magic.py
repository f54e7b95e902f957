"""Powers: what may be cast and used, the danger of it, and what it does to creatures (cairn.md §2.10, §5.5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.twins.cairn import areas, deeds, people, planning, wounds
from tests.twins.cairn.fight import TETHER, Fight, present
from tests.twins.cairn.ground import NONE, Space, apart, covered
from tests.twins.cairn.people import Person, table

RANGES = {"self": 0, "touch": 1, "nearby": 8, "earshot": 24, "sight": 48}
BOONS = (
    "shielded", "mirrored", "displaced", "hasted", "invisible", "glowing", "smoke", "elastic", "swarm", "true sight",
    "hovering", "clinging",
)  # fmt: skip
"""Conditions that one wishes on a friend."""
POWER: dict[str, Any] = {
    "range": "nearby", "needs": "creature", "area": "one", "size": 0, "save": "", "foes_only": False,
    "self_too": False, "once": False, "onto": "", "uses": 0, "tags": ["magic"],
}  # fmt: skip
Power = dict[str, Any]


def power_named(name: str) -> Power:
    return {**POWER, **table("powers")[name]}


def kinds(power: Power) -> set[str]:
    return set(power["tags"]) | (set() if "magic" in power["tags"] else {"mundane"})


def harmful(power: Power) -> bool:
    """Whether it does to somebody what only a foe would do."""
    if power["needs"] == "ally":
        return False
    return any(
        e["kind"] in ("damage", "push", "pull", "disarm") or (e["kind"] == "condition" and e["name"] not in BOONS)
        for e in power["effects"]
    )


def source(who: Person, do: str, name: str | None) -> tuple[Power, dict[str, Any] | None] | None:
    """A book's spell or a power of one's own to be cast; anything else that has one to be used."""
    item = table("gear").get(name or "")
    if item and item.get("power") and name in people.carried(who):
        if (item.get("kind") == "book") == (do == "cast"):
            return power_named(item["power"]), item
        return None
    if do == "cast" and name in who["powers"]:
        return power_named(name or ""), None
    return None


def voiceless(who: Person) -> bool:
    return "silenced" in who["conditions"] or any(table("armour")[i].get("mute") for i in people.worn(who))


def left(who: Person, power: Power, item: dict[str, Any] | None) -> bool:
    """Whether it can be used once more."""
    return item is not None or not power["uses"] or who["used"].get(power["name"], 0) < power["uses"]


def speaks(power: Power, item: dict[str, Any] | None) -> bool:
    return "sound" in power["tags"] or (item is not None and item.get("kind") == "book")


# -- what may be planned


def may_cast(fight: Fight, who: Person, plan: dict[str, Any], command: dict[str, Any]) -> bool:
    found = source(who, command["do"], command.get("item"))
    if found is None or "smoke" in who["conditions"]:
        return False
    power, item = found
    if speaks(power, item) and voiceless(who):
        return False
    if item is not None and item.get("kind") == "book" and who["one_armed"]:
        return False
    return left(who, power, item) and aim_holds(fight, who, power, command, planning.planned_end(fight, who))


def aim_holds(fight: Fight, who: Person, power: Power, command: dict[str, Any], place: Space) -> bool:
    """Whether it can be aimed so from a space."""
    needs = power["needs"]
    if needs == "none":
        if harmful(power) and "pacified" in who["conditions"]:
            return False
        return not power["onto"] or second(fight, who, power, who, command.get("at"), place)
    if needs in ("creature", "ally"):
        target = fight.people.get(command.get("target") or "")
        if target is None or not present(target):
            return False
        if power["once"] and "cured" in target["conditions"]:
            return False
        if target["id"] == who["id"] and needs == "creature" and power["range"] != "touch":
            return False
        if harmful(power) and target["id"] != who["id"]:
            if "pacified" in who["conditions"] or deeds.befriended(fight, who, target):
                return False
        if not fight.makes_out(who, target, place):
            return False
        there = covered(place if target["id"] == who["id"] else target["at"], target["size"])
        if not reaches(fight, who, power, there, place):
            return False
        return not power["onto"] or second(fight, who, power, target, command.get("at"), place)
    if needs == "door":
        door = deeds.door_at(fight, command.get("target"))
        if door is None or (fight.ground.doors[door] == "secret" and command["target"] not in fight.found[who["side"]]):
            return False
        return reaches(fight, who, power, [door], place)
    at = command.get("at")
    if at is None or not fight.ground.inside(tuple(at)):
        return False
    at = tuple(at)
    kinds_of = {effect["kind"] for effect in power["effects"]}
    if "passage" in kinds_of:
        return fight.ground.wall(at) and fight.ground.inner(at) and reaches(fight, who, power, [at], place)
    if "bar" in kinds_of and somebody(fight, who, at):
        return False
    solid = not fight.ground.walkable(at) and not fight.ground.pit(at)
    if any(effect["kind"] == "summon" for effect in power["effects"]):
        if not fight.ground.walkable(at) or at in covered(place, who["size"]) or somebody(fight, who, at):
            return False
    return not solid and reaches(fight, who, power, [at], place)


def somebody(fight: Fight, who: Person, at: Space) -> bool:
    """Whether another stands on a space, or plans to, as far as somebody's side knows."""
    for other in fight.people.values():
        if other["state"] == "up" and other["id"] != who["id"]:
            if at in covered(planning.planned_end(fight, other), other["size"]):
                if other["side"] == who["side"] or fight.seen(other):
                    return True
    return False


def second(fight: Fight, who: Person, power: Power, target: Person, at: Any, place: Space) -> bool:
    """Whether the second thing aimed at will do: where somebody lands, another creature, a thing on the floor."""
    if power["onto"] == "space":
        return landing(fight, who, power, target, at, place)
    if at is None:
        return False
    at, here = tuple(at), covered(place, who["size"])
    if power["onto"] == "item":
        return any(lies == at and apart([lies], here) <= RANGES[power["range"]] for _, lies in fight.floor)
    for other in fight.here():
        if other["id"] == target["id"]:
            continue
        if other["id"] == who["id"] and at == place:
            return True
        if other["id"] != who["id"] and other["at"] == at:
            if reaches(fight, who, power, fight.spaces(other), place):
                return True
    return False


def reaches(fight: Fight, who: Person, power: Power, there: list[Space], place: Space) -> bool:
    """Within its range, and in sight but for what is heard."""
    here = covered(place, who["size"])
    away = apart(here, there)
    if away > RANGES[power["range"]]:
        return False
    return power["range"] == "earshot" or not away or fight.view(who, here, there) > NONE


def landing(fight: Fight, who: Person, power: Power, target: Person, at: Any, place: Space) -> bool:
    """Whether somebody could be put on a space: near enough, fit to stand on, free as far as the side knows."""
    if at is None or not fight.ground.inside(tuple(at)):
        return False
    at = tuple(at)
    effect = next(e for e in power["effects"] if e["kind"] == "teleport")
    start = place if target["id"] == who["id"] else target["at"]
    if at == start or not fight.ground.fits(at, target["size"]):
        return False
    if apart(covered(start, target["size"]), [at]) > effect["spaces"]:
        return False
    if effect.get("name") == "leap" and not fight.ground.sight(covered(start, target["size"]), [at]):
        return False
    mine = set(covered(at, target["size"]))
    if target["id"] != who["id"] and mine & set(covered(place, who["size"])):
        return False
    for other in fight.people.values():
        if other["state"] != "up" or other["id"] in (who["id"], target["id"]):
            continue
        if mine & set(covered(planning.planned_end(fight, other), other["size"])):
            if other["side"] == who["side"] or fight.seen(other):
                return False
    return True


# -- what comes of it


def cast(fight: Fight, who: Person, act: dict[str, Any]) -> None:
    """The Fatigue and the danger of a book first, then what it does. What is out of reach by then comes to nothing."""
    found = source(who, act["do"], act["item"])
    if found is None:
        return
    power, item = found
    if not left(who, power, item) or (speaks(power, item) and voiceless(who)):
        return
    if not still_there(fight, who, power, act):
        return
    kind = item.get("kind") if item else None
    if kind == "book":
        who["marks"]["casting"] = {}
        tire(fight, who, act["item"])
    if kind in ("book", "scroll") and (fight.options["cast_saves"] or "deprived" in who["conditions"]):
        if not safely(fight, who, act["item"]):
            if kind == "scroll" and act["item"] in people.carried(who):
                lose_item(who, act["item"])
            return
    if kind == "scroll":
        lose_item(who, act["item"])
    elif item is not None and item.get("charges"):
        from tests.twins.cairn.resolving import spend

        spend(who, act["item"])
    elif item is None and power["uses"]:
        who["used"][power["name"]] = who["used"].get(power["name"], 0) + 1
    work(fight, who, power, act)


def still_there(fight: Fight, who: Person, power: Power, act: dict[str, Any]) -> bool:
    """Whether what is aimed at is within reach still, and can be made out."""
    if power["needs"] == "none":
        return True
    target = fight.people.get(act.get("target") or "")
    if power["needs"] in ("creature", "ally"):
        if target is None or not present(target):
            return True  # it is wasted on who has fallen: nobody aims anew
        return fight.makes_out(who, target) and reaches(fight, who, power, fight.spaces(target), who["at"])
    if power["needs"] == "door":
        door = deeds.door_at(fight, act.get("target"))
        return door is not None and reaches(fight, who, power, [door], who["at"])
    return reaches(fight, who, power, [tuple(act["at"])], who["at"])


def lose_item(who: Person, item: str) -> None:
    (who["hands"] if item in who["hands"] else who["pack"]).remove(item)


def tire(fight: Fight, who: Person, reading: str) -> None:
    """A slot of Fatigue; with none free the last thing carried is dropped, but not what is worn nor what is read."""
    if people.filled(who) >= people.SLOTS:
        kept = [item for item in who["worn"] if not table("armour")[item].get("hands")] + [reading]
        spare = [item for item in people.carried(who) if people.slots(item) and item not in kept]
        if spare:
            lose_item(who, spare[-1])
            fight.floor.append((spare[-1], who["at"]))
    who["fatigue"] += 1


def safely(fight: Fight, who: Person, item: str) -> bool:
    if fight.save(who["wil"]):
        return True
    face = fight.face
    tire(fight, who, item)
    if face == 20:
        lose_item(who, item)
        wounds.harm(fight, who, fight.throw(6), True)
    return False


def work(fight: Fight, who: Person, power: Power, act: dict[str, Any]) -> None:
    from tests.twins.cairn import zones

    target = fight.people.get(act.get("target") or "")
    goal = goal_of(fight, who, power, act)
    cells = area(fight, who, power, goal)
    taken = taken_in(fight, who, power, target, cells)
    weak = dampened(fight, power, who)
    for effect in [weakened(effect) if weak else effect for effect in power["effects"]]:
        if effect["kind"] not in BODILY:
            zones.change(fight, who, effect, cells, goal)
    bodily = [effect for effect in power["effects"] if effect["kind"] in BODILY]
    for victim in taken if bodily else []:
        upon(fight, who, victim, power, bodily, goal)


def goal_of(fight: Fight, who: Person, power: Power, act: dict[str, Any]) -> Space:
    target = fight.people.get(act.get("target") or "")
    if power["onto"] and act.get("at") is not None:
        return tuple(act["at"])
    if target is not None and target["state"] != "fled":
        return target["at"]
    if act.get("at") is not None:
        return tuple(act["at"])
    return deeds.door_at(fight, act.get("target")) or who["at"]


def area(fight: Fight, who: Person, power: Power, goal: Space) -> set[Space]:
    shape, size = power["area"], power["size"]
    if shape == "one":
        return {goal}
    if shape == "radius":
        return areas.burst(fight, goal, size)
    if shape == "square":
        return areas.square(fight, goal, size)
    if shape == "wide":
        return areas.wide(fight, goal, size)
    if shape == "cone":
        return areas.cone(fight, who, goal, size)
    if shape == "line":
        return areas.line(fight, who, goal, size)
    reach, here, ground = size or RANGES[power["range"]], fight.spaces(who), fight.ground
    near = {space for space in ground.everywhere() if apart([space], here) <= reach}
    if power["range"] == "earshot":  # walls double the distance
        near = {s for s in near if apart([s], here) <= reach // 2 or ground.sight(here, [s])}
    return near | set(here) if power["self_too"] else near - set(here)


def taken_in(fight: Fight, who: Person, power: Power, target: Person | None, cells: set[Space]) -> list[Person]:
    if power["area"] == "one" and power["needs"] == "none":
        return [who]
    if power["area"] == "one" and target is not None:
        return [target] if present(target) else []
    out = []
    for other in fight.here():
        if other is who:
            if power["self_too"]:
                out.append(who)
        elif not (power["foes_only"] and other["side"] == who["side"]) and cells & set(fight.spaces(other)):
            out.append(other)
    return out


def upon(fight: Fight, who: Person, victim: Person, power: Power, effects: list[Any], goal: Space) -> None:
    """One victim: its nature, its ears and eyes, its save, then all effects."""
    if not present(victim) or set(victim["immune"]) & kinds(power) or power["name"] in victim["immune"]:
        return
    if harmful(power) and "mundane" in kinds(power) and "shielded" in victim["conditions"]:
        return
    if "sound" in power["tags"] and "deaf" in victim["conditions"]:
        return
    if "gaze" in power["tags"] and "averted" in victim["conditions"]:
        return
    foreign, magic = victim["side"] != who["side"], "magic" in power["tags"]
    if victim["resists"] and foreign and magic and not fight.save(who["wil"]):
        return
    if victim["reflects"] and foreign and magic and power["needs"] == "creature" and fight.throw(6) <= 3:
        upon(fight, victim, who, power, effects, goal)
        return
    asked = foreign or power["needs"] == "creature" or power["area"] != "one"
    if power["save"] and asked and not fight.helpless(victim) and fight.save(victim[power["save"]]):
        return
    weak = dampened(fight, power, who, victim)
    for effect in [weakened(effect) if weak else effect for effect in effects]:
        if present(victim):
            BODILY[effect["kind"]](fight, who, victim, effect, power, goal)


# -- effects on creatures


def thrown(fight: Fight, dice: Sequence[int], effect: dict[str, Any]) -> int:
    amount = max((fight.throw(faces) for faces in dice), default=0) + int(effect.get("amount", 0))
    return (amount + 1) // 2 if effect.get("weak") else amount


def dampened(fight: Fight, power: Power, *concerned: Person) -> bool:
    """Whether magic is worked where it is dampened, or on who stands there (cairn.md §5.5 Magic Dampener)."""
    if "magic" not in power["tags"]:
        return False
    return any(fight.ground.changed(space, "damper") for one in concerned for space in fight.spaces(one))


def weakened(effect: dict[str, Any]) -> dict[str, Any]:
    """An effect with half its force, halves rounded up."""
    halves = {word: (effect[word] + 1) // 2 for word in ("rounds", "spaces") if effect.get(word)}
    return {**effect, **halves, "weak": True}


def damage(fight: Fight, who: Person, victim: Person, effect: Any, power: Power, goal: Space) -> None:
    amount = thrown(fight, wounds.natured(victim, kinds(power), effect.get("dice", [])), effect)
    if effect.get("metal"):
        pieces = [i for i in [*people.worn(victim), *victim["hands"]] if i in table("armour")]
        amount *= 2 if any(table("armour")[item].get("metal") for item in pieces) else 1
    to = effect.get("to", "hp")
    if to == "hp":
        through = max(0, amount - people.armor(victim))
        wounds.harm(fight, victim, through, wounds.defenceless(fight, victim))
    elif to == "str":
        wounds.harm(fight, victim, amount, True)
    else:
        victim[to] = max(0, victim[to] - amount)


def heal(fight: Fight, who: Person, victim: Person, effect: Any, power: Power, goal: Space) -> None:
    to = effect.get("to", "hp")
    if to == "str":
        wounds.stop_clock(fight, victim)
    if "deprived" in victim["conditions"]:
        return
    amount = thrown(fight, effect.get("dice", []), effect)
    victim[to] = max(victim[to], min(victim[f"{to}_max"], victim[to] + amount))
    if power["once"]:
        fight.gain(victim, "cured")


def condition(fight: Fight, who: Person, victim: Person, effect: Any, power: Power, goal: Space) -> None:
    marks: dict[str, Any] = {"by": who["id"], "then": effect.get("then", "")}
    if power["onto"] == "creature":
        meant = standing_at(fight, goal)
        if meant is None or meant is victim:
            return
        marks["by"] = meant["id"]
        if effect["name"] == "tethered":  # each to the other, if they are near enough
            if fight.distance(victim, meant) <= TETHER:
                for one, other in ((victim, meant), (meant, victim)):
                    fight.gain(one, "tethered", effect["rounds"], by=other["id"])
            return
    elif power["onto"] == "item":
        thing = next((item for item, at in fight.floor if at == goal), None)
        if thing is None:
            return
        marks["by"] = thing
    if effect.get("ends_on_save"):
        marks["save"] = power["save"]
    fight.gain(victim, effect["name"], effect.get("rounds") or None, **marks)


def cure(fight: Fight, who: Person, victim: Person, effect: Any, power: Power, goal: Space) -> None:
    fight.lose(victim, effect["name"])


def push(fight: Fight, who: Person, victim: Person, effect: Any, power: Power, goal: Space) -> None:
    from tests.twins.cairn import resolving

    if power["onto"] != "creature":
        resolving.push(fight, victim, who, effect["spaces"], effect["kind"] == "pull")
        return
    other = standing_at(fight, goal)
    if other is None or other is victim or fight.distance(victim, other) > effect["spaces"]:
        return
    resolving.push(fight, victim, other, effect["spaces"])
    if other is not who and present(other) and victim["state"] != "fled":
        resolving.push(fight, other, victim, effect["spaces"])


def standing_at(fight: Fight, at: Space) -> Person | None:
    return next((other for other in fight.here() if other["at"] == at), None)


def swap(fight: Fight, who: Person, victim: Person, effect: Any, power: Power, goal: Space) -> None:
    """With who stands where the caster points: an unwilling foe saves for itself."""
    other = standing_at(fight, goal)
    if other is None or other is victim or other["size"] != victim["size"]:
        return
    if other["side"] != who["side"] and not fight.helpless(other) and fight.save(other[power["save"]]):
        return
    other["at"], victim["at"] = victim["at"], other["at"]
    fight.note_move(other)
    fight.note_move(victim)


def fetch(fight: Fight, who: Person, victim: Person, effect: Any, power: Power, goal: Space) -> None:
    from tests.twins.cairn import zones

    for number, (item, at) in enumerate(fight.floor):
        if at == goal:
            del fight.floor[number]
            zones.taken_up(fight, item, at)
            who["pack"].append(item)
            return


def teleport(fight: Fight, who: Person, victim: Person, effect: Any, power: Power, goal: Space) -> None:
    from tests.twins.cairn import resolving

    if effect.get("name") == "random":  # a d8 says which eighth of the map
        part = fight.throw(8) - 1
        across, down = (1, 3, 5, 7)[part % 4], (1, 3)[part // 4]
        goal = (fight.ground.width * across // 8, fight.ground.height * down // 4)
    at = resolving.nearest_free(fight, victim, goal)
    if at is not None:
        fight.put(victim, at)


def disarm(fight: Fight, who: Person, victim: Person, effect: Any, power: Power, goal: Space) -> None:
    """What the victim holds flies to the caster."""
    if victim["hands"]:
        who["pack"].append(victim["hands"].pop(0))


BODILY = {
    "damage": damage, "heal": heal, "condition": condition, "cure": cure, "push": push, "pull": push,
    "teleport": teleport, "disarm": disarm, "swap": swap, "fetch": fetch,
}  # fmt: skip
