"""What a creature may plan and do: kinds of action, movement, manoeuvres, what is done against its will."""
