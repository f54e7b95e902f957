"""Rules that a table may add: all off unless a record's `options` turn them on (countup.md §2, OURS)."""

from __future__ import annotations

from collections.abc import Mapping

from rules.contract.ruleset import Switch

SWITCHES = (
    Switch("darkness", "Darkness", "On a dark map poor light costs attack and defence."),
    Switch("fog", "Fog of war", "Each side sees only what its own creatures see."),
    Switch("natural_20_hits", "Natural 20 hits", "A natural 20 to attack hits whatever the defence, and is critical."),
    Switch("scamper_back", "Scamper back", "Who may give ground may jog back two spaces instead: +5, next attack −4."),
    Switch("tactical_move", "Tactical move", "The engaged may walk about at −1 a second on attack and defence."),
    Switch("shield_arcs", "Shield arcs", "A small shield covers the front only; larger ones front and sides."),
    Switch("shield_in_flight", "Shields against shots", "A shield keeps the d20p against shots when one stands."),
    Switch("backstab", "Backstab", "A thief's small blade from behind penetrates on two faces, with more dice."),
    Switch("hue_and_cry", "Hue and cry", "Who is awake shouts: friends not yet in the fight act two seconds sooner."),
    Switch("morale", "Morale", "A grave wound asks for a check of tenacity; who fails it flees."),
    Switch("fatigue", "Fatigue", "Low defence dice wear a fighter down: −1 to attack, defence and damage, +1 speed."),
    Switch("components", "Components", "Every spell takes d4p seconds more: its component must be found."),
    Switch("sprint_limit", "Sprint limit", "Nobody sprints longer than half of Constitution in seconds."),
    Switch("out_cold", "Out cold", "A natural 20 on the trauma roll: out for 5d6p minutes."),
    Switch("double_total", "Critical: total doubled", "A critical hit doubles the damage instead of its dice."),
)
OPTIONS: Mapping[str, bool] = {"strict_throws": True, **{switch.name: switch.default for switch in SWITCHES}}
"""Switches of a record and their defaults."""
