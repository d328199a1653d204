"""The jackpot's decider: which streams a command reads, what it decides, in which order commands go."""

from typing import Any, Final, assert_never

from cardroom import known
from cardroom.evaluator.port import Evaluator
from cardroom.jackpot import commands as c
from cardroom.jackpot import events as e
from cardroom.jackpot.claim import CLAIM, Claim, Phase, must_be_open, why_not_awarded
from cardroom.jackpot.pool import POOL, POOL_LIST, Pool, PoolList, divide
from cardroom.jackpot.qualify import judge, others_of
from cardroom.kernel.decisions import Command, Decider, Decision, Occasion
from cardroom.kernel.money import check_cents
from cardroom.kernel.refusal import Refused, Unknown
from cardroom.kernel.streams import StreamId, Streams, stream_id
from cardroom.known.merged import MergeRecords, record_now, under_now
from cardroom.rulebook.model import ResolvedBook

Asked = (
    c.OpenPool
    | c.ConsiderHand
    | c.OpenClaim
    | c.CorrectFacts
    | c.ReportTalk
    | c.RuleOnTalk
    | c.AwardJackpot
    | c.RefuseClaim
    | c.NoteReopened
    | c.AdjustPool
    | c.ReverseContribution
    | MergeRecords
)


def pools_of(room: str) -> StreamId:
    """Return the stream that lists a room's pools."""
    return stream_id("pools", room)


def pool_stream(room: str, pool: str) -> StreamId:
    """Return a pool's stream."""
    return stream_id("pool", room, pool)


def claim_stream(room: str, claim: str) -> StreamId:
    """Return a claim's stream."""
    return stream_id("claim", room, claim)


def claim_id_of(hand_id: str) -> str:
    """Return the claim id of a hand: one claim a hand, so considering it twice finds the first."""
    return hand_id.replace("/", ".")


def key(command: Any) -> str:
    """Order all jackpot commands of a room."""
    return str(command.room)


def reads(command: Any, streams: Streams) -> frozenset[StreamId]:
    """Name the streams a command needs, as far as what is loaded tells."""
    if isinstance(command, known.NoteHouse):
        return known.reads(command, streams)
    room = command.room
    wanted = {pools_of(room)}
    match command:
        case c.OpenPool() | c.AdjustPool() | c.ReverseContribution():
            wanted.add(pool_stream(room, command.pool))
        case c.ConsiderHand() | c.OpenClaim():
            wanted |= _hand_streams(room, command.facts, streams)
        case MergeRecords():
            pass  # the list of pools holds it
        case c.NoteReopened():
            pools: PoolList | None = streams.get(pools_of(room))
            pool = pools.pool_for(command.game_id) if pools is not None else None
            if pool is not None:
                wanted.add(pool_stream(room, pool))
        case (
            c.CorrectFacts() | c.ReportTalk() | c.RuleOnTalk() | c.AwardJackpot() | c.RefuseClaim()
        ):
            stream = claim_stream(room, command.claim)
            wanted.add(stream)
            claim: Claim | None = streams.get(stream)
            if claim is not None and claim.phase is not Phase.NONE:
                wanted |= {pool_stream(room, claim.pool), known.book_stream(claim.hand.book_digest)}
            if isinstance(command, c.CorrectFacts):
                wanted.add(known.book_stream(command.facts.book_digest))
        case _:
            raise Refused(
                "COMMAND_UNKNOWN", "CR-6", f"the jackpot does not know {type(command).__name__}"
            )
    return frozenset(wanted)


def _hand_streams(room: str, facts: e.HandFacts, streams: Streams) -> set[StreamId]:
    wanted = {known.book_stream(facts.book_digest), claim_stream(room, claim_id_of(facts.hand_id))}
    pools: PoolList | None = streams.get(pools_of(room))
    pool = pools.pool_for(facts.game_id) if pools is not None else None
    if pool is not None:
        wanted.add(pool_stream(room, pool))
    return wanted


class JackpotCore:
    """The pure decisions; the evaluator is a pure function that comes in from outside."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator

    def decide(self, command: Any, streams: Streams, occasion: Occasion) -> Decision:
        """Decide one command.

        Raises:
            Refused: the book or an invariant does not allow it.
        """
        if isinstance(command, known.NoteHouse):
            return known.decide(command, streams)
        asked: Asked = command
        match asked:
            case c.OpenPool():
                return open_pool(asked, streams)
            case c.ConsiderHand():
                return self.consider(asked.room, asked.facts, streams, by_hand=False)
            case c.OpenClaim():
                return self.consider(asked.room, asked.facts, streams, by_hand=True)
            case c.CorrectFacts():
                return self.correct(asked, streams)
            case c.ReportTalk():
                return report_talk(asked, streams)
            case c.RuleOnTalk():
                return rule_on_talk(asked, streams)
            case c.AwardJackpot():
                return award(asked, streams)
            case c.RefuseClaim():
                return refuse(asked, streams)
            case c.NoteReopened():
                return reopened(asked, streams)
            case c.AdjustPool():
                return adjust(asked, streams)
            case c.ReverseContribution():
                return reverse(asked, streams)
            case MergeRecords():
                return merge(asked, streams)
            case _:
                assert_never(asked)

    def consider(
        self, room: str, facts: e.HandFacts, streams: Streams, *, by_hand: bool
    ) -> Decision:
        """Take a hand's contribution, and open a claim where a hand lost that a jackpot may be for.

        Args:
            room: the room.
            facts: the settled hand.
            streams: the loaded states.
            by_hand: opened by a person, so that a claim stands even where nothing qualifies.
        """
        pool = streams[pools_of(room)].pool_for(facts.game_id)
        rules = known.book(streams, facts.book_digest)
        if pool is None:
            if by_hand or facts.drop_cents or facts.odd_cents:
                raise Unknown("jackpot pool for game", facts.game_id, "facts.game_id")
            return ()
        stream = pool_stream(room, pool)
        out: list[tuple[StreamId, Any]] = []
        state: Pool = streams[stream]
        check_cents(facts.pot_cents, "facts.pot_cents")
        if (facts.drop_cents or facts.odd_cents) and not state.contributed_cents(facts.hand_id):
            added = e.ContributionAdded(
                hand_id=facts.hand_id,
                table=facts.table,
                drop_cents=check_cents(facts.drop_cents, "facts.drop_cents"),
                odd_cents=check_cents(facts.odd_cents, "facts.odd_cents"),
                rules=rules.cite("jackpot.drop", "jackpot.sources"),
            )
            out.append((stream, added))
        claim_at = claim_stream(room, claim_id_of(facts.hand_id))
        claim: Claim = streams[claim_at]
        if claim.phase is not Phase.NONE and by_hand:
            raise Refused("CLAIM_EXISTS", "CR-7", f"hand {facts.hand_id} has a claim already")
        verdict = judge(facts, rules, self._evaluator)
        if claim.phase is not Phase.NONE:
            if claim.phase is Phase.OPEN and claim.facts != facts:
                again = e.FactsCorrected(facts=facts, reason="the hand was settled anew")
                out += [(claim_at, again), (claim_at, _evaluated(verdict))]
            return tuple(out)
        strong = any(c.name == "min_losing_hand" and c.met for c in verdict.conditions)
        if by_hand or strong:
            out += [
                (claim_at, e.ClaimOpened(pool=pool, facts=facts)),
                (claim_at, _evaluated(verdict)),
            ]
        return tuple(out)

    def correct(self, command: c.CorrectFacts, streams: Streams) -> Decision:
        """Put the facts of an open claim right and judge them again."""
        stream = claim_stream(command.room, command.claim)
        claim: Claim = streams[stream]
        must_be_open(claim, command.claim)
        if command.facts.hand_id != claim.hand.hand_id:
            raise Refused(
                "OTHER_HAND",
                "CR-4",
                "corrected facts must be of the same hand",
                field="facts.hand_id",
            )
        if not command.reason.strip():
            raise Refused("REASON_MISSING", "CR-9", "a correction needs a reason", field="reason")
        rules = known.book(streams, command.facts.book_digest)
        return (
            (stream, e.FactsCorrected(facts=command.facts, reason=command.reason)),
            (stream, _evaluated(judge(command.facts, rules, self._evaluator))),
        )


def _evaluated(verdict: Any) -> e.ClaimEvaluated:
    return e.ClaimEvaluated(
        conditions=verdict.conditions,
        qualifies=verdict.qualifies,
        losing_seats=verdict.losing_seats,
        winning_seats=verdict.winning_seats,
    )


def open_pool(command: c.OpenPool, streams: Streams) -> Decision:
    """Open a pool once."""
    stream = pool_stream(command.room, command.pool)
    if streams[stream].opened:
        raise Refused("POOL_EXISTS", "CR-7", f"pool {command.pool!r} is open already", field="pool")
    seed = check_cents(command.seed_cents, "seed_cents")
    return (
        (pools_of(command.room), e.PoolListed(pool=command.pool, game_ids=command.game_ids)),
        (stream, e.PoolOpened(pool=command.pool, seed_cents=seed)),
    )


def report_talk(command: c.ReportTalk, streams: Streams) -> Decision:
    """Record reported talk; where the book voids for it the remedy waits for the floor (HG-J4)."""
    stream = claim_stream(command.room, command.claim)
    claim: Claim = streams[stream]
    must_be_open(claim, command.claim)
    rules = _rules(claim, streams)
    void = rules.flag("jackpot.void_on_talk") and command.about_jackpot
    cited = rules.cite("jackpot.void_on_talk")
    talk = e.TalkReported(
        by_seat=command.by_seat, words=command.words, proposes_void=void, rules=cited
    )
    return ((stream, talk),)


def rule_on_talk(command: c.RuleOnTalk, streams: Streams) -> Decision:
    """Record the floor's word on reported talk; a void ends the claim."""
    stream = claim_stream(command.room, command.claim)
    claim: Claim = streams[stream]
    must_be_open(claim, command.claim)
    waiting = [talk for talk in claim.talk if talk.void is None]
    if not waiting:
        raise Refused(
            "NOTHING_TO_RULE", "CR-6", f"no talk waits for a ruling in claim {command.claim!r}"
        )
    if not command.void and not command.reason.strip():
        raise Refused(
            "REASON_MISSING",
            "CR-9",
            "deciding against the proposed void needs a reason",
            field="reason",
        )
    rules = waiting[0].rules
    ruled = (stream, e.TalkRuled(void=command.void, reason=command.reason, rules=rules))
    if not command.void:
        return (ruled,)
    return ruled, (
        stream,
        e.ClaimRefused(rules=rules, reason="void: talk about the jackpot during the hand"),
    )


def award(command: c.AwardJackpot, streams: Streams) -> Decision:
    """Divide the jackpot for a qualifying claim: pool and claim change together."""
    stream = claim_stream(command.room, command.claim)
    claim: Claim = streams[stream]
    must_be_open(claim, command.claim)
    against = why_not_awarded(claim)
    if against is not None:
        raise against
    rules, facts = _rules(claim, streams), claim.hand
    pool_at = pool_stream(command.room, claim.pool)
    pool: Pool = streams[pool_at]
    own = 0 if rules.flag("jackpot.own_drop_counts") else pool.contributed_cents(facts.hand_id)
    by_seat = {seat.seat: seat for seat in facts.seated + facts.dealt_in}
    losing = tuple(by_seat[seat] for seat in claim.losing_seats)
    winning = tuple(by_seat[seat] for seat in claim.winning_seats)
    paid = frozenset(claim.losing_seats + claim.winning_seats)
    division = divide(
        pool.balance_cents - own,
        own,
        losing=losing,
        winning=winning,
        others=others_of(facts, paid, rules),
        rules=rules,
    )
    total = sum(share.cents for share in division.shares)
    listed: PoolList = streams[pools_of(command.room)]
    awarded = e.JackpotAwarded(
        pool=claim.pool,
        hand_id=facts.hand_id,
        table=facts.table,
        jackpot_cents=pool.balance_cents,
        tier=division.tier,
        shares=under_now(division.shares, listed.merged),
        next_cents=division.next_cents,
        rules=division.rules,
    )
    left = e.PoolPaidOut(claim=command.claim, paid_cents=total, next_cents=division.next_cents)
    return (stream, awarded), (pool_at, left)


def refuse(command: c.RefuseClaim, streams: Streams) -> Decision:
    """End a claim that does not qualify, with every failed condition."""
    stream = claim_stream(command.room, command.claim)
    claim: Claim = streams[stream]
    must_be_open(claim, command.claim)
    against = why_not_awarded(claim)
    if against is None:
        raise Refused(
            "QUALIFIES",
            _rules(claim, streams).cite("jackpot.tier_1"),
            "the claim qualifies; award it",
        )
    if against.code == "TALK_NOT_RULED":
        raise against
    return ((stream, e.ClaimRefused(rules=against.rules, reason=against.message)),)


def reopened(command: c.NoteReopened, streams: Streams) -> Decision:
    """Take back what a hand paid in since the last award, until the hand is settled anew."""
    pool = streams[pools_of(command.room)].pool_for(command.game_id)
    if pool is None:
        return ()
    stream = pool_stream(command.room, pool)
    state: Pool = streams[stream]
    cents = state.contributed_cents(command.hand_id)
    if not cents:
        return ()
    why = "the hand was taken up again"
    return ((stream, e.PoolReversed(hand_id=command.hand_id, cents=cents, reason=why)),)


def adjust(command: c.AdjustPool, streams: Streams) -> Decision:
    """Change a pool by hand; it never goes below nothing."""
    stream = pool_stream(command.room, command.pool)
    pool: Pool = streams[stream]
    if not pool.opened:
        raise Unknown("jackpot pool", command.pool, "pool")
    if not command.reason.strip():
        raise Refused("REASON_MISSING", "CR-9", "an adjustment names its cause", field="reason")
    if command.change_cents == 0 or pool.balance_cents + command.change_cents < 0:
        raise Refused(
            "AMOUNT_OUT_OF_RANGE",
            "CR-8",
            f"the pool holds {pool.balance_cents} cents",
            field="change_cents",
        )
    return ((stream, e.PoolAdjusted(change_cents=command.change_cents, reason=command.reason)),)


def reverse(command: c.ReverseContribution, streams: Streams) -> Decision:
    """Take back what a hand paid in since the last award."""
    stream = pool_stream(command.room, command.pool)
    pool: Pool = streams[stream]
    cents = pool.contributed_cents(command.hand_id)
    if not cents:
        raise Unknown("contribution of hand", command.hand_id, "hand_id")
    return ((stream, e.PoolReversed(hand_id=command.hand_id, cents=cents, reason=command.reason)),)


def merge(command: MergeRecords, streams: Streams) -> Decision:
    """Keep that two records are one person's: claims name and pay the surviving one."""
    stream = pools_of(command.room)
    listed: PoolList = streams[stream]
    into = record_now(listed.merged, command.into_id)
    if record_now(listed.merged, command.from_id) == into:
        return ()
    return ((stream, e.RecordMerged(from_id=command.from_id, into_id=into)),)


def _rules(claim: Claim, streams: Streams) -> ResolvedBook:
    return known.book(streams, claim.hand.book_digest)


def book_digest(command: Any, streams: Streams) -> str:
    """Return the digest of the book a jackpot command is decided under."""
    match command:
        case c.ConsiderHand() | c.OpenClaim() | c.CorrectFacts():
            return str(command.facts.book_digest)
        case c.ReportTalk() | c.RuleOnTalk() | c.AwardJackpot() | c.RefuseClaim():
            claim: Claim = streams[claim_stream(command.room, command.claim)]
            return claim.hand.book_digest if claim.facts else ""
    return ""


COMMANDS: Final[tuple[type[Command], ...]] = (
    c.OpenPool,
    c.ConsiderHand,
    c.OpenClaim,
    c.CorrectFacts,
    c.ReportTalk,
    c.RuleOnTalk,
    c.AwardJackpot,
    c.RefuseClaim,
    c.NoteReopened,
    c.AdjustPool,
    c.ReverseContribution,
    MergeRecords,
    known.NoteHouse,
)


def decider(evaluator: Evaluator) -> Decider:
    """Build the jackpot's decider around an evaluator."""
    core = JackpotCore(evaluator)
    return Decider(
        context="jackpot",
        events=e.EVENTS,
        aggregates={**{a.kind: a for a in (POOL, POOL_LIST, CLAIM)}, **known.AGGREGATES},
        key=key,
        reads=reads,
        decide=core.decide,
        commands=COMMANDS,
        book_digest=book_digest,
    )
