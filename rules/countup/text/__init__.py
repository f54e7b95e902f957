"""Words: events as sentences, terms explained, why somebody is asked."""
