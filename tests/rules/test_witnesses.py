"""Who witnessed what happened (rules/core/visibility.py)."""

from __future__ import annotations

from rules.board.grid import Field
from rules.contract.events import Item, Noise, NoiseKind
from rules.contract.units import Bitboard
from rules.core.visibility import Witnesses, witnessed


def scene_of(views: dict[str, Bitboard], sides: dict[str, str]) -> Witnesses:
    """Everybody stands on the first space; `views`: what each side sees; `sides`: of each creature."""
    terrain = Field.from_rows(["..."]).terrain()
    return Witnesses(
        terrain,
        tuple(views),
        lambda side, wanted: views[side] & wanted,
        sides,
        lambda name: Bitboard(1),
        lambda name: 1,
    )


def test_of_those_who_saw_a_secret_only_its_sides_know_it() -> None:
    """Two sides see the space, a third doesn't; the secret is the first one's."""
    views = {side: Bitboard(seen) for side, seen in (("heroes", 0b111), ("monsters", 0b111), ("guards", 0b100))}
    scene = scene_of(views, {"a": "heroes"})
    open_to, secret = Item(by="a", item="key", how="taken"), Item(by="a", item="key", how="taken", seen_by=("heroes",))
    assert [event.seen_by for event in witnessed(scene, [open_to, secret])] == [("heroes", "monsters"), ("heroes",)]


def test_a_noise_names_its_maker_to_those_who_see_them_and_to_nobody_who_only_hears() -> None:
    """The heroes see who shouts, a monster around the corner only hears it, the guards do neither."""
    views = {side: Bitboard(seen) for side, seen in (("heroes", 0b001), ("monsters", 0b100), ("guards", 0b100))}
    sides = {"a": "heroes", "m": "monsters", "g": "guards"}
    scene = scene_of(views, sides)
    shout = Noise(by="a", what=NoiseKind.SHOUT, at=(0, 0), heard=(("m", 7),), loudness=12)
    whole, part = witnessed(scene, [shout])
    assert isinstance(part, Noise) and isinstance(whole, Noise)
    assert (whole.by, whole.seen_by, whole.whole_for) == ("a", ("heroes",), ())
    assert (part.by, part.seen_by, part.whole_for) == ("", ("monsters",), ("heroes",))
    assert (part.nearest({"m", "g"}), part.nearest({"g"})) == (7, None)
