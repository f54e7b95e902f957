"""Who answers decisions: a person, the computer, a record."""
