"""A new fight: map, party, foes, rules and seed."""
