"""The gRPC services of the house: rooms and games, books, staff; and the staff list as gates ask for it."""

from cardroom.house.servicer.books import BookServicer
from cardroom.house.servicer.people import StaffList
from cardroom.house.servicer.rooms import HouseServicer
from cardroom.house.servicer.staff import StaffServicer

__all__ = ["BookServicer", "HouseServicer", "StaffList", "StaffServicer"]
