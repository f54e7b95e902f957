"""Chains of encounters in the window (docs/chains.md)."""
