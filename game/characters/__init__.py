"""Characters of the player's own, a folder for each ruleset that has them. No window but for the printed sheet."""
