"""Listening to notifications over a connection that breaks: others that got its socket's number are left alone."""

import asyncio
import os
import socket
from typing import Any

import psycopg
import pytest

from cardroom.adapters.store.listening import Listening


class Driver:
    """Closes its socket by itself when the server goes away, as the driver does."""

    def __init__(self, number: int) -> None:
        self.socket = number

    def consume_input(self) -> None:
        if not os.read(self.socket, 100):
            os.close(self.socket)
            raise psycopg.OperationalError("server closed the connection unexpectedly")

    def notifies(self) -> None:
        return None


class Connection:
    def __init__(self, number: int) -> None:
        self.pgconn = Driver(number)


async def test_a_lost_connection_takes_no_reader_from_who_got_its_socket_number() -> None:
    ours, server = socket.socketpair()
    number = ours.detach()
    connection: Any = Connection(number)
    listening = Listening(connection, "")
    server.close()
    waiting = asyncio.create_task(listening.next(5))
    await listening._wake.wait()

    # Before the listener closes, another connection is opened and gets the number.
    theirs, other_server = socket.socketpair()
    if theirs.fileno() != number:
        os.dup2(theirs.fileno(), number)
    heard = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.add_reader(number, heard.set)
    try:
        with pytest.raises(psycopg.OperationalError):
            await waiting
        listening.close()
        other_server.send(b"hello")
        async with asyncio.timeout(5):
            await heard.wait()
    finally:
        loop.remove_reader(number)
        if theirs.fileno() != number:
            os.close(number)
        theirs.close()
        other_server.close()
