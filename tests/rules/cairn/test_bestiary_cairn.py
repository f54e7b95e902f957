"""The bestiary's figures, weapons and armour as the book has them (cairn.md §5.1, §5.2, §5.6, §5.7)."""

from __future__ import annotations

import pytest

from game.content import tables as content

BESTIARY = """
acolyte 4 1 8 11 14 - d6
aranea 6 0 13 12 15 - d8
bandit 4 1 12 12 9 - d6, d6
banshee 8 0 6 12 15 - d8
basilisk 10 1 12 13 13 - d10
blink_dog 5 0 11 14 5 - d6
blood_elk 4 0 12 13 5 - d8
boggart 3 0 4 17 13 - -
bone_construct 8 3 15 5 3 DET d8+d8
bugbear 8 1 14 12 11 - d8
burrowing_horror 6 1 16 11 4 - d10, d8*
cave_locust 2 0 6 12 3 - d6
centaur 6 1 14 12 14 - d8, d6
cobblehounds 12 2 14 1 8 - d10
creeping_vines 8 0 10 12 2 - d4*
crypt_guardian 12 0 12 11 14 - d8+d8
dryad 4 0 8 12 14 - d6
ettin 10 0 16 8 6 - d10
eye_of_terror 15 0 9 8 16 - d8
frost_elf 14 1 8 13 14 - d6
gargoyle 8 3 14 4 12 - d8+d8
gelatinous_ooze 8 1 15 6 3 - d8
ghost 8 0 14 12 15 - d6
ghoul 6 0 14 8 3 - d6+d6
giant_scorpion 8 1 11 12 4 - d10+d10
gnoll 6 1 12 14 8 - d8
goblin 4 0 8 12 8 - d6, d6
green_dragon 12 2 14 15 18 DET d12
griffon 7 0 14 15 12 DET d6+d6
grizzly_bear 6 0 15 13 5 - d8+d8
harpy 8 0 7 12 14 - d6+d6
hellhound 8 0 12 15 9 - d8, d6*
hobgoblin 6 2 14 8 11 - d8
hooded_men 12 0 9 12 14 - d8
hydra 12 2 13 7 12 DET d12*
invisible_stalker 8 0 12 12 15 - d4+d4
killer_bees 6 0 6 14 8 DET d6
kobold 3 0 8 13 4 - d6, d8
lamia 6 0 11 12 16 - d8
lich 14 1 8 8 18 - d8
manticore 6 0 15 14 12 - d6+d6, d8
mimic 9 2 13 6 12 - d8
mind_lasher 12 0 8 12 18 - d6*
minotaur 12 1 16 12 8 - d10, d12
mummy 6 0 12 8 6 - d10
naga 6 1 14 12 14 - d6, d10
night_cat 6 0 9 14 5 - d6+d6
night_hag 8 0 9 11 16 - d8+d8
nightmare 8 0 15 12 8 - d8+d8
ogre 6 1 16 8 6 - d10
owlbear 9 0 16 12 5 - d10, d8+d8
phoenix 4 0 15 13 12 - d10+d10
pixie 3 0 3 15 13 - -
purple_worm 18 1 18 8 6 DET d12
red_cap 6 0 6 12 8 - d6+d6
reptilian 5 1 14 12 5 - d8
root_goblin 4 0 8 14 8 - d6
root_witch 8 0 9 16 14 - d6
rust_monster 5 0 16 13 5 - d6
sea_hag 6 0 11 15 14 - d6+d6
shadow 14 0 1 18 14 - d6!
shambling_mound 9 0 15 6 8 DET d8+d8
skeleton 5 1 8 13 0 - d6, d6
sky_giant 12 1 16 12 14 DET d10
sphinx 18 0 12 13 18 - d8+d8*, d10
storm_giant 18 2 18 16 18 DET d12
swine_thing 9 0 16 8 13 - d6+d6
titan 18 3 16 15 18 DET d12
treant 10 3 15 3 12 - d8+d8*
triton 6 0 12 15 12 - d8
troll 14 1 14 12 4 - d10, d8+d8
unicorn 6 0 14 12 14 - d10!
vampire 12 1 14 12 16 - d10
viper 3 0 5 12 3 - d6
warp_panther 8 0 13 16 12 - d8+d8*, d10
warrior_snail 4 2 14 6 3 - d8+d8
water_elemental 14 0 15 16 4 - d8
werewolf 8 0 15 14 6 - d6+d6, d8
wight 12 3 16 8 12 - d10
will_o_wisp 3 0 6 17 12 - -
wolf 6 0 12 14 8 - d8
wood_troll 10 0 15 12 7 - d8, d10
wyvern 11 0 15 14 13 - d10
zombie 2 0 12 6 3 - d6
"""
"""Name, HP, Armor, STR, DEX, WIL, detachment, attacks; * is a blast, ! ignores Armor."""
FURTHER = """
air_elemental 16 0 11 15 8 DET -
berserker 10 1 14 13 15 - d8+d8
black_bear 6 0 14 12 6 - d6+d6
black_dragon 16 1 13 18 14 DET d12, d10+d10
black_pudding 12 0 11 5 3 - d8
blue_dragon 14 3 14 16 15 DET d12, d10+d10
boar 3 0 12 9 6 - d6
bronze_construct 3 3 18 6 0 DET d10+d10
camel 3 0 14 13 4 - d6
catoblepas 7 1 16 9 13 - d8
chimera 10 0 14 11 13 - d10
cockatrice 5 0 8 14 4 - d6
couatl 9 0 6 12 15 - d6
cyclops 9 0 18 8 6 - d10
deep_one 6 0 14 16 12 - d8
dire_wolf 8 0 14 12 8 - d10
djinn 15 0 16 16 18 DET d10+d10
draugr 12 2 15 9 13 - d8
driver_ant 3 0 4 12 1 - d6
dwarf 4 2 14 6 13 - d8
earth_elemental 12 3 16 6 5 - d10
elephant 9 0 16 6 11 - d10
elf 4 1 8 12 14 - d6, d8
estrie 10 0 11 15 14 - d8
false_dragon 4 0 8 14 12 - d6
fire_beetle 2 1 4 14 3 - d6
fire_elemental 16 0 8 12 14 DET d10*
fire_giant 13 3 17 8 5 - d10
flesh_construct 9 1 15 8 8 DET d10+d10
foxwoman 8 0 12 14 15 - d6+d6, d8
frost_giant 14 2 18 9 12 - d12, d8
giant_aquatic_spider 4 0 13 8 4 - d8
giant_centipede 5 0 6 13 3 - d6
giant_crab 6 3 14 3 8 - d8+d8
giant_crocodile 15 3 16 6 5 DET d12
giant_mantis 10 1 12 14 12 - d8+d8
giant_phase_spider 6 0 13 14 12 DET d6
giant_draco 6 0 14 14 5 - d10
gnome 4 0 8 12 14 - d8
golem 12 3 18 6 0 - d10+d10
gorilla 3 0 14 14 9 - d8+d8
great_white_shark 8 0 14 14 6 - d12
green_slime 3 0 18 6 3 - d10
halfling 4 0 8 14 14 - d6
hunting_dog 3 0 4 12 8 - d6
ifrit 10 0 11 13 14 - d10
iron_construct 8 3 15 5 8 - d12
kraken 16 0 15 13 8 - d10*
lion 5 0 12 12 11 - d6+d6
medusa 10 0 8 12 16 - d8
panther 4 0 11 14 8 - d6+d6
pseudodragon 4 0 6 14 13 - d6
red_dragon 18 3 18 12 16 DET d12
roc 15 0 16 14 12 DET d12*
sabre_toothed_cat 8 0 15 14 3 - d8+d8
satyr 6 0 11 14 16 - d6
tiger 6 0 14 14 6 - d8+d8
tyrannosaurus 15 1 18 12 8 DET d12
vampire_bat 3 0 6 14 3 - d8
white_ape 6 0 14 15 12 - d6+d6, d6*
white_dragon 16 1 16 16 12 DET d12
giant_rat 3 0 6 10 6 - d6, d4+d4
city_guard 4 1 11 14 12 DET d6
traitor_rats 3 0 5 15 4 DET d6
orc 5 1 12 10 8 - d8
"""
"""The same of the further creatures (§5.7): stat lines alone."""
OURS = """
drowned_brother 3 0 8 4 8 - d4
vesper_shade 4 0 5 7 14 - d6
drowned_abbot 7 1 12 6 15 - d8
wrecker 3 0 9 7 8 - d4
wrecker_captain 7 1 12 9 12 - d8, d6
silt_eel 2 0 6 7 4 - d4
mere_crab 3 1 8 6 4 - d4
mere_mother 20 3 18 12 12 DET d10*, d12+d12
novice 3 0 9 12 10 - d6
"""
"""Of the drowned abbey (§5.6 Creatures of the abbey)."""
VARIANTS = ("bandit_leader", "bandit_gang", "gnoll_pack")
"""What descriptions give besides: leaders and crowds of the same kind."""
WEAPONS = {
    (6, 1): "dagger cudgel sickle staff knife hand_axe sling", (8, 1): "spear sword mace axe flail",
    (10, 2): "halberd war_hammer long_sword battleaxe", (6, 2): "bow", (8, 2): "crossbow",
}  # fmt: skip
ARMOUR = {
    "shield": (1, True, 1), "helmet": (1, True, 1), "gambeson": (1, True, 1), "brigandine": (1, False, 2),
    "chainmail": (2, False, 2), "plate": (3, False, 2),
}  # fmt: skip


@pytest.mark.parametrize(
    "line", (BESTIARY + FURTHER[1:] + OURS[1:]).split("\n")[1:-1], ids=lambda line: line.split()[0]
)
def test_a_creature_is_as_the_book_has_it(line: str) -> None:
    name, hp, armor, strength, dexterity, willpower, mass, *attacks = line.split(maxsplit=7)
    block = content.monsters("cairn")[name]
    scores = (block["hp_max"], block.get("armor", 0), block["strength"], block["dexterity"], block["willpower"])
    assert scores == tuple(map(int, (hp, armor, strength, dexterity, willpower)))
    assert block.get("detachment", False) is (mass == "DET")
    told = [
        "+".join(f"d{die}" for die in a["dice"]) + "*" * bool(a.get("blast")) + "!" * a.get("ignores_armor", False)
        for a in block.get("attacks", ())
    ]
    assert (", ".join(told) or "-") == attacks[0]


def test_the_bestiary_is_whole() -> None:
    book = [line.split()[0] for line in BESTIARY.strip().split("\n")]
    assert len(book) == 84
    more = [line.split()[0] for line in (FURTHER + OURS[1:]).strip().split("\n")]
    assert [name for name in content.monsters("cairn") if name not in VARIANTS] == book + more


def test_weapons_have_their_dice_and_slots() -> None:
    table = {weapon["name"]: weapon for weapon in content.tables("cairn")["weapons"]}
    for (die, slots), names in WEAPONS.items():
        for name in names.split():
            weapon = table[name.replace("_", " ")]
            assert (tuple(weapon["dice"]), weapon.get("slots", 1)) == ((die,), slots), name


def test_armour_has_its_figures() -> None:
    table = {piece["name"]: piece for piece in content.tables("cairn")["armour"]}
    for name, figures in ARMOUR.items():
        piece = table[name]
        assert (piece["armor"], piece.get("stacks", False), piece.get("slots", 1)) == figures, name
