"""Maps for other programs: Universal VTT and pictures. No window."""
