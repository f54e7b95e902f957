"""The forecast: an encounter played many times beside the window."""
