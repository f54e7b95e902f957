"""Tabletop rules as pure functions of data: no window, file, clock or global randomness."""
