"""What a planner asks of Count-Up in bulk, and what things are worth to it. Nothing here decides a rule."""
