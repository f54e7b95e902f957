"""A Tiled map being drawn: the document that keeps what it does not know, strokes, tools. No window."""
