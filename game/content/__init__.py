"""What comes in `assets/content`: tables, templates, encounters made of them, translations, the reference."""
