"""What a planner asks of Dungeons of Olde in bulk, and what things are worth to it. Nothing here decides a rule."""
