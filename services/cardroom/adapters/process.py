"""One process of an installation: its contexts, their stores, the bus between them, and the gRPC server before them."""

import asyncio
import contextlib
import signal
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from typing import Any, Final

import structlog
from prometheus_client import Gauge, Histogram, start_http_server

from cardroom.adapters.application import Application
from cardroom.adapters.bus.broker import free_ports
from cardroom.adapters.bus.deadletters import PostgresLedger, schema_pool
from cardroom.adapters.bus.embedded import EmbeddedBus
from cardroom.adapters.bus.handlers import CommandHandler, ProjectionHandler
from cardroom.adapters.bus.inbox import Inbox
from cardroom.adapters.bus.kafka import AnchorTopic, KafkaBus
from cardroom.adapters.bus.port import Bus, Follower, Publication
from cardroom.adapters.bus.servicer import BusServicer
from cardroom.adapters.bus.sourcelog import StoreLog
from cardroom.adapters.bus.supervise import supervise_all, to_its_end
from cardroom.adapters.bus.topics import KafkaSettings
from cardroom.adapters.context import ContextSpec, Parts, Peers
from cardroom.adapters.ending import end_now, end_within, ended
from cardroom.adapters.errors import ConnectionLost, Unavailable
from cardroom.adapters.grpc.ask import PeerChannels, ServiceToken
from cardroom.adapters.grpc.auth import TokenKeys, TokenMint, TokenVerifier
from cardroom.adapters.grpc.certificates import Certificates
from cardroom.adapters.grpc.clock import ClockServicer
from cardroom.adapters.grpc.people import PersonCheck
from cardroom.adapters.grpc.server import Server, ServerSettings, serve
from cardroom.adapters.grpc.timers_servicer import TimersServicer
from cardroom.adapters.heap import settle_heap
from cardroom.adapters.installation import CONTEXTS, Database, Installation
from cardroom.adapters.seals import AnchorFile, Sealer
from cardroom.adapters.settings import Settings
from cardroom.adapters.store.postgres import PostgresStore
from cardroom.adapters.store.vault import Vault
from cardroom.kernel.clock import Clock, ManualClock, SystemClock

log = structlog.get_logger("cardroom.process")

ALL: Final = "all"
HEALTH_SECONDS: Final = 1.0
LEAD_SECONDS: Final = 30.0

CALL_SECONDS: Final = Histogram(
    "cardroom_grpc_seconds",
    "Time of finished calls.",
    ["method", "status"],
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1, 5),
)
SERVING: Final = Gauge("cardroom_serving", "Whether the stores can be reached.", ["process"])


def address_of(settings: Settings, process: str) -> str:
    """Return where a process listens: the settings' port for `all`, the ports above it for single contexts.

    Args:
        settings: of this installation.
        process: a context's name, or `all`.
    """
    port = settings.grpc.port
    if port and process != ALL:
        port += 1 + CONTEXTS.index(process)
    return f"{settings.grpc.host}:{port}"


class RunningContext:
    """One context's parts while they run."""

    def __init__(
        self,
        spec: ContextSpec,
        known: Mapping[str, ContextSpec],
        settings: Settings,
        installation: Installation,
        clock: Clock,
    ) -> None:
        dsn = installation.database.service(spec.name)
        self.spec = spec
        self.pool = schema_pool(dsn, spec.name)
        self.ledger = PostgresLedger(self.pool, spec.name, stores_events=spec.decider is not None)
        self.app: Application | None = None
        self.sealer: Sealer | None = None
        self.projections: dict[str, ProjectionHandler] = {}
        self.inboxes: list[Inbox] = []
        if spec.decider is not None:
            self._build_application(settings, installation, clock, dsn)
        self._build_inboxes(known)

    def _build_application(
        self, settings: Settings, installation: Installation, clock: Clock, dsn: str
    ) -> None:
        assert self.spec.decider is not None
        store = PostgresStore(
            dsn,
            self.spec.name,
            eraser_dsn=installation.database.eraser,
            readers=settings.database.readers,
            lock_timeout_seconds=settings.database.lock_timeout_seconds,
        )
        vault = Vault(store, installation.master_key)
        self.app = Application(
            self.spec.decider, store, clock, settings=settings.loop.shell(), vault=vault
        )
        anchors = kafka_settings(settings)
        self.sealer = Sealer(
            self.spec.name,
            store,
            clock,
            installation.seal_key,
            AnchorFile(settings.anchor_directory, self.spec.name),
            every_seconds=settings.seals.every_seconds,
            second=None if anchors is None else AnchorTopic(anchors, self.spec.name),
        )

    def _build_inboxes(self, known: Mapping[str, ContextSpec]) -> None:
        name = self.spec.name
        absent = sorted(set(self.spec.inboxes) - set(known))
        if absent:
            # An installation may leave a context out, a room without a jackpot for example.
            log.warning("listens to contexts that are not installed", context=name, absent=absent)
        policies = {
            source: policy for source, policy in self.spec.inboxes.items() if source in known
        }
        if self.app is not None and policies:
            handler = CommandHandler(self.app, policies)
            self.inboxes.append(Inbox(name, handler, self.ledger))
        for projection in self.spec.projections:
            built = ProjectionHandler(self.pool, self.ledger, projection)
            self.projections[projection.name] = built
            self.inboxes.append(Inbox(f"{name}.{projection.name}", built, self.ledger))

    @asynccontextmanager
    async def running(self) -> AsyncIterator["RunningContext"]:
        """Open the pool, the application and its seals; close them in reverse order."""
        async with AsyncExitStack() as stack:
            await self.pool.open()
            stack.push_async_callback(self.pool.close)
            stack.push_async_callback(self.ledger.close)
            if self.app is not None:
                await stack.enter_async_context(self.app)
            if self.sealer is not None:
                await self.sealer.start()
                stack.push_async_callback(self.sealer.stop)
            yield self


class Process:
    """Runs some contexts of an installation until it is stopped."""

    def __init__(
        self,
        name: str,
        specs: Sequence[ContextSpec],
        known: Mapping[str, ContextSpec],
        settings: Settings,
    ) -> None:
        """Take what to run.

        Args:
            name: the context's name, or `all`.
            specs: the contexts of this process.
            known: every context of the installation by name: the embedded bus reads their logs.
            settings: of this process.
        """
        self.name = name
        self.settings = settings
        self.contexts: dict[str, RunningContext] = {}
        self.server: Server | None = None
        self._specs = tuple(specs)
        self._known = known
        self._stack = AsyncExitStack()
        self._clock = _clock(settings)

    @property
    def address(self) -> str:
        """Return where this process listens, once it has started."""
        if self.server is None:
            raise RuntimeError(f"{self.name} has not started")
        return self.server.address

    async def start(self) -> None:
        """Start everything; returns when calls are taken.

        Raises:
            PostgresFailed: the embedded server does not come up.
            Unavailable: a store cannot be reached.
            OSError: the address cannot be listened at.
        """
        try:
            await self._start()
        except BaseException:
            await self.stop()
            raise

    async def stop(self) -> None:
        """Drain: end calls first, then what follows the bus, then the stores."""
        await self._stack.aclose()

    async def run(self) -> None:
        """Start, serve until SIGTERM or SIGINT, and drain.

        Draining has a limit, `stop_seconds`; a second signal ends it at once.
        """
        asked = asyncio.Event()
        loop = asyncio.get_running_loop()

        def ask() -> None:
            if asked.is_set():
                end_now(self.name, "it was asked to stop a second time")
            end_within(self.settings.stop_seconds, self.name)
            asked.set()

        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, ask)
        starting = asyncio.create_task(self.start())
        stopping = asyncio.create_task(asked.wait())
        await asyncio.wait((starting, stopping), return_when=asyncio.FIRST_COMPLETED)
        if not starting.done():
            await ended(starting)
            return
        try:
            await starting
            settle_heap()
            apps = [context.app for context in self.contexts.values() if context.app is not None]
            faults = [asyncio.create_task(app.faulted()) for app in apps]
            await asyncio.wait((stopping, *faults), return_when=asyncio.FIRST_COMPLETED)
            await ended(*faults)
            for app in apps:
                if app.fault is not None:
                    raise app.fault
            log.info("asked to stop", process=self.name)
        finally:
            stopping.cancel()
            await self.stop()

    async def _start(self) -> None:
        settings = self.settings
        installation = Installation(
            settings.data_directory, admin_dsn=settings.database.dsn.get_secret_value()
        )
        self._stack.push_async_callback(asyncio.to_thread, installation.close)
        loop = asyncio.get_running_loop()
        await to_its_end(loop.run_in_executor(None, installation.open))
        if installation.server is not None:
            installation.server.supervise()
        if settings.metrics_port:
            metrics, _ = start_http_server(settings.metrics_port, addr="127.0.0.1")
            self._stack.callback(metrics.shutdown)
        for spec in self._specs:
            context = RunningContext(spec, self._known, settings, installation, self._clock)
            self.contexts[spec.name] = context
            await self._stack.enter_async_context(context.running())
        publications = await self._publications(installation.database)
        bus = self._bus(publications)
        self._task(supervise_all(self._followers(bus, publications)), "followers")
        self.server = await self._serve(installation)
        self._stack.push_async_callback(self._stop_serving)
        self._task(self._watch_health(), "health")
        self._tell_address()
        log.info("process started", process=self.name, address=self.address)

    async def _publications(self, database: Database) -> dict[str, Publication]:
        """Return what is published by the contexts here, and by those that the embedded bus reads elsewhere."""
        wanted = {spec.name for spec in self._specs}
        if self.settings.bus.kind == "embedded":
            listened = [inbox.sources for one in self.contexts.values() for inbox in one.inboxes]
            wanted.update(source for sources in listened for source in sources)
        found: dict[str, Publication] = {}
        for name in sorted(wanted):
            spec = self._known[name]
            if spec.decider is None or spec.publish is None:
                continue
            here = self.contexts.get(name)
            if here is not None and here.app is not None:
                store = here.app.store
            else:
                store = PostgresStore(database.audit, name, readers=2, writes=False)
                await store.open()
                self._stack.push_async_callback(store.close)
            found[name] = Publication(
                source=name,
                log=StoreLog(name, store, spec.decider.events),
                publish=spec.publish,
                ordering_key=spec.ordering_key,
            )
        return found

    def _bus(self, publications: Mapping[str, Publication]) -> Bus:
        kafka = kafka_settings(self.settings)
        if kafka is not None:
            return KafkaBus(kafka)
        return EmbeddedBus(publications, partitions=self.settings.bus.partitions)

    def _followers(self, bus: Bus, publications: Mapping[str, Publication]) -> list[Follower]:
        found: list[Follower | None] = []
        for name, context in self.contexts.items():
            publication = publications.get(name)
            if publication is not None:
                found.append(bus.publisher(publication, context.ledger))
            for inbox in context.inboxes:
                found += bus.consumers(inbox)
            if context.inboxes:
                found.append(bus.announcer(context.ledger, name))
        return [follower for follower in found if follower is not None]

    async def _serve(self, installation: Installation) -> Server:
        settings = self.settings
        keys = TokenKeys(settings.data_directory / "tokens")
        keys.create_missing()
        tls = None
        if settings.grpc.tls:
            hosts = ("localhost", "127.0.0.1", "::1", settings.grpc.host)
            tls = Certificates(settings.data_directory / "tls").issue(self.name, hosts)
        address = address_of(settings, self.name)
        if address.endswith(":0"):
            # Contexts of this process call each other through this address, so it must be known before it is served.
            address = f"{settings.grpc.host}:{free_ports(1)[0]}"
        peers = PeerChannels(
            self._peer_addresses(address),
            ServiceToken(TokenMint(keys.signing()), self.name),
            None if tls is None else tls.channel_credentials(),
        )
        self._stack.push_async_callback(peers.close)
        parts = {
            name: self._parts(context, peers, installation.database)
            for name, context in self.contexts.items()
        }
        servicers: list[Any] = []
        for name, context in self.contexts.items():
            servicers += context.spec.servicers(parts[name])
        inboxes = [inbox for context in self.contexts.values() for inbox in context.inboxes]
        servicers.append(BusServicer(inboxes))
        apps = {name: one.app for name, one in self.contexts.items() if one.app is not None}
        servicers.append(TimersServicer(apps))
        if isinstance(self._clock, ManualClock):
            servicers.append(ClockServicer(self._clock, self._settle_timers))
        people = [
            context.spec.people(parts[name])
            for name, context in self.contexts.items()
            if context.spec.people is not None
        ]
        return await serve(
            servicers,
            verifier=TokenVerifier(keys.verifying),
            settings=ServerSettings(
                address=address, tls=tls, drain_seconds=settings.grpc.drain_seconds
            ),
            people=PersonCheck(people[0]) if people else None,
            observe=_observe,
        )

    def _parts(self, context: RunningContext, peers: Peers, database: Database) -> Parts:
        return Parts(
            app=context.app,
            peers=peers,
            database=context.pool,
            clock=self._clock,
            settings=self.settings,
            connections=database,
        )

    def _peer_addresses(self, own: str) -> dict[str, str]:
        addresses = {name: address_of(self.settings, name) for name in CONTEXTS}
        addresses.update(self.settings.grpc.peers)
        addresses.update(dict.fromkeys(self.contexts, own))
        return addresses

    async def _settle_timers(self) -> None:
        for context in self.contexts.values():
            if context.app is not None:
                await context.app.settle_timers()

    async def _stop_serving(self) -> None:
        if self.server is not None:
            await self.server.stop()

    async def _watch_health(self) -> None:
        """Tell probes whether every store here answers."""
        healthy = True
        while True:
            now = await self._stores_answer()
            SERVING.labels(self.name).set(int(now))
            if now != healthy and self.server is not None:
                await self.server.set_serving(now)
                log.warning("health changed", process=self.name, serving=now)
            healthy = now
            await asyncio.sleep(HEALTH_SECONDS)

    async def _stores_answer(self) -> bool:
        try:
            for context in self.contexts.values():
                if context.app is not None:
                    await context.app.store.last_notification_id()
        except (ConnectionLost, Unavailable) as failure:
            log.error("a store does not answer", process=self.name, reason=str(failure))  # noqa: TRY400
            return False
        return True

    def _task(self, work: Any, name: str) -> None:
        task = asyncio.create_task(work, name=f"{self.name} {name}")

        async def end() -> None:
            await ended(task)
            with contextlib.suppress(asyncio.CancelledError):
                await task

        self._stack.push_async_callback(end)

    def _tell_address(self) -> None:
        """Write down where this process listens, for tools on the same machine."""
        path = self.settings.data_directory / "run" / f"{self.name}.address"
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_suffix(".partial")
        partial.write_text(self.address + "\n")
        partial.replace(path)
        self._stack.callback(path.unlink, missing_ok=True)


def kafka_settings(settings: Settings) -> KafkaSettings | None:
    """Return how the broker is reached, or None on the embedded bus."""
    if settings.bus.kind != "kafka":
        return None
    return KafkaSettings(
        bootstrap=settings.bus.bootstrap,
        prefix=settings.bus.prefix,
        partitions=settings.bus.partitions,
        replication=settings.bus.replication,
    )


async def rewind_publisher(spec: ContextSpec, settings: Settings, after: int) -> None:
    """Let a context's publisher send everything above a notification id again when it runs next.

    Args:
        spec: the context; no process may be publishing for it meanwhile.
        settings: of the installation.
        after: notification id.

    Raises:
        ValueError: the bus is not Kafka, the context publishes nothing, or the id lies beyond what was sent.
        TimeoutError: a process publishes for the context.
    """
    kafka = kafka_settings(settings)
    if kafka is None:
        raise ValueError("bus.kind is embedded: consumers read the log itself, nothing is sent")
    if spec.decider is None or spec.publish is None:
        raise ValueError(f"{spec.name} publishes nothing")
    installation = Installation(
        settings.data_directory, admin_dsn=settings.database.dsn.get_secret_value()
    )
    async with AsyncExitStack() as stack:
        stack.push_async_callback(asyncio.to_thread, installation.close)
        await asyncio.to_thread(installation.open)
        dsn = installation.database.service(spec.name)
        store = PostgresStore(dsn, spec.name, readers=1)
        await store.open()
        stack.push_async_callback(store.close)
        pool = schema_pool(dsn, spec.name, size=2)
        await pool.open()
        stack.push_async_callback(pool.close)
        ledger = PostgresLedger(pool, spec.name)
        stack.push_async_callback(ledger.close)
        publication = Publication(
            source=spec.name,
            log=StoreLog(spec.name, store, spec.decider.events),
            publish=spec.publish,
            ordering_key=spec.ordering_key,
        )
        try:
            async with asyncio.timeout(LEAD_SECONDS):
                await KafkaBus(kafka).publisher(publication, ledger).rewind(after)
        except TimeoutError:
            raise TimeoutError(f"a process publishes for {spec.name}: stop it first") from None


def run_contexts(
    name: str, specs: Iterable[ContextSpec], known: Mapping[str, ContextSpec], settings: Settings
) -> None:
    """Run some contexts in this process until SIGTERM or SIGINT.

    Args:
        name: the context's name, or `all`.
        specs: the contexts to run.
        known: every context of the installation by name.
        settings: of this process.
    """
    asyncio.run(Process(name, tuple(specs), known, settings).run())


def _clock(settings: Settings) -> Clock:
    if settings.clock.kind == "manual":
        return ManualClock(settings.clock.start or datetime.now(UTC))
    return SystemClock()


def _observe(path: str, status: str, seconds: float) -> None:
    CALL_SECONDS.labels(path, status).observe(seconds)
