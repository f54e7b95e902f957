"""Ground that powers change, and what it does to who comes onto it (cairn.md §5.5 Changed ground)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.twins.cairn import people, planning, wounds
from tests.twins.cairn.fight import Fight, present
from tests.twins.cairn.ground import Space, covered
from tests.twins.cairn.people import Person

BAR = "wonder bar"
HAZARDS = ("fire", "pit", "slick", "ice floor", "adhere", "caltrops", "trap", "steel trap", "wire")


def change(fight: Fight, who: Person, effect: dict[str, Any], cells: set[Space], goal: Space) -> None:
    kind = effect["kind"]
    if kind == "knock":
        if goal in fight.ground.doors:
            fight.ground.doors[goal] = "open"
    elif kind == "summon":
        call(fight, who, effect["creature"], effect.get("rounds") or None, goal)
    elif kind == "passage":
        open_wall(fight, who, effect, goal)
    elif kind == "bar":
        let_go(fight, who, goal)
    elif kind == "clear":
        cut(fight, cells)
    elif kind == "snuff":
        for other in fight.here():
            if people.light(other) and cells & set(fight.spaces(other)):
                fight.gain(other, "snuffed")
    else:
        lay(fight, who, kind_of(effect), effect.get("rounds") or None, cells, goal)


def open_wall(fight: Fight, who: Person, effect: dict[str, Any], goal: Space) -> None:
    """A gap straight on from who opens it, as deep as the power goes or the wall is; the map's outermost spaces stay
    shut."""
    ground, here = fight.ground, fight.spaces(who)
    step = [0, 0]
    for axis in (0, 1):
        mine = [space[axis] for space in here]
        step[axis] = (goal[axis] > max(mine)) - (goal[axis] < min(mine))
    gap, space = set(), goal
    for _ in range(effect["spaces"]):
        if not ground.inner(space) or not ground.wall(space):
            break
        gap.add(space)
        space = (space[0] + step[0], space[1] + step[1])
    if gap:
        ground.zones.append({
            "kind": "gap", "cells": frozenset(gap), "rounds": effect.get("rounds") or None, "by": who["id"], "at": goal,
        })  # fmt: skip


def let_go(fight: Fight, who: Person, goal: Space) -> None:
    """The Wonder Bar stays where it is let go, if there is room for it."""
    if any(goal in fight.spaces(other) for other in fight.here()):
        return
    (who["hands"] if BAR in who["hands"] else who["pack"]).remove(BAR)
    fight.floor.append((BAR, goal))
    zone: dict[str, Any] = {"kind": "bar", "cells": frozenset([goal]), "rounds": None, "by": who["id"], "at": goal}
    fight.ground.zones.append(zone)


def taken_up(fight: Fight, item: str, at: Space) -> None:
    """A thing has come off the floor: a bar that was taken up is in nobody's way."""
    if item == BAR:
        for zone in [zone for zone in fight.ground.zones if zone["kind"] == "bar" and at in zone["cells"]][:1]:
            fight.ground.zones.remove(zone)


def call(fight: Fight, who: Person, model: dict[str, Any], rounds: int | None, goal: Space) -> None:
    """A called creature joins its caller's side, for a while; where somebody has come to stand, next to it."""
    from tests.twins.cairn import resolving

    number = 1 + sum(name.startswith(f"{who['id']}.") for name in fight.people)
    strike = {
        "name": model["attack"], "dice": model["dice"], "hands": 0, "slots": 0, "natural": True,
        "tags": model.get("tags", []), "blast": model.get("blast", ""),
    }  # fmt: skip
    words = ("strength", "dexterity", "willpower", "armor", "speed", "immune", "detachment", "bloodless")
    given = {word: model[word] for word in words if word in model}
    called = people.person({
        **given, "id": f"{who['id']}.{number}", "side": who["side"], "at": goal, "hp_max": model["hp"], "pc": False,
        "attacks": [strike], "mindless": True, "steadfast": True, "alert": "ready",
    })  # fmt: skip
    called["called"] = True
    at = resolving.nearest_free(fight, called, goal)
    if at is not None:
        called["at"] = at
        fight.people[called["id"]] = called
        fight.gain(called, "called", rounds)


def dismiss(fight: Fight) -> None:
    """Those whose stay is over are gone."""
    for who in fight.people.values():
        if who["called"] and present(who) and "called" not in who["conditions"]:
            fight.leave(who, "")


def kind_of(effect: dict[str, Any]) -> str:
    kind, name = effect["kind"], effect.get("name", "")
    if kind == "wall":
        return "fire" if name == "fire" else "ice"
    if kind == "slick":
        return {"oil": "slick", "ice": "ice floor"}.get(name, name)
    return str(kind)


def lay(fight: Fight, who: Person, kind: str, rounds: int | None, cells: set[Space], goal: Space) -> None:
    """A wall of ice grows round whoever stands in the way; nothing lies in what is solid."""
    ground = fight.ground
    if kind == "ice":
        cells = cells - {space for other in fight.here() for space in fight.spaces(other)}
    if kind not in ("light", "dark", "snuff", "damper"):
        cells = {space for space in cells if ground.walkable(space) or ground.pit(space)}
    if not cells:
        return
    zone = {"kind": kind, "cells": frozenset(cells), "rounds": rounds, "by": who["id"], "at": goal}
    ground.zones.append(zone)
    move_out(fight)
    if kind in ("fire", "adhere"):  # it begins under somebody's feet
        for other in fight.here():
            if cells & set(fight.spaces(other)):
                suffer(fight, other, [zone])


def cut(fight: Fight, cells: set[Space]) -> None:
    """Brush in the way is cut down."""
    for zone in [zone for zone in fight.ground.zones if zone["kind"] == "thicket" and zone["cells"] & cells]:
        fight.ground.zones.remove(zone)
        if zone["cells"] - cells:
            fight.ground.zones.append({**zone, "cells": zone["cells"] - cells})


def move_out(fight: Fight) -> None:
    """Whoever stands where there is no room any more is moved to the nearest."""
    from tests.twins.cairn import resolving

    for who in fight.here():
        if not fight.ground.fits(who["at"], who["size"]):
            at = resolving.nearest_free(fight, who, who["at"])
            if at is not None:
                fight.put(who, at)


def age(fight: Fight) -> None:
    """Changed ground runs down at the end of a round."""
    for zone in fight.ground.zones:
        if zone["rounds"] is not None:
            zone["rounds"] -= 1
    gone = [zone for zone in fight.ground.zones if zone["rounds"] == 0]
    fight.ground.zones = [zone for zone in fight.ground.zones if zone["rounds"] != 0]
    if gone:
        move_out(fight)


def warded(fight: Fight, who: Person) -> set[Space]:
    """Where a foe's ward keeps it out."""
    out: set[Space] = set()
    for zone in fight.ground.zones:
        if zone["kind"] == "ward" and fight.people[zone["by"]]["side"] != who["side"]:
            out |= zone["cells"]
    return out


def met(fight: Fight, who: Person, before: Space, there: Space) -> list[dict[str, Any]]:
    """The changed ground that a step leads onto; a sticky floor catches at every step."""
    kinds = ("fire",) if planning.flies(who) else HAZARDS
    was, now = set(covered(before, who["size"])), set(covered(there, who["size"]))
    return [
        zone for zone in fight.ground.zones
        if zone["kind"] in kinds and zone["cells"] & now and (zone["kind"] == "adhere" or not zone["cells"] & was)
    ]  # fmt: skip


def suffer(fight: Fight, who: Person, zones: list[dict[str, Any]]) -> bool:
    """What the ground does; True where the movement ends there."""
    ended = False
    for zone in zones:
        if present(who):
            ended = one(fight, who, zone) or ended
    return ended


def one(fight: Fight, who: Person, zone: dict[str, Any]) -> bool:
    kind = zone["kind"]
    if kind == "adhere":
        return fight.gain(who, "stuck", save="str")
    if kind in ("trap", "steel trap"):
        fight.ground.zones.remove(zone)
        dice = [6] if kind == "trap" else []
        bite(fight, who, dice, 0 if dice else 4, {"mundane"}, direct=True)
        return True
    if kind == "fire":
        bite(fight, who, [6], 0, {"magic", "fire"})
        return False
    if fight.save(who["dex"]):
        return False
    if kind == "caltrops":
        bite(fight, who, [4], 0, {"mundane"})
        return True
    if kind == "pit":
        bite(fight, who, [6], 0, {"mundane"}, direct=True, armor=False)
    if present(who):
        fight.gain(who, "prone")
    return True


def bite(
    fight: Fight,
    who: Person,
    dice: Sequence[int],
    amount: int,
    kinds: set[str],
    direct: bool = False,
    armor: bool = True,
) -> None:
    """Harm of the ground: by nature impaired or enhanced, nothing to those whom only magic harms."""
    harm = amount + max((fight.throw(faces) for faces in wounds.natured(who, kinds, dice)), default=0)
    if set(who["immune"]) & kinds or ("mundane" in kinds and "shielded" in who["conditions"]):
        return
    through = max(0, harm - people.armor(who)) if armor else harm
    wounds.harm(fight, who, through, direct or wounds.defenceless(fight, who))
