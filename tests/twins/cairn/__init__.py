"""Cairn's twin: a slow and plain reading of the rules (cairn.md; docs/cairn.md for what it leaves open).

Plain dictionaries and lists, brute force on the ground, no line shared with `rules/cairn`: only what is data, the
content's tables and the shape of records. `match` plays random fights (`encounters`) through both: of every command,
legal or made up, both must say the same, and after every one that was accepted both must have the same state and
have thrown the same dice. `errors` puts mistakes into the rules, which this has to find.

What the twin does not read yet: lights of the map itself, levels,
portcullises, deep water and whatever else no sketch has. With the option `fog` it is played, but what a side is
shown is not compared: the rules' states are. Which way those go whom fear drives is taken from the rules.
"""
