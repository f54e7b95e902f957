"""`python -m tests.twins cairn`: random fights through the rules and their twin."""

from __future__ import annotations

import argparse
from collections import Counter

from tests.twins.cairn.encounters import encounter
from tests.twins.cairn.errors import ERRORS, FIGHTS, found_after
from tests.twins.cairn.match import Difference, play


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.twins cairn", description=__doc__)
    parser.add_argument("--fights", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="number of the first fight")
    parser.add_argument("--errors", action="store_true", help="see deliberate errors in the rules found")
    parser.add_argument("--most", type=int, default=1, help="stop after so many differences")
    given = parser.parse_args(arguments)
    if given.errors:
        return errors(given.first)
    commands, found = 0, 0
    kinds: Counter[str] = Counter()
    for number in range(given.first, given.first + given.fights):
        try:
            match = play(encounter(number), number)
        except Difference as difference:
            found += 1
            print(f"fight {number}: {difference}\n")
            if found >= given.most:
                return 1
            continue
        commands += match.compared
        kinds += match.kinds
    print(f"{given.fights} fights, {commands} commands compared, {found} differences: {dict(kinds)}")
    return int(bool(found))


def errors(first: int) -> int:
    """After how many fights each deliberate error is found."""
    missed = 0
    for name in ERRORS:
        number = found_after(name, first)
        missed += number is None
        print(f"{name}: " + (f"found in fight {number}" if number else f"not found in {FIGHTS} fights"), flush=True)
    return int(bool(missed))
