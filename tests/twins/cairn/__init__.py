"""Cairn's twin: a slow and plain reading of the rules (cairn.md).

Plain dictionaries and lists, brute force on the ground, no line shared with `rules/cairn`: only what is data, the
content's tables and the shape of records. `match` plays random fights (`encounters`) through both: of every command,
legal or made up, both must say the same, and after every one that was accepted both must have the same state and
have thrown the same dice. `errors` puts mistakes into the rules, which this has to find.

What a side is shown of its foes and of the floor is compared after every half. What the twin does not read yet: which
ground and which doors a side remembers, levels and heights, thin doors, portcullises, deep water and whatever else no
sketch has. Which way those go whom fear drives is taken from the rules.
"""
