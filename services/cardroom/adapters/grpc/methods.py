"""What the protos declare about each RPC: who may call it, where its room stands, whether it changes anything."""

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any, Final

import msgspec
from google.protobuf import symbol_database
from google.protobuf.descriptor import Descriptor, FieldDescriptor, MethodDescriptor
from google.protobuf.message import Message

from cardroom.api.options.v1 import options_pb2

SCOPE_FIELDS: Final = ("room", "group")


class Misdeclared(Exception):  # noqa: N818 - it names the state of the protos
    """An RPC lacks a declaration without which the server does not start."""


class MethodRule(msgspec.Struct, frozen=True, kw_only=True):
    """One RPC as the gate sees it.

    Args:
        path: as on the wire, `/package.Service/Method`.
        roles: the caller needs one of these; empty where any valid token will do.
        request_class: its request message.
        scope_paths: for each field of the request that holds a room or group, the names that lead to it.
        changes_state: whether the request carries a `request_id`.
    """

    path: str
    roles: frozenset[str]
    request_class: type[Message]
    scope_paths: tuple[tuple[str, ...], ...]
    changes_state: bool

    def scopes_of(self, request: Any) -> set[str]:
        """Return the rooms and groups that a request names."""
        scopes: set[str] = set()
        for path in self.scope_paths:
            holders = getattr(request, path[0])
            if len(path) == 1:
                scopes.add(holders)
            elif isinstance(holders, Message):
                scopes.add(getattr(holders, path[1]))
            else:
                scopes.update(getattr(holder, path[1]) for holder in holders)
        scopes.discard("")
        return scopes


def rules_of(method: MethodDescriptor) -> MethodRule:
    """Read an RPC's declarations.

    Raises:
        Misdeclared: it has no roles, contradicting ones, or a request without a room that does not say so.
    """
    name = method.full_name
    extensions: Any = method.GetOptions().Extensions
    declared: options_pb2.Roles = extensions[options_pb2.roles]
    if declared.anyone == bool(declared.any_of):
        raise Misdeclared(
            f"{name}: option (cardroom.api.options.v1.roles) needs either any_of or anyone"
        )
    if options_pb2.ROLE_UNSPECIFIED in declared.any_of:
        raise Misdeclared(f"{name}: ROLE_UNSPECIFIED is no role")
    scope_paths = _scope_paths(method.input_type)
    if bool(scope_paths) == declared.every_room:
        raise Misdeclared(
            f"{name}: {method.input_type.name} "
            + (
                f"names {'.'.join(scope_paths[0])}, which every_room: true contradicts"
                if scope_paths
                else "names neither room nor group and does not say every_room: true"
            )
        )
    return MethodRule(
        path=f"/{method.containing_service.full_name}/{method.name}",
        roles=frozenset(
            options_pb2.Role.Name(role).removeprefix("ROLE_").lower() for role in declared.any_of
        ),
        request_class=symbol_database.Default().GetSymbol(method.input_type.full_name),
        scope_paths=scope_paths,
        changes_state="request_id" in method.input_type.fields_by_name,
    )


def _scope_paths(message: Descriptor) -> tuple[tuple[str, ...], ...]:
    """Find `room` and `group` in the message itself and in the messages it holds (`table.room`)."""
    paths: list[tuple[str, ...]] = [(name,) for name in _scope_fields(message)]
    for field in message.fields:
        if field.type == FieldDescriptor.TYPE_MESSAGE and field.message_type is not None:
            paths.extend((field.name, name) for name in _scope_fields(field.message_type))
    return tuple(paths)


def _scope_fields(message: Descriptor) -> list[str]:
    return [
        field.name
        for field in message.fields
        if field.name in SCOPE_FIELDS
        and field.type == FieldDescriptor.TYPE_STRING
        and not field.is_repeated
    ]


class Bound(msgspec.Struct, frozen=True):
    """A servicer, the service it implements, and the generated function that registers it.

    Args:
        service: the service's full name.
        methods: the rule of each of its RPCs.
        register: `(servicer, server)`.
    """

    service: str
    methods: tuple[MethodRule, ...]
    register: Callable[[Any, Any], None]


def bind(servicer: object) -> Bound:
    """Find the service that a servicer implements, from the generated base class it extends.

    Raises:
        Misdeclared: it extends none, lacks one of the RPCs, or one of them is misdeclared.
    """
    for base in type(servicer).__mro__:
        if base.__module__.endswith("_pb2_grpc") and base.__name__.endswith("Servicer"):
            return _bind(servicer, base)
    raise Misdeclared(f"{type(servicer).__name__} extends no generated servicer")


def _bind(servicer: object, base: type) -> Bound:
    generated: Any = import_module(base.__module__)
    messages: Any = import_module(base.__module__.removesuffix("_grpc"))
    service = messages.DESCRIPTOR.services_by_name[base.__name__.removesuffix("Servicer")]
    for method in service.methods:
        if getattr(type(servicer), method.name) is getattr(base, method.name):
            raise Misdeclared(f"{type(servicer).__name__} lacks {method.full_name}")
    return Bound(
        service.full_name,
        tuple(rules_of(method) for method in service.methods),
        getattr(generated, f"add_{base.__name__}_to_server"),
    )


def bind_all(servicers: Iterable[object]) -> tuple[tuple[object, Bound], ...]:
    """Bind each servicer; no service twice.

    Raises:
        Misdeclared: see `bind`; or two servicers implement one service.
    """
    bound = tuple((servicer, bind(servicer)) for servicer in servicers)
    names = [each.service for _, each in bound]
    for name in names:
        if names.count(name) > 1:
            raise Misdeclared(f"{name} is implemented by two servicers")
    return bound
