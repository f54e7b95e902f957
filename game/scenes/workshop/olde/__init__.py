"""Pages of the workshop that heroes of Dungeons of Olde have: they draw themselves."""
