"""Characters that last: how they are made and grow, what an evening earns, what comes between fights."""
