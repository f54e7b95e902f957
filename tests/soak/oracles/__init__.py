"""What the soak watches: each rule a small named function.

`OPENED` are asked of every new fight, `BEFORE` and `AFTER` around each step, `LOOKED` of each frame that was drawn,
`ENDED` at the end of a run.
"""

from __future__ import annotations

from collections.abc import Callable

from game.scenes.fight.scene import Fight
from tests.soak.oracles import keeping, knowing, living, placing
from tests.soak.table import Table

Rule = Callable[[Table], None]
OPENED: tuple[Callable[[Table, Fight], None], ...] = (
    living.nothing_is_refused_twice,
    knowing.only_the_known_is_played,
    keeping.sealed_orders_change_nothing,
)
BEFORE: tuple[Rule, ...] = (living.read_the_clock, living.see_what_is_up)
AFTER: tuple[Rule, ...] = (
    living.somebody_always_comes_to_decide,
    living.the_computer_comes_to_an_end,
    living.what_the_window_offers_works,
    living.the_clock_goes_by_wall_time,
    living.a_fight_that_is_over_leads_on,
    living.one_key_too_many_leaves_the_summary,
    knowing.the_shown_is_the_known,
    knowing.what_rests_is_true,
    knowing.no_word_names_the_unmet,
    knowing.no_secret_lies_open_below,
    knowing.no_thought_tells_of_an_unknown_trap,
    placing.a_key_means_the_same_all_fight,
    placing.a_button_stays_where_it_is,
    placing.what_acts_is_under_no_panel,
)
LOOKED: tuple[Rule, ...] = (knowing.the_maps_end_is_not_drawn,)
ENDED: tuple[Rule, ...] = (
    living.it_goes_on_by_itself,
    keeping.the_record_leads_to_what_is_shown,
    keeping.the_computer_plays_the_same_whoever_looks,
)
RULES = tuple(sorted(rule.__name__ for rule in (*OPENED, *AFTER, *LOOKED, *ENDED)))
"""The names of all rules."""
