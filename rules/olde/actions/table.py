"""The table of actions and the legal ones of a decision: the one source of legality; an action carried out."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from itertools import chain

import msgspec

from rules.contract.actions import Action, Decision, Description, Offer
from rules.contract.events import Chosen
from rules.core.action_kinds import Answers, Face, Shelf, nothing_for
from rules.olde.actions import calls
from rules.olde.actions.aid import FirstAid, Guide, Recover
from rules.olde.actions.climbing import CLIMB
from rules.olde.actions.context import Context, Deed, by_goal, spend
from rules.olde.actions.items import DoorWork, Force, LetGo, PickUp, Ready, TakeKey, TurnKey, has_keys
from rules.olde.actions.movement import Leap, Lower, Rise, Walk
from rules.olde.actions.obstacles import Search, Tackle
from rules.olde.actions.social import Assist, Intimidate
from rules.olde.actions.swimming import SWIM
from rules.olde.builds import builds_of
from rules.olde.combat import outcomes, reactions
from rules.olde.combat.fighting import ResetCrossbow, ShieldBlock, Strikes, usable
from rules.olde.combat.reactions import REACTIONS, answer_attack
from rules.olde.conditions import PRONE
from rules.olde.magic.deeds import CAST, USE, CastSpell, UseItem
from rules.olde.state import STANDING, Chance, OldeState, Question, Resolution, Setup
from rules.olde.traits.working import CallForHelp
from rules.olde.turns import answer_pool

IDLE: Mapping[str, Callable[[Context], bool]] = {
    "free_steps": lambda context: not context.figure.free,
    "step": lambda context: not context.left,
    "run": lambda context: not context.left or not context.setup.advanced,
    "swim": lambda context: context.setup.obstacles is None,
    "leap": lambda context: not context.left,
    "rise": lambda context: context.figure.posture == STANDING,
    "drop": lambda context: not context.left or context.figure.posture == PRONE.name,
    "attack": lambda context: context.left < 2 or not usable(context, "attack").far,
    "rushed_attack": lambda context: not context.left or not usable(context, "rushed_attack").far,
    "all_out_attack": lambda context: not context.left or not usable(context, "all_out_attack").far,
    "aimed_shot": lambda context: context.left < 3 or not usable(context, "aimed_shot").far,
    "shield_block": lambda context: (
        context.left < 2 or not any(item in context.setup.armoury.shields for item in context.figure.hands)
    ),
    "cast": lambda context: not context.fighter.spells,
    "use": lambda context: not context.left or not context.figure.items,
    "first_aid": lambda context: not context.left,
    "recover": lambda context: not context.left or not _wanting(context),
    "reset_crossbow": lambda context: not context.figure.unset,
    "drop_item": lambda context: not context.figure.hands,
    "pick_up": lambda context: not context.left or not context.state.floor,
    "open": lambda context: not context.left or not context.field.doors,
    "close": lambda context: not context.left or not context.field.doors,
    "unlock": lambda context: not context.figure.keys,
    "lock": lambda context: not context.figure.keys,
    "take_key": lambda context: not context.left or not has_keys(context.field),
    "force": lambda context: not context.left or not context.field.doors,
    "guide": lambda context: context.left < 2,
    "call_for_help": lambda context: context.fighter.traits is None or not context.fighter.traits.call,
    "search": lambda context: not context.state.found,
    "tackle": lambda context: not context.field.challenges,
    "assist": lambda context: context.left < 2,
    "intimidate": lambda context: context.left < 2,
    "flop": lambda context: context.figure.posture == PRONE.name,
}
"""Deed -> whether it is ruled out. Nothing is read here but what `means` tells."""


def _wanting(context: Context) -> bool:
    """Whether any pool could be filled up."""
    return context.figure.mana < context.fighter.mana_max or context.figure.faith < context.fighter.faith_max


def means(context: Context) -> Hashable:
    """All of a situation that rules deeds out: the same means, the same deeds to ask, in any fight."""
    figure, state, setup = context.figure, context.state, context.setup
    return (
        builds_of(setup)[context.who],
        context.left,
        figure.hands,
        figure.posture,
        figure.free > 0,
        not figure.unset,
        not figure.items,
        not figure.keys,
        not context.fighter.spells,
        not state.floor,
        not state.found,
        _wanting(context),
        _ground(setup),
        figure.ammunition == 0,
    )


def _ground(setup: Setup) -> tuple[bool, ...]:
    """What a map has: doors, keys to them, challenges, obstacles. Remembered."""
    found: tuple[bool, ...] | None = setup.memo.get("ground")
    if found is None:
        field = setup.field
        found = setup.memo["ground"] = (
            not field.doors, has_keys(field), not field.challenges, setup.obstacles is None
        )  # fmt: skip
    return found


CALL = CallForHelp(Face("Call for help", "Act", "1 AP", "none", "guide", "shift+h", "wakes sleeping allies"))

ACTION_KINDS: dict[str, Deed] = {
    "free_steps": Walk("free_steps", Face("Free steps", "First", "0 AP", "path", "free_steps", "q")),
    "step": Walk("step", Face("Step", "Move", "1 AP a space", "path", "step", "1")),
    "run": Walk("run", Face("Run", "Move", "1 AP for 2", "path", "run", "2", "−1 Def per AP")),
    "climb": CLIMB,
    "swim": SWIM,
    "leap": Leap(Face("Leap", "Move", "1 AP", "space", "leap", "l", "over 1 or 2 spaces")),
    "rise": Rise(Face("Rise", "Move", "2 AP/Only", "none", "rise", "z", "to standing")),
    "drop": Lower("drop", Face("Drop", "Move", "1 AP", "option", "drop", "x", "sit, kneel or lie")),
    "attack": Strikes("attack", Face("Attack", "Act", "2 AP", "creature", "attack", "4")),
    "rushed_attack": Strikes(
        "rushed_attack",
        Face("Rushed Attack", "Act", "1 AP", "creature", "rushed_attack", "3", "−2 attack, −1 Def"),
    ),
    "all_out_attack": Strikes(
        "all_out_attack",
        Face("All-Out Attack", "Act", "3 AP/Only", "creature", "all_out_attack", "5", "+2, damage +4, −3 Def"),
    ),
    "aimed_shot": Strikes(
        "aimed_shot", Face("Aimed Shot", "Act", "3 AP", "creature", "aimed_shot", "6", "+2, damage +2, −2 Def")
    ),
    "shield_block": ShieldBlock(
        Face("Shield Block", "Act", "2 AP", "none", "shield_block", "7", "+2 Def against melee")
    ),
    "cast": CAST,
    "use": USE,
    "first_aid": FirstAid(Face("First Aid", "Act", "3 AP/Only", "creature", "first_aid", "9", "stops bleeding, dying")),
    "recover": Recover(Face("Recover", "Act", "3 AP/Only", "option", "recover", "v", "+2 Mana or Faith")),
    "reset_crossbow": ResetCrossbow(Face("Reset crossbow", "Act", "1 or 3 AP", "none", "reset_crossbow", "t")),
    "ready": Ready(Face("Ready", "Act", "1 AP", "item", "ready", "y", "draw or sheathe")),
    "drop_item": LetGo(Face("Let go", "Act", "0 AP", "item", "drop_item", "g")),
    "pick_up": PickUp(Face("Pick up", "Act", "1 AP", "item", "pick_up", "p")),
    "open": DoorWork("open", Face("Open door", "Act", "1 AP", "door", "door", "o", "movement or action")),
    "close": DoorWork("close", Face("Close door", "Act", "1 AP", "door", "door", "k", "movement or action")),
    "unlock": TurnKey("unlock", Face("Unlock", "Act", "1 AP", "door", "key", "j", "with its key")),
    "lock": TurnKey("lock", Face("Lock", "Act", "1 AP", "door", "key", "shift+j", "with its key")),
    "take_key": TakeKey(Face("Take key", "Act", "1 AP", "item", "key", "shift+p", "from the fallen")),
    "force": Force(Face("Force or pick", "Act", "3 AP/Only", "door", "force", "f")),
    "guide": Guide(Face("Guide", "Act", "2 AP", "creature", "guide", "b", "a stunned ally")),
    "call_for_help": CALL,
    "search": Search(Face("Search", "Act", "3 AP/Only", "none", "eye", "e", "2 spaces around: secret doors, traps")),
    "tackle": Tackle(Face("Obstacles", "Act", "3 AP/Only", "option", "force", "n", "chest, known trap, rubble")),
    "assist": Assist(Face("Assist", "Act", "2 AP", "option", "guide", "h", "adds to an ally's next check")),
    "intimidate": Intimidate(
        Face("Intimidate", "Act", "2 AP", "creature", "frightened", "shift+i", "against its Nerve")
    ),
    "flop": Lower(
        "flop", Face("Flop", "Act", "0 AP", "option", "flop", "shift+x", "sit, kneel or lie, after any movement")
    ),
}  # fmt: skip

_SHELF = Shelf(
    large=("free_steps", "step", "attack"),
    small=("run", "rise", "rushed_attack", "all_out_attack", "aimed_shot", "shield_block", "cast", "use", "first_aid",
           "ready"),
)  # fmt: skip

_ANY_TIME = ("drop_item",)
"""Deeds that are open even after the action (olde.md §4)."""
_BY_CHANCE: dict[tuple[bool, bool], tuple[Deed, ...]] = {
    # free steps and movements come before the action, one movement a round; doors take the place of either
    (False, False): tuple(ACTION_KINDS.values()),
    (True, False): tuple(deed for deed in ACTION_KINDS.values() if deed.face.group == "Act"),
    (True, True): tuple(ACTION_KINDS[do] for do in _ANY_TIME),
}
"""(no movement left, no action left) -> the deeds that need be looked at."""


_IDLE = {ACTION_KINDS[do]: idle for do, idle in IDLE.items()}
_asked: dict[tuple[bool, bool, Hashable], tuple[Deed, ...]] = {}
_KEPT = 1 << 14


def _still_open(context: Context) -> tuple[Deed, ...]:
    """The deeds to ask for instances: what the chance leaves open, but for what a glance rules out. Remembered."""
    chance = context.chance
    over = chance.acted or chance.only
    key = (over or chance.moved, over, means(context))
    found = _asked.get(key)
    if found is None:
        if len(_asked) >= _KEPT:
            _asked.clear()
        deeds = _BY_CHANCE[key[:2]]
        found = _asked[key] = tuple(d for d in deeds if d not in _IDLE or not _IDLE[d](context))
    return found


ANSWERS = {
    "drop_weapon": "Drop the weapon",
    "fall_prone": "Fall prone",
    "weapon_breaks": "The weapon breaks",
    "strike_back": "The defender strikes back",
    "mana": "Recover 1 Mana",
    "faith": "Recover 1 Faith",
    **{name: r.label for name, r in REACTIONS.items()},
    "take_it": "Take the blow",
    "let_be": "Leave it at that",
}


class ChanceActions:
    """Legal actions of a chance (olde.md §4)."""

    def __init__(self, state: OldeState, decision: Decision) -> None:
        self.state = state
        self.decision = decision
        self._look: Context | None = None

    @property
    def context(self) -> Context:
        """The situation; taken in when somebody asks about more than ending the chance."""
        if self._look is None:
            assert self.state.chance is not None
            self._look = Context(self.state, self.state.chance)
        return self._look

    def __iter__(self) -> Iterator[Action]:
        context = self.context
        deeds = chain.from_iterable([deed.instances(context) for deed in _still_open(context)])
        return chain(deeds, (Action(self.decision.by, "end"),))

    def __contains__(self, action: object) -> bool:
        return isinstance(action, Action) and self.refusal(action) is None

    def refusal(self, action: Action) -> str | None:
        if action.by != self.decision.by:
            if calls.meant(action):
                return calls.refusal(self.state, action)
            return f"by: it is {self.decision.by}'s chance, not {action.by}'s"
        if action.do == "end":
            return None
        deed = ACTION_KINDS.get(action.do)
        if deed is None:
            return f"do: {action.do!r} is no action; there are {', '.join(ACTION_KINDS)}, end"
        reason = deed.refusal(self.context, action)
        return None if reason is None else f"{action.do}: {reason}"

    def moves(self, do: str) -> Mapping[int, Action]:
        deed = ACTION_KINDS.get(do)
        if deed is None or deed.face.needs not in ("path", "space"):
            return {}
        return by_goal(deed.instances(self.context))

    def offers(self) -> tuple[Offer, ...]:
        out = []
        for do, deed in ACTION_KINDS.items():
            actions = tuple(deed.instances(self.context))
            refused = None if actions else (deed.why_not(self.context) or nothing_for(deed.face.needs))
            cost = deed.cost(self.context, actions[0]) if actions and deed.face.needs != "path" else 0
            inside = deed.inside(self.context, actions) if isinstance(deed, (CastSpell, UseItem)) else ()
            described = _SHELF.placed(do, self._describe(deed, cost))
            out.append(Offer(do, described, actions, refused, inside=inside))
        ap = self.context.figure.ap
        ending = Description(
            "End",
            "End",
            f"keep {ap} AP" if ap else "nothing left",
            0,
            ap,
            "none",
            "end",
            "ctrl+enter",
            rank=1,
        )
        return (*out, Offer("end", ending, (Action(self.decision.by, "end"),)))

    def _describe(self, deed: Deed, cost: int) -> Description:
        face = deed.face
        text = f"0 AP · {self.context.figure.free} sp." if face.icon == "free_steps" else face.cost
        full = face.cost.removesuffix("/Only")
        if full == face.cost:
            return face.described(text, cost, self.context.figure.ap - cost)
        fewer = 0 < cost < int(full.split()[0])
        found = face.described(f"all {cost} AP" if fewer else full, cost, self.context.figure.ap - cost)
        return msgspec.structs.replace(found, notes=(*found.notes, ONLY))


ONLY = "Who begins the turn with fewer AP may give all of them for it, and does nothing else in that turn."
"""What an X/Only cost means (olde.md §4)."""


class Choices(Answers):
    """The legal answers to a question; meanwhile the game master may call for a roll."""

    def __init__(self, state: OldeState, decision: Decision, question: Question) -> None:
        super().__init__(decision, question.options, describe_answer, option_of)
        self.state = state

    def refusal(self, action: Action) -> str | None:
        if calls.meant(action):
            return calls.refusal(self.state, action)
        return super().refusal(action)


def describe_answer(option: str) -> Description:
    """An answer's button; a reaction's says what it takes."""
    known = REACTIONS.get(option)
    cost, icon = (f"{known.ap} AP", known.icon) if known else ("", "choose")
    return Description(ANSWERS.get(option, option), "Answer", cost, icon=icon)


def option_of(options: tuple[str, ...], word: str | None) -> str | None:
    """The option meant: by its name, part of it (`prone`, `drop`, `breaks`), or its number from 1."""
    if word is None:
        return None
    key = word.strip().lower().replace(" ", "_")
    if key in options:
        return key
    if key.isdigit() and 1 <= int(key) <= len(options):
        return options[int(key) - 1]
    parts = [o for o in options if key in o.split("_") or key.rstrip("s") in o.split("_")]
    return parts[0] if len(parts) == 1 else None


def act(resolution: Resolution, context: Context, action: Action) -> None:
    """Pay, note what the chance has done, and do it."""
    deed = ACTION_KINDS[action.do]
    cost = deed.cost(context, action)
    spend(resolution, context.who, cost)
    resolution.chance = _after(context, action.do, deed.face.group, cost)
    deed.perform(resolution, action, cost)


_ONLY = {do: int(deed.face.cost[0]) for do, deed in ACTION_KINDS.items() if deed.face.cost.endswith("/Only")}
"""Deeds that may be paid with all AP there are -> what they cost in full."""


def _after(context: Context, do: str, group: str, cost: int) -> Chance:
    chance = context.chance
    only = chance.only or 0 < cost < _ONLY.get(do, 0)
    freed, moved, acted = chance.freed, chance.moved, chance.acted
    start = chance.start
    if start < 0 and (group == "First" or group == "Move"):
        start = context.figure.cell
    if group == "First":
        freed = True
    elif group == "Move" or (isinstance(ACTION_KINDS[do], DoorWork) and context.move_open() is None):
        moved = True
    elif do != "drop_item":
        acted = True
    return Chance(chance.who, chance.spent + cost, freed, moved, acted, only, start)


def answer(resolution: Resolution, action: Action) -> None:
    """Carry out the answer to the question that stands open."""
    question = resolution.question
    assert question is not None
    option = option_of(question.options, action.option)
    assert option is not None
    resolution.events.append(Chosen(by=action.by, kind=question.kind, option=option))
    if question.kind == "recover_pool":
        answer_pool(resolution, option)
        return
    if question.kind in reactions.DECLINE:
        answer_attack(resolution, option)
        return
    resolution.question = None
    weapon = resolution.setup.armoury.weapons[question.weapon]
    outcomes.carry_out(resolution, question.who, question.other, option, weapon)
