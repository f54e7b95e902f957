"""The tables of a ruleset's content, with what was made of them: fights begin over and over with the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar, cast

Raw = Sequence[Mapping[str, Any]]
T = TypeVar("T")


class Tables(Mapping[str, Raw]):
    """Raw tables that nobody changes any more; they belong to whoever asks the rules, and remember for them."""

    def __init__(self, raw: Mapping[str, Raw]) -> None:
        self.raw = raw
        self.made: dict[object, Any] = {}

    def __getitem__(self, name: str) -> Raw:
        return self.raw[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.raw)

    def __len__(self) -> int:
        return len(self.raw)

    def __reduce__(self) -> tuple[Any, ...]:
        return Tables, (self.raw,)


def made_of(tables: Mapping[str, Raw], make: Callable[[Mapping[str, Raw]], T]) -> T:
    """What is made of raw tables, once where they remember it."""
    if not isinstance(tables, Tables):
        return make(tables)
    if make not in tables.made:
        tables.made[make] = make(tables)
    return cast(T, tables.made[make])
