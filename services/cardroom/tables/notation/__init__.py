"""Hand histories of the field's formats: PHH and OHH, in and out. An illegal hand is refused, never repaired."""
