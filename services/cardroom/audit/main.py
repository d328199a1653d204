"""Wiring of the audit context."""

from typing import Final

from cardroom.adapters.context import ContextSpec, Parts
from cardroom.adapters.installation import Secrets
from cardroom.audit.reader import Reader
from cardroom.audit.servicer import AuditServicer


def servicers(parts: Parts) -> tuple[AuditServicer]:
    """Build the servicer on the stores, read under the audit role."""
    secrets = Secrets(parts.settings.data_directory / "secrets")
    reader = Reader(parts.connections, secrets.bytes_of("master_key"))
    return (AuditServicer(reader, parts.connections, parts.settings),)


CONTEXT: Final = ContextSpec(name="audit", servicers=servicers)
