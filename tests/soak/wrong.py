"""What the soak holds against the window: one finding, named by the rule that it breaks."""

from __future__ import annotations


class Wrong(Exception):
    """Something that must never be seen. `rule` is the oracle's name; `sign` tells findings of one rule apart."""

    def __init__(self, rule: str, text: str, sign: str = "") -> None:
        super().__init__(f"{rule}: {text}")
        self.rule, self.text, self.sign = rule, text, sign

    def __reduce__(self) -> tuple[type[Wrong], tuple[str, str, str]]:
        return (Wrong, (self.rule, self.text, self.sign))

    def alike(self, other: Wrong | None) -> bool:
        """Whether another finding is the same one, met again."""
        return other is not None and (self.rule, self.sign) == (other.rule, other.sign)
