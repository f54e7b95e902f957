"""Our own few widgets: laid out in rows and columns, one focus ring, one scale, one theme, keyboard first."""
