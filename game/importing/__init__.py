"""Maps of other programs: each reader makes a neutral plan of its file, one writer makes a Tiled map of any plan."""
