"""How the board is drawn: camera, tiles, miniatures, overlays, effects."""
