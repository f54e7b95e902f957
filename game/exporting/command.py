"""`battlemat export`: a map for other programs."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from game.exporting import order as orders
from game.exporting.order import ENDINGS, Form, Order
from game.exporting.pictures import FEWEST, MOST
from rules.contract.errors import BattlematError
from rules.contract.text import text


def run(options: argparse.Namespace, say: Callable[[list[str]], None]) -> int:
    """Write a file for each map and say which; 0. Raises BattlematError in one line."""
    form, out = _form(options.to, options.out)
    if options.pixels is not None and not FEWEST <= options.pixels <= MOST:
        raise BattlematError("--pixels {pixels}: a space has {least} to {most}", options.pixels, FEWEST, MOST)
    matter = orders.read(options.map)
    grid = form is Form.PNG if options.grid is None else options.grid
    order = Order(form, grid, options.secrets, options.pixels)
    for path in orders.write(matter, order, out or Path(options.map.stem + ENDINGS[form][0])):
        say([text("{out}: {kilobytes} kB", str(path), -(-path.stat().st_size // 1024))])
    return 0


def _form(to: str | None, out: Path | None) -> tuple[Form, Path | None]:
    """What is to be written: as it is said, else as the file's name ends, else Universal VTT."""
    if to is not None and to not in set(Form):
        raise BattlematError("--to {to}: nothing that is exported; {forms} is right", to, " or ".join(Form))
    if out is None:
        return Form(to) if to else Form.UVTT, None
    by_name = next((form for form, endings in ENDINGS.items() if out.suffix.lower() in endings), None)
    form = Form(to) if to else by_name
    if form is None or by_name is not form:
        known = ", ".join(ending for kind in ((form,) if form else Form) for ending in ENDINGS[kind])
        raise BattlematError("{out}: what is exported ends with {known}", str(out), known)
    return form, out
