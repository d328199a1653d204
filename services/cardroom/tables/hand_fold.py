"""What each event changes in a hand's state. No house rule is applied: the events carry the outcomes."""

from collections.abc import Callable
from typing import Any, Final

import msgspec

from cardroom.kernel.events import Event
from cardroom.poker.cards import UNKNOWN
from cardroom.poker.chairs import Chair, Chairs, Fate, after_action
from cardroom.poker.variants import VARIANTS
from cardroom.tables import hand_events as ev
from cardroom.tables.hand_events import Phase
from cardroom.tables.hand_state import Hand

_SHOWDOWN = Phase.SHOWDOWN
_replace = msgspec.structs.replace


def started(event: ev.HandStarted, version: int) -> Hand:
    """Return the hand that an event starts.

    Args:
        event: the start.
        version: its version in the stream.
    """
    chip = event.game.chip_cents
    posts: dict[int, list[ev.Post]] = {}
    for post in event.posts:
        posts.setdefault(post.seat, []).append(post)
    chairs = []
    for dealt in event.seats:
        stack, live, ante, dead, house, counted = dealt.stack_cents, 0, 0, 0, 0, 0
        for post in posts.get(dealt.seat, ()):
            live += post.live_cents
            ante += post.ante_cents
            dead += post.dead_cents
            house += post.house_cents
            counted += post.house_cents if post.house_live else 0
        if stack is not None:
            stack -= live + ante + dead + house
        chairs.append(
            Chair(
                seat=dealt.seat,
                player=dealt.player,
                stack_cents=stack,
                matched_cents=live + ante + counted,
                put_in_cents=live + ante,
                dead_cents=dead,
                house_cents=house,
                all_in=stack is not None and stack < chip,
            )
        )
    if event.carried_cents:
        # Nobody's chair: it holds the dead money, in seat 0, and never plays.
        chairs.append(
            Chair(
                seat=0,
                player="",
                stack_cents=0,
                dead_cents=event.carried_cents,
                fate=Fate.DEAD,
                all_in=True,
            )
        )
    return Hand(
        start=event,
        version=version,
        phase=event.phase,
        chairs=tuple(chairs),
        street=-1 if event.betting is None else event.betting.street,
        betting=event.betting,
    )


def _with_chair(chairs: Chairs, seat: int, **changes: Any) -> Chairs:
    changed = list(chairs)
    for at, chair in enumerate(chairs):
        if chair.seat == seat:
            changed[at] = _replace(chair, **changes)
            break
    return tuple(changed)


def _without_seat(order: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return tuple([one for one in order if one != seat]) if seat in order else order


def _chair(state: Hand, seat: int) -> Chair:
    for chair in state.chairs:
        if chair.seat == seat:
            return chair
    raise LookupError(f"hand {state.hand}: seat {seat} was not dealt in")


def _hole_cards_noted(state: Hand, event: ev.HoleCardsNoted) -> dict[str, Any]:
    if event.cards is None:
        return {}
    told = dict(zip(event.seats, event.cards, strict=True))
    return {
        "chairs": tuple(
            [
                _replace(chair, down=_with_told(state, chair, told[chair.seat]))
                if chair.seat in told
                else chair
                for chair in state.chairs
            ]
        )
    }


def _with_told(state: Hand, chair: Chair, cards: tuple[str, ...]) -> tuple[str, ...]:
    """Return a player's cards with those told now: the ones of this street, or cards that were dealt unseen before."""
    down = chair.down
    if UNKNOWN in down:
        variant = VARIANTS[state.start.game.form]
        drawn = any(street.exchange and street.exchange.replaced for street in variant.streets)
        held = down + cards if drawn else down + cards + chair.put_away
        over = len(held) - variant.dealt(state.street)[0]
        down = _without(down, (UNKNOWN,) * max(0, min(down.count(UNKNOWN), over)))
    return down + cards


def _street_dealt(state: Hand, event: ev.StreetDealt) -> dict[str, Any]:
    changes: dict[str, Any] = {
        "street": event.street,
        "betting": event.betting or state.betting,
        "phase": event.phase,
        "order": event.show_order,
    }
    if event.phase is _SHOWDOWN:
        changes["showdown"] = changes["betting_over"] = True
    if event.board:
        boards = state.boards
        changes["boards"] = (
            *boards[: event.run],
            boards[event.run] + event.board,
            *boards[event.run + 1 :],
        )
    if event.burned:
        changes["burns"] = (*state.burns, event.burned)
    if event.up:
        dealt = dict(event.up)
        changes["chairs"] = tuple(
            [
                _replace(chair, up=(*chair.up, dealt[chair.seat])) if chair.seat in dealt else chair
                for chair in state.chairs
            ]
        )
    return changes


def _turn_ruled(_state: Hand, event: ev.TurnRuled) -> dict[str, Any]:
    return {"betting": event.betting}


def _clock_called(_state: Hand, event: ev.ClockCalled) -> dict[str, Any]:
    return {"clock": event.clock}


def _clock_expired(_state: Hand, _event: ev.ClockExpired) -> dict[str, Any]:
    return {"clock": None}


def _chips_left_in(state: Hand, event: ev.ChipsLeftIn) -> dict[str, Any]:
    return {
        "chairs": after_action(state.chairs, event.seat, event.cents, folded=False, all_in=False)
    }


def _uncalled_returned(state: Hand, event: ev.UncalledReturned) -> dict[str, Any]:
    chair = _chair(state, event.seat)
    stack = chair.stack_cents
    return {
        "chairs": _with_chair(
            state.chairs,
            event.seat,
            stack_cents=None if stack is None else stack + event.cents,
            matched_cents=chair.matched_cents - event.cents,
            put_in_cents=chair.put_in_cents - event.cents,
            all_in=False,
        )
    }


def _betting_closed(_state: Hand, event: ev.BettingClosed) -> dict[str, Any]:
    changes: dict[str, Any] = {
        "pots": event.pots,
        "phase": event.phase,
        "order": event.order,
        "betting_over": event.betting_over,
    }
    if event.phase is _SHOWDOWN and event.order:
        changes["showdown"] = True
    return changes


def _without(cards: tuple[str, ...], gone: tuple[str, ...]) -> tuple[str, ...]:
    left = list(cards)
    for card in gone:
        if card in left:
            left.remove(card)
        elif UNKNOWN in left:
            left.remove(UNKNOWN)
    return tuple(left)


def _kept(cards: tuple[str, ...], gone: tuple[str, ...]) -> tuple[str, ...]:
    """Return what is left of a hand: of cards put away unseen nobody knows which they were, nor which were kept."""
    unseen = gone.count(UNKNOWN)
    left = _without(cards, tuple([card for card in gone if card != UNKNOWN]))
    return (UNKNOWN,) * (len(left) - unseen) if unseen else left


def _cards_exchanged(state: Hand, event: ev.CardsExchanged) -> dict[str, Any]:
    chair = _chair(state, event.seat)
    gone = event.discarded if event.discarded is not None else (UNKNOWN,) * event.count
    drawn = event.drawn or ()
    chairs = _with_chair(
        state.chairs,
        event.seat,
        down=_kept(chair.down, gone) + drawn,
        put_away=chair.put_away + gone,
    )
    changes: dict[str, Any] = {"chairs": chairs, "order": event.order, "phase": event.phase}
    if event.betting is not None:
        changes["betting"] = event.betting
        changes["street"] = event.betting.street
    return changes


def _rake_taken(state: Hand, event: ev.RakeTaken) -> dict[str, Any]:
    entry = (event.pot, event.rake_cents, event.jackpot_drop_cents)
    return {"taken": (*state.taken, entry)}


def _runs_agreed(state: Hand, event: ev.RunsAgreed) -> dict[str, Any]:
    return {"boards": state.boards[:1] * event.times}


def _cards_put_away(state: Hand, event: ev.CardsPutAway) -> dict[str, Any]:
    chair = _chair(state, event.seat)
    gone = event.cards if event.cards is not None else (UNKNOWN,) * event.count
    return {
        "chairs": _with_chair(
            state.chairs,
            event.seat,
            down=_kept(chair.down, gone),
            put_away=chair.put_away + gone,
        )
    }


def _declaration_sealed(state: Hand, event: ev.DeclarationSealed) -> dict[str, Any]:
    others = tuple(entry for entry in state.sealed if entry[0] != event.seat)
    sealed = (*others, (event.seat, event.chips))
    return {"ending": _replace(state.ending, sealed=sealed)}


def _declarations_revealed(state: Hand, event: ev.DeclarationsRevealed) -> dict[str, Any]:
    changes: dict[str, Any] = {
        "ending": _replace(state.ending, ways=event.ways),
        "order": event.order,
        "phase": event.phase,
    }
    if event.phase is _SHOWDOWN:
        changes["showdown"] = changes["betting_over"] = True
    if event.betting is not None:
        changes["betting"] = event.betting
    return changes


def _hand_shown(state: Hand, event: ev.HandShown) -> dict[str, Any]:
    chair = _chair(state, event.seat)
    down, cards = chair.down, event.cards
    if cards == down:
        cards = down  # the same cards, once in memory
    else:
        for card in cards:
            if card not in down and card not in chair.up and card != UNKNOWN:
                down = (*_without(down, (UNKNOWN,)), card)
    return {
        "chairs": _with_chair(
            state.chairs,
            event.seat,
            down=down,
            shown=chair.shown + cards,
            tabled=event.tabled or chair.tabled,
        ),
        "order": _without_seat(state.order, event.seat) if event.tabled else state.order,
    }


def _board_played(state: Hand, event: ev.BoardPlayed) -> dict[str, Any]:
    said = (*state.said_board, event.seat)
    return {"ending": _replace(state.ending, said_board=said)}


def _hand_mucked(state: Hand, event: ev.HandMucked) -> dict[str, Any]:
    return {
        "chairs": _with_chair(state.chairs, event.seat, fate=Fate.MUCKED),
        "order": _without_seat(state.order, event.seat),
        "ending": _replace(
            state.ending,
            unseen=(*state.unseen, (event.seat, event.in_muck, event.identifiable)),
        ),
    }


def _hand_killed(state: Hand, event: ev.HandKilled) -> dict[str, Any]:
    fate = Fate.DEAD if event.by_ruling else Fate.KILLED
    changes: dict[str, Any] = {
        "clock": None,
        "chairs": _with_chair(state.chairs, event.seat, fate=fate),
        "order": _without_seat(state.order, event.seat),
    }
    if event.betting is not None:
        changes["betting"] = event.betting
    return changes


def _hand_requested(state: Hand, event: ev.HandRequested) -> dict[str, Any]:
    return {
        "chairs": _with_chair(
            state.chairs, event.seat, fate=Fate.LIVE if event.live else Fate.KILLED
        ),
        "order": _without_seat(state.order, event.seat),
        "ending": _replace(state.ending, asked=(*state.asked, (event.asked_by, event.seat))),
    }


def _pot_awarded(state: Hand, event: ev.PotAwarded) -> dict[str, Any]:
    won: dict[int, int] = {}
    for share in event.shares:
        won[share.seat] = won.get(share.seat, 0) + share.cents
    chairs = tuple(
        [
            _replace(chair, stack_cents=chair.stack_cents + won[chair.seat])
            if chair.seat in won and chair.stack_cents is not None
            else chair
            for chair in state.chairs
        ]
    )
    return {
        "chairs": chairs,
        "ending": _replace(
            state.ending,
            awarded=(*state.awarded, event.pot),
            shares=state.shares + event.shares,
            jackpot_odd_cents=state.jackpot_odd_cents + event.jackpot_odd_cents,
        ),
    }


def _given_back(state: Hand, returns: tuple[tuple[int, int], ...]) -> Chairs:
    back = dict(returns)
    return tuple(
        [
            _replace(
                chair,
                stack_cents=None
                if chair.stack_cents is None
                else chair.stack_cents + back.get(chair.seat, 0),
                matched_cents=0,
                put_in_cents=0,
                dead_cents=0,
            )
            for chair in state.chairs
        ]
    )


def _blinds_chopped(state: Hand, event: ev.BlindsChopped) -> dict[str, Any]:
    return {"chairs": _given_back(state, event.returns), "pots": (), "order": ()}


def _winner_noted(state: Hand, event: ev.WinnerNoted) -> dict[str, Any]:
    return {"ending": _replace(state.ending, winners=event.seats)}


def _hand_settled(state: Hand, event: ev.HandSettled) -> dict[str, Any]:
    house_cents = event.rake_cents + event.collection_cents
    return {
        "phase": Phase.SETTLED,
        "ending": _replace(state.ending, results=event.results, house_cents=house_cents),
        "order": (),
    }


def _hand_voided(state: Hand, event: ev.HandVoided) -> dict[str, Any]:
    return {
        "phase": Phase.VOID,
        "chairs": _given_back(state, event.returns),
        "pots": (),
        "order": (),
    }


CHANGES: Final[dict[type[Event], Callable[[Hand, Any], dict[str, Any]]]] = {
    ev.HoleCardsNoted: _hole_cards_noted,
    ev.StreetDealt: _street_dealt,
    ev.TurnRuled: _turn_ruled,
    ev.ChipsLeftIn: _chips_left_in,
    ev.ClockCalled: _clock_called,
    ev.ClockExpired: _clock_expired,
    ev.UncalledReturned: _uncalled_returned,
    ev.BettingClosed: _betting_closed,
    ev.CardsExchanged: _cards_exchanged,
    ev.RakeTaken: _rake_taken,
    ev.RunsAgreed: _runs_agreed,
    ev.CardsPutAway: _cards_put_away,
    ev.DeclarationSealed: _declaration_sealed,
    ev.DeclarationsRevealed: _declarations_revealed,
    ev.HandShown: _hand_shown,
    ev.BoardPlayed: _board_played,
    ev.HandMucked: _hand_mucked,
    ev.HandKilled: _hand_killed,
    ev.HandRequested: _hand_requested,
    ev.PotAwarded: _pot_awarded,
    ev.BlindsChopped: _blinds_chopped,
    ev.WinnerNoted: _winner_noted,
    ev.HandSettled: _hand_settled,
    ev.HandVoided: _hand_voided,
}
