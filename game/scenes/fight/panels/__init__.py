"""The panels of a fight: where they are and what they say."""
