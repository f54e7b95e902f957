"""Exploring between fights, for every ruleset alike: who notices whom, patrols, noises, levels, and how fights and
exploration take turns. What differs (checks, times, tables) each ruleset supplies in its own `explore` folder.
"""
