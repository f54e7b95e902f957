"""Pictures as maps: the grid that is drawn in one is found, or laid over it by hand."""
