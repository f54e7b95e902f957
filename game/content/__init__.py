"""What comes in `assets/content`: tables, templates, encounters made of them, the same under other rulesets, the reference."""
