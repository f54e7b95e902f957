"""Reading map files safely: bounds, normaliser, and what tiles and objects mean. `game.maps.tiled` is the way in."""
