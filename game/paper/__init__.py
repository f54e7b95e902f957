"""What is printed of an encounter: maps to scale, sheets, cards. No window; PDF by fpdf2."""
