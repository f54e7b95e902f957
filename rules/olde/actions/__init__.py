"""The kinds of action, each in a home of its own, related ones in a file; the table of them; answers to questions.

What attacks and spells come to is worked out in `combat` and `magic`; what a minute of exploration allows besides, in
`explore`. Nothing here knows what an action is worth: the computer's advisor does.
"""
