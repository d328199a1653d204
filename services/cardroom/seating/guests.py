"""Who else is at a seat: guests behind it, somebody playing over it, somebody playing its chips."""

from msgspec.structs import replace

from cardroom.kernel.decisions import Decision
from cardroom.kernel.money import check_cents
from cardroom.kernel.refusal import Refused
from cardroom.known.standing import Act
from cardroom.seating import commands as c
from cardroom.seating import events as e
from cardroom.seating.buyin import check_buy_in, full_buy_in
from cardroom.seating.here import Here, check_standing
from cardroom.seating.locks import check_apart
from cardroom.seating.sitting import check_one_seat, over_events, play_over_event
from cardroom.seating.values import PlayOver, Seat, Seated, Substitute


def add_guest(here: Here, command: c.AddGuest) -> Decision:
    """Let a guest sit behind a player.

    Raises:
        Refused: as many guests as the house allows are there, or somebody in the game objects.
    """
    seat, seated = here.seated(command.player_id)
    allowed = here.book.count("seating.guests_per_player")
    rules = here.book.cite("seating.guests_per_player")
    if len(seated.guests) >= allowed:
        raise Refused(
            "GUEST_LIMIT",
            rules,
            f"{len(seated.guests)} of {allowed} guests in use behind seat {seat.number}",
            field="guest_id",
        )
    if here.table.seat_of(command.guest_id) is not None:
        raise Refused("GUEST_PLAYS", "CR-7", "a player of the game is no guest", field="guest_id")
    for number in command.objections:
        here.occupant(number)
    if command.objections and here.book.flag("seating.guest_needs_no_objection"):
        raise Refused(
            "GUEST_OBJECTED",
            here.book.cite("seating.guest_needs_no_objection"),
            f"seat {command.objections[0]} objects, and one objection is enough",
            field="objections",
        )
    return here.on_table(e.GuestSeated(seat=seat.number, guest_id=command.guest_id))


def remove_guest(here: Here, command: c.RemoveGuest) -> Decision:
    """Let a guest go.

    Raises:
        Refused: no such guest sits there.
    """
    seat, seated = here.seated(command.player_id)
    if command.guest_id not in seated.guests:
        raise Refused("NO_SUCH_GUEST", "CR-2", "no such guest sits there", field="guest_id")
    return here.on_table(
        e.GuestLeft(seat=seat.number, guest_id=command.guest_id, reason=command.reason)
    )


def _absent(here: Here, number: int) -> tuple[Seat, Seated]:
    seat, seated = here.occupant(number)
    if seated.away is None:
        raise Refused(
            "PLAYER_PRESENT", "CR-6", f"the player in seat {number} is at the table", field="seat"
        )
    return seat, seated


def _may_play_over(here: Here) -> tuple[str, ...]:
    rules = here.book.cite("seating.play_over")
    if here.book.choice("seating.play_over") == "never":
        raise Refused(
            "NO_PLAYING_OVER",
            rules,
            "nobody plays where another player's chips are on the table",
            options=("wait for the seat to open",),
            field="seat",
        )
    return rules


def allow_play_over(here: Here, command: c.AllowPlayOver) -> Decision:
    """Permit somebody to play in an absent player's seat; the floor does.

    Raises:
        Refused: the house has no playing over; the player is present; a play-over runs.
    """
    rules = _may_play_over(here)
    seat, seated = _absent(here, command.seat)
    if not here.by_floor():
        raise Refused("FLOOR_PERMISSION_NEEDED", rules, "a floorperson permits playing over")
    now = seated.play_over or PlayOver()
    if now.playing:
        raise Refused("PLAYED_OVER", "CR-6", f"{now.player_id} plays over seat {seat.number}")
    allowed = replace(now, player_id=command.player_id, allowed_by=here.occasion.actor)
    return here.on_table(play_over_event(here, seat, allowed))


def place_box(here: Here, command: c.PlaceBox) -> Decision:
    """Lay the box over an absent player's chips, which are then out of play."""
    _may_play_over(here)
    seat, seated = _absent(here, command.seat)
    boxed = replace(seated.play_over or PlayOver(), boxed=True)
    return here.on_table(play_over_event(here, seat, boxed))


def play_over(here: Here, command: c.PlayOverSeat) -> Decision:
    """Sit down in an absent player's seat with chips of one's own.

    Raises:
        Refused: the house has none; no permission; no box; the absent player's consent is missing where it is needed.
    """
    rules = _may_play_over(here)
    seat, seated = _absent(here, command.seat)
    now = seated.play_over or PlayOver()
    if not now.allowed_by or now.player_id != command.player_id:
        raise Refused(
            "FLOOR_PERMISSION_NEEDED",
            rules,
            f"the floor did not permit {command.player_id} to play over seat {seat.number}",
            options=("ask the floor",),
            field="player_id",
        )
    needs_consent = here.book.choice("seating.play_over") == "absent_player_consents"
    if needs_consent and not command.owner_consents:
        raise Refused(
            "CONSENT_NEEDED", rules, f"{seated.player_id} must agree", field="owner_consents"
        )
    if not now.boxed:
        raise Refused(
            "NO_BOX",
            rules,
            f"no box lies over the chips of seat {seat.number}",
            options=("place the box first",),
            field="seat",
        )
    if now.playing:
        raise Refused("PLAYED_OVER", "CR-6", f"{now.player_id} plays over seat {seat.number}")
    check_one_seat(here, command.player_id)
    check_standing(command.standing, command.player_id, Act.SIT, here.occasion)
    check_apart(here, command.player_id, command.standing)
    check_buy_in(here, full_buy_in(here.game, here.book), command.buy_in_cents)
    playing = replace(now, playing=True, buy_in_cents=command.buy_in_cents)
    sat = e.SatDown(room=here.table.room, table=here.table.table, seat=seat.number, at=here.at)
    return (
        (here.stream, play_over_event(here, seat, playing)),
        (here.presence_stream(command.player_id), sat),
    )


def end_play_over(here: Here, command: c.EndPlayOver) -> Decision:
    """Stop playing over.

    Raises:
        Refused: nobody plays over that seat.
    """
    seat, seated = here.occupant(command.seat)
    if seated.play_over is None:
        raise Refused("NOT_PLAYED_OVER", "CR-6", f"nobody plays over seat {seat.number}")
    if command.chips_cents is not None:
        check_cents(command.chips_cents, "chips_cents")
    return over_events(here, seat, seated, command.chips_cents)


def register_substitute(here: Here, command: c.RegisterSubstitute) -> Decision:
    """Let somebody play an absent player's chips, as far as the house allows it.

    Raises:
        Refused: the house does not, or only with a floorperson's approval, or the rounds are used up.
    """
    seat, seated = _absent(here, command.seat)
    rule, rules = (
        here.book.choice("seating.play_for_absent"),
        here.book.cite("seating.play_for_absent"),
    )
    if rule == "never":
        raise Refused("NOT_ANOTHERS_CHIPS", rules, "nobody plays another player's chips")
    approved = here.occasion.actor if here.by_floor() else ""
    if rule == "floor_approval" and not approved:
        raise Refused(
            "FLOOR_APPROVAL_REQUIRED",
            rules,
            "another player's chips are played only with a floorperson's approval",
            options=("ask the floor",),
        )
    if here.table.seat_of(command.player_id) is not None:
        raise Refused("ALREADY_SEATED", "CR-7", "a player of the game has chips of the own")
    check_one_seat(here, command.player_id)
    rounds = 0
    if rule == "limited_rounds":
        allowed = here.book.count("seating.play_for_absent_rounds")
        rules = here.book.cite("seating.play_for_absent", "seating.play_for_absent_rounds")
        used = seated.substituted_rounds + (seated.substitute.rounds if seated.substitute else 0)
        rounds = allowed - used
        if rounds <= 0:
            raise Refused(
                "SUBSTITUTE_OVER",
                rules,
                f"{used} of {allowed} rounds are used in this absence, whoever played",
                field="player_id",
            )
    playing = Substitute(
        player_id=command.player_id,
        from_hand=command.deal.number,
        button=command.deal.button,
        approved_by=approved,
        rounds=rounds,
        rules=rules,
    )
    return here.on_table(e.SubstituteChanged(seat=seat.number, substitute=playing))
