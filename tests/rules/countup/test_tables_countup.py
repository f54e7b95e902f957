"""The figures of the tables (countup.md §2.2, §2.5, §5), as they come out in a fight."""

from __future__ import annotations

import pytest

from game.content import tables as content
from rules.core.validate import creature
from rules.countup.gear import Amount, Armoury
from rules.countup.statblock import StatBlock, being
from tests.rules.countup.creatures import Fight
from tests.rules.countup.creatures import being as being_at_table

TABLES = content.tables("countup")
ARMOURY = Armoury(TABLES)
SPELLS = ARMOURY.spells


def dice(amount: Amount) -> str:
    return "+".join(part.text for part in amount.dice) + (f"+{amount.flat}" if amount.flat else "")


WEAPONS = """
knife            S  7  0 d6p         0             1   P    1
dagger           S  7  5 2d4p        0             1   H/P  1
short_sword      S  8  7 2d6p        lower_of_2d6p 2   H/P  1
hand_axe         S  8  0 d4p+d6p     d6p           1.5 H    1
throwing_axe     S  7  0 d4p+d6p     d4p           1   H    1
warhammer        S  8  0 2d6p        d6p           1.5 C    1
scourge          S  9  0 2d4p        0             1.5 H    1
club             M 10  0 d6p+d4p     d6p           2.5 C    1
mace             M 11  0 d6p+d8p     d8p           2   C    1
morning_star     M 11  0 2d8p        d8p           3   C/P  1
flail            M 13  0 2d8p        d8p           4   C    1
scimitar         M  9  0 2d8p        d8p           3   H    1
longsword        M 10  8 2d8p        d8p           3.5 H/P  1
battle_axe       M 12  0 4d3p        3d3p          3   H    1
great_sword      M 12  9 d8p+d10p+3  d10p+3        4.5 H/P  2
javelin          M  7  0 d12p        1             5   P    1
staff            L 13  0 2d4p+3      d4p           8   C    2
spear            L 12  8 2d6p+3      lower_of_2d6p 13  P    2
halberd          L 14 12 2d10p+3     d10p+3        7   H/P  2
bardiche         L 14  0 4d4p+3      2d4p+3        5   H    2
two-handed_sword L 16  0 2d12p+3     d12p+3        6   H/P  2
torch            S  8  0 d4p         d4p           2   C    1
"""


@pytest.mark.parametrize("row", WEAPONS.split("\n")[1:-1])
def test_weapons(row: str) -> None:
    name, size, speed, jab, damage, shield, reach, kind, hands = row.split()
    weapon = ARMOURY.weapons[name.replace("_", " ")]
    against = dice(weapon.shield_harm) if weapon.shield_harm.dice else str(weapon.shield_harm.flat)
    assert (weapon.size, weapon.speed, weapon.jab) == (size, int(speed), int(jab))
    assert (dice(weapon.harm), against) == (damage, shield.replace("_", " "))
    assert (weapon.reach, weapon.kind, weapon.hands) == (float(reach), kind, int(hands))
    assert weapon.settable == (name in ("spear", "halberd"))


MISSILES = """
longbow         2d8p    60 120 160 210  5  2 1 0 12
shortbow        2d6p    50  80 120 150  5  2 1 0 12
light_crossbow  2d6p    60 100 140 180  5 10 1 0 20
heavy_crossbow  2d10p   80 140 190 250  5 50 1 0 60
sling           d4p+d6p 40  80 120 160  2  2 0 2 10
hurled_javelin  d12p    30  50  70 100  1  1 0 1  7
hurled_axe      d4p+d6p 20  30  40  60  0  2 0 1  7
throwing_knife  d6p     20  30  40  50  0  1 0 1  6
"""


@pytest.mark.parametrize("row", MISSILES.split("\n")[1:-1])
def test_missiles(row: str) -> None:
    name, damage, *figures = row.split()
    weapon = ARMOURY.weapons[name.replace("_", " ")]
    assert dice(weapon.harm) == damage
    assert (*weapon.brackets, *weapon.phases) == tuple(int(figure) for figure in figures[:8])
    aim = 4
    assert sum(weapon.phases) + aim == weapon.speed == int(figures[8])


@pytest.mark.parametrize(
    "row",
    [
        ("thick robes", 1, -1, 0, 0, 4),
        ("leather", 2, -2, 0, 0, 4),
        ("padded", 2, -2, 1, 0, 4),
        ("studded leather", 3, -3, 1, 0, 4),
        ("ring mail", 4, -4, 1, 1, 3),
        ("scale mail", 5, -6, 3, 2, 2),
        ("chain mail", 5, -5, 2, 2, 3),
        ("banded mail", 6, -4, 2, 1, 3),
        ("plate mail", 7, -5, 2, 2, 2),
    ],
)
def test_armour(row: tuple[str, int, int, int, int, int]) -> None:
    suit = ARMOURY.armour[row[0]]
    assert (suit.reduction, suit.defence, suit.initiative, suit.speed, suit.quarters) == row[1:]


@pytest.mark.parametrize("row", [("small", 4, 4, 19, 0), ("medium", 6, 6, 16, 11), ("large", 6, 6, 11, 6)])
def test_shields(row: tuple[str, int, int, int, int]) -> None:
    shield = ARMOURY.shields[f"{row[0]} shield"]
    assert (shield.defence, shield.reduction, shield.cover, shield.crouched) == row[1:]


# Size, HP, initiative, speed (jab), reach, attack, damage, defence with the shield, reduction, pain, trauma, saves.
MONSTERS = """
orc           M 27  5  9  0  3   3 2d8p+2  d8p+2            2 3 11  6 4/1/3
kobold        S 15  3  6  4  0   2 2d4p-3  -3               4 2  6  4 2/1/2
skeleton      M 31  0  9  0  3   1 2d8p-1  d8p-1            7 3  0  0 1/-/1
wolf          M 30 -2 10  0  2   3 2d4p+2  3                3 2 12 10 5/2/4
dire_wolf     M 40 -2  8  0  2   5 4d4p    2d4p             5 3 16 10 7/2/5
black_bear    L 47 -1  4  0  2   8 2d6p+4  d6p+4           -1 9 19 11 9/8/7
hobgoblin     M 27  3 10  8  3.5 5 2d8p+1  d8p+1           -2 4 11  6 3/2/3
goblin        S 18  2  8  7  2   2 2d6p-1  lower_of_2d6p-1  3 2  8  5 2/1/4
giant_rat     S 10 -1  6  0  0.5 1 d4p+d3p 1                4 0  4  4 1/0/4
bandit        M 25  3  8  7  2   2 2d6p+1  lower_of_2d6p+1  3 2 10  5 2/1/2
bandit_archer M 23  2 12  0  0   3 2d6p    1                1 2 10  5 2/1/3
guard         M 28  4 13  9 13   2 2d6p+4  lower_of_2d6p+1 -4 4 12  6 3/2/2
zombie        M 30  6 12  0  2   1 2d6p    d6p             -4 2  0  0 4/-/-2
ghoul         M 28  0  6  0  2   4 2d4p+1  d4p+1            3 2 12  8 4/3/4
giant_spider  M 26 -2  9  0  2   4 2d4p    1                5 3 11  8 3/1/5
gnoll         L 34  3 13  0  5   4 2d8p+3  d8p+3           -1 3 14  7 5/2/3
lizard_folk   M 30  3 12  8 13   3 2d6p+4  lower_of_2d6p+1 -2 4 12  7 5/2/3
ogre          L 50  4 13  0  5   6 2d10p+6 d10p+6          -3 4 20  9 7/2/2
minotaur      L 55  1 12  0  4.5 7 4d3p+8  3d3p+5          -1 4 22 10 8/4/3
troll         L 60  0  6  0  5   7 2d8p+4  d8p+4            1 4 24 11 9/3/4
"""


@pytest.mark.parametrize("row", MONSTERS.split("\n")[1:-1])
def test_monsters(row: str) -> None:
    (name, size, hp, init, speed, jab, reach, attack, damage, shield, defence, reduction, pain, trauma, saves) = (
        row.split()
    )
    raw = content.monsters("countup")[name]
    block = being(creature(StatBlock, {**raw, "id": name, "side": "monsters", "at": [1, 1]}, name), ARMOURY, name)
    weapon = block.natural[0] if block.natural else ARMOURY.weapons[block.weapons[0]]
    slow = block.armour.speed if block.armour and not weapon.natural else 0
    held = ARMOURY.shields[block.shield].defence if block.shield else 0
    assert (block.size, block.hp_max, block.initiative) == (size, int(hp), int(init))
    assert weapon.speed + (0 if weapon.ranged else slow) == int(speed)
    assert (weapon.jab and weapon.jab + slow) == int(jab)
    assert (weapon.reach, block.attack) == (float(reach), int(attack))
    assert with_bonus(weapon.harm, block.damage) == damage
    assert with_bonus(weapon.shield_harm, block.damage) == shield.replace("_", " ")
    assert (block.defence + held, block.reduction, block.pain) == (int(defence), int(reduction), int(pain))
    assert block.trauma == int(trauma)
    assert "/".join("-" if save is None else str(save) for save in block.saves) == saves


def with_bonus(amount: Amount, bonus: int) -> str:
    text, total = dice(Amount(amount.dice)), amount.flat + bonus
    return f"{text}{total:+d}".replace("+0", "") if text else str(total)


# Index, casting time in seconds, range in spaces, save, how long it lasts in seconds.
SPELL_ROWS = """
Fire_Finger             0 1  1 dodge      0
Candlelight             1 1  2 -        600
Bar_Portal              1 1 12 -         60
Enrage                  1 1 12 mental    60
Yudder's_Whistle        1 1  0 mental    10
Scorch                  2 1  2 dodge      0
Doze                    2 1  8 mental    60
Magic_Shield            2 1  0 -         60
Bash_Door               2 1  6 -          0
Magic_Projectile        3 1 36 -          0
Charm                   3 1  6 mental   600
Slippery_Surface        3 1  6 dodge     60
Smoke_Screen            3 5 18 -        300
Torchlight              3 1 20 -        600
Rope_Charm              4 2 12 dodge     60
Veil_of_Darkness        4 2  6 -        600
White_Hot_Metal         4 2  2 -         10
Cheetah_Speed           4 2  1 -         30
Motion_Blur             5 1  1 -         60
Enfeeble                5 2 12 dodge     30
Skipping_Betty_Fireball 5 2 12 dodge      0
Fist_of_Thunder         6 2 20 physical   0
Panic                   6 2 36 mental    10
Copycat                 6 2  0 -         90
Bless                   2 5  1 -        300
Command                 2 1  6 mental    10
Cause_Fear              2 4  1 mental    20
"""


@pytest.mark.parametrize("row", SPELL_ROWS.split("\n")[1:-1])
def test_spells(row: str) -> None:
    name, index, casting, reach, save, lasts = row.split()
    spell = SPELLS[name.replace("_", " ")]
    assert (spell.index, spell.casting, spell.reach) == (int(index), int(casting), int(reach))
    assert (spell.save or "-", spell.lasts) == (save, int(lasts))


@pytest.mark.parametrize(
    ("name", "seconds", "harm"),
    [
        ("Trifling Cure", 3, "d3p"),
        ("Trivial Cure", 3, "d4p"),
        ("Minor Cure", 4, "d6p"),
        ("Small Cure", 4, "d6p+1"),
        ("Light Cure", 5, "d8p+1"),
        ("Lesser Cure", 5, "2d4p+2"),
        ("Trivial Harm", 2, "d6p"),
        ("Minor Harm", 3, "d6p+1"),
        ("Light Harm", 3, "2d4p+2"),
    ],
)
def test_cures_and_harms(name: str, seconds: int, harm: str) -> None:
    spell = SPELLS[name]
    assert spell.divine
    assert spell.casting == seconds
    assert harm in (dice(spell.cure), dice(spell.harm))


@pytest.mark.parametrize(
    ("name", "better"),
    [
        ("Trifling Cure", "d4p"),
        ("Trivial Cure", "d6p"),
        ("Minor Cure", "d6p+1"),
        ("Small Cure", "d8p+1"),
        ("Light Cure", "2d4p+2"),
        ("Lesser Cure", "2d6p+2"),
    ],
)
def test_cures_of_the_anointed(name: str, better: str) -> None:
    assert dice(SPELLS[name].better_cure) == better


# HP, pain, trauma, initiative, attack, defence (with the shield), reduction, the weapon's speed with the armour's.
@pytest.mark.parametrize(
    "row",
    [
        ("hale", 30, 10, 6, 3, 1, -1, 5, 2, "longsword", 10),
        ("bram", 31, 10, 7, 6, 0, -5, -5, 5, "two-handed sword", 18),
        ("tess", 24, 8, 5, -2, 3, 3, 3, 2, "short sword", 8),
        ("mog", 22, 7, 5, 4, 3, 1, 1, 1, "staff", 13),
        ("cora", 28, 9, 6, 4, 0, -2, 4, 4, "mace", 12),
        ("arn", 27, 9, 5, 2, 3, 0, 0, 2, "longbow", 12),
    ],
)
def test_characters(row: tuple[str, int, int, int, int, int, int, int, int, str, int]) -> None:
    name, hp, pain, trauma, init, attack, defence, covered, reduction, weapon, speed = row
    raw = content.heroes("countup")[name]
    block = being(creature(StatBlock, {**raw, "id": name, "side": "heroes", "at": [1, 1]}, name), ARMOURY, name)
    held = ARMOURY.shields[block.shield].defence if block.shield else 0
    assert (block.hp_max, block.pain, block.trauma, block.initiative) == (hp, pain, trauma, init)
    assert (block.attack, block.defence, block.defence + held, block.reduction) == (attack, defence, covered, reduction)
    assert block.weapons[0] == weapon
    slow = block.armour.speed if block.armour else 0
    assert ARMOURY.weapons[weapon].speed + slow == speed


def test_a_kobold_answers_a_near_perfect_defence_with_its_dagger() -> None:
    """Its dagger is of the dagger's class: no fist (countup.md §2.1)."""
    block = content.template("countup", "kobold")
    kobold = {**block, "id": "b", "side": "monsters", "at": [2, 1], "shield": None, "initiative": 0}
    fight = Fight(being_at_table("a", (1, 1)), kobold, throws=[1, 1, 19, 2, 2, 15, 3, 3, *[None] * 90])
    for who in ("a", "b"):
        fight.do(who, "policy", option="stand")
    fight.hold("b", seconds=1)
    fight.do("a", "attack", target="b")
    assert [(blow["by"], blow["weapon"]) for blow in fight.all("attack")] == [("a", "longsword"), ("b", "dagger")]
