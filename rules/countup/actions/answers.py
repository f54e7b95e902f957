"""Questions inside somebody's action: to give ground to a blow, to strike or follow who flees (countup.md §2.6)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from msgspec.structs import replace

from rules.board.sight import Grade, grade
from rules.contract import events
from rules.contract.actions import Action, Description, Offer
from rules.contract.events import Roll
from rules.contract.ruleset import Odds
from rules.contract.text import joined, text
from rules.contract.units import EMPTY, NO_CREATURE, NOWHERE, Bitboard, CreatureIx
from rules.core.action_kinds import Face
from rules.countup.actions.attacks import ATTACK
from rules.countup.actions.context import Context, OrderKind
from rules.countup.actions.objects import known_doors
from rules.countup.combat.attack import GROUND, attack_adjustments, defence_of, speed_of
from rules.countup.combat.chances import attack_figures
from rules.countup.combat.injury import behind, together
from rules.countup.combat.reach import in_reach
from rules.countup.conditions import Doing, forbidden
from rules.countup.gear import Aim, Spell
from rules.countup.manners import FREE, Stance
from rules.countup.penetration import Die, hit_chances, text_of
from rules.countup.spells import area_of, points_for, prayers_left
from rules.countup.state import Casting, Choice, CountState, Gait, Order, Position, PreparedAttack, Resolution, Setup
from rules.countup.visibility import smoke_between


class Question:
    """The home of one question: its options, how it is put, what follows."""

    kind: str
    """In events."""
    faces: Mapping[str, tuple[str, str]]
    """What each answer is called, and what it means."""

    def options(self, setup: Setup) -> tuple[str, ...]:
        """The answers that there are."""
        return tuple(self.faces)

    def put(self, other: str) -> str:
        """The question about somebody, in words."""
        raise NotImplementedError(self.kind)

    def odds(self, state: CountState, choice: Choice, option: str) -> Odds:
        """How likely the attack hits that the question is about, if it is answered so."""
        raise NotImplementedError(self.kind)

    def resolve(self, resolution: Resolution, choice: Choice, option: str) -> None:
        """What follows from an answer."""
        raise NotImplementedError(self.kind)

    def ask(self, resolution: Resolution, by: CreatureIx, other: CreatureIx, number: int = 0) -> None:
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

    def put(self, other: str) -> str:
        return text("give ground to {other}?", other)

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
    if attack.manner.free or attack.manner.charge or Stance.CHARGING in (foe.stance, figure.stance):
        return False
    if figure.exposed or not can_step_back(resolution, attack.target, attack.by):
        return False
    return behind(resolution, attack.target, attack.by) is not None


def can_step_back(position: Position, who: CreatureIx, by: CreatureIx) -> bool:
    """Whether somebody is on its feet, its own master and no slower a walker than a foe to whom it might give ground;
    room behind, and what either has done before, aside (countup.md §2.6)."""
    figure = position.figures[who]
    if figure.prone or figure.casting is not None or forbidden(figure, Doing.STEP) or not figure.able(position.second):
        return False
    return position.being(by).pace_at(Gait.WALK) <= position.being(who).pace_at(Gait.WALK)


class AtTheFleeing(Question):
    """A free blow, and no pursuit for half a weapon's time; or after it at one's own pace (B24)."""

    kind = "fleer"
    faces = MappingProxyType(
        {
            "strike": ("Strike at the fleeing", "a free blow, then no pursuit for a while"),
            "follow": ("Follow", "no blow, stay at its heels"),
        }
    )

    def put(self, other: str) -> str:
        return text("{other} flees: strike or follow?", other)

    def strikes(self, option: str) -> bool:
        """Whether an answer is to strike."""
        return option == "strike"

    def odds(self, state: CountState, choice: Choice, option: str) -> Odds:
        """Who follows is at his heels in any case."""
        weapon = state.weapon(choice.by)
        if not self.strikes(option) or weapon.ranged:
            return Odds(1.0, (("at his heels", 1.0),), ((0, 1.0),), 0.0, 0.0)
        return _of(attack_figures(state, PreparedAttack(choice.by, choice.other, weapon, FREE))[0], "hit")

    def resolve(self, resolution: Resolution, choice: Choice, option: str) -> None:
        figure, fleer = resolution.figures[choice.by], resolution.figures[choice.other]
        if self.strikes(option):
            weapon = resolution.free_weapon(choice.by)
            half = -(-speed_of(resolution, choice.by, weapon) // 2)
            resolution.change(choice.by, no_pursuit=resolution.second + half)
            if in_reach(resolution, choice.by, choice.other, weapon):
                together(resolution, [PreparedAttack(choice.by, choice.other, weapon, FREE)])
        elif fleer.path and resolution.second >= figure.no_pursuit:
            way, weapon, beings = (fleer.cell, *fleer.path[:-1]), resolution.weapon(choice.by), resolution.setup.beings
            # at the end of the way it strikes, with a weapon to strike with
            blow = Action(beings[choice.by].id, ATTACK.do, target=beings[choice.other].id, weapon=weapon.name)
            follow = None if weapon.ranged else blow
            resolution.change(choice.by, order=Order(way, Gait.SPRINT, follow, True, given=resolution.second))


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


STANDING = "No step back: neither +5 to this defence nor a penalty to the next attack."
"""What it means to give no ground (countup.md §2.6)."""


def describe_answer(option: str) -> Description:
    """An answer's button."""
    faces = {word: face for question in QUESTIONS.values() for word, face in question.faces.items()}
    label, meaning = faces.get(option, (option, ""))
    return Description(label, "Answer", meaning, notes=(STANDING,) if option == "stand" else ())


NO_AIM = "nothing in reach and sight"
AIMS: Mapping[Aim, str] = MappingProxyType(
    {Aim.NONE: "none", Aim.CREATURE: "creature", Aim.ALLY: "creature", Aim.SPACE: "space", Aim.DOOR: "space"}
)
"""What a spell is pointed with, by what it needs."""


def short_of(context: Context, spell: Spell) -> str | None:
    """What a caster lacks for a spell, wherever it is aimed; None if nothing."""
    if spell.divine and prayers_left(context.being, context.figure, spell) <= 0:
        return "was granted and is spent"
    points = points_for(context.being, spell)
    if points > context.figure.points:
        return text("{points} spell points; {left} are left", points, context.figure.points)
    return None


class Cast(OrderKind):
    """Begin a spell (countup.md §2.8)."""

    do = "cast"
    explores = aimed = True
    face = Face("Cast", "Act", "casting time", "item", "cast", "5")
    doing = Doing.HARM
    rank = 2
    at_the_end = True

    def why_not(self, context: Context) -> str | None:
        reason = context.action_open() or ("spell fatigue" if context.tired else None)
        return reason or (None if context.being.spells else "knows no spells")

    def why_not_this(self, context: Context, action: Action) -> str | None:
        known = context.being.spells
        if action.item not in known:
            return text("item: {item} is not known; there are {spells}", repr(action.item), joined(", ", known))
        spell = _spells(context)[action.item or ""]
        short = short_of(context, spell)
        return text("{name}: {short}", spell.name, short) if short else self._aim(context, spell, action)

    def _aim(self, context: Context, spell: Spell, action: Action) -> str | None:
        """Why it cannot be aimed so, or None."""
        if spell.aim is Aim.NONE:
            return None
        if spell.aim in (Aim.SPACE, Aim.DOOR):
            goal, field = action.at, context.terrain.field
            if goal is None or not 0 <= goal < field.width * field.height:
                return "at: needs a space of the map"
            if spell.aim is Aim.DOOR and all(goal not in (d.cell, d.edge) for d in known_doors(context)):
                return "at: no door is there"
            cell, across = goal, 1
        else:
            target = context.find(action.target)
            if target is None:
                return text("target: {target} is not here", repr(action.target))
            foe, figure = context.setup.beings[target], context.state.figures[target]
            if spell.each_second and not (foe.armour or figure.shield or figure.hand):
                return text("target: {name} has no metal on", context.state.named(target))
            cell, across = figure.cell, foe.space
        start, sizes = context.place, (context.being.space, across)
        distance = context.terrain.distance(start, cell, *sizes)
        reach = spell.reach * (max(1, context.being.level) if spell.per_level else 1)
        if distance > max(1, reach):
            return text("{name} reaches {reach} ft, not {far}", spell.name, reach * 5, distance * 5)
        if distance and grade(context.terrain, start, cell, *sizes) is Grade.NONE:
            return "no line of sight"
        return "smoke hides it" if distance and smoke_between(context.state, start, cell, *sizes) else None

    def candidates(self, context: Context) -> Iterator[Action]:
        for name in dict.fromkeys(context.being.spells):
            yield from self._aims(context, _spells(context)[name])

    def _aims(self, context: Context, spell: Spell) -> Iterator[Action]:
        """All that a spell could be tried on."""
        me, name, figures, beings = context.being.id, spell.name, context.state.figures, context.setup.beings
        match spell.aim:
            case Aim.NONE:
                yield Action(me, self.do, item=name)
            case Aim.DOOR:
                for door in known_doors(context):
                    yield Action(me, self.do, item=name, at=door.cell)
            case Aim.SPACE:
                for target in context.others():  # areas are aimed at somebody; any other space is as legal
                    yield Action(me, self.do, item=name, at=figures[target].cell)
            case aim:
                for target in (*([context.who] if aim is Aim.ALLY else []), *context.others()):
                    yield Action(me, self.do, item=name, target=beings[target].id)

    def instances(self, context: Context) -> Iterator[Action]:
        for name in dict.fromkeys(context.being.spells) if self.why_not(context) is None else ():
            spell = _spells(context)[name]
            if not short_of(context, spell):
                for action in self._aims(context, spell):
                    if self._aim(context, spell, action) is None:
                        yield action

    def nothing(self, context: Context) -> str:
        spells = [_spells(context)[name] for name in context.being.spells]
        lacks = [short_of(context, spell) for spell in spells]
        return text("{name}: {lacks}", spells[0].name, lacks[0]) if lacks[0] and all(lacks) else NO_AIM

    def inside(self, context: Context, actions: tuple[Action, ...], refused: str | None) -> tuple[Offer, ...]:
        """Every spell that is known, with what it may be cast at or why it may not be cast now."""
        found = []
        for name in dict.fromkeys(context.being.spells):
            own = tuple(action for action in actions if action.item == name)
            spell = _spells(context)[name]
            why = None if own else short_of(context, spell) or refused or NO_AIM
            face = self.describe(context, Action(context.being.id, self.do, item=name))
            found.append(Offer(self.do, replace(face, needs=AIMS[spell.aim]), own, why))
        return tuple(found)

    def describe(self, context: Context, action: Action | None = None) -> Description:
        spell = _spells(context).get(action.item or "") if action is not None else None
        if spell is None:
            return self.button()
        if spell.divine:
            price = text("{n} left", prayers_left(context.being, context.figure, spell))
        else:
            price = text("{cost} of {points} points", points_for(context.being, spell), context.figure.points)
        cost = text("{casting} s · {price}", spell.casting, price)
        return self.button(spell.name, cost, notes=_meaning(spell), slot=context.state.second + spell.casting)

    def area(self, context: Context, action: Action) -> Bitboard:
        spell, target = _spells(context).get(action.item or ""), context.state.find(action.target)
        here = context.figure.cell if target is None else context.state.figures[target].cell
        cell = here if action.at is None else action.at
        return EMPTY if spell is None or cell < 0 else area_of(context.terrain, spell, context.figure.cell, cell)

    def resolve(self, resolution: Resolution, who: CreatureIx, action: Action) -> None:
        """Declare a spell: it takes effect when its casting time is over."""
        spell = resolution.setup.armoury.spells[action.item or ""]
        figure = resolution.figures[who]
        target, ends = resolution.setup.index.get(action.target or "", NO_CREATURE), resolution.second + spell.casting
        found: tuple[Roll, ...] = ()
        if resolution.setup.options["components"]:
            found = (resolution.roll(who, "component", (Die(1, 4),)),)
            ends += found[0].total
        casting = Casting(spell.name, ends, target, NOWHERE if action.at is None else action.at)
        points = figure.points - points_for(resolution.being(who), spell)
        prayed = (*figure.prayed, spell.name) if spell.divine else figure.prayed
        resolution.change(who, casting=casting, order=None, points=points, prayed=prayed, gait=Gait.NONE)
        resolution.note(who, text("begins {name}", spell.name), found)


CAST = Cast()


def _spells(context: Context) -> Mapping[str, Spell]:
    """All spells by their names."""
    return context.setup.armoury.spells


def _meaning(spell: Spell) -> tuple[str, ...]:
    """What a spell does: its figures, if it has any, and its text."""
    figures = []
    if spell.damage:
        figures.append(text("{dice} damage", text_of(*spell.harm)))
    if spell.heals:
        also = text(" (the anointed {better})", text_of(*spell.better_cure)) if spell.heals_anointed else ""
        figures.append(text("heals {dice}{also}", text_of(*spell.cure), also))
    if spell.save:
        told = "{save} save halves it" if spell.half else "{save} save against it"
        figures.append(text(told, spell.save))
    return (*([joined(", ", figures)] if figures else []), spell.text)
