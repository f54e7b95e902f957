"""A fight being played: match, past, who may know what of it, who sits at the table. No window."""
