"""What of an exploration is told: noises by who hears them, and what `--state` prints."""

from __future__ import annotations

import pytest

from rules.contract.events import Noise, NoiseKind
from rules.explore.display import summary
from rules.explore.state import OPENLY
from rules.explore.text import FAR, NEAR, tell
from tests.rules.explore.engine import COURSES, Engine
from tests.rules.explore.expedition import RULESETS
from tests.rules.explore.test_crawl import hero, sleeper

EVERY = pytest.mark.parametrize("ruleset", RULESETS)


@EVERY
@pytest.mark.parametrize(
    ("what", "spaces", "told"),
    [
        (NoiseKind.DOOR, NEAR, "hears a door close by."),
        (NoiseKind.DOOR, NEAR + 1, "hears a door some way off."),
        (NoiseKind.STEPS, FAR + 1, "hears footsteps far off."),
        (NoiseKind.FIGHTING, NEAR + 1, "hears the din of a fight some way off."),
        (NoiseKind.FIGHTING, NEAR, None),
    ],
)
def test_a_noise_is_told_by_how_far_off_it_is_but_no_fight_in_which_one_stands(
    ruleset: str, what: NoiseKind, spaces: int, told: str | None
) -> None:
    engine = Engine(ruleset, [hero(ruleset), hero(ruleset, (1, 1), "h1")])
    bodies = COURSES[ruleset][0].bodies(engine.resolution)
    heard = (("h1", spaces + 9), ("h0", spaces))
    line = tell(bodies, Noise(what=what, at=(1, 1), loudness=9, heard=heard), exploring=True)
    assert line == (f"{bodies[engine.who('h0')].name} {told}" if told else ""), "by who hears it best"


@EVERY
def test_the_state_of_an_exploration_says_who_goes_hidden_and_who_is_done(ruleset: str) -> None:
    engine = Engine(ruleset, [hero(ruleset), hero(ruleset, (1, 1), "h1"), sleeper(ruleset, "gob", (27, 2))])
    engine.mark("h1", guise=OPENLY + 7)
    engine.course.note(engine.resolution, done=1 << engine.who("h0"))
    told = summary(engine.course, engine.resolution.done())
    assert told["sneaking"] == {"h1": OPENLY + 7} and told["done"] == ["h0"]
    assert "unaware" not in told
