"""What is kept from deed to deed under Cairn is what would be found anew, and no list leaves out what is legal."""

from __future__ import annotations

from random import Random
from typing import Any

from rules.cairn.actions.aid import HELPING
from rules.cairn.actions.attacks import ATTACK, DARING_BLOW
from rules.cairn.actions.context import Context
from rules.cairn.actions.spells import CAST, USE
from rules.cairn.combat.attack import arms
from rules.cairn.visibility import eyes, sees
from rules.contract.actions import CHANCE, Action, pending
from rules.contract.units import EMPTY, numbered
from tests.bench import arena

DEEDS = 250


def fight(seed: int) -> Any:
    """A fight of four against six at random."""
    rules: Any = arena.rules("cairn")
    state, random = arena.start(20, 4, 6, seed, "cairn"), Random(seed)
    for _ in range(DEEDS):
        decision = pending(rules.decisions(state))
        if decision is None:
            return
        yield state, decision
        state = rules.apply(state, decision, random.choice(list(rules.legal(state, decision)))).state


def test_a_side_sees_what_its_creatures_see_by_now() -> None:
    for state, _ in fight(2):
        for side in ("heroes", "monsters"):
            seen = EMPTY
            for who, figure in numbered(state.figures):
                if state.setup.beings[who].side == side and figure.present:
                    seen |= eyes(state, who)
            assert sees(state, side) == seen


def test_nothing_legal_is_left_out_of_a_list() -> None:
    listed = 0
    for seed in (1, 3):
        for state, decision in fight(seed):
            if decision.kind != CHANCE:
                continue
            context = Context(state, state.setup.index[decision.by])
            name, ids = context.being.id, [being.id for being in state.setup.beings]
            weapons = [weapon.name for weapon in arms(context.setup, context.who, context.figure)]
            things = dict.fromkeys((*context.figure.carried, *context.being.powers))
            tried = {
                ATTACK: [Action(name, "attack", target=each, weapon=weapon) for each in ids for weapon in weapons],
                DARING_BLOW: [Action(name, "daring", target=each, weapon=weapon) for each in ids for weapon in weapons],
                HELPING: [Action(name, "help", target=each) for each in ids],
                CAST: [Action(name, "cast", item=item, target=each) for item in things for each in ids],
                USE: [Action(name, "use", item=item, target=each) for item in things for each in ids],
            }
            for kind, actions in tried.items():
                found = set(kind.instances(context))
                assert all(kind.refusal(context, action) is None for action in found)
                foes = {ids[i] for i in context.foes()}  # who strikes at a friend may, but isn't offered it
                for action in actions if kind not in (CAST, USE) else _aimed(context, actions):
                    if kind.refusal(context, action) is None and (kind is HELPING or action.target in foes):
                        assert action in found
                        listed += 1
    assert listed > 40


def _aimed(context: Context, actions: list[Action]) -> list[Action]:
    """Of uses those of powers for one creature."""
    powers, gear = context.setup.armoury.powers, context.setup.armoury.gear
    found = []
    for action in actions:
        item = gear.get(action.item or "")
        power = powers.get(item.power if item is not None and item.power else action.item or "")
        if power is not None and power.needs == "creature" and not power.onto:
            found.append(action)
    return found
