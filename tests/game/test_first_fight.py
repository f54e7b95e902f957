"""The first fight: completed by doing with the mouse alone and with the keys alone, skipped, and never in the way."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pygame
import pytest

from game.app.loop import App
from game.app.settings import Settings, load_settings
from game.controllers.ai import AiController
from game.fight.lesson import Lesson, Step, load_steps
from game.scenes.dialogs.help import Help
from game.scenes.fight.tutorial import FirstFight
from game.scenes.replay.scene import Replay
from game.scenes.title import Title
from rules.contract.errors import BattlematError
from tests.game.player import Player

pytestmark = pytest.mark.usefixtures("home")

KEYS = "log panels back confirm undo redo end next_target again why help keys"
ANY = dict.fromkeys(KEYS.split(), "X")


@pytest.fixture(params=[(1280, 720), (1920, 1080)], ids=["small", "large"])
def player(request: pytest.FixtureRequest) -> Iterator[Player]:
    app = App(request.param, settings=Settings(speed=0))
    app.navigator.title()
    yield Player(app)
    app.scenes.clear()


def begun(player: Player) -> FirstFight:
    player.press("First fight")
    fight = player.app.top
    assert isinstance(fight, FirstFight)
    player.turn(3)
    player.app.draw()
    return fight


class Mouse:
    """Does each step with the mouse alone."""

    def __init__(self, player: Player, fight: FirstFight) -> None:
        self.player, self.fight = player, fight

    def aim(self) -> tuple[int, int]:
        self.fight.view.skip()
        target = self.fight.guide.target()
        assert target is not None
        return target.center

    def select(self) -> None:
        self.player.press("order goblin_1")

    def cost(self) -> None:
        self.player.move(self.aim())
        self.player.turn()

    def go(self) -> None:
        self.player.click(self.aim())

    def undo(self) -> None:
        self.player.press("undo")

    def open_door(self) -> None:
        self.player.click(self.aim())
        self.settle()
        if "shut" in self.fight.guide.facts() and self.fight.plan is not None:
            self.end()

    def near(self) -> None:
        self.fight.view.skip()
        before = self.fight.match.history.length
        self.player.click(self.aim())
        self.player.turn()
        if self.fight.choices.errand is not None:
            self.player.click(self.aim())
        self.settle()
        if self.fight.match.history.length == before:
            self.nearer()

    def nearer(self) -> None:
        cell = self.fight.guide._space("paid")
        if cell is None:
            self.end()
        else:
            self.player.click(self.fight.camera.space_rect(cell).center)

    def settle(self) -> None:
        """Until what was planned together is done."""
        for _ in range(30):
            self.player.turn()
            if not self.fight.errands._left and not self.fight.behind:
                return

    def point(self) -> None:
        self.player.move((5, 300))
        self.player.move(self.aim())
        self.player.turn()

    def attack(self) -> None:
        self.player.click(self.aim())

    def strike_nearest(self) -> None:
        self.fight.view.skip()
        plan = self.fight.plan
        assert plan is not None
        name = plan.targets()[0]
        self.player.click(self.fight.camera.space_rect(plan.minis[name].cell).center)

    def open_log(self) -> None:
        """Where the log is folded, what is pointed at opens it."""
        target = self.fight.guide.target()
        if not self.fight.log_open and target is not None:
            self.player.click(target.center)
        assert self.fight.log_open

    def why(self) -> None:
        self.open_log()
        target, story = self.fight.guide.target(), self.fight.telling.story
        assert target is not None
        for _ in range(40):
            if target is not None and target.size != story.rect.size:
                break
            self.player.move(story.rect.center)  # further up in the log
            pygame.event.post(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=1, flipped=False))
            self.player.turn(1)
            target = self.fight.guide.target()
        assert target is not None
        self.player.click(target.center)
        assert self.player.app.top.name == "why"
        self.player.press("Back")

    def log(self) -> None:
        self.open_log()
        story = self.fight.telling.story
        line = max(n for n, entry in enumerate(story.entries) if entry.details)
        self.player.click((story.rect.left + 20, story.mark(line).centery))

    def end(self) -> None:
        self.player.press("offer end ")

    def answer(self) -> None:
        self.player.press(self.fight.plan.offers[0].description.label)  # type: ignore[union-attr]

    def again(self) -> None:
        self.player.press("again")
        assert isinstance(self.player.app.top, Replay)
        self.player.press("Back")

    def help(self) -> None:
        self.player.press("menu")
        self.player.press("Help")
        assert isinstance(self.player.app.top, Help)
        self.player.press("Back")


class Keys(Mouse):
    """Does each step with the keys alone."""

    def select(self) -> None:
        for _ in range(4):
            self.player.key(pygame.K_F6)
            if self.fight.ui.focus is not None and self.fight.ui.focus.key.startswith("order "):
                break
        while self.fight.ui.focus is not None and self.fight.ui.focus.key != "order goblin_1":
            self.player.key(pygame.K_RIGHT)
        self.player.key(pygame.K_RETURN)
        self.player.key(pygame.K_ESCAPE)

    def cost(self) -> None:
        self.player.key(pygame.K_UP)

    def go(self) -> None:
        target = self.fight.camera.to_cell(self.aim())
        assert target is not None
        pointing, field = self.fight.pointed, self.fight.match.field
        actor = self.fight.plan.actor  # type: ignore[union-attr]
        assert actor is not None
        for _ in range(30):
            here = pointing.cell if pointing.keyed and pointing.cell is not None else actor.cell
            (x, y), (a, b) = field.at(here), field.at(target)
            if (x, y) == (a, b):
                break
            across = pygame.K_RIGHT if a > x else pygame.K_LEFT
            down = pygame.K_DOWN if b > y else pygame.K_UP
            self.player.key(across if a != x else down)
        self.player.key(pygame.K_RETURN)

    def open_door(self) -> None:
        self.go()
        self.settle()
        if "shut" in self.fight.guide.facts() and self.fight.plan is not None:
            self.end()

    def point(self) -> None:
        self.player.key(pygame.K_TAB)

    def attack(self) -> None:
        self.player.key(pygame.K_RETURN if self.fight.pointed.aimed else pygame.K_TAB)

    def why(self) -> None:
        self.player.key(pygame.K_i, pygame.KMOD_LCTRL)
        assert self.player.app.top.name == "why"
        self.player.key(pygame.K_ESCAPE)

    def undo(self) -> None:
        self.player.key(pygame.K_z, pygame.KMOD_LCTRL)

    def log(self) -> None:
        if not self.fight.log_open:
            self.player.key(pygame.K_l, pygame.KMOD_LCTRL)
        for _ in range(4):
            if self.fight.ui.focus is self.fight.telling.story:
                break
            self.player.key(pygame.K_F6)
        story = self.fight.telling.story
        while story.cursor is None or not story.entries[story.cursor].details:
            self.player.key(pygame.K_LEFT)
        self.player.key(pygame.K_RETURN)
        self.player.key(pygame.K_ESCAPE)

    def end(self) -> None:
        self.player.key(pygame.K_RETURN, pygame.KMOD_LCTRL)

    def answer(self) -> None:
        self.player.key(pygame.K_RETURN)

    def again(self) -> None:
        self.player.key(pygame.K_r, pygame.KMOD_LCTRL)
        assert isinstance(self.player.app.top, Replay)
        self.player.key(pygame.K_ESCAPE)

    def help(self) -> None:
        self.player.key(pygame.K_F1)
        assert isinstance(self.player.app.top, Help)
        self.player.key(pygame.K_ESCAPE)


def wait(player: Player, fight: FirstFight) -> None:
    """Until the player is asked, or the fight is over."""
    player.until(lambda: fight.plan is not None or fight.match.decision is None)
    player.turn()


def do(hand: Mouse, player: Player, fight: FirstFight, step: Step | None) -> None:
    """What a player would do for a step, once; without one, for now, end the chance."""
    wait(player, fight)
    plan = fight.plan
    if plan is None:
        return None
    if plan.is_question:
        return hand.answer()
    if step is None:
        return hand.strike_nearest() if plan.targets() else hand.end()
    calls: dict[str, Callable[[], None]] = {
        "select": hand.select, "cost": hand.cost, "free": hand.go, "undo": hand.undo, "door": hand.open_door,
        "near": hand.near, "odds": hand.point, "attack": hand.attack, "log": hand.log, "end": hand.end,
        "why": hand.why, "again": hand.again, "help": hand.help,
    }  # fmt: skip
    return calls[step.id]()


def over(player: Player, fight: FirstFight) -> bool:
    return fight.match.decision is None


def followed(player: Player, fight: FirstFight, hand: Mouse, most: int = 90) -> list[str]:
    """Do what the guide says until the fight is over; the steps that were shown, in their order."""
    seen: list[str] = []
    for _ in range(most):
        if over(player, fight):
            break
        wait(player, fight)
        step = fight.guide.lesson.step
        if step is not None and step.id not in seen:
            seen.append(step.id)
        if step is not None:
            true_now(fight, step)
        do(hand, player, fight, step if step is None or step.id != "help" or "help" not in seen[:-1] else None)
        player.app.draw()
    return seen


def true_now(fight: FirstFight, step: Step) -> None:
    """What a step says is so: what it speaks of is there to be pointed at, and can be done."""
    plan, needs = fight.plan, set(step.needs)
    if plan is None or fight.view.busy:
        return
    assert needs <= fight.guide.facts(), step.id
    if step.points_at not in ("nothing", "why"):
        assert fight.guide.target() is not None, step.id
    if "undoable" in needs:
        past = fight.undoing.latest()
        assert past is not None and past.free, "it is said to be free"
    if "reach" in needs:
        assert plan.targets(), "somebody is said to be in reach"
    if step.id == "end":
        assert not plan.targets() and fight.choices.errand is None, "it is said that nothing is left to do"
    if step.id == "free":
        cell = fight.camera.to_cell(fight.guide.target().center)  # type: ignore[union-attr]
        (action,) = {o.do for o in plan.offers if o.description.group == "First" and cell in plan.moves(o)}
        assert action == "free_steps"


@pytest.mark.parametrize("log_open", [True, False], ids=["log", "folded"])
@pytest.mark.parametrize("hand", [Mouse, Keys])
def test_who_does_what_it_says_learns_everything_and_wins(player: Player, hand: type[Mouse], *, log_open: bool) -> None:
    player.app.settings.log_open = log_open
    fight = begun(player)
    seen = followed(player, fight, hand(player, fight))
    assert set(seen) >= NEEDED, "move, odds, attack, free steps, end, undo, why, doors"
    assert fight.match.over == "heroes"
    assert not load_settings().offer_lesson


NEEDED = {"cost", "free", "undo", "door", "end", "odds", "attack", "log", "why", "again", "help"}


@pytest.mark.parametrize("seed", range(6))
def test_it_is_true_whatever_was_clicked_before(player: Player, seed: int) -> None:
    """Anything at random first; from there on, too, each step shown is so, and who follows wins."""
    fight, lot = begun(player), random.Random(seed)
    for _ in range(lot.randrange(1, 9)):
        wait(player, fight)
        if fight.plan is None or fight.match.decision is None:
            break
        action = lot.choice(list(fight.plan.legal))
        fight.deeds.act(action)
        player.turn(2)
        if (step := fight.guide.lesson.step) is not None:
            true_now(fight, step)
    seen = followed(player, fight, Mouse(player, fight))
    assert "help" in seen or fight.match.decision is None


def test_the_callout_covers_neither_what_it_points_at_nor_anybody(player: Player) -> None:
    fight = begun(player)
    hands, looked = Mouse(player, fight), 0
    for _ in range(80):
        wait(player, fight)
        step = fight.guide.lesson.step
        if fight.guide.lesson.finished or over(player, fight):
            break
        player.app.draw()
        placed, target = fight.guide.ui.layers, fight.guide.target()
        if placed and target is not None and step is not None:
            looked += 1
            rect = placed[0][0].rect
            assert not rect.colliderect(target), step.id
            assert player.app.surface.get_rect().contains(rect)
            for mini in fight.board.miniatures:
                assert not rect.colliderect(fight.camera.space_rect(mini.cell).inflate(-8, -8)), step.id
        do(hands, player, fight, step)
    assert looked > 7


def test_a_pointer_that_happens_to_rest_on_the_board_passes_over_no_step(player: Player) -> None:
    fight = begun(player)
    hands = Mouse(player, fight)
    lit = fight.camera.space_rect(fight.match.field.cell(4, 5)).center
    player.move(lit)
    player.turn()
    assert fight.choices.preview is not None
    hands.select()
    player.move(lit)
    player.turn()
    step = fight.guide.lesson.step
    assert step is not None and step.id == "free", "pointed at after it was asked for, it counts"


def test_the_first_pointing_counts_though_nothing_happened_since_the_step_began(player: Player) -> None:
    fight = begun(player)
    Mouse(player, fight).select()
    cost = fight.guide.lesson.step
    assert cost is not None and cost.id == "cost"
    # no time passes between the step's beginning and the event, as in a window that waits for events
    aim = Mouse(player, fight).aim()
    player.app.handle(pygame.event.Event(pygame.MOUSEMOTION, pos=aim, rel=(0, 0), buttons=(0, 0, 0)))
    player.app.tick(0.01)
    free = fight.guide.lesson.step
    assert free is not None and free.id == "free"


def test_the_callout_lies_on_no_space_where_the_window_has_room_beside_the_board(player: Player) -> None:
    fight = begun(player)
    hands = Mouse(player, fight)
    for step in ("select", "cost", "free", "undo"):
        player.app.draw()
        assert fight.guide.lesson.step is not None and fight.guide.lesson.step.id == step
        rect = fight.guide.ui.layers[0][0].rect
        field, camera = fight.match.field, fight.camera
        cells = [cell for cell in range(field.width * field.height) if not field.ground[cell]]
        assert not any(rect.colliderect(camera.space_rect(cell)) for cell in cells), step
        do(hands, player, fight, fight.guide.lesson.step)


def test_over_the_callout_the_tooltip_of_what_lay_before_is_gone(player: Player) -> None:
    fight = begun(player)
    end = next(w for panel in fight.ui.live() for w in panel.walk() if w.key == "offer end ")
    player.move(end.rect.center)
    assert fight.ui.tip is not None
    player.app.draw()
    player.move(next(w.rect.center for w in fight.guide.ui.ring() if w.key == "lesson_next"))
    assert fight.ui.tip is None and fight.guide.ui.tip is not None


def test_it_never_blocks_what_else_the_player_does(player: Player) -> None:
    fight = begun(player)
    for name, code, mod in (("steps", pygame.K_UP, 0), ("ends", pygame.K_RETURN, pygame.KMOD_LCTRL)):
        before = fight.match.history.length
        player.key(code, mod)
        if name == "steps":
            player.key(pygame.K_RETURN)
        assert fight.match.history.length > before
    wait(player, fight)
    player.key(pygame.K_s, pygame.KMOD_LCTRL)
    assert fight.toast_text.startswith("Saved")
    player.key(pygame.K_ESCAPE)
    assert player.app.top is not fight
    player.key(pygame.K_ESCAPE)
    assert fight.guide.lesson.step is not None


@pytest.mark.parametrize("way", ["button", "key"])
def test_it_can_be_skipped_and_the_fight_goes_on(player: Player, way: str) -> None:
    fight = begun(player)
    if way == "key":
        player.key(pygame.K_F2)
        assert fight.guide.lesson.count[0] == 2
        player.key(pygame.K_F2, pygame.KMOD_LSHIFT)
    else:
        player.click(next(w.rect.center for w in fight.guide.ui.ring() if w.key == "lesson_next"))
        assert fight.guide.lesson.count[0] == 2
        player.app.draw()
        player.click(next(w.rect.center for w in fight.guide.ui.ring() if w.key == "lesson_skip"))
    assert fight.guide.lesson.step is None
    assert player.app.top is fight
    assert fight.match.history.length == 0 and fight.plan is not None
    assert not load_settings().offer_lesson


def test_a_fight_over_before_the_last_hint_is_not_offered_again(player: Player) -> None:
    fight, ai = begun(player), AiController()
    while (decision := fight.match.decision) is not None:
        seen = fight.match.observe(decision.side)
        legal = fight.match.ruleset.legal(seen, decision)
        fight.match.act(decision, ai.choose(fight.match.ruleset, seen, decision, legal))
    player.until(lambda: player.app.top is not fight)
    assert fight.guide.lesson.step is None and not load_settings().offer_lesson


def test_the_title_offers_it_until_told_not_to(player: Player) -> None:
    player.press("show me")
    assert isinstance(player.app.top, FirstFight)
    player.app.navigator.title()
    player.press("not again")
    assert isinstance(player.app.top, Title)
    keys = [w.key for panel in player.app.top.ui.live() for w in panel.walk()]
    assert "show me" not in keys and "First fight" in keys
    assert not load_settings().offer_lesson
    focus = player.app.top.ui.focus
    assert focus is not None and focus.key == "New fight"


def test_the_halo_leaves_the_card_of_what_it_rings_legible(player: Player) -> None:
    fight = begun(player)
    fight.guide.next()
    player.move(fight.guide.target().center)  # type: ignore[union-attr]
    player.turn(3)
    fight.draw(player.app.surface)
    card = fight.panels.card_rect
    assert card is not None
    legible = player.app.surface.subsurface(card).copy()
    fight.guide.target = lambda: card.inflate(-20, -20)  # type: ignore[method-assign]
    fight.draw(player.app.surface)
    kept = player.app.surface.subsurface(card)
    assert pygame.image.tobytes(kept, "RGB") == pygame.image.tobytes(legible, "RGB")


def test_what_was_done_already_is_not_asked_for() -> None:
    lesson = Lesson(load_steps("first_fight", ANY))
    lesson.see({"asked", "ways", "free", "undoable"})
    assert lesson.step is not None and lesson.step.id == "select"
    assert not lesson.did("considered", "free_steps")
    assert lesson.did("selected")
    assert lesson.step is not None and lesson.step.id == "undo"


def test_what_cannot_be_done_now_waits_and_comes_when_it_can() -> None:
    lesson = Lesson(load_steps("first_fight", ANY))
    lesson.see({"asked", "ways", "shut", "apart"})
    lesson.did("selected", "considered")
    assert lesson.step is not None and lesson.step.id == "door", "no free steps are left, nothing can be taken back"
    lesson.see({"asked", "ways", "free", "shut", "apart"})
    assert lesson.step is not None and lesson.step.id == "free"
    assert lesson.count == (3, 13)


@pytest.mark.parametrize(
    "text, told",
    [
        ("step = 3", "step"),
        ('[[step]]\nid = "a"\ntitle = "A"\ntext = "B"\ndone = ["danced"]', "step.0.done.0"),
        ('[[step]]\nid = "a"\ntitle = "A"\ntext = "{dance}"\ndone = ["moved"]', "'dance' is no command"),
        ('[[step]]\nid = "a"\ntitle = "A"\ntext = "B"\npoints_at = "moon"\ndone = ["moved"]', "points_at"),
        ('[[step]]\nid = "a"\ntitle = "A"\ntext = "B"\ndone = ["moved"]\n' * 2, "is there twice"),
        ("step = [", "cannot be read"),
    ],
)
def test_a_mistake_in_a_lesson_is_one_clear_line(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "lesson.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BattlematError) as caught:
        load_steps("lesson", ANY, path)
    assert told in str(caught.value) and str(path) in str(caught.value) and "\n" not in str(caught.value)
