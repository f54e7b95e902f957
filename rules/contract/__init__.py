"""What rulesets and everybody else speak to each other: the contract, actions, events, what is shown and asked.

Here belong words and shapes that all rulesets share. What computes anything belongs into `rules.core` or `rules.board`.
"""
