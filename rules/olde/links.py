"""What entries of the content name in other tables: kind of entry -> (field, tables of which one has the name)."""

LINKS: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "item": (("holds", ("spells", "blessings")),),
    "spell": (("summon.weapons", ("weapons",)),),
    "blessing": (("summon.weapons", ("weapons",)),),
}
APART: dict[str, str] = {"blessing": "spells"}
"""Kind of entry -> the table none of whose names it may have."""
