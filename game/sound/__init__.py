"""What is heard, made from arithmetic: short sounds, ambience, music. No window, and nothing of what plays them."""
