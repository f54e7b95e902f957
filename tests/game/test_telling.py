"""What is told waits for the dice on screen; what is true doesn't."""

from __future__ import annotations

from tests.game.player import Player, commands, fight_of


def test_log_sheet_and_order_wait_for_the_dice_and_the_rules_do_not(player: Player) -> None:
    player.app.settings.speed = 2
    fight = fight_of(player)
    player.app.tick(0.05)
    told, known = len(fight.telling.story.entries), fight.told_state
    action = fight.plan.strike("gob") if fight.plan else None
    assert action is not None and fight.deeds.act(action)
    assert commands(fight)[0]["do"] == "attack"
    assert fight.behind and fight.told_state is known
    player.app.tick(0.1)
    assert len(fight.telling.story.entries) == told  # the dice still tumble
    fight.view.skip()
    assert len(fight.telling.story.entries) > told
    player.app.tick(0.05)
    assert not fight.behind and fight.told_state is fight.match.state
