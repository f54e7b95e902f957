"""The library of prepared encounters."""
