"""The watched game with something unforeseen: a fight fails once as soon as the file FAIL lies in the user's folder."""

from __future__ import annotations

from game.paths import user_folder
from game.scenes.fight.scene import Fight
from tests.e2e import watched

update = Fight.update


def failing(fight: Fight, dt: float) -> bool:
    wish = user_folder("fights").parent / "FAIL"
    if wish.exists():
        wish.unlink()
        raise ZeroDivisionError("something unforeseen")
    return update(fight, dt)


if __name__ == "__main__":
    Fight.update = failing  # type: ignore[method-assign,assignment]
    raise SystemExit(watched.main())
