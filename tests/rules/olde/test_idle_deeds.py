"""What a glance rules out has no instance: lists of actions are whole without the deeds that aren't asked."""

from random import Random

import pytest

from rules.olde.actions.table import ACTION_KINDS, ChanceActions, still_open
from tests.bench import arena


@pytest.mark.parametrize("seed", range(1, 4))
def test_a_deed_that_is_not_asked_has_no_instance(seed):
    rules, random, state = arena.rules(), Random(seed), arena.start(seed=seed)
    left_out = 0
    for _ in range(150):
        open_now = rules.decisions(state)
        if not open_now:
            break
        legal = rules.legal(state, open_now[0])
        actions = list(legal)
        if isinstance(legal, ChanceActions):
            asked, chance = still_open(legal.context), legal.context.chance
            for do, deed in ACTION_KINDS.items():
                if deed not in asked and not (chance.moved or chance.acted or chance.only):
                    assert not list(deed.instances(legal.context)), do
                    left_out += 1
        state = rules.apply(state, open_now[0], random.choice(actions)).state
    assert left_out > 500
