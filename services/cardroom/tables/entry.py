"""On what terms a player gets his next hand: free, by a post, by waiting, by buying the button or by a straddle."""

from collections.abc import Iterable

import msgspec

from cardroom.kernel.money import dollars
from cardroom.kernel.refusal import Refused
from cardroom.known.games import Form, Game
from cardroom.rulebook.model import ResolvedBook
from cardroom.tables.positions import Positions, between, next_in
from cardroom.tables.seats import Arrival, Seat, WayIn
from cardroom.tables.table import Table


class Way(msgspec.Struct, frozen=True, kw_only=True):
    """One way to get the next hand.

    Args:
        way: which.
        cents: what has to be put up.
        live_cents: how much of it is the player's wager; the rest is dead.
        house_cents: how much of it the house takes as a collection, the rest lying in the pot.
        open_now: whether it can be taken on the coming hand.
        closed_code: UPPER_SNAKE reason why it cannot, where it cannot.
        rules: rules it rests on.
    """

    way: WayIn
    cents: int = 0
    live_cents: int = 0
    house_cents: int = 0
    open_now: bool = True
    closed_code: str = ""
    rules: tuple[str, ...] = ()

    def words(self) -> str:
        """Say it as an option of a refusal."""
        match self.way:
            case WayIn.POST:
                dead = self.cents - self.live_cents
                split = f" ({dollars(self.live_cents)} live, {dollars(dead)} dead)" if dead else ""
                return f"post {dollars(self.cents)}{split}"
            case WayIn.BUY_BUTTON:
                return "buy the button when in position"
            case WayIn.STRADDLE:
                return f"straddle for {dollars(self.cents)} when one seat left of the big blind"
            case WayIn.WAIT_FOR_BIG_BLIND:
                return "wait for the big blind"
            case _:
                return self.way.value.replace("_", " ")


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """What stands between a player and his next hand.

    Args:
        free: whether he is simply dealt in.
        code: UPPER_SNAKE reason where he is not.
        says: the same in words.
        rules: rules it rests on.
        ways: the ways in, whether or not they are open on the coming hand.
    """

    free: bool
    code: str = ""
    says: str = ""
    rules: tuple[str, ...] = ()
    ways: tuple[Way, ...] = ()

    def way(self, way: WayIn) -> Way | None:
        """Return one of the ways in, None where it is not among them."""
        return next((one for one in self.ways if one.way is way), None)

    def refusal(self, table: Table, seat: Seat) -> Refused:
        """Return the refusal of a hand without meeting the terms, with the ways in as options."""
        return Refused(
            self.code,
            self.rules,
            f"seat {seat.seat} at table {table.table}: {self.says}",
            options=[way.words() for way in self.ways],
            field="way_in",
        )


def collection_cents(table: Table, rules: ResolvedBook) -> int:
    """Return the collection that the next hand's button pays; 0 where the house takes none on the button.

    The game's own amount stands before the book's; a game that is not full pays the reduced amount, where there is one.
    """
    game = table.the_game()
    if _none_on_button(table, rules):
        return 0
    full = game.button_collection_cents or rules.cents("collection.amount")
    reduced = rules.cents("collection.amount_not_full")
    if not reduced or (table.must_move_behind and rules.flag("collection.main_game_counts_full")):
        return full
    return full if len(table.seats) >= table.seat_count else reduced


def full_collection_cents(table: Table, rules: ResolvedBook) -> int:
    """Return the full game's collection on the button, 0 where there is none."""
    if _none_on_button(table, rules):
        return 0
    return table.the_game().button_collection_cents or rules.cents("collection.amount")


def _none_on_button(table: Table, rules: ResolvedBook) -> bool:
    """Whether the button pays no collection: that of a tournament has paid its fee at the cage."""
    if table.tournament:
        return True
    on_button = rules.choice("collection.method") == "button"
    return not on_button and not table.the_game().button_collection_cents


def big_blind_cents(game: Game) -> int:
    """Return the largest blind of the game's structure; a straddle or kill does not change it."""
    return max(game.blinds_cents, default=0)


def small_blind_cents(game: Game) -> int:
    """Return the sum of the smaller blinds of the game's structure."""
    return sum(sorted(game.blinds_cents)[:-1])


def counts_as_new(table: Table, seat: Seat, rules: ResolvedBook) -> bool:
    """Whether a player still has a new player's terms.

    A newcomer has them until the button (the blinds, where every blind is made up) has passed him more often than
    the book lets it; a player who went broke has them again where the book says so, until both blinds have done so.
    """
    if seat.must_post:
        return False
    allowed = rules.count("blinds.new_player_free_passes")
    blinds = min(seat.passes_big, seat.passes_small)
    if seat.broke and seat.played:
        as_new = rules.choice("blinds.broke_player_returns") == "as_new_player"
        return as_new and blinds <= allowed
    if seat.played:
        return False
    moving = rules.choice("blinds.button_rule") == "moving"
    passes = max(blinds if moving else 0, seat.passes_button)
    return passes <= allowed


def terms(table: Table, seat: Seat, rules: ResolvedBook, base: Positions | None) -> Terms:
    """Return a player's terms for the coming hand.

    Args:
        table: the table.
        seat: his seat.
        rules: the book in force.
        base: where button and blinds will stand without him; None where that is not known yet.
    """
    game = table.the_game()
    if not game.blinds_cents:
        return Terms(free=True, rules=rules.cite("blinds.structure"))
    if base is not None and seat.seat in base.big_blinds:
        return Terms(free=True, rules=rules.cite("blinds.wait_for_big_blind"))
    if seat.passed_over:
        return Terms(free=True, rules=rules.cite("collection.short_button"))
    if seat.wait_hands and not seat.missed and seat.arrival is not Arrival.DEALT_OFF:
        return _seat_changer(table, seat, rules, base)
    if counts_as_new(table, seat, rules):
        found = _newcomer(table, seat, rules, base)
        if seat.arrival is Arrival.PLAY_OVER:
            over = rules.cite("blinds.play_over_entry")
            found = msgspec.structs.replace(found, rules=(*found.rules, *over))
        if found.free and table.rotation is not None:
            ways = tuple(_other_ways(table, seat, rules, base, passed_newcomer=False))
            return msgspec.structs.replace(found, ways=ways)
        return found
    if not seat.played or seat.missed or seat.must_post:
        return _owing(table, seat, rules, base)
    if _owes_button_only(table, seat, rules):
        return _owing_collection(table, seat, rules)
    return Terms(free=True, rules=rules.cite("blinds.missed_post"))


def _owes_button_only(table: Table, seat: Seat, rules: ResolvedBook) -> bool:
    return (
        seat.missed_button
        and not seat.collection_taken
        and rules.choice("blinds.missed_button_only") == "post_collection"
        and collection_cents(table, rules) > 0
    )


def collection_to_house(rules: ResolvedBook) -> bool:
    """Whether the house takes a collection that is posted or taken for a missed button (collection.posted_goes_to)."""
    return rules.choice("collection.posted_goes_to") == "house"


def _owing_collection(table: Table, seat: Seat, rules: ResolvedBook) -> Terms:
    cents = collection_cents(table, rules)
    live = cents if rules.flag("collection.button_live") else 0
    cited = rules.cite("blinds.missed_button_only", "collection.button_live")
    house = cents if collection_to_house(rules) else 0
    post = Way(way=WayIn.POST, cents=cents, live_cents=live, house_cents=house, rules=cited)
    return Terms(
        free=False,
        code="COLLECTION_OWED",
        says=f"the button passed him; the collection of {dollars(cents)} is owed",
        rules=rules.cite("blinds.missed_button_only"),
        ways=(_wait(rules), post),
    )


def _wait(rules: ResolvedBook) -> Way:
    return Way(
        way=WayIn.WAIT_FOR_BIG_BLIND,
        rules=rules.cite("blinds.wait_for_big_blind"),
    )


def _position_closed(
    table: Table, seat: Seat, rules: ResolvedBook, base: Positions | None
) -> tuple[str, tuple[str, ...]]:
    """Return why nobody may post in this seat on the coming hand, or an empty code."""
    if rules.flag("blinds.entry_between_button_and_big_blind") or base is None:
        return "", ()
    big = base.rotation.blinds[-1] if base.rotation.blinds else base.button
    if table.correction is not None:
        big = table.correction[1][-1]
    shut = {base.button, *between(base.button, big, table.seat_count)}
    if seat.seat in shut:
        return (
            "BETWEEN_BUTTON_AND_BIG_BLIND",
            rules.cite("blinds.entry_between_button_and_big_blind"),
        )
    return "", ()


def _post(
    table: Table,
    seat: Seat,
    rules: ResolvedBook,
    base: Positions | None,
    cents: int,
    live_cents: int,
    cited: tuple[str, ...],
    house_cents: int = 0,
) -> Way:
    code, closed_by = _position_closed(table, seat, rules, base)
    return Way(
        way=WayIn.POST,
        cents=cents,
        live_cents=live_cents,
        house_cents=house_cents,
        open_now=not code,
        closed_code=code,
        rules=(*cited, *closed_by),
    )


def _other_ways(
    table: Table, seat: Seat, rules: ResolvedBook, base: Positions | None, *, passed_newcomer: bool
) -> Iterable[Way]:
    game = table.the_game()
    if rules.flag("blinds.buy_button") and len(game.blinds_cents) == 2:
        fits = base is not None and in_small_blind_position(table, seat.seat, base)
        yield Way(
            way=WayIn.BUY_BUTTON,
            cents=sum(game.blinds_cents),
            live_cents=big_blind_cents(game),
            open_now=fits,
            closed_code="" if fits else "NOT_IN_SMALL_BLIND_POSITION",
            rules=rules.cite("blinds.buy_button"),
        )
    who = rules.choice("blinds.straddle_as_entry")
    if who == "nobody" or not rules.flag("blinds.straddle"):
        return
    if passed_newcomer and who == "new_and_missed_but_not_passed_newcomers":
        return
    fits = base is not None and seat.seat == straddle_seat(table, rules, base, seat.seat)
    yield Way(
        way=WayIn.STRADDLE,
        cents=straddle_cents(game, rules),
        live_cents=straddle_cents(game, rules),
        open_now=fits,
        closed_code="" if fits else "NOT_IN_STRADDLE_POSITION",
        rules=rules.cite("blinds.straddle_as_entry", "blinds.straddle_multiple"),
    )


def straddle_cents(game: Game, rules: ResolvedBook) -> int:
    """Return what a straddle comes to."""
    return big_blind_cents(game) * rules.count("blinds.straddle_multiple")


def straddle_seat(table: Table, rules: ResolvedBook, base: Positions, coming: int) -> int | None:
    """Return the seat left of the big blind, with a player who would come in counted."""
    del rules
    big = base.first_after
    return next_in(big, base.dealt | {coming}, table.seat_count)


def in_small_blind_position(table: Table, seat: int, base: Positions) -> bool:
    """Whether a seat is directly left of where the button will be, so that the small blind would be due there."""
    if seat == base.button:
        return False
    first = next_in(base.button, base.dealt | {seat}, table.seat_count)
    return first == seat


def _owing(table: Table, seat: Seat, rules: ResolvedBook, base: Positions | None) -> Terms:
    """One who missed blinds: at most one round of them, the big blind's part live as the book says."""
    game = table.the_game()
    big, small = big_blind_cents(game), small_blind_cents(game)
    newcomer = not seat.played
    key = "blinds.missed_post"
    all_of_them = rules.choice(key) == "both_blinds" or seat.must_post or newcomer
    cents = (big if all_of_them or seat.missed_big else 0) + (
        small if all_of_them or seat.missed_small else 0
    )
    collection = 0
    if rules.flag("blinds.missed_post_adds_collection") and not seat.collection_taken:
        collection = collection_cents(table, rules)
    if rules.choice("blinds.missed_dead") == "all_but_big_blind":
        live = big if cents >= big else 0
    else:
        live = min(cents, big)
    cents += collection
    cited = rules.cite(key, "blinds.missed_dead")
    if collection:
        cited = rules.cite(key, "blinds.missed_dead", "blinds.missed_post_adds_collection")
    house = collection if collection_to_house(rules) else 0
    post = _post(table, seat, rules, base, cents, live, cited, house)
    why = (
        "MUST_POST"
        if seat.must_post
        else "MUST_POST_OR_WAIT"
        if newcomer or seat.broke
        else "MISSED_BLINDS"
    )
    cause = rules.cite(key)
    if seat.must_post:
        cause = rules.cite("blinds.abuse_remedies")
    elif newcomer:
        cause = rules.cite("blinds.new_player_free_passes", key)
    elif seat.broke:
        cause = rules.cite("blinds.broke_player_returns", key)
    ways = (_wait(rules), post, *_other_ways(table, seat, rules, base, passed_newcomer=newcomer))
    return Terms(
        free=False,
        code=why,
        says=f"blinds were missed; {dollars(cents)} is due, or waiting for the big blind",
        rules=cause,
        ways=ways,
    )


def _free(rules: ResolvedBook, *keys: str) -> Terms:
    return Terms(free=True, rules=rules.cite(*keys))


def _grace(table: Table, seat: Seat, rules: ResolvedBook) -> bool:
    """Whether a new game's easing covers the seat: the button not yet round, no blind past the seat."""
    return (
        rules.flag("blinds.new_game_grace")
        and table.hands_this_game > 0
        and not table.revolution_done
        and seat.seat not in table.blinds_passed
    )


def _newcomer(table: Table, seat: Seat, rules: ResolvedBook, base: Positions | None) -> Terms:
    match seat.arrival:
        case Arrival.DREW:
            return _free(rules, "blinds.new_game_missed_blinds")
        case Arrival.NO_POST:
            return _free(rules, "blinds.forced_mover")
        case Arrival.OWES if table.hands_this_game:
            return _owing(table, seat, rules, base)
        case Arrival.MUST_MOVE if rules.choice("mustmove.entry") == "free_until_second_pass":
            return _free(rules, "mustmove.entry")
        case Arrival.FORCED if rules.choice("blinds.forced_mover") == "no_post":
            return _free(rules, "blinds.forced_mover")
        case Arrival.LOCKED if (
            rules.choice("blinds.locked_seat_passed") == "owes_blinds" and seat.passes_button
        ):
            return _owing(table, seat, rules, base)
        case Arrival.DEALT_OFF if seat.passes_button or _button_passes(table, seat, base):
            return _free(rules, "seating.deal_off_free")
        case Arrival.DEALT_OFF:
            return _behind_button(table, seat, rules, base)
        case _:
            pass
    if table.hands_this_game == 0:
        return _free(rules, "blinds.new_player")
    if _grace(table, seat, rules):
        return _free(rules, "blinds.new_game_grace")
    if rules.choice("blinds.new_player") == "free" and seat.arrival is not Arrival.SEAT_CHANGE:
        return _free(rules, "blinds.new_player")
    return _posting(table, seat, rules, base, "NEW_PLAYER_MUST_POST_OR_WAIT")


def _button_passes(table: Table, seat: Seat, base: Positions | None) -> bool:
    """Whether the button goes past the seat on its way to the coming hand."""
    if base is None or table.rotation is None:
        return False
    return seat.seat in between(table.rotation.button, base.button, table.seat_count)


def _behind_button(table: Table, seat: Seat, rules: ResolvedBook, base: Positions | None) -> Terms:
    """One who dealt off: behind the button for nothing, or at once where he moved no farther from the blinds."""
    found = _posting(table, seat, rules, base, "WAITS_FOR_BUTTON")
    cited = rules.cite("seating.deal_off_free")
    ways = found.ways
    if not seat.wait_hands:
        at_once = Way(way=WayIn.DEAL_IN, rules=rules.cite("seating.seat_change_wait"))
        ways = (at_once, *ways)
    return msgspec.structs.replace(
        found,
        says="he dealt off; he comes in free once the button has passed",
        rules=cited,
        ways=ways,
    )


def _posting(
    table: Table, seat: Seat, rules: ResolvedBook, base: Positions | None, code: str
) -> Terms:
    """One who posts as much as the big blind, all of it live; in lowball twice that where the book says so."""
    game = table.the_game()
    cents = big_blind_cents(game)
    cited = rules.cite("blinds.new_player")
    if game.form is Form.LOWBALL and rules.choice("blinds.lowball_entry") == "post_double_big":
        cents *= 2
        cited = rules.cite("blinds.lowball_entry")
    post = _post(table, seat, rules, base, cents, cents, cited)
    return Terms(
        free=False,
        code=code,
        says=f"a post of {dollars(cents)} or the big blind comes before a hand",
        rules=cited,
        ways=(_wait(rules), post, *_other_ways(table, seat, rules, base, passed_newcomer=False)),
    )


def _seat_changer(table: Table, seat: Seat, rules: ResolvedBook, base: Positions | None) -> Terms:
    found = _posting(table, seat, rules, base, "SEAT_CHANGE_WAITS")
    return msgspec.structs.replace(
        found,
        says=f"after changing seats he waits {seat.wait_hands} more hands, or posts",
        rules=rules.cite("seating.seat_change_wait", "seating.post_instead_of_waiting"),
    )
