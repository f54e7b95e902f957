"""Count-Up a second time, slow and plain: read from the sheet, to be held against `rules.countup` in random fights."""
