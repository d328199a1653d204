"""Errors in the deal: cards to the wrong place, too many, too few, hands that nobody was due."""

from typing import Final

from cardroom.kernel.money import dollars
from cardroom.known.games import Form
from cardroom.tables.entry import big_blind_cents
from cardroom.tables.findings import ChipMove, Choice, Entry, Finding
from cardroom.tables.hand import history_of
from cardroom.tables.hand_events import ActionTaken
from cardroom.tables.irregularities.remedies import dead, live, misdeal, stands, too_late
from cardroom.tables.irregularities.situation import Rule, Situation, words

DRAW_FORMS: Final = frozenset({Form.FIVE_CARD_DRAW, Form.LOWBALL})


def _cause(s: Situation, cause: str, says: str, deadline: str = "deal.misdeal_deadline") -> Finding:
    """A cause of misdeals by name (deal.misdeal_causes); where the book has it not, the deal stands."""
    cited = s.cite("deal.misdeal_causes")
    if cause not in s.rules.members("deal.misdeal_causes"):
        return stands(s, f"{says}: no misdeal under this book; put right what can be", cited)
    return misdeal(s, says, cited, deadline)


def not_shuffled(s: Situation) -> Finding:
    """The deck was dealt without a shuffle and a cut."""
    return _cause(s, "not_shuffled_or_cut", "dealt without a shuffle and a cut")


def first_card_wrong(s: Situation) -> Finding:
    """The first card went to the wrong player."""
    return _cause(s, "first_card_to_wrong_player", "the first card went to the wrong player")


def out_of_sequence(s: Situation) -> Finding:
    """A card was dealt out of turn; the replacement of an exposed card is none."""
    if s.flag("replacement_of_exposed", default=False):
        return stands(
            s,
            "the replacement of an exposed card is not out of order; the deal stands",
            s.cite("deal.exposed_card", "deal.misdeal_causes"),
        )
    return _cause(s, "out_of_sequence", "a card was dealt out of turn")


def button_out_of_position(s: Situation) -> Finding:
    """The button was in the wrong place for the deal in progress."""
    right = s.optional("right_button")
    step = f"move the button to seat {right}" if right else "move the button where it belongs"
    cited = s.cite("deal.misdeal_causes")
    if "button_out_of_position" not in s.rules.members("deal.misdeal_causes"):
        return stands(s, "the button stays where it is for this hand", cited)
    key = "deal.misdeal_wrong_button_deadline"
    return misdeal(
        s,
        "the button was out of position",
        (*cited, *s.cite(key)) if s.rules.choice(key) != "as_other_misdeals" else cited,
        key,
        steps=(step, "collect the blinds from where they are due", "deal again"),
    )


def player_dealt_out(s: Situation) -> Finding:
    """A player got no hand."""
    seat = s.seat()
    if s.stud and s.cite("stud.ante_without_cards") != ("CR-3",):
        ante = s.game.ante_cents
        return Finding(
            remedy="ante_returned",
            says=f"seat {seat} was dealt no cards: its ante of {dollars(ante)} goes back, it is out",
            rules=s.cite("stud.ante_without_cards"),
            seats=(seat,),
            steps=(f"give {dollars(ante)} back to seat {seat}",),
            chips=(ChipMove("pot", f"seat:{seat}", ante),),
        )
    entitled = s.flag("present") or s.flag("posted", default=False)
    cited = s.cite("deal.misdeal_causes")
    if not entitled:
        return stands(
            s, f"seat {seat} was neither present nor had posted: no misdeal", cited, "present"
        )
    return _cause(s, "entitled_player_dealt_out", f"seat {seat} was entitled to a hand")


def unentitled_hand(s: Situation) -> Finding:
    """Cards went to an empty seat, or to a player who was due none.

    Facts: `why` is `empty_seat`, `owes_blinds`, `seat_change`, `new_unposted` or `waits`; `looked`, `player_acted`;
    `cards_out` (how many cards the hand has so far) and `correctable` where it is found while the deal goes on.
    """
    why = s.text("why")
    if why == "empty_seat":
        return _empty_seat(s)
    if why in ("owes_blinds", "seat_change"):
        return _owing(s, why)
    return _new_unposted(s)


def _empty_seat(s: Situation) -> Finding:
    seat = s.seat()
    if s.stud and s.cite("stud.empty_seat") != ("CR-3",):
        return _stud_empty_seat(s, seat)
    if "unentitled_player_dealt_in" in s.rules.members("deal.misdeal_causes"):
        return _cause(s, "unentitled_player_dealt_in", f"cards went to empty seat {seat}")
    return stands(
        s,
        f"the cards of empty seat {seat} are dead and go to the discards",
        s.cite("deal.misdeal_causes"),
    )


def _stud_empty_seat(s: Situation, seat: int) -> Finding:
    cited = s.cite("stud.empty_seat")
    kind = s.text("card_kind")  # hole, up or last
    if kind == "up":
        moved = "shift the upcards along to the seats they belong to; deal no further one"
        return Finding(
            remedy="shift_cards",
            says=f"upcard at empty seat {seat}: {moved}",
            rules=cited,
            steps=(moved,),
        )
    if s.flag("correctable"):
        moved = "move the cards to the seats they belong to"
        return Finding(remedy="shift_cards", says=moved, rules=cited, steps=(moved,))
    if kind == "last":
        return stands(s, "the last cards are played as dealt", cited, "correctable")
    return Finding(
        remedy="card_dead",
        says=f"the card at empty seat {seat} is dead and goes to the discards; the deal goes on",
        rules=cited,
        steps=("put the card in the discards", "go on with the deal"),
        facts=s.facts("correctable"),
    )


def _owing(s: Situation, why: str) -> Finding:
    seat = s.seat()
    key = "deal.owing_player_dealt_in"
    cited = s.cite(key)
    debt = "the hands still to wait, or the post," if why == "seat_change" else "what is owed"
    if s.has_acted(seat):
        return live(
            s, seat, f"it has acted; {debt} stays due for the next hand", cited, "player_acted"
        )
    if s.rules.choice(key) == "post_if_unlooked_dead_until_acted" and not s.flag("looked"):
        return Finding(
            remedy="post_and_play",
            says=f"seat {seat} has not looked: it may put up what is owed and play, or its hand is dead",
            rules=cited,
            seats=(seat,),
            facts=s.facts("looked", "player_acted"),
            choices=(Choice("hand_dead", "the hand is dead", cited),),
        )
    steps: tuple[str, ...] = ()
    if s.count("cards_out", default=2) == 1:
        if s.flag("correctable"):
            moved = f"take the card of seat {seat} back and put the deal right"
            return Finding(
                remedy="put_back", says=moved, rules=cited, steps=(moved,), seats=(seat,)
            )
        steps = (f"deal seat {seat} its second card in rotation", "muck the hand")
    return dead(
        s,
        seat,
        f"dealt in while owing; no misdeal, {debt} stays due",
        cited,
        "looked",
        "cards_out",
        "correctable",
        steps=steps,
    )


def _new_unposted(s: Situation) -> Finding:
    seat = s.seat()
    key = "deal.unposted_new_player_dealt_in"
    cited = s.cite(key)
    if s.rules.choice(key) == "misdeal":
        if "unentitled_player_dealt_in" in s.rules.members("deal.misdeal_causes"):
            cited = s.cite("deal.misdeal_causes", key)
            return misdeal(s, f"seat {seat} had no right to a hand", cited)
        return _owing(s, "owes_blinds")
    post = dollars(big_blind_cents(s.game))
    if s.flag("looked"):
        return live(
            s,
            seat,
            f"it has looked: the hand plays, {post} is due before the next",
            cited,
            "looked",
        )
    return dead(s, seat, "it has not looked; nothing is owed for the hand", cited, "looked")


def extra_cards(s: Situation) -> Finding:
    """Cards too many went out with the starting hands.

    Facts: `count`; `seat` where one player got one; `correctable` where the cards can be put where they belong.
    """
    count = s.count("count", default=1)
    return _extra_cards(s, count) if count >= 2 else wrong_card_count(s)


def _makes_misdeal(s: Situation, count: int) -> bool:
    """Whether so many extra cards make a misdeal in this game (RC-M3 is for hold'em and Omaha alone)."""
    limit = s.rules.count("deal.misdeal_extra_cards")
    here = s.board_game or "RC-M3" not in s.cite("deal.misdeal_extra_cards")
    return here and 0 < limit <= count


def _extra_cards(s: Situation, count: int) -> Finding:
    cited = s.cite("deal.misdeal_extra_cards")
    if not _makes_misdeal(s, count):
        return stands(s, "put the extra cards back on the deck in order", cited, "count")
    correctable = s.told_flag("correctable")
    if "LC-104d" in cited:  # this book alone asks whether it can be put right
        correctable = s.flag("correctable")
        if correctable:
            return Finding(
                remedy="put_back",
                says="the cards are put where they belong and the hand goes on",
                rules=cited,
                steps=("put the cards where they belong",),
                facts=s.facts("count", "correctable"),
            )
    return misdeal(s, f"{count} extra cards were dealt", cited)


def wrong_card_count(s: Situation) -> Finding:
    """A hand does not have its right number of cards.

    Facts: `seat`, `cards` (how many it holds); `players` (how many hands are wrong); `in_sequence` (the top card would
    reach it in proper order); `player_acted`; `top_card`.
    """
    seat = s.seat()
    right = sum(s.variant.dealt(s.hand.street))
    held = s.count("cards", default=right + 1 if s.kind == "extra_cards" else None)
    players = s.count("players", default=1)
    if held == right:
        return stands(
            s, f"seat {seat} holds its {right} cards", s.cite("hand.wrong_count"), "cards"
        )
    limit = s.rules.count("deal.misdeal_wrong_count_players")
    early = s.hand.street == 0
    if players >= 2 and limit and players >= limit and early and not too_late(s):
        cited = s.cite("deal.misdeal_wrong_count_players")
        return misdeal(s, f"{players} players have a wrong number of cards", cited)
    extra = max(0, held - right) * players
    if extra > 1 and early and not too_late(s) and _makes_misdeal(s, extra):
        return _extra_cards(s, extra)
    if held == right + 1:
        return _one_too_many(s, seat, early=early)
    if held == right - 1:
        return _one_too_few(s, seat, early=early)
    return _hopeless(s, seat, early=early)


def _hopeless(s: Situation, seat: int, *, early: bool) -> Finding:
    """A count that cannot be put right: a misdeal where the book says so in time, else a dead hand."""
    limit = s.rules.count("deal.misdeal_wrong_count_players")
    if limit == 1 and early and not too_late(s):
        cited = s.cite("deal.misdeal_wrong_count_players")
        return misdeal(s, f"seat {seat} has a wrong number of cards", cited)
    late = s.cite("deal.misdeal_deadline") if early and limit == 1 else ()
    return dead(
        s,
        seat,
        "a wrong number of cards that cannot be put right",
        (*s.cite("hand.wrong_count"), *late),
        "cards",
        "player_acted",
    )


def _one_too_many(s: Situation, seat: int, *, early: bool) -> Finding:
    key = "deal.one_extra_card"
    acted = s.has_acted(seat)
    if s.rules.choice(key) == "random_card_becomes_burn":
        if early and not acted:
            return Finding(
                remedy="random_card_becomes_burn",
                says=f"seat {seat} has one card too many and has not acted: one at random is the burn card",
                rules=s.cite(key),
                seats=(seat,),
                steps=(
                    f"scramble the cards of seat {seat} face down",
                    "take one at random and expose it; it is the burn card",
                    "burn no other before the next cards",
                ),
                facts=s.facts("cards", "player_acted"),
            )
        burn = ("use one of the dead cards as the burn card",) if early else ()
        return dead(
            s,
            seat,
            "one card too many after it acted",
            s.cite("hand.wrong_count"),
            "cards",
            "player_acted",
            steps=burn,
        )
    if early and not s.acted_count():
        return Finding(
            remedy="extra_card_becomes_burn",
            says=f"the extra card of seat {seat} goes back on the deck and is the burn card: no misdeal",
            rules=s.cite(key),
            seats=(seat,),
            steps=(
                "put the extra card back on the deck",
                "burn it before the next cards",
            ),
            facts=s.facts("cards"),
        )
    return _hopeless(s, seat, early=early)


def _one_too_few(s: Situation, seat: int, *, early: bool) -> Finding:
    last = len(s.variant.streets) - 1
    if s.stud and s.hand.street == last:
        return live(
            s,
            seat,
            "the last card was never dealt; the floor may rule it live or dead",
            s.cite("stud.missing_last_card"),
            "cards",
            choices=(Choice("hand_dead", "the hand is dead", s.cite("stud.missing_last_card")),),
        )
    if s.game.form in DRAW_FORMS and early and too_late(s):
        return live(s, seat, "short before the draw", s.cite("hand.short_before_draw"), "cards")
    key = "deal.short_hand"
    in_time = early and not s.has_acted(seat)
    if in_time and s.rules.choice(key) == "top_card_until_acted":
        return _top_card(s, seat, "once the deal is complete")
    sequence = s.rules.choice(key) == "top_card_if_in_sequence"
    if sequence and early and not too_late(s) and s.flag("in_sequence"):
        return _top_card(s, seat, "it is in proper order")
    return _hopeless(s, seat, early=early)


def _top_card(s: Situation, seat: int, why: str) -> Finding:
    card = s.optional("top_card")
    return Finding(
        remedy="deal_top_card",
        says=f"seat {seat} gets the top card of the deck{f' ({card})' if card else ''}: {why}",
        rules=s.cite("deal.short_hand"),
        seats=(seat,),
        steps=(f"deal the top card face down to seat {seat}",),
        facts=s.facts("cards", "player_acted", "in_sequence", "top_card"),
    )


def action_before_count(s: Situation) -> Finding:
    """A player asks to take back an action made while a hand was not complete.

    Facts: `seat`; `acted_after` (whether anybody acted after it).
    """
    seat = s.seat()
    key = "deal.first_round_binds_after_correct_count"
    cited = s.cite(key)
    if s.hand.street == 0 and s.rules.flag(key) and not s.flag("acted_after", default=False):
        return Finding(
            remedy="action_withdrawn",
            says=f"seat {seat} may take the action back: a hand was not complete when it acted",
            rules=cited,
            seats=(seat,),
            steps=("give back what it put in", f"action on seat {seat}"),
            facts=s.facts("acted_after"),
            entries=_taken_back(s, seat),
        )
    return stands(s, f"the action of {words((seat,))} stands", cited, "acted_after")


def _taken_back(s: Situation, seat: int) -> tuple[Entry, ...]:
    """Return the entry that rewinds the recorded hand to before a seat's action, where it is the last one."""
    entries = history_of(s.hand)
    acted = [at for at, (_, event) in enumerate(entries) if isinstance(event, ActionTaken)]
    last = entries[acted[-1]][1] if acted else None
    if not isinstance(last, ActionTaken) or last.seat != seat:
        return ()
    before = entries[acted[-1] - 1][0]
    return (Entry(kind="rewind", to=before, why="a hand was not complete when it acted"),)


RULES: Final[dict[str, Rule]] = {
    "not_shuffled_or_cut": not_shuffled,
    "first_card_to_wrong_player": first_card_wrong,
    "out_of_sequence": out_of_sequence,
    "button_out_of_position": button_out_of_position,
    "player_dealt_out": player_dealt_out,
    "unentitled_hand": unentitled_hand,
    "extra_cards": extra_cards,
    "wrong_card_count": wrong_card_count,
    "action_before_count": action_before_count,
}
