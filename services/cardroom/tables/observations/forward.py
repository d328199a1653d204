"""Chips moved forward and not let go."""

from cardroom.tables.findings import ChipMove, Choice, Finding
from cardroom.tables.observations.results import Comes, acted, entry_of, finding, phrase, replays
from cardroom.tables.observations.spot import Spot


def held_out(spot: Spot, comes: Comes, forward_cents: int) -> Finding:
    """Return the finding on a forward motion with chips.

    What it may be ruled is a house decision (betting.forward_motion).

    Args:
        spot: where the player stood.
        comes: what the chips would come to, had they been let go.
        forward_cents: what would lie in front then.
    """
    rules = spot.cite("betting.forward_motion")
    choice = spot.book.choice("betting.forward_motion")
    caused = spot.observed.caused
    if caused is None:
        caused = bool(spot.behind)
    binds = choice == "may_bind" or (choice == "may_bind_if_it_induced_action" and caused)
    why = "made by a forward motion"
    if choice == "may_bind_if_it_induced_action" and caused:
        why = "made by a forward motion on which another player acted"
    made = Comes(act=comes.act, to_cents=comes.to_cents, why=why, rules=rules)
    back = forward_cents - spot.front_cents
    chips = (ChipMove(source="pot", target=f"seat:{spot.seat}", cents=back),) if back else ()
    nothing = f"seat {spot.seat}: no wager, the chips were not let go; it may act as it likes"
    if not binds:
        enters = (entry_of(spot.seat, made), *replays(spot.unrecorded))
        says = f"seat {spot.seat}: {phrase(made.act, made.to_cents)}, {why}"
        choices = (Choice(made.act, says, spot.cite("ruling.fairness_override"), enters),)
        return finding(
            spot, "no_wager", nothing, rules, chips=chips, choices=choices, reason="not_let_go"
        )
    return acted(
        spot,
        made,
        forward_cents,
        binding=False,
        choices=(Choice("no_wager", nothing, rules),),
    )
