"""What powers do to creatures and ground; as data they stand in `gear.py`, cast and aimed in `actions/spells.py`."""
