"""The chronicle: an evening written as a tale, room by room and fight by fight, out of the events that were seen."""
