"""Orders: what a creature may order itself to do, how orders take hold, joint movement, doors, what holds a mind."""
