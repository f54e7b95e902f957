"""Words: events as sentences, terms explained."""
