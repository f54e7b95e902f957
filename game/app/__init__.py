"""The window and its loop: events in, one stack of scenes, frames out; settings, sounds, the language.

What is shown belongs into `game.scenes`; what is drawn into `game.view` and `game.widgets`.
"""
