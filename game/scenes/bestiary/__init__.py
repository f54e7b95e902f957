"""The bestiary and its pages."""
