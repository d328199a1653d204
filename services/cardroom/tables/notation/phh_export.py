"""The Poker Hand History format (PHH): writing a hand. What it lacks goes into user fields, which begin with `_`."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Any, Final

import msgspec

from cardroom.kernel.events import Event
from cardroom.kernel.refusal import Refused
from cardroom.known.games import Structure
from cardroom.poker.cards import UNKNOWN, known
from cardroom.poker.legal import WAGERS, Act
from cardroom.poker.variants import VARIANTS
from cardroom.tables import hand_events as ev
from cardroom.tables.hand import Hand, history_of
from cardroom.tables.hand_commands import HandCommand
from cardroom.tables.hand_correct import command_of
from cardroom.tables.notation.phh import VARIANT_CODES

_CODES: Final = {pair: code for code, pair in VARIANT_CODES.items()}


def export_phh(state: Hand) -> str:
    """Write a hand that is over as PHH.

    Args:
        state: the hand, with its history; what a rewind took back is left out.

    Returns:
        TOML text. `import_phh` of it gives the same hand again.

    Raises:
        Refused: CR-6 the hand is not over; CR-4 the format has no code for the form and structure.
    """
    if not state.over or not state.results:
        raise Refused("HAND_NOT_OVER", "CR-6", f"hand {state.hand} is {state.phase.value}")
    code = _CODES.get((state.game.form, state.game.structure))
    if code is None:
        raise Refused(
            "NO_PHH_VARIANT",
            "CR-4",
            f"PHH has no code for {state.game.structure.value} {state.game.form.value}",
        )
    started = next(event for _, event in history_of(state) if isinstance(event, ev.HandStarted))
    writer = _Writer(state)
    events = [event for _, event in history_of(state)]
    awards = [at for at, event in enumerate(events) if isinstance(event, ev.PotAwarded)]
    # Pots pushed one by one, with hands shown in between, are entered so again; else all are at the end.
    later = events[awards[0] :] if awards and state.showdown else []
    apart = any(isinstance(event, ev.HandShown) for event in later)
    for event in events:
        if apart and isinstance(event, ev.PotAwarded):
            writer.enter(event)
        else:
            writer.write(event)
    fields = [
        *_head(state, started, code),
        ("actions", _list(_quoted(action) for action in writer.actions)),
        ("hand", str(state.number)),
        ("finishing_stacks", _stacks(result.after_cents for result in state.results)),
        *_user_fields(state, started),
        *([("_burned", _list(writer.burned))] if state.burns else []),
        *([("_run_order", _list(writer.runs))] if len(state.boards) > 1 else []),
        *([("_entries", _list(writer.entries))] if writer.entries else []),
    ]
    return "\n".join(f"{name} = {value}" for name, value in fields) + "\n"


def _head(state: Hand, started: ev.HandStarted, code: str) -> list[tuple[str, str]]:
    antes, blinds = _forced(started)
    fields = [
        ("variant", _quoted(code)),
        ("ante_trimming_status", "true" if len(set(antes)) == 1 else "false"),
        ("antes", _list(_amount(ante) for ante in antes)),
    ]
    if VARIANTS[state.game.form].stud:
        fields.append(("bring_in", _amount(state.game.bring_in_cents)))
    else:
        fields.append(("blinds_or_straddles", _list(_amount(blind) for blind in blinds)))
    if state.game.structure is Structure.LIMIT:
        fields.append(("small_bet", _amount(state.small_bet_cents)))
        fields.append(("big_bet", _amount(state.big_bet_cents)))
    else:
        fields.append(("min_bet", _amount(state.small_bet_cents)))
    fields.append(("starting_stacks", _stacks(dealt.stack_cents for dealt in started.seats)))
    return fields


def _forced(started: ev.HandStarted) -> tuple[list[int], list[int]]:
    """Return antes and live posts as the format lists them: by player, heads-up the small blind first."""
    seats = [dealt.seat for dealt in started.seats]
    antes = dict.fromkeys(seats, 0)
    blinds = dict.fromkeys(seats, 0)
    for post in _nominal(started):
        antes[post.seat] += post.ante_cents
        if post.kind is ev.PostKind.ANTE:
            antes[post.seat] += post.dead_cents
        blinds[post.seat] += post.live_cents
    ordered = seats[::-1] if len(seats) == 2 else seats
    return [antes[seat] for seat in ordered], [blinds[seat] for seat in ordered]


def _nominal(started: ev.HandStarted) -> list[ev.Post]:
    """Return the posts as they were due: a stack that was short posted less, and the call is still the full blind."""
    game = started.game
    due = {ev.PostKind.BIG_BLIND: game.blinds_cents[-1:]}
    if len(game.blinds_cents) > 1:
        due[ev.PostKind.SMALL_BLIND] = game.blinds_cents[:1]
    left = {dealt.seat: dealt.stack_cents for dealt in started.seats}
    for post in started.posts:
        stack = left[post.seat]
        if stack is not None:
            put_up = post.live_cents + post.dead_cents + post.ante_cents + post.house_cents
            left[post.seat] = stack - put_up
    return [
        msgspec.structs.replace(
            post,
            live_cents=max((post.live_cents, *due.get(post.kind, ()))),
            ante_cents=max(post.ante_cents, game.ante_cents)
            if post.kind is ev.PostKind.ANTE and not post.dead_cents
            else post.ante_cents,
        )
        if left[post.seat] is not None and (left[post.seat] or 0) < game.chip_cents
        else post
        for post in started.posts
    ]


def _user_fields(state: Hand, started: ev.HandStarted) -> list[tuple[str, str]]:
    game = state.game
    fields = [
        ("players", _list(_quoted(dealt.player) for dealt in started.seats)),
        ("seats", _list(str(dealt.seat) for dealt in started.seats)),
        ("seat_count", str(game.seats)),
        ("table", _quoted(state.table)),
        ("_hand", _quoted(state.hand)),
        ("_room", _quoted(state.room)),
        ("_game", _quoted(game.game_id)),
        ("_game_name", _quoted(game.name)),
        ("_chip_cents", str(game.chip_cents)),
        ("_most_bet_cents", str(game.big_bet_cents)),
        ("_button_seat", str(state.button_seat)),
        ("_book", _quoted(state.book_digest)),
        ("_engine", _quoted(state.engine)),
        ("_posts", _list(_post(post) for post in _nominal(started))),
        ("_pots", _list(_pot(pot.cents, pot.seats) for pot in state.pots)),
        ("_uncalled", _list(_uncalled(state))),
    ]
    return [(name, value) for name, value in fields if value != "[]"]


def _uncalled(state: Hand) -> list[str]:
    return [
        f"{{ seat = {event.seat}, cents = {event.cents} }}"
        for _, event in history_of(state)
        if isinstance(event, ev.UncalledReturned)
    ]


def _pot(cents: int, seats: tuple[int, ...]) -> str:
    return f"{{ cents = {cents}, seats = {_list(str(seat) for seat in seats)} }}"


def _post(post: ev.Post) -> str:
    parts = [f"seat = {post.seat}", f"kind = {_quoted(post.kind.value)}"]
    for name in ("live_cents", "dead_cents", "ante_cents", "house_cents"):
        value = getattr(post, name)
        if value:
            parts.append(f"{name} = {value}")
    if post.house_live:
        parts.append("house_live = true")
    return "{ " + ", ".join(parts) + " }"


class _Writer:
    """Actions of the format, in the order of the events that count."""

    def __init__(self, state: Hand) -> None:
        self.state = state
        self.variant = VARIANTS[state.game.form]
        self.player = {chair.seat: at for at, chair in enumerate(state.chairs, 1)}
        self.actions: list[str] = []
        self.entries: list[str] = []
        self.burned: list[str] = []
        self.runs: list[str] = []
        self.live = list(self.player)

    def write(self, event: Event) -> None:
        """Write one event: as an action of the format, or as an entry among the user fields."""
        match event:
            case ev.HoleCardsNoted():
                self._hole(event)
            case ev.StreetDealt(community=True):
                self.enter(event)
            case ev.StreetDealt():
                self._deal(event)
            case ev.ActionTaken():
                self._act(event)
            case ev.CardsExchanged():
                gone = "".join(event.discarded or ())
                self._add(event.seat, f"sd {gone}".strip())
                if known(event.drawn or ()):
                    self.actions.append(
                        f"d dh p{self.player[event.seat]} {''.join(event.drawn or ())}"
                    )
            case ev.HandShown():
                self._show(event)
            case ev.HandMucked():
                self._add(event.seat, "sm")
            case (
                ev.RakeTaken()
                | ev.RunsAgreed()
                | ev.HandKilled(by_ruling=True)
                | ev.HandRequested()
                | ev.BoardPlayed()
                | ev.BlindsChopped()
                | ev.CardsPutAway()
                | ev.DeclarationSealed()
                | ev.DeclarationsRevealed()
                | ev.PotAwarded(by_dealer=True)
            ):
                self.enter(event)
            case _:
                return

    def enter(self, event: Event) -> None:
        """Note an entry that the format has no action for, with how many actions come before it."""
        command = command_of(event, self.state)
        if command is not None:
            self.entries.append(_entry(command, len(self.actions)))

    def _show(self, event: ev.HandShown) -> None:
        chair = next(one for one in self.state.chairs if one.seat == event.seat)
        whole = event.tabled and len(event.cards) == len(chair.down)
        first = self.variant.streets[0].down
        dealt = (*chair.down[:first], *chair.up, *chair.down[first:])  # in the order dealt
        cards = dealt if whole else event.cards
        self._add(event.seat, f"sm {''.join(cards)}")

    def _add(self, seat: int, what: str) -> None:
        self.actions.append(f"p{self.player[seat]} {what}")

    def _hole(self, event: ev.HoleCardsNoted) -> None:
        if self.variant.stud or event.cards is None:
            return
        for seat, cards in zip(event.seats, event.cards, strict=True):
            self.actions.append(f"d dh p{self.player[seat]} {''.join(cards)}")

    def _deal(self, event: ev.StreetDealt) -> None:
        if command_of(event, self.state) is not None:
            self.burned.append(_quoted(event.burned))
        if event.board and not event.community:
            self.actions.append(f"d db {''.join(event.board)}")
            self.runs.append(str(event.run))
        if not self.variant.stud:
            return
        street = self.variant.streets[event.street]
        ups = dict(event.up)
        for chair in self.state.chairs:
            if chair.seat not in self.live:
                continue
            held = list(chair.down)
            before = sum(s.down for s in self.variant.streets[: event.street])
            down = held[before : before + street.down]
            down += [UNKNOWN] * (street.down - len(down))
            cards = "".join(down) + (ups.get(chair.seat, UNKNOWN) if street.up else "")
            self.actions.append(f"d dh p{self.player[chair.seat]} {cards}")

    def _act(self, event: ev.ActionTaken) -> None:
        if event.act in WAGERS:
            self._add(event.seat, f"cbr {_amount(event.to_cents)}")
            return
        if event.act is Act.FOLD:
            self.live.remove(event.seat)
        words: dict[Act, str] = {
            Act.FOLD: "f",
            Act.CHECK: "cc",
            Act.CALL: "cc",
            Act.BRING_IN: "pb",
        }
        self._add(event.seat, words[event.act])


def _entry(command: HandCommand, at: int) -> str:
    """Write a command as an inline table: the number of actions before it, its name and what it says."""
    said: dict[str, Any] = msgspec.to_builtins(command)
    name = said.pop("type")
    for field in ("room", "table", "hand", "after"):
        said.pop(field)
    parts = [f"at = {at}", f"enter = {_quoted(name)}"]
    parts += [f"{field} = {_value(value)}" for field, value in said.items() if value is not None]
    return "{ " + ", ".join(parts) + " }"


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, list | tuple):
        return _list(_value(one) for one in value)
    return _quoted(str(value))


def _amount(cents: int) -> str:
    value = Decimal(cents) / 100
    return f"{value:f}"


def _stacks(stacks: Iterable[int | None]) -> str:
    return _list("inf" if stack is None else _amount(stack) for stack in stacks)


def _list(parts: Iterable[str]) -> str:
    return "[" + ", ".join(parts) + "]"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
