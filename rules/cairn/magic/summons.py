"""Creatures that a power calls: on the caster's side, under its controller, for a while (cairn.md §5.5)."""

from __future__ import annotations

from rules.cairn.conditions import CALLED
from rules.cairn.gear import Weapon
from rules.cairn.magic.powers import Summon
from rules.cairn.state import Being, Figure, Lasting, Resolution, present
from rules.contract.events import Summoned
from rules.core.opening import told_apart


def call(resolution: Resolution, caster: int, model: Summon, cell: int, rounds: int) -> None:
    """A new creature joins, the last in the order; it plans from its side's next half on. Its id is the caster's with
    a number, `solena.1`: whoever plays the caster plays it."""
    owner = resolution.being(caster)
    number = 1 + sum(1 for being in resolution.setup.beings if being.id.startswith(f"{owner.id}."))
    while f"{owner.id}.{number}" in resolution.setup.index:
        number += 1
    attack = Weapon(
        model.attack,
        model.dice,
        hands=0,
        slots=0,
        blast=model.blast,
        tags=frozenset(model.tags),
        natural=True,
    )
    being = Being(
        id=f"{owner.id}.{number}",
        name=told_apart([*(each.name for each in resolution.setup.beings), model.name])[-1],
        side=owner.side,
        kind="Called",
        called=True,
        controller=owner.controller,
        art=model.art,
        temperament="brute",
        threat=0,
        pc=False,
        space=1,
        speed=model.speed,
        attacks=(attack,),
        armor=model.armor,
        wear=(),
        alert="ready",
        leader=False,
        group="",
        mindless=True,
        steadfast=True,
        detachment=model.detachment,
        unstoppable=False,
        heads=0,
        immune=frozenset(model.immune),
        impaired_by=frozenset(),
        enhanced_by=frozenset(),
        powers=(),
        light=0,
        dark_sight=False,
        bloodless=model.bloodless,
        guard=model.armor,
        sting=max(model.dice),
    )
    resolution.setup = resolution.setup.joined_by(being)
    stay = (Lasting(CALLED.name, rounds + 1 if rounds else 0, by=owner.id),)
    resolution.figures.append(
        Figure(
            cell=cell, hp=model.hp, hp_max=model.hp, str_now=model.strength, dex_now=model.dexterity,
            wil_now=model.willpower, str_max=model.strength, dex_max=model.dexterity, wil_max=model.willpower,
            lasting=stay,
        )
    )  # fmt: skip
    resolution.plans.append(None)
    resolution.events.append(
        Summoned(target=being.id, name=being.name, gained=True, at=resolution.space(cell), by=owner.id)
    )


def called(being: Being) -> bool:
    """Whether a power has called it: nobody mourns it."""
    return being.called


def dismiss(resolution: Resolution) -> None:
    """Those whose stay is over are gone: the hidden condition ran out at the end of the round."""
    for who, figure in enumerate(resolution.figures):
        being = resolution.being(who)
        if called(being) and present(figure) and not figure.has(CALLED):
            resolution.change(who, fled=True, cell=-1)
            resolution.events.append(Summoned(target=being.id, name=being.name, gained=False))
