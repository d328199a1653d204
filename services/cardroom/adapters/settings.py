"""One typed settings object per process, from environment variables (`CARDROOM_*`) and a TOML file.

A variable wins over the file, the file over the default; `CARDROOM_CONFIG` names the file. Tables of the file are
reached by two underscores: `[bus] kind` is `CARDROOM_BUS__KIND`.
"""

import os
import tomllib
from collections.abc import Mapping
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import (
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_settings import (
    BaseSettings,
    InitSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from cardroom.adapters.application import ShellSettings

PREFIX: Final = "CARDROOM_"
CONFIG_VARIABLE: Final = "CARDROOM_CONFIG"
_OF_OTHERS: Final = frozenset({CONFIG_VARIABLE, "CARDROOM_TOKEN"})
_FIRST_PORT: Final = 50051

Port = Annotated[int, Field(ge=0, le=65535)]
Seconds = Annotated[float, Field(gt=0, le=86_400)]


class SettingsWrong(Exception):  # noqa: N818 - it names what is the matter
    """The settings cannot be used; one line for each fault, naming the key, the value and what is allowed."""


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class DatabaseSettings(_Table):
    """Where PostgreSQL is.

    Args:
        dsn: connection string of an external server's administrator; empty: the embedded server in the data directory.
        readers: connections each context keeps for reading.
        lock_timeout_seconds: how long a commit waits for another process's.
    """

    dsn: SecretStr = SecretStr("")
    readers: int = Field(default=4, ge=1, le=50)
    lock_timeout_seconds: int = Field(default=10, ge=1, le=300)


class BusSettings(_Table):
    """How contexts hear of each other.

    Args:
        kind: `embedded` (followers read the stores) or `kafka`.
        bootstrap: Kafka's `host:port`, several separated by commas.
        partitions: partitions of each context's topic; changing it is a migration.
        replication: copies of each partition.
        prefix: first part of every topic and group name.
    """

    kind: Literal["embedded", "kafka"] = "embedded"
    bootstrap: str = ""
    partitions: int = Field(default=8, ge=1, le=1000)
    replication: int = Field(default=1, ge=1, le=9)
    prefix: str = Field(default="cardroom", pattern=r"^[a-z][a-z0-9.-]{0,40}$")

    @model_validator(mode="after")
    def _kafka_needs_a_broker(self) -> "BusSettings":
        if self.kind == "kafka" and not self.bootstrap:
            raise ValueError("bus.kind is kafka and bus.bootstrap is empty: it takes host:port")
        return self


class GrpcSettings(_Table):
    """Where this process serves, and where the other contexts do.

    Args:
        host: address it listens on.
        port: port it listens on; 0 for any free one.
        tls: mutual TLS between processes; off only on a loopback address.
        peers: context -> `host:port`, for contexts that run in other processes.
        drain_seconds: how long calls that run may take to end when the process stops.
    """

    host: str = "127.0.0.1"
    port: Port = _FIRST_PORT
    tls: bool = True
    peers: Mapping[str, str] = {}
    drain_seconds: Seconds = 5.0

    @field_validator("peers")
    @classmethod
    def _peers_are_addresses(cls, peers: Mapping[str, str]) -> Mapping[str, str]:
        for context, address in peers.items():
            host, _, port = address.rpartition(":")
            if not host or not port.isdigit() or not 0 < int(port) < 65536:
                raise ValueError(f"peers.{context} is {address!r}: it takes host:port")
        return peers

    @model_validator(mode="after")
    def _in_the_clear_on_loopback_only(self) -> "GrpcSettings":
        if not self.tls and not _is_loopback(self.host):
            raise ValueError(f"grpc.tls is off and grpc.host is {self.host!r}: only on loopback")
        return self


class LoopSettings(_Table):
    """How the command loop behaves; see `ShellSettings` for what each means."""

    occurred_tolerance_seconds: int = Field(default=300, ge=0, le=86_400)
    conflict_attempts: int = Field(default=8, ge=1, le=1000)
    cached_streams: int = Field(default=20_000, ge=1_000)
    waiting_limit: int = Field(default=10_000, ge=1)
    batch_limit: int = Field(default=256, ge=1, le=10_000)
    watch_limit: int = Field(default=256, ge=1)
    settle_seconds: Seconds = 20.0
    poll_seconds: Seconds = 2.0
    outage_seconds: int = Field(default=120, ge=0)

    def shell(self) -> ShellSettings:
        """Return them as the loop takes them."""
        return ShellSettings(**self.model_dump())


class SealSettings(_Table):
    """How the log is sealed.

    Args:
        every_seconds: how often a checkpoint is made while there is activity.
        anchor_directory: folder of the append-only anchor files, on another disk or machine where there is one;
            unset: `anchors` in the data directory.
    """

    every_seconds: Seconds = 5.0
    anchor_directory: Path | None = None


class LogSettings(_Table):
    """What the process writes about itself.

    Args:
        level: the least level that is written.
        format: `console` for people, `json` for machines.
    """

    level: Literal["debug", "info", "warning", "error"] = "info"
    format: Literal["console", "json"] = "console"


class ClockSettings(_Table):
    """Which clock the process goes by.

    Args:
        kind: `system`, or `manual` for tests and the demonstration: it stands until `ClockService.Advance` moves it.
        start: where a manual clock begins; unset: the present instant.
    """

    kind: Literal["system", "manual"] = "system"
    start: AwareDatetime | None = None


class Settings(BaseSettings):
    """All settings of one process.

    Args:
        data_directory: secrets, the embedded server, anchors.
        metrics_port: Prometheus metrics over HTTP on loopback; 0: none.
        stop_seconds: how long this process may take to end once it was asked to; then it ends without draining.
    """

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_nested_delimiter="__", extra="forbid", frozen=True
    )

    data_directory: Path = Path("~/.cardroom")
    metrics_port: Port = 0
    stop_seconds: Seconds = 30.0
    database: DatabaseSettings = DatabaseSettings()
    bus: BusSettings = BusSettings()
    grpc: GrpcSettings = GrpcSettings()
    loop: LoopSettings = LoopSettings()
    seals: SealSettings = SealSettings()
    log: LogSettings = LogSettings()
    clock: ClockSettings = ClockSettings()

    @field_validator("data_directory")
    @classmethod
    def _expanded(cls, path: Path) -> Path:
        return path.expanduser().absolute()

    @property
    def anchor_directory(self) -> Path:
        """Return the folder of the anchor files."""
        return self.seals.anchor_directory or self.data_directory / "anchors"


def load_settings(config: Path | None = None, **overrides: Any) -> Settings:
    """Read the settings of this process.

    Args:
        config: the TOML file; by default the one that `CARDROOM_CONFIG` names, if any.
        overrides: values that win over all else, by top-level key, for example from the command line.

    Raises:
        SettingsWrong: the file cannot be read, a key is unknown, or a value is not allowed.
    """
    if config is None and os.environ.get(CONFIG_VARIABLE):
        config = Path(os.environ[CONFIG_VARIABLE])
    content: dict[str, Any] = {}
    if config is not None:
        try:
            content = tomllib.loads(config.read_text())
        except OSError as error:
            raise SettingsWrong(f"{config}: cannot be read: {error.strerror}") from error
        except tomllib.TOMLDecodeError as error:
            raise SettingsWrong(f"{config}: {error}") from error
    unknown = _unknown_variables()
    if unknown:
        raise SettingsWrong("\n".join(unknown))
    try:
        return _with_file(content)(**overrides)
    except ValidationError as error:
        where = f"{config}: " if config else ""
        raise SettingsWrong("\n".join(_faults(error, where))) from error


def _with_file(content: dict[str, Any]) -> type[Settings]:
    class FromFile(Settings):
        @classmethod
        def settings_customise_sources(
            cls,
            settings_cls: type[BaseSettings],
            init_settings: PydanticBaseSettingsSource,
            env_settings: PydanticBaseSettingsSource,
            dotenv_settings: PydanticBaseSettingsSource,
            file_secret_settings: PydanticBaseSettingsSource,
        ) -> tuple[PydanticBaseSettingsSource, ...]:
            del dotenv_settings, file_secret_settings
            return init_settings, env_settings, InitSettingsSource(settings_cls, content)

    return FromFile


def _faults(error: ValidationError, where: str) -> list[str]:
    lines = []
    for fault in error.errors(include_url=False):
        key = ".".join(str(part) for part in fault["loc"])
        if fault["type"] == "extra_forbidden":
            lines.append(f"{where}{key}: unknown key")
            continue
        secret = "dsn" in key
        value = "" if secret or isinstance(fault["input"], dict) else f" is {fault['input']!r}"
        lines.append(f"{where}{key}{value}: {fault['msg']}")
    return lines


def _unknown_variables() -> list[str]:
    lines = []
    for name in sorted(os.environ):
        if not name.startswith(PREFIX) or name in _OF_OTHERS:
            continue
        table, _, key = name.removeprefix(PREFIX).lower().partition("__")
        field = Settings.model_fields.get(table)
        known = field is not None
        if field is not None and key:
            kind = field.annotation
            known = (
                isinstance(kind, type)
                and issubclass(kind, BaseModel)
                and key.partition("__")[0] in kind.model_fields
            )
        if not known:
            lines.append(f"environment variable {name}: unknown key")
    return lines


def _is_loopback(host: str) -> bool:
    if host == "localhost" or host.startswith("unix:"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
