"""What the computer makes of every trait (docs/traits.md): each position is asked with the trait and without it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from game.controllers.ai import AiController, load_weights
from game.controllers.ai.advisors import advisor_of
from game.controllers.ai.advisors.olde.attacks import strike
from game.controllers.ai.advisors.planning import Effect, Swing, Threat
from game.controllers.ai.position import Position
from game.controllers.ai.thinking import Thinking
from rules.board.grid import Field
from rules.contract.actions import Action
from rules.contract.units import CreatureIx
from rules.olde.traits import TRAITS
from tests.game.ai_table import RULES, asked, change, decision_of, fight, piece, play_chance, turn_to, where

HALL = "\n".join(["#" * 20, *["#" + "." * 18 + "#"] * 8, "#" * 20])
NONE: list[dict[str, Any]] = []


def did(state: Any, who: str, points: int = 3, temper: str | None = None) -> list[Action]:
    return play_chance(turn_to(state, who, points), AiController(temper))[1]


def end_of(state: Any, who: str, points: int = 3, temper: str | None = None) -> tuple[int, int]:
    at: tuple[int, int] = where(play_chance(turn_to(state, who, points), AiController(temper))[0], who)
    return at


def victim(state: Any, who: str, points: int = 3, temper: str | None = None) -> str | None:
    return next((action.target for action in did(state, who, points, temper) if action.weapon), None)


def thinking(state: Any, who: str, points: int = 3, temper: str | None = None) -> Thinking:
    known, decision, legal = asked(turn_to(state, who, points))
    return AiController(temper).explain(RULES, known, decision, legal)


def swing(state: Any, by: str, target: str, do: str = "attack") -> Swing:
    """The blow as it is from where somebody stands."""
    state = turn_to(state, by, 3)
    here = 1 << state.figures[state.setup.index[by]].cell
    (known,) = (t for t in advisor_of(RULES).targets(state, by, here) if t.id == target)
    return next(s for v in known.vantages for s in v.swings if s.do == do)


def threats(state: Any, by: str, target: str) -> list[Threat]:
    return [m for m in advisor_of(RULES).threats(state, target) if m.by == by]


def pair(hunter: str, prey: str, one: Any, other: Any, **hunts: Any) -> Any:
    """A hunter between two of a kind, that differ in what is said of them."""
    return fight(
        HALL,
        piece(hunter, (9, 4), "monsters", "hunter", **hunts),
        piece(prey, (8, 4), "heroes", "one", **one),
        piece(prey, (10, 4), "heroes", "other", **other),
        advanced=False,
    )


def test_every_trait_has_a_test() -> None:
    source = Path(__file__).read_text(encoding="utf-8")
    for trait in TRAITS:
        assert f'"{trait}"' in source or f"def test_{trait.replace(' ', '_')}" in source, trait


@pytest.mark.parametrize(("name", "hunter"), [("tough hide", "goblin"), ("frenzy", "orc"), ("split", "orc")])
def test_of_two_alike_the_one_without_is_struck_first(name: str, hunter: str) -> None:
    with_it, without = {"traits": [{"name": name, "bonus": 6}]}, {"traits": NONE}
    assert victim(pair(hunter, "zombie", with_it, without), "hunter") == "other"
    assert victim(pair(hunter, "zombie", without, with_it), "hunter") == "one"


@pytest.mark.parametrize(
    ("trait", "condition"),
    [("poison", "slowed"), ("venom", "poisoned"), ("bleeding wounds", "bleeding"), ("hold", "rooted")],
)
def test_what_a_hit_carries_goes_to_whom_it_is_new_to(trait: str, condition: str) -> None:
    has, has_not, traits = {"conditions": [condition]}, {"conditions": NONE}, [{"name": trait, "rating": 12}]
    for one, other, expected in ((has, has_not, "other"), (has_not, has, "one")):
        assert victim(pair("ghoul", "orc", one, other, traits=traits), "hunter", temper="brute") == expected


def test_frenzy_of_a_wounded_berserker_makes_it_more_dangerous() -> None:
    state = fight(HALL, piece("berserker", (9, 4), "monsters"), piece("warrior", (5, 4), "heroes"))
    (calm,) = threats(state, "berserker", "warrior")
    (wild,) = threats(change(state, "berserker", hp=7), "berserker", "warrior")
    assert wild.swing.mean > calm.swing.mean


def test_pack_tactics_strike_surer_beside_an_ally() -> None:
    beasts = [piece("giant_rat", (9, 4), "monsters", "a"), piece("giant_rat", (10, 4), "monsters", "b")]
    foes = [piece("warrior", (8, 3), "heroes", "alone"), piece("warrior", (10, 3), "heroes", "held")]
    state = fight(HALL, *beasts, *foes)
    assert swing(state, "a", "held").hit > swing(state, "a", "alone").hit
    assert victim(state, "a", temper="brute") == "held"
    loners = fight(HALL, *[{**beast, "traits": NONE} for beast in beasts], *foes)
    assert swing(loners, "a", "held").hit == swing(loners, "a", "alone").hit


def test_pack_tactics_of_a_friend_bring_others_to_its_side() -> None:
    def reasons(traits: Any) -> list[str]:
        wolf = piece("dire_wolf", (12, 2), "monsters", "wolf", **traits)
        state = fight(HALL, wolf, piece("orc", (9, 3), "monsters"), piece("warrior", (12, 3), "heroes"))
        return [text for option in thinking(state, "orc", 3).best for text, _ in option.reasons]

    assert any("strikes surer" in text for text in reasons({}))
    assert not any("strikes surer" in text for text in reasons({"traits": NONE}))


@pytest.mark.parametrize("beast", ["wild_boar", "stag_beetle", "minotaur"])
def test_charge_takes_a_run_up(beast: str) -> None:
    foe = piece("warrior", (10, 3), "heroes")
    state = fight(HALL, piece(beast, (8, 3), "monsters", free_steps=4), foe)
    column, row = end_of(state, beast)
    assert max(abs(column - 8), abs(row - 3)) >= 3 and victim(state, beast) == "warrior"
    tame = fight(HALL, piece(beast, (8, 3), "monsters", free_steps=4, traits=NONE), foe)
    column, row = end_of(tame, beast)
    assert max(abs(column - 8), abs(row - 3)) < 3


def test_charge_shows_the_odds_that_were_planned_with() -> None:
    state = turn_to(fight(HALL, piece("wild_boar", (8, 3), "monsters"), piece("warrior", (12, 3), "heroes")),
                    "wild_boar", 3)  # fmt: skip
    cells = sum(1 << state.setup.field.cell(*at) for at in ((11, 3), (9, 3)))
    (target,) = advisor_of(RULES).targets(state, "wild_boar", cells)
    planned = {s.do: s for v in target.vantages if v.cells >> state.setup.field.cell(11, 3) & 1 for s in v.swings}
    later = {s.do: s for v in target.vantages for s in v.staying}
    decision = RULES.decisions(state)[0]
    path = tuple(state.setup.field.cell(x, 3) for x in (9, 10, 11))
    state = RULES.apply(state, decision, Action("wild_boar", "free_steps", path=path)).state
    odds = RULES.odds(state, Action("wild_boar", "attack", target="warrior", weapon="tusks"))
    assert odds is not None and planned["attack"].mean == pytest.approx(odds.mean)
    field, index = state.setup.field, state.setup.index
    shown = strike(state, index["wild_boar"], index["warrior"], field.cell(11, 3), field.cell(12, 3))
    assert shown is not None and shown.mean == pytest.approx(odds.mean)
    assert later["attack"].mean < planned["attack"].mean, "who stands there already has no run-up any more"


def test_charge_threatens_most_who_stands_off_a_way() -> None:
    state = fight(HALL, piece("wild_boar", (9, 4), "monsters"), piece("warrior", (3, 4), "heroes"))
    plain, charge = threats(turn_to(state, "warrior"), "wild_boar", "warrior")
    field = state.setup.field
    assert charge.swing.mean > plain.swing.mean
    assert not plain.later & charge.later and plain.later >> field.cell(9, 3) & 1
    assert charge.later >> field.cell(5, 4) & 1


def test_flyer_goes_straight_over_pits() -> None:
    field = Field.from_rows(["##############", *["#....  ......#"] * 6, "#............#", "##############"])
    foe = piece("warrior", (11, 1), "heroes")
    flies = fight(field, piece("gargoyle", (4, 1), "monsters"), foe)
    walks = fight(field, piece("gargoyle", (4, 1), "monsters", traits=NONE), foe)
    assert end_of(flies, "gargoyle")[0] > 6
    assert end_of(walks, "gargoyle")[1] > 2


def test_flyer_is_not_held_off_by_who_stands_in_the_only_way_on_foot() -> None:
    field = Field.from_rows(["##############", *["#....  ......#"] * 3, "#............#", "##############"])
    for traits, screened in (([{"name": "flyer"}], False), (NONE, True)):
        state = fight(field, piece("gargoyle", (4, 1), "monsters", traits=traits), piece("ranger", (9, 1), "heroes"))
        assert [m.screened for m in threats(turn_to(state, "ranger"), "gargoyle", "ranger")] == [screened]


def test_undead_cannot_be_stunned_so_nobody_counts_on_it() -> None:
    blows = [
        swing(fight(HALL, piece("minotaur", (9, 4), "monsters"), piece("wizard", (8, 4), "heroes", traits=traits)),
              "minotaur", "wizard", "all_out_attack").stun
        for traits in (NONE, [{"name": "undead"}])
    ]  # fmt: skip
    assert blows[0] > 0.0 == blows[1]


def test_undead_are_not_stunned_by_spells_either() -> None:
    from tests.game.test_ai_every_spell import caster

    for traits, stuns in ((NONE, True), ([{"name": "undead"}], False)):
        match = caster("lightning lance", [("goblin", "monsters", (6, 4), {"traits": traits, "brawn": 12})])
        known = list(advisor_of(RULES).measures(match.state, decision_of(match)))
        assert any(blow[3] > 0.0 for measure in known if isinstance(measure, Effect) for blow in measure.blows) is stuns


def test_undead_turn_all_the_same_before_what_is_made_for_them() -> None:
    from tests.game.test_ai_every_spell import caster

    match = caster("turn undead", [("skeleton", "monsters", (5, 4), {})])
    match.history.now = match.ruleset.with_throws(
        match.state, (*[None] * match.ruleset.thrown(match.state), 1, 1, 7, 7), False
    )
    assert match.decision is not None
    match.act(match.decision, Action("a", "cast", item="turn undead"))
    assert [effect.lasting.condition for effect in match.state.figures[1].effects] == ["frightened"]


def test_construct_has_no_blood_to_poison() -> None:
    has, has_not = {"traits": [{"name": "construct"}]}, {"traits": NONE}
    assert victim(pair("cave_centipede", "orc", has, has_not), "hunter") == "other"
    assert victim(pair("cave_centipede", "orc", has_not, has), "hunter") == "one"


def test_sapping_touch_goes_to_whom_it_is_new_to() -> None:
    state = pair("wraith", "warrior", {}, {})
    fresh = swing(state, "hunter", "one")
    from rules.olde.effects import Effect, Lasting

    weak = Effect("sapping touch", CreatureIx(0), 2, 9, Lasting(2, rule="olde.md §10 sapping touch"))
    sapped = change(state, "one", effects=(weak,))
    assert fresh.side_effect > 0.0 == swing(sapped, "hunter", "one").side_effect
    assert victim(sapped, "hunter", temper="brute") == "other"


def test_knockdown_is_counted_for_whom_stands() -> None:
    state = fight(HALL, piece("dire_wolf", (9, 4), "monsters"), piece("warrior", (8, 4), "heroes"))
    assert swing(state, "dire_wolf", "warrior").side_effect > 0.0
    assert swing(change(state, "warrior", posture="prone"), "dire_wolf", "warrior").side_effect == 0.0


def test_hold_keeps_off_whoever_comes_over_open_ground() -> None:
    state = fight(HALL, piece("giant_spider", (8, 3), "monsters"), piece("warrior", (11, 3), "heroes"))
    assert [action.weapon for action in did(state, "giant_spider", 6) if action.weapon] == ["web"]
    tame = fight(HALL, piece("giant_spider", (8, 3), "monsters", traits=NONE), piece("warrior", (12, 3), "heroes"))
    assert [action.weapon for action in did(tame, "giant_spider", 6) if action.weapon] != ["web"]


def test_hold_of_an_archer_that_would_keep_away_is_worth_something() -> None:
    def worth(*friends: Any) -> float:
        state = fight(HALL, piece("giant_spider", (8, 3), "monsters"), piece("ranger", (12, 3), "heroes"), *friends)
        known, decision, _ = asked(turn_to(state, "giant_spider", 3))
        position = Position(RULES, known, decision, load_weights().temper("cunning"))
        web = swing(state, "giant_spider", "ranger")
        value = position.hurting(position.foes[0], apart=True)
        return value(web) - value(replace(web, held=0.0))

    assert worth() > 0.0
    assert worth(piece("orc", (13, 3), "monsters")) == 0.0, "an orc has it by the throat already"


@pytest.mark.parametrize(
    ("hunter", "prey"),
    [("giant_spider", "warrior"), ("wild_boar", "warrior"), ("orc", "puffcap"), ("wraith", "priest")],
)
def test_reasons_that_come_of_hold_charge_burst_dread_add_up(hunter: str, prey: str) -> None:
    state = fight(HALL, piece(hunter, (8, 3), "monsters", "hunter"), piece(prey, (11, 3), "heroes"),
                  piece("warrior", (11, 4), "heroes", "other"))  # fmt: skip
    for option in thinking(change(state, "hunter", hp=4), "hunter", 4).best:
        assert sum(value for _, value in option.reasons) == pytest.approx(option.score, abs=1e-6)


def test_hold_done_venom_follows() -> None:
    foe = piece("warrior", (9, 3), "heroes", conditions=["rooted"])
    state = fight(HALL, piece("giant_spider", (8, 3), "monsters"), foe)
    assert {a.weapon for a in did(state, "giant_spider", 3, "brute") if a.weapon} == {"venomous fangs"}


def test_life_drain_counts_for_who_is_hurt() -> None:
    traits = [{"name": "life drain", "weapon": "claws"}]
    whole = fight(HALL, piece("ghoul", (7, 3), "monsters", traits=traits), piece("orc", (8, 3), "heroes"))
    hurt = change(whole, "ghoul", hp=3)
    assert swing(whole, "ghoul", "orc").fallout == ()
    ((doer, back, _),) = swing(hurt, "ghoul", "orc").fallout
    assert doer == "" and -3.0 < back < 0.0
    known, decision, _ = asked(turn_to(hurt, "ghoul", 3))
    position, blow = (Position(RULES, known, decision, load_weights().temper("brute")), swing(hurt, "ghoul", "orc"))
    value = position.hurting(position.foes[0])
    assert value(blow) > value(replace(blow, fallout=()))


ARMED: dict[str, Any] = {"weapons": ["hatchet", "torch"], "ready": ["hatchet", "torch"], "shield": None}


@pytest.mark.parametrize(("foe", "trait"), [("troll", "regeneration"), ("grey_ooze", "split")])
def test_regeneration_split_call_for_fire(foe: str, trait: str) -> None:
    hero = piece("warrior", (7, 3), "heroes", **ARMED)
    for traits, weapon in (([{"name": trait, "bonus": 4}], "torch"), (NONE, "hatchet")):
        state = fight(HALL, piece(foe, (8, 3), "monsters", traits=traits), hero, advanced=False)
        assert [a.weapon for a in did(state, "warrior", 2, "brute") if a.weapon] == [weapon]


@pytest.mark.parametrize(("foe", "trait"), [("troll", "regeneration"), ("grey_ooze", "split")])
def test_regeneration_split_are_worth_a_spell_of_fire(foe: str, trait: str) -> None:
    from tests.game.test_ai_every_spell import caster

    def gain(name: str, traits: Any) -> float:
        match = caster(name, [(foe, "monsters", (8, 4), {"traits": traits})])
        return max(
            m.value
            for m in advisor_of(RULES).measures(match.state, decision_of(match))
            if isinstance(m, Effect) and m.blows
        )

    traits = [{"name": trait, "bonus": 3}]
    fire, frost = (gain(name, traits) - gain(name, NONE) for name in ("ember bolt", "frost shard"))
    assert fire > frost


def test_regeneration_of_one_who_lies_there_is_stopped_before_it_rises() -> None:
    hero = piece("warrior", (7, 3), "heroes", **ARMED)
    for traits, struck in (([{"name": "regeneration", "bonus": 4}], "troll"), (NONE, None)):
        troll = piece("troll", (8, 3), "monsters", traits=traits)
        state = fight(HALL, troll, piece("goblin", (17, 8), "monsters"), hero)
        state = change(state, "troll", hp=-2, posture="prone", ap=0, dying=True)
        assert victim(state, "warrior", 3) == struck
        if struck:
            assert {a.weapon for a in did(state, "warrior", 3) if a.weapon} == {"torch"}


def test_death_burst_beside_friends_is_not_called_forth() -> None:
    for traits, expected in ((None, "goblin"), (NONE, "puffcap")):
        says: dict[str, Any] = {} if traits is None else {"traits": traits}
        state = fight(
            HALL,
            piece("puffcap", (8, 3), "monsters", **says),
            piece("goblin", (9, 4), "monsters", hp=4),
            piece("warrior", (8, 4), "heroes"),
            piece("rogue", (7, 3), "heroes"),
            piece("priest", (7, 2), "heroes"),
        )
        state = change(change(change(state, "puffcap", hp=1), "rogue", hp=3), "priest", hp=3)
        assert victim(state, "warrior", 2) == expected


def test_death_burst_amid_its_own_is_welcome() -> None:
    for traits, expected in ((None, "near"), (NONE, "far")):
        says = {} if traits is None else {"traits": traits}
        crowd = [piece("goblin", (12, y), "monsters", f"g{y}") for y in (2, 3, 4)]
        caps = [piece("puffcap", (11, y), "monsters", name, **says) for y, name in ((3, "near"), (7, "far"))]
        state = fight(HALL, *caps, *crowd, piece("ranger", (5, 5), "heroes"))
        state = change(change(state, "near", hp=2), "far", hp=1)
        assert victim(state, "ranger", 3) == expected


def test_death_burst_is_felled_from_afar() -> None:
    state = fight(HALL, piece("puffcap", (8, 3), "monsters"), piece("rogue", (9, 3), "heroes"))
    state = turn_to(change(state, "puffcap", hp=1), "rogue", 3)
    field = state.setup.field
    cells = 1 << field.cell(9, 3) | 1 << field.cell(11, 3)
    (target,) = advisor_of(RULES).targets(state, "rogue", cells)
    struck = {v.cells: any(not name for s in v.swings for name, _, _ in s.fallout) for v in target.vantages}
    assert struck[1 << field.cell(9, 3)] is True
    assert not any(own for known, own in struck.items() if known == 1 << field.cell(11, 3))


def test_death_burst_goes_among_foes() -> None:
    foes = [piece("warrior", (10, 2), "heroes"), piece("warrior", (10, 4), "heroes", "w2")]
    assert end_of(fight(HALL, piece("puffcap", (8, 3), "monsters"), *foes), "puffcap") in ((9, 3), (10, 3), (11, 3))
    state = fight(HALL, piece("puffcap", (8, 3), "monsters"), *foes)
    best = thinking(state, "puffcap").best[0]
    assert any("burst would strike" in text and value > 0.0 for text, value in best.reasons)


def test_fear_aura_is_carried_to_the_foe_and_kept_away_from() -> None:
    state = fight(HALL, piece("wraith", (9, 3), "monsters"), piece("ranger", (15, 3), "heroes"))
    known = advisor_of(RULES).outlook(turn_to(state, "wraith"), "wraith").merits
    assert known and all(merit.value > 0.0 for merit in known)
    known = advisor_of(RULES).outlook(turn_to(state, "ranger"), "ranger").merits
    assert known and all(merit.value < 0.0 for merit in known)
    dead = fight(HALL, piece("wraith", (9, 3), "monsters"), piece("skeleton", (15, 3), "heroes"))
    assert advisor_of(RULES).outlook(turn_to(dead, "wraith"), "wraith").merits == ()


def test_call_for_help_is_carried_within_earshot() -> None:
    sleepers = [piece("goblin", (2, y), "monsters", f"g{y}", asleep=True) for y in (2, 3)]
    state = fight(HALL, piece("goblin_lookout", (17, 3), "monsters"), *sleepers, piece("warrior", (18, 8), "heroes"))
    state, deeds = play_chance(turn_to(state, "goblin_lookout", 3), AiController())
    called = [action.do for action in deeds]
    if "call_for_help" not in called:
        state, deeds = play_chance(turn_to(state, "goblin_lookout", 3), AiController())
    assert "call_for_help" in [action.do for action in deeds]
    assert where(state, "goblin_lookout")[0] < 17
