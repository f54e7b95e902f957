"""What the window shows at a time: title, set-up, fight, summary."""
