"""The chronicle: an evening told as a tale (game/chronicle)."""

from __future__ import annotations

import re
from pathlib import Path

import pygame
import pytest

from game.app.loop import App
from game.app.settings import Settings
from game.chronicle import paper, pictures
from game.chronicle.episodes import Beat, Episode
from game.chronicle.naming import Cast, Place, Places, listed, plural
from game.chronicle.notes import Reader
from game.chronicle.tale import Plate, Tale, Writer, written
from game.chronicle.words import COUNTED, SENTENCES, Chooser
from game.cli import main
from game.content import tables as content
from game.controllers.ai.controller import AiController
from game.fight.match import Match, load_fight
from game.fight.viewing import views_of_file
from game.scenes.chronicle import ChronicleScene
from rules.board.grid import Field
from rules.contract.events import Condition, Event, Healing, Injury
from rules.contract.text import Creature, Text
from rules.contract.units import EMPTY
from rules.core.registry import RULESETS
from tests.game.player import Player
from tests.words.pseudo import OPEN, pseudo_catalogue

ROOT = Path(__file__).parents[1]
PLAYED = sorted(path.stem for path in (ROOT / "playthroughs").glob("*.json"))
TALES = sorted(path.stem for path in (ROOT / "game" / "chronicles").glob("*.md"))


def record_of(name: str) -> Path:
    """The record of a playthrough; those of evenings that are there for their tale alone lie beside it."""
    beside = ROOT / "game" / "chronicles" / f"{name}.json"
    return beside if beside.exists() else ROOT / "playthroughs" / f"{name}.json"


def tale_of(name: str) -> Tale:
    fight = load_fight(record_of(name))
    return written(fight, views_of_file(fight)[0].sides)


def every(tale: Tale) -> list[str]:
    """All sentences of a tale, as the texts that they are."""
    parts = [tale.story, *(part for chapter in tale.chapters for part in chapter.paragraphs), *tale.ending]
    return [said for part in parts for said in part]


def sentences(tale: Tale) -> list[str]:
    """The same in English."""
    return [str(said) for said in every(tale)]


@pytest.mark.parametrize("name", TALES)
def test_the_tale_of_a_playthrough_is_told_in_these_words(name: str) -> None:
    """After a change of words: `battlemat chronicle RECORD > tests/game/chronicles/NAME.md`."""
    assert paper.markdown(tale_of(name)) == (ROOT / "game" / "chronicles" / f"{name}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sorted({*PLAYED, *TALES}))
def test_no_sentence_is_told_twice_in_a_row_and_all_are_whole(name: str) -> None:
    told = sentences(tale_of(name))
    assert all(one != other for one, other in zip(told, told[1:], strict=False))
    assert all(re.match(r"[A-Z0-9]", said) and said.endswith(".") and "{" not in said for said in told), told


def test_the_same_evening_is_always_told_in_the_same_words() -> None:
    assert sentences(tale_of("past_the_watch")) == sentences(tale_of("past_the_watch"))


def test_of_several_sentences_none_is_chosen_twice_in_a_row() -> None:
    for seed in range(20):
        say = Chooser(seed)
        told = [str(say.say("came into", place="the hall")) for _ in range(30)]
        assert all(one != other for one, other in zip(told, told[1:], strict=False))
        assert len(set(told)) == len(SENTENCES["came into"])


def test_every_sentence_is_one_and_counted_ones_have_both_forms() -> None:
    for kind, several in SENTENCES.items():
        assert all(sentence.endswith(".") for sentence in several) and len(set(several)) == len(several), kind
    for kind, forms in COUNTED.items():
        assert all(each.one != each.many for each in forms), kind


def test_a_side_in_the_fog_is_told_only_what_it_saw() -> None:
    """The foe behind the wall is never named, nor is the room in which it stands."""
    rows = ["##########", "#...#....#", "#...#....#", "##########"]
    creatures = [
        {"id": "ada", "side": "heroes", "at": [1, 1], "template": "warrior", "name": "Ada", "controller": "human"},
        {"id": "gob", "side": "monsters", "at": [7, 1], "template": "goblin"},
    ]
    fight = Match.from_record({"format": "battlemat/1", "ruleset": "olde", "map": {"rows": rows}, "seed": 1,
                               "options": {"fog": True}, "creatures": creatures})  # fmt: skip
    assert "goblin" in " ".join(sentences(written(fight)))
    assert "goblin" not in " ".join(sentences(written(fight, ("heroes",))))


def test_a_room_is_called_by_its_name_or_by_what_it_looks_like() -> None:
    field = Field.from_rows(["#######", "#.....#", "#.....#", "#.....#", "###+###", "###.###", "###.###", "#######"])
    places = Places(field)
    assert places.at(field.cell(1, 1)).said == "a chamber of three by five paces"
    assert places.at(field.cell(3, 6)).said == "a passage two paces long"
    assert places.at(field.cell(1, 1)) is places.at(field.cell(5, 3))


def test_several_of_a_kind_are_counted_and_names_joined() -> None:
    assert [plural(kind) for kind in ("Goblin", "Wolf", "Harpy", "Giant rat")] == [
        "Goblins", "Wolves", "Harpies", "Giant rats",
    ]  # fmt: skip
    assert listed(["Ada", "Bo", "Cid"]) == "Ada, Bo and Cid"


def test_a_page_is_one_file_with_its_pictures(tmp_path: Path) -> None:
    out = tmp_path / "tale.html"
    file = str(ROOT / "playthroughs" / "past_the_watch.json")
    assert main(["chronicle", file, "--html", "--out", str(out)]) == 0
    page = out.read_text(encoding="utf-8")
    assert page.count("data:image/png;base64,") == 1 and "<script" not in page and "http" not in page


def test_markdown_has_its_pictures_beside_it(tmp_path: Path) -> None:
    out = tmp_path / "tale.md"
    assert main(["chronicle", str(ROOT / "playthroughs" / "past_the_watch.json"), "--out", str(out)]) == 0
    assert "(tale-1.png)" in out.read_text(encoding="utf-8")
    assert (tmp_path / "tale-1.png").read_bytes().startswith(b"\x89PNG")


def test_an_unknown_side_is_told_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chronicle", str(ROOT / "playthroughs" / "past_the_watch.json"), "--side", "elves"]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1 and "elves" in told and "heroes" in told


def test_what_was_to_be_done_is_told_at_the_beginning_and_at_the_end() -> None:
    goals = [{"name": "here", "kind": "reach", "at": [[1, 1]], "text": "Get to the altar"},
             {"name": "hold", "kind": "hold", "at": [[1, 1]], "rounds": 3, "optional": True}]  # fmt: skip
    creatures = [{"id": "ada", "side": "heroes", "at": [1, 1], "template": "warrior", "controller": "human"},
                 {"id": "gob", "side": "monsters", "at": [4, 1], "template": "goblin"}]  # fmt: skip
    fight = Match.from_record({"format": "battlemat/1", "ruleset": "olde", "seed": 1, "creatures": creatures,
                               "map": {"rows": ["......", "......"], "goals": goals}})  # fmt: skip
    tale = written(fight)
    assert "Get to the altar" in tale.story[-1]
    assert any("Get to the altar" in said for paragraph in tale.ending for said in paragraph)


def reader(size: tuple[int, int] = (1280, 720)) -> Player:
    """The chronicle of a playthrough, opened from its summary."""
    app = App(size, settings=Settings(speed=0, end_by_itself=False))
    player = Player(app)
    app.navigator.show(load_fight(ROOT / "playthroughs" / "spells_at_the_crossing.json"))
    player.turn(20)
    player.press("Chronicle")
    player.turn(10)
    return player


def test_it_is_read_from_the_summary_with_pictures_and_turned_over_by_keys() -> None:
    player = reader()
    scene = player.app.top
    assert isinstance(scene, ChronicleScene) and scene.paged is not None
    assert set(scene.drawn) == set(range(len(scene.tale.plates))) != set()
    seen = []
    for key in (pygame.K_DOWN, pygame.K_PAGEDOWN, pygame.K_END, pygame.K_HOME):
        player.key(key)
        seen.append(scene.paged.offset)
    assert 0 < seen[0] < seen[1] <= seen[2] and seen[3] == 0
    player.key(pygame.K_ESCAPE)
    assert player.app.top is not scene


def test_it_is_written_out_from_the_window(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("game.scenes.chronicle.paths.user_folder", lambda *parts: tmp_path)
    player = reader()
    player.press("Write as a page")
    assert (tmp_path / "spells-at-the-crossing.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_a_replay_leads_to_it_by_the_view_that_is_shown() -> None:
    app = App((1280, 720), settings=Settings(speed=0))
    app.navigator.watch(ROOT / "playthroughs" / "past_the_watch.json")
    player = Player(app)
    player.key(pygame.K_t)
    scene = app.top
    assert isinstance(scene, ChronicleScene) and scene.views[0].sides == scene.tale.film.eyes.sides


def test_who_has_no_name_of_its_own_is_told_by_its_kind_in_the_order_of_coming() -> None:
    creatures = [
        {"id": "ada", "side": "heroes", "at": [1, 0], "template": "warrior", "name": "Ada", "controller": "human"},
        {"id": "g1", "side": "monsters", "at": [4, 0], "template": "goblin"},
        {"id": "g2", "side": "monsters", "at": [4, 1], "template": "goblin"},
        {"id": "w", "side": "monsters", "at": [5, 0], "template": "goblin", "name": "Goblin at the gate"},
        {"id": "x", "side": "monsters", "at": [5, 1], "template": "goblin", "name": "Grik"},
    ]
    fight = Match.from_record({"format": "battlemat/1", "ruleset": "olde", "map": {"rows": ["......", "......"]},
                               "seed": 1, "creatures": creatures})  # fmt: skip
    cast = Cast(fight)
    cast.meet(["g2", "ada", "g1"])
    called = [str(cast.called(who)) for who in ("g1", "g1", "g2", "g1", "x", "ada")]
    assert called == ["one goblin", "that goblin", "the other goblin", "the first goblin", "Grik", "Ada"]
    cast.join(["w"])
    assert str(cast.called("w")) == "the last goblin"
    assert str(cast.crowd(["w", "x"])) == "Grik and a goblin at the gate"
    assert str(cast.crowd(["g1", "g2", "w", "x"])) == "Grik and three goblins"
    assert str(cast.crowd(["w"], plain=True)) == "a goblin"


def test_a_map_that_numbers_those_of_a_kind_makes_no_kind_of_its_own_of_it() -> None:
    names = ("Goblin at the gate", "Second goblin at the gate", "Other goblin", "Goblin of the camp")
    creatures: list[dict[str, object]] = [
        {"id": f"g{n}", "side": "monsters", "at": [n, 0], "template": "goblin", "name": name}
        for n, name in enumerate(names)
    ]
    creatures.append({"id": "ada", "side": "heroes", "at": [5, 0], "template": "warrior", "name": "Ada"})
    fight = Match.from_record({"format": "battlemat/1", "ruleset": "olde", "map": {"rows": ["......"]},
                               "seed": 1, "creatures": creatures})  # fmt: skip
    cast = Cast(fight)
    assert str(cast.crowd(["g0", "g1", "g2", "g3"])) == "four goblins"
    assert str(cast.crowd(["g1"])) == "a goblin at the gate"


def test_who_lies_helpless_with_pain_is_not_told_to_have_fallen() -> None:
    match = load_fight(record_of("chapel_countup"))
    writer = Writer(match, None)
    hero = next(who for who in writer.cast.sides if writer.cast.side(who) in writer.ours)
    read = Reader(match, writer.cast, writer.ours, fallen=set())
    events: list[Event] = [
        Condition(target=hero, condition="helpless", gained=True, because="pain, 20 s"),
        Injury(target=hero, amount=1, hp=9, status="incapacitated", because="club", by="x"),
    ]
    episode = Episode("fight", 0, None, beats=[Beat(1, event) for event in events])
    assert [note.kind for note in read.read(episode)] == ["helpless"]
    killed = Episode("fight", 0, None, beats=[Beat(2, Injury(target=hero, amount=9, hp=0, status="dead"))])
    assert "hero down alone" in [note.kind for note in read.read(killed)]


def told_of(said: object) -> set[str]:
    """Ids of all creatures that a sentence names."""
    if isinstance(said, Creature):
        return {said.id}
    if isinstance(said, Text):
        return set().union(*(told_of(value) for value in said.fields.values())) if said.fields else set()
    return set()


@pytest.mark.parametrize("name", RULESETS)
@pytest.mark.parametrize("seed", range(2))
def test_nobody_is_named_whom_the_side_never_saw_or_heard_of(name: str, seed: int) -> None:
    """A fight played by the computer in fog and darkness, told as the heroes knew it."""
    rows = ["##############", "#.....#......#", "#.....+......#", "#.....#......#", "#............#", "##############"]
    spots = {"heroes": [(1, 1), (1, 3)], "monsters": [(12, 1), (12, 3), (8, 4)]}
    creatures = []
    for side, known in (("heroes", content.heroes(name)), ("monsters", content.monsters(name))):
        small = [each for each, block in known.items() if block.get("space", 1) == 1]
        creatures += [{"id": f"{side}.{n}", "side": side, "at": list(at), "template": small[(seed + n) % len(small)]}
                      for n, at in enumerate(spots[side])]  # fmt: skip
    fight = Match.from_record({"format": "battlemat/1", "ruleset": name, "seed": seed, "map": {"rows": rows},
                               "options": {"fog": True, "darkness": True}, "creatures": creatures})  # fmt: skip
    computer = AiController()
    for _ in range(120):
        decision = next((each for each in fight.decisions if not each.answered), next(iter(fight.decisions), None))
        if decision is None:
            break
        legal = fight.legal(decision)
        fight.act(decision, computer.choose(fight.ruleset, fight.observe(decision.side), decision, legal))
    tale = written(fight, ("heroes",))
    film = tale.film
    known_of = {mini.id for frame in range(film.length + 1) for mini in film.eyes.board(frame).miniatures}
    for frame in range(film.length + 1):
        for event in film.events(frame):
            known_of |= {getattr(event, field, None) or "" for field in ("by", "target")}
    named = set().union(*(told_of(said) for said in every(tale)))
    assert named and named <= known_of


def test_another_level_is_told_of_with_its_story_once() -> None:
    part = {"rows": ["#####", "#...#", "#####"]}
    stairs = [[["top", 3, 1], ["cellar", 1, 1]], [["cellar", 1, 1], ["top", 3, 1]]]
    creatures = [
        {"id": "ada", "side": "heroes", "at": [1, 1], "map": "top", "template": "warrior", "controller": "human"},
        {"id": "gob", "side": "monsters", "at": [3, 1], "map": "cellar", "template": "goblin", "asleep": True},
    ]
    fight = Match.from_record({
        "format": "battlemat/2", "ruleset": "olde", "seed": 1, "options": {"crawl": True}, "creatures": creatures,
        "map": {"place": [{**part, "name": "top"}, {**part, "name": "cellar"}], "stairs": stairs},
    })  # fmt: skip
    for _ in range(30):
        decision = fight.decision
        if decision is None or fight.field.at(fight.state.figures[0].cell)[1] > 3:
            break
        actions = list(fight.legal(decision))
        wished = [a for a in actions if a.do == "stairs"] or [a for a in actions if a.do == "sneak"][-1:]
        fight.act(decision, (wished or [a for a in actions if a.do == "end"])[0])
    told = " ".join(sentences(written(fight)))
    assert told.count("cellar") == 1


@pytest.mark.parametrize("name", PLAYED)
def test_every_sentence_of_a_tale_can_be_said_in_another_language(name: str) -> None:
    strange = pseudo_catalogue()
    assert [said for said in every(tale_of(name)) if not strange.say(said).startswith(OPEN)] == []


def test_of_a_fight_with_three_who_are_alike_each_is_told_from_the_others() -> None:
    creatures = [{"id": f"g{n}", "side": "monsters", "at": [n, 1], "template": "goblin"} for n in range(4)] + [
        {"id": "ada", "side": "heroes", "at": [1, 0], "template": "warrior", "name": "Ada", "controller": "human"}
    ]
    fight = Match.from_record({"format": "battlemat/1", "ruleset": "olde", "map": {"rows": ["......", "......"]},
                               "seed": 1, "creatures": creatures})  # fmt: skip
    cast = Cast(fight)
    cast.meet(["g0", "g1", "g2", "g3"])
    assert str(cast.those(["g0", "g1"])) == "two of the goblins"
    assert str(cast.those(["g2", "g3"])) == "two more goblins"
    cast.meet(["g0", "g1"])
    assert str(cast.called("g0")) == "one goblin"
    assert str(cast.those(["g0", "g1"])) == "both goblins", "one of them was told of before: these are all"


def test_a_picture_shows_who_is_in_it_and_no_darkness_without_end() -> None:
    """Of a fight in one corner of a large dark map nothing is shown where nobody ever looked."""
    rows = ["#" * 60, *["#......#" + "." * 51 + "#"] * 5, *["#" * 8 + "." * 51 + "#"] * 20, "#" * 60]
    creatures = [
        {"id": "ada", "side": "heroes", "at": [1, 1], "template": "warrior", "name": "Ada", "controller": "human"},
        {"id": "gob", "side": "monsters", "at": [4, 3], "template": "goblin"},
    ]
    fight = Match.from_record({"format": "battlemat/1", "ruleset": "olde", "map": {"rows": rows}, "seed": 1,
                               "options": {"fog": True}, "creatures": creatures})  # fmt: skip
    tale = written(fight, ("heroes",))
    frame = pictures.framed(tale, Plate(0, 1))
    assert frame.spaces.contains((1, 1, 1, 1)) and frame.spaces.contains((4, 3, 1, 1))
    assert frame.spaces.right <= 14 and frame.spaces.bottom <= 10
    assert pictures.drawn(tale, Plate(0, 1)).get_size() == frame.size


@pytest.mark.parametrize("name", TALES)
def test_every_plate_stands_after_a_paragraph_and_has_a_moment(name: str) -> None:
    tale = tale_of(name)
    assert tale.plates and all(0 <= plate.frame <= tale.film.length for plate in tale.plates)
    for chapter in tale.chapters:
        assert [p for p, _ in chapter.pages()] == chapter.paragraphs and all(chapter.paragraphs)
        assert sum(len(plates) for _, plates in chapter.pages()) == len(chapter.plates)


def test_who_got_up_again_dies_where_it_fell_last() -> None:
    match = load_fight(record_of("chapel_olde"))
    writer = Writer(match, None)
    hero = next(who for who in writer.cast.sides if writer.cast.side(who) in writer.ours)

    def told(*events: Event, room: str) -> None:
        place = Place(EMPTY, room, room, room)
        episode = Episode("exploration", 0, place, beats=[Beat(0, event) for event in events])
        writer.rooms.tell(episode, first=False)

    told(Injury(target=hero, amount=5, hp=0, status="incapacitated", because="a crab"), room="the graveyard")
    told(Healing(target=hero, amount=3, now=3), room="the graveyard")
    told(Injury(target=hero, amount=9, hp=-6, status="dead", because="an arrow"), room="the crypt")
    fate = writer.fights.fates[hero]
    assert (fate.where, fate.what) == ("the crypt", "an arrow")
    told(Injury(target=hero, amount=1, hp=-7, status="dead", because="a crab"), room="the hall")
    assert writer.fights.fates[hero].what == "an arrow", "who lies there falls no more"


def test_an_evening_that_was_surrendered_is_not_told_as_if_nobody_were_left() -> None:
    creatures = [
        {"id": "ada", "side": "heroes", "at": [1, 1], "template": "warrior", "name": "Ada", "controller": "human"},
        {"id": "gob", "side": "monsters", "at": [5, 1], "template": "goblin", "surprised": True},
    ]
    fight = Match.from_record({
        "format": "battlemat/2", "ruleset": "olde", "seed": 1, "options": {"crawl": True}, "creatures": creatures,
        "map": {"rows": ["#######", "#.....#", "#######"]},
    })  # fmt: skip
    for word in ("ambush", "surrender"):
        decision = fight.decision
        assert decision is not None and decision.by == "ada"
        fight.act(decision, next(action for action in fight.legal(decision) if action.do == word))
    told = " ".join(sentences(written(fight)))
    assert any(str(said) in told for said in SENTENCES["given in"])
    assert not any(str(said) in told for said in SENTENCES["lost"])


def test_who_is_bandaged_lies_there_still_and_who_dies_of_the_blow_does_not_bleed_to_death() -> None:
    match = load_fight(record_of("chapel_olde"))
    writer = Writer(match, None)
    hero = next(who for who in writer.cast.sides if writer.cast.side(who) in writer.ours)
    place = Place(EMPTY, "the hall", "the hall", "the hall")

    def told(*events: Event, frame: int = 1) -> str:
        episode = Episode("exploration", 0, place, beats=[Beat(frame, event) for event in events])
        return " ".join(map(str, writer.rooms.tell(episode, first=False)))

    def one_of(kind: str, said: str) -> bool:
        name = str(writer.cast.called(hero))
        return any(str(form).replace("{target}", name) in said for form in SENTENCES[kind])

    fell = told(Condition(target=hero, condition="critical", gained=True))
    assert one_of("came to harm", fell)
    aided = told(Condition(target=hero, condition="stable", gained=True), frame=2)
    assert one_of("will live", aided) and not one_of("up again", aided)
    told(Condition(target=hero, condition="critical", gained=False), frame=3)
    blow = told(
        Injury(target=hero, amount=9, hp=0, status="dead", because="a pit"),
        Condition(target=hero, condition="dead", gained=True, because="STR 0"), frame=4,
    )  # fmt: skip
    assert one_of("came to harm", blow) and not one_of("bled", blow)
    writer.rooms.risen(hero)
    told(Condition(target=hero, condition="critical", gained=True), frame=5)
    assert one_of("bled", told(Condition(target=hero, condition="dead", gained=True), frame=6))
