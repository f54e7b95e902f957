"""`python -m tests.twins countup [--fights N] [--seed N] [--errors]`: random fights in both readings."""

from __future__ import annotations

import argparse

from tests.twins.countup.errors import ERRORS, caught_after
from tests.twins.countup.match import play


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.twins countup")
    parser.add_argument("--fights", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0, help="the first fight's number")
    parser.add_argument("--on", action="store_true", help="go on after a difference")
    parser.add_argument("--errors", action="store_true", help="deliberate errors in the rules: how soon each is seen")
    chosen = parser.parse_args(arguments)
    if chosen.errors:
        found = {name: caught_after(name) for name in ERRORS}
        for name, fights in found.items():
            print(f"{name}: " + (f"seen in fight {fights}" if fights else "NOT seen"))
        return 0 if all(found.values()) else 1
    commands = wrong = 0
    for seed in range(chosen.seed, chosen.seed + chosen.fights):
        given, match, difference = play(seed)
        commands += given
        if difference:
            wrong += 1
            print(f"fight {seed}, command {given}: {difference}")
            if not chosen.on:
                if match is not None:
                    tell(match)
                return 1
    print(f"{chosen.fights} fights, {commands} commands, {wrong} differences")
    return 1 if wrong else 0


def tell(match: object, lines: int = 9) -> None:
    """Both stories' ends."""
    for p in match.twin.people:  # type: ignore[attr-defined]
        keys = ("at", "space", "size", "weapons", "attacks", "half", "squares", "armour", "shield")
        print(p.id, {k: p.block[k] for k in keys if k in p.block}, f"reach {p.reach()} init {p.init} now {p.at}")
    print("\n".join(match.twin.ground.rows))  # type: ignore[attr-defined]
    told = [line for line in match.told if line]  # type: ignore[attr-defined]
    print("\nours:\n" + "\n".join(told[-lines:]))
    print("\ntwin:\n" + "\n".join(match.twin.log[-lines:]))  # type: ignore[attr-defined]
    print("dice:", match.twin.dice.log[-14:])  # type: ignore[attr-defined]
