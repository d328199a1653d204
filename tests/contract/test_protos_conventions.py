"""What every RPC and message of the published language has in common, read from the compiled descriptors."""

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor, FileDescriptor, MethodDescriptor
from hatch_build import is_current

from buf.validate import validate_pb2
from cardroom.adapters.grpc.methods import Misdeclared, rules_of
from tests.plugins.grpc_trial import compile_protos

SERVICES = Path(__file__).resolve().parents[2] / "services"
READS = re.compile(
    r"(Get|List|Watch|Find|LookUp|Look|Check|Explain|Verify|Replay|Judge|Compare|Export|Preview|Describe|Search)[A-Z]|CountChips\Z"
)
"""Verbs of RPCs that change nothing."""
MONEY = re.compile(r"(amount|price|money|dollars|cents|fee|stake)(_|$)")
UNIT_ELSEWHERE = frozenset({"cardroom.api.reporting.v1.Figure.amount"})
"""Fields whose unit is named by another field of the same message."""
INT64 = FieldDescriptor.TYPE_INT64
FLOATS = (FieldDescriptor.TYPE_DOUBLE, FieldDescriptor.TYPE_FLOAT)


def files() -> Iterator[FileDescriptor]:
    for path in sorted((SERVICES / "cardroom" / "api").rglob("*_pb2.py")):
        name = ".".join(path.relative_to(SERVICES).with_suffix("").parts)
        yield import_module(name).DESCRIPTOR


def methods() -> list[MethodDescriptor]:
    return [
        method
        for file in files()
        for service in file.services_by_name.values()
        for method in service.methods
    ]


def messages() -> Iterator[Descriptor]:
    waiting = [message for file in files() for message in file.message_types_by_name.values()]
    while waiting:
        message = waiting.pop()
        yield message
        waiting.extend(message.nested_types)


def changes_state(method: MethodDescriptor) -> bool:
    return READS.match(method.name) is None


def findings_of_method(method: MethodDescriptor) -> list[str]:
    found = []
    try:
        rule = rules_of(method)
    except Misdeclared as fault:
        return [str(fault)]
    if changes_state(method) != rule.changes_state:
        found.append(
            f"{method.full_name}: "
            + ("lacks request_id" if changes_state(method) else "reads and has a request_id")
        )
    field = method.input_type.fields_by_name.get("request_id")
    if field is not None:
        extensions: Any = field.GetOptions().Extensions
        limits = extensions[validate_pb2.field].string
        if field.number != 1 or field.type != FieldDescriptor.TYPE_STRING:
            found.append(f"{field.full_name}: is not `string request_id = 1`")
        if limits.min_len < 1 or not 1 <= limits.max_len <= 128:
            found.append(f"{field.full_name}: its length is not declared as 1 to 128")
    if method.name.startswith("Watch"):
        for message in (method.input_type, method.output_type):
            if "resume_token" not in message.fields_by_name:
                found.append(f"{message.full_name}: a watch needs resume_token")
        if not method.server_streaming:
            found.append(f"{method.full_name}: a watch is a stream")
    return found


def findings_of_message(message: Descriptor) -> list[str]:
    found = []
    for field in message.fields:
        if field.type in FLOATS:
            found.append(f"{field.full_name}: a floating-point number")
        cents = field.name == "cents" or field.name.endswith("_cents")
        if cents and field.type != INT64:
            found.append(f"{field.full_name}: money is int64")
        numeric = field.cpp_type in (
            FieldDescriptor.CPPTYPE_INT32,
            FieldDescriptor.CPPTYPE_INT64,
            FieldDescriptor.CPPTYPE_UINT32,
            FieldDescriptor.CPPTYPE_UINT64,
        )
        if (
            numeric
            and MONEY.search(field.name)
            and not cents
            and field.full_name not in UNIT_ELSEWHERE
        ):
            found.append(f"{field.full_name}: money is named ..._cents")
        if field.name == "occurred_at" and message.name.endswith("Request"):
            kind = field.message_type.full_name if field.message_type else ""
            if kind != "google.protobuf.Timestamp" or field.number != 2:
                found.append(
                    f"{field.full_name}: is not `google.protobuf.Timestamp occurred_at = 2`"
                )
        if field.name == "override_reason" and field.type != FieldDescriptor.TYPE_STRING:
            found.append(f"{field.full_name}: an override's reason is a string")
        if field.name == "expected_version" and field.type != INT64:
            found.append(f"{field.full_name}: a version is int64")
    return found


def test_what_is_compiled_is_what_is_declared() -> None:
    assert is_current()


def test_every_rpc_keeps_the_conventions() -> None:
    found = [finding for method in methods() for finding in findings_of_method(method)]
    assert len(methods()) > 1
    assert found == []


def test_every_message_keeps_the_conventions() -> None:
    found = [finding for message in messages() for finding in findings_of_message(message)]
    assert found == []


BAD = """
syntax = "proto3";
package bad{n}.v1;
import "buf/validate/validate.proto";
import "cardroom/api/options/v1/options.proto";
import "google/protobuf/timestamp.proto";
service BadService {{ rpc {rpc} }}
message ChangeRequest {{ {fields} }}
message ChangeResponse {{}}
"""
GOOD_ID = "string request_id = 1 [(buf.validate.field).string = {min_len: 1, max_len: 128}];"
ROOM = "string room = 3;"
ROLES = "option (cardroom.api.options.v1.roles)"
CHANGE = "Change(ChangeRequest) returns (ChangeResponse)"


@pytest.mark.parametrize(
    ("rpc", "fields", "finding"),
    [
        (f"{CHANGE} {{{ROLES} = {{any_of: [ROLE_FLOOR]}};}}", f"{GOOD_ID} {ROOM}", None),
        (f"{CHANGE};", f"{GOOD_ID} {ROOM}", "needs either any_of or anyone"),
        (
            f"{CHANGE} {{{ROLES} = {{anyone: true any_of: [ROLE_FLOOR]}};}}",
            f"{GOOD_ID} {ROOM}",
            "needs either any_of or anyone",
        ),
        (
            f"{CHANGE} {{{ROLES} = {{any_of: [ROLE_UNSPECIFIED]}};}}",
            f"{GOOD_ID} {ROOM}",
            "ROLE_UNSPECIFIED is no role",
        ),
        (f"{CHANGE} {{{ROLES} = {{anyone: true}};}}", GOOD_ID, "names neither room nor group"),
        (
            f"{CHANGE} {{{ROLES} = {{anyone: true every_room: true}};}}",
            f"{GOOD_ID} {ROOM}",
            "names room, which every_room: true contradicts",
        ),
        (f"{CHANGE} {{{ROLES} = {{anyone: true}};}}", ROOM, "lacks request_id"),
        (
            f"{CHANGE} {{{ROLES} = {{anyone: true}};}}",
            f"string request_id = 1; {ROOM}",
            "its length is not declared",
        ),
        (
            f"{CHANGE} {{{ROLES} = {{anyone: true}};}}",
            f"{GOOD_ID.replace('= 1 [', '= 9 [')} {ROOM}",
            "is not `string request_id = 1`",
        ),
        (
            f"GetX(ChangeRequest) returns (ChangeResponse) {{{ROLES} = {{anyone: true}};}}",
            f"{GOOD_ID} {ROOM}",
            "reads and has a request_id",
        ),
        (
            f"WatchX(ChangeRequest) returns (stream ChangeResponse) {{{ROLES} = {{anyone: true}};}}",
            ROOM,
            "a watch needs resume_token",
        ),
        (
            f"{CHANGE} {{{ROLES} = {{anyone: true}};}}",
            f"{GOOD_ID} {ROOM} int32 drop_cents = 4;",
            "money is int64",
        ),
        (
            f"{CHANGE} {{{ROLES} = {{anyone: true}};}}",
            f"{GOOD_ID} {ROOM} int64 amount = 4;",
            "money is named ..._cents",
        ),
        (
            f"{CHANGE} {{{ROLES} = {{anyone: true}};}}",
            f"{GOOD_ID} {ROOM} double odds = 4;",
            "a floating-point number",
        ),
        (
            f"{CHANGE} {{{ROLES} = {{anyone: true}};}}",
            f"{GOOD_ID} {ROOM} string occurred_at = 2;",
            "occurred_at = 2",
        ),
    ],
)
def test_a_departure_from_the_conventions_is_found(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
    rpc: str,
    fields: str,
    finding: str | None,
) -> None:
    number = abs(hash(request.node.name))
    folder = tmp_path / f"bad{number}" / "v1"
    folder.mkdir(parents=True)
    (folder / "bad.proto").write_text(BAD.format(n=number, rpc=rpc, fields=fields))
    compile_protos(tmp_path, tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    file: FileDescriptor = import_module(f"bad{number}.v1.bad_pb2").DESCRIPTOR
    found = [
        *findings_of_method(file.services_by_name["BadService"].methods[0]),
        *findings_of_message(file.message_types_by_name["ChangeRequest"]),
    ]
    if finding is None:
        assert found == []
    else:
        assert any(finding in each for each in found), found
