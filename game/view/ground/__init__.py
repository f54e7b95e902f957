"""The ground of the board: floors, walls, pictures of Tiled layers, roofs, doors, light and the veil of fog."""
