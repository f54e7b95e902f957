"""Each hero's earlier and later shapes, so that steps of the workshop can be taken back."""

from __future__ import annotations

from typing import Any

from game.characters.heroes import Hero

MOST = 200
"""Steps that are remembered for each hero."""
TYPED = frozenset(("name",))
"""Fields that are typed: changes in a row to one of them are one step."""


class Steps:
    """Each hero's earlier and later shapes. Heroes never change, so a step back is the hero of then."""

    def __init__(self) -> None:
        self._past: dict[str, list[Any]] = {}
        self._future: dict[str, list[Any]] = {}
        self._typing: tuple[str, str] = ("", "")
        """(hero, field) of the step just made, if it was typed."""

    def done(self, before: Hero, after: Hero) -> None:
        """A hero was changed."""
        fields = getattr(type(after), "model_fields", ())
        differs = [name for name in fields if getattr(before, name) != getattr(after, name)]
        typing = (after.id, differs[0]) if len(differs) == 1 and differs[0] in TYPED else ("", "")
        past = self._past.setdefault(after.id, [])
        if not past or typing == ("", "") or typing != self._typing:
            past.append(before)
            del past[:-MOST]
        self._typing = typing
        self._future.pop(after.id, None)

    def settle(self) -> None:
        """What comes next is a step of its own."""
        self._typing = ("", "")

    def back(self, hero: Hero) -> Any:
        """The hero before the last step; None if there was none."""
        return self._turn(hero, self._past, self._future)

    def on(self, hero: Hero) -> Any:
        """The hero as it was before the last step back; None if there was none."""
        return self._turn(hero, self._future, self._past)

    def may(self, hero: Hero) -> tuple[bool, bool]:
        """Whether there is a step to take back, and one to do again."""
        return bool(self._past.get(hero.id)), bool(self._future.get(hero.id))

    def forget(self, name: str) -> None:
        """This hero was changed by somebody else, or is gone."""
        self._past.pop(name, None)
        self._future.pop(name, None)
        self.settle()

    def _turn(self, hero: Hero, source: dict[str, list[Any]], goal: dict[str, list[Any]]) -> Any:
        self.settle()
        if not source.get(hero.id):
            return None
        goal.setdefault(hero.id, []).append(hero)
        return source[hero.id].pop()
