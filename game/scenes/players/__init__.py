"""The players' window: a second window that shows the board as the heroes know it, and its remote."""
