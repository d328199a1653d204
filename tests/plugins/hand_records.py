"""Random hands with what a room adds to play: partial knowledge, rake, rulings, kills, runs, mucks, rewinds, voids.

Each choice is read from a tape (`hand_random`). Things are tried at random and what the book refuses is left out, so
that whatever a hand's stream may hold comes up sooner or later.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

from cardroom.kernel.events import Event
from cardroom.kernel.refusal import Refused
from cardroom.known.games import Game, Structure
from cardroom.poker.cards import UNKNOWN
from cardroom.poker.legal import WAGERS, Act
from cardroom.poker.variants import VARIANTS
from cardroom.rulebook.model import ResolvedBook
from cardroom.tables import hand_events as ev
from cardroom.tables.hand import INITIAL, Hand, evolve, history_of
from cardroom.tables.hand_decide import decide_hand
from cardroom.tables.hand_events import Capture, Known, Phase, Post, PostKind, SeatDealt, Source
from cardroom.tables.hand_flow import contested
from cardroom.tables.hand_legal import legal
from cardroom.tables.hand_reading import cards_down
from cardroom.tables.hand_rules import hand_rules
from cardroom.tables.hand_start import HandSetup, start_hand
from tests.plugins.hand_play import READER, hc, resolved
from tests.plugins.hand_random import (
    BOOKS,
    FORMS,
    STRUCTURES,
    Tape,
    chosen,
    game_of,
    posts_of,
    shuffled,
    stacks_of,
    taken,
)

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)
DECLARED = {"highlow__mode": "declare", "highlow__qualifier": "none"}
VALUES: tuple[dict[str, Any], ...] = (
    {},
    {},
    {"highlow__qualifier": "none"},
    DECLARED,
    {**DECLARED, "highlow__declare_method": "spoken_in_turn"},
    {**DECLARED, "highlow__bet_after_declare": True},
)
NAMES = ("p1", 'The "Duke" \\ of\tEarl', "Åsa 🂡", "", "x = [1]", "#9")
SOURCES = (Source.DEALER, Source.DEALER, Source.CAMERA, Source.PLAYER, Source.FLOOR)


class Record:
    """A random hand under way.

    Args:
        tape: the choices.
    """

    def __init__(self, tape: Tape) -> None:
        self.tape = tape
        self.book = tape.pick(BOOKS)
        self.values = tape.pick(VALUES)
        self.setup = self._setup()
        self.rules = hand_rules(self.book_for(self.setup.game), self.setup.game, READER)
        self.deck = list(shuffled(tape, self.rules.variant.streets[0].down or 1))
        self.knows = tape.pick(("all", "all", "all", "some", "late", "none"))
        self.cards_by = tape.pick(SOURCES)
        self.actions_by = tape.pick(SOURCES)
        self.wild = tape.below(3)
        self.later: list[tuple[int, tuple[str, ...]]] = []
        self.ends: list[int] = []
        self.events: list[Event] = []
        self.hand: Hand = INITIAL
        self._record(start_hand(self.setup, self.rules))

    def book_for(self, a_game: Game) -> ResolvedBook:
        """Return the book the hand is played under."""
        return resolved(self.book, a_game, **self.values)

    @property
    def ids(self) -> dict[str, Any]:
        """What every command names."""
        return {"room": self.setup.room, "table": self.setup.table, "hand": self.setup.hand}

    def _record(self, events: tuple[Event, ...]) -> None:
        for event in events:
            self.hand = evolve(self.hand, event)
        self.events += events
        self.ends.append(self.hand.version)

    def enter(self, command: hc.HandCommand) -> bool:
        """Enter a command if the book allows it."""
        try:
            self._record(decide_hand(command, self.hand, self.rules))
        except Refused:
            return False
        return True

    def _setup(self) -> HandSetup:
        tape = self.tape
        form, structure = tape.pick(FORMS), tape.pick(STRUCTURES)
        variant = VARIANTS[form]
        count = tape.between(2, min(10, variant.most_seats))
        if tape.below(2):
            count = min(count, 4)
        chip = tape.pick((100, 100, 50, 25))
        a_game = game_of(form, structure, chip, int(variant.stud or tape.below(3) == 2))
        seats = sorted(self._few(range(1, 11), count))
        button = 0 if variant.stud else tape.pick((seats[-1], *range(seats[-1] + 1, 11)))
        number = dict(enumerate(seats, 1))
        straddle = 8 * chip if not variant.stud and count > 2 and tape.one_in(6) else 0
        dead = 3 * chip if not variant.stud and not a_game.ante_cents and tape.one_in(6) else 0
        posts = [
            msgspec.structs.replace(post, seat=number[post.seat])
            for post in posts_of(a_game, count, straddle, dead)
        ]
        posts += self._further_posts(a_game, seats, chip)
        unknown = tape.one_in(6)
        dealt = tuple(
            SeatDealt(
                seat=seat,
                player=f"{tape.pick(NAMES)}{seat}",
                stack_cents=None if unknown and tape.below(2) else stack * chip,
            )
            for seat, stack in zip(seats, stacks_of(tape, count), strict=True)
        )
        kill = 2 if structure is Structure.LIMIT and not variant.stud and tape.one_in(6) else 0
        return HandSetup(
            hand=f"{tape.pick(NAMES)}h-{tape.below(1000)}",
            room=tape.pick(("lucky", "r 2")),
            table=tape.pick(("t1", "Feature")),
            number=tape.below(5000),
            game=a_game,
            button_seat=button,
            seats=dealt,
            posts=tuple(posts),
            capture=Capture(
                stacks=Known.SOME if unknown else Known.ALL,
                actions=Known.NONE if tape.one_in(16) else Known.ALL,
            ),
            small_bet_cents=kill * a_game.small_bet_cents,
            big_bet_cents=kill * a_game.big_bet_cents,
            carried_cents=chip * tape.pick((0, 0, 0, 0, 0, 7)),
        )

    def _few(self, choices: Any, count: int) -> list[Any]:
        left = list(choices)
        return [left.pop(self.tape.below(len(left))) for _ in range(count)]

    def _further_posts(self, a_game: Game, seats: list[int], chip: int) -> list[Post]:
        tape = self.tape
        posts: list[Post] = []
        if tape.one_in(5):
            posts.append(
                Post(
                    seat=seats[-1],
                    kind=PostKind.COLLECTION,
                    house_cents=3 * chip,
                    house_live=bool(tape.below(2)) and not VARIANTS[a_game.form].stud,
                )
            )
        if not VARIANTS[a_game.form].stud and len(seats) > 3 and tape.one_in(5):
            kind = tape.pick((PostKind.NEW_PLAYER, PostKind.MISSED_BLINDS, PostKind.KILL))
            dead = 2 * chip if kind is PostKind.MISSED_BLINDS else 0
            live = (8 if kind is PostKind.KILL else 4) * chip
            posts.append(Post(seat=seats[3], kind=kind, live_cents=live, dead_cents=dead))
        return posts

    def take(self, count: int) -> tuple[str, ...]:
        """Return the next cards of the deck."""
        cards, self.deck = tuple(self.deck[:count]), self.deck[count:]
        return cards

    def _seen(self, cards: tuple[str, ...]) -> tuple[str, ...]:
        """Return cards as far as they were seen."""
        if self.knows == "some":
            return tuple(card if self.tape.below(3) else UNKNOWN for card in cards)
        return (UNKNOWN,) * len(cards) if self.knows == "none" else cards

    def play(self) -> "Record":
        """Play to the end."""
        if self.setup.capture.actions is Known.NONE and self.tape.below(2):
            seats = self._few([dealt.seat for dealt in self.setup.seats], self.tape.between(1, 2))
            pot = self.tape.pick((None, 1200))
            if self.enter(hc.NoteWinner(**self.ids, seats=tuple(seats), pot_cents=pot)):
                return self
        if not self.rules.variant.stud and self.knows != "none":
            self._hole_cards()
        temper = self.tape.below(4)
        for _ in range(140):
            if self.hand.over:
                break
            if self.wild and self.tape.one_in(12 // self.wild):
                self._anything()
            self._next(temper)
        if not self.hand.over:
            self.enter(hc.VoidHand(**self.ids, reason="it came to nothing", rules=("CR-6",)))
        if self.tape.one_in(6):
            live = [chair.seat for chair in self.hand.chairs if chair.live]
            for seat in live[:1]:
                self.enter(hc.ShowHand(**self.ids, seat=seat))
        return self

    def _hole_cards(self) -> None:
        down = self.rules.variant.streets[0].down
        hands = [
            (chair.seat, self._seen(self.take(down))) for chair in self.hand.chairs if chair.seat
        ]
        if self.knows == "late":
            self.later = hands
            return
        if self.tape.below(3):
            self._note(tuple(hands))
            return
        for one in hands:
            self._note((one,))

    def _note(self, hands: tuple[tuple[int, tuple[str, ...]], ...]) -> bool:
        odd = self.wild > 0 and self.tape.one_in(20)
        return self.enter(
            hc.NoteHoleCards(
                **self.ids,
                hands=hands,
                source=Source.FLOOR if odd else self.cards_by,
                reconstructed=odd,
            )
        )

    def _next(self, temper: int) -> None:
        if self.later and self.tape.one_in(4):
            self._note((self.later[0],))
            self.later = self.later[1:]
        match self.hand.phase:
            case Phase.BETTING:
                self._act(temper)
            case Phase.DEALING:
                self._street()
            case Phase.EXCHANGING:
                self._exchange()
            case Phase.DECLARING:
                self._declare()
            case Phase.SHOWDOWN:
                self._showdown()
            case _:
                return

    def _act(self, temper: int) -> None:
        options = legal(self.hand, self.rules)
        if any(option.act in {Act.CHECK, Act.CALL, Act.BRING_IN} for option in options):
            option, to_cents = chosen(self.tape, options, temper)
        elif options:  # held to what was done out of turn
            option, to_cents = options[0], options[0].least_cents
        else:
            return
        command = taken(option, to_cents)
        odd = self.wild > 0 and self.tape.one_in(20)
        changes: dict[str, Any] = {**self.ids, "source": self.actions_by}
        if odd:
            changes |= {"reconstructed": True, "rules": ("LC-1",), "source": Source.FLOOR}
        command = msgspec.structs.replace(command, **changes)
        if self.tape.one_in(8) and option.act in {Act.CALL, *WAGERS}:
            chair = next(chair for chair in self.hand.chairs if chair.seat == option.seat)
            amount = None if chair.stack_cents is not None else to_cents
            all_in = hc.AllIn(**self.ids, seat=option.seat, to_cents=amount)
            if self.enter(all_in):
                return
        self.enter(command)

    def _street(self) -> None:
        hand, variant = self.hand, self.rules.variant
        if hand.betting_over and len(hand.boards) == 1 and self.tape.below(2):
            live = tuple(chair.seat for chair in hand.chairs if chair.live)
            self.enter(hc.AgreeRuns(**self.ids, times=self.tape.between(2, 3), seats=live))
            hand = self.hand
        burned = self.take(1)[0] if self.deck and self.tape.one_in(4) else ""
        if len(hand.boards) > 1:
            self._run(burned)
            return
        street = variant.streets[min(hand.street + 1, len(variant.streets) - 1)]
        live = tuple(chair.seat for chair in hand.chairs if chair.live)
        if variant.stud and len(self.deck) < 2 * len(live) * (street.down + street.up):
            self.enter(hc.DealStreet(**self.ids, board=self.take(1), community=True))
            return
        down = {seat: self.take(street.down) for seat in live} if variant.stud else {}
        up = tuple((seat, self._up()) for seat in live) if street.up else ()
        deal = hc.DealStreet(**self.ids, board=self._board(street.board), up=up, burned=burned)
        if not self.enter(deal):
            first = self.tape.pick(live)
            self.enter(msgspec.structs.replace(deal, opener=first))
        told = [(seat, self._seen(cards)) for seat, cards in down.items() if cards]
        if told and self.knows != "none":
            self._note(tuple(told))

    def _up(self) -> str:
        card = self.take(1)[0]
        return UNKNOWN if self.wild == 2 and self.tape.one_in(8) else card

    def _board(self, count: int) -> tuple[str, ...]:
        cards = self.take(count)
        return () if self.wild == 2 and self.tape.one_in(10) else cards

    def _run(self, burned: str) -> None:
        """Deal the next street of some board."""
        runs = list(range(len(self.hand.boards)))
        for _ in runs:
            run = runs.pop(self.tape.below(len(runs)))
            have = len(self.hand.boards[run])
            if have < self.rules.variant.board_cards:
                count = 3 if not have else 1
                board = self.take(count)
                self.enter(hc.DealStreet(**self.ids, board=board, run=run, burned=burned))
                return

    def _exchange(self) -> None:
        hand = self.hand
        rule = self.rules.variant.streets[hand.street + 1].exchange
        assert rule is not None
        count = max(rule.least, min(rule.most, self.tape.below(4)))
        count = min(count, len(self.deck)) if rule.replaced else count
        chair = next(chair for chair in hand.chairs if chair.seat == hand.order[0])
        gone = chair.down[:count]
        drawn = self._seen(self.take(count)) if rule.replaced and self.tape.below(4) else ()
        command = hc.Exchange(**self.ids, seat=chair.seat, count=count, discarded=gone, drawn=drawn)
        if not self.enter(command):
            plain = msgspec.structs.replace(command, discarded=(), drawn=())
            self.enter(plain)

    def _declare(self) -> None:
        hand, tape = self.hand, self.tape
        away = self.rules.dealt[0][0] - 2
        for seat in hand.order:
            chair = next(chair for chair in hand.chairs if chair.seat == seat)
            cards = chair.down[:away] if len(chair.down) >= away else (UNKNOWN,) * away
            self.enter(hc.PutAway(**self.ids, seat=seat, cards=cards))
            way = tape.pick(("high", "low", "both"))
            if self.rules.high_low.in_turn:
                self.enter(hc.DeclareAloud(**self.ids, seat=seat, way=way))
            else:
                chips = tape.pick((*(count for count, _ in self.rules.high_low.chips), None))
                self.enter(hc.SealDeclaration(**self.ids, seat=seat, chips=chips))
        told = tuple((seat, 1 + tape.below(3)) for seat, chips in self.hand.sealed if chips is None)
        self.enter(hc.RevealDeclarations(**self.ids, chips=told))

    def _showdown(self) -> None:
        hand, tape = self.hand, self.tape
        left = [at for at in reversed(range(len(hand.pots))) if at not in hand.awarded]
        if left and tape.one_in(4):
            rake = 50 * tape.between(1, 6)
            self.enter(hc.TakeRake(**self.ids, rake_cents=rake, pot=tape.pick(left)))
        for at in left:
            for seat in hand.order:
                self._show_or_muck(seat, hand.pots[at].seats)
            if tape.below(3) == 0:
                continue
            self._award(at)
        self._award(None)

    def _show_or_muck(self, seat: int, seats: tuple[int, ...]) -> None:
        tape = self.tape
        chair = next(chair for chair in self.hand.chairs if chair.seat == seat)
        if seat not in seats or not chair.live or chair.tabled:
            return
        if tape.one_in(6):
            self.enter(
                hc.MuckHand(
                    **self.ids,
                    seat=seat,
                    in_muck=bool(tape.below(2)),
                    identifiable=bool(tape.below(2)),
                )
            )
            return
        if tape.one_in(5) and chair.down:
            self.enter(hc.ShowHand(**self.ids, seat=seat, cards=chair.down[:1]))
        show = hc.ShowHand(**self.ids, seat=seat, source=self.actions_by)
        whole = cards_down(chair, self.hand, self.rules)
        short = chair.down.count(UNKNOWN) + whole - len(chair.down)
        if short > 0 and tape.below(2) and len(self.deck) >= short:
            told = tuple(c for c in chair.down if c not in (UNKNOWN, *chair.shown))
            show = msgspec.structs.replace(show, cards=told + self.take(short))
        self.enter(show)

    def _award(self, at: int | None) -> None:
        hand = self.hand
        if hand.phase is not Phase.SHOWDOWN:
            return
        award = hc.AwardPots(**self.ids, pot=at, losers_killed=True)
        if self.enter(award):
            return
        pot = next(one for one in range(len(hand.pots)) if one not in hand.awarded)
        live = contested(hand, hand.pots[pot]) or hand.pots[pot].seats
        winners = tuple(self._few(live, min(len(live), self.tape.between(1, 2))))
        low = winners[:1] if self.rules.variant.high_low and self.tape.below(2) else ()
        self.enter(msgspec.structs.replace(award, winners=winners, low_winners=low))

    def _anything(self) -> None:
        """Try something that does not happen in every hand."""
        tape, hand, ids = self.tape, self.hand, self.ids
        seat = tape.pick([chair.seat for chair in hand.chairs if chair.seat])
        turn = hand.to_act or seat
        front = tape.below(60) * self.setup.game.chip_cents
        rules = ("LC-2", "CR-6")
        tries: tuple[Callable[[], hc.HandCommand], ...] = (
            lambda: hc.TakeRake(**ids, rake_cents=0 if hand.taken else 25),
            lambda: hc.RuleHandDead(**ids, seat=seat, rules=rules),
            lambda: hc.CallClock(**ids, seat=turn, at=NOON + timedelta(seconds=tape.below(90))),
            lambda: hc.ExpireClock(
                **ids,
                seat=turn,
                due_at=hand.clock.due_at if hand.clock else NOON,
                floor_at_table=bool(tape.below(2)),
            ),
            lambda: hc.StandAsMade(
                **ids, seat=seat, act=tape.pick(list(Act)).value, to_cents=front, rules=rules
            ),
            lambda: hc.HoldToAction(
                **ids, seat=seat, act=tape.pick(list(Act)).value, to_cents=front, rules=rules
            ),
            lambda: hc.BarRaise(**ids, seat=seat, code="BARRED", why="said so", rules=rules),
            lambda: hc.PassOver(**ids, seat=turn, acted=(seat,), rules=rules),
            lambda: hc.LeaveChipsIn(**ids, seat=seat, cents=front, rules=rules),
            lambda: hc.ChopBlinds(**ids),
            lambda: hc.AskToSee(**ids, asked_by=turn, seat=seat),
            lambda: hc.KillHand(**ids, seat=seat),
            lambda: hc.SayBoardPlays(**ids, seat=seat),
            lambda: hc.RewindHand(**ids, to=tape.pick(self.ends), reason="wrong entry"),
            lambda: hc.ShowHand(**ids, seat=seat),
            lambda: hc.VoidHand(
                **ids, reason="fouled deck", rules=rules, collection_returned=bool(tape.below(2))
            ),
        )
        command = tape.pick(tries)()
        waiting = hand.phase in {Phase.EXCHANGING, Phase.DECLARING}
        if not (waiting and isinstance(command, hc.RuleHandDead | hc.ExpireClock | hc.ShowHand)):
            self.enter(command)


def outcome(state: Hand) -> list[Any]:
    """Return the events that count, cards told seat by seat: how many entries told them is not carried."""
    found: list[Any] = []
    run: list[Any] = []
    for _, event in history_of(state):
        if isinstance(event, ev.HoleCardsNoted):
            run += [
                (event.source, event.reconstructed, seat, cards)
                for seat, cards in zip(event.seats, event.cards or (), strict=True)
            ]
            continue
        found += [*sorted(run), event]
        run = []
    return [*found, *sorted(run)]
