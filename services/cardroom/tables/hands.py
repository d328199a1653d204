"""Hands as the table sees them: starting one, counting one, and taking back its chips when it is over."""

from typing import Final

from msgspec.structs import replace

from cardroom.kernel.events import Event
from cardroom.kernel.money import check_cents
from cardroom.kernel.refusal import Refused, Stale, Unknown
from cardroom.kernel.streams import StreamId
from cardroom.poker.legal import Act
from cardroom.poker.reading import Reader
from cardroom.rulebook.model import ResolvedBook
from cardroom.tables import commands as c
from cardroom.tables import deal_events as de
from cardroom.tables import hand_events as hev
from cardroom.tables import ruling_commands as rc
from cardroom.tables.called import check_stated
from cardroom.tables.dispute import Dispute, HandReconstructed, dispute_id
from cardroom.tables.forced import Forced
from cardroom.tables.hand import Hand, at_version, history_of
from cardroom.tables.hand_events import Capture, Known, Phase, Post, PostKind, SeatDealt
from cardroom.tables.hand_rules import hand_rules
from cardroom.tables.hand_start import HandSetup, start_hand
from cardroom.tables.opening import between_hands
from cardroom.tables.positions import next_in
from cardroom.tables.starting import Plan, plan
from cardroom.tables.table import Table, each_once, hand_id, table_id

Decision = tuple[tuple[StreamId, Event], ...]

_KINDS: Final = {
    "ante": PostKind.ANTE,
    "small_blind": PostKind.SMALL_BLIND,
    "middle_blind": PostKind.THIRD_BLIND,
    "big_blind": PostKind.BIG_BLIND,
    "button_bought": PostKind.BIG_BLIND,
    "straddle": PostKind.STRADDLE,
    "kill": PostKind.KILL,
    "collection": PostKind.COLLECTION,
}


def post_of(forced: Forced, *, new: bool) -> Post:
    """Return a forced bet as it is due; a hand cuts it to what the stack holds."""
    kind = _KINDS.get(forced.kind) or (PostKind.NEW_PLAYER if new else PostKind.MISSED_BLINDS)
    if forced.kind == "collection":
        return Post(
            seat=forced.seat,
            kind=kind,
            house_cents=forced.owed_cents,
            house_live=forced.owed_live_cents > 0,
        )
    if forced.kind == "ante":
        return Post(seat=forced.seat, kind=kind, ante_cents=forced.owed_cents)
    live, house = forced.owed_live_cents, forced.owed_house_cents
    house_live = house > 0 and live == forced.owed_cents
    in_pot = live - house if house_live else live
    return Post(
        seat=forced.seat,
        kind=kind,
        live_cents=in_pot,
        dead_cents=forced.owed_cents - in_pot - house,
        house_cents=house,
        house_live=house_live,
    )


def may_deal(table: Table, rules: ResolvedBook, hand: int) -> None:
    """Refuse the next deal while it has to wait.

    Raises:
        Refused: CR-6, a hand is in play or the table closes; CR-1, another hand is due than the caller thinks; a
            dispute about the last hand waits for its ruling (ruling.timely_request_decided_late); the book does not
            have the game, and nobody stated its rules (game.other_games_stated).
    """
    between_hands(table, "the next deal")
    if table.closing is not None:
        message = f"table {table.table} closes: its game is over"
        raise Refused("TABLE_CLOSING", "CR-6", message, options=("close the table",))
    due = table.last_hand + 1
    if hand and hand != due:
        raise Stale(f"hand {due} is due at table {table.table}, not {hand}", field="hand")
    check_stated(table, rules)
    holding = sorted(name for name, holds in table.open_disputes.items() if holds)
    if holding:
        raise Refused(
            "DISPUTE_OPEN",
            rules.cite("ruling.timely_request_decided_late", "ruling.impound"),
            f"the next deal waits for the ruling on {', '.join(holding)}",
            options=("rule on it", "impound the pot")
            if rules.flag("ruling.impound") and rules.flag("ruling.timely_request_decided_late")
            else ("rule on it",),
        )


def start_shuffle(table: Table, rules: ResolvedBook, at: str) -> tuple[Event, ...]:
    """Record the first riffle for the next hand; questions about the hand before end here."""
    may_deal(table, rules, 0)
    if table.shuffling:
        return ()
    return (de.ShuffleStarted(hand=table.last_hand + 1, at=at),)


def frame_of(
    table: Table, found: Plan, posts: tuple[Post, ...], small_bet_cents: int, big_bet_cents: int
) -> de.HandOpened:
    """Return the table's event of a hand being opened."""
    game = table.the_game()
    return de.HandOpened(
        hand=table.last_hand + 1,
        game=game,
        book_digest=table.book_digest,
        small_bet_cents=small_bet_cents or game.small_bet_cents,
        big_bet_cents=big_bet_cents or game.big_bet_cents or game.small_bet_cents,
        button=found.button,
        posts=posts,
        rotation=found.rotation,
        dealt=tuple(
            SeatDealt(
                seat=seat,
                player=table.seats[seat].player,
                stack_cents=table.seats[seat].stack_cents,
            )
            for seat in found.dealt
        ),
        absent=tuple(
            (number, seat.player)
            for number, seat in table.seats.items()
            if number not in found.dealt
        ),
        left_out=found.left_out,
        passed=found.passed,
        missed_collections=found.missed_collections,
        missed_to_house=found.missed_to_house,
        carried_cents=table.carried_cents,
        corrects=table.correction is not None,
        rules=found.rules,
        called=table.called.name if table.called else "",
        stated_rules=table.called.statement if table.called else "",
    )


def posts_of(table: Table, found: Plan) -> tuple[Post, ...]:
    """Return what a plan's players put up before the cards."""
    return tuple(
        post_of(forced, new=not table.seats[forced.seat].played) for forced in found.forced
    )


def capture_of(table: Table, dealt: tuple[SeatDealt, ...]) -> Capture:
    """Return what will be entered for a hand at the table's capture level."""
    known = [one.stack_cents is not None for one in dealt]
    stacks = Known.ALL if all(known) else Known.SOME if any(known) else Known.NONE
    actions = {"every_action": Known.ALL, "ruling_facts": Known.SOME}.get(table.capture, Known.NONE)
    return Capture(cards=Known.SOME, stacks=stacks, actions=actions)


def setup_of(table: Table, frame: de.HandOpened, capture: Capture, first_seat: int) -> HandSetup:
    """Return what a hand's own stream starts from."""
    return HandSetup(
        hand=hand_id(table.room, table.table, frame.hand),
        room=table.room,
        table=table.table,
        number=frame.hand,
        game=frame.game,
        button_seat=frame.button,
        seats=frame.dealt,
        posts=frame.posts,
        capture=capture,
        small_bet_cents=frame.small_bet_cents,
        big_bet_cents=frame.big_bet_cents,
        carried_cents=frame.carried_cents + frame.dead_cents,
        first_seat=first_seat,
    )


def first_to_act(table: Table, found: Plan) -> int:
    """Return who acts first before the flop, 0 where the cards decide."""
    if not table.the_game().blinds_cents or not found.button:
        return 0
    return next_in(found.first_after, frozenset(found.dealt), table.seat_count) or 0


def decide_start(
    command: c.StartHand, table: Table, rules: ResolvedBook, reader: Reader
) -> Decision:
    """Start the next hand: its own stream and the table's event of it, in one decision.

    Raises:
        Refused: the deal has to wait, the button was not drawn, fewer than two can be dealt in; CR-6, the table only
            counts hands.
    """
    may_deal(table, rules, command.hand)
    if table.capture == "counted":
        raise Refused(
            "TABLE_COUNTS",
            "CR-6",
            f"table {table.table} only counts hands",
            options=("count the hand", "change the capture level"),
        )
    if command.unposted:
        raise Refused(
            "BLIND_NOT_POSTED",
            rules.cite("blinds.posted_before_cards"),
            f"seat {command.unposted[0]} has not put up what is due; no cards before that",
            options=("post", "leave the player out"),
            field="unposted",
        )
    if command.unpaid:
        raise Refused(
            "COLLECTION_FIRST",
            rules.cite("collection.method", "collection.button_live"),
            f"the collection comes before the wager: seat {command.unpaid[0]} pays it and plays the rest",
            options=("pay the collection", "leave the player out"),
            field="unpaid",
        )
    found = plan(table, rules)
    posts = posts_of(table, found)
    first = first_to_act(table, found)
    if command.kill_seat:
        _no_straddle_in_kill_pot(table, rules)
        posts = (*posts, _kill(command, table, found))
    frame = frame_of(table, found, posts, command.small_bet_cents, command.big_bet_cents)
    setup = setup_of(table, frame, capture_of(table, frame.dealt), first)
    stem = hand_id(table.room, table.table, frame.hand)
    started = start_hand(setup, hand_rules(rules, frame.game, reader))
    return (
        (table_id(table.room, table.table), frame),
        *((stem, event) for event in started),
    )


def _no_straddle_in_kill_pot(table: Table, rules: ResolvedBook) -> None:
    for seat in table.seats.values():
        if seat.straddle_cents:
            raise Refused(
                "NO_STRADDLE_IN_KILL_POT",
                rules.cite("blinds.straddle_terms"),
                f"seat {seat.seat} straddles; a kill pot takes no straddle",
                options=("take the straddle back",),
                field="kill_seat",
            )


def _kill(command: c.StartHand, table: Table, found: Plan) -> Post:
    check_cents(command.kill_cents, "kill_cents", least=1)
    if command.kill_seat not in found.dealt:
        raise Refused(
            "KILL_NOT_DEALT_IN",
            "CR-4",
            f"seat {command.kill_seat} kills the pot and is not dealt in",
            field="kill_seat",
        )
    return Post(seat=command.kill_seat, kind=PostKind.KILL, live_cents=command.kill_cents)


def settled(table: Table, hand: Hand, rules: tuple[str, ...]) -> de.HandClosed | None:
    """Return the table's event of a hand that is over; None where it is not, or is not the one in play.

    Args:
        table: the table, the hand still in play.
        hand: the hand as it stands after what was decided.
        rules: rules that what was taken rests on.
    """
    if not hand.over or table.hand is None or table.hand.number != hand.number:
        return None
    chairs = [chair for chair in hand.chairs if chair.seat]
    stacks = tuple((chair.seat, chair.stack_cents) for chair in chairs)
    chip = hand.game.chip_cents
    void = hand.phase is Phase.VOID
    results = () if void else hand.results
    shown = tuple(
        de.Shown(result.seat, result.shown)
        for result in results
        if result.tabled and result.in_to_the_end
    )
    return de.HandClosed(
        hand=hand.number,
        game_id=hand.game.game_id,
        form=hand.game.form,
        book_digest=hand.book_digest,
        stacks=stacks,
        taken=_taken(table, hand),
        jackpot_odd_cents=hand.jackpot_odd_cents,
        dealt=tuple((chair.seat, chair.player) for chair in chairs),
        seated=_seated(table),
        board=() if void else hand.boards[0],
        shown=shown,
        folded_facing_wager=_folded_facing_wager(hand),
        pot_cents=None if void else _pot_cents(hand),
        won=tuple(
            de.Won(result.seat, result.won_cents)
            for result in results
            if result.won_cents or (result.won_cents is None and result.seat in hand.winners)
        ),
        broke=tuple(seat for seat, cents in stacks if cents is not None and cents < chip),
        showdown=hand.showdown,
        void=void,
        rules=rules,
    )


def _seated(table: Table) -> tuple[tuple[int, str], ...]:
    return tuple((number, seat.player) for number, seat in table.seats.items())


def _pot_cents(hand: Hand) -> int | None:
    """All pots together as they were pushed; None where some of it was not counted."""
    awards = [event for _, event in history_of(hand) if isinstance(event, hev.PotAwarded)]
    if awards:
        return sum(award.cents for award in awards)
    noted = [event for _, event in history_of(hand) if isinstance(event, hev.WinnerNoted)]
    return noted[-1].pot_cents if noted else 0


def _folded_facing_wager(hand: Hand) -> tuple[int, ...]:
    """Seats that folded with a wager to meet."""
    found: list[int] = []
    level = 0
    for _, event in history_of(hand):
        if isinstance(event, hev.HandStarted) and event.betting is not None:
            level = event.betting.level_cents
        if isinstance(event, hev.StreetDealt):
            level = event.betting.level_cents if event.betting else 0
        if isinstance(event, hev.ActionTaken):
            if event.act is Act.FOLD and event.to_cents < level:
                found.append(event.seat)
            level = max(level, event.to_cents)
    return tuple(found)


def _taken(table: Table, hand: Hand) -> tuple[de.Taken, ...]:
    rake = sum(cents for _, cents, _ in hand.taken)
    drop = sum(cents for _, _, cents in hand.taken) + hand.jackpot_odd_cents
    collection = sum(chair.house_cents for chair in hand.chairs)
    if hand.phase is Phase.VOID:
        rake = drop = 0
        collection -= _collection_returned(hand)
    elif table.last_frame is not None:
        collection += table.last_frame.missed_house_cents
    found = (("collection", collection), ("rake", rake), ("jackpot", drop))
    return tuple(de.Taken(account, cents) for account, cents in found if cents)


def _collection_returned(hand: Hand) -> int:
    """How much of the collection went back with a voided hand."""
    _, voided = history_of(hand)[-1]
    assert isinstance(voided, hev.HandVoided)
    back = sum(cents for _, cents in voided.returns)
    return max(0, back - _in_pots(hand))


def _in_pots(hand: Hand) -> int:
    """What lay in the pots just before a hand was voided."""
    version, _ = history_of(hand)[-1]
    before = at_version(hand, version - 1)
    return sum(chair.put_in_cents + chair.dead_cents for chair in before.chairs)


def check_no_tournament(table: Table, rules: ResolvedBook) -> None:
    """Refuse to take anything for house or jackpot out of a tournament's pots (jackpot.drop_games)."""
    if table.tournament:
        raise Refused(
            "TOURNAMENT_POT",
            rules.cite("jackpot.drop_games"),
            f"table {table.table} plays tournament {table.tournament!r}: its pots pay nothing to house or jackpot",
        )


def decide_count(command: c.CountHand, table: Table, rules: ResolvedBook) -> tuple[Event, ...]:
    """Count a hand at a counted table.

    Raises:
        Refused: the deal has to wait; CR-6, the table records more than the count; CR-4, a seat nobody sits in.
    """
    may_deal(table, rules, command.hand)
    if table.capture != "counted":
        raise Refused(
            "TABLE_RECORDS",
            "CR-6",
            f"table {table.table} records {table.capture.replace('_', ' ')}",
            options=("start the hand", "change the capture level"),
        )
    found = _as_dealt(command, table, plan(table, rules))
    frame = frame_of(table, found, posts_of(table, found), 0, 0)
    game = table.the_game()
    due = sum(one.house_cents for one in found.forced) + frame.missed_house_cents
    amounts = (
        ("collection", due if command.collection_cents is None else command.collection_cents),
        ("rake", game.rake_cents if command.rake_cents is None else command.rake_cents),
        (
            "jackpot",
            game.jackpot_drop_cents
            if command.jackpot_drop_cents is None
            else command.jackpot_drop_cents,
        ),
    )
    if command.rake_cents or command.jackpot_drop_cents or command.collection_cents:
        check_no_tournament(table, rules)
    for account, cents in amounts:
        check_cents(cents, f"{account}_cents")
    each_once(command.stacks, "stacks")
    counted = dict(command.stacks)
    for seat, cents in command.stacks:
        table.at(seat)
        check_cents(cents, f"stacks of seat {seat}")
    closed = de.HandClosed(
        hand=frame.hand,
        game_id=game.game_id,
        form=game.form,
        book_digest=frame.book_digest,
        dealt=tuple((one.seat, one.player) for one in frame.dealt),
        seated=_seated(table),
        stacks=tuple((one.seat, counted.get(one.seat)) for one in frame.dealt),
        taken=tuple(
            de.Taken(account, cents) for account, cents in amounts if cents and not table.tournament
        ),
        broke=tuple(seat for seat, cents in command.stacks if cents < game.chip_cents),
        counted=True,
        rules=rules.cite("collection.method"),
    )
    return (frame, closed)


def _as_dealt(command: c.CountHand, table: Table, found: Plan) -> Plan:
    """The hand as the dealer says it was dealt, where that differs from what was due."""
    if command.dealt:
        for seat in command.dealt:
            table.at(seat)
        if len(set(command.dealt)) < max(2, len(command.dealt)):
            raise Refused("SEATS_MALFORMED", "CR-4", "dealt names a seat twice", field="dealt")
        told = frozenset(command.dealt)
        found = replace(
            found,
            dealt=tuple(
                sorted(told, key=lambda seat: (seat - found.button - 1) % table.seat_count)
            ),
            forced=tuple(one for one in found.forced if one.seat in told),
        )
    if command.button and command.button != found.button:
        table.check_seat(command.button, "button")
        rotation = replace(found.rotation, button=command.button)
        found = replace(found, button=command.button, rotation=rotation)
    return found


def decide_reconstruct(
    command: rc.ReconstructHand,
    state: Dispute,
    hand: Hand,
    rules: ResolvedBook,
    reader: Reader,
) -> Decision:
    """Begin the stream of a hand that was only counted, to be filled from what people and cameras saw.

    Raises:
        Refused: CR-7, the hand has a stream already; CR-2, a stack of a seat that was not dealt in.
    """
    frame = state.frame
    assert frame is not None
    if hand.hand:
        raise Refused("HAND_RECORDED", "CR-7", f"hand {state.hand} is recorded", field="dispute")
    each_once(command.stacks, "stacks")
    told = dict(command.stacks)
    for seat, cents in command.stacks:
        check_cents(cents, f"stacks of seat {seat}", least=1)
        if seat not in {one.seat for one in frame.dealt}:
            raise Unknown("seat", str(seat), field="stacks")
    dealt = tuple(
        replace(one, stack_cents=told.get(one.seat, one.stack_cents)) for one in frame.dealt
    )
    known = [one.stack_cents is not None for one in dealt]
    capture = Capture(
        cards=Known.SOME,
        stacks=Known.ALL if all(known) else Known.SOME if any(known) else Known.NONE,
        actions=Known.SOME,
    )
    stem = hand_id(state.room, state.table, state.hand)
    setup = HandSetup(
        hand=stem,
        room=state.room,
        table=state.table,
        number=state.hand,
        game=frame.game,
        button_seat=frame.button,
        seats=dealt,
        posts=frame.posts,
        capture=capture,
        small_bet_cents=frame.small_bet_cents,
        big_bet_cents=frame.big_bet_cents,
    )
    started = start_hand(setup, hand_rules(rules, frame.game, reader))
    record = dispute_id(state.room, state.table, state.dispute)
    return (
        (record, HandReconstructed(hand=stem)),
        *((stem, event) for event in started),
    )
