"""What is recorded beside a hand, in `notes/<room>/<table>/<hand>`: irregularities, findings, rulings, accounts."""

import msgspec

from cardroom.kernel.events import Event
from cardroom.tables.findings import Fact, Finding, Ruling
from cardroom.tables.hand_events import Source


class IrregularityReported(Event, frozen=True, tag="tables.IrregularityReported.v1"):
    """Something went wrong, and what the core makes of it.

    Args:
        number: which of the hand's irregularities, from 1.
        kind: what it was.
        facts: what was told of it.
        finding: what it comes to under the hand's book.
        book_digest: that book.
        hand_version: events in the hand's stream when it was reported; 0 where the hand has no stream.
        reported_by: who told.
        seen_at: when it was first seen, where that was earlier.
        delayed: whether it was told later than it was seen.
        record: the offender's record as it stood, in words.
        source: who or what told.
        reconstructed: whether it was entered after the fact.
    """

    number: int
    kind: str
    facts: tuple[Fact, ...]
    finding: Finding
    book_digest: str
    hand_version: int
    reported_by: str = ""
    seen_at: str = ""
    delayed: bool = False
    record: str = ""
    source: Source = Source.DEALER
    reconstructed: bool = False


class FindingRevised(Event, frozen=True, tag="tables.FindingRevised.v1"):
    """Further facts came in, and what the core makes of them together with the earlier ones."""

    number: int
    facts: tuple[Fact, ...]
    finding: Finding
    source: Source = Source.DEALER


class Ruled(Event, frozen=True, tag="tables.FindingRuled.v1"):
    """A floorperson confirmed a finding or overrode it; both stay on record.

    Args:
        number: which irregularity.
        ruling: what was decided.
        proposed: the remedy that had been proposed.
        proposed_rules: the rules it rested on.
        record: the offender's record as it was shown.
    """

    number: int
    ruling: Ruling
    proposed: str
    proposed_rules: tuple[str, ...]
    record: str = ""


class AccountGiven(Event, frozen=True, tag="tables.AccountGiven.v1"):
    """Somebody or something told a fact of the hand; accounts that differ stand side by side.

    Args:
        number: which account, from 1.
        about: what it is about.
        says: what is told.
        source: who or what told it.
        told_by: the person, seat or device.
        reconstructed: whether it was told after the fact.
        amends: number of the same teller's account that it takes the place of; 0 for none.
    """

    number: int
    about: str
    says: str
    source: Source
    told_by: str
    reconstructed: bool
    amends: int = 0


class CourtesyBreached(Event, frozen=True, tag="tables.CourtesyBreached.v1"):
    """A player did in the hand what its book minds as a breach of courtesy; it goes on the player's record.

    Args:
        seat: where the player sat.
        player: the player.
        what: what was done, for example `folded_without_wager`.
        rules: ids it breaks.
    """

    seat: int
    player: str
    what: str
    rules: tuple[str, ...]


class CourtesyBreachWithdrawn(Event, frozen=True, tag="tables.CourtesyBreachWithdrawn.v1"):
    """What had been noted as a breach of courtesy was a wrong entry, and is taken off the record again."""

    seat: int
    player: str
    what: str


class Irregularity(msgspec.Struct, frozen=True, kw_only=True):
    """One irregularity of a hand as it stands."""

    kind: str
    facts: tuple[Fact, ...]
    finding: Finding
    reported_by: str
    delayed: bool
    record: str = ""
    rulings: tuple[Ruling, ...] = ()

    @property
    def pending(self) -> bool:
        """Whether a floorperson has yet to rule on it."""
        return not self.rulings and not self.finding.binding


class HandNotes(msgspec.Struct, frozen=True, kw_only=True):
    """All that stands beside a hand.

    Args:
        irregularities: in the order reported; the first has number 1.
        accounts: in the order given; the first has number 1.
        breaches: of courtesy, as far as they stand.
    """

    irregularities: tuple[Irregularity, ...] = ()
    accounts: tuple[AccountGiven, ...] = ()
    breaches: tuple[CourtesyBreached, ...] = ()

    def standing_accounts(self) -> tuple[AccountGiven, ...]:
        """Return the accounts that no later one of the same teller took the place of."""
        amended = {account.amends for account in self.accounts if account.amends}
        return tuple(account for account in self.accounts if account.number not in amended)

    def conflicts(self) -> tuple[str, ...]:
        """Return the subjects on which standing accounts differ."""
        said: dict[str, set[str]] = {}
        for account in self.standing_accounts():
            said.setdefault(account.about, set()).add(account.says)
        return tuple(sorted(subject for subject, words in said.items() if len(words) > 1))
