"""What a planner asks of Cairn in bulk, and what things are worth to it. Nothing here decides a rule."""
