"""Files of the player: records, saves, the journal of a fight, recovery after any end."""
