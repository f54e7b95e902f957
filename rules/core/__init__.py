"""What every ruleset is built on: dice, exact distributions, records, validation, what sides see and know.

Here belongs what two rulesets would otherwise write twice. What knows spaces belongs into `rules.board`.
"""
