"""Looking back: the replay viewer, boards that are only looked at, why the computer did that."""
