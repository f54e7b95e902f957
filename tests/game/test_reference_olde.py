"""The rules reference against the rulebook: every table, written down here a second time, can be looked up."""

from __future__ import annotations

import pytest

from game.content import reference

# ruff: noqa: E501 -- a table reads best one line for each row
BOOK: dict[str, str] = {
    # §1
    "olde.md §1 odd dice": """
        d2 | two faces | 2 | 2
        d3 | three faces | 3 | 3
        d5 | d6 | 5 | 3
        d7 | d8 | 7 | 4
        d9 | d10 | 9 | 5
        d11 | d12 | 11 | 6""",
    # §2
    "olde.md §2 stats": """
        Hit points | Brawn + half of Nerve
        Mana | Savvy + half of Nerve
        Faith | Nerve + half of Savvy""",
    "olde.md §2 size": """
        Free steps, medium | 2
        Free steps, small | 1""",
    "olde.md §2 character points": """
        3 | −5 | –
        4 | −2 | 3
        5 | 0 | 2
        6 | 1 | 1
        7 | 3 | 2
        8 | 5 | 2
        9 | 8 | 3
        10 | 11 | 3
        11 | 15 | 4
        12 | 20 | 5""",
    "olde.md §2 ranks": """
        Untrained | −2 | 0 | –
        Apprentice | 0 | 1 | 1
        Journeyman | +1 | 2 | 1
        Foreman | +2 | 4 | 2
        Master | +3 | 6 | 2
        Grand Master | +4 | 9 | 3
        Legendary Master | +5 | 12 | 3""",
    "olde.md §2 skill sets": """
        Melee Combat | 4 / 3 | Axes, Knives, Maces, Shields, Spears, Swords
        Ranged Combat | 2 / 2 | Bows, Crossbows, Long Guns, Pistols
        Streetfighting | 2 / 2 | Brawling, Knives, Thrown Weapons
        Swashbuckling | 2 / 3 | Fencing, Knives, Swords
        Animal Handling | 3 / 3 | Command, Drive, Ride, Train, Veterinarian
        Survival | 3 / 3 | Alertness, Camouflage, Forage, Pathfinding, Tracking
        Stealth | 3 / 4 | Alertness, Camouflage, Disable, Escape, Murder, Pursuit, Sleight-of-hand, Sneak
        Ministry | 3 / 2 | Entertain, Healing, Literacy, Persuade, Profession: Minister
        Scholarship | 3 / 3 | Literacy and five fields of Knowledge
        Linguistics | 3 / 2 | five languages
        Might | 4 / 3 | Burst, Climb, Endure, Leap, Lift/Shift, Pursuit, Ride, Swim
        Grace | 4 / 3 | Climb, Dodge, Pursuit, Ride, Swim, Tumble
        Acumen | 4 / 3 | Alertness, Healing, Insight, Investigation, Literacy, Research, Trivia
        Influence | 3 / 3 | Deception, Disguise, Entertain, Intimidate, Negotiate, Persuade""",
    "olde.md §2 skill packages": """
        Priest | Axes, Knives, Maces, Quarterstaff, Spears or Swords; Shields or one Journeyman; Ministry; Faith
        Ranger | Axes, Knives, Maces, Spears or Swords; Ranged Combat; Survival; Stealth or Animal Handling; one Journeyman
        Rogue | Streetfighting, Stealth and Grace; one Journeyman
        Templar | Axes, Maces or Swords; Shields; Might and Ministry; one Journeyman
        Troubadour | Swashbuckling, Grace and Influence; Profession: Performer; one Journeyman
        Warrior | Melee Combat; Bows, Crossbows or Thrown Weapons; Might; one Journeyman
        Wizard | Knives, Quarterstaff or Swords; Scholarship; Wizardry""",
    # §3
    "olde.md §3 ratings": """
        Trivial | 3
        Easy | 6
        Moderate | 9
        Hard | 12
        Heroic | 15
        Superhuman | 18
        Godly | 21""",
    "olde.md §3 ranks of success": """
        0 to +2 | 1 of success
        +3 to +5 | 2 of success
        +6 to +8 | 3 of success
        −1 or −2 | 1 of failure
        −3 to −5 | 2 of failure
        −6 to −8 | 3 of failure""",
    # §4
    "olde.md §4 reset phase": """
        1 | Bleeding
        2 | Temporary
        3 | Recovery
        4 | 1 Mana or 1 Faith
        5 | Action points
        6 | Free steps""",
    "olde.md §4 movements": """
        Step | 1 a space | up to 3 spaces a round
        Run | 1 for 2 spaces | up to 6 spaces a round; Defense −1 for each AP
        Climb | 2 | one level
        Drop | 1 | sit, kneel or lie
        Rise | 2/Only | feet
        Leap | 1 | 1 space (Easy) or 2 (Hard)""",
    "olde.md §4 actions": """
        Attack | 2 | melee or ranged
        Rushed Attack | 1 | attack −2; own Defense −1
        All-Out Attack | 3/Only | attack +2, damage +4; own Defense −3
        Aimed Shot | 3 | attack +2, damage +2; own Defense −2
        Shield Block | 2 | Defense +2 against melee
        Cast Spell | as it says | Mana or Faith
        Use | 3/Only | potion, scroll or device
        First Aid | 3/Only | ally beside one, or oneself
        Recover | 3/Only | 2 Mana or 2 Faith
        Flop | 0 | after any movement
        Reset crossbow | 1 or 3 | Brawn
        Ready | 1 | to let go is free
        Pick up | 1 | own space or beside
        Open or close | 1 | movement or action
        Force or pick | 3/Only | Burst, Lift/Shift or Disable
        Guide | 2 | stunned""",
    # §5
    "olde.md §5 line of sight": """
        clear | centre to centre | 0
        partial | attacker's centre to some point | −3
        minimal | some point of one space to some point of the other | −6
        none | | no attack""",
    # §6
    "olde.md §6 ranged": """
        up to the base range | 0
        up to twice | −2
        up to four times | −4
        up to eight times | −6""",
    "olde.md §6 critical outcomes": """
        +9 and up | Legendary Hit | twice the maximum | the maximum, past armor | 2
        +6 to +8 | Critical Hit | the maximum and 2 | past armor | 1
        +3 to +5 | Solid Hit | 2 more | at least 2 | 0
        0 to +2 | Hit | normal | normal | 0
        −1, −2 | Miss | nothing | nothing | 0
        −3 to −5 | Clean Miss | Defense −2 | the same | 0
        −6 to −8 | Critical Miss | drops the weapon, or falls prone | the same | 1
        −9 and down | Disastrous Miss | the weapon breaks, or the defender strikes back | the same | 2""",
    "olde.md §6 weapons": """
        shortsword | Swords | 0–1 | 6 | 4 | 6 | 2 | 15
        broadsword | Swords | 1 | 8 | 6 | 8 | 3 | 30
        bastard sword | Swords | 1 | 10 | 8 | 10 | 4 | 45
        greatsword | Swords | 1–2 | 12 | 10 | 12 | 4 | 75
        baton | Maces | 0–1 | 4 | 2 | 4 | 1 | 2
        club | Maces | 1 | 6 | 4 | 6 | 2 | 5
        mace | Maces | 1 | 8 | 6 | 8 | 3 | 15
        warhammer | Maces | 1 | 10 | 8 | 10 | 4 | 25
        morningstar | Maces | 1–2 | 12 | 10 | 12 | 4 | 40
        hatchet | Axes | 1 | 4 | 2 | 4 | 1 | 5
        battle axe | Axes | 1 | 6 | 4 | 6 | 2 | 10
        broad axe | Axes | 1 | 8 | 6 | 8 | 3 | 20
        sparth axe | Axes | 1 | 10 | 8 | 10 | 4 | 35
        poleaxe | Axes | 1–2 | 12 | 10 | 12 | 4 | 50
        belt knife | Knives | 0–1 | 2 | – | 3 | 1 | 5
        dagger | Knives | 0–1 | 4 | – | 4 | 1 | 10
        sax | Knives | 0–1 | 6 | – | 6 | 2 | 15
        dagger | Fencing | 0–1 | 4 | – | 4 | 1 | 10
        shortsword | Fencing | 0–1 | 6 | – | 6 | 2 | 15
        backsword | Fencing | 0–1 | 6 | – | 6 | 2 | 25
        rapier | Fencing | 1–2 | 8 | – | 8 | 3 | 50
        javelin | Spears | 0–1 | 6 | 4 | 6 | 2 | 5
        spear | Spears | 1–2 | 8 | 6 | 8 | 4 | 20
        pike | Spears | 1–3 | 10 | 8 | 10 | 5 | 35""",
    "olde.md §6 ranged weapons": """
        shortbow | Bows | 6 | 8 | 2 | 4 | – | 6 | 2 | 10
        hunting bow | Bows | 8 | 8 | 2 | 6 | – | 8 | 2 | 25
        longbow | Bows | 12 | 8 | 2 | 10 | – | 12 | 3 | 60
        crossbow | Crossbows | 10 | 4 | 2 | 4 | 8 | 8 | 3 | 25
        arbalest | Crossbows | 10 | 4 | 2 | 6 | 10 | 10 | 4 | 75
        sling | Sling | 6 | 4 | 2 | 4 | – | 6 | 1 | 3
        knife | Thrown Weapons | 4 | 2 | 1 | 4 | 4 | 1 | 5
        axe | Thrown Weapons | 4 | 2 | 1 | 6 | 6 | 2 | 10
        javelin | Thrown Weapons | 8 | 4 | 1 | 6 | 6 | 2 | 5
        spear | Thrown Weapons | 6 | 4 | 1 | 8 | 8 | 4 | 20""",
    "olde.md §6 shields": """
        buckler | 1 | 6 | −1 | 2 | 20
        roundel | 1 | 6 | −1 | 2 | 5
        targe | 2 | 8 | −2 | 3 | 10
        heater | 2 | 8 | −2 | 4 | 10
        kite | 3 | 10 | −3 | 5 | 30
        pavise | 3 | 11 | −3 | 6 | 25
        tower | 4 | 12 | −4 | 8 | 50""",
    "olde.md §6 armor": """
        leather | light | 1 | 5 | 2 | 15
        gambeson | light | 2 | 7 | 2 | 10
        hardened leather | light | 2 | 6 | 2 | 25
        scale | medium | 3 | 9 | 4 | 50
        chainmail | medium | 3 | 8 | 4 | 75
        brigandine | medium | 4 | 10 | 5 | 125
        plate-and-mail | heavy | 5 | 11 | 5 | 150
        full plate | heavy | 6 | 12 | 6 | 400""",
    "olde.md §6 reflexes": """
        Shield Block | 1 | Shields at Journeyman | counts twice
        Parry | 1 | at Foreman | −2 on own attacks
        Counterattack | 2 | at Master | at −2
        Riposte | 1 | fencing weapon at Journeyman | −1 for each HP""",
    # §7
    "olde.md §7 status": """
        healthy | all
        bruised | half or more
        wounded | at least 1, below half
        incapacitated | 0 or less
        dead | as far below 0 as the maximum""",
    "olde.md §7 rest": """
        comfortable | Easy | Foreman or better | Easy
        in the field | Moderate | Apprentice, Journeyman | Moderate
        under hardship | Hard | untrained | Hard
        no rest at all | Heroic""",
    "olde.md §7 conditions": """
        bleeding | 1 HP in each reset, 1 a minute outside | first aid, magical healing, or Brawn or Nerve against 9
        incapacitated | no movement, no action, no Defense roll (6) | at 1 HP
        rooted | no movement, no free steps | by its cause
        slowed | −3 on the AP die | by its cause
        stunned | no Defense roll (6) | Brawn or Nerve against the damage
        prone | melee −3 to attack and defend; Defense +3 against shots; bows, slings and throws −3, crossbows +2 | Rise
        kneeling, sitting | no free steps | Rise
        blinded | −5 to attack and defend
        dazed | no attacks, no spells, 1 space a round; −2 to defend
        exhausted | −3 on the AP die; −2 on checks of Brawn and Finesse
        fatigued | −2 on the AP die
        frightened | −2 on all checks
        restrained | no movement, no Defense roll
        silenced | no spoken spells""",
    # §8
    "olde.md §8 exploration turns": """
        cross a tile of 4 to 6 spaces | 1
        pick or force a lock or a trap (Disable | 1
        search 4 spaces of wall or floor (Alertness or Investigation) | 1
        light a torch | 1
        climb a level | 1
        open and survey a chest | 1
        sort a chest | 5
        a quick meal | 5
        make camp | 15""",
}  # fmt: skip

SAID: dict[str, str] = {
    # what stands in sentences, not in tables: words that a search must find, and the rule that says them
    "advantage better total two sets": "olde.md §1 Advantage",
    "opposed target rolls first": "olde.md §3 Opposed",
    "helper check stat +1 full 2 points": "olde.md §3 Assisted",
    "scaling challenge pays once for each rank": "olde.md §3 Scaling",
    "more than half maximum one injury brawn or nerve": "olde.md §7 Stunning blow",
    "dying 1 HP each reset stabilised healing spell": "olde.md §7 Dying",
    "wounds bound once half an hour 1 HP 2 brings 0": "olde.md §7 Bind wounds",
    "first aid easy moderate oneself hard": "olde.md §7 First aid",
    "most action points first no more than 3 ap in a round passe": "olde.md §4 Rounds",
    "minimum of the grip −1 attack −1 damage": "olde.md §6 Grip",
    "half a brawn die rounded up": "olde.md §6 Unarmed",
    "finesse dice one rank smaller too heavy armor": "olde.md §6 Armor",
    "gesture spell adjustment off hand": "olde.md §6 Shields",
    "d6 for each level armor does not help": "olde.md §5 Heights",
    "sling knowledge language literacy profession trivia train untrained": "olde.md §2 Ranks",
}  # fmt: skip


GEAR = ("olde.md §6 weapons", "olde.md §6 ranged weapons", "olde.md §6 shields", "olde.md §6 armor")
"""Tables taken from the content: cell by cell the rulebook's."""


def wanted(table: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.split("|")] for line in table.strip().splitlines()]


def says(has: str, cell: str) -> bool:
    """A figure stands first in its cell; words stand anywhere in it."""
    figure = cell.lstrip("−+").isdigit()
    return (has == cell or has.split(" ")[0] == cell) if figure else cell in has


@pytest.mark.parametrize("title", BOOK)
def test_every_table_of_the_rulebook_is_there_with_its_figures(title: str) -> None:
    page = reference.find("olde", title)
    assert page is not None and page.rule.lower() == title
    rows = [row for table in page.tables for row in table.rows]
    for row in wanted(BOOK[title]):
        if title in GEAR:
            assert tuple(row) in rows, f"{title}: {row}"
        else:
            assert any(
                has[0].startswith(row[0]) and all(map(says, has[1:], row[1:])) for has in rows if len(has) >= len(row)
            ), f"{title}: {row}"


@pytest.mark.parametrize("asked", SAID)
def test_what_the_rulebook_says_in_sentences_is_found_by_its_words(asked: str) -> None:
    assert SAID[asked] in [page.rule for page in reference.search("olde", asked)][:8]


def test_the_fifteen_arrays_and_every_skill_stand_there() -> None:
    arrays = (
        "7 7 7 6 · 8 7 7 5 · 8 7 6 6 · 8 8 5 5 · 8 8 7 4 · 8 8 8 3 · 9 6 6 5 · 9 7 5 5 · 9 7 6 4 · 9 8 5 4 · 10 6 5 4 · "
        "10 5 5 5 · 10 7 4 4 · 11 5 4 4 · 12 4 4 3"
    )
    page = reference.find("olde", "Stat arrays")
    assert page is not None
    assert sorted(c for t in page.tables for r in t.rows for c in r) == sorted(arrays.split(" · "))
    skills = {
        "Brawn": "Axes, Brawling, Burst (or Nerve), Climb (or Finesse), Endure (or Nerve), Leap, Lift/Shift, Maces, Ride (or Finesse), Shields, Swim (or Finesse), Swords",
        "Finesse": "Bows, Crossbows, Dodge, Escape, Fencing, Knives, Long Guns, Murder, Pistols, Pursuit, Quarterstaff, Sleight-of-hand, Sling, Sneak, Spears, Thrown Weapons, Tumble",
        "Savvy": "Alertness, Camouflage, Disable, Forage, Healing, Insight, Investigation, Knowledge, Language, Literacy, Pathfinding, Profession, Research, Tracking, Trivia, Veterinarian, Wizardry",
        "Nerve": "Command, Deception, Disguise, Drive, Entertain, Faith, Intimidate, Negotiate, Persuade, Train",
    }
    page = reference.find("olde", "Skills by stat")
    assert page is not None
    assert {row[0]: row[1] for table in page.tables for row in table.rows} == skills
