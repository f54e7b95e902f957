"""Seeds of new fights: the only chance outside the rules, and it is written into the record."""

from __future__ import annotations

import random


def fresh_seed() -> int:
    """A seed for a new fight: the only chance outside the rules, and it is written into the record."""
    return random.SystemRandom().randrange(1, 1_000_000)
