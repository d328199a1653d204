"""What a hand needs of its book and game, read once into plain values with the rule ids to cite."""

from functools import lru_cache

import msgspec

from cardroom.known.games import Game, Structure
from cardroom.poker.betting import BettingRules
from cardroom.poker.highlow import HighLowRules
from cardroom.poker.reading import Reader
from cardroom.poker.showdown import PotRules, ShowRules
from cardroom.poker.variants import VARIANTS, Variant
from cardroom.rulebook.model import ResolvedBook

ENGINE = "cardroom-1"
"""Version of the rules engine, noted with each hand; it changes when a decision could come out otherwise."""


class RunRules(msgspec.Struct, frozen=True, kw_only=True):
    """How often the rest of a board may be dealt.

    Args:
        most: how many boards; 1 where the structure or the book allows no more.
        structure_allowed: whether this betting structure may at all.
        cites: rules behind it.
    """

    most: int
    structure_allowed: bool
    cites: tuple[str, ...]


class StudRules(msgspec.Struct, frozen=True, kw_only=True):
    """What a book says of stud beyond the betting.

    Args:
        folded_seat_dealt: a seat whose player folds with no wager made is dealt to until there is one.
        fold_cites: rules behind it.
        high_all_in_cites: rules behind who opens when the high board is all-in.
        short_deck_cites: rules behind the community card.
        beaten_cites: rules behind a hand beaten by an exposed board.
    """

    folded_seat_dealt: bool
    fold_cites: tuple[str, ...]
    high_all_in_cites: tuple[str, ...]
    short_deck_cites: tuple[str, ...]
    beaten_cites: tuple[str, ...]


class HandRules(msgspec.Struct, frozen=True, kw_only=True):
    """All that deciding a hand asks of its book and game.

    Args:
        book: the resolved book.
        game: the game.
        variant: its form.
        dealt: cards down and up of a live player once each street is dealt.
        kept: cards a live player holds once each street is dealt and its exchange made.
        betting: rules of betting.
        pots: rules of dividing pots.
        show: rules of showing.
        high_low: rules of high-low.
        runs: how often a board may be dealt.
        stud: rules of stud.
        chop: whether the blinds may chop.
        chop_cites: rules behind it.
        fold_breach: whether folding with no wager to face is logged as a breach of courtesy.
        fold_breach_cites: rules behind it.
        dead_cites: rules behind what a dead hand loses.
        reader: the evaluator.
    """

    book: ResolvedBook
    game: Game
    variant: Variant
    dealt: tuple[tuple[int, int], ...]
    kept: tuple[int, ...]
    betting: BettingRules
    pots: PotRules
    show: ShowRules
    high_low: HighLowRules
    runs: RunRules
    stud: StudRules
    chop: bool
    chop_cites: tuple[str, ...]
    fold_breach: bool
    fold_breach_cites: tuple[str, ...]
    dead_cites: tuple[str, ...]
    reader: Reader

    @property
    def declares(self) -> bool:
        """Whether players declare in this game."""
        return self.variant.high_low and self.high_low.declare


@lru_cache(maxsize=512)
def hand_rules(book: ResolvedBook, game: Game, reader: Reader) -> HandRules:
    """Return what a book and a game say about playing a hand.

    Args:
        book: the resolved book pinned by the hand.
        game: the game.
        reader: the evaluator.
    """
    variant = VARIANTS[game.form]
    return HandRules(
        book=book,
        game=game,
        variant=variant,
        dealt=tuple(variant.dealt(street) for street in range(len(variant.streets))),
        kept=tuple(variant.kept(street) for street in range(len(variant.streets))),
        betting=_betting(book, game, variant),
        pots=_pots(book, game, variant),
        show=_show(book),
        high_low=_high_low(book),
        runs=_runs(book, game),
        stud=StudRules(
            folded_seat_dealt=book.choice("stud.fold_without_bet") == "seat_dealt_until_wager",
            fold_cites=book.cite("stud.fold_without_bet"),
            high_all_in_cites=book.cite("stud.high_hand_all_in"),
            short_deck_cites=book.cite("stud.not_enough_cards"),
            beaten_cites=book.cite("stud.beaten_on_board"),
        ),
        chop=book.flag("blinds.chop"),
        chop_cites=book.cite("blinds.chop"),
        fold_breach=book.choice("betting.fold_without_wager") == "breach_of_courtesy",
        fold_breach_cites=book.cite("betting.fold_without_wager"),
        dead_cites=book.cite("hand.dead_money_stays"),
        reader=reader,
    )


def _betting(book: ResolvedBook, game: Game, variant: Variant) -> BettingRules:
    two_rounds = len(variant.streets) == 2
    cap_key = "betting.cap_raises_two_round_games" if two_rounds else "betting.cap_raises"
    limit = game.structure in {Structure.LIMIT, Structure.SPREAD_LIMIT}
    part_key = "betting.all_in_full_bet_fraction" if limit else "betting.big_bet_all_in_fraction"
    part = book.ratio(part_key)
    return BettingRules(
        structure=game.structure,
        chip_cents=game.chip_cents,
        least_bet_cents=game.small_bet_cents,
        most_bet_cents=game.big_bet_cents or game.small_bet_cents,
        cap_raises=book.count(cap_key) if limit else 0,
        cap_lifts_heads_up=book.flag("betting.cap_lifts_heads_up"),
        full_part=(part.numerator, part.denominator),
        over_short_to_multiple=book.choice("betting.raise_over_short_all_in") == "next_multiple",
        short_all_ins_accumulate=book.flag("betting.short_all_ins_accumulate"),
        check_raise=book.flag("betting.check_raise"),
        open_pair_upper=book.choice("stud.open_pair_option") == "lower_or_upper",
        cap_cites=book.cite(cap_key, "betting.cap_needs_three"),
        lift_cites=book.cite("betting.cap_lifts_heads_up"),
        all_in_cites=book.cite("betting.all_in_may_be_short"),
        reopen_cites=book.cite(part_key, "betting.incomplete_does_not_reopen"),
        complete_cites=book.cite("betting.incomplete_may_be_completed", part_key),
        min_raise_cites=_wager_cites(book, game),
        check_raise_cites=book.cite("betting.check_raise"),
        open_pair_cites=book.cite("stud.open_pair_option"),
        order_cites=book.cite("betting.order"),
        amount_cites=book.cite("betting.short_wager_completed"),
    )


def _wager_cites(book: ResolvedBook, game: Game) -> tuple[str, ...]:
    """Return the rules of how much a wager may be; in limit games too of what makes one of another amount proper."""
    if game.structure is Structure.LIMIT:
        return book.cite("betting.min_raise", "betting.short_wager_completed")
    return book.cite("betting.min_raise")


def _pots(book: ResolvedBook, game: Game, variant: Variant) -> PotRules:
    tie_key = "pots.odd_chip_stud" if variant.stud else "pots.odd_chip_button_games"
    unit_key = "pots.odd_chip_unit"
    # A game whose smallest chip is below a dollar breaks odd chips no further than that chip.
    dollar = book.choice(unit_key) == "one_dollar"
    return PotRules(
        unit_cents=min(100, game.chip_cents) if dollar else game.chip_cents,
        by_suit=book.choice(tie_key) == "card_suit",
        odd_half=book.choice("pots.odd_chip_high_low"),
        odd_tied_half=book.choice("pots.odd_chip_tied_half"),
        agreed_split=book.flag("pots.agreed_split"),
        push_bets=book.flag("pots.push_bets"),
        unit_cites=book.cite(unit_key),
        tie_cites=book.cite(tie_key),
        one_odd_cites=book.cite("pots.one_odd_chip_each"),
        half_cites=book.cite("pots.odd_chip_high_low"),
        tied_half_cites=book.cite("pots.odd_chip_tied_half"),
        side_cites=book.cite("pots.side_pots"),
        agreed_cites=book.cite("pots.agreed_split"),
        push_cites=book.cite("pots.push_bets"),
        run_cites=book.cite("deal.run_it_max"),
    )


def _show(book: ResolvedBook) -> ShowRules:
    return ShowRules(
        last_to_act_first=book.choice("showdown.checked_down_first") == "last_to_act",
        side_pot_hidden=book.choice("showdown.side_pot_order") == "hidden_until_side_pot_awarded",
        board_declared=book.choice("showdown.play_board") == "declare_before_discarding",
        any_seated_may_ask=book.choice("showdown.request_by") == "any_seated",
        mucked_may_be_asked=book.flag("showdown.request_mucked_hand"),
        order_cites=book.cite("showdown.checked_down_first"),
        aggressor_cites=book.cite("showdown.last_aggressor_first"),
        side_cites=book.cite("showdown.side_pot_order"),
        board_cites=book.cite("showdown.play_board"),
        request_cites=book.cite("showdown.request"),
        request_by_cites=book.cite("showdown.request_by"),
        mucked_cites=book.cite("showdown.request_mucked_hand"),
        uncalled_cites=book.cite("showdown.uncalled_hand"),
        all_cards_cites=book.cite("showdown.all_cards"),
        speak_cites=book.cite("showdown.cards_speak"),
        killed_cites=book.cite("showdown.losers_killed_first"),
    )


def _high_low(book: ResolvedBook) -> HighLowRules:
    chips = book.table("highlow.declare_chips")
    return HighLowRules(
        declare=book.choice("highlow.mode") == "declare",
        qualifier=book.choice("highlow.qualifier"),
        in_turn=book.choice("highlow.declare_method") == "spoken_in_turn",
        chips=tuple((int(count), way) for way, count in chips.items()),
        bet_after_declare=book.flag("highlow.bet_after_declare"),
        tie_keeps_win=book.choice("highlow.both_ways_tie") == "keep_win_and_share_tie",
        mode_cites=book.cite("highlow.mode"),
        qualifier_cites=book.cite("highlow.qualifier"),
        declare_cites=book.cite("highlow.declaring", "highlow.declare_method"),
        chips_cites=book.cite("highlow.declare_chips"),
        tie_cites=book.cite("highlow.both_ways_tie"),
        halves_cites=book.cite("highlow.halves"),
    )


def _runs(book: ResolvedBook, game: Game) -> RunRules:
    allowed = game.structure.value in book.members("deal.run_it_games")
    return RunRules(
        most=book.count("deal.run_it_max") if allowed else 1,
        structure_allowed=allowed,
        cites=book.cite("deal.run_it_max", "deal.run_it_games"),
    )
