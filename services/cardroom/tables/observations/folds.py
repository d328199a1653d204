"""Cards thrown away: a fold in turn, with or without a wager to face, and out of turn."""

from cardroom.tables.findings import Choice, Entry, Finding
from cardroom.tables.observations.results import Comes, acted, finding, replays
from cardroom.tables.observations.spot import Spot


def thrown(spot: Spot) -> Finding:
    """Return the finding on a hand thrown away in turn.

    With no wager to face, how that is treated is a house decision (betting.fold_without_wager).

    Args:
        spot: where the player stood.
    """
    if spot.facing:
        why, rules, reason = "facing a wager", spot.cite("hand.fold_facing_bet"), ""
    else:
        breach = spot.book.choice("betting.fold_without_wager") == "breach_of_courtesy"
        why = "with no wager to face"
        rules = spot.cite("betting.fold_without_wager")
        reason = "folded_without_wager" if breach else ""
    fold = Comes(act="fold", to_cents=spot.front_cents, why=why, rules=rules, plain=True)
    back = () if spot.facing or spot.observed.in_muck or spot.behind else (_given_back(spot),)
    return acted(spot, fold, None, reason=reason, choices=back)


def _given_back(spot: Spot) -> Choice:
    says = f"seat {spot.seat} gets its hand back, it is clear of the muck and nobody acted because of it"
    return Choice("hand_given_back", says, spot.cite("hand.clear_of_muck"))


def thrown_out_of_turn(spot: Spot) -> Finding:
    """Return the finding on a hand thrown away before the player's turn: it is folded.

    Args:
        spot: where the player stood.
    """
    caused = spot.observed.caused
    if caused is None:
        caused = bool(spot.behind)
    rules = spot.cite("hand.forward_throw" if caused else "hand.clear_of_muck", "betting.order")
    why = "on which another player acted" if caused else "out of turn"
    choices = () if caused or spot.observed.in_muck else (_given_back(spot),)
    entries: tuple[Entry, ...] = ()
    if spot.hand.betting is not None and spot.seat in spot.hand.betting.to_act:
        entries = (
            Entry(kind="stand", seat=spot.seat, act="fold"),
            *replays(spot.unrecorded),
        )
    return finding(
        spot,
        "fold",
        f"seat {spot.seat}: the hand is folded, thrown away {why}",
        rules,
        entries=entries,
        choices=choices,
        reason="folded_out_of_turn",
    )
