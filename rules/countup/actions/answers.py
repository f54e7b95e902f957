"""Questions inside somebody's action: to give ground to a blow, to strike or follow who flees (countup.md §2.6)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from msgspec.structs import replace

from rules.contract import events
from rules.contract.actions import Action, Description
from rules.contract.ruleset import Odds
from rules.contract.text import Creature, text
from rules.countup.actions.attacks import ATTACK
from rules.countup.combat.attack import attack_adjustments, defence_of, speed_of
from rules.countup.combat.chances import attack_figures
from rules.countup.combat.injury import behind, together
from rules.countup.combat.reach import in_reach
from rules.countup.conditions import Doing, forbidden
from rules.countup.manners import FREE, Stance
from rules.countup.penetration import hit_chances
from rules.countup.state import (
    Choice,
    CountState,
    Order,
    PreparedAttack,
    Resolution,
    Setup,
    able,
    free_hand,
    in_hand,
    pace,
    weapon_of,
)

GROUND = 5
"""What giving ground adds to the defence (countup.md §2.6)."""


class Question:
    """The home of one question: its options, how it is put, what follows."""

    kind: str
    """In events."""
    faces: Mapping[str, tuple[str, str]]
    """What each answer is called, and what it means."""

    def options(self, setup: Setup) -> tuple[str, ...]:
        """The answers that there are."""
        return tuple(self.faces)

    def put(self, other: Creature) -> str:
        """The question about somebody, in words."""
        raise NotImplementedError(self.kind)

    def odds(self, state: CountState, choice: Choice, option: str) -> Odds:
        """How likely the attack hits that the question is about, if it is answered so."""
        raise NotImplementedError(self.kind)

    def resolve(self, resolution: Resolution, choice: Choice, option: str) -> None:
        """What follows from an answer."""
        raise NotImplementedError(self.kind)

    def ask(self, resolution: Resolution, by: int, other: int, number: int = 0) -> None:
        """Somebody must answer before time goes on."""
        options = self.options(resolution.setup)
        resolution.choices = (*resolution.choices, Choice(by, self.kind, options, other, number))
        name, about = resolution.being(by).id, resolution.being(other).id
        resolution.events.append(events.Question(by=name, kind=self.kind, options=options, about=about))


class GiveGround(Question):
    """Whoever may give ground to a blow says so before the dice fall."""

    kind = "give_ground"
    faces = MappingProxyType(
        {
            "stand": ("Stand firm", "meet the blow here"),
            "yield": ("Give ground", "5 ft back, +5 defence now, next attack −1"),
            "scamper": ("Scamper back", "10 ft back, +5 defence now, next attack −4"),
        }
    )
    policies = ("stand", "yield", "ask")
    """How somebody answers unasked: never, always; or is asked."""

    def options(self, setup: Setup) -> tuple[str, ...]:
        return ("stand", "yield", "scamper") if setup.options["scamper_back"] else ("stand", "yield")

    def put(self, other: Creature) -> str:
        return text("give ground to {other}?", other=other)

    def ask_all(self, resolution: Resolution) -> None:
        """Of the blows of this second those to which ground may be given: by policy, or by asking."""
        for number, attack in enumerate(resolution.attacks):
            if _may_give_ground(resolution, attack):
                policy = resolution.figures[attack.target].policy
                if policy == "yield":
                    self._give(resolution, number)
                elif policy == "ask":
                    self.ask(resolution, attack.target, attack.by, number)

    def guarded(self, option: str) -> int:
        """What an answer adds to the defence."""
        return 0 if option == "stand" else GROUND

    def odds(self, state: CountState, choice: Choice, option: str) -> Odds:
        attack = state.attacks[choice.number]
        guard = defence_of(state, attack.target, attack.by)
        gap = sum(each.value for each in attack_adjustments(state, attack)) - guard.bonus - self.guarded(option)
        plain, critical, _ = hit_chances(20, guard.faces, (gap, None))
        return _of(float((plain + critical) / (1 + state.figures[attack.target].images)), "to be hit")

    def resolve(self, resolution: Resolution, choice: Choice, option: str) -> None:
        if self.guarded(option):
            self._give(resolution, choice.number)
            scampers = resolution.figures[choice.by].scampered or option == "scamper"
            resolution.change(choice.by, scampered=scampers)

    def _give(self, resolution: Resolution, number: int) -> None:
        attacks = list(resolution.attacks)
        attacks[number] = replace(attacks[number], yielded=True)
        resolution.attacks = tuple(attacks)


def _may_give_ground(resolution: Resolution, attack: PreparedAttack) -> bool:
    """A free space behind, an attacker who is no faster a walker and does not charge (countup.md §2.6)."""
    figure, foe = resolution.figures[attack.target], resolution.figures[attack.by]
    if attack.manner.free or attack.manner.charge or not able(figure, resolution.second) or figure.prone:
        return False
    if figure.casting is not None or forbidden(figure, Doing.STEP) or foe.stance is Stance.CHARGING:
        return False
    if figure.exposed or figure.stance is Stance.CHARGING:
        return False
    if pace(resolution.being(attack.by), "walk") > pace(resolution.being(attack.target), "walk"):
        return False
    return behind(resolution, attack.target, attack.by) is not None


class AtTheFleeing(Question):
    """A free blow, and no pursuit for half a weapon's time; or after it at one's own pace (B24)."""

    kind = "fleer"
    faces = MappingProxyType(
        {
            "strike": ("Strike at the fleeing", "a free blow, then no pursuit for a while"),
            "follow": ("Follow", "no blow, stay at its heels"),
        }
    )

    def put(self, other: Creature) -> str:
        return text("{other} flees: strike or follow?", other=other)

    def strikes(self, option: str) -> bool:
        """Whether an answer is to strike."""
        return option == "strike"

    def odds(self, state: CountState, choice: Choice, option: str) -> Odds:
        """Who follows is at his heels in any case."""
        name = in_hand(state.setup, choice.by, state.figures[choice.by])
        weapon = weapon_of(state.setup, choice.by, name)
        if not self.strikes(option) or weapon.ranged:
            return Odds(1.0, (("at his heels", 1.0),), ((0, 1.0),), 0.0, 0.0)
        attack = PreparedAttack(choice.by, choice.other, name, FREE)
        return _of(attack_figures(state, attack, weapon)[0], "hit")

    def resolve(self, resolution: Resolution, choice: Choice, option: str) -> None:
        figure, fleer = resolution.figures[choice.by], resolution.figures[choice.other]
        if self.strikes(option):
            name = free_hand(resolution.setup, choice.by, figure)
            weapon = weapon_of(resolution.setup, choice.by, name)
            half = -(-speed_of(resolution.done(), choice.by, weapon) // 2)
            resolution.change(choice.by, no_pursuit=resolution.second + half)
            if in_reach(resolution.done(), choice.by, choice.other, weapon):
                together(resolution, [PreparedAttack(choice.by, choice.other, name, FREE)])
            return
        order = fleer.order
        if order is not None and order.path and resolution.second >= figure.no_pursuit:
            way = (fleer.cell, *order.path[:-1])
            follow = self._fight(resolution, choice)
            resolution.change(choice.by, order=Order(way, "sprint", follow, True, given=resolution.second))

    def _fight(self, resolution: Resolution, choice: Choice) -> Action | None:
        """What who follows does at the end of the way, with a weapon to strike with."""
        name = in_hand(resolution.setup, choice.by, resolution.figures[choice.by])
        if weapon_of(resolution.setup, choice.by, name).ranged:
            return None
        target = resolution.being(choice.other).id
        return Action(resolution.being(choice.by).id, ATTACK.do, target=target, weapon=name)


GIVE_GROUND, AT_THE_FLEEING = GiveGround(), AtTheFleeing()
QUESTIONS: Mapping[str, Question] = MappingProxyType(
    {question.kind: question for question in (GIVE_GROUND, AT_THE_FLEEING)}
)


def _of(hit: float, word: str) -> Odds:
    return Odds(hit, ((word, hit), ("missed", 1 - hit)), ((0, 1.0),), 0.0, 0.0)


def odds_of_answer(state: CountState, action: Action) -> Odds | None:
    """The odds of an answer to the question that stands open; None where it is none."""
    choice = state.choices[0] if state.choices else None
    if choice is None or action.option not in choice.options:
        return None
    return QUESTIONS[choice.kind].odds(state, choice, action.option)


def describe_answer(option: str) -> Description:
    """An answer's button."""
    faces = (question.faces.get(option) for question in QUESTIONS.values())
    label, meaning = next((face for face in faces if face is not None), (option, ""))
    return Description(label, "Answer", meaning)
