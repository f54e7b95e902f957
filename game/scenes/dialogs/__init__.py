"""Small screens over others: messages, help, settings, keys, saves, seats, the reference."""
