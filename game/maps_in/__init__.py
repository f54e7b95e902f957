"""Reading map files safely: bounds, normaliser, and what tiles and objects mean. `game.tiled` is the way in."""
