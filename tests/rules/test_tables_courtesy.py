"""Worked cases of LC-60, played at a table: folds without a wager to face stand on their players' record."""

import pytest

from cardroom.poker.legal import Act
from cardroom.tables import hand_commands as do
from cardroom.tables import notes_events as nev
from cardroom.tables.hand import history_of
from cardroom.tables.hand_events import ActionTaken
from cardroom.tables.observations.observed import Did, Motion, Observed
from cardroom.tables.observing import Observe
from tests.plugins.tables_world import LC_6_12, Felt, dealt
from tests.rules.test_tables_care_cases import at_street

THROWN = (Motion(did=Did.THROW_CARDS),)
SEATS = (2, 5, 8)


def checked_to(felt: Felt, seat: int) -> Felt:
    """Bring 2, 5 and 8 to the flop, where everybody before a seat checks."""
    at_street(felt, SEATS, 1)
    while felt.hand.to_act != seat:
        felt.play(do.Check, felt.hand.to_act)
    return felt


def flop(book: str = "LC", seat: int = 5) -> Felt:
    return checked_to(dealt(book, LC_6_12, SEATS, button=8), seat)


def recorded(felt: Felt) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(one.player, one.what, one.rules) for one in felt.world.events(nev.CourtesyBreached)]


@pytest.mark.rule("LC-60", 1)
def test_a_hand_seen_thrown_away_without_a_wager_is_folded_and_recorded() -> None:
    felt = flop()
    felt.run(Observe, "dealer", observed=Observed(seat=5, motions=THROWN))
    assert felt.notes.irregularities[-1].finding.remedy == "fold"
    assert felt.hand.to_act == 8
    assert recorded(felt) == [("p5", "folded_without_wager", ("LC-60",))]
    assert felt.notes.breaches == tuple(felt.world.events(nev.CourtesyBreached))


@pytest.mark.rule("LC-60", 1)
def test_a_fold_that_the_dealer_enters_is_recorded_just_so() -> None:
    felt = flop()
    felt.play(do.Fold, 5)
    assert felt.hand.to_act == 8
    assert recorded(felt) == [("p5", "folded_without_wager", ("LC-60",))]


@pytest.mark.rule("LC-60", 2)
def test_the_record_grows_with_each_hand() -> None:
    felt = flop()
    for number in (1, 2, 3):
        felt.play(do.Fold, 5)
        assert [player for player, _, _ in recorded(felt)] == ["p5"] * number
        felt.play(do.VoidHand, reason="the deck was short", rules=())
        felt.start()
        checked_to(felt, 5)


@pytest.mark.rule("LC-60")
def test_a_fold_that_faces_a_wager_is_no_breach() -> None:
    felt = flop(seat=2)
    felt.play(do.Bet, 2, to_cents=600)
    felt.run(Observe, "dealer", observed=Observed(seat=5, motions=THROWN))
    felt.play(do.Fold, 8)
    assert recorded(felt) == []


def test_what_was_a_wrong_entry_is_taken_off_the_record() -> None:
    felt = flop()
    before = felt.hand.version
    felt.play(do.Fold, 5)
    felt.play(do.RewindHand, to=before, reason="seat 8 folded, not seat 5")
    (gone,) = felt.world.events(nev.CourtesyBreachWithdrawn)
    assert (gone.player, gone.what) == ("p5", "folded_without_wager")
    assert felt.notes.breaches == ()
    felt.play(do.Check, 5)
    felt.play(do.Fold, 8)
    assert [one.player for one in felt.notes.breaches] == ["p8"]


def test_a_corrected_fold_is_taken_off_the_record_with_what_follows_replayed() -> None:
    felt = flop()
    felt.play(do.Fold, 5)
    felt.play(do.Check, 8)
    entry = next(
        version
        for version, event in history_of(felt.hand)
        if isinstance(event, ActionTaken) and event.act is Act.FOLD and event.betting.street == 1
    )
    right = do.Check(room=felt.hand.room, table=felt.hand.table, hand=felt.hand.hand, seat=5)
    felt.play(do.CorrectEntry, entry=entry, corrected=right, reason="he tapped")
    assert felt.notes.breaches == ()


def test_a_book_that_does_not_mind_records_nothing() -> None:
    felt = flop("WP")
    felt.play(do.Fold, 5)
    assert recorded(felt) == []
