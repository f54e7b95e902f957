"""Who fights: out of the bestiary and the parties, or with stat blocks of their own, in every state they may be in."""

from __future__ import annotations

from typing import Any

from tests.gate.lot import Lot
from tests.gate.pools import Pool

Block = dict[str, Any]


def drawn(lot: Lot, ruleset: str, pool: Pool, hero: bool, options: dict[str, bool], frail: bool) -> Block:
    """A creature without id, side and place."""
    toss = lot.below(100)
    block: Block
    if toss < (60 if hero else 70):
        known = pool["heroes"] if hero and lot.chance(90) else sorted(pool["monsters"])
        block = {"template": lot.pick(known)}
    else:
        block = OWN[ruleset](lot, pool)
    STATES[ruleset](lot, pool, block, options)
    if lot.chance(25):
        block["temperament"] = lot.pick(pool["tempers"])
    if frail and lot.chance(70):
        block["hp"] = lot.between(1, 3)
    return block


def space_of(pool: Pool, block: Block) -> int:
    """How many spaces it is wide; at most, where its size says so."""
    if "template" in block:
        return int(pool["monsters"].get(block["template"], 1))
    return int(block.get("space", {"L": 2, "H": 2, "G": 3}.get(block.get("size", ""), 1)))


# -- Dungeons of Olde


def _olde(lot: Lot, pool: Pool) -> Block:
    tables = pool["tables"]
    block: Block = {stat: lot.between(2, 14) for stat in ("brawn", "finesse", "savvy", "nerve")}
    block["size"] = lot.pick(("small", "medium", "medium"))
    block["weapons"] = lot.some(tables["weapons"], 0, 3)
    if lot.chance(20):
        block["weapons"] = [lot.pick([name for name in tables["weapons"] if "crossbow" in name]), *block["weapons"]]
    block["skills"] = {
        skill: lot.pick(("Apprentice", "Journeyman", "Master")) for skill in lot.some(pool["skills"], 0, 10)
    }
    if lot.chance(40):
        block["shield"] = lot.pick(tables["shields"])
    if lot.chance(60):
        block["armor"] = lot.pick(tables["armor"])
    if lot.chance(30):
        block["spells"] = lot.some(tables["spells"], 1, 6)
    if lot.chance(20):
        block["blessings"] = lot.some(tables["blessings"], 1, 5)
    if lot.chance(35):
        block["items"] = lot.some(tables["items"], 1, 4)
    if lot.chance(30):
        block["traits"] = lot.some(pool["traits"], 1, 2)
    if lot.chance(10):
        block["space"] = 2
    if lot.chance(15):
        block["free_steps"] = lot.between(0, 4)
    if lot.chance(10):
        block["modified"] = {lot.pick(("brawn", "finesse", "savvy", "nerve")): lot.between(-2, 2)}
    return block


OLDE_CONDITIONS = ("bleeding", "rooted", "slowed", "blinded", "dazed", "exhausted", "fatigued", "frightened",
                   "restrained", "silenced", "poisoned")  # fmt: skip


def _olde_state(lot: Lot, pool: Pool, block: Block, options: dict[str, bool]) -> None:
    if lot.chance(12):
        block["surprised"] = True
    if lot.chance(12):
        block["posture"] = lot.pick(("sitting", "kneeling", "prone"))
    if lot.chance(12):
        block["conditions"] = lot.some(OLDE_CONDITIONS, 1, 2)
    if lot.chance(6):
        block["asleep"] = True
    if lot.chance(15):
        block["ammunition"] = lot.between(0, 5)
    if lot.chance(10) and "weapons" in block:
        block["ready"] = block["weapons"][-1:]
    if lot.chance(10):
        block |= {"mana": lot.between(0, 4), "faith": lot.between(0, 4)}
    if lot.chance(60 if options.get("darkness") else 10):
        block |= {"light": lot.between(1, 6), "lamp": lot.pick(("lantern", "torch")), "spares": lot.between(0, 2)}
    if lot.chance(15):
        block["dark_sight"] = True
    if options.get("explore") and lot.chance(20):
        block["hidden"] = True


# -- Cairn


def _cairn(lot: Lot, pool: Pool) -> Block:
    tables = pool["tables"]
    items = lot.some(tables["weapons"], 0, 2) + lot.some(tables["armour"], 0, 1) + lot.some(tables["gear"], 0, 1)
    items += lot.some(pool["magic"], 0, 2)
    block: Block = {
        "strength": lot.between(3, 20), "dexterity": lot.between(3, 20), "willpower": lot.between(3, 20),
        "hp_max": lot.between(0, 12), "items": items,
    }  # fmt: skip
    if lot.chance(30):
        block["attacks"] = lot.pick(pool["attacks"])
    if lot.chance(20):
        block["powers"] = lot.some(tables["powers"], 1, 3)
    if len(items) < 3 and lot.chance(30):
        block["fatigue"] = lot.between(1, 5)
    if lot.chance(25):
        block["armor"] = lot.between(0, 3)
    for field in ("immune", "impaired_by", "enhanced_by"):
        if lot.chance(6):
            block[field] = lot.pick(pool["words"][field])
    for field in ("leader", "mindless", "steadfast", "unstoppable", "resists", "follower", "mobbing", "flies",
                  "lurks", "sticky", "reflects", "bloodless", "detachment"):  # fmt: skip
        if lot.chance(4):
            block[field] = True
    if lot.chance(4):
        block["bursts"] = [lot.pick((4, 6, 8))]
    if lot.chance(4):
        block["heads"] = lot.between(2, 5)
    if lot.chance(4):
        block["innate"] = [lot.pick(("unseen", "true sight"))]
    if lot.chance(4):
        block["rises"] = lot.between(1, 6)
    if lot.chance(10):
        block["space"] = 2
    if lot.chance(25):
        block["speed"] = lot.between(0, 12)
    return block


def _cairn_state(lot: Lot, pool: Pool, block: Block, options: dict[str, bool]) -> None:
    if lot.chance(35):
        block["alert"] = lot.pick(("ready", "ready", "unaware"))
    if lot.chance(5):
        block["surprised"] = True
    if lot.chance(15):
        block["posture"] = "prone"
    if lot.chance(20):
        block["group"] = lot.pick(("one", "two"))
    if lot.chance(8):
        block["leader"] = True
    if lot.chance(10):
        block["pc"] = lot.chance(50)
    if lot.chance(10):
        block["nerve"] = lot.between(1, 20)
    if lot.chance(60 if options.get("darkness") or options.get("panic") else 10):
        block["light"] = lot.between(1, 6)
    if lot.chance(10):
        block["dark_sight"] = True


# -- Count-Up


def _countup(lot: Lot, pool: Pool) -> Block:
    tables = pool["tables"]
    block: Block = {
        "hp_max": lot.between(8, 50), "attack": lot.between(-2, 8), "defence": lot.between(-4, 9),
        "damage": lot.between(-3, 10), "initiative": lot.between(-6, 4), "dexterity": lot.between(0, 3),
        "size": lot.pick("TSMMMMLH"), "trauma": lot.between(3, 12), "reduction": lot.between(0, 4),
        "physical": lot.between(-1, 5), "mental": lot.between(-1, 5), "dodge": lot.between(-1, 5),
        "weapons": lot.some(tables["weapons"], 1, 4),
    }  # fmt: skip
    if lot.chance(30):
        block["pain"] = lot.between(0, 12)
    if lot.chance(30):
        block["armour"] = lot.pick(tables["armour"])
    if lot.chance(40):
        block["shield"] = lot.pick(tables["shields"])
    if lot.chance(35):
        block["spells"] = lot.some(tables["spells"], 1, 6)
        block |= {"spell_points": lot.pick((60, 140, 340)), "level": lot.between(1, 6)}
        if lot.chance(30):
            block["memorised"] = block["spells"][:1]
    if lot.chance(15):
        block["attacks"] = lot.pick(pool["attacks"])
        block["sequence"] = [block["attacks"][0]["name"], block["weapons"][0]]
        if lot.chance(50):
            del block["sequence"], block["weapons"]
    elif lot.chance(15):
        block["stowed"] = block["weapons"][-1:]
    for field in ("half", "left_handed", "thief", "undead", "anointed", "low_light"):
        if lot.chance(12):
            block[field] = True
    if lot.chance(10):
        block["knock_size"] = lot.pick("SL")
    if lot.chance(15):
        block["load"] = lot.pick(("light", "medium", "heavy"))
    if lot.chance(10):
        block["untrained"] = lot.pick(("minimal", "low", "medium", "high"))
    if lot.chance(8):
        block["regenerates"] = lot.pick((1, 5))
    if lot.chance(8):
        block["squares"] = lot.pick(pool["words"]["squares"])
    if lot.chance(8):
        block["immune"] = [lot.pick(("physical", "mental", "dodge"))]
    return block


def _countup_state(lot: Lot, pool: Pool, block: Block, options: dict[str, bool]) -> None:
    if lot.chance(25):
        block["scene"] = lot.pick(("ambush", "heard", "door", "corner"))
    if lot.chance(8):
        block["surprised"] = True
    if lot.chance(20):
        block["stealth"] = lot.pick(("sneaking", "hidden"))
    if lot.chance(35):
        block["skills"] = {skill: lot.between(1, 100) for skill in lot.some(pool["skills"], 1, 4)}
    if lot.chance(40 if options.get("morale") else 10):
        block["tenacity"] = lot.pick(("fearless", "brave", "steady", "nervous", "cowardly"))
    if lot.chance(60 if options.get("darkness") else 10):
        block["lamp"] = lot.pick(("candle", "lantern", "torch"))
    if lot.chance(10):
        block["dark_sight"] = True
    if lot.chance(15):
        block["facing"] = lot.below(8)


OWN = {"olde": _olde, "cairn": _cairn, "countup": _countup}
STATES = {"olde": _olde_state, "cairn": _cairn_state, "countup": _countup_state}
