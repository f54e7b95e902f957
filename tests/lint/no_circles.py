"""A contract of import-linter: no module of some packages comes back to itself by its imports, typing ones counted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output


class NoCircles(Contract):
    """`packages`: where no circle may be. Imports inside functions and for types alone count like all others."""

    type_name = "no_circles"
    packages: Any = fields.ListField(subfield=fields.StringField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Look for circles."""
        modules = {m for m in graph.modules if any(f"{m}.".startswith(f"{p}.") for p in self.packages)}
        imports = {m: sorted(graph.find_modules_directly_imported_by(m) & modules) for m in modules}
        found = circles(imports)
        return ContractCheck(kept=not found, metadata={"circles": found})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Name the members of each circle."""
        for members in check.metadata["circles"]:
            output.print_error(f"{len(members)} modules import each other: {', '.join(members)}")


def circles(imports: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """The groups of modules that reach each other, each sorted, the largest first (Tarjan, without recursion)."""
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []
    for root in sorted(imports):
        if root in number:
            continue
        work = [(root, iter(imports[root]))]
        number[root] = low[root] = len(number)
        stack.append(root)
        while work:
            module, rest = work[-1]
            for other in rest:
                if other not in number:
                    number[other] = low[other] = len(number)
                    stack.append(other)
                    work.append((other, iter(imports[other])))
                    break
                if other in stack:
                    low[module] = min(low[module], number[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[module])
                if low[module] == number[module]:
                    group = stack[stack.index(module) :]
                    del stack[stack.index(module) :]
                    if len(group) > 1:
                        found.append(sorted(group))
    return sorted(found, key=lambda group: (-len(group), group))
