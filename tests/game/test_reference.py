"""The rules to look up: every term leads somewhere, tables agree with the content, the window by mouse and keys."""

from __future__ import annotations

import pygame
import pytest

from game.app.loop import App
from game.app.settings import Settings
from game.content import reference
from game.content import tables as content
from game.content.reference import TERMS, Listing
from game.scenes.dialogs.reference import Reference
from game.widgets.controls import Label
from game.widgets.text import Table
from rules.core.registry import RULESETS, ruleset
from rules.olde.actions.table import ACTION_KINDS
from rules.olde.challenges.checks import RATINGS
from rules.olde.combat.reactions import REACTIONS
from rules.olde.conditions import SPRUNG
from rules.olde.skills import CHECK_STATS, RANKS
from tests.game.player import Player, fight_of


def player_at(size):
    player = Player(App(size, settings=Settings()))
    player.app.navigator.title()
    return player


@pytest.mark.parametrize("rules", sorted(RULESETS))
def test_every_term_of_every_ruleset_is_an_entry_of_its_own(rules):
    for page in [page for page in reference.pages(rules) if page.chapter == TERMS]:
        assert reference.find(rules, page.title) is not None
        assert ruleset(rules).term(page.title) == (page.paragraphs[0], page.rule)


def cells(title):
    page = reference.find("olde", title)
    assert page is not None
    return [row for table in page.tables for row in table.rows]


def test_the_tables_agree_with_the_rules():
    assert [(row[0], row[1].split()[0]) for row in cells("Ratings")] == [
        (name, str(rating)) for name, rating in RATINGS.items()
    ]
    assert {row[0]: row[1].replace("−", "-") for row in cells("Ranks")} == {
        name: f"{value:+d}" if value else "0" for name, value in RANKS.items()
    }
    named = " ".join(row[1] for row in cells("Skills"))
    assert not [skill for skill in CHECK_STATS if skill not in named]
    assert not [c for c in SPRUNG if c not in [row[0] for row in cells("Conditions")]]
    reflexes = {row[0].split(" (")[0]: int(row[1]) for row in cells("Reflexes")}
    assert reflexes == {r.label: r.ap for r in REACTIONS.values()}


def test_the_tables_of_gear_are_the_contents():
    names = [row[0] for row in cells("Shields")]
    assert names == [entry["name"] for entry in content.tables("olde")["shields"]]
    assert ["broadsword", "Swords", "1", "8", "6", "8", "3", "30"] in [list(row) for row in cells("Weapons")]


def test_every_movement_and_action_can_be_found():
    for deed in ACTION_KINDS.values():
        assert reference.search("olde", deed.face.label), deed.face.label


def test_a_search_has_all_the_words_and_titles_go_first():
    assert reference.search("olde", "stunning blow")[0].title == "Stunning blow"
    assert [page.title for page in reference.search("olde", "parry")][:2] == ["Parry", "Reflexes"]
    assert not reference.search("olde", "parry zeppelin")


@pytest.mark.parametrize(
    ("asked", "title"),
    [(("stunned",), "Stunned"), (("olde.md §6 grip",), "Grip"),
     (("nothing of the kind", "olde.md §5 line of sight"), "Line of sight"),
     (("Swords", "olde.md §2 ranks"), "Ranks"),
     (("critical outcomes", "olde.md §6 critical outcomes"), "Critical outcomes"),
     (("olde.md §2, §7",), "Characters"), (("olde.md §7 the conditions",), "Conditions")],
)  # fmt: skip
def test_terms_and_rules_lead_to_their_page(asked, title):
    page = reference.find("olde", *asked)
    assert page is not None and page.title == title


@pytest.mark.parametrize("rules", sorted(RULESETS))
@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_no_column_of_a_table_is_cut_and_none_overlap(size, rules):
    player = player_at(size)
    player.app.push(Reference(player.app, ruleset_id=rules))
    scene = player.app.top
    for page in [page for page in reference.pages(rules) if page.tables]:
        scene.open(page)
        for table in [w for panel, _ in scene.ui.layers for w in panel.walk() if isinstance(w, Table)]:
            widths = table.widths(player.app.look, table.rect.width)
            assert sum(widths) <= table.rect.width and min(widths) > 0
            assert scene.paged.rect.left <= table.rect.left
            assert table.rect.right <= scene.paged.rect.right


def test_f3_opens_and_closes_it_and_typing_finds():
    player = player_at((1280, 720))
    player.key(pygame.K_F3)
    assert isinstance(player.app.top, Reference)
    for letter in "dazed":
        player.key(ord(letter))
    assert player.app.top.page is not None and player.app.top.page.title == "Dazed"
    assert [page.title for page in player.app.top.found()][0] == "Dazed"
    player.key(pygame.K_F3)
    assert not isinstance(player.app.top, Reference)


def test_a_terms_tooltip_opens_its_page():
    player = player_at((1280, 720))
    fight = fight_of(player)
    badge = next(
        widget
        for panel, _ in fight.ui.layers
        for widget in panel.walk()
        if widget.tip is not None and widget.tip.title == "Brawn"
    )
    player.move(badge.rect.center)
    player.key(pygame.K_F3)
    assert isinstance(player.app.top, Reference)
    assert player.app.top.page is not None and player.app.top.page.title == "Brawn"


def test_a_click_follows_and_alt_left_goes_back():
    player = player_at((1280, 720))
    player.app.push(Reference(player.app, "riposte"))
    assert player.app.top.page is not None and player.app.top.page.title == "Riposte"
    player.press("see 0")
    assert player.app.top.page is not None and player.app.top.page.title == "Reflexes"
    player.key(pygame.K_LEFT, pygame.KMOD_ALT)
    assert player.app.top.page is not None and player.app.top.page.title == "Riposte"


def test_the_list_stands_where_the_page_is_that_one_has_come_to():
    player = player_at((1280, 720))
    for asked in ("olde.md §6 parry", "steeled", "olde.md §1"):
        player.app.push(Reference(player.app, asked))
        player.app.draw()
        scene = player.app.top
        (entry,) = [w for panel, _ in scene.ui.layers for w in panel.walk() if getattr(w, "chosen", False)
                    and w.key.startswith("page ")]  # fmt: skip
        assert scene._listing.rect.contains(entry.rect), asked
        player.app.pop()


def test_a_list_in_a_page_stands_beside_its_numbers():
    player = player_at((1280, 720))
    player.app.push(Reference(player.app, "olde.md §6"))
    page = player.app.top.page
    (steps,) = [block for block in page.blocks if isinstance(block, Listing)]
    labels = [w for panel, _ in player.app.top.ui.layers for w in panel.walk() if isinstance(w, Label)]
    for number, item in enumerate(steps.items, 1):
        said = next(w for w in labels if w.text == item)
        mark = next(w for w in labels if w.text == f"{number}.")
        assert mark.rect.top == said.rect.top and mark.rect.right < said.rect.left


def test_other_rules_have_their_terms():
    player = player_at((1280, 720))
    player.app.push(Reference(player.app))
    player.press("rules cairn")
    assert reference.find("cairn", "morale") in player.app.top.found()


def test_every_trait_spell_and_item_has_a_page_that_tooltips_lead_to() -> None:
    tables = content.tables("olde")
    for table in ("spells", "blessings", "items"):
        for entry in tables[table]:
            page = reference.find("olde", entry["name"])
            assert page is not None and page.rule == f"olde.md §9 {table}" and entry["summary"] in page.paragraphs
    regeneration = reference.find("olde", "olde.md §10 regeneration")
    assert regeneration is not None and regeneration.title == "Regeneration"
    assert "1d8!+3 damage; against Defense" in reference.search("olde", "ember bolt")[0].paragraphs[1]
