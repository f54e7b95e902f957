"""Words: events as sentences, terms and adjustments explained."""
