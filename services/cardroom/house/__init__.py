"""The house: rooms, the games they offer, the books in force, staff, stations and the dealer line-up."""
