"""The content of Dungeons of Olde: by the book, complete, and refused in one line where it is wrong."""

from __future__ import annotations

import json
import tomllib

import pytest

from game import paths
from game.content import schemas
from game.content import tables as content
from game.content.tables import ContentError
from game.fight.match import Match

# olde.md §2, written down a second time so that a slip in either place shows.
ARRAYS = """7 7 7 6 · 8 7 7 5 · 8 7 6 6 · 8 8 5 5 · 8 8 7 4 · 8 8 8 3 · 9 6 6 5 · 9 7 5 5 · 9 7 6 4 · 9 8 5 4 ·
10 6 5 4 · 10 5 5 5 · 10 7 4 4 · 11 5 4 4 · 12 4 4 3"""
SETS = {
    "Melee Combat": "Axes Knives Maces Shields Spears Swords",
    "Ranged Combat": "Bows Crossbows Long_Guns Pistols",
    "Streetfighting": "Brawling Knives Thrown_Weapons",
    "Swashbuckling": "Fencing Knives Swords",
    "Survival": "Alertness Camouflage Forage Pathfinding Tracking",
    "Stealth": "Alertness Camouflage Disable Escape Murder Pursuit Sleight-of-hand Sneak",
    "Ministry": "Entertain Healing Literacy Persuade Profession:Minister",
    "Might": "Burst Climb Endure Leap Lift/Shift Pursuit Ride Swim",
    "Grace": "Climb Dodge Pursuit Ride Swim Tumble",
    "Scholarship": "Literacy Knowledge:Arcana Knowledge:History Knowledge:Nature Knowledge:Religion Knowledge:Stars",
    "Influence": "Deception Disguise Entertain Intimidate Negotiate Persuade",
}
PACKAGES = {  # template: (sets, single skills chosen, what is raised to Journeyman)
    "warrior": (("Melee Combat", "Might"), ("Thrown Weapons",), "Swords"),
    "priest": (("Ministry",), ("Maces", "Shields"), None),
    "ranger": (("Ranged Combat", "Survival", "Stealth"), ("Swords",), "Bows"),
    "rogue": (("Streetfighting", "Stealth", "Grace"), (), "Knives"),
    "templar": (("Might", "Ministry"), ("Maces", "Shields"), "Shields"),
    "troubadour": (("Swashbuckling", "Grace", "Influence"), ("Profession:Performer",), "Fencing"),
    "wizard": (("Scholarship",), ("Knives",), None),
}
GIFTS = {"priest": "Faith", "wizard": "Wizardry"}
CHOICES = {  # what each package lets one choose from
    "warrior": [{"Bows", "Crossbows", "Thrown Weapons"}],
    "priest": [{"Axes", "Knives", "Maces", "Quarterstaff", "Spears", "Swords"}, {"Shields"}],
    "ranger": [{"Axes", "Knives", "Maces", "Spears", "Swords"}],
    "rogue": [],
    "templar": [{"Axes", "Maces", "Swords"}, {"Shields"}],
    "troubadour": [{"Profession:Performer"}],
    "wizard": [{"Knives", "Quarterstaff", "Swords"}],
}
MONSTERS = [
    "bandit", "cultist", "ghoul", "giant_rat", "goblin", "goblin_archer", "goblin_chief", "ogre", "orc", "skeleton",
    "skeleton_archer", "wolf",
]  # fmt: skip
MELEE = """Swords: shortsword 0-1 6 4 d6 2 15; broadsword 1 8 6 d8 3 30
Swords: bastard sword 1 10 8 d10 4 45; greatsword 1-2 12 10 d12 4 75
Maces: baton 0-1 4 2 d4 1 2; club 1 6 4 d6 2 5; mace 1 8 6 d8 3 15
Maces: warhammer 1 10 8 d10 4 25; morningstar 1-2 12 10 d12 4 40
Axes: hatchet 1 4 2 d4 1 5; battle axe 1 6 4 d6 2 10; broad axe 1 8 6 d8 3 20
Axes: sparth axe 1 10 8 d10 4 35; poleaxe 1-2 12 10 d12 4 50
Knives: belt knife 0-1 2 - d3 1 5; dagger 0-1 4 - d4 1 10; sax 0-1 6 - d6 2 15
Fencing: dagger 0-1 4 - d4 1 10; shortsword 0-1 6 - d6 2 15; backsword 0-1 6 - d6 2 25; rapier 1-2 8 - d8 3 50
Spears: javelin 0-1 6 4 d6 2 5; spear 1-2 8 6 d8 4 20; pike 1-3 10 8 d10 5 35"""
RANGED = """Bows: shortbow 6 8 2 4 d6; hunting bow 8 8 2 6 d8; longbow 12 8 2 10 d12
Crossbows: crossbow 10 4 2 4/8 d8; arbalest 10 4 2 6/10 d10
Sling: sling 6 4 2 4 d6
Thrown Weapons: knife 4 2 1 4 d4; axe 4 2 1 6 d6; javelin 8 4 1 6 d6; spear 6 4 1 8 d8"""
BRAWN_SKILLS = ("Swords", "Maces", "Axes")


def _weapons() -> dict[str, dict]:
    return {weapon["name"]: weapon for weapon in content.tables("olde")["weapons"]}


def _rows(table: str) -> list[tuple[str, str, list[str]]]:
    rows = []
    for line in table.splitlines():
        skill, _, items = line.partition(": ")
        for item in items.split("; "):
            words = item.split()
            first = next(i for i, word in enumerate(words) if word[0].isdigit())
            rows.append((skill, " ".join(words[:first]), words[first:]))
    return rows


@pytest.mark.parametrize("skill, name, figures", _rows(MELEE))
def test_melee_weapon_is_as_in_the_table(skill, name, figures):
    weapon = _weapons()[name]
    reach, one, two, die, size, cost = figures
    mode = next(m for m in weapon["modes"] if m["skill"] == skill)
    low, _, high = reach.partition("-")
    assert mode["kind"] == "melee"
    assert mode["reach"] == [int(low), int(high or low)]
    assert (mode["one_hand"], mode.get("two_hands")) == (int(one), None if two == "-" else int(two))
    assert mode["damage"] == int(die[1:])
    assert mode["stat"] == ("brawn" if skill in BRAWN_SKILLS else "finesse")
    if not (name == "shortsword" and skill == "Fencing"):
        assert (weapon["size"], weapon["cost"]) == (int(size), int(cost))


@pytest.mark.parametrize("skill, name, figures", _rows(RANGED))
def test_ranged_weapon_is_as_in_the_table(skill, name, figures):
    base, limit, hands, brawn, die = figures
    mode = next(m for m in _weapons()[name]["modes"] if m["skill"] == skill)
    low, _, high = brawn.partition("/")
    assert mode["kind"] == ("thrown" if skill == "Thrown Weapons" else "ranged")
    assert (mode["base"], mode["limit"], mode["hands"]) == (int(base), int(limit), int(hands))
    assert (mode["brawn"], mode.get("brawn_reset")) == (int(low), int(high) if high else None)
    assert (mode["stat"], mode["damage"]) == ("finesse", int(die[1:]))


def test_no_weapon_of_the_tables_is_missing_and_the_rest_is_natural():
    named = {name for _, name, _ in _rows(MELEE) + _rows(RANGED)}
    house = {"torch", "quarterstaff", "chair leg", "axe handle"}
    assert {name for name, weapon in _weapons().items() if not weapon.get("natural")} == named | house


def test_shields_are_as_in_the_table():
    rows = [tuple(s[key] for key in ("name", "defense", "brawn", "spell", "size", "cost")) for s in _table("shields")]
    assert rows == [
        ("buckler", 1, 6, -1, 2, 20),
        ("roundel", 1, 6, -1, 2, 5),
        ("targe", 2, 8, -2, 3, 10),
        ("heater", 2, 8, -2, 4, 10),
        ("kite", 3, 10, -3, 5, 30),
        ("pavise", 3, 11, -3, 6, 25),
        ("tower", 4, 12, -4, 8, 50),
    ]


def test_armor_is_as_in_the_table():
    rows = [tuple(a[key] for key in ("name", "reduction", "brawn", "size", "cost")) for a in _table("armor")]
    assert rows == [
        ("leather", 1, 5, 2, 15),
        ("gambeson", 2, 7, 2, 10),
        ("hardened leather", 2, 6, 2, 25),
        ("scale", 3, 9, 4, 50),
        ("chainmail", 3, 8, 4, 75),
        ("brigandine", 4, 10, 5, 125),
        ("plate-and-mail", 5, 11, 5, 150),
        ("full plate", 6, 12, 6, 400),
    ]
    assert [a["category"][0].upper() for a in _table("armor")] == list("LLLMMMHH")


def _table(name: str) -> list[dict]:
    return content.tables("olde")[name]


@pytest.mark.parametrize("hero", list(PACKAGES))
def test_hero_has_a_stat_array_of_the_book(hero):
    sheet = content.heroes("olde")[hero]
    arrays = {tuple(sorted(map(int, array.split()))) for array in ARRAYS.split("·")}
    assert tuple(sorted(sheet[stat] for stat in ("brawn", "finesse", "savvy", "nerve"))) in arrays


@pytest.mark.parametrize("hero", list(PACKAGES))
def test_hero_has_exactly_the_skills_of_his_package(hero):
    sets, chosen, journeyman = PACKAGES[hero]
    skills = dict.fromkeys(("Alertness", "Leap", "Lift/Shift"), "Apprentice")
    for name in sets:
        skills |= {skill.replace("_", " "): "Apprentice" for skill in SETS[name].split()}
    skills |= dict.fromkeys(chosen, "Apprentice")
    if hero in GIFTS:
        skills[GIFTS[hero]] = "Apprentice"
    if journeyman is not None:
        assert journeyman in skills
        skills[journeyman] = "Journeyman"
    assert content.heroes("olde")[hero]["skills"] == skills
    assert len(chosen) == len(CHOICES[hero])
    assert all(skill in choice for skill, choice in zip(chosen, CHOICES[hero], strict=True))


@pytest.mark.parametrize("hero", list(PACKAGES))
def test_heros_gear_is_within_his_brawn(hero):
    sheet = content.heroes("olde")[hero]
    shields = {shield["name"]: shield["brawn"] for shield in _table("shields")}
    armors = {armor["name"]: armor["brawn"] for armor in _table("armor")}
    with_shield = sheet.get("shield") is not None
    assert sheet["brawn"] >= shields.get(sheet.get("shield"), 0)
    assert sheet["brawn"] >= armors.get(sheet.get("armor"), 0)
    for name in sheet["weapons"]:
        for mode in _weapons()[name]["modes"]:
            if mode["skill"] in sheet["skills"]:
                two = None if with_shield else mode.get("two_hands")
                assert sheet["brawn"] >= (two or mode.get("one_hand") or mode["brawn"])


def test_seven_heroes_with_names_of_their_own_and_a_small_rogue():
    heroes = content.heroes("olde")
    assert list(heroes) == list(PACKAGES)
    assert len({hero["name"] for hero in heroes.values()}) == 7
    assert [name for name, hero in heroes.items() if hero["size"] == "small"] == ["rogue"]


FAMILIES = {"vermin", "goblins", "undead", "beasts", "brutes", "sorcerers"}


def test_a_bestiary_of_six_families_and_a_dragon_each_creature_with_a_miniature_of_its_own():
    monsters = content.monsters("olde")
    assert set(MONSTERS) <= set(monsters)
    assert len(monsters) >= 36
    families = [monster["family"] for monster in monsters.values()]
    assert set(families) == FAMILIES | {"dragons"}
    assert all(families.count(family) >= 6 for family in FAMILIES)
    assert monsters["ember_dragon"]["space"] == 3
    drawn = [paths.asset("art", "minis", f"{m['art']}.svg").read_bytes() for m in monsters.values()]
    assert len(set(drawn)) == len(monsters)
    played = {monster["temperament"] for monster in monsters.values()}
    assert played == {"cunning", "brute", "aggressive", "coward", "skirmisher"}
    assert monsters["ogre"]["space"] == 2
    for creature in (*monsters.values(), *content.heroes("olde").values()):
        assert paths.asset("art", "minis", f"{creature['art']}.svg").is_file()
        assert creature["summary"].endswith((".", "!")) and creature["threat"] > 0


def test_a_template_is_a_copy_that_its_taker_may_change():
    content.template("olde", "goblin")["skills"]["Maces"] = "Master"
    assert content.template("olde", "goblin")["skills"]["Maces"] == "Apprentice"


def test_overrides_replace_wholly_and_dotted_ones_change_a_member():
    goblin = content.template("olde", "goblin")
    merged = content.merge(
        goblin, {"skills": {"Axes": "Foreman"}, "stats.hp": 3, "weapons.0": "hatchet", "name": "Snik"}
    )
    assert merged["skills"] == {"Axes": "Foreman"}
    assert (merged["hp"], merged["weapons"], merged["name"]) == (3, ["hatchet"], "Snik")
    assert content.merge(goblin, {"skills.Axes": "Foreman"})["skills"]["Maces"] == "Apprentice"
    assert goblin["name"] == "Goblin"


def test_a_dotted_override_that_fits_nothing_is_refused():
    with pytest.raises(ContentError, match=r"override 'armor\.weight'"):
        content.merge(content.template("olde", "goblin"), {"armor.weight": 3})


@pytest.mark.parametrize(
    "call, said",
    [
        (lambda: content.template("olde", "gobiln"), "did you mean 'goblin'?"),
        (lambda: content.tables("chess"), "no content for 'chess'; there is:"),
        (lambda: content.heroes("../olde"), "no content for '../olde'"),
    ],
)
def test_an_unknown_name_gets_one_line_that_helps(call, said):
    with pytest.raises(ContentError) as error:
        call()
    assert said in str(error.value) and "\n" not in str(error.value)


@pytest.fixture
def broken(tmp_path, monkeypatch):
    """A copy of the content in which one file is replaced."""
    folder = tmp_path / "content" / "olde"
    folder.mkdir(parents=True)
    for path in paths.asset("content", "olde").glob("*.toml"):
        (folder / path.name).write_bytes(path.read_bytes())
    monkeypatch.setattr(paths, "asset", lambda *parts: tmp_path.joinpath(*parts))
    for cached in (content._named, content._creature, content._gear):
        cached.cache_clear()
    yield folder
    for cached in (content._named, content._creature, content._gear):
        cached.cache_clear()


def test_a_fight_asks_only_for_those_who_fight(broken):
    text = (broken / "monsters.toml").read_text(encoding="utf-8")
    (broken / "monsters.toml").write_text(f'{text}\n[[creature]]\nid = "wisp"\nbrawn = "much"\n', encoding="utf-8")
    assert content.template("olde", "goblin")["template"] == "goblin"
    for ask in (lambda: content.template("olde", "wisp"), lambda: content.monsters("olde")):
        with pytest.raises(ContentError, match=r"monsters\.toml: creature 'wisp': brawn: "):
            ask()


def test_a_table_is_read_when_it_is_asked_for(broken):
    (broken / "spells.toml").write_text("[[spell", encoding="utf-8")
    shelf = content.Shelf("olde")
    assert set(shelf) == set(content._gear_files("olde")) and "spells" in shelf
    assert shelf["weapons"] == content._gear("olde", "weapons")
    assert shelf.get("potions", ()) == ()
    with pytest.raises(ContentError, match=r"spells\.toml: is no valid TOML"):
        shelf["spells"]


SHIELD = '[[shield]]\nname = "pot lid"\ndefense = {defense}\nbrawn = 4\nspell = 0\nsize = 1\ncost = 1\n'


@pytest.mark.parametrize(
    "text, said",
    [
        (SHIELD.format(defense='"much"'), "shields.toml: shield 'pot lid': defense:"),
        (SHIELD.format(defense=1) * 2, "shields.toml: shield 'pot lid': name: there are two of that name"),
        (SHIELD.format(defense=1).replace("pot lid", ""), "shields.toml: shield number 1: name: a name is missing"),
        ("[[shield", "shields.toml: is no valid TOML"),
        ("shield = 3", "shields.toml: has no [[shield]] entries"),
        ('[[turnip]]\nname = "turnip"', "shields.toml: [[turnip]]: the ruleset 'olde' has no such kind"),
    ],
)
def test_a_faulty_table_is_named_by_file_entry_and_field(broken, text, said):
    (broken / "shields.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ContentError) as error:
        content.tables("olde")
    assert said in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize(
    "old, new, said",
    [
        ("brawn = 4", "brawn = -4", "monsters.toml: creature 'giant_rat': brawn:"),
        ('weapons = ["fangs"]', 'weapons = ["fnags"]', "creature 'giant_rat': weapons: nothing in weapons.toml"),
        ('Sneak = "Apprentice"', 'Sneak = "Adept"', "creature 'giant_rat': skills:"),
        ("savvy = 2", "", "creature 'giant_rat': savvy:"),
    ],
)
def test_a_faulty_creature_is_named_by_file_entry_and_field(broken, old, new, said):
    text = (broken / "monsters.toml").read_text(encoding="utf-8")
    (broken / "monsters.toml").write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ContentError) as error:
        content.monsters("olde")
    assert said in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize("ruleset", ["olde", "cairn", "countup"])
def test_the_schemas_for_editors_are_current(ruleset):
    for name, schema in schemas.schemas(ruleset).items():
        stored = paths.asset("schema", name).read_text(encoding="utf-8")
        assert stored == schemas.schema_text(schema), f"run game.content.schemas.write_schemas: {name} is out of date"


def test_every_content_file_has_a_schema_with_its_entries():
    for path in paths.asset("content", "olde").glob("*.toml"):
        schema = json.loads(paths.asset("schema", f"olde.{path.stem}.json").read_text(encoding="utf-8"))
        assert list(schema["properties"]) == list(tomllib.loads(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("name", [*PACKAGES, *MONSTERS])
def test_every_template_stands_in_a_fight_with_its_first_weapon_at_hand(name):
    creatures = [
        {"id": "it", "template": name, "side": "heroes", "at": [1, 1], "controller": "human"},
        {"id": "foe", "template": "goblin", "side": "monsters", "at": [6, 1], "surprised": True},
    ]
    rows = ["#########", "#.......#", "#.......#", "#########"]
    record = {"format": "battlemat/1", "ruleset": "olde", "map": {"rows": rows}, "seed": 3, "creatures": creatures}
    match = Match.from_record(record)
    entry = content.template("olde", name)
    held = match.ruleset.summary(match.state)["creatures"]["it"]["weapons"]
    natural = _weapons()[entry["weapons"][0]].get("natural", False)
    assert natural or held[0] == entry["weapons"][0]
    sheet = match.ruleset.sheet(match.state, "it")
    assert (sheet.name, sheet.art) == (entry["name"], entry["art"])


def test_natural_weapons_and_unarmed_are_kept_apart():
    assert not {"unarmed", "improvised"} & set(_weapons())
