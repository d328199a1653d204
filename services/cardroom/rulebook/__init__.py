"""The house book as data: its decisions, its rules in words, and the book that each game is played under."""
