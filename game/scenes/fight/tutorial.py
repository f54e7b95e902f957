"""The first fight: an ordinary fight with a guide that points at what is on screen, and never stands in the way.

The guide only watches. Steps are completed by doing, in whatever way; everything stays usable all the time.
"""

from __future__ import annotations

import pygame

from game.fight.advice import latest_of
from game.fight.lesson import Lesson, Step, load_steps
from game.fight.match import Match
from game.scenes.base import Scene, Shell
from game.scenes.fight import spaces
from game.scenes.fight.panels import card
from game.scenes.fight.plan import Plan, apart
from game.scenes.fight.scene import Fight
from game.view.palette import GOLD
from game.widgets.controls import Button, Label
from game.widgets.core import Box, Space, Tip, Widget, column, row
from game.widgets.ui import Ui
from rules.board.fixtures import DoorState
from rules.contract.actions import Action
from rules.contract.events import Attack, Chosen, Door, Ended, Moved
from rules.contract.text import text
from rules.contract.units import Cell

WIDTH, LEAST = 290, 220
"""Widths of the callout at 100 %: beside what it is about, and the least under the sheet."""
UNPAID = ("end", "free_steps")
"""Commands that cost nothing."""
SEEN_ON_TOP = {"help": "help", "replay": "again", "why": "why"}
"""Scenes over the fight -> what was done by opening them."""


class FirstFight(Fight):
    """A fight with a guide."""

    def __init__(self, app: Shell, match: Match) -> None:
        keys = {command.name: command.keys[0] if command.keys else "–" for command in app.keys.commands}
        self.lesson = Lesson(load_steps("first_fight", keys))
        super().__init__(app, match)
        self.guide = Guide(self, self.lesson)

    @property
    def ends_chances(self) -> bool:
        """Not before its player has ended one."""
        return super().ends_chances and "end" in self.lesson.over

    def covered(self, scene: Scene) -> None:
        self.guide.did(SEEN_ON_TOP.get(scene.name, ""))
        if self.match.decision is None:
            self.guide.stop()

    def update(self, dt: float) -> bool:
        changed = super().update(dt)
        return self.guide.update(dt) or changed

    def handle(self, event: pygame.event.Event) -> bool:
        return self.guide.handle(event) or super().handle(event)

    def command(self, name: str, event: pygame.event.Event) -> bool:
        if name == "lesson_next":
            self.guide.next()
        elif name == "lesson_skip":
            self.guide.skip()
        else:
            return super().command(name, event)
        return True

    def draw(self, surface: pygame.Surface) -> None:
        super().draw(surface)
        self.guide.draw(surface)


class Guide:
    """Watches what the player does, and draws a callout with a halo beside what the present step is about."""

    def __init__(self, fight: FirstFight, lesson: Lesson) -> None:
        self.fight, self.lesson, self.ui = fight, lesson, Ui(fight.app.look)
        self._events = self._length = self._folds = 0
        self._struck = False
        self._placed: tuple[object, pygame.Rect] | None = None
        self._resting: Action | None = None
        """What was considered when the present step began: pointing that happened to be there shows nothing yet."""
        self._beyond: tuple[Plan, bool] | None = None
        """Whether anything useful is left to do, in the plan for which it was asked."""

    # -- what was done

    def did(self, *deeds: str) -> bool:
        """Something was done; whether the guide moved on."""
        moved = self.lesson.did(*(deed for deed in deeds if deed)) | self.lesson.see(self.facts())
        if moved:
            self._on()
        return moved

    def _on(self) -> None:
        """Another step is shown, or none."""
        self._resting = self.fight.choices.preview
        self.fight.dirty = True
        app = self.fight.app
        if self.lesson.finished and app.settings.offer_lesson:
            app.settings.offer_lesson = False
            app.save_settings()

    def next(self) -> None:
        """Pass the present step over."""
        if self.lesson.step is not None:
            self.lesson.skip()
            self._on()

    def stop(self, told: str = "") -> None:
        """The lesson is over; where it was not before, that is `told`."""
        if not self.lesson.finished:
            self.lesson.stop()
            self._on()
            if told:
                self.fight.toast(told)

    def skip(self) -> None:
        """No more of this lesson."""
        self.stop("The guide is gone; the fight goes on. “First fight” on the title brings it back.")

    def update(self, dt: float) -> bool:
        """Look at what the player did since."""
        return self.did(*self._looked(), *self._happened()) | self.ui.update(dt)

    # -- how things are

    def facts(self) -> set[str]:
        """What is so now, in the words of the lesson's steps."""
        fight, plan = self.fight, self.fight.plan
        found = {"told"} if any(entry.details for entry in fight.telling.story.entries) and self._struck else set()
        if latest_of(fight.match, None) is not None and fight.seating.open_book:
            found.add("seen")
        found.add("shut" if "closed" in fight.ruleset.doors(fight.shown) else "open")
        if plan is None or fight.view.busy or plan.is_question:
            return found
        found |= {"asked", "reach" if plan.targets() else "apart"}
        past = fight.undoing.latest()
        so = {
            "free": any(plan.moves(offer) for offer in plan.offers if offer.description.group == "First"),
            "ways": self._space("paid") is not None,
            "undoable": past is not None and past.free,
        }
        found |= {fact for fact, holds in so.items() if holds}
        paid = any(c.by == fight.acting and c.do not in UNPAID for c in fight.match.record.commands[-1:])
        if paid and not self._goes_on(plan):
            found.add("spent")
        return found

    def _goes_on(self, plan: Plan) -> bool:
        """Whether anybody could be struck in this chance, or a shut door opened, here or after a way."""
        if self._beyond is None or self._beyond[0] is not plan:
            foes = [m.id for m in plan.board.miniatures if plan.is_foe(m.id) and not m.out]
            states = zip(plan.field.doors, self.fight.ruleset.doors(plan.state), strict=True)
            shut = [door.id for door, state in states if state == DoorState.CLOSED]
            self._beyond = (plan, bool(
                plan.targets()
                or any(spaces.to_foe(plan, foe) is not None for foe in foes)
                or any(spaces.to_door(plan, door) is not None for door in shut)
            ))  # fmt: skip
        return self._beyond[1]

    def _looked(self) -> list[str]:
        fight, found = self.fight, []
        if fight.selected not in (None, fight.acting) and fight.plan is not None:
            found.append("selected")
        preview, plan, step = fight.choices.preview, fight.plan, self.lesson.step
        if preview != self._resting:
            self._resting = None  # it was left: who comes back to it points at it
        if preview is not None and plan is not None and step is not None and preview != self._resting:
            shown = {"considered": bool(preview.path), "aimed": preview.target in plan.minis}
            found += [deed for deed, holds in shown.items() if holds and deed in step.done]
        if fight.chance is not None and fight.chance.targets():
            found.append("in_reach")
        if fight.telling.story.folds != self._folds:
            self._folds = fight.telling.story.folds
            found.append("unfolded")
        return found

    def _happened(self) -> list[str]:
        fight, found = self.fight, []
        if fight.match.history.length < self._length:
            found.append("undone")
        self._length = fight.match.history.length
        own = {m.id for m in fight.board.miniatures if m.side in fight.sides}
        for number, event in enumerate(fight.match.events[self._events :], self._events + 1):
            by = getattr(event, "by", None)
            if isinstance(event, Moved) and by in own:
                found += ["moved", "free_steps"] if event.mode == "free_steps" else ["moved"]
            elif isinstance(event, Attack) and by in own:
                found.append("attacked")
                self._struck = True
            elif isinstance(event, Door) and by in own and event.state == DoorState.OPEN:
                found.append("opened")
            elif isinstance(event, Ended) and by in own:
                a_choice = fight.undoing.a_choice(fight.match.history.frame_of(number) - 1)
                found += ["ended"] if a_choice else []  # and not the only thing left to do
            elif isinstance(event, Chosen):
                found.append("chosen")
        self._events = len(fight.match.events)
        if fight.match.decision is None:
            found.append("over")
        return found

    # -- what it points at

    def target(self) -> pygame.Rect | None:
        """Where that is which the present step is about; None if it isn't on screen now."""
        step, fight, plan = self.lesson.step, self.fight, self.fight.chance
        if step is None:
            return None
        place: str = step.points_at
        if place in ("log", "why") and not fight.log_open:
            place = "folded log"
        if place in ("paid", "free"):
            cell = self._space(place)
            return fight.camera.space_rect(cell) if cell is not None else None
        if place in ("near", "foe"):  # the nearest goblin that stands, or a foe that could be struck
            names = (plan.foes_by_distance() if place == "near" else plan.targets()) if plan is not None else []
            foes = (mini for mini in fight.board.miniatures if mini.id in names[:1])
            return next((fight.camera.space_rect(foe.cell, foe.size) for foe in foes), None)
        if place == "door":
            doors = zip(fight.match.field.doors, fight.ruleset.doors(fight.shown), strict=True)
            return next((fight.camera.space_rect(d.cell) for d, state in doors if state == DoorState.CLOSED), None)
        if place == "why":
            return self._question_mark()
        wanted = {"order": "order ", "undo": "undo", "again": "again", "log": "story", "end": "offer end",
                  "folded log": "fold log"}  # fmt: skip
        if (start := wanted.get(place)) is None:
            return None
        rects = [w.rect for panel in fight.ui.live() for w in panel.walk() if w.key.startswith(start)]
        around = fight.app.look.px(5) * 2  # what is written in the log reaches to its edge
        return rects[0].unionall(rects[1:]).inflate(around if place == "log" else 0, 0) if rects else None

    def _space(self, place: str) -> int | None:
        """A lit space where nobody is, the nearest to a foe: a free one, or one that costs."""
        fight, plan = self.fight, self.fight.chance
        if plan is None:
            return None
        lit: dict[bool, set[Cell]] = {True: set(), False: set()}
        for offer in plan.active("path"):
            lit[offer.description.group == "First"] |= set(plan.moves(offer))
        cells = lit[True] if place == "free" else lit[False] - lit[True]
        cells -= {mini.cell for mini in fight.board.miniatures}
        field = fight.match.field
        foes = [m.cell for m in fight.board.miniatures if plan.is_foe(m.id) and not m.out]
        far = {cell: min((apart(field, cell, foe) for foe in foes), default=0) for cell in cells}
        return min(cells, key=lambda cell: (far[cell], cell), default=None)

    def _question_mark(self) -> pygame.Rect | None:
        """The latest ? of the log that is on screen; the log, where one has to look for it further up."""
        story = self.fight.telling.story
        marks = [story.mark(n) for n, entry in enumerate(story.entries) if entry.asks]
        seen = [rect for rect in marks if story.rect.contains(rect)]
        return seen[-1].inflate(8, 8) if seen else story.rect.copy()

    # -- the callout

    @property
    def shown(self) -> Step | None:
        """The step whose callout is on screen."""
        fight = self.fight
        quiet = fight.view.busy or fight.ui.modal or fight.app.top is not fight or fight.pointed.busy
        return None if quiet else self.lesson.step

    def handle(self, event: pygame.event.Event) -> bool:
        """The callout's own buttons; everything else is the fight's."""
        if event.type not in (pygame.MOUSEMOTION, pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP, pygame.MOUSEWHEEL):
            return False
        if self.fight.pointed.busy or self.fight.ui.grabbed is not None:
            return False
        self._lay()
        over = bool(self.ui.layers) and self.ui.over(getattr(event, "pos", self.fight.app.pointer))
        if not over and self.ui.grabbed is None:
            if self.ui.hover is not None:
                self.ui.handle(event)
                self.fight.dirty = True
            return False
        self.ui.handle(event)
        self.fight.pointing.leave(event)
        self.fight.ui.leave()
        self.fight.dirty = True
        return True

    def _lay(self) -> pygame.Rect | None:
        """Put the callout in its place; what it points at."""
        step = self.shown
        if step is None:
            self.ui.clear()
            self._placed = None
            return None
        fight, target = self.fight, self.target()
        look = self.ui.look = fight.app.look
        panels, sheet = fight.panels, fight.panels.sheet_rect
        over = [rect for rect in (panels.card_rect, panels.toast_rect) if rect is not None]
        key = (step.id, tuple(target or ()), tuple(map(tuple, over)), tuple(sheet), fight.size, look.scale)
        if self._placed is not None and self._placed[0] == key:
            return target
        box = self._callout(step, found=target is not None)
        rect = self._docked(box, target, over) or self._beside(box, step, target, over)
        if self.ui.grabbed is None or not self.ui.grabbed.key:
            self.ui.clear()
            self.ui.add(box, rect)
            self.ui.finish()
            self._placed = (key, rect)
        return target

    def _with_chance(self, rect: pygame.Rect) -> pygame.Rect:
        """What the step points at; for a foe, with the chance over its head."""
        foe = self.lesson.step is not None and self.lesson.step.points_at == "foe"
        return rect.union(rect.move(0, -rect.height // 4)) if foe else rect

    def _fighters(self) -> list[pygame.Rect]:
        camera = self.fight.camera
        return [camera.space_rect(m.cell, m.size) for m in self.fight.board.miniatures if not m.dead]

    def _docked(self, box: Box, target: pygame.Rect | None, over: list[pygame.Rect]) -> pygame.Rect | None:
        """The place under the sheet, where it covers nothing of the board; None where it does or has no room."""
        panels, look = self.fight.panels, self.ui.look
        sheet, gap = panels.sheet_rect, look.px(8)
        rect = pygame.Rect(sheet.left, sheet.bottom + gap, sheet.width, box.measure(look, sheet.width)[1])
        off = [*self._fighters(), *over, *([target] if target is not None else [])]
        roomy = sheet.width >= look.px(LEAST) and rect.bottom + gap <= self.fight.under_panels[0].top
        free = rect.right <= self.fight.camera.free.left and rect.collidelist(off) < 0
        return rect if roomy and free else None

    def _beside(self, box: Box, step: Step, target: pygame.Rect | None, over: list[pygame.Rect]) -> pygame.Rect:
        """A place near what the step is about, off those who fight and what else floats there."""
        fight, look = self.fight, self.ui.look
        width = min(look.px(WIDTH), fight.size[0] - 20)
        size = (width, box.measure(look, width)[1])
        window = pygame.Rect((0, 0), fight.size).inflate(-12, -12)
        free = fight.camera.free
        what = self._with_chance(target or pygame.Rect(free.centerx - 1, free.top, 2, 2))
        avoid = [*fight.under_panels, *over, what]
        return card.beside(size, what, window, [*self._fighters(), what, *over], avoid)

    def _callout(self, step: Step, *, found: bool) -> Box:
        lesson, keys = self.lesson, self.fight.app.keys
        title = Label(step.title, "label!", "gold")
        title.yields = True  # it may wrap; how far one has come doesn't
        count = Label(text("{shown} of {of_all}", *lesson.count), "small", "quiet")
        parts: list[Widget] = [row(title, Space(grow=1), count), Label(step.text)]
        if step.notes:
            parts.append(Label(step.notes, "small", "quiet"))
        tip = Tip("No more hints; the fight goes on.", keys.shown("lesson_skip"))
        skip = Button("No more hints", self.skip, key="lesson_skip", slim=True, quiet=True, tip=tip)
        after = Tip("Leave this for later and see the next hint.", keys.shown("lesson_next"))
        on = Button("Next", self.next, key="lesson_next", slim=True, hint=keys.shown("lesson_next"), tip=after)
        return column(*parts, row(skip, Space(grow=1), on), gap=6, pad=11, plate="panel", edge="gold")

    def draw(self, surface: pygame.Surface) -> None:
        """The halo around what the step is about, and the callout beside it."""
        target = self._lay()
        if self.shown is None:
            return
        look = self.fight.app.look
        if target is not None:
            card = self.fight.panels.card_rect  # it may lie over what it tells of
            kept = surface.subsurface(card.clip(surface.get_rect())).copy() if card is not None else None
            _halo(surface, self._with_chance(target), look.px(4))
            if card is not None and kept is not None:
                surface.blit(kept, card.clip(surface.get_rect()))
        if self._placed is not None:
            look.panel(surface, self._placed[1], fill="night", edge="")
        self.ui.draw(surface)


def _halo(surface: pygame.Surface, rect: pygame.Rect, width: int) -> None:
    """A soft ring of light around a rectangle."""
    reach = width * 4
    ring = pygame.Surface(rect.inflate(2 * reach, 2 * reach).size, pygame.SRCALPHA)
    for n in range(8, 0, -1):
        grown = reach * n // 8
        box = ring.get_rect().inflate(2 * (grown - reach), 2 * (grown - reach))
        pygame.draw.rect(ring, (*GOLD, 150 - 17 * n), box, max(2, reach // 8 + 1), width * 2 + grown)
    box = ring.get_rect().inflate(-2 * reach + 2, -2 * reach + 2)
    pygame.draw.rect(ring, (*GOLD, 235), box, max(2, width // 2), width * 2)
    surface.blit(ring, rect.inflate(2 * reach, 2 * reach))
