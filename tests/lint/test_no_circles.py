"""The contract against circles finds them."""

from __future__ import annotations

from tests.lint.no_circles import circles


def test_modules_that_reach_each_other_are_one_circle() -> None:
    imports = {"a": ["b"], "b": ["c"], "c": ["a", "d"], "d": ["e"], "e": ["d"], "f": ["a"]}
    assert circles(imports) == [["a", "b", "c"], ["d", "e"]]


def test_a_tree_of_imports_has_none() -> None:
    assert circles({"a": ["b", "c"], "b": ["c"], "c": []}) == []
