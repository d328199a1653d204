"""Decks: changing one, bringing a new setup, asking for a scramble."""

from datetime import datetime, timedelta

from cardroom.kernel.decisions import Occasion
from cardroom.kernel.events import Event
from cardroom.kernel.refusal import Refused
from cardroom.rulebook.model import ResolvedBook
from cardroom.tables import commands as c
from cardroom.tables import table_events as ev
from cardroom.tables.positions import between
from cardroom.tables.starting import base_positions
from cardroom.tables.table import Table

REASONS = ("requested", "defective", "setup", "house")


def change_deck(
    command: c.ChangeDeck, table: Table, rules: ResolvedBook, occasion: Occasion
) -> tuple[Event, ...]:
    """Record that another deck came into use.

    A defective, damaged or sticky deck is changed at once (deck.defective); one asked for only after its rounds
    (deck.min_rounds), a setup only after its time (deck.setup_minutes).

    Raises:
        Refused: it is asked for too early; CR-4, the reason is none, or a setup is not two decks of different backs.
    """
    if command.reason not in REASONS:
        raise Refused(
            "REASON_UNKNOWN",
            "CR-4",
            f"reason is {command.reason!r}: one of {', '.join(REASONS)}",
            options=REASONS,
            field="reason",
        )
    if command.seat:
        table.at(command.seat)
    cited = rules.cite("deck.defective")
    setup = command.reason == "setup"
    if setup:
        cited = _check_setup(command, table, rules, occasion)
        if table.deck_use.hands:  # a deck that was never dealt from is not in use
            cited = tuple(dict.fromkeys((*cited, *_check_rounds(table, rules))))
    elif command.reason == "requested":
        cited = _check_rounds(table, rules)
    return (
        ev.DeckChanged(
            reason=command.reason,
            setup=setup,
            deck=command.deck,
            at_hand=table.last_hand + 1,
            at=occasion.at.isoformat(),
            rules=cited,
        ),
    )


def rounds_with_deck(table: Table, rules: ResolvedBook) -> int:
    """Return how many full rounds the present deck has been in use.

    A round is over once the button is due back at the seat where it stood on the deck's first hand, or past it; without
    a button it is as many hands as there were players dealt in on that hand.
    """
    use = table.deck_use
    if not use.button:
        return use.hands // max(1, use.players)
    following = base_positions(table, rules)
    if following is None or table.rotation is None:
        return use.rounds
    start, end = table.rotation.button, following.button
    reached = () if start == end else (*between(start, end, table.seat_count), end)
    return use.rounds + (use.button in reached)


def _check_rounds(table: Table, rules: ResolvedBook) -> tuple[str, ...]:
    cited = rules.cite("deck.min_rounds")
    rounds, least = rounds_with_deck(table, rules), rules.count("deck.min_rounds")
    if rounds < least:
        raise Refused(
            "DECK_TOO_NEW",
            cited,
            f"the deck has been in use for {rounds} full rounds; {least} come before a change on request",
            options=("a defective deck is changed at once",),
        )
    return cited


def _check_setup(
    command: c.ChangeDeck, table: Table, rules: ResolvedBook, occasion: Occasion
) -> tuple[str, ...]:
    colors = command.back_colors
    if colors and (len(colors) != 2 or len(set(colors)) != 2):
        raise Refused(
            "SETUP_MALFORMED",
            rules.cite("deck.setup_decks"),
            "a setup is two decks with backs of different colors",
            field="back_colors",
        )
    cited = rules.cite("deck.setup_minutes")
    if table.setup_at:
        due = datetime.fromisoformat(table.setup_at) + timedelta(
            minutes=rules.minutes("deck.setup_minutes")
        )
        if occasion.at < due:
            raise Refused(
                "SETUP_TOO_SOON",
                cited,
                f"the next setup may come at {due:%H:%M} UTC",
                options=(f"wait until {due:%H:%M} UTC",),
            )
    return cited


def ask_scramble(command: c.AskScramble, table: Table, rules: ResolvedBook) -> tuple[Event, ...]:
    """Record a player's request for a bigger scramble or a longer shuffle.

    Raises:
        Refused: he has used up his requests of the round (deck.scramble_requests_per_round).
    """
    table.at(command.seat)
    allowed = rules.count("deck.scramble_requests_per_round")
    cited = rules.cite("deck.scramble_requests_per_round")
    due = table.last_hand + 1
    recent = [
        hand
        for seat, hand in table.scrambles
        if seat == command.seat and due - hand < max(1, len(table.seats))
    ]
    if len(recent) >= allowed:
        raise Refused(
            "SCRAMBLE_USED",
            cited,
            f"seat {command.seat} has made {len(recent)} such requests this round; {allowed} are allowed",
            field="seat",
        )
    return (ev.ScrambleAsked(seat=command.seat, at_hand=due, rules=cited),)
