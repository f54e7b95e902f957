"""Powers of spells, relics and monsters: as data, aimed, cast, and what they do to creatures and ground."""
