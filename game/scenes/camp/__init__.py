"""Camp: what is done for the heroes between fights."""
